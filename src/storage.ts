/**
 * Storage as the service uses it: whatever an adapter does, a clean record comes back or an `AdapterError`.
 *
 * @module
 */
import type { Adapter, AdapterSession, AdapterUser, SessionAndUser, VerificationToken } from "./adapter.ts";
import { AdapterError } from "./errors.ts";

type Operations = Required<Adapter>;

/** The operations that an adapter may lack because they are not among those of the service family. */
type Extra =
  | "commit"
  | "once"
  | "getVerificationToken"
  | "updateAccount"
  | "listAccountsByUserId"
  | "listSessionsByUserId"
  | "deleteSessionsByUserId"
  | "updateAuthenticator"
  | "deleteAuthenticator";

type Guarded<Name extends keyof Adapter> = (
  ...args: Parameters<Operations[Name]>
) => Promise<Exclude<Awaited<ReturnType<Operations[Name]>>, undefined | void>>;

/** Storage. The operations of the family are always there and say so if the adapter lacks them; the others may be `null`. */
export type Storage =
  & { readonly [Name in Exclude<keyof Adapter, Extra>]-?: Guarded<Name> }
  & { readonly [Name in Extra]-?: Guarded<Name> | null }
  & {
    /** Whether the adapter has an operation. */
    readonly has: (name: keyof Adapter) => boolean;
  };

const BASIC: readonly Exclude<keyof Adapter, Extra>[] = [
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "updateUser",
  "deleteUser",
  "linkAccount",
  "unlinkAccount",
  "getAccount",
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession",
  "createVerificationToken",
  "useVerificationToken",
  "createAuthenticator",
  "getAuthenticator",
  "listAuthenticatorsByUserId",
  "updateAuthenticatorCounter",
];

const EXTRA: readonly Extra[] = [
  "commit",
  "once",
  "getVerificationToken",
  "updateAccount",
  "listAccountsByUserId",
  "listSessionsByUserId",
  "deleteSessionsByUserId",
  "updateAuthenticator",
  "deleteAuthenticator",
];

/**
 * Guards an adapter.
 *
 * Failures are wrapped once, methods keep their `this`, and a record that is not what the contract says is a failure
 * too: nobody is signed in on the strength of junk.
 */
export function guardAdapter(adapter: Adapter): Storage {
  const has = (name: keyof Adapter): boolean => typeof adapter[name] === "function";
  const storage: Record<string, unknown> = { has };
  for (const name of BASIC) storage[name] = guarded(adapter, name);
  for (const name of EXTRA) storage[name] = has(name) ? guarded(adapter, name) : null;
  return Object.freeze(storage) as Storage;
}

function guarded(adapter: Adapter, name: keyof Adapter): (...args: unknown[]) => Promise<unknown> {
  const check = CHECKS[name] ?? asIs;
  return async (...args) => {
    const operation = adapter[name] as ((...args: unknown[]) => unknown) | undefined;
    if (typeof operation !== "function") throw new AdapterError(`Cannot use storage: the adapter has no \`${name}\``);
    let result: unknown;
    try {
      result = await operation.apply(adapter, args);
    } catch (error) {
      if (error instanceof AdapterError) throw error;
      throw new AdapterError(`Cannot use storage: the adapter's \`${name}\` failed`, { cause: error });
    }
    let cause: unknown;
    try {
      const checked = check(result, args);
      if (checked !== JUNK) return checked;
    } catch (error) {
      cause = error; // the record cannot even be read
    }
    throw new AdapterError(`Cannot use storage: the adapter's \`${name}\` gave an unusable record`, { cause });
  };
}

const JUNK = Symbol("junk");

type Check = (result: unknown, args: readonly unknown[]) => unknown;

const asIs: Check = (result) => result ?? null;
const asRow: Check = (result) => result === null || result === undefined ? null : isRecord(result) ? result : JUNK;
const asList: Check = (result) => Array.isArray(result) && result.every(isRecord) ? result : JUNK;
const asFlag: Check = (result) => typeof result === "boolean" ? result : JUNK;

