/**
 * Signing in with credentials, such as a password. The application checks them.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { CallbackRouteError } from "../kernel/errors.ts";
import { asKnownError } from "../kernel/known_errors.ts";
import { type Fields, requestWith } from "../http/body.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import type { Outcome } from "../request/outcome.ts";
import type { ResolvedCredentialsProvider } from "../config/resolved_provider.ts";
import { completeSignIn } from "../sign_in/complete.ts";
import { readUser } from "./user.ts";

/** What {@linkcode signInWithCredentials} needs. */
export interface CredentialsInput {
  readonly provider: ResolvedCredentialsProvider;
  /** The form. */
  readonly fields: Fields;
  /** Where the browser goes after the sign-in. */
  readonly redirectUrl: RedirectUrl;
}

/**
 * Calls `authorize` and completes the sign-in.
 *
 * @throws {CredentialsSignin} if `authorize` refuses, or returns something that is no user.
 * @throws {Timeout} if `authorize` takes longer than `timeouts.authorize`.
 * @throws {CallbackRouteError} if `authorize` fails, or returns a user whose `id` is missing or was rounded.
 */
export async function signInWithCredentials(ctx: RequestContext, input: CredentialsInput): Promise<Outcome> {
  const { provider, fields, redirectUrl } = input;
  const found = await authorize(ctx, provider, fields);
  const user = readUser(ctx, provider, found);
  const account = { provider: provider.id, providerAccountId: user.id, type: "credentials" as const };
  return await completeSignIn(ctx, { method: "credentials", user, account, credentials: fields }, redirectUrl);
}

// With a deadline of its own: it may ask a slow directory, or compute a slow digest.
async function authorize(
  ctx: RequestContext,
  { authorize }: ResolvedCredentialsProvider,
  fields: Fields,
): Promise<unknown> {
  try {
    const { runtime, timeouts } = ctx.config;
    const run = () => {
      return withDeadline(runtime, timeouts.authorize, "`authorize`", () => {
        return authorize({ ...fields }, requestWith(ctx, fields));
      });
    };
    return await (ctx.deadline ? ctx.deadline.hold(run) : run());
  } catch (error) {
    const known = asKnownError(error);
    if (known) throw known;
    throw new CallbackRouteError("Cannot sign in: `authorize` failed", { cause: error, logCode: "callback-threw" });
  }
}
