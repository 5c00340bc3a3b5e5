/**
 * Comparing what an adapter gave with what it should have given.
 *
 * @module
 */
import type { Awaitable } from "../../src/kernel/model.ts";

/** Callers at once, where a case is about races. */
const CALLERS = 64;

/** Demands that a value is exactly this. Members that are `null`, `undefined` or absent are the same. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  if (show(actual) === show(expected)) return;
  throw new Error(`${what}: expected ${show(expected)}, got ${show(actual)}`);
}

/** Demands that a record is there and has these members; it may have others too. */
export function holds(actual: object | null | undefined, expected: object, what: string): void {
  const given = new Map(Object.entries(actual ?? {}));
  const compared = Object.keys(expected).map((name): [string, unknown] => [name, given.get(name)]);
  if (!actual) equal(actual, expected, what);
  else equal(Object.fromEntries(compared), expected, what);
}

/** Demands that a search says `null`, the word for what is not there. */
export function absent(actual: unknown, what: string): void {
  if (actual !== null) throw new Error(`${what}: expected null, got ${show(actual)}`);
}

/** Demands that an operation throws. */
export async function fails(run: () => unknown, what: string): Promise<void> {
  const [outcome] = await settle([run]);
  if (outcome?.status === "fulfilled") throw new Error(`${what}: expected an error, got ${show(outcome.value)}`);
}

/** Runs an operation that may answer as it likes, or throw: what matters is what is stored afterwards. */
export async function attempt(run: () => unknown): Promise<void> {
  await settle([run]);
}

/** Runs an operation for many callers at once and demands that exactly one of them wins. */
export async function oneWins<T>(
  run: (caller: number) => Awaitable<T>,
  wins: (value: T) => boolean,
  what: string,
): Promise<void> {
  const outcomes = await settle(Array.from({ length: CALLERS }, (_, caller) => () => run(caller)));
  const winners = outcomes.filter((outcome) => outcome.status === "fulfilled" && wins(outcome.value));
  equal(winners.length, 1, `${what}: winners among ${CALLERS} callers`);
}

/** Writes a value down, the same value always in the same way. */
export function show(value: unknown): string {
  if (value === undefined) return "undefined";
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof Date) return `Date(${Number.isNaN(value.getTime()) ? "invalid" : value.toISOString()})`;
  if (Array.isArray(value)) return `[${value.map(show).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? typeof value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
  return `{${
    members.sort(([a], [b]) => a < b ? -1 : 1).map(([name, member]) => `${name}: ${show(member)}`).join(", ")
  }}`;
}

/** Runs operations at once and gives what each of them answered. */
export async function together<T>(runs: readonly (() => Awaitable<T>)[]): Promise<T[]> {
  return await Promise.all(runs.map((run) => Promise.resolve().then(run)));
}

async function settle<T>(runs: readonly (() => Awaitable<T>)[]): Promise<PromiseSettledResult<T>[]> {
  // Begun within a promise each, so that one that throws at once does not keep the others from starting.
  return await Promise.allSettled(runs.map((run) => Promise.resolve().then(run)));
}
