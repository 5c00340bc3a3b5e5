/**
 * Asking whether a password has leaked.
 *
 * @module
 */
import type { AuthError } from "../kernel/errors.ts";
import type { Runtime } from "../kernel/runtime.ts";

/** What is known of a password. `unknown`: it could not be asked; the error is for the log, and the password is accepted. */
export type BreachAnswer =
  | { readonly kind: "breached"; readonly count: number }
  | { readonly kind: "clear" }
  | { readonly kind: "unknown"; readonly error: AuthError };

/** What a check may use. */
export type BreachRuntime = Pick<Runtime, "fetch" | "now" | "timer">;

/** Asks whether a password has leaked. It never fails. */
export interface BreachCheck {
  /** Its name, for the log. */
  readonly id: string;
  /** Asks. */
  check(text: string, runtime: BreachRuntime): Promise<BreachAnswer>;
}
