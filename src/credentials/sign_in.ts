/**
 * Signing in by what somebody typed.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { randomUuid } from "../crypto/random.ts";
import { AuthError, CallbackRouteError, CredentialsSignin } from "../kernel/errors.ts";
import { type Fields, requestWith } from "../http/body.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import type { User } from "../kernel/model.ts";
import type { Outcome } from "../request/outcome.ts";
import type { ResolvedCredentialsProvider } from "../config/resolved_provider.ts";
import { completeSignIn } from "../sign_in/complete.ts";

/** What a sign-in with credentials needs. */
export interface CredentialsInput {
  readonly provider: ResolvedCredentialsProvider;
  /** What was typed. */
  readonly fields: Fields;
  readonly redirectUrl: RedirectUrl;
}

/**
 * Asks `authorize` and completes the sign-in.
 *
 * @throws {CredentialsSignin} if `authorize` refuses.
 * @throws {CallbackRouteError} if it fails, if its user has no id while there is an adapter, or one that was rounded.
 */
export async function signInWithCredentials(ctx: RequestContext, input: CredentialsInput): Promise<Outcome> {
  const { provider, fields, redirectUrl: target } = input;
  const found = await authorize(ctx, provider, fields);
  // A list is what a query gives, also when it finds nobody.
  if (!found || typeof found !== "object" || Array.isArray(found)) {
    throw new CredentialsSignin("Cannot sign in: authorize refused");
  }
  const id = usableId(found.id) ?? idOfNobody(ctx);
  const user: User = { ...found, id };
  const account = { provider: provider.id, providerAccountId: id, type: "credentials" as const };
  return await completeSignIn(ctx, { method: "credentials", user, account, credentials: fields }, target);
}

async function authorize(
  ctx: RequestContext,
  { authorize }: ResolvedCredentialsProvider,
  fields: Fields,
): Promise<User | null | undefined> {
  try {
    return await authorize({ ...fields }, requestWith(ctx, fields));
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw new CallbackRouteError("Cannot sign in: authorize failed", { cause: error });
  }
}

// With storage, somebody without an id would be somebody new at every sign-in.
function idOfNobody({ config }: RequestContext): string {
  if (!config.storage) return randomUuid(config.runtime);
  throw new CallbackRouteError(
    "Cannot sign in: `authorize` returned a user without `id`. With an `adapter` it must return the id under which the " +
      "application keeps the user",
  );
}

function usableId(id: unknown): string | null {
  if (typeof id === "string" && id !== "") return id;
  if (typeof id !== "number" || !Number.isFinite(id)) return null;
  if (Math.abs(id) <= Number.MAX_SAFE_INTEGER) return String(id);
  throw new CallbackRouteError(
    "Cannot sign in: `authorize` returned a user whose `id` is a number beyond 2^53, which may have been rounded to " +
      "another user's. Return it as text, and read it as text from where it is kept",
  );
}
