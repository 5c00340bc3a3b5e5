/**
 * Who has to give a second proof in a browser, and why.
 *
 * @module
 */
import type { AdapterUser } from "../kernel/model.ts";
import type { ProofMethod } from "../request/factor_views.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { asAppUrl } from "../http/redirect_url.ts";
import type { RequestContext } from "../request/context.ts";
import { homeUrl } from "../request/links.ts";
import { mailerOf } from "../request/mailer.ts";
import type { PointInput } from "../request/points.ts";
import { chooseRedirectUrl } from "../request/redirect.ts";
import { requireStorage } from "../request/require_storage.ts";
import { authenticationOf } from "../session_stores/authentication.ts";
import type { ActiveSession } from "../session_stores/session_store.ts";
import type { SignInAttempt } from "../sign_in/attempt.ts";
import { findSessionUser, openSession } from "../sign_in/current.ts";
import { findPending, type FoundPending } from "../sign_in/pending.ts";
import { isEmailProven } from "../sign_in/proven.ts";
import { withMark } from "../sign_in/verification.ts";
import { availableMethods } from "./available.ts";
import { factorsOf, isOn } from "./factors.ts";
import { passkeyProviderOf } from "./passkey.ts";
import type { SecondFactorSettings } from "./settings.ts";

/** Somebody who has to give a second proof. */
export interface Prover {
  /** Id of the user; `null` if there is no such user yet, so that nothing can be proven. */
  readonly userId: string | null;
  /** The user, if they are stored. */
  readonly user: AdapterUser | null;
  /** What an email code is good for: the sign-in that waits, or the user. */
  readonly binding: string;
  readonly beganByMail: boolean;
  /** What may prove it, as RFC 8176 names it. */
  readonly missing: readonly string[];
  /** Where the browser goes in the end. */
  readonly redirectUrl: RedirectUrl;
  /** The session that is raised; `null` if a sign-in waits. */
  readonly active: ActiveSession | null;
}

/** Finds them: a sign-in that waits comes first, then somebody who is signed in. `null` if there is neither. */
export async function findProver(
  ctx: RequestContext,
  { query, fields }: Pick<PointInput, "query" | "fields">,
): Promise<Prover | null> {
  const pending = await findPending(ctx);
  if (pending) return await waiting(ctx, pending);
  const storage = requireStorage(ctx);
  const active = await openSession(ctx);
  const user = active && await findSessionUser(ctx.config, storage, active);
  if (!user) return null;
  const { provider, methods } = authenticationOf(active);
  const type = provider === undefined ? undefined : ctx.config.providers.get(provider)?.type;
  return {
    userId: user.id,
    user: await withMark(storage, user),
    binding: `user:${user.id}`,
    beganByMail: type === undefined ? methods.includes("mail") : type === "email",
    missing: wanted(query),
    redirectUrl: await chooseRedirectUrl(ctx, fields.callbackUrl ?? query.get("callbackUrl") ?? undefined),
    active,
  };
}

async function waiting(ctx: RequestContext, pending: FoundPending): Promise<Prover> {
  const { attempt, missing, redirectUrl, key } = pending;
  const storage = requireStorage(ctx);
  const userId = pending.userId ?? unstoredIdOf(ctx, attempt);
  return {
    userId,
    // The application may know its users by the ids of those that are stored.
    user: userId === null ? null : await withMark(storage, await storage.findUser(userId) ?? null),
    binding: `pending:${key.id}`,
    beganByMail: attempt.method === "email",
    missing,
    redirectUrl: asAppUrl(redirectUrl, ctx.url.origin, ctx.config.redirectSchemes) ?? homeUrl(ctx),
    active: null,
  };
}

// A user of credentials is not stored where sessions are sealed. The factors are asked for by this id, too.
function unstoredIdOf({ config: { session } }: RequestContext, { method, user }: SignInAttempt): string | null {
  return method === "credentials" && session.strategy === "jwt" ? user.id ?? null : null;
}

// What a page asks for, such as `hwk swk`. Whoever asks judges the session again, so this only chooses what is offered.
function wanted(query: URLSearchParams): readonly string[] {
  const methods = (query.get("methods") ?? "").split(/[\s,]+/).filter((method) => method !== "");
  return methods.length > 0 ? methods : ["mfa"];
}

/** Lists the ways that they have, best first. */
export async function methodsFor(
  ctx: RequestContext,
  { userId, user, beganByMail, missing }: Prover,
  { methods: chosen }: SecondFactorSettings,
): Promise<readonly ProofMethod[]> {
  if (userId === null) return [];
  const { config } = ctx;
  const takesPasskeys = passkeyProviderOf(config) !== null;
  const looksForPasskeys = user !== null && takesPasskeys && chosen.includes("passkey");
  const [factors, passkeys] = await Promise.all([
    factorsOf(config, userId),
    looksForPasskeys ? requireStorage(ctx).listAuthenticatorsByUserId(userId) : [],
  ]);
  return availableMethods({
    chosen,
    isOn: isOn(factors),
    hasTotp: factors.some(({ type, isConfirmed }) => type === "totp" && isConfirmed),
    hasRecoveryCodes: factors.some((factor) => {
      return factor.type === "recovery" && factor.isConfirmed && Object.keys(factor.hashes).length > 0;
    }),
    hasPasskey: passkeys.length > 0,
    takesPasskeys,
    isEmailProven: isEmailProven(user),
    sendsMail: mailerOf(config) !== null,
    beganByMail,
    missing,
  });
}
