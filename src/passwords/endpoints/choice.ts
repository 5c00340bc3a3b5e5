/**
 * A new password, as somebody has typed it.
 *
 * @module
 */
import { Overloaded } from "../../kernel/errors.ts";
import type { RequestContext } from "../../request/context.ts";
import type { PasswordProblem } from "../../request/password_views.ts";
import { isCommon } from "../common.ts";
import type { ResolvedPasswordProvider } from "../../config/password_provider.ts";
import { hashOf } from "./own.ts";

/** A password that may be used, or what is wrong with it. */
export type Chosen =
  | { readonly kind: "fits"; readonly hash: string }
  | { readonly kind: "refused"; readonly problem: PasswordProblem; readonly retryAfter?: number };

/** What a password is judged by. */
export interface Choice {
  readonly text: unknown;
  /** The address of its owner, and their name. */
  readonly words: readonly string[];
  /** The hash of the password that it replaces: the same one again is refused. */
  readonly replaced?: string | null;
}

/**
 * Judges the length of a password, which needs nothing but the password.
 *
 * Its characters are counted, as somebody sees them: not its bytes, and not what JavaScript counts.
 */
export function judgeLength(
  { passwords }: Pick<ResolvedPasswordProvider, "passwords">,
  text: unknown,
): Extract<PasswordProblem, "short" | "long"> | null {
  const { min, max } = passwords.length;
  // What can only be too long is not counted.
  if (typeof text === "string" && text.length > LONGEST * max) return "long";
  const characters = typeof text === "string" && text.isWellFormed() ? [...text.normalize("NFC")].length : 0;
  if (characters < min) return "short";
  return characters > max ? "long" : null;
}

/** The most that a character takes in a text that is not composed yet, in UTF-16. */
const LONGEST = 8;

/** Judges a password, and makes its hash. That a check of leaked passwords does not answer is logged. */
export async function choosePassword(
  ctx: RequestContext,
  provider: ResolvedPasswordProvider,
  { text, words, replaced = null }: Choice,
): Promise<Chosen> {
  const problem = judgeLength(provider, text);
  if (problem) return { kind: "refused", problem };
  const typed = String(text);
  const { config: { theme, runtime, logger }, url } = ctx;
  if (await isCommon(typed, [...words, url.hostname, theme.name ?? ""])) return { kind: "refused", problem: "common" };
  const { breached } = provider.passwords;
  const hash = hashOf(ctx, provider);
  const known = await breached?.check(typed, runtime);
  if (known?.kind === "breached") return { kind: "refused", problem: "breached" };
  if (known?.kind === "unknown") logger.error(known.error, ctx);
  try {
    if (replaced !== null && await hash.verify(typed, replaced) !== "no") return { kind: "refused", problem: "reused" };
    return { kind: "fits", hash: await hash.make(typed) };
  } catch (error) {
    if (!(error instanceof Overloaded)) throw error;
    return { kind: "refused", problem: "busy", retryAfter: error.retryAfter };
  }
}
