/**
 * Waiting: no longer than a deadline, or for a while.
 *
 * @module
 */
import { Timeout } from "./errors.ts";
import type { Awaitable } from "./model.ts";
import type { Runtime } from "./runtime.ts";

/**
 * Runs something and waits for it for at most some seconds.
 *
 * @param runtime The clock and the timer.
 * @param seconds The longest wait.
 * @param what What is waited for, for the error message.
 * @param run What to run. If it takes longer, its result or its late failure is dropped.
 * @throws {Timeout} if it takes longer.
 */
export function withDeadline<T>(
  runtime: DeadlineRuntime,
  seconds: number,
  what: string,
  run: () => Awaitable<T>,
): Promise<T> {
  return new Deadline(runtime, seconds).wait(what, run);
}

/** The parts of a runtime that a deadline needs. */
export type DeadlineRuntime = Pick<Runtime, "now" | "timer">;

/** The client took too long to send its body. */
export class SlowBody extends Timeout {}

/** A deadline that can be paused while something runs that has its own deadline. */
export class Deadline {
  readonly #runtime: DeadlineRuntime;
  readonly #seconds: number;
  #left: number;
  #since = 0;
  #held = 0;
  #cancel: (() => void) | null = null;
  #expire: (() => void) | null = null;
  #error: (() => Error) | null = null;

  /** @param seconds The longest wait, without the pauses. */
  constructor(runtime: DeadlineRuntime, seconds: number) {
    this.#runtime = runtime;
    this.#seconds = seconds;
    this.#left = seconds;
  }

  /** Runs something and waits for it, as {@linkcode withDeadline} does. Can be called once. */
  async wait<T>(what: string, run: () => Awaitable<T>): Promise<T> {
    const running = run();
    // A result that is there already needs no timer.
    if (typeof (running as Partial<PromiseLike<T>> | null | undefined)?.then !== "function") return running;
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#expire = () => {
          reject(this.#error?.() ?? new Timeout(`Cannot wait for ${what}: it took longer than ${this.#seconds} s`));
        };
        this.#go();
        (running as PromiseLike<T>).then(resolve, reject);
      });
    } finally {
      this.#expire = null;
      this.#stop();
    }
  }

  /** Runs something. If the deadline passes meanwhile, `wait()` throws the given error. */
  async during<T>(run: () => Promise<T>, error: () => Error): Promise<T> {
    this.#error = error;
    try {
      return await run();
    } finally {
      this.#error = null;
    }
  }

  /** Seconds that are left. */
  get left(): number {
    // The clock may have been set back or forward in between, so the result stays within what was left.
    const spent = this.#cancel ? (this.#runtime.now() - this.#since) / 1000 : 0;
    return Math.min(Math.max(this.#left - spent, 0), this.#left);
  }

  /** Pauses the deadline while something runs. */
  async hold<T>(run: () => Promise<T>): Promise<T> {
    this.#stop();
    this.#held++;
    try {
      return await run();
    } finally {
      this.#held--;
      this.#go();
    }
  }

  #go(): void {
    if (this.#held > 0 || !this.#expire) return;
    this.#since = this.#runtime.now();
    this.#cancel = this.#runtime.timer(this.#left, this.#expire);
  }

  #stop(): void {
    if (!this.#cancel) return;
    this.#left = this.left;
    this.#cancel();
    this.#cancel = null;
  }
}

/** The parts of a runtime that {@linkcode pause} needs. */
export type PauseRuntime = Pick<Runtime, "random" | "timer">;

/** Waits between 0.5 and 1.5 times `seconds`, at random, so that those who collided do not collide again. */
export function pause({ random, timer }: PauseRuntime, seconds: number): Promise<void> {
  const [jitter = 0] = random(new Uint8Array(1));
  return new Promise((resolve) => void timer(seconds * (0.5 + jitter / 256), resolve));
}
