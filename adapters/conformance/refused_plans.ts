/**
 * Cases about plans that are rejected. Nothing changes, whatever the reason.
 *
 * @module
 */
import type { CommitResult, Expectation, Plan } from "../../src/contract/adapter.ts";
import { type Check, planCheck } from "./case.ts";
import { equal } from "./expect.ts";
import { account, authenticator, EARLIER, LATER, session, user } from "./records.ts";
import { ADA, BOB, changesBetween, expectation, fullPlan, NOW, populate, readWorld } from "./world.ts";

interface Rejection {
  /** What is wrong with the plan. */
  readonly when: string;
  /** What is changed in a plan that could be committed. */
  readonly flaw: Plan;
  readonly answer: Exclude<CommitResult, "done">;
}

const identifier = "ada@example.com";
const EXPECTED = expectation();

const CONSUMED: readonly Omit<Rejection, "answer">[] = [
  { when: "its token is wrong", flaw: { consume: { identifier, tokens: ["wrong"], now: NOW } } },
  { when: "it names no token", flaw: { consume: { identifier, tokens: [], now: NOW } } },
  {
    when: "its token was sent to another address",
    flaw: { consume: { identifier: "mallory@example.com", tokens: ["right"], now: NOW } },
  },
  { when: "its token expires at that very moment", flaw: { consume: { identifier, tokens: ["right"], now: LATER } } },
  {
    when: "all of its tokens have expired",
    flaw: { consume: { identifier, tokens: ["right", "other"], now: new Date(LATER.getTime() + 1) } },
  },
  {
    when: "its token is wrong, even if there is a conflict too",
    flaw: { consume: { identifier, tokens: ["wrong"], now: NOW }, createUser: user("bob") },
  },
];

/** Expectations that do not hold, each in one detail. */
const UNMET: readonly (readonly [when: string, expect: Expectation])[] = [
  ["the user does not exist", { user: { ...EXPECTED.user, id: "nobody" } }],
  ["the user has another address", { user: { ...EXPECTED.user, email: "rob@example.com" } }],
  ["the user has an address", { user: { ...EXPECTED.user, email: null } }],
  ["the user's address is verified", { user: { ...EXPECTED.user, emailVerified: null } }],
  ["the user's address was verified at another time", { user: { ...EXPECTED.user, emailVerified: LATER } }],
  ["the user's address is not verified", {
    user: { id: ADA, email: "ada@example.com", emailVerified: EARLIER, securityStamp: null },
  }],
  ["the user has another security stamp", { user: { ...EXPECTED.user, securityStamp: "other" } }],
  ["the account does not exist", { account: { ...EXPECTED.account, providerAccountId: "eve-1" } }],
  ["the account belongs to another provider", { account: { ...EXPECTED.account, provider: "other" } }],
  ["the account belongs to another user", { account: { ...EXPECTED.account, providerAccountId: "ada-1" } }],
  ["the credential does not exist", { authenticator: { ...EXPECTED.authenticator, credentialID: "eve-1" } }],
  ["the credential belongs to another user", { authenticator: { ...EXPECTED.authenticator, credentialID: "ada-1" } }],
  ["the credential has another counter", { authenticator: { ...EXPECTED.authenticator, counter: 4 } }],
  ["the user has too many credentials", { authenticators: { userId: BOB, fewerThan: 2 } }],
  ["the session does not exist", { session: { ...EXPECTED.session, sessionToken: "eve-1" } }],
  ["the session belongs to another user", { session: { ...EXPECTED.session, sessionToken: "ada-1" } }],
];

const CONFLICT: readonly Omit<Rejection, "answer">[] = [
  ...UNMET.map(([when, expect]) => ({ when, flaw: { expect: { ...EXPECTED, ...expect } } })),
  ...UNMET.map(([when, expect]) => ({ when: `${when}, and nothing else is expected`, flaw: { expect } })),
  { when: "the id of the new user exists", flaw: { createUser: user("eve", { id: BOB }) } },
  {
    when: "another user has the address of the new user",
    flaw: { createUser: user("eve", { email: "bob@example.com" }) },
  },
  { when: "the user to change does not exist", flaw: { updateUser: { id: "nobody", emailVerified: LATER } } },
  { when: "the new account exists", flaw: { linkAccount: account(ADA, "bob-1") } },
  { when: "the user of the new account does not exist", flaw: { linkAccount: account("nobody", "eve-1") } },
  {
    when: "the account to change does not exist",
    flaw: { updateAccount: { provider: "idp", providerAccountId: "eve-2", access_token: "new" } },
  },
  {
    when: "the same plan removes the account to change",
    flaw: { updateAccount: { provider: "idp", providerAccountId: "ada-1", access_token: "new" } },
  },
  {
    when: "the new user of the account to change does not exist",
    flaw: { updateAccount: { provider: "idp", providerAccountId: "bob-1", userId: "nobody" } },
  },
  { when: "the new credential exists", flaw: { createAuthenticator: authenticator(ADA, "bob-1") } },
  {
    when: "the user of the new credential does not exist",
    flaw: { createAuthenticator: authenticator("nobody", "eve-1") },
  },
  {
    when: "the credential whose counter to raise does not exist",
    flaw: { updateCounter: { credentialID: "nothing", counter: 1 } },
  },
  { when: "the new session exists", flaw: { createSession: session(BOB, "bob-2") } },
  {
    when: "the new session exists, after an account was linked",
    flaw: { linkAccount: account(BOB, "ada-1"), createSession: session(BOB, "bob-2") },
  },
  { when: "the user of the new session does not exist", flaw: { createSession: session("nobody", "eve-1") } },
];

const REJECTIONS: readonly Rejection[] = [
  ...CONSUMED.map((rejection) => ({ ...rejection, answer: "consumed" } as const)),
  ...CONFLICT.map((rejection) => ({ ...rejection, answer: "conflict" } as const)),
];

export const REFUSED_PLANS: readonly Check[] = REJECTIONS.map(({ when, flaw, answer }) =>
  planCheck(`commit() changes nothing and returns ${answer} if ${when}`, async (a) => {
    await populate(a);
    const before = await readWorld(a);
    equal(await a.commit({ ...fullPlan(), ...flaw }), answer, "commit()");
    equal(changesBetween(before, await readWorld(a)), [], "what changed");
  })
);
