/**
 * Stored sessions that this process read a moment ago, for `session.cache`.
 *
 * Only sessions that were found are kept, so random tokens take no memory. The cache copies what it takes and what it
 * gives, so no caller can change what the next one gets.
 *
 * @module
 */
import type { Adapter, SessionAndUser } from "../contract/adapter.ts";
import { isPlainObject } from "../kernel/objects.ts";

/** The most sessions that are kept. */
const MOST_ROWS = 10_000;

/** The most text in them, in characters, and in one of them: an id_token may be long. */
const MOST_TEXT = 8 * 1024 * 1024;
const MOST_TEXT_OF_ROW = 64 * 1024;

/** How deep the members of a row are copied. */
const DEPTH = 8;

/** The beginning of a read: when, and how many changes had been made by then. */
export interface ReadStart {
  readonly time: number;
  readonly changes: number;
}

interface CachedRow {
  readonly found: SessionAndUser;
  /** When the read began, in milliseconds since 1970. */
  readonly time: number;
  readonly length: number;
}

/** The sessions of one storage, by token. */
export class SessionRowCache {
  readonly #rows = new Map<string, CachedRow>();
  #length = 0;
  #changes = 0;

  /** Gives a copy of a session that was read less than `seconds` ago; `null` if there is none. */
  get(token: string, now: number, seconds: number): SessionAndUser | null {
    const row = this.#rows.get(token);
    // A clock that was set back makes a read lie in the future: its age is unknown.
    if (!row || row.time > now || row.time <= now - seconds * 1000) return null;
    return copyOf(row.found, DEPTH) as SessionAndUser;
  }

  /** Notes that a read begins. */
  begin(time: number): ReadStart {
    return { time, changes: this.#changes };
  }

  /** Keeps what a read found, unless anything was changed since the read began: it may have read the old row. */
  set(token: string, found: SessionAndUser, { time, changes }: ReadStart): void {
    if (changes !== this.#changes) return;
    const copy = copyOf(found, DEPTH);
    const length = token.length + lengthOf(copy);
    if (copy === NOT_DATA || length > MOST_TEXT_OF_ROW) return;
    this.#remove(token);
    this.#rows.set(token, { found: copy as SessionAndUser, time, length });
    this.#length += length;
    for (const oldest of this.#rows.keys()) {
      if (this.#rows.size <= MOST_ROWS && this.#length <= MOST_TEXT) break;
      this.#remove(oldest);
    }
  }

  /** Drops sessions by token, and all sessions of users. The result of a read that runs meanwhile is not kept. */
  invalidate({ tokens = [], users = [] }: Changed): void {
    this.#changes += 1;
    for (const token of tokens) if (token !== undefined) this.#remove(token);
    const ids = new Set(users.map(String));
    for (const [token, { found }] of this.#rows) if (ids.has(found.user.id)) this.#remove(token);
  }

  #remove(token: string): void {
    this.#length -= this.#rows.get(token)?.length ?? 0;
    this.#rows.delete(token);
  }
}

/** What an operation changes: sessions by token, or all sessions of users by id. */
interface Changed {
  readonly tokens?: readonly (string | undefined)[];
  readonly users?: readonly (string | undefined)[];
}

/** The operations that change a session or its user, and what each changes. */
const CHANGED: { readonly [Name in keyof Adapter]?: (...args: Parameters<Required<Adapter>[Name]>) => Changed } = {
  createSession: ({ sessionToken }) => ({ tokens: [sessionToken] }),
  updateSession: ({ sessionToken }) => ({ tokens: [sessionToken] }),
  deleteSession: (sessionToken) => ({ tokens: [sessionToken] }),
  deleteSessionsByUserId: (userId) => ({ users: [userId] }),
  deleteOtherSessions: ({ userId }) => ({ users: [userId] }),
  updateUser: ({ id }) => ({ users: [id] }),
  deleteUser: (userId) => ({ users: [userId] }),
  commit: ({ updateUser, evict, deleteSession, createSession }) => ({
    tokens: [deleteSession, createSession?.sessionToken],
    users: [updateUser?.id, evict?.userId],
  }),
};

/** Makes an operation invalidate the cached sessions that it changes. Other operations are returned unchanged. */
export function invalidating<Args extends readonly unknown[], Result>(
  cache: SessionRowCache,
  name: keyof Adapter,
  run: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  const changedBy = CHANGED[name] as ((...args: Args) => Changed) | undefined;
  if (!changedBy) return run;
  return async (...args) => {
    const changed = changedBy(...args);
    // Before, because the write may happen at any time; after, because of reads that began meanwhile.
    cache.invalidate(changed);
    try {
      return await run(...args);
    } finally {
      cache.invalidate(changed);
    }
  };
}

/** Stands for a value that cannot be copied: an instance of a class may be shared, and may change. */
const NOT_DATA = Symbol("not data");

function copyOf(value: unknown, depth: number): unknown {
  if (typeof value === "function" || typeof value === "symbol" || depth === 0) return NOT_DATA;
  if (typeof value !== "object" || value === null) return value;
  if (Object.getPrototypeOf(value) === Date.prototype) return new Date(value as Date);
  if (Array.isArray(value)) {
    const copies = value.map((member) => copyOf(member, depth - 1));
    return copies.includes(NOT_DATA) ? NOT_DATA : copies;
  }
  if (!isPlainObject(value)) return NOT_DATA;
  const copies = Object.entries(value).map(([name, member]) => [name, copyOf(member, depth - 1)] as const);
  return copies.some(([, copy]) => copy === NOT_DATA) ? NOT_DATA : Object.fromEntries(copies);
}

function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce((sum, [name, member]) => sum + name.length + lengthOf(member), 0);
}
