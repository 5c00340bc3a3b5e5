/**
 * What somebody gets who has to prove who they are before they see a page of their own.
 *
 * @module
 */
import type { RedirectUrl } from "../http/redirect_url.ts";
import type { RequestContext } from "./context.ts";
import { actionUrl, pageUrl, wantsPage } from "./links.ts";
import { json, type Outcome, redirectTo } from "./outcome.ts";
import { rememberRedirectUrl } from "./redirect.ts";

/** Sends somebody to the sign-in page, and back afterwards. */
export function signInFirst(ctx: RequestContext, callbackUrl: RedirectUrl): Outcome {
  const error = "SessionRequired";
  const url = pageUrl(ctx, "signIn", { callbackUrl, error });
  // A script that only asks leads nobody anywhere.
  if (!wantsPage(ctx.request)) return json({ error, url }, 401);
  rememberRedirectUrl(ctx, callbackUrl);
  return redirectTo(url);
}

/** Sends somebody to the page that asks for a second proof, and back afterwards. */
export function proveMoreFirst(ctx: RequestContext, callbackUrl: RedirectUrl): Outcome {
  const url = actionUrl(ctx, "challenge", { callbackUrl });
  return wantsPage(ctx.request) ? redirectTo(url) : json({ error: "StepUpRequired", url }, 401);
}
