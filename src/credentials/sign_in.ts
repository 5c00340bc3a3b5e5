/**
 * Signing in with credentials, such as a password. The application checks them.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { randomUuid } from "../crypto/random.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { CallbackRouteError, CredentialsSignin } from "../kernel/errors.ts";
import { asKnownError } from "../kernel/known_errors.ts";
import { type Fields, requestWith } from "../http/body.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import type { User } from "../kernel/model.ts";
import type { Outcome } from "../request/outcome.ts";
import type { ResolvedCredentialsProvider } from "../config/resolved_provider.ts";
import { completeSignIn } from "../sign_in/complete.ts";

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
 * @throws {CredentialsSignin} if `authorize` refuses.
 * @throws {Timeout} if `authorize` takes longer than `timeouts.authorize`.
 * @throws {CallbackRouteError} if `authorize` fails, or returns a user whose `id` is missing or was rounded.
 */
export async function signInWithCredentials(ctx: RequestContext, input: CredentialsInput): Promise<Outcome> {
  const { provider, fields, redirectUrl } = input;
  const found = await authorize(ctx, provider, fields);
  // An array is the result of a query, which may be empty: it does not name a user.
  if (!found || typeof found !== "object" || Array.isArray(found)) {
    throw new CredentialsSignin("Cannot sign in: `authorize` refused");
  }
  const id = readId(found.id) ?? makeId(ctx);
  const user: User = { ...found, id };
  const account = { provider: provider.id, providerAccountId: id, type: "credentials" as const };
  return await completeSignIn(ctx, { method: "credentials", user, account, credentials: fields }, redirectUrl);
}

// With a deadline of its own: it may ask a slow directory, or compute a slow digest.
async function authorize(
  ctx: RequestContext,
  { authorize }: ResolvedCredentialsProvider,
  fields: Fields,
): Promise<User | null | undefined> {
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

// With storage, a user without an id would be a new user at every sign-in.
function makeId({ config }: RequestContext): string {
  if (!config.storage) return randomUuid(config.runtime);
  throw new CallbackRouteError(
    "Cannot sign in: `authorize` returned a user without `id`. With `adapter`, return the id that your application " +
      "stores the user under",
  );
}

function readId(id: unknown): string | null {
  if (typeof id === "string" && id !== "") return id;
  if (typeof id !== "number" || !Number.isFinite(id)) return null;
  if (Math.abs(id) <= Number.MAX_SAFE_INTEGER) return String(id);
  throw new CallbackRouteError(
    "Cannot sign in: `authorize` returned a user whose `id` is a number beyond 2^53, so it may have been rounded to " +
      "another user's. Read it as a string from your database and return that",
  );
}
