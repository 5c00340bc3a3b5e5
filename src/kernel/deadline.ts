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
 * @param runtime The timer.
 * @param seconds The longest wait.
 * @param what What is waited for, for the error message.
 * @param run What to run. If it takes longer, its result or its late failure is dropped.
 * @throws {Timeout} if it takes longer.
 */
export async function withDeadline<T>(
  { timer }: Pick<Runtime, "timer">,
  seconds: number,
  what: string,
  run: () => Awaitable<T>,
): Promise<T> {
  const running = run();
  // What is there at once needs no timer.
  if (typeof (running as Partial<PromiseLike<T>> | null | undefined)?.then !== "function") return running;
  let cancel = (): void => {};
  try {
    return await new Promise<T>((resolve, reject) => {
      cancel = timer(seconds, () => reject(new Timeout(`Cannot wait for ${what}: it took longer than ${seconds} s`)));
      (running as PromiseLike<T>).then(resolve, reject);
    });
  } finally {
    cancel();
  }
}

/** The client took too long to send its body. */
export class SlowBody extends Timeout {}

/** A deadline that stands still while something runs that has one of its own. */
export class Deadline {
  readonly #runtime: Pick<Runtime, "now" | "timer">;
  readonly #seconds: number;
  #left: number;
  #since = 0;
  #held = 0;
  #cancel: (() => void) | null = null;
  #expire: (() => void) | null = null;
  #error: (() => Error) | null = null;

  /** @param seconds The longest wait, without the time that it stands still. */
  constructor(runtime: Pick<Runtime, "now" | "timer">, seconds: number) {
    this.#runtime = runtime;
    this.#seconds = seconds;
    this.#left = seconds;
  }

  /** Runs something and waits for it, as {@linkcode withDeadline} does. Can be called once. */
  async wait<T>(what: string, run: () => Awaitable<T>): Promise<T> {
    const running = run();
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

  /** Runs something and stands still meanwhile. */
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
    this.#cancel();
    this.#cancel = null;
    // A clock that was set back or forth in between gives or takes no more than there is.
    const spent = (this.#runtime.now() - this.#since) / 1000;
    this.#left = Math.min(Math.max(this.#left - spent, 0), this.#left);
  }
}

/** The parts of a runtime that {@linkcode pause} needs. */
export type PauseRuntime = Pick<Runtime, "random" | "timer">;

/** Waits between 0.5 and 1.5 times `seconds`, at random, so that those who collided do not collide again. */
export function pause({ random, timer }: PauseRuntime, seconds: number): Promise<void> {
  const [jitter = 0] = random(new Uint8Array(1));
  return new Promise((resolve) => void timer(seconds * (0.5 + jitter / 256), resolve));
}
