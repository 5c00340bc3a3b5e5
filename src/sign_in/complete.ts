/**
 * The tail that every way of signing in shares.
 *
 * @module
 */
import type { RequestContext } from "../context.ts";
import { emit } from "../events.ts";
import type { Target } from "../http/target.ts";
import { type Outcome, redirectTo } from "../outcome.ts";
import type { SignInAttempt } from "./attempt.ts";
import { permit } from "./permit.ts";

/**
 * Completes a sign-in: asks permission, makes the session, tells the browser, tells the application.
 *
 * @param ctx The request.
 * @param attempt Who it is.
 * @param target Where they go.
 * @throws {AccessDenied} if the application says no.
 */
export async function completeSignIn(ctx: RequestContext, attempt: SignInAttempt, target: Target): Promise<Outcome> {
  const permission = await permit(ctx, attempt);
  ctx.cookies.clear("callbackUrl");
  if (permission.act === "redirect") return redirectTo(permission.to);
  const { user, account } = attempt;
  const profile = attempt.method === "oauth" ? attempt.profile : undefined;
  const prepared = await ctx.sessions.prepare({ user, account, profile }, ctx.cookies);
  ctx.sessions.write(ctx.cookies, prepared);
  await emit(ctx.config, "signIn", { user, account, ...(profile && { profile }) });
  return redirectTo(target);
}
