/**
 * Waiting before another attempt.
 *
 * @module
 */
import type { Runtime } from "./runtime.ts";

/** What waiting needs. */
export type PauseRuntime = Pick<Runtime, "random" | "timer">;

/** Waits between 0.5 and 1.5 times `seconds`, at random, so that those who collided do not collide again. */
export function pause({ random, timer }: PauseRuntime, seconds: number): Promise<void> {
  const [jitter = 0] = random(new Uint8Array(1));
  return new Promise((resolve) => void timer(seconds * (0.5 + jitter / 256), resolve));
}
