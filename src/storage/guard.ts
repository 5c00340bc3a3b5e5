/**
 * Storage as the service uses it: each operation returns a checked record, or throws an `AdapterError`.
 *
 * One call passes five layers, from the outside in:
 *
 * 1. spellings: an international domain is looked up as it was normalized, and in its other spelling ({@linkcode eachSpelling});
 * 2. the cache of session rows, which drops what the operation changes (session_row_cache.ts);
 * 3. errors: what the adapter throws becomes the `cause` of an `AdapterError` ({@linkcode guardOperation});
 * 4. records: the answer is parsed, and refused if it is not the record that was asked for (records.ts);
 * 5. user ids: text becomes a number again where the database numbers its users (user_ids.ts).
 *
 * @module
 */
import type { Adapter, AdapterUser, CommitResult } from "../contract/adapter.ts";
import { spellingsOf } from "../kernel/address_spellings.ts";
import { AdapterError } from "../kernel/errors.ts";
import { isObject } from "../kernel/objects.ts";
import { missingTables } from "./missing_tables.ts";
import { missingOperations, type Need } from "./operations.ts";
import {
  matching,
  parseAccount,
  parseAuthenticator,
  parseList,
  parseSession,
  parseSessionAndUser,
  parseToken,
  parseUser,
  required,
} from "./records.ts";
import { RevocationCache } from "./revocation_cache.ts";
import { invalidating, SessionRowCache } from "./session_row_cache.ts";
import { UserIds } from "./user_ids.ts";

type Arguments<Name extends keyof Adapter> = Parameters<Required<Adapter>[Name]>;

/** Reads the answer of an operation: a checked record, or an exception. */
type Read<Name extends keyof Adapter, Result> = (answer: unknown, ...args: Arguments<Name>) => Result;

type Operation<Name extends keyof Adapter, Result> = (...args: Arguments<Name>) => Promise<Result>;

/** A guarded adapter. An optional operation that the adapter lacks is `null`; a required one throws when it is called. */
export type Storage = Readonly<ReturnType<typeof guardOperations>>;

/**
 * Guards an adapter.
 *
 * An exception of an operation is wrapped once. An answer that breaks the contract counts as a failure too, so that no
 * broken record signs anybody in. Methods keep their `this`.
 */
export function guardAdapter(adapter: Adapter): Storage {
  return Object.freeze(guardOperations(adapter));
}

interface Caches {
  readonly rows: SessionRowCache;
  readonly revocations: RevocationCache;
}

/** What this process remembers for each adapter: the configuration around it may be a new object for each request. */
const knownCaches = new WeakMap<object, Caches>();

function cachesOf(adapter: unknown): Caches {
  const known = isObject(adapter) ? knownCaches.get(adapter) : undefined;
  const caches = known ?? { rows: new SessionRowCache(), revocations: new RevocationCache() };
  if (isObject(adapter)) knownCaches.set(adapter, caches); // anything else is reported as a problem of the configuration
  return caches;
}

