/**
 * Records as adapters give them, looked at before anybody relies on them.
 *
 * What is not what the contract says is neither a record nor the absence of one: whether there is one is not known.
 *
 * @module
 */
import type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  SessionAndUser,
  VerificationToken,
} from "../contract/adapter.ts";

/** What stands for a record that is not what the contract says. */
export const JUNK = Symbol("junk");

/** Reads what an operation gave: a clean record, `null`, or {@linkcode JUNK}. */
export type Check = (result: unknown, args: readonly unknown[]) => unknown;

/** How the answers of operations are read whose shape nothing relies on. */
export function asIs(result: unknown): unknown {
  return result ?? null;
}

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
  if (!isText(result.sessionToken) || !isText(userId) || !expires) return JUNK;
  return { ...result, userId, expires } as unknown as AdapterSession;
};

const asSessionAndUser: Check = (result, args) => {
  if (result === null || result === undefined) return null;
  if (!isRecord(result)) return JUNK;
  const session = asSession(result.session, args) as AdapterSession | typeof JUNK | null;
  const user = asUser(result.user, args) as AdapterUser | typeof JUNK | null;
  if (session === JUNK || user === JUNK) return JUNK;
  if (!session || !user) return JUNK; // nobody knows whether there is a session
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

const asAccount: Check = (result) => {
  if (result === null || result === undefined) return null;
  if (!isRecord(result) || !isText(result.provider) || !isText(result.providerAccountId)) return JUNK;
  const userId = asId(result.userId);
  if (!isText(userId)) return JUNK;
  return { ...result, userId } as unknown as AdapterAccount;
};

const asAccountOfKey: Check = (result, args) => {
  const account = asAccount(result, args);
  if (account === null || account === JUNK) return account;
  const { providerAccountId, provider } = account as AdapterAccount;
  return providerAccountId === args[0] && provider === args[1] ? account : JUNK;
};

const asAuthenticator: Check = (result) => {
  if (result === null || result === undefined) return null;
  if (!isRecord(result) || !isText(result.credentialID) || typeof result.credentialPublicKey !== "string") return JUNK;
  const userId = asId(result.userId);
  if (!isText(result.providerAccountId) || !isText(userId) || !Number.isInteger(result.counter)) return JUNK;
  return { ...result, userId } as unknown as AdapterAuthenticator;
};

function listOf(check: Check): Check {
  return (result, args) => {
    if (!Array.isArray(result)) return JUNK;
    const rows = result.map((row) => check(row, args) ?? JUNK);
    // What is somebody else's must not be shown or taken away as this user's.
    const isTheirs = (row: unknown) => row !== JUNK && (row as { userId: string }).userId === args[0];
    return rows.every(isTheirs) ? rows : JUNK;
  };
}

// The row is gone, whatever storage tells of it.
const asEndedSession: Check = (result, args) => {
  const session = asSession(result, args);
  return session === JUNK ? null : session;
};

const asCommitResult: Check = (result) => {
  return result === "done" || result === "consumed" || result === "conflict" ? result : JUNK;
};

/** How the answers of the other operations are read. */
export const CHECKS: Readonly<Partial<Record<keyof Adapter, Check>>> = {
  createUser: asNewUser,
  getUser: asUserOfId,
  getUserByEmail: asUserOfAddress,
  getUserByAccount: asUser,
  updateUser: asChangedUser,
  getAccount: asAccountOfKey,
  getSessionAndUser: asSessionAndUser,
  updateSession: asSession,
  deleteSession: asEndedSession,
  useVerificationToken: asToken,
  getVerificationToken: asToken,
  getAuthenticator: asAuthenticator,
  listAuthenticatorsByUserId: listOf(asAuthenticator),
  listAccountsByUserId: listOf(asAccount),
  listSessionsByUserId: listOf(asSession),
  commit: asCommitResult,
  once: asFlag,
};

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
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
