/**
 * Stored sessions that a process has read a moment ago, for `session.cache`.
 *
 * Only what was found is kept, so that random tokens take no memory. Nothing in here is ever given away: who asks gets a
 * copy, and so does the cache itself.
 *
 * @module
 */
import type { Adapter, SessionAndUser } from "../contract/adapter.ts";
import { isPlainObject } from "../kernel/objects.ts";
import { perAdapter } from "./per_adapter.ts";

/** The most sessions that are kept. */
const MOST_ROWS = 10_000;

/** The most text in them, in characters, and in one of them: an id_token may be long. */
const MOST_TEXT = 8 * 1024 * 1024;
const MOST_TEXT_OF_ROW = 64 * 1024;

/** How deep the members of a row are looked at. */
const DEPTH = 8;

/** The beginning of a read: when, and how much had been changed by then. */
export interface Beginning {
  readonly time: number;
  readonly changes: number;
}

interface KeptRow {
  readonly found: SessionAndUser;
  /** When the read began, in milliseconds since 1970. */
  readonly time: number;
  readonly length: number;
}

/** The sessions of one storage, by token. */
export class KeptRows {
  readonly #rows = new Map<string, KeptRow>();
  readonly #tokensOf = new Map<string, Set<string>>();
  #length = 0;
  #changes = 0;

  /** Gives a copy of a session that was read at most some seconds ago; `null` if there is none. */
  get(token: string, now: number, seconds: number): SessionAndUser | null {
    const row = this.#rows.get(token);
    // What lies in the future, by a clock that was wrong, says nothing.
    if (!row || row.time > now || row.time <= now - seconds * 1000) return null;
    return copyOf(row.found, DEPTH) as SessionAndUser;
  }

  /** Notes that a read begins. */
  begin(time: number): Beginning {
    return { time, changes: this.#changes };
  }

  /** Keeps what a read found, unless something was changed since it began: it may have read what was there before. */
  keep(token: string, found: SessionAndUser, { time, changes }: Beginning): void {
    if (changes !== this.#changes) return;
    const copy = copyOf(found, DEPTH);
    const length = token.length + lengthOf(copy);
    if (copy === NOT_DATA || length > MOST_TEXT_OF_ROW) return;
    this.#remove(token);
    this.#rows.set(token, { found: copy as SessionAndUser, time, length });
    this.#length += length;
    const tokens = this.#tokensOf.get(found.user.id) ?? new Set<string>();
    this.#tokensOf.set(found.user.id, tokens.add(token));
    // The first was read before all others.
    for (const [oldest] of this.#rows) {
      if (this.#rows.size <= MOST_ROWS && this.#length <= MOST_TEXT) break;
      this.#remove(oldest);
    }
  }

  /** Forgets sessions, and those of users. What is being read now is not kept, whoever it belongs to. */
  forget({ tokens = [], users = [] }: Changed): void {
    this.#changes += 1;
    for (const token of tokens) if (token !== undefined) this.#remove(token);
    for (const user of users) {
      for (const token of this.#tokensOf.get(String(user)) ?? []) this.#remove(token);
    }
  }

  #remove(token: string): void {
    const row = this.#rows.get(token);
    if (!row) return;
    this.#rows.delete(token);
    this.#length -= row.length;
    const { id } = row.found.user;
    const tokens = this.#tokensOf.get(id);
    tokens?.delete(token);
    if (tokens?.size === 0) this.#tokensOf.delete(id);
  }
}

/** What an operation changes: sessions by token, or all sessions of users by id. */
interface Changed {
  readonly tokens?: readonly (string | undefined)[];
  readonly users?: readonly (string | undefined)[];
}

/** What the operations change that change a session or its user. */
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

/** Makes an operation forget what it changes. Operations that change no session, and no user of one, stay as they are. */
export function forgetting<Args extends readonly unknown[], Result>(
  kept: KeptRows,
  name: keyof Adapter,
  run: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  const changedBy = CHANGED[name] as ((...args: Args) => Changed) | undefined;
  if (!changedBy) return run;
  return async (...args) => {
    const changed = changedBy(...args);
    // Before, because nobody knows when it happens; and after, because of reads that began meanwhile.
    kept.forget(changed);
    try {
      return await run(...args);
    } finally {
      kept.forget(changed);
    }
  };
}

/** Gives what this process keeps for an adapter. */
export const keptRowsOf = perAdapter(() => new KeptRows());

/** Stands for what cannot be copied: an instance of a class may be shared, and may change. */
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
