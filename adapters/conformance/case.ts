/**
 * What a conformance case is, and how it runs.
 *
 * @module
 */
import type { Adapter, CompleteAdapter } from "../../src/contract/adapter.ts";
import type { Awaitable } from "../../src/kernel/model.ts";

/** A clock that the cases set. */
export interface ConformanceClock {
  /** Sets the adapter's clock, in milliseconds since 1970. */
  set(milliseconds: number): void;
}

/** An adapter over empty storage. */
export interface OpenedAdapter {
  /** The adapter. */
  readonly adapter: Adapter;
  /** Called when the case is over, whether it succeeded or failed. */
  readonly close?: (() => Awaitable<void>) | undefined;
  /** The adapter's clock. Without it, no case checks that keys of `once()` expire. */
  readonly now?: ConformanceClock | undefined;
  /**
   * Counts the rows or entries that storage reads while something runs, as its query plan says it. Without it, no case
   * checks that a page of records reads only itself.
   */
  readonly reads?: ((run: () => Promise<unknown>) => Promise<number>) | undefined;
}

/** Opens a fresh adapter over empty storage. */
export type OpenAdapter = () => Awaitable<OpenedAdapter>;

/** What an adapter promises. Cases about a promise that is `false` are left out. */
export interface ConformancePromises {
  /** `createUser` stores the given id instead of creating one. @default {true} */
  readonly keepsIds?: boolean | undefined;
  /** Members that the contract does not name are stored. @default {true} */
  readonly keepsMembers?: boolean | undefined;
  /** Addresses are unique, users of records exist, and their records are deleted with them. @default {true} */
  readonly guardsRelations?: boolean | undefined;
  /** Of many concurrent callers, one wins. @default {true} */
  readonly survivesRaces?: boolean | undefined;
}

/** One requirement of the contract. */
export interface ConformanceCase {
  /** A sentence that is true of the adapter if {@linkcode ConformanceCase.run} succeeds. */
  readonly name: string;
  /** Opens an adapter, checks it, and closes it. @throws {Error} if the adapter does not do what the name says. */
  readonly run: () => Promise<void>;
}

/** A case without an adapter. */
export interface Check {
  readonly name: string;
  /** The promise that the case checks. */
  readonly promise?: keyof ConformancePromises | undefined;
  /** An operation that the adapter must have for the case to start. */
  readonly needs?: keyof Adapter;
  /** Checks an adapter, and throws if something is wrong. */
  readonly look: (
    adapter: CompleteAdapter,
    clock: ConformanceClock | undefined,
    reads: OpenedAdapter["reads"],
  ) => Promise<void>;
}

export function check(name: string, look: Check["look"], promise?: keyof ConformancePromises): Check {
  return { name, look, promise };
}

/** Describes a case about plans. */
export function planCheck(name: string, look: Check["look"], promise?: keyof ConformancePromises): Check {
  return { name, look, promise, needs: "commit" };
}

/** Describes a case about records. */
export function recordCheck(name: string, look: Check["look"], promise?: keyof ConformancePromises): Check {
  return { name, look, promise, needs: "getRecord" };
}

/** Describes a case about buckets. */
export function bucketCheck(name: string, look: Check["look"], promise?: keyof ConformancePromises): Check {
  return { name, look, promise, needs: "take" };
}

/** Makes a case that checks an adapter. */
export function caseOf(check: Check, open: OpenAdapter): ConformanceCase {
  return {
    name: check.name,
    run: async () => {
      const opened = await open();
      try {
        await lookAt(opened, check);
      } finally {
        await opened.close?.();
      }
    },
  };
}

async function lookAt({ adapter, now, reads }: OpenedAdapter, { needs, look }: Check): Promise<void> {
  if (needs && !adapter[needs]) return;
  let isLacking = false;
  const complete = new Proxy(adapter, {
    get: (_, name) => {
      const operation: unknown = Reflect.get(adapter, name);
      // Bound to the adapter: it may be an instance of a class with private members.
      if (typeof operation === "function") return operation.bind(adapter);
      isLacking = true;
      throw new TypeError(`The adapter has no operation ${String(name)}`);
    },
  });
  try {
    // Complete as far as the case sees.
    await look(complete as CompleteAdapter, now, reads);
  } catch (error) {
    // If an operation is missing, every other finding is its consequence.
    if (!isLacking) throw error;
  }
}
