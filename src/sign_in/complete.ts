/**
 * The tail that every way of signing in shares.
 *
 * @module
 */
import type { SignInCallbackParams } from "../contract/config.ts";
import type { RequestContext } from "../request/context.ts";
import { emit } from "../request/events.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { pageUrl } from "../request/links.ts";
import { type Outcome, redirectTo } from "../request/outcome.ts";
import type { User } from "../kernel/model.ts";
import { accountFor, type SignInAttempt } from "./attempt.ts";
import { signInWithStorage, type AskPermission } from "./with_storage.ts";
import { askPermission } from "./permission.ts";
import { toStorableUser } from "./storable.ts";

/**
 * Completes a sign-in: asks permission, makes user, account and session as far as they are kept, tells the browser,
 * tells the application.
 *
 * @param ctx The request.
 * @param proven Who it is.
 * @param target Where they go.
 * @throws {AccessDenied} if the application says no.
 * @throws {OAuthAccountNotLinked} if it may be somebody's account, and nothing proves it.
 * @throws {WebAuthnVerificationError} if a passkey is nobody's, or is to become somebody's without proof.
 * @throws {Verification} if the link in the mail is not good any more.
 * @throws {AdapterError} if storage fails; whoever starts again gets in.
 */
export async function completeSignIn(
  ctx: RequestContext,
  proven: SignInAttempt,
  target: RedirectUrl,
): Promise<Outcome> {
  const attempt = { ...proven, user: toStorableUser(proven.user) };
  const ask: AskPermission = (user, isSuperseded) => askPermission(ctx, paramsOf(attempt, user, isSuperseded));
  const { storage, session: { strategy } } = ctx.config;
  // What an application checks itself it also keeps itself, unless a stored session has to be somebody's.
  const isKept = storage !== null && (attempt.method !== "credentials" || strategy === "database");
  const admission = isKept ? await signInWithStorage(ctx, storage, attempt, ask) : await signInWithoutStorage(ctx, attempt, ask);
  if (!ctx.cookies.closed) ctx.cookies.clear("callbackUrl");
  if (admission.act === "redirect") return redirectTo(admission.to);
  const { user, account, isNewUser } = admission;
  const profile = attempt.method === "oauth" ? attempt.profile : undefined;
  await emit(ctx.config, "signIn", {
    user,
    account,
    ...(profile && { profile }),
    ...(isNewUser !== undefined && { isNewUser }),
  });
  const isWelcome = isNewUser && ctx.config.pages.newUser;
  return redirectTo(isWelcome ? pageUrl(ctx, "newUser", { callbackUrl: target }) : target);
}

async function signInWithoutStorage(
  ctx: RequestContext,
  attempt: SignInAttempt,
  ask: AskPermission,
): ReturnType<typeof signInWithStorage> {
  const { user, account } = attempt;
  const permission = await ask(user, false);
  if (permission.act === "redirect") return permission;
  const profile = attempt.method === "oauth" ? attempt.profile : undefined;
  ctx.sessions.write(ctx.cookies, await ctx.sessions.prepare({ user, account, profile }, ctx.cookies));
  return { act: "enter", user, account, isNewUser: undefined };
}

function paramsOf(attempt: SignInAttempt, user: User, isSuperseded: boolean): SignInCallbackParams {
  const account = accountFor(attempt, user);
  switch (attempt.method) {
    case "oauth":
      return { user, account, profile: attempt.profile };
    case "email":
    case "webauthn":
      return { user, account };
    case "credentials":
      return {
        user,
        account,
        credentials: attempt.credentials,
        ...(isSuperseded && { emailProvenElsewhere: true }),
      };
    default:
      return attempt satisfies never;
  }
}
