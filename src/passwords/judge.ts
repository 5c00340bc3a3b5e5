/**
 * Whether somebody may choose a password.
 *
 * @see {@link https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver | NIST SP 800-63B-4, section 3.1.1.2}
 * @module
 */
import { withDeadline } from "../kernel/deadline.ts";
import { type AuthError, CallbackRouteError, Timeout } from "../kernel/errors.ts";
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

/** What a password is judged with. */
export interface Judging {
  /** Names and addresses that whoever guesses knows: of the site, and of the person. */
  readonly words: readonly string[];
  readonly runtime: BreachRuntime;
  readonly timeouts: { readonly total: number; readonly request: number };
}

/** Judges a password that somebody chooses. */
export async function judgePassword(
  { length, breached }: Pick<PasswordSettings, "length" | "breached">,
  text: string,
  judging: Judging,
): Promise<JudgedPassword> {
  const fault = lengthFault(length, text) ?? (await isCommon(text, judging.words) ? "common" : null);
  if (fault || !breached) return { fault, error: null };
  const answer = await ask(breached, text, judging);
  return {
    fault: answer.kind === "breached" ? "breached" : null,
    error: answer.kind === "unknown" ? answer.error : null,
  };
}

/** The share of the time of an answer in which it is asked: the hash has to be made, too. */
const PATIENCE = 1 / 2;

// A check of somebody's own may fail all the same, and nobody could register then. What it throws may have the password.
async function ask(check: BreachCheck, text: string, { runtime, timeouts }: Judging): Promise<BreachAnswer> {
  const seconds = Math.min(timeouts.request, timeouts.total * PATIENCE);
  let what = "it returned no answer";
  try {
    const run = () => check.check(text, runtime);
    const answer: BreachAnswer | null | undefined = await withDeadline(runtime, seconds, "`breached`", run);
    if (answer && KINDS.has(answer.kind)) return answer;
  } catch (thrown) {
    what = thrown instanceof Timeout
      ? `it took longer than ${seconds} s`
      : thrown instanceof Error
      ? `it threw ${thrown.name}`
      : "it threw";
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
