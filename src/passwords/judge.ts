/**
 * Whether somebody may choose a password.
 *
 * @see {@link https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver | NIST SP 800-63B-4, section 3.1.1.2}
 * @module
 */
import type { AuthError } from "../kernel/errors.ts";
import type { BreachRuntime } from "./breach.ts";
import { isCommon } from "./common.ts";
import type { PasswordSettings } from "./settings.ts";

/** What is wrong with a password. */
export type PasswordFault = "short" | "long" | "common" | "breached";

/** What was found out about a password. */
export interface JudgedPassword {
  /** `null`: it may be chosen. */
  readonly fault: PasswordFault | null;
  /** Why nobody could say whether it has leaked, for the log. */
  readonly error: AuthError | null;
}

/**
 * Judges a password that somebody chooses.
 *
 * @param words Names and addresses that whoever guesses knows: of the site, and of the person.
 */
export async function judgePassword(
  { length, breached }: Pick<PasswordSettings, "length" | "breached">,
  text: string,
  { words, runtime }: { readonly words: readonly string[]; readonly runtime: BreachRuntime },
): Promise<JudgedPassword> {
  const fault = lengthFault(length, text) ?? (await isCommon(text, words) ? "common" : null);
  if (fault || !breached) return { fault, error: null };
  const answer = await breached.check(text, runtime);
  return {
    fault: answer.kind === "breached" ? "breached" : null,
    error: answer.kind === "unknown" ? answer.error : null,
  };
}

/** Whether a password is too short or too long. No keyboard makes a lone surrogate, and as bytes they are all the same. */
export function lengthFault(
  { min, max }: PasswordSettings["length"],
  text: string,
): Extract<PasswordFault, "short" | "long"> | null {
  // Code points, as NIST counts. Anything else is longer, so most of a flood is not counted.
  if (text.length > 2 * max) return "long";
  if (!text.isWellFormed()) return "short";
  const { length } = [...text.normalize("NFC")];
  return length < min ? "short" : length > max ? "long" : null;
}
