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
  let cancel = (): void => {};
  const late = new Promise<never>((_, reject) => {
    cancel = timer(seconds, () => reject(new Timeout(`Cannot wait for ${what}: it took longer than ${seconds} s`)));
  });
  try {
    return await Promise.race([run(), late]);
  } finally {
    cancel();
  }
}

/** Waits for half to one and a half times as long, so that those who failed together do not come back together. */
export function pause({ random, timer }: Pick<Runtime, "random" | "timer">, seconds: number): Promise<void> {
  const [jitter = 0] = random(new Uint8Array(1));
  return new Promise((resolve) => void timer(seconds * (0.5 + jitter / 256), resolve));
}
