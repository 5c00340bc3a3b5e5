/**
 * Asking whether a password has leaked.
 *
 * @module
 */
import type { AuthError } from "../kernel/errors.ts";

/** What is known of a password. `unknown`: it could not be asked; the error is for the log, and the password is accepted. */
export type BreachAnswer =
  | { readonly kind: "breached"; readonly count: number }
  | { readonly kind: "clear" }
  | { readonly kind: "unknown"; readonly error: AuthError };

/** What a check may use. */
export interface BreachRuntime {
  /** Milliseconds since 1970. */
  now(): number;
  /** Sends a request, as the global `fetch` does. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Calls a function once after some seconds. Returns a function that cancels it. */
  timer(seconds: number, run: () => void): () => void;
}

/** Asks whether a password has leaked. Where it fails all the same, the password is accepted, and the log says so. */
export interface BreachCheck {
  /** Its name, for the log. */
  readonly id: string;
  /** Asks. */
  check(text: string, runtime: BreachRuntime): Promise<BreachAnswer>;
}
