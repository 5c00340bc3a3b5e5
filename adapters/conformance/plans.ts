/**
 * Cases about plans that can be committed.
 *
 * @module
 */
import type { CompleteAdapter, Plan } from "../../src/contract/adapter.ts";
import { type Check, planCheck } from "./case.ts";
import { equal, holds } from "./expect.ts";
import { account, authenticator, LATER, session, user } from "./records.ts";
import { ADA, BOB, changesBetween, EVE, fullPlan, populate, readWorld } from "./world.ts";

/** The members of plans that every adapter with plans carries out. Not all have records. */
type Member = Exclude<keyof Plan, "records">;

/** What each member of a plan changes, as the questions whose answers differ afterwards. */
const ALONE: Readonly<Record<Member, readonly string[]>> = {
  expect: [],
  consume: ["token ada right"],
  createUser: ["user eve", "user by address eve"],
  updateUser: [
    "user ada",
    "user by address ada",
    "user by account ada-1",
    "user by account ada-2",
    "session ada-1",
    "session ada-2",
  ],
  evict: [
    "account ada-1",
    "accounts of ada",
    "credential ada-1",
    "credential ada-2",
    "credentials of ada",
    "session ada-1",
    "session ada-2",
    "sessions of ada",
    "user by account ada-1",
  ],
  unlinkAccount: ["account bob-2", "accounts of bob", "user by account bob-2"],
  deleteAuthenticator: ["credential bob-2", "credentials of bob"],
  linkAccount: ["account eve-1", "accounts of bob", "user by account eve-1"],
  updateAccount: ["account bob-1", "accounts of bob"],
  createAuthenticator: ["credential eve-1", "credentials of bob"],
  updateCounter: ["credential bob-1", "credentials of bob"],
  deleteSession: ["session bob-1", "sessions of bob"],
  createSession: ["session eve-1", "sessions of bob"],
};

/** A plan with one member. Bob owns the new rows, because nobody creates Eve. */
function planWith(member: Member): Plan {
  const plans: Plan = {
    ...fullPlan(),
    linkAccount: account(BOB, "eve-1"),
    createAuthenticator: authenticator(BOB, "eve-1"),
    createSession: session(BOB, "eve-1"),
  };
  return { [member]: plans[member] };
}

function accountOf(providerAccountId: string): NonNullable<Plan["unlinkAccount"]> {
  return { provider: "idp", providerAccountId, userId: BOB };
}

function isMember(name: string): name is Member {
  return Object.hasOwn(ALONE, name);
}

const ALONE_CHECKS = Object.keys(ALONE).filter(isMember).map((member) =>
  populatedCheck(`commit() carries out ${member} and changes nothing else`, async (a) => {
    const before = await readWorld(a);
    equal(await a.commit(planWith(member)), "done", "commit()");
    const changed = changesBetween(before, await readWorld(a));
    equal(changed.sort(), [...ALONE[member]].sort(), "what changed");
  })
);

