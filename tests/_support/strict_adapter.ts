/**
 * An adapter that refuses whatever its tables have no column for, as Prisma does.
 *
 * @module
 */
import type { Adapter } from "@x/auth";

const USER = ["id", "name", "email", "emailVerified", "image"];
const ACCOUNT_KEY = ["provider", "providerAccountId"];
const SESSION = ["sessionToken", "userId", "expires"];
const TOKENS = ["access_token", "expires_at", "id_token", "refresh_token", "scope", "session_state", "token_type"];

/** What each of the nineteen operations is given: the members of an object, or text and numbers in order. */
const GIVEN = {
  createUser: USER,
  getUser: 1,
  getUserByEmail: 1,
  getUserByAccount: ACCOUNT_KEY,
  updateUser: USER,
  deleteUser: 1,
  linkAccount: [...ACCOUNT_KEY, "type", "userId", ...TOKENS],
  unlinkAccount: ACCOUNT_KEY,
  getAccount: 2,
  createSession: SESSION,
  getSessionAndUser: 1,
  updateSession: SESSION,
  deleteSession: 1,
  createVerificationToken: ["identifier", "token", "expires"],
  useVerificationToken: ["identifier", "token"],
  createAuthenticator: [
    "credentialID",
    "credentialPublicKey",
    "counter",
    "credentialDeviceType",
    "credentialBackedUp",
    "transports",
    "providerAccountId",
    "userId",
  ],
  getAuthenticator: 1,
  listAuthenticatorsByUserId: 1,
  updateAuthenticatorCounter: 2,
} as const satisfies Partial<Record<keyof Adapter, readonly string[] | number>>;

/** The names of the nineteen operations. */
export const NINETEEN: readonly string[] = Object.keys(GIVEN);

/** The adapter, what it refused, and which of its operations were called. */
export interface Strict {
  readonly adapter: Adapter;
  readonly refused: string[];
  readonly called: Set<string>;
}

/** Guards the nineteen operations of an adapter, and leaves out all others. */
export function strict(adapter: Adapter): Strict {
  const refused: string[] = [];
  const called = new Set<string>();
  const guarded = Object.entries(GIVEN).map(([name, given]) => [name, (...args: readonly unknown[]) => {
    called.add(name);
    const problem = problemOf(given, args);
    if (problem) {
      refused.push(`${name}: ${problem}`);
      throw new TypeError(`${name}: ${problem}`);
    }
    return (adapter[name as keyof Adapter] as (...args: readonly unknown[]) => unknown)(...args);
  }]);
  return { adapter: Object.fromEntries(guarded), refused, called };
}

function problemOf(given: readonly string[] | number, args: readonly unknown[]): string | null {
  const count = typeof given === "number" ? given : 1;
  if (args.length !== count) return `${args.length} arguments`;
  if (typeof given === "number") return args.some((arg) => Object(arg) === arg) ? "an object" : null;
  const unknown = Object.keys(args[0] as object).filter((member) => !given.includes(member));
  return unknown.length > 0 ? `unknown ${unknown.join(", ")}` : null;
}
