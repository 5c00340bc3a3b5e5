/**
 * Cases about plans that are refused: whatever the reason, nothing changes.
 *
 * @module
 */
import type { CommitResult, Expectation, Plan } from "../../src/contract/adapter.ts";
import { type Check, check } from "./case.ts";
import { equal } from "./expect.ts";
import { account, authenticator, EARLIER, LATER, session, user } from "./records.ts";
import { ADA, BOB, changesBetween, expectation, NOW, populate, readWorld, wholePlan, WORLD_NEEDS } from "./world.ts";

interface Refusal {
  /** What is wrong with the plan. */
  readonly when: string;
  /** What is put into a plan that could be carried out. */
  readonly flaw: Plan;
  readonly answer: Exclude<CommitResult, "done">;
}

const identifier = "ada@example.com";
const EXPECTED = expectation();

const CONSUMED: readonly Omit<Refusal, "answer">[] = [
  { when: "its token is wrong", flaw: { consume: { identifier, tokens: ["wrong"], now: NOW } } },
  { when: "it names no token", flaw: { consume: { identifier, tokens: [], now: NOW } } },
  {
    when: "its token was sent to another address",
    flaw: { consume: { identifier: "mallory@example.com", tokens: ["right"], now: NOW } },
  },
  { when: "its token ends at that very instant", flaw: { consume: { identifier, tokens: ["right"], now: LATER } } },
  {
    when: "all of its tokens have ended",
    flaw: { consume: { identifier, tokens: ["right", "other"], now: new Date(LATER.getTime() + 1) } },
  },
  {
    when: "its token is wrong, whatever else is",
    flaw: { consume: { identifier, tokens: ["wrong"], now: NOW }, createUser: user("bob") },
  },
];

/** Expectations that are not met, each by one detail. */
const UNMET: readonly (readonly [when: string, expect: Expectation])[] = [
  ["the user does not exist", { user: { ...EXPECTED.user, id: "nobody" } }],
  ["the user has another address", { user: { ...EXPECTED.user, email: "rob@example.com" } }],
  ["the user has an address", { user: { ...EXPECTED.user, email: null } }],
  ["the user's address was proven", { user: { ...EXPECTED.user, emailVerified: null } }],
  ["the user's address was proven at another time", { user: { ...EXPECTED.user, emailVerified: LATER } }],
  ["the user's address was not proven", {
    user: { id: ADA, email: "ada@example.com", emailVerified: EARLIER, securityStamp: null },
  }],
  ["the user has no such stamp", { user: { ...EXPECTED.user, securityStamp: "other" } }],
  ["the account does not exist", { account: { ...EXPECTED.account, providerAccountId: "eve-1" } }],
  ["the account is of another provider", { account: { ...EXPECTED.account, provider: "other" } }],
  ["the account is another user's", { account: { ...EXPECTED.account, providerAccountId: "ada-1" } }],
  ["the credential does not exist", { authenticator: { ...EXPECTED.authenticator, credentialID: "eve-1" } }],
  ["the credential is another user's", { authenticator: { ...EXPECTED.authenticator, credentialID: "ada-1" } }],
  ["the credential was used meanwhile", { authenticator: { ...EXPECTED.authenticator, counter: 4 } }],
  ["the user has as many credentials", { authenticators: { userId: BOB, fewerThan: 2 } }],
  ["the session does not exist", { session: { ...EXPECTED.session, sessionToken: "eve-1" } }],
  ["the session is another user's", { session: { ...EXPECTED.session, sessionToken: "ada-1" } }],
];

const CONFLICT: readonly Omit<Refusal, "answer">[] = [
  ...UNMET.map(([when, expect]) => ({ when, flaw: { expect: { ...EXPECTED, ...expect } } })),
  ...UNMET.map(([when, expect]) => ({ when: `${when}, and nothing else is expected`, flaw: { expect } })),
  { when: "the id of the new user is taken", flaw: { createUser: user("eve", { id: BOB }) } },
  { when: "the address of the new user is taken", flaw: { createUser: user("eve", { email: "bob@example.com" }) } },
  { when: "the user to change does not exist", flaw: { updateUser: { id: "nobody", emailVerified: LATER } } },
  { when: "the new account exists", flaw: { linkAccount: account(ADA, "bob-1") } },
  { when: "the user of the new account does not exist", flaw: { linkAccount: account("nobody", "eve-1") } },
  {
    when: "the account to change does not exist",
    flaw: { updateAccount: { provider: "idp", providerAccountId: "eve-2", access_token: "new" } },
  },
  {
    when: "the account to change is evicted by the same plan",
    flaw: { updateAccount: { provider: "idp", providerAccountId: "ada-1", access_token: "new" } },
  },
  {
    when: "the account to change would be a user's who does not exist",
    flaw: { updateAccount: { provider: "idp", providerAccountId: "bob-1", userId: "nobody" } },
  },
  { when: "the new credential exists", flaw: { createAuthenticator: authenticator(ADA, "bob-1") } },
  {
    when: "the user of the new credential does not exist",
    flaw: { createAuthenticator: authenticator("nobody", "eve-1") },
  },
  {
    when: "the credential whose counter is raised does not exist",
    flaw: { updateCounter: { credentialID: "nothing", counter: 1 } },
  },
  { when: "the new session exists", flaw: { createSession: session(BOB, "bob-2") } },
  {
    when: "the new session exists, and an account has changed hands by then",
    flaw: { linkAccount: account(BOB, "ada-1"), createSession: session(BOB, "bob-2") },
  },
  { when: "the user of the new session does not exist", flaw: { createSession: session("nobody", "eve-1") } },
];

const REFUSALS: readonly Refusal[] = [
  ...CONSUMED.map((refusal) => ({ ...refusal, answer: "consumed" } as const)),
  ...CONFLICT.map((refusal) => ({ ...refusal, answer: "conflict" } as const)),
];

/** Cases about plans that are refused. */
export const REFUSED_PLANS: readonly Check[] = REFUSALS.map(({ when, flaw, answer }) =>
  check(`commit() changes nothing and says ${answer} when ${when}`, WORLD_NEEDS, async (a) => {
    await populate(a);
    const before = await readWorld(a);
    equal(await a.commit({ ...wholePlan(), ...flaw }), answer, "commit()");
    equal(changesBetween(before, await readWorld(a)), [], "what changed");
  })
);
