/**
 * What a process keeps of the limits of a service.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { isDate } from "../kernel/objects.ts";
import type { Storage } from "../storage/guard.ts";
import { Ledger, type Take } from "./ledger.ts";
import { Told } from "./told.ts";

/** What a process knows of the limits of one service. */
export interface State {
  readonly ledger: Ledger;
  readonly told: Told;
}

/** Makes what a process knows of a service that it has not met. */
export function newState(): State {
  return { ledger: new Ledger(), told: new Told() };
}

/** By adapter: a configuration may be another object for each request, and its features as well. */
const states = new WeakMap<object, State>();

/** Gives what a process knows of a service. @param own What the feature itself knows, if there is no storage. */
export function stateFor({ storage }: Pick<ResolvedConfig, "storage">, own: State): State {
  if (!storage) return own;
  const known = states.get(storage.revocations) ?? newState();
  states.set(storage.revocations, known);
  return known;
}

const takes = new WeakMap<Storage, Take | null>();

/** Gives what takes from the buckets of storage; `null` if the adapter has none. */
export function storedTake({ storage }: Pick<ResolvedConfig, "storage">): Take | null {
  if (!storage) return null;
  const known = takes.get(storage);
  if (known !== undefined) return known;
  const take = storage.guardIfPresent("take", (answer, buckets) => readAnswers(answer, buckets.length));
  takes.set(storage, take);
  return take;
}

function readAnswers(answer: unknown, count: number): readonly (Date | null)[] {
  if (!Array.isArray(answer) || answer.length !== count) throw new TypeError("it is not a list with all answers");
  return answer.map((each: unknown) => {
    if (each === null || (isDate(each) && Number.isFinite(each.valueOf()))) return each;
    throw new TypeError("an answer is neither null nor a date");
  });
}
