/**
 * Users and their records for plans to change, and all reads that can show a change.
 *
 * @module
 */
import type { CompleteAdapter, Expectation, Plan } from "../../src/contract/adapter.ts";
import { show } from "./expect.ts";
import { account, authenticator, EARLIER, LATER, session, token, user } from "./records.ts";

/** The time at which these cases consume tokens: a millisecond before they expire. */
export const NOW: Date = new Date(LATER.getTime() - 1);

/** A user whose address is not verified. */
export const ADA = "id-of-ada";
/** A user whose address is verified. */
export const BOB = "id-of-bob";
/** A user who does not exist yet. */
export const EVE = "id-of-eve";

const NAMES = ["ada", "bob", "eve"];
const NUMBERS = ["1", "2"];
const THINGS = NAMES.flatMap((name) => NUMBERS.map((number) => `${name}-${number}`));
const HASHES = ["right", "other"];

/** Stores Ada and Bob with two accounts, sessions, credentials and tokens each. */
export async function populate(a: CompleteAdapter): Promise<void> {
  await a.createUser(user("ada"));
  await a.createUser(user("bob", { emailVerified: EARLIER }));
  for (const name of ["ada", "bob"]) {
    for (const thing of NUMBERS.map((number) => `${name}-${number}`)) {
      // The first is known not to confirm the address. Nothing is known about the second.
      const proof = thing.endsWith("1") ? { email_verified: false } : {};
      await a.linkAccount(account(`id-of-${name}`, thing, { access_token: "old", scope: "openid", ...proof }));
      await a.createSession(session(`id-of-${name}`, thing));
      await a.createAuthenticator(authenticator(`id-of-${name}`, thing, { counter: 5 }));
    }
    for (const hash of HASHES) await a.createVerificationToken(token(`${name}@example.com`, hash));
  }
}

/** Everything that a plan about Bob can expect of what every adapter with plans has, and that holds. */
export function expectation(): { [Name in Exclude<keyof Expectation, "records">]-?: NonNullable<Expectation[Name]> } {
  return {
    user: { id: BOB, email: "bob@example.com", emailVerified: EARLIER, securityStamp: null },
    account: {
      provider: "idp",
      providerAccountId: "bob-1",
      userId: BOB,
      tokens: { access_token: "old", refresh_token: null },
    },
    authenticator: { credentialID: "bob-1", userId: BOB, counter: 5 },
    authenticators: { userId: BOB, fewerThan: 3 },
    session: { sessionToken: "bob-1", userId: BOB },
  };
}

/** A plan with every member but records, which can be committed. */
export function fullPlan(): Plan {
  return {
    expect: expectation(),
    consume: { identifier: "ada@example.com", tokens: ["right"], now: NOW },
    createUser: user("eve"),
    updateUser: { id: ADA, emailVerified: LATER },
    evict: { userId: ADA, email: "ada@example.com" },
    unlinkAccount: { provider: "idp", providerAccountId: "bob-2", userId: BOB },
    deleteAuthenticator: { credentialID: "bob-2", userId: BOB },
    linkAccount: account(EVE, "eve-1"),
    updateAccount: { provider: "idp", providerAccountId: "bob-1", access_token: "new" },
    createAuthenticator: authenticator(EVE, "eve-1"),
    updateCounter: { credentialID: "bob-1", counter: 6 },
    deleteSession: "bob-1",
    createSession: session(EVE, "eve-1"),
  };
}

/** Reads everything, each answer under its question. */
export async function readWorld(a: CompleteAdapter): Promise<ReadonlyMap<string, string>> {
  const world = new Map<string, string>();
  const read = async (question: string, answer: unknown) => void world.set(question, sorted(await answer));
  for (const name of NAMES) {
    const id = `id-of-${name}`;
    await read(`user ${name}`, a.getUser(id));
    await read(`user by address ${name}`, a.getUserByEmail(`${name}@example.com`));
    await read(`accounts of ${name}`, a.listAccountsByUserId(id));
    await read(`sessions of ${name}`, a.listSessionsByUserId(id));
    await read(`credentials of ${name}`, a.listAuthenticatorsByUserId(id));
    for (const hash of HASHES) {
      await read(`token ${name} ${hash}`, a.getVerificationToken({ identifier: `${name}@example.com`, token: hash }));
    }
  }
  for (const thing of THINGS) {
    await read(`account ${thing}`, a.getAccount(thing, "idp"));
    await read(`user by account ${thing}`, a.getUserByAccount(account("", thing)));
    await read(`session ${thing}`, a.getSessionAndUser(thing));
    await read(`credential ${thing}`, a.getAuthenticator(thing));
  }
  return world;
}

/** Lists the questions whose answers differ. */
export function changesBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...after.keys()].filter((question) => before.get(question) !== after.get(question));
}

function sorted(answer: unknown): string {
  return Array.isArray(answer) ? answer.map(show).sort().join("\n") : show(answer);
}
