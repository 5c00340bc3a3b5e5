/**
 * The refusal to run in a browser: the error of a bundler, and otherwise of the service itself.
 *
 * @module
 */
import { InvalidConfig } from "./errors.ts";
import { isWindow } from "./runtime.ts";

/** What is wrong, and what to do. The npm package has it as the name of a file, so it holds no mark that a bundler reads. */
export const SERVER_ONLY =
  "@x/auth belongs on the server, because code for browsers shows your secrets to everybody, so import @x/auth/client there";

/**
 * Refuses to run in the window of a browser, where everybody reads what the service was given.
 *
 * @throws {InvalidConfig} there.
 */
export function refuseWindow(): void {
  if (isWindow()) throw new InvalidConfig(SERVER_ONLY);
}