export const PLANS: readonly Check[] = [
  ...ALONE_CHECKS,
  populatedCheck("commit() of an empty plan returns done and changes nothing", async (a) => {
    const before = await readWorld(a);
    equal(await a.commit({}), "done", "commit()");
    equal(await a.commit({ createUser: undefined, deleteSession: undefined }), "done", "commit() of nothing");
    equal(changesBetween(before, await readWorld(a)), [], "what changed");
  }),
  populatedCheck("commit() carries out all members of a plan together", async (a) => {
    equal(await a.commit(fullPlan()), "done", "commit()");
    holds(await a.getUserByEmail("eve@example.com"), user("eve"), "the new user");
    holds(await a.getUser(ADA), { emailVerified: LATER }, "the user whose address is verified");
    equal(await a.getVerificationToken({ identifier: "ada@example.com", token: "right" }), null, "the token");
    equal(await a.listSessionsByUserId(ADA), [], "the sessions of the evicted user");
    equal(await a.getAccount("bob-2", "idp"), null, "the removed account");
    equal(await a.getAuthenticator("bob-2"), null, "the removed credential");
    holds(await a.getUserByAccount(account(EVE, "eve-1")), { id: EVE }, "the owner of the account");
    holds(await a.getAccount("bob-1", "idp"), { access_token: "new", scope: "openid" }, "the changed account");
    holds(await a.getAuthenticator("eve-1"), { userId: EVE }, "the credential");
    holds(await a.getAuthenticator("bob-1"), { counter: 6 }, "the raised counter");
    equal((await a.getSessionAndUser("bob-1"))?.session, undefined, "the removed session");
    holds((await a.getSessionAndUser("eve-1"))?.user, user("eve"), "the user of the session that was made");
  }),
  populatedCheck("commit() consumes the one of several hashes that is stored", async (a) => {
    const identifier = "ada@example.com";
    const consume = { identifier, tokens: ["wrong", "other", "neither"], now: new Date(0) };
    equal(await a.commit({ consume }), "done", "commit()");
    equal(await a.getVerificationToken({ identifier, token: "other" }), null, "the token that was used");
    holds(await a.getVerificationToken({ identifier, token: "right" }), { token: "right" }, "the token that was not");
    equal(await a.commit({ consume }), "consumed", "commit() again");
  }),
  populatedCheck("commit() returns done if the session to remove does not exist", async (a) => {
    equal(await a.commit({ deleteSession: "nothing", createUser: user("eve") }), "done", "commit()");
    holds(await a.getUser(EVE), user("eve"), "the new user");
  }),
  populatedCheck("commit() removes nothing of other users when it evicts", async (a) => {
    const before = await readWorld(a);
    equal(await a.commit({ createUser: user("eve"), evict: { userId: EVE, email: null } }), "done", "commit()");
    equal(changesBetween(before, await readWorld(a)), ["user eve", "user by address eve"], "what changed");
  }),
  populatedCheck("commit() removes unverified rows before it creates new ones", async (a) => {
    const evict = { userId: ADA, email: "ada@example.com" };
    const linkAccount = account(BOB, "ada-1");
    const createAuthenticator = authenticator(BOB, "ada-1");
    const createSession = session(ADA, "ada-1");
    equal(await a.commit({ evict, linkAccount, createAuthenticator, createSession }), "done", "commit()");
    holds(await a.getUserByAccount(linkAccount), { id: BOB }, "the new owner of the account");
    holds(await a.getAuthenticator("ada-1"), { userId: BOB }, "the new owner of the credential");
    const tokens = (await a.listSessionsByUserId(ADA)).map(({ sessionToken }) => sessionToken);
    equal(tokens, ["ada-1"], "the sessions of the evicted user");
  }),
  populatedCheck("commit() can change rows that the same plan creates", async (a) => {
    const key = { provider: "idp", providerAccountId: "eve-1" };
    const plan: Plan = {
      createUser: user("eve"),
      linkAccount: account(EVE, "eve-1"),
      updateAccount: { ...key, access_token: "new" },
      createAuthenticator: authenticator(EVE, "eve-1", { counter: 1 }),
      updateCounter: { credentialID: "eve-1", counter: 2 },
    };
    equal(await a.commit(plan), "done", "commit()");
    holds(await a.getAccount("eve-1", "idp"), { userId: EVE, access_token: "new" }, "the account");
    holds(await a.getAuthenticator("eve-1"), { counter: 2 }, "the credential");
  }),
  populatedCheck("commit() removes an account and a credential before it creates others with their ids", async (a) => {
    const plan: Plan = {
      unlinkAccount: accountOf("bob-2"),
      deleteAuthenticator: { credentialID: "bob-2", userId: BOB },
      linkAccount: account(ADA, "bob-2"),
      createAuthenticator: authenticator(ADA, "bob-2"),
    };
    equal(await a.commit(plan), "done", "commit()");
    holds(await a.getUserByAccount(account("", "bob-2")), { id: ADA }, "the new owner of the account");
    holds(await a.getAuthenticator("bob-2"), { userId: ADA }, "the new owner of the credential");
    equal((await a.listAccountsByUserId(BOB)).length, 1, "the accounts of the former owner");
    equal((await a.listAuthenticatorsByUserId(BOB)).length, 1, "the credentials of the former owner");
  }),
  populatedCheck("commit() removes an account only while another one is as the plan expects", async (a) => {
    const [one, other] = [accountOf("bob-1"), accountOf("bob-2")];
    equal(await a.commit({ expect: { account: other }, unlinkAccount: one }), "done", "commit()");
    equal(await a.commit({ expect: { account: one }, unlinkAccount: other }), "conflict", "commit() of the last one");
    const left = (await a.listAccountsByUserId(BOB)).map(({ providerAccountId }) => providerAccountId);
    equal(left, ["bob-2"], "the accounts that are left");
  }),
  populatedCheck("commit() removes a credential only while another one is as the plan expects", async (a) => {
    const expect = (credentialID: string) => ({ authenticator: { credentialID, userId: BOB, counter: 5 } });
    const remove = (credentialID: string) => ({ credentialID, userId: BOB });
    equal(await a.commit({ expect: expect("bob-2"), deleteAuthenticator: remove("bob-1") }), "done", "commit()");
    const last = { expect: expect("bob-1"), deleteAuthenticator: remove("bob-2") };
    equal(await a.commit(last), "conflict", "commit() of the last one");
    const left = (await a.listAuthenticatorsByUserId(BOB)).map(({ credentialID }) => credentialID);
    equal(left, ["bob-2"], "the credentials that are left");
  }),
  populatedCheck("commit() removes a session before it creates one with the same token", async (a) => {
    equal(await a.commit({ deleteSession: "ada-1", createSession: session(BOB, "ada-1") }), "done", "commit()");
    holds((await a.getSessionAndUser("ada-1"))?.user, { id: BOB }, "the user of the session");
    equal((await a.listSessionsByUserId(ADA)).length, 1, "the sessions of the former user");
  }),
  populatedCheck("commit() stores copies of what is passed", async (a) => {
    const createUser = user("eve", { emailVerified: new Date(LATER) });
    const createSession = session(EVE, "eve-1", new Date(LATER));
    equal(await a.commit({ createUser, createSession }), "done", "commit()");
    createUser.emailVerified?.setTime(0);
    createSession.expires.setTime(0);
    const found = await a.getSessionAndUser("eve-1");
    holds(found?.user, { emailVerified: LATER }, "the user");
    holds(found?.session, { expires: LATER }, "the session");
  }),
];

function populatedCheck(name: string, look: (a: CompleteAdapter) => Promise<void>): Check {
  return planCheck(name, async (a) => {
    await populate(a);
    await look(a);
  });
}
