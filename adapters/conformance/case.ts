/**
 * What a case of conformance is, and how it is run.
 *
 * @module
 */
import type { Adapter, CompleteAdapter } from "../../src/contract/adapter.ts";
import type { Awaitable } from "../../src/kernel/model.ts";

/** A clock in the hands of the cases. */
export interface ConformanceClock {
  /** Puts the adapter's clock to an instant, in milliseconds since 1970. */
  set(milliseconds: number): void;
}

/** An adapter to look at, with nothing in it. */
export interface OpenedAdapter {
  /** The adapter. */
  readonly adapter: Adapter;
  /** Called when the case is over, however it ended. */
  readonly close?: (() => Awaitable<void>) | undefined;
  /** The adapter's clock. Without it nothing is said about marks that have ended. */
  readonly now?: ConformanceClock | undefined;
}

/** Opens a fresh adapter over empty storage. */
export type OpenAdapter = () => Awaitable<OpenedAdapter>;

/** What an adapter promises. Whatever is `false` is not looked at. */
export interface ConformancePromises {
  /** `createUser` stores the id it is given, instead of making one. @default {true} */
  readonly keepsIds?: boolean | undefined;
  /** Members that the contract does not name are stored. @default {true} */
  readonly keepsMembers?: boolean | undefined;
  /** Addresses are unique, owners exist, and what is theirs goes with them. @default {true} */
  readonly guardsRelations?: boolean | undefined;
  /** Of many callers at once, one wins. @default {true} */
  readonly survivesRaces?: boolean | undefined;
}

/** One thing that an adapter must do. */
export interface ConformanceCase {
  /** A sentence that is true of the adapter if {@linkcode ConformanceCase.run} succeeds. */
  readonly name: string;
  /** Opens an adapter, looks, and closes it. @throws {Error} if the adapter does something else. */
  readonly run: () => Promise<void>;
}

/** A case before it is known which adapter it is about. */
export interface Check {
  /** The sentence. */
  readonly name: string;
  /** What the adapter must promise to be looked at. */
  readonly promise?: keyof ConformancePromises | undefined;
  /** Looks, unless an operation is absent. */
  readonly run: (opened: OpenedAdapter) => Promise<void>;
}

/**
 * Describes a case.
 *
 * @param name The sentence.
 * @param needs The operations without which the case says nothing.
 * @param look Looks at the adapter, and throws if something is wrong.
 * @param promise What the adapter must promise to be looked at.
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

/** Ties a check to an adapter. */
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
