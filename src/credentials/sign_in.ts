/**
 * Signing in with credentials, such as a password. The application checks them.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
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
 * @throws {CallbackRouteError} if `authorize` fails, or returns a user whose `id` is missing or was rounded.
 */
export async function signInWithCredentials(ctx: RequestContext, input: CredentialsInput): Promise<Outcome> {
  const { provider, fields, redirectUrl } = input;
  const found = await authorize(ctx, provider, fields);
  const user = readUser(ctx, provider, found);
  const account = { provider: provider.id, providerAccountId: user.id, type: "credentials" as const };
  return await completeSignIn(ctx, { method: "credentials", user, account, credentials: fields }, redirectUrl);
}

// Without a deadline of its own: the deadline of the request covers it.
async function authorize(
  ctx: RequestContext,
  { authorize }: ResolvedCredentialsProvider,
  fields: Fields,
): Promise<unknown> {
  try {
    return await authorize({ ...fields }, requestWith(ctx, fields));
  } catch (error) {
    const known = asKnownError(error);
    if (known) throw known;
    throw new CallbackRouteError("Cannot sign in: `authorize` failed", { cause: error, logCode: "callback-threw" });
  }
}
