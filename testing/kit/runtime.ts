/**
 * Surroundings for tests: a clock that moves when told to, a network that is a function, an empty environment.
 *
 * @module
 */
import type { Runtime } from "../../src/kernel/runtime.ts";

/** The instant tests begin at, in milliseconds since 1970. */
export const START = Date.UTC(2031, 4, 6, 12, 0, 0);

/** What a test may choose. */
export interface TestRuntimeOptions {
  /** Where the clock stands at first. */
  readonly now?: number;
  /** Answers every request; without it any request fails. */
  readonly fetch?: (request: Request) => Promise<Response> | Response;
  /** Environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A runtime whose clock is in the hands of the test. */
export interface TestRuntime extends Runtime {
  /** Moves the clock by some seconds, back if negative. */
  advance(seconds: number): void;
  /** How many timers are running: none may be left when an answer is there. */
  timers(): number;
}

/** Makes a runtime: fake clock, given network and environment, real randomness and real timers. */
export function testRuntime({ now = START, fetch = refuse, env = {} }: TestRuntimeOptions = {}): TestRuntime {
  let clock = now;
  const running = new Set<number>();
  return {
    now: () => clock,
    random: (bytes) => crypto.getRandomValues(bytes),
    fetch: async (input, init) => await fetch(new Request(input, init)),
    env: (name) => env[name],
    timer: (seconds, run) => {
      const timer = Number(setTimeout(() => {
        running.delete(timer);
        run();
      }, seconds * 1000));
      running.add(timer);
      return () => {
        running.delete(timer);
        clearTimeout(timer);
      };
    },
    advance: (seconds) => void (clock += seconds * 1000),
    timers: () => running.size,
  };
}

function refuse(request: Request): Response {
  throw new Error(`No request was expected, and there was one to ${request.url}`);
}
