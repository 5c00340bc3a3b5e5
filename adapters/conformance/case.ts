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
  /** The sentence. */
  readonly name: string;
  /** The promise that the case checks. */
  readonly promise?: keyof ConformancePromises | undefined;
  /** Checks an adapter. Does nothing if the adapter lacks an operation. */
  readonly run: (opened: OpenedAdapter) => Promise<void>;
}

/**
 * Describes a case.
 *
 * @param name The sentence.
 * @param needs The operations that the case uses.
 * @param look Checks the adapter, and throws if something is wrong.
 * @param promise The promise that the case checks.
 */
export function check<const Name extends keyof Adapter>(
  name: string,
  needs: readonly Name[],
  look: (adapter: Pick<CompleteAdapter, Name>, clock: ConformanceClock | undefined) => Promise<void>,
  promise?: keyof ConformancePromises,
): Check {
  return {
    name,
    promise,
    run: async ({ adapter, now }) => {
      if (offers(adapter, needs)) await look(adapter, now);
    },
  };
}

/** Makes a case that checks an adapter. */
export function caseOf({ name, run }: Check, open: OpenAdapter): ConformanceCase {
  return {
    name,
    run: async () => {
      const opened = await open();
      try {
        await run(opened);
      } finally {
        await opened.close?.();
      }
    },
  };
}

function offers<Name extends keyof Adapter>(
  adapter: Adapter,
  needs: readonly Name[],
): adapter is Adapter & Pick<CompleteAdapter, Name> {
  return needs.every((name) => typeof adapter[name] === "function");
}
