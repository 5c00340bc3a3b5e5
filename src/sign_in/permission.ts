/**
 * Asks the application whether a user may sign in.
 *
 * @module
 */
import type { SignInCallbackParams } from "../contract/config.ts";
import type { RequestContext } from "../request/context.ts";
import { AccessDenied } from "../kernel/errors.ts";
import { asKnownError } from "../kernel/known_errors.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { applyRedirectCallback } from "../request/redirect.ts";

/** The answer of the application. */
export type Permission = { readonly act: "enter" } | { readonly act: "redirect"; readonly to: RedirectUrl };

/**
 * Calls `callbacks.signIn`. Its answer means the same for every method.
 *
 * @throws {AccessDenied} unless it answers `true` or a URL; without a callback, if `emailProvenElsewhere` is set.
 */
export async function askPermission(
  ctx: Pick<RequestContext, "config" | "request" | "url" | "warn">,
  params: SignInCallbackParams,
): Promise<Permission> {
  const { signIn } = ctx.config.callbacks;
  if (!signIn) {
    if (!params.emailProvenElsewhere) return { act: "enter" };
    throw new AccessDenied(
      "Cannot sign in with credentials: somebody else has verified this user's address since these credentials were " +
        "last used. Set `callbacks.signIn` and check `emailProvenElsewhere` to decide who may sign in",
    );
  }
  const answer = await callSignIn(signIn, params);
  if (answer === true) return { act: "enter" };
  if (typeof answer === "string" && answer !== "") {
    return { act: "redirect", to: await applyRedirectCallback(ctx, answer) };
  }
  if (answer === undefined) {
    throw new AccessDenied(
      "Cannot sign in: `callbacks.signIn` returned undefined: it must return true, or false to refuse, or a URL",
      { logCode: "callback-result" },
    );
  }
  throw new AccessDenied("Cannot sign in: `callbacks.signIn` did not return true", { logCode: "sign-in-denied" });
}

async function callSignIn(
  signIn: (params: SignInCallbackParams) => unknown,
  params: SignInCallbackParams,
): Promise<unknown> {
  try {
    return await signIn(params);
  } catch (error) {
    throw asKnownError(error) ??
      new AccessDenied("Cannot sign in: `callbacks.signIn` failed", { cause: error, logCode: "callback-threw" });
  }
}
