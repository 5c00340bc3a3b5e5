/**
 * Cases about the first verification of an address: what is removed, what stays, and what happens at the same time.
 *
 * @module
 */
import type { AdapterAccount, CompleteAdapter, Plan } from "../../src/contract/adapter.ts";
import { type Check, planCheck } from "./case.ts";
import { equal, holds, together } from "./expect.ts";
import { account, authenticator, LATER, session, user } from "./records.ts";

const ID = "id-of-ada";
const EMAIL = "ada@example.com";

/** Accounts, and whether they stay when the address is verified. */
const ACCOUNTS: readonly (readonly [what: string, stays: boolean, members: Partial<AdapterAccount>])[] = [
  ["an account that confirms the address", true, { email_verified: true, email: EMAIL }],
  ["an account that confirms an unnamed address", true, { email_verified: true }],
  ["an account that confirms another address", false, { email_verified: true, email: "mallory@example.com" }],
  ["an account that does not confirm the address", false, { email_verified: false }],
  ["an account that names the address without confirming it", false, { email_verified: false, email: EMAIL }],
  ["an account that says nothing about the address", true, {}],
  ["an account without an address", true, { email_verified: null, email: null }],
  ["the account of a passkey", false, { type: "webauthn" }],
  ["the account of a passkey that confirms the address", false, {
    type: "webauthn",
    email_verified: true,
    email: EMAIL,
  }],
  ["an account of type credentials", true, { type: "credentials" }],
  ["an account of type credentials that does not confirm the address", true, {
    type: "credentials",
    email_verified: false,
  }],
];

/** The plan of the owner of the address, who verifies it and signs in. */
function verification(number = 0): Plan {
  return {
    expect: { user: { id: ID, email: EMAIL, emailVerified: null, securityStamp: null } },
    updateUser: { id: ID, emailVerified: LATER, securityStamp: "new" },
    evict: { userId: ID, email: EMAIL },
    createSession: session(ID, `verified-${number}`),
  };
}

/** Plans that were decided on before the verification. */
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

async function impersonate(a: CompleteAdapter): Promise<void> {
  await a.createUser(user("ada"));
  await a.linkAccount(account(ID, "1", { email_verified: false }));
  await a.linkAccount(account(ID, "key", { type: "webauthn" }));
  await a.createAuthenticator(authenticator(ID, "key"));
  await a.createSession(session(ID, "old"));
}

async function assertOnlyVerified(a: CompleteAdapter, token = "verified-0"): Promise<void> {
  const tokens = (await a.listSessionsByUserId(ID)).map(({ sessionToken }) => sessionToken);
  equal(tokens, [token], "the sessions");
  equal((await a.listAccountsByUserId(ID)).length, 0, "the accounts");
  equal((await a.listAuthenticatorsByUserId(ID)).length, 0, "the credentials");
  equal(await a.getSessionAndUser("old"), null, "the old session");
  equal(await a.getAccount("1", "idp"), null, "the old account");
}

export const EVICTIONS: readonly Check[] = [
  ...ACCOUNTS.map(([what, stays, members]) =>
    planCheck(`commit() ${stays ? "keeps" : "removes"} ${what} when it evicts`, async (a) => {
      await a.createUser(user("ada"));
      await a.linkAccount(account(ID, "1", members));
      equal(await a.commit({ evict: { userId: ID, email: EMAIL } }), "done", "commit()");
      equal((await a.getAccount("1", "idp"))?.userId, stays ? ID : undefined, "the owner of the account");
      equal((await a.listAccountsByUserId(ID)).length, stays ? 1 : 0, "the accounts of the user");
    }, "keepsMembers")
  ),
  planCheck("commit() removes all unverified rows without a list of them", async (a) => {
    await impersonate(a);
    equal(await a.commit(verification()), "done", "commit()");
    await assertOnlyVerified(a);
    holds(await a.getUser(ID), { emailVerified: LATER, securityStamp: "new" }, "the user");
  }, "keepsMembers"),
  planCheck("commit() can create again what it removed", async (a) => {
    await impersonate(a);
    equal(await a.commit(verification()), "done", "commit()");
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
  planCheck("commit() can evict the same user twice", async (a) => {
    await impersonate(a);
    await a.commit(verification());
    await a.commit({ linkAccount: account(ID, "2", { email_verified: false }), createSession: session(ID, "s-2") });
    const evict = { userId: ID, email: EMAIL };
    equal(await a.commit({ evict, createSession: session(ID, "verified-1") }), "done", "commit()");
    await assertOnlyVerified(a, "verified-1");
  }, "keepsMembers"),
  planCheck("commit() moves an address from one user to a new one", async (a) => {
    await a.createUser(user("ada"));
    // The type requires an address, but storage has users without one.
    const updateUser = { id: ID, email: null as unknown as string };
    equal(await a.commit({ updateUser, createUser: user("eve", { email: EMAIL }) }), "done", "commit()");
    equal((await a.getUserByEmail(EMAIL))?.id, "id-of-eve", "who has the address");
    equal((await a.getUser(ID))?.email, null, "the address of who had it");
  }),
  ...Object.entries(BEFORE).map(([act, planOf]) =>
    planCheck(
      `commit() returns conflict if somebody ${act} with what was read before the address was verified`,
      async (a) => {
        await impersonate(a);
        const { expect } = verification();
        const plan = (number: number) => {
          const own = planOf(number);
          return { ...own, expect: { ...own.expect, ...expect } };
        };
        equal(await a.commit(plan(0)), "done", "commit() before the verification");
        equal(await a.commit(verification()), "done", "commit() of the verification");
        equal(await a.commit(plan(1)), "conflict", "commit() after the verification");
        equal(
          await a.commit(planOf(2)),
          planOf(2).expect ? "conflict" : "done",
          "commit() that does not expect the user",
        );
        if (planOf(2).expect) await assertOnlyVerified(a);
      },
      "keepsMembers",
    )
  ),
  ...Object.entries(BEFORE).map(([act, planOf]) =>
    planCheck(`No row remains of somebody who ${act} while the address is verified`, async (a) => {
      await impersonate(a);
      const { expect } = verification();
      const runs = Array.from({ length: 64 }, (_, number) => () => {
        const own = planOf(number);
        return a.commit(number === 32 ? verification() : { ...own, expect: { ...own.expect, ...expect } });
      });
      const answers = await together(runs);
      equal(answers[32], "done", "commit() of the verification");
      equal([...new Set(answers)].filter((answer) => answer !== "done" && answer !== "conflict"), [], "the answers");
      await assertOnlyVerified(a);
    }, "survivesRaces")
  ),
  planCheck("Of many credentials that are added at once, commit() stores no more than the plans expect", async (a) => {
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
