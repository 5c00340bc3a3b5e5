/**
 * Cases about the first proof of an address: what goes, what stays, and that nobody slips in meanwhile.
 *
 * @module
 */
import type { Adapter, AdapterAccount, CompleteAdapter, Plan } from "../../src/contract/adapter.ts";
import { type Check, check } from "./case.ts";
import { equal, holds, together } from "./expect.ts";
import { account, authenticator, LATER, session, user } from "./records.ts";

const NEEDS = [
  "createUser",
  "getUser",
  "getUserByEmail",
  "linkAccount",
  "getAccount",
  "listAccountsByUserId",
  "createSession",
  "getSessionAndUser",
  "listSessionsByUserId",
  "createAuthenticator",
  "listAuthenticatorsByUserId",
  "commit",
] as const satisfies readonly (keyof Adapter)[];

type Evicting = Pick<CompleteAdapter, (typeof NEEDS)[number]>;

const ID = "id-of-ada";
const EMAIL = "ada@example.com";

/** Accounts, and whether they outlive the proof of the address. */
const ACCOUNTS: readonly (readonly [what: string, stays: boolean, members: Partial<AdapterAccount>])[] = [
  ["vouches for the address", true, { email_verified: true, email: EMAIL }],
  ["vouches for an address that it does not name", true, { email_verified: true }],
  ["vouches for another address", false, { email_verified: true, email: "mallory@example.com" }],
  ["does not vouch for the address", false, { email_verified: false }],
  ["does not vouch, and names the address", false, { email_verified: false, email: EMAIL }],
  ["says nothing of the address", true, {}],
  ["says nothing of the address and has none", true, { email_verified: null, email: null }],
  ["is of a passkey", false, { type: "webauthn" }],
  ["is of a passkey and vouches", false, { type: "webauthn", email_verified: true, email: EMAIL }],
  ["is of credentials", true, { type: "credentials" }],
  ["is of credentials and does not vouch", true, { type: "credentials", email_verified: false }],
];

/** The victim's plan: the address is proven, and a session is made. */
function proof(number = 0): Plan {
  return {
    expect: { user: { id: ID, email: EMAIL, emailVerified: null, securityStamp: null } },
    updateUser: { id: ID, emailVerified: LATER, securityStamp: "new" },
    evict: { userId: ID, email: EMAIL },
    createSession: session(ID, `proven-${number}`),
  };
}

/** Plans that were decided on before the proof, by way of signing in. */
const BEFORE: Readonly<Record<string, (number: number) => Plan>> = {
  "signs in": (number) => ({ createSession: session(ID, `s-${number}`) }),
  "signs in with an account": (number) => ({
    expect: { account: { provider: "idp", providerAccountId: "1", userId: ID } },
    createSession: session(ID, `s-${number}`),
  }),
  "signs in with a credential": (number) => ({
    expect: { authenticator: { credentialID: "key", userId: ID, counter: 0 } },
    createSession: session(ID, `s-${number}`),
  }),
  "adds an account": (number) => ({
    expect: { session: { sessionToken: "old", userId: ID } },
    linkAccount: account(ID, `a-${number}`, { email_verified: false }),
  }),
  "adds a credential": (number) => ({
    expect: { session: { sessionToken: "old", userId: ID }, authenticators: { userId: ID, fewerThan: 100 } },
    linkAccount: account(ID, `k-${number}`, { type: "webauthn" }),
    createAuthenticator: authenticator(ID, `k-${number}`),
  }),
};

async function impersonate(a: Evicting): Promise<void> {
  await a.createUser(user("ada"));
  await a.linkAccount(account(ID, "1", { email_verified: false }));
  await a.linkAccount(account(ID, "key", { type: "webauthn" }));
  await a.createAuthenticator(authenticator(ID, "key"));
  await a.createSession(session(ID, "old"));
}

async function demandOnlyProven(a: Evicting, token = "proven-0"): Promise<void> {
  const tokens = (await a.listSessionsByUserId(ID)).map(({ sessionToken }) => sessionToken);
  equal(tokens, [token], "the sessions");
  equal((await a.listAccountsByUserId(ID)).length, 0, "the accounts");
  equal((await a.listAuthenticatorsByUserId(ID)).length, 0, "the credentials");
  equal(await a.getSessionAndUser("old"), null, "the session of before");
  equal(await a.getAccount("1", "idp"), null, "the account of before");
}

