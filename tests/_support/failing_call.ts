/**
 * Storage of which one call fails.
 *
 * @module
 */
import type { Adapter } from "@x/auth";

/** Lets one call of an adapter fail: before it does anything, or after it was done. */
export class FailingCall {
  /** The names of the calls since it was armed. */
  calls: string[] = [];
  #failing = -1;
  #does = false;

  /** Chooses the call, by its index from now on. */
  arm(at: number, does: boolean): void {
    [this.#failing, this.#does, this.calls] = [at, does, []];
  }

  disarm(): void {
    this.#failing = -1;
  }

  around(adapter: Adapter): Adapter {
    return Object.fromEntries(
      Object.entries(adapter).map(([name, operation]) => [name, async (...args: unknown[]) => {
        const fails = this.calls.push(name) - 1 === this.#failing;
        if (fails && !this.#does) throw new Error("storage is down");
        const result = await (operation as (...args: unknown[]) => unknown)(...args);
        if (fails) throw new Error("the connection broke");
        return result;
      }]),
    );
  }
}
