/**
 * Secrets as a developer wrote them.
 *
 * @module
 */

/** What a valid secret looks like, for messages. */
export const SECRET_FORM = "it must be a text that is not empty, or a list of such texts";

/**
 * What is wrong with a secret.
 *
 * Bytes are refused, because a list of numbers reads like a list of secrets, each of them guessed at once.
 *
 * @param given What was configured; `undefined` and `null` are not wrong but nothing.
 * @returns `empty` if there is no text in it, `malformed` if there is anything else, `null` if nothing is wrong.
 */
export function secretProblem(given: unknown): "empty" | "malformed" | null {
  if (given === undefined || given === null) return null;
  if (given === "") return "empty";
  if (typeof given === "string") return null;
  if (!Array.isArray(given)) return "malformed";
  // Copied, so that a hole becomes a member that can be looked at.
  const members: readonly unknown[] = [...given];
  if (members.every((member) => member === "")) return "empty";
  return members.every((member) => typeof member === "string" && member !== "") ? null : "malformed";
}

/** The secrets of an option, newest first; `null` if it was left out. Where something is wrong there are none. */
export function listSecrets(given: string | readonly string[] | null | undefined): readonly string[] | null {
  if (given === undefined || given === null) return null;
  if (secretProblem(given)) return [];
  return typeof given === "string" ? [given] : [...given];
}
