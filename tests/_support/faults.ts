/**
 * Surroundings in which something goes wrong. The clock stands still until a test moves it: an answer that is there
 * without a move waited for nothing, and one that is there after a move waited no longer than that.
 *
 * @module
 */
import assert from "node:assert/strict";
import process from "node:process";
import { after, before } from "node:test";
import type { AuthConfigSource } from "@x/auth";
import { createEngine } from "../../src/service/engine.ts";
import { respond } from "../../src/service/respond.ts";
import type { Runtime } from "../../src/kernel/runtime.ts";
import type { Site } from "./browser.ts";
import { type TestRuntime, testRuntime, type TestRuntimeOptions } from "./runtime.ts";

/** The limits of services under fault, in seconds. No pause between two tries, of whole milliseconds, is like them. */
export const LIMITS = { total: 2.002, request: 0.2005, event: 0.2005, authorize: 3.003 } as const;

/** Seconds that a configuration function may take. */
export const CONFIG_LIMIT = 10;

const DEADLINES: ReadonlySet<number> = new Set([...Object.values(LIMITS), LIMITS.total / 4, CONFIG_LIMIT]);

/** A runtime whose deadlines end when the test says so. */
export interface FaultRuntime extends TestRuntime {
  /** Moves the clock, and ends the deadlines it passes. */
  elapse(seconds: number): void;
}

/** Makes a runtime. Any wait that is no deadline, such as the pause between two tries, is over at once. */
export function faultRuntime(fetch: NonNullable<TestRuntimeOptions["fetch"]>): FaultRuntime {
  const runtime = testRuntime({ fetch });
  let waiting: { readonly at: number; readonly run: () => void }[] = [];
  return {
    ...runtime,
    timer(seconds, run) {
      if (!DEADLINES.has(seconds)) return runtime.timer(0, run);
      const timer = { at: runtime.now() + seconds * 1000, run };
      waiting.push(timer);
      return () => void (waiting = waiting.filter((other) => other !== timer));
    },
    elapse(seconds) {
      runtime.advance(seconds);
      const due = waiting.filter(({ at }) => at <= runtime.now());
      waiting = waiting.filter(({ at }) => at > runtime.now());
      for (const { run } of due) run();
    },
    timers: () => waiting.length + runtime.timers(),
  };
}

/** The handler that `createAuth()` gives, in other surroundings than the machine's. */
export function serve(config: AuthConfigSource, runtime: Runtime): Site {
  const engine = createEngine(config, runtime);
  return async (request) => await respond(await engine.run(request));
}

/** A promise, and whether it has been kept by now. */
export interface Watched<T> {
  readonly value: Promise<T>;
  settled: boolean;
}

/** Keeps an eye on a promise. */
export function watch<T>(promise: Promise<T>): Watched<T> {
  const watched: Watched<T> = { value: promise, settled: false };
  const settle = () => void (watched.settled = true);
  promise.then(settle, settle);
  return watched;
}

/** Milliseconds of patience of a test with a busy machine. What is right never needs them. */
const PATIENCE = 20_000;

/** Waits for what needs no clock. */
export async function soon<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new assert.AssertionError({ message: `${what} does not end` })), PATIENCE);
  });
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Waits until something is so. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + PATIENCE; !holds();) {
    assert.ok(Date.now() < end, `${what} does not happen`);
    await pause(1);
  }
}

/** Lets everything run that can. */
export function pause(milliseconds = 0): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Holds a whole file to it that no rejection is left alone and no error escapes. */
export function watchProcess(): void {
  const escaped: unknown[] = [];
  const note = (error: unknown) => void escaped.push(error);
  before(() => {
    process.on("unhandledRejection", note);
    process.on("uncaughtException", note);
  });
  after(async () => {
    await pause(20);
    process.off("unhandledRejection", note);
    process.off("uncaughtException", note);
    assert.deepEqual(escaped, []);
  });
}

/** The first secret that a text holds, as it is or in one of the usual codes. */
export function leakIn(text: string, secrets: Iterable<string>): string | undefined {
  for (const secret of secrets) {
    const bytes = Buffer.from(secret);
    const codes = [secret, encodeURIComponent(secret), bytes.toString("base64url"), bytes.toString("hex")];
    if (codes.some((code) => text.includes(code))) return secret;
  }
}

/** What an object is made of, in depth, functions by identity: two of them are equal if nothing was changed. */
export function structureOf(value: unknown, seen = new Map<unknown, unknown>()): unknown {
  if (typeof value !== "object" || value === null) return value;
  const known = seen.get(value);
  if (known) return known;
  const copy: Record<PropertyKey, unknown> = {};
  seen.set(value, copy);
  for (const name of Reflect.ownKeys(value)) copy[name] = structureOf(Reflect.get(value, name), seen);
  return copy;
}

/** Does to an object and all below it what a careless or hostile callback can. */
export function ruin(value: unknown, seen = new Set<unknown>()): void {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  if (value instanceof Request || value instanceof Response) return;
  if (value instanceof URLSearchParams || value instanceof Headers) return value.set("ruined", "yes");
  for (const name of Reflect.ownKeys(value)) {
    // A list refuses any other length by an error.
    if (Array.isArray(value) && name === "length") continue;
    ruin(Reflect.get(value, name), seen);
    Reflect.set(value, name, "ruined");
  }
  Reflect.set(value, "ruined", "yes");
}