/** Cases about the first proof of an address. */
export const EVICTIONS: readonly Check[] = [
  ...ACCOUNTS.map(([what, stays, members]) =>
    check(`commit() evicts and ${stays ? "keeps" : "removes"} an account that ${what}`, NEEDS, async (a) => {
      await a.createUser(user("ada"));
      await a.linkAccount(account(ID, "1", members));
      equal(await a.commit({ evict: { userId: ID, email: EMAIL } }), "done", "commit()");
      equal((await a.getAccount("1", "idp"))?.userId, stays ? ID : undefined, "the owner of the account");
      equal((await a.listAccountsByUserId(ID)).length, stays ? 1 : 0, "the accounts of the user");
    }, "keepsMembers")
  ),
  check("commit() evicts what nobody has listed before", NEEDS, async (a) => {
    await impersonate(a);
    equal(await a.commit(proof()), "done", "commit()");
    await demandOnlyProven(a);
    holds(await a.getUser(ID), { emailVerified: LATER, securityStamp: "new" }, "the user");
  }, "keepsMembers"),
  check("commit() makes again what it has evicted", NEEDS, async (a) => {
    await impersonate(a);
    equal(await a.commit(proof()), "done", "commit()");
    const again = account(ID, "1", { email_verified: true, email: EMAIL });
    const plan = {
      linkAccount: again,
      createAuthenticator: authenticator(ID, "key"),
      createSession: session(ID, "old"),
    };
    equal(await a.commit(plan), "done", "commit() of the same rows");
    holds(await a.getAccount("1", "idp"), again, "the account");
    equal((await a.listAuthenticatorsByUserId(ID)).length, 1, "the credentials");
    equal((await a.listSessionsByUserId(ID)).length, 2, "the sessions");
  }, "keepsMembers"),
  check("commit() evicts a second time", NEEDS, async (a) => {
    await impersonate(a);
    await a.commit(proof());
    await a.commit({ linkAccount: account(ID, "2", { email_verified: false }), createSession: session(ID, "s-2") });
    const evict = { userId: ID, email: EMAIL };
    equal(await a.commit({ evict, createSession: session(ID, "proven-1") }), "done", "commit()");
    await demandOnlyProven(a, "proven-1");
  }, "keepsMembers"),
  check("commit() gives the address of one user to another who is made", NEEDS, async (a) => {
    await a.createUser(user("ada"));
    // The type demands an address, but storage keeps users without one.
    const updateUser = { id: ID, email: null as unknown as string };
    equal(await a.commit({ updateUser, createUser: user("eve", { email: EMAIL }) }), "done", "commit()");
    equal((await a.getUserByEmail(EMAIL))?.id, "id-of-eve", "who has the address");
    equal((await a.getUser(ID))?.email, null, "the address of who had it");
  }),
  ...Object.entries(BEFORE).map(([act, planOf]) =>
    check(`commit() refuses who ${act} by what was so before the address was proven`, NEEDS, async (a) => {
      await impersonate(a);
      const { expect } = proof();
      const plan = (number: number) => {
        const own = planOf(number);
        return { ...own, expect: { ...own.expect, ...expect } };
      };
      equal(await a.commit(plan(0)), "done", "commit() before the proof");
      equal(await a.commit(proof()), "done", "commit() of the proof");
      equal(await a.commit(plan(1)), "conflict", "commit() after the proof");
      equal(await a.commit(planOf(2)), planOf(2).expect ? "conflict" : "done", "commit() that forgets the user");
      if (planOf(2).expect) await demandOnlyProven(a);
    }, "keepsMembers")
  ),
  ...Object.entries(BEFORE).map(([act, planOf]) =>
    check(`While an address is proven, nobody stays who ${act} at the same time`, NEEDS, async (a) => {
      await impersonate(a);
      const { expect } = proof();
      const runs = Array.from({ length: 64 }, (_, number) => () => {
        const own = planOf(number);
        return a.commit(number === 32 ? proof() : { ...own, expect: { ...own.expect, ...expect } });
      });
      const answers = await together(runs);
      equal(answers[32], "done", "commit() of the proof");
      equal([...new Set(answers)].filter((answer) => answer !== "done" && answer !== "conflict"), [], "the answers");
      await demandOnlyProven(a);
    }, "survivesRaces")
  ),
  check("Of many credentials that are added at once, no more are kept than a plan expects", NEEDS, async (a) => {
    await a.createUser(user("ada"));
    const expect = { authenticators: { userId: ID, fewerThan: 5 } };
    const runs = Array.from({ length: 64 }, (_, number) => () => {
      const row = { linkAccount: account(ID, `k-${number}`), createAuthenticator: authenticator(ID, `k-${number}`) };
      return a.commit({
        expect: { ...expect, user: { id: ID, email: EMAIL, emailVerified: null, securityStamp: null } },
        ...row,
      });
    });
    const answers = await together(runs);
    equal(answers.filter((answer) => answer === "done").length, 5, "the plans that are done");
    equal((await a.listAuthenticatorsByUserId(ID)).length, 5, "the credentials");
  }, "survivesRaces"),
];
