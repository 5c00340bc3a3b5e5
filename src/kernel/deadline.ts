/**
 * Waiting no longer than a deadline.
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
