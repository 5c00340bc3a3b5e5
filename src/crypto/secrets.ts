/**
 * Secrets, as a developer configured them.
 *
 * @module
 */

import { InvalidConfig, MissingSecret } from "../kernel/errors.ts";
import { refuseWindow } from "../kernel/server_only.ts";

/** What a secret must be, for error messages. */
export const SECRET_FORM = "it must be text that is not empty, or a list of such texts";

/**
 * Returns what is wrong with a secret.
 *
 * Bytes are refused: they would be read as a list of secrets, each of them a number from 0 to 255.
 *
 * @param given What was configured. `undefined` and `null` count as not configured.
 * @returns `empty` if it holds no text but spaces, `malformed` if it holds anything but text, otherwise `null`.
 */
export function secretProblem(given: unknown): "empty" | "malformed" | null {
  if (given === undefined || given === null) return null;
  if (typeof given === "string") return given.trim() === "" ? "empty" : null;
  if (!Array.isArray(given)) return "malformed";
  // A copy turns holes of the list into members that `every()` visits.
  const members: readonly unknown[] = [...given];
  const problems = members.map((member) => typeof member === "string" ? secretProblem(member) : "malformed");
  if (problems.every((problem) => problem === "empty")) return "empty";
  return problems.every((problem) => problem === null) ? null : "malformed";
}

/** Returns the secrets of an option, newest first. `null` if it is not set, an empty list if it is wrong. */
export function listSecrets(given: string | readonly string[] | null | undefined): readonly string[] | null {
  if (given === undefined || given === null) return null;
  if (secretProblem(given)) return [];
  return typeof given === "string" ? [given] : [...given];
}

/**
 * Returns the secrets that a function was called with, newest first.
 *
 * @param what What they are for, such as `a session token`.
 * @throws {MissingSecret} if no secret is given.
 * @throws {InvalidConfig} if it holds anything but text, and in the window of a browser.
 */
export function assertSecrets(secret: string | readonly string[] | undefined, what: string): readonly string[] {
  refuseWindow();
  if (secretProblem(secret) === "malformed") throw new InvalidConfig(`Cannot use \`secret\`: ${SECRET_FORM}`);
  const secrets = listSecrets(secret);
  if (!secrets?.length) throw new MissingSecret(`Cannot use ${what} without a secret: set \`secret\``);
  return secrets;
}
