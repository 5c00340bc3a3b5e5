/**
 * Lets a sign-in go on that waited for a second proof.
 *
 * @module
 */
import { asAppUrl } from "../http/redirect_url.ts";
import { AccessDenied } from "../kernel/errors.ts";
import type { RequestContext } from "../request/context.ts";
import { homeUrl } from "../request/links.ts";
import type { Outcome } from "../request/outcome.ts";
import { completeSignIn } from "./complete.ts";
import { findPending, resumable } from "./pending.ts";

/**
 * Completes a sign-in after its second proof. Everything is decided again.
 *
 * @param methods What the second proof was, as RFC 8176 names it, with `mfa`.
 * @throws {AccessDenied} if no sign-in of this browser waits.
 */
export async function resumeSignIn(ctx: RequestContext, methods: readonly string[]): Promise<Outcome> {
  const found = await findPending(ctx);
  if (!found) throw new AccessDenied("Cannot sign in: nothing waits for a second proof in this browser");
  const { attempt, redirectUrl, key, isNewUser } = found;
  const given = [...new Set([...found.methods, ...methods])];
  const to = asAppUrl(redirectUrl, ctx.url.origin, ctx.config.redirectSchemes) ?? homeUrl(ctx);
  return await completeSignIn(ctx, resumable(attempt), to, { key, isNewUser, methods: given });
}
