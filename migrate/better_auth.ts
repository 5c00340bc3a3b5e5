/**
 * The migration from Better Auth: its users and sessions stay valid here.
 *
 * @module
 */
import type { CompleteAdapter } from "../src/contract/adapter.ts";
import type { FormerCookie, FormerSessions } from "../src/contract/config.ts";
import { comparableEmail } from "../src/kernel/address.ts";
import type { AdapterUser, Awaitable } from "../src/kernel/model.ts";
import { systemRuntime } from "../src/kernel/runtime.ts";
import { migratingAdapter } from "./better_auth/adapter.ts";
import { type CopiedCount, copyAll, type Migration } from "./better_auth/copy.ts";
import { type BetterAuthDatabase, openTables, type TableNames } from "./better_auth/database.ts";
import { type PasswordCheck, unmatchableHash, verifyPassword } from "./better_auth/password.ts";
import { dateIn, isProvenHereOnly, isTrue, PASSWORD_PROVIDER } from "./better_auth/records.ts";
import { tokenSigner } from "./better_auth/signed_token.ts";

export type { BetterAuthDatabase, CopiedCount, FormerCookie, FormerSessions, PasswordCheck, TableNames };
export type { PgClient, PgPool, PostgresJs, PostgresJsTransaction } from "../adapters/sql/postgres_driver.ts";
export type { SqliteHandle, SqliteStatement } from "../adapters/sql/sqlite_connection.ts";
export { verifyPassword };

/** Options of {@linkcode betterAuth}. */
export interface BetterAuthOptions {
  /** Where users and sessions are kept from now on: an adapter of this package, with its own tables. */
  readonly adapter: CompleteAdapter;
  /** The database of Better Auth: `DatabaseSync` of `node:sqlite`, a `Pool` of `pg`, or what `postgres()` returns. */
  readonly database: BetterAuthDatabase;
  /** The secret of Better Auth, or several. @default `BETTER_AUTH_SECRET` of the environment, otherwise `AUTH_SECRET` */
  readonly secret?: string | readonly string[] | undefined;
  /** Its `advanced.cookiePrefix`. @default {"better-auth"} */
  readonly cookiePrefix?: string | undefined;
  /** Its `advanced.crossSubDomainCookies.domain`. @default only the host */
  readonly cookieDomain?: string | undefined;
  /** The names of its tables, if they were changed. Columns may be in camelCase or with underscores. */
  readonly tables?: TableNames | undefined;
  /** Ids of providers that have another one here, by their ids in Better Auth. @default {{}} */
  readonly providers?: Readonly<Record<string, string>> | undefined;
  /** Its `emailAndPassword.password.verify`. @default {verifyPassword} */
  readonly verifyPassword?: ((check: PasswordCheck) => Awaitable<boolean>) | undefined;
  /** The clock, in milliseconds since 1970. @default {Date.now} */
  readonly now?: (() => number) | undefined;
}

/** What {@linkcode betterAuth} returns. */
export interface BetterAuthMigration {
  /** The adapter for the configuration. It copies a user, with accounts and passkeys, when it is first asked for them. */
  readonly adapter: CompleteAdapter;
  /** For the option `session.migrateFrom`. */
  readonly sessions: FormerSessions;
  /**
   * For a provider of type `credentials` with the fields `email` and `password`. Returns the user whose password it is.
   * It refuses users who are banned, and users with a second factor, which is not asked for here. Like any `authorize`,
   * it does not limit guesses.
   */
  authorize(fields: Readonly<Record<string, unknown>>): Promise<AdapterUser | null>;
  /** Copies all users and sessions that are still missing. You can call it again. */
  copyAll(): Promise<CopiedCount>;
}

