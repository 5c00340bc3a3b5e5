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

/** The parts of a runtime that {@linkcode pause} needs. */
export type PauseRuntime = Pick<Runtime, "random" | "timer">;

/** Waits between 0.5 and 1.5 times `seconds`, at random, so that those who collided do not collide again. */
export function pause({ random, timer }: PauseRuntime, seconds: number): Promise<void> {
  const [jitter = 0] = random(new Uint8Array(1));
  return new Promise((resolve) => void timer(seconds * (0.5 + jitter / 256), resolve));
}
