/**
 * Whether somebody may choose a password.
 *
 * @see {@link https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver | NIST SP 800-63B-4, section 3.1.1.2}
 * @module
 */
import { type AuthError, CallbackRouteError } from "../kernel/errors.ts";
import type { BreachAnswer, BreachCheck, BreachRuntime } from "./breach.ts";
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
  const answer = await ask(breached, text, runtime);
  return {
    fault: answer.kind === "breached" ? "breached" : null,
    error: answer.kind === "unknown" ? answer.error : null,
  };
}

// A check of somebody's own may fail all the same, and nobody could register then. What it throws may have the password.
async function ask(check: BreachCheck, text: string, runtime: BreachRuntime): Promise<BreachAnswer> {
  let what = "it returned no answer";
  try {
    const answer: BreachAnswer | null | undefined = await check.check(text, runtime);
    if (answer && KINDS.has(answer.kind)) return answer;
  } catch (thrown) {
    what = thrown instanceof Error ? `it threw ${thrown.name}` : "it threw";
  }
  const message = `Cannot ask \`breached\` of provider "password" whether a password has leaked: ${what}`;
  return { kind: "unknown", error: new CallbackRouteError(message, { logCode: "callback-threw" }) };
}

const KINDS: ReadonlySet<BreachAnswer["kind"]> = new Set(["breached", "clear", "unknown"]);

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