const asUser: Check = (result) => {
  if (result === null || result === undefined) return null;
  if (!isRecord(result)) return JUNK;
  const id = asId(result.id);
  const emailVerified = asDate(result.emailVerified ?? null);
  if (typeof id !== "string" || id === "" || emailVerified === undefined) return JUNK;
  if (result.email !== null && result.email !== undefined && typeof result.email !== "string") return JUNK;
  return { ...result, id, emailVerified } as unknown as AdapterUser;
};

const asUserOfId: Check = (result, args) => {
  const user = asUser(result, args);
  if (user === null || user === JUNK) return user;
  return (user as AdapterUser).id === args[0] ? user : JUNK;
};

const asChangedUser: Check = (result, [changes]) => asUserOfId(result, [(changes as AdapterUser).id]) ?? JUNK;

// The id may be of storage's choice, so only the address can tell that it is somebody else.
const asNewUser: Check = (result, args) => {
  const user = asUser(result, args) ?? JUNK;
  if (user === JUNK) return JUNK;
  const [{ email: given }, { email }] = [args[0] as AdapterUser, user as AdapterUser];
  return !given || !email || isSameAddress(given, email) ? user : JUNK;
};

// A database that compares more loosely than addresses are compared would give somebody else.
const asUserOfAddress: Check = (result, args) => {
  const user = asUser(result, args);
  if (user === null || user === JUNK) return user;
  const { email } = user as AdapterUser;
  return email && isSameAddress(email, String(args[0])) ? user : JUNK;
};

const asSession: Check = (result) => {
  if (result === null || result === undefined) return null;
  if (!isRecord(result)) return JUNK;
  const userId = asId(result.userId);
  const expires = asDate(result.expires);
  if (typeof result.sessionToken !== "string" || typeof userId !== "string" || !expires) return JUNK;
  return { ...result, userId, expires } as unknown as AdapterSession;
};

const asSessionAndUser: Check = (result, args) => {
  if (result === null || result === undefined) return null;
  if (!isRecord(result)) return JUNK;
  const session = asSession(result.session, args) as AdapterSession | typeof JUNK | null;
  const user = asUser(result.user, args) as AdapterUser | typeof JUNK | null;
  if (session === JUNK || user === JUNK) return JUNK;
  if (!session || !user) return null;
  const fits = session.sessionToken === args[0] && session.userId === user.id;
  return fits ? { session, user } satisfies SessionAndUser : JUNK;
};

// A token of somebody else must not pass for the one that was asked for.
const asToken: Check = (result, args) => {
  if (result === null || result === undefined) return null;
  if (!isRecord(result)) return JUNK;
  const expires = asDate(result.expires);
  const { identifier, token } = args[0] as { identifier: string; token: string };
  if (!expires) return JUNK;
  if (result.identifier !== identifier || (result.token ?? token) !== token) return JUNK;
  return { ...result, identifier, token, expires } satisfies VerificationToken;
};

const asCommitResult: Check = (result) => {
  return result === "done" || result === "consumed" || result === "conflict" ? result : JUNK;
};

const CHECKS: Readonly<Partial<Record<keyof Adapter, Check>>> = {
  createUser: asNewUser,
  getUser: asUserOfId,
  getUserByEmail: asUserOfAddress,
  getUserByAccount: asUser,
  updateUser: asChangedUser,
  getAccount: asRow,
  getSessionAndUser: asSessionAndUser,
  updateSession: asSession,
  useVerificationToken: asToken,
  getVerificationToken: asToken,
  getAuthenticator: asRow,
  listAuthenticatorsByUserId: asList,
  listAccountsByUserId: asList,
  listSessionsByUserId: asList,
  commit: asCommitResult,
  once: asFlag,
};

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Some databases number their users.
function asId(id: unknown): unknown {
  return typeof id === "number" || typeof id === "bigint" ? String(id) : id;
}

function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

// Stores of JSON give dates back as text or as a number.
function asDate(value: unknown): Date | null | undefined {
  if (value === null) return null;
  const date = value instanceof Date
    ? value
    : typeof value === "string" || typeof value === "number"
    ? new Date(value)
    : undefined;
  return date && Number.isFinite(date.valueOf()) ? date : undefined;
}
