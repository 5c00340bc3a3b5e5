/**
 * Storage as the service uses it: whatever an adapter does, the result is a checked record or an `AdapterError`.
 *
 * @module
 */
import type { Adapter, CommitResult } from "../contract/adapter.ts";
import { spellingsOf } from "../kernel/address.ts";
import { AdapterError } from "../kernel/errors.ts";
import { forgetting, keptRowsOf } from "./session_row_cache.ts";
import { lookUpsOf } from "./look_up_cache.ts";
import { missingOperations, type Need } from "./operations.ts";
import {
  matching,
  parseAccount,
  parseAuthenticator,
  parseList,
  parseSession,
  parseSessionAndUser,
  parseSessionsOfProvider,
  parseToken,
  parseUser,
  required,
} from "./records.ts";
import { UserIds } from "./user_ids.ts";

type Arguments<Name extends keyof Adapter> = Parameters<Required<Adapter>[Name]>;

/** Reads the answer of an operation: a checked record, or an exception. */
type Read<Name extends keyof Adapter, Result> = (answer: unknown, ...args: Arguments<Name>) => Result;

type Operation<Name extends keyof Adapter, Result> = (...args: Arguments<Name>) => Promise<Result>;

/** An adapter, guarded. An operation that not every adapter has is `null` where it is missing; others throw then. */
export type Storage = Readonly<ReturnType<typeof guardOperations>>;

/**
 * Guards an adapter.
 *
 * Whatever an operation throws is wrapped once. An answer that is not what the contract says counts as a failure too, so
 * that no broken record signs anybody in. Methods keep their `this`.
 */
export function guardAdapter(adapter: Adapter): Storage {
  return Object.freeze(guardOperations(adapter));
}

function guardOperations(adapter: Adapter) {
  /** Whether the adapter has an operation. */
  const has = (name: keyof Adapter): boolean => typeof adapter[name] === "function";
  const ids = new UserIds();
  const kept = keptRowsOf(adapter);
  const guard = <Name extends keyof Adapter, Result>(name: Name, read: Read<Name, Result>) => {
    return forgetting(kept, name, guardOperation(adapter, ids, name, read));
  };
  const guardIfPresent = <Name extends keyof Adapter, Result>(name: Name, read: Read<Name, Result>) => {
    return has(name) ? guard(name, read) : null;
  };

  return {
    has,
    /** Lists the operations that the adapter lacks for a use. */
    lacks: (need: Need) => missingOperations(adapter, need),
    /** What this process remembers of the look-ups of sealed sessions. */
    lookUps: lookUpsOf(adapter),
    /** Stored sessions that this process has read a moment ago. */
    kept,
    // Storage may choose the id, so only the address can show that it is somebody else.
    createUser: guard("createUser", (answer, { email }) => {
      return matching(required(parseUser(answer)), (user) => !email || !user.email || isSameAddress(user.email, email));
    }),
    getUser: guard("getUser", (answer, id) => matching(parseUser(answer), (user) => user.id === id)),
    getUserByEmail: inEachSpelling(guard("getUserByEmail", (answer, email) => {
      // A database may compare more loosely than addresses are compared, and find somebody else.
      return matching(parseUser(answer), (user) => !!user.email && isSameAddress(user.email, email));
    })),
    getUserByAccount: guard("getUserByAccount", parseUser),
    updateUser: guard("updateUser", (answer, { id }) => {
      return matching(required(parseUser(answer)), (user) => user.id === id);
    }),
    deleteUser: guard("deleteUser", ignore),
    linkAccount: guard("linkAccount", ignore),
    unlinkAccount: guard("unlinkAccount", ignore),
    getAccount: guard("getAccount", (answer, id, provider) => {
      return matching(parseAccount(answer), (row) => row.providerAccountId === id && row.provider === provider);
    }),
    createSession: guard("createSession", ignore),
    getSessionAndUser: guard("getSessionAndUser", (answer, token) => {
      return matching(parseSessionAndUser(answer), ({ session, user }) => {
        return session.sessionToken === token && session.userId === user.id;
      });
    }),
    updateSession: guard("updateSession", parseSession),
    deleteSession: guard("deleteSession", parseEndedSession),
    createVerificationToken: guard("createVerificationToken", ignore),
    useVerificationToken: ofEachSpelling(guard("useVerificationToken", readToken)),
    createAuthenticator: guard("createAuthenticator", ignore),
    getAuthenticator: guard("getAuthenticator", parseAuthenticator),
    listAuthenticatorsByUserId: guard("listAuthenticatorsByUserId", (answer, userId) => {
      return parseList(answer, userId, parseAuthenticator);
    }),
    updateAuthenticatorCounter: guard("updateAuthenticatorCounter", ignore),

    commit: guardIfPresent("commit", parseCommitResult),
    once: guardIfPresent("once", parseBoolean),
    getVerificationToken: has("getVerificationToken") ? ofEachSpelling(guard("getVerificationToken", readToken)) : null,
    updateAccount: guardIfPresent("updateAccount", ignore),
    listAccountsByUserId: guardIfPresent("listAccountsByUserId", (answer, userId) => {
      return parseList(answer, userId, parseAccount);
    }),
    listSessionsByUserId: guardIfPresent("listSessionsByUserId", (answer, userId) => {
      return parseList(answer, userId, parseSession);
    }),
    listSessionsByProviderSid: guardIfPresent("listSessionsByProviderSid", parseSessionsOfProvider),
    deleteSessionsByUserId: guardIfPresent("deleteSessionsByUserId", ignore),
    deleteOtherSessions: guardIfPresent("deleteOtherSessions", ignore),
    updateAuthenticator: guardIfPresent("updateAuthenticator", ignore),
    deleteAuthenticator: guardIfPresent("deleteAuthenticator", ignore),
  };
}

