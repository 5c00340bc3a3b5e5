/**
 * Signing in by what somebody typed.
 *
 * @module
 */
import type { RequestContext } from "../context.ts";
import { randomUuid } from "../crypto/random.ts";
import { AuthError, CallbackRouteError, CredentialsSignin } from "../errors.ts";
import { type Fields, requestWith } from "../http/body.ts";
import type { Target } from "../http/target.ts";
import type { User } from "../model.ts";
import type { Outcome } from "../outcome.ts";
import type { ResolvedCredentialsProvider } from "../resolved_provider.ts";
import { completeSignIn } from "../sign_in/complete.ts";

/** What a sign-in with credentials needs. */
export interface CredentialsInput {
  readonly provider: ResolvedCredentialsProvider;
  /** What was typed. */
  readonly fields: Fields;
  readonly target: Target;
}

/**
 * Asks `authorize` and completes the sign-in.
 *
 * @throws {CredentialsSignin} if `authorize` refuses.
 */
export async function signInWithCredentials(ctx: RequestContext, input: CredentialsInput): Promise<Outcome> {
  const { provider, fields, target } = input;
  const found = await authorize(ctx, provider, fields);
  // A list is what a query gives, also when it finds nobody.
  if (!found || typeof found !== "object" || Array.isArray(found)) {
    throw new CredentialsSignin("Cannot sign in: authorize refused");
  }
  const id = usableId(found.id) ?? randomUuid(ctx.config.runtime);
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

function usableId(id: unknown): string | null {
  if (typeof id === "string" && id !== "") return id;
  return typeof id === "number" && Number.isFinite(id) ? String(id) : null;
}
