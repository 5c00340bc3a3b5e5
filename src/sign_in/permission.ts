/**
 * Asking the application whether somebody may sign in.
 *
 * @module
 */
import type { SignInCallbackParams } from "../contract/config.ts";
import type { RequestContext } from "../request/context.ts";
import { AccessDenied, AuthError } from "../kernel/errors.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { applyRedirectCallback } from "./redirect.ts";

/** What the application answered. */
export type Permission = { readonly act: "enter" } | { readonly act: "redirect"; readonly to: RedirectUrl };

/**
 * Asks the `signIn` callback; its answer counts the same for every way of signing in.
 *
 * @throws {AccessDenied} unless it answers `true` or a URL, and without a callback if the address was proven by somebody
 * else since.
 */
export async function askPermission(
  ctx: Pick<RequestContext, "config" | "url">,
  params: SignInCallbackParams,
): Promise<Permission> {
  const { signIn } = ctx.config.callbacks;
  if (!signIn) {
    if (!params.emailProvenElsewhere) return { act: "enter" };
    throw new AccessDenied(
      "Cannot sign in with credentials: the address of this user was proven by somebody else since they opened it. Set " +
        "`callbacks.signIn`, which is told `emailProvenElsewhere`, to let in who may",
    );
  }
  const answer = await ask(signIn, params);
  if (answer === true) return { act: "enter" };
  if (typeof answer === "string" && answer !== "") {
    return { act: "redirect", to: await applyRedirectCallback(ctx, answer) };
  }
  throw new AccessDenied("Cannot sign in: callbacks.signIn did not answer true");
}

async function ask(
  signIn: (params: SignInCallbackParams) => unknown,
  params: SignInCallbackParams,
): Promise<unknown> {
  try {
    return await signIn(params);
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw new AccessDenied("Cannot sign in: callbacks.signIn failed", { cause: error });
  }
}