/**
 * Takes over from Better Auth 1.7: people stay signed in, and sign in as before.
 *
 * Session cookies of Better Auth are verified and replaced by ours. As long as you use this adapter, such a session also
 * has to exist in the database of Better Auth: signing out removes it there, and removing it there ends it here.
 *
 * The database has to keep its sessions, so those in `secondaryStorage` or in cookies alone are not read. A session
 * without "remember me", and one in which an administrator impersonates a user, are not taken over.
 *
 * @example Usage
 * ```ts
 * import { DatabaseSync } from "node:sqlite";
 * import { createAuth } from "@x/auth";
 * import { sqliteAdapter } from "@x/auth/adapters/sqlite";
 * import { betterAuth } from "@x/auth/migrate/better-auth";
 * import { credentials } from "@x/auth/providers/credentials";
 *
 * const before = betterAuth({
 *   adapter: sqliteAdapter("auth.db"), // another file
 *   database: new DatabaseSync(":memory:", { timeout: 5000 }), // the file of Better Auth
 * });
 *
 * const { handler } = createAuth({
 *   adapter: before.adapter,
 *   session: { migrateFrom: before.sessions },
 *   providers: [credentials({
 *     credentials: { email: { type: "email" }, password: { type: "password" } },
 *     authorize: before.authorize,
 *   })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The database of Better Auth, and the adapter that takes over.
 * @returns What the configuration needs.
 * @throws {InvalidConfig} if `database` is not one of these, or `secret` is neither a string nor a list of strings.
 */
export function betterAuth(options: BetterAuthOptions): BetterAuthMigration {
  const { adapter: own, secret, cookiePrefix = "better-auth", cookieDomain, now = systemRuntime.now } = options;
  const migration: Migration = {
    own,
    tables: openTables(options.database, options.tables ?? {}),
    providers: options.providers ?? {},
    signer: tokenSigner(secret, systemRuntime),
    now,
  };
  const adapter = migratingAdapter(migration);
  return {
    adapter,
    sessions: sessionsOf(cookiePrefix, cookieDomain),
    authorize: (fields) =>
      authorize({ ...migration, adapter, verify: options.verifyPassword ?? verifyPassword }, fields),
    copyAll: () => copyAll(migration),
  };
}

/** Other cookies of Better Auth. A copy of the session in `session_data` must not outlive the session cookie. */
const OTHER_COOKIES = ["session_data", "account_data", "dont_remember"];

function sessionsOf(prefix: string, domain: string | undefined): FormerSessions {
  const session = `${prefix}.session_token`;
  return {
    cookies: [session, ...OTHER_COOKIES.map((name) => `${prefix}.${name}`)].map((name) => ({ name, domain })),
    // A user who did not choose "remember me" expects to be signed out when the browser closes.
    read: (cookie) => cookie(`${prefix}.dont_remember`) === undefined ? cookie(session) ?? null : null,
  };
}

interface Checking extends Migration {
  readonly adapter: CompleteAdapter;
  readonly verify: (check: PasswordCheck) => Awaitable<boolean>;
}

async function authorize(
  { adapter, tables, verify, now }: Checking,
  { email, password }: Readonly<Record<string, unknown>>,
): Promise<AdapterUser | null> {
  const address = typeof email === "string" ? comparableEmail(email) : null;
  if (address === null || typeof password !== "string") return null;
  const user = await adapter.getUserByEmail(address);
  const accounts = user ? await tables.find("account", { userId: user.id, providerId: PASSWORD_PROVIDER }) : [];
  const hash = accounts[0]?.password;
  // An unknown address takes the same time.
  const isRight = await verify({ hash: typeof hash === "string" ? hash : unmatchableHash(), password });
  if (!user || typeof hash !== "string" || !isRight) return null;
  const [row] = await tables.find("user", { id: user.id });
  const until = dateIn(row?.banExpires);
  const isBanned = isTrue(row?.banned) && (until === null || until.getTime() > now());
  // The person who chose the password had not proven the address.
  return !row || isBanned || isTrue(row.twoFactorEnabled) || isProvenHereOnly(row, user) ? null : user;
}
