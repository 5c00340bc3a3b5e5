/**
 * Copies users of Better Auth with their accounts and passkeys, and sessions: one by one when they are needed, or all.
 *
 * A user is copied once. After that, what is missing here was removed here and must not come back.
 *
 * @module
 */
import { asRead, type CompleteAdapter, type Plan, type SessionAndUser } from "../../src/contract/adapter.ts";
import { hasBegunBy, lastEndOf } from "../../src/contract/ended.ts";
import { AdapterError } from "../../src/kernel/errors.ts";
import type { AdapterUser } from "../../src/kernel/model.ts";
import type { Row, Tables } from "./database.ts";
import { accountOf, authenticatorOf, dateIn, isProvenHereOnly, type ProviderIds, userOf } from "./records.ts";
import type { TokenSigner } from "./signed_token.ts";

/** Where users are copied from and to. */
export interface Copying {
  readonly own: CompleteAdapter;
  readonly tables: Tables;
  readonly providers: ProviderIds;
}

/** What copying needs, sessions included. */
export interface Migration extends Copying {
  readonly signer: TokenSigner;
  readonly now: () => number;
}

/** How much was copied. */
export interface CopiedCount {
  /** All users, including those that were copied earlier. */
  readonly users: number;
  /** All sessions, including those that were copied earlier. */
  readonly sessions: number;
}

/** A user, and how far the copy has come. */
type CopiedUser = AdapterUser & { readonly migration?: unknown };

const NOT_COPIED =
  "Cannot copy a user of Better Auth: `adapter` did not store the user. Another user may have the address";

const COPYING = "copying";
const COPIED = "copied";

/** Copies a user. Returns the user, or `null` if Better Auth has none. A user who is here already stays as they are. */
export async function copyUser(copying: Copying, id: string): Promise<AdapterUser | null> {
  const { own, tables } = copying;
  const here = await own.getUser(id);
  if (here) return await completeCopy(copying, here);
  const [row] = await tables.find("user", { id });
  if (!row) return null;
  const made: CopiedUser = { ...userOf(row), migration: COPYING };
  try {
    await own.createUser(made);
  } catch (error) {
    // Another request may have been faster.
    const meanwhile = await own.getUser(id);
    if (!meanwhile) throw new AdapterError(NOT_COPIED, { cause: error });
    return await completeCopy(copying, meanwhile);
  }
  return await completeCopy(copying, made);
}

/** Copies what is still missing of a user, if the copy was interrupted or is under way in another request. */
export async function completeCopy(copying: Copying, user: CopiedUser): Promise<AdapterUser> {
  if (user.migration !== COPYING) return user;
  const { own } = copying;
  const expect = { user: asRead(user) };
  for (const plan of [...await plansFor(copying, user), { updateUser: { id: user.id, migration: COPIED } }]) {
    // The plan expects the user as read: if the address is verified meanwhile, later copies must not open the user.
    // A record that exists already is a conflict, too.
    await own.commit({ expect, ...plan });
  }
  return await own.getUser(user.id) ?? user;
}

async function plansFor({ tables, providers }: Copying, user: AdapterUser): Promise<readonly Plan[]> {
  const userId = user.id;
  const accounts = (await tables.find("account", { userId })).flatMap((row): Plan[] => {
    const linkAccount = accountOf(row, user, providers);
    return linkAccount ? [{ linkAccount }] : [];
  });
  const passkeys = (await tables.find("passkey", { userId })).map((row): Plan => {
    const createAuthenticator = authenticatorOf(row);
    const { providerAccountId } = createAuthenticator;
    const provider = passkeyProvider(providers);
    return { linkAccount: { userId, type: "webauthn", provider, providerAccountId }, createAuthenticator };
  });
  return [...accounts, ...passkeys];
}

/** The id of the provider of passkeys here. */
export function passkeyProvider(providers: ProviderIds): string {
  return providers.passkey ?? "passkey";
}

/** Checks that the adapter does not use the tables of Better Auth. @throws {AdapterError} if it does. */
export async function assertSeparate({ own, tables }: Copying): Promise<void> {
  await own.getUser("nobody"); // so that the adapter has its tables
  await tables.assertSeparate();
}

/** Writes a session of Better Auth. `false` if it has ended, or began before the address was proven here. */
export async function copySession(
  { own, tables }: Copying,
  token: string,
  { user, session }: SessionAndUser,
): Promise<boolean> {
  const [former] = await tables.find("user", { id: user.id });
  if (former && isProvenHereOnly(former, user)) await tables.remove("session", { token });
  else {
    const { auth_time } = session;
    const began = typeof auth_time === "number" ? auth_time * 1000 : null;
    const isCopied = await own.getSessionAndUser(session.sessionToken) !== null;
    if (!isCopied && hasBegunBy(began, await lastEndOf(own, user.id, user))) return false;
    // A conflict means that another request has written it, or has proven the address.
    await own.commit({ expect: { user: asRead(user) }, createSession: session });
  }
  // A sign-out in the meantime found nothing to remove here.
  const remains = (await tables.find("session", { token })).length > 0;
  if (!remains) await own.deleteSession(session.sessionToken);
  return remains;
}

/** Reads a session. `null` if it has expired, or is one in which an administrator impersonates the user. */
export function sessionOf(
  { userId, expiresAt, createdAt, impersonatedBy }: Row,
  now: number,
): { readonly userId: string; readonly expires: Date; readonly auth_time?: number } | null {
  const expires = dateIn(expiresAt);
  if (!expires || expires.getTime() <= now || (impersonatedBy ?? null) !== null) return null;
  const signedIn = dateIn(createdAt);
  return {
    userId: String(userId),
    expires,
    ...(signedIn && { auth_time: Math.floor(signedIn.getTime() / 1000) }),
  };
}

/** Copies all users with their accounts and passkeys, and all sessions that have not expired. */
export async function copyAll(migration: Migration): Promise<CopiedCount> {
  await assertSeparate(migration);
  let [users, sessions] = [0, 0];
  for await (const { id } of rowsOf(migration, "user")) {
    if (await copyUser(migration, String(id))) users++;
  }
  for await (const row of rowsOf(migration, "session")) {
    if (await copyRow(migration, row)) sessions++;
  }
  return { users, sessions };
}

async function* rowsOf({ tables }: Migration, table: "user" | "session"): AsyncGenerator<Row, void> {
  let rows = await tables.page(table, null);
  while (rows.length > 0) {
    yield* rows;
    rows = await tables.page(table, rows.at(-1) ?? null);
  }
}

async function copyRow(migration: Migration, row: Row): Promise<boolean> {
  const session = sessionOf(row, migration.now());
  if (!session) return false;
  const token = String(row.token);
  const sessionToken = await migration.signer.sign(token);
  const user = await copyUser(migration, session.userId);
  return user !== null && await copySession(migration, token, { user, session: { sessionToken, ...session } });
}
