/**
 * A new password, as somebody has typed it.
 *
 * @module
 */
import type { ResolvedPasswordProvider } from "../../config/password_provider.ts";
import { Overloaded } from "../../kernel/errors.ts";
import type { RequestContext } from "../../request/context.ts";
import type { PasswordProblem } from "../../request/password_views.ts";
import { judgePassword } from "../judge.ts";
import { comparePassword, passwordHash } from "../work.ts";

/** A password that may be used, or what is wrong with it. */
export type Chosen =
  | { readonly hash: string }
  | { readonly problem: PasswordProblem; readonly retryAfter?: number };

/** What a password is judged by. */
export interface Choice {
  readonly text: unknown;
  /** The address of its owner, and their name. */
  readonly words: readonly string[];
  /** The hash of the password that it replaces: the same one again is refused. @default it is not compared */
  readonly replaced?: string | null;
}

/** Judges a password, and makes its hash. That a check of leaked passwords does not answer is logged. */
export async function choosePassword(
  ctx: RequestContext,
  provider: ResolvedPasswordProvider,
  { text, words, replaced = null }: Choice,
): Promise<Chosen> {
  const typed = typeof text === "string" ? text : "";
  const { config: { theme, runtime, timeouts, logger }, url } = ctx;
  const { passwords } = provider;
  const known = [...words, url.hostname, typeof theme.name === "string" ? theme.name : ""];
  const { fault, error } = await judgePassword(passwords, typed, { words: known, runtime, timeouts });
  if (error) logger.error(error, ctx);
  if (fault) return { problem: fault };
  try {
    if (replaced !== null) {
      const { verdict } = await comparePassword(passwords, runtime, { text: typed, stored: replaced });
      if (verdict !== "no") return { problem: "reused" };
    }
    return { hash: await passwordHash(passwords, runtime).make(typed) };
  } catch (error) {
    if (!(error instanceof Overloaded)) throw error;
    return { problem: "busy", retryAfter: error.retryAfter };
  }
}