function guardOperations(adapter: Adapter) {
  /** Whether the adapter has an operation. */
  const has = (name: keyof Adapter): boolean => typeof adapter[name] === "function";
  const ids = new UserIds();
  const { rows, revocations } = cachesOf(adapter);
  const guard = <Name extends keyof Adapter, Result>(name: Name, read: Read<Name, Result>) => {
    return invalidating(rows, name, guardOperation(adapter, ids, name, read));
  };
  const guardIfPresent = <Name extends keyof Adapter, Result>(name: Name, read: Read<Name, Result>) => {
    return has(name) ? guard(name, read) : null;
  };
  const getUser = guard("getUser", (answer, id) => matching(parseUser(answer), (user) => user.id === id));
  const getUserByAccount = guard("getUserByAccount", parseUser);

  return {
    has,
    /** Guards an operation that the service uses rarely; `null` if the adapter lacks it. */
    guardIfPresent,
    /** Lists the operations that the adapter lacks for a use. */
    lacks: (need: Need) => missingOperations(adapter, need),
    /** Which sealed sessions this process has looked up, and which have ended. */
    revocations,
    /** Stored sessions that this process has read a moment ago. */
    rows,
    /** Finds a user by any text. `undefined` if the database cannot have such an id. */
    findUser: async (id: string): Promise<AdapterUser | null | undefined> => {
      try {
        return await getUser(id);
      } catch {
        // A database of UUIDs or numbers fails at any other id. If another query succeeds, the id was the cause.
        await getUserByAccount({ provider: "-", providerAccountId: "-" });
        return undefined;
      }
    },
    // Storage may choose the id, so only the address can show that it is another user.
    createUser: guard("createUser", (answer, { email }) => {
      return matching(required(parseUser(answer)), (user) => !email || !user.email || isSameAddress(user.email, email));
    }),
    getUser,
    getUserByEmail: eachSpelling(guard("getUserByEmail", (answer, email) => {
      // A database may compare more loosely than addresses are compared, and find another user.
      return matching(parseUser(answer), (user) => !!user.email && isSameAddress(user.email, email));
    })),
    getUserByAccount,
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
    useVerificationToken: eachSpellingOfToken(guard("useVerificationToken", readToken)),
    createAuthenticator: guard("createAuthenticator", ignore),
    getAuthenticator: guard("getAuthenticator", parseAuthenticator),
    listAuthenticatorsByUserId: guard("listAuthenticatorsByUserId", (answer, userId) => {
      return parseList(answer, parseAuthenticator, (row) => row.userId === userId);
    }),
    updateAuthenticatorCounter: guard("updateAuthenticatorCounter", ignore),

    commit: guardIfPresent("commit", parseCommitResult),
    once: guardIfPresent("once", parseBoolean),
    getVerificationToken: has("getVerificationToken")
      ? eachSpellingOfToken(guard("getVerificationToken", readToken))
      : null,
    updateAccount: guardIfPresent("updateAccount", ignore),
    listAccountsByUserId: guardIfPresent("listAccountsByUserId", (answer, userId) => {
      return parseList(answer, parseAccount, (row) => row.userId === userId);
    }),
    listSessionsByUserId: guardIfPresent("listSessionsByUserId", (answer, userId) => {
      return parseList(answer, parseSession, (row) => row.userId === userId);
    }),
    listSessionsByProviderSid: guardIfPresent("listSessionsByProviderSid", (answer, { provider, sid }) => {
      return parseList(answer, parseSession, (row) => row.provider === provider && row.providerSid === sid);
    }),
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
      answer = await ids.call(name, args, (args) => operation.apply(adapter, args));
    } catch (error) {
      if (error instanceof AdapterError) throw error;
      throw new AdapterError(`Cannot use storage: the adapter's \`${name}\` failed${missingTables(error)}`, {
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

// Auth.js stores an international domain as it was typed. Each spelling is looked up even if the first is found: how long
// an answer takes would tell strangers who has an address.
function eachSpelling<Row>(find: (address: string) => Promise<Row | null>) {
  return async (address: string): Promise<Row | null> => {
    const answers = await Promise.allSettled(spellingsOf(address).map((spelling) => find(spelling)));
    for (const answer of answers) {
      if (answer.status === "rejected") throw answer.reason;
      if (answer.value !== null) return answer.value;
    }
    return null;
  };
}

function eachSpellingOfToken<Row>(find: (key: TokenKey) => Promise<Row | null>) {
  return async ({ identifier, token }: TokenKey): Promise<Row | null> => {
    const [given, ...others] = spellingsOf(identifier);
    let found = await find({ identifier: given, token });
    for (const other of others) found ??= await find({ identifier: other, token });
    return found;
  };
}

interface TokenKey {
  readonly identifier: string;
  readonly token: string;
}

/** Ignores an answer that nothing relies on. */
function ignore(): void {}

// The row is gone, even if storage returns an unusable record.
function parseEndedSession(answer: unknown): ReturnType<typeof parseSession> {
  try {
    return parseSession(answer);
  } catch {
    return null;
  }
}

// The token of another address must not count as the one that was asked for.
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