function guardOperation<Name extends keyof Adapter, Result>(
  adapter: Adapter,
  ids: UserIds,
  name: Name,
  read: Read<Name, Result>,
): Operation<Name, Result> {
  return async (...args) => {
    const operation = adapter[name] as ((...args: Arguments<Name>) => unknown) | undefined;
    if (typeof operation !== "function") throw new AdapterError(`Cannot use storage: the adapter has no \`${name}\``);
    let answer: unknown;
    try {
      answer = await call((args) => operation.apply(adapter, args), ids, name, args);
      ids.note(name, answer);
    } catch (error) {
      if (error instanceof AdapterError) throw error;
      throw new AdapterError(`Cannot use storage: the adapter's \`${name}\` failed`, {
        cause: error,
        logCode: "adapter-failed",
      });
    }
    try {
      return read(answer, ...args);
    } catch (cause) {
      throw new AdapterError(`Cannot use storage: the adapter's \`${name}\` returned an unusable record`, {
        logCode: "adapter-answer",
        cause,
      });
    }
  };
}

async function call<Args extends readonly unknown[]>(
  operation: (args: Args) => unknown,
  ids: UserIds,
  name: keyof Adapter,
  args: Args,
): Promise<unknown> {
  try {
    return await operation(ids.restore(name, args));
  } catch (error) {
    const other = ids.retry(name, args);
    if (!other) throw error;
    return await operation(other);
  }
}

// Auth.js stores an international domain as it was typed.
function inEachSpelling<Row>(find: (address: string) => Promise<Row | null>) {
  return async (address: string): Promise<Row | null> => {
    const [given, ...others] = spellingsOf(address);
    let found = await find(given);
    for (const other of others) found ??= await find(other);
    return found;
  };
}

function ofEachSpelling<Row>(find: (key: TokenKey) => Promise<Row | null>) {
  return ({ identifier, token }: TokenKey): Promise<Row | null> => {
    return inEachSpelling((spelling) => find({ identifier: spelling, token }))(identifier);
  };
}

interface TokenKey {
  readonly identifier: string;
  readonly token: string;
}

/** Reads an answer that nothing relies on. */
function ignore(): void {}

// The row is gone, whatever storage returns.
function parseEndedSession(answer: unknown): ReturnType<typeof parseSession> {
  try {
    return parseSession(answer);
  } catch {
    return null;
  }
}

// Another address's token must not pass for the one that was asked for.
function readToken(answer: unknown, { identifier, token }: TokenKey) {
  const isWanted = (row: { readonly identifier: string; readonly token?: unknown }) => {
    return row.identifier === identifier && (row.token ?? token) === token;
  };
  const found = matching(parseToken(answer), isWanted);
  return found && { ...found, token };
}

function parseCommitResult(answer: unknown): CommitResult {
  if (answer === "done" || answer === "consumed" || answer === "conflict") return answer;
  throw new TypeError('it is not "done", "consumed" or "conflict"');
}

function parseBoolean(answer: unknown): boolean {
  if (typeof answer === "boolean") return answer;
  throw new TypeError("it is neither true nor false");
}

function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
