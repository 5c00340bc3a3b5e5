/**
 * Cases about plans that are rejected. A rejected plan changes nothing.
 *
 * @module
 */
import type { CommitResult, Expectation, Plan } from "../../src/contract/adapter.ts";
import { type Check, planCheck } from "./case.ts";
import { equal } from "./expect.ts";
import { account, authenticator, EARLIER, LATER, session, user } from "./records.ts";
import { ADA, BOB, changesBetween, expectation, fullPlan, NOW, populate, readWorld } from "./world.ts";

/** What is wrong with a plan, and what it changes in one that could be committed. */
type Rejection = readonly [when: string, flaw: Plan];

const identifier = "ada@example.com";
const EXPECTED = expectation();

const CONSUMED: readonly Rejection[] = [
  ["its token is wrong", { consume: { identifier, tokens: ["wrong"], now: NOW } }],
  ["it names no token", { consume: { identifier, tokens: [], now: NOW } }],
  ["its token was sent to another address", {
    consume: { identifier: "mallory@example.com", tokens: ["right"], now: NOW },
  }],
  ["its token expires at that very moment", { consume: { identifier, tokens: ["right"], now: LATER } }],
  ["all of its tokens have expired", {
    consume: { identifier, tokens: ["right", "other"], now: new Date(LATER.getTime() + 1) },
  }],
  ["its token is wrong, even if there is a conflict too", {
    consume: { identifier, tokens: ["wrong"], now: NOW },
    createUser: user("bob"),
  }],
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
  ["the account has another access token", {
    account: { ...EXPECTED.account, tokens: { access_token: "new", refresh_token: null } },
  }],
  ["the account has no access token", {
    account: { ...EXPECTED.account, tokens: { access_token: null, refresh_token: null } },
  }],
  ["the account has another refresh token", {
    account: { ...EXPECTED.account, tokens: { access_token: "old", refresh_token: "other" } },
  }],
  ["the credential does not exist", { authenticator: { ...EXPECTED.authenticator, credentialID: "eve-1" } }],
  ["the credential belongs to another user", { authenticator: { ...EXPECTED.authenticator, credentialID: "ada-1" } }],
  ["the credential has another counter", { authenticator: { ...EXPECTED.authenticator, counter: 4 } }],
  ["the user has too many credentials", { authenticators: { userId: BOB, fewerThan: 2 } }],
  ["the session does not exist", { session: { ...EXPECTED.session, sessionToken: "eve-1" } }],
  ["the session belongs to another user", { session: { ...EXPECTED.session, sessionToken: "ada-1" } }],
];

const CONFLICT: readonly Rejection[] = [
  ...UNMET.map(([when, expect]) => [when, { expect: { ...EXPECTED, ...expect } }] as const),
  ...UNMET.map(([when, expect]) => [`${when}, and nothing else is expected`, { expect }] as const),
  ["the id of the new user exists", { createUser: user("eve", { id: BOB }) }],
  ["another user has the address of the new user", { createUser: user("eve", { email: "bob@example.com" }) }],
  ["the user to change does not exist", { updateUser: { id: "nobody", emailVerified: LATER } }],
  ["the new account exists", { linkAccount: account(ADA, "bob-1") }],
  ["the user of the new account does not exist", { linkAccount: account("nobody", "eve-1") }],
  ["the account to change does not exist", {
    updateAccount: { provider: "idp", providerAccountId: "eve-2", access_token: "new" },
  }],
  ["the same plan removes the account to change", {
    updateAccount: { provider: "idp", providerAccountId: "ada-1", access_token: "new" },
  }],
  ["the new user of the account to change does not exist", {
    updateAccount: { provider: "idp", providerAccountId: "bob-1", userId: "nobody" },
  }],
  ["the account to remove does not exist", {
    unlinkAccount: { provider: "idp", providerAccountId: "eve-2", userId: BOB },
  }],
  ["the account to remove is one of another provider", {
    unlinkAccount: { provider: "other", providerAccountId: "bob-2", userId: BOB },
  }],
  ["the account to remove belongs to another user", {
    unlinkAccount: { provider: "idp", providerAccountId: "bob-2", userId: ADA },
  }],
  ["the same plan evicts the account to remove", {
    unlinkAccount: { provider: "idp", providerAccountId: "ada-1", userId: ADA },
  }],
  ["the account to change is the one to remove", {
    unlinkAccount: { provider: "idp", providerAccountId: "bob-1", userId: BOB },
  }],
  ["the credential to remove does not exist", { deleteAuthenticator: { credentialID: "nothing", userId: BOB } }],
  ["the credential to remove belongs to another user", { deleteAuthenticator: { credentialID: "bob-2", userId: ADA } }],
  ["the same plan evicts the credential to remove", { deleteAuthenticator: { credentialID: "ada-2", userId: ADA } }],
  ["the credential whose counter to raise is the one to remove", {
    deleteAuthenticator: { credentialID: "bob-1", userId: BOB },
  }],
  ["the new credential exists", { createAuthenticator: authenticator(ADA, "bob-1") }],
  ["the user of the new credential does not exist", { createAuthenticator: authenticator("nobody", "eve-1") }],
  ["the credential whose counter to raise does not exist", { updateCounter: { credentialID: "nothing", counter: 1 } }],
  ["the new session exists", { createSession: session(BOB, "bob-2") }],
  ["the new session exists, after an account was linked", {
    linkAccount: account(BOB, "ada-1"),
    createSession: session(BOB, "bob-2"),
  }],
  ["the user of the new session does not exist", { createSession: session("nobody", "eve-1") }],
];

function rejectionCheck(answer: Exclude<CommitResult, "done">, [when, flaw]: Rejection): Check {
  return planCheck(`commit() changes nothing and returns ${answer} if ${when}`, async (a) => {
    await populate(a);
    const before = await readWorld(a);
    equal(await a.commit({ ...fullPlan(), ...flaw }), answer, "commit()");
    equal(changesBetween(before, await readWorld(a)), [], "what changed");
  });
}

export const REFUSED_PLANS: readonly Check[] = [
  ...CONSUMED.map((rejection) => rejectionCheck("consumed", rejection)),
  ...CONFLICT.map((rejection) => rejectionCheck("conflict", rejection)),
];
