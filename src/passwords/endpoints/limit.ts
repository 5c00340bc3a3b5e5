/**
 * Limits how often somebody may have hashes made: each costs tens of milliseconds of a processor.
 *
 * @module
 */
import type { ResolvedPasswordProvider } from "../../config/password_provider.ts";
import { AccessDenied, TooManyAttempts } from "../../kernel/errors.ts";
import type { RequestContext } from "../../request/context.ts";
import { type Mailing, mayGuess, mayMail } from "../../request/points.ts";
import type { EndpointInput } from "./own.ts";
import { limitedBy, type Problem } from "./view.ts";

/** Somebody who wants something that is limited. */
export interface Wish {
  /** The address that it is about. */
  readonly email: string;
  readonly fields: EndpointInput["fields"];
}

/** Judges somebody who has the link of an email, or wants one. What it costs is not given back. */
export async function judgeStranger(
  ctx: RequestContext,
  provider: ResolvedPasswordProvider,
  wish: Wish,
): Promise<Problem | null> {
  return await judge(ctx, provider, { ...wish, kind: "registration" });
}

/** Judges somebody who is signed in, by what is left of their own guesses. */
export async function judgeOwner(
  ctx: RequestContext,
  provider: ResolvedPasswordProvider,
  wish: Wish,
): Promise<Problem | null> {
  return await judge(ctx, provider, { ...wish, kind: "password" });
}

async function judge(
  ctx: RequestContext,
  { id: provider }: ResolvedPasswordProvider,
  { kind, email: subject, fields }: Wish & { readonly kind: "registration" | "password" },
): Promise<Problem | null> {
  const allowed = await orLimited(() => mayGuess(ctx, { kind, provider, subject, fields }));
  if (allowed === null) throw new AccessDenied("Cannot choose a password: a feature refuses");
  return "problem" in allowed ? allowed : null;
}

/** Judges an email that somebody asks for, who may be anybody. */
export async function judgeMail(
  ctx: RequestContext,
  { id: provider }: ResolvedPasswordProvider,
  { email: address, fields }: Wish,
): Promise<Mailing | Problem> {
  return await orLimited(() => mayMail(ctx, { provider, address, fields }));
}

async function orLimited<T>(run: () => Promise<T>): Promise<T | Problem> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof TooManyAttempts) return limitedBy(error);
    throw error;
  }
}
