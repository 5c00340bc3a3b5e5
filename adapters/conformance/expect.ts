/**
 * Assertions about what an adapter returns.
 *
 * @module
 */
import type { Awaitable } from "../../src/kernel/model.ts";

/** Concurrent callers in cases about races. */
const CALLERS = 64;

/** Asserts that two values are equal. Members that are `null`, `undefined` or absent are the same. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  if (show(actual) === show(expected)) return;
  throw new Error(`${what}: expected ${show(expected)}, got ${show(actual)}`);
}

/** Asserts that a record exists and has these members. It may have others. */
export function holds(actual: object | null | undefined, expected: object, what: string): void {
  const given = new Map(Object.entries(actual ?? {}));
  const compared = Object.keys(expected).map((name): [string, unknown] => [name, given.get(name)]);
  if (!actual) equal(actual, expected, what);
  else equal(Object.fromEntries(compared), expected, what);
}

/** Asserts that a search found nothing, which is `null`. */
export function absent(actual: unknown, what: string): void {
  if (actual !== null) throw new Error(`${what}: expected null, got ${show(actual)}`);
}

/** Asserts that an operation throws. */
export async function fails(run: () => unknown, what: string): Promise<void> {
  const [outcome] = await settle([run]);
  if (outcome?.status === "fulfilled") throw new Error(`${what}: expected an error, got ${show(outcome.value)}`);
}

/** Runs an operation that may return anything or throw. What matters is what is stored afterwards. */
export async function attempt(run: () => unknown): Promise<void> {
  await settle([run]);
}

/** Runs an operation for many concurrent callers and asserts that exactly one of them wins. */
export async function oneWins<T>(
  run: (caller: number) => Awaitable<T>,
  wins: (value: T) => boolean,
  what: string,
): Promise<void> {
  const outcomes = await settle(Array.from({ length: CALLERS }, (_, caller) => () => run(caller)));
  const winners = outcomes.filter((outcome) => outcome.status === "fulfilled" && wins(outcome.value));
  equal(winners.length, 1, `${what}: winners among ${CALLERS} callers`);
}

/** Formats a value, independent of the order of members. */
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

/** Runs operations concurrently and gives their results. */
export async function together<T>(runs: readonly (() => Awaitable<T>)[]): Promise<T[]> {
  return await Promise.all(runs.map((run) => Promise.resolve().then(run)));
}

async function settle<T>(runs: readonly (() => Awaitable<T>)[]): Promise<PromiseSettledResult<T>[]> {
  // Each starts within a promise, so that one that throws synchronously does not keep the others from starting.
  return await Promise.allSettled(runs.map((run) => Promise.resolve().then(run)));
}
