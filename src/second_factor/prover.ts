/**
 * Who has to give a second proof in a browser, and why.
 *
 * @module
 */
import type { AdapterUser } from "../kernel/model.ts";
import type { ChallengePage, ProofMethod } from "../request/factor_views.ts";
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
import { findPending, type FoundPending } from "../sign_in/pending.ts";
import { isEmailProven } from "../sign_in/proven.ts";
import { findRaisable } from "../sign_in/step_up.ts";
import { withMark } from "../sign_in/verification.ts";
import { availableMethods, mayRecover, type ProofFacts } from "./available.ts";
import { countedCodes, factorsOf, isOn } from "./factors.ts";
import { lossOf } from "./lost.ts";
import { passkeysOf, provesOneOf } from "./passkey.ts";
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

/** Somebody who can prove it, and the ways that they have, best first. */
export interface Challenged {
  readonly prover: Prover & { readonly userId: string };
  readonly methods: readonly [ProofMethod, ...ProofMethod[]];
  readonly lost: Ways["lost"];
}

/** Finds them: a sign-in that waits comes first, then somebody who is signed in. `null` if there is neither. */
export async function findProver(
  ctx: RequestContext,
  { query, fields }: Pick<PointInput, "query" | "fields">,
): Promise<Prover | null> {
  const pending = await findPending(ctx);
  if (pending) return await waiting(ctx, pending);
  const found = await findRaisable(ctx);
  if (!found) return null;
  const { active, user } = found;
  const { provider, methods } = authenticationOf(active);
  const type = provider === undefined ? undefined : ctx.config.providers.get(provider)?.type;
  return {
    userId: user.id,
    user: await withMark(requireStorage(ctx), user),
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

/** The ways that somebody has. */
export interface Ways {
  /** Whether they have enrolled. */
  readonly isOn: boolean;
  /** Best first. */
  readonly methods: readonly ProofMethod[];
  /** What there is for somebody who has lost them all; `null` if nothing. */
  readonly lost: ChallengePage["lost"] | null;
}

/** Lists the ways that they have, best first. */
export async function methodsFor(
  ctx: RequestContext,
  prover: Prover,
  settings: SecondFactorSettings,
): Promise<readonly ProofMethod[]> {
  return (await waysOf(ctx, prover, settings)).methods;
}

/** Finds the ways that they have. */
export async function waysOf(ctx: RequestContext, prover: Prover, settings: SecondFactorSettings): Promise<Ways> {
  const { userId, active } = prover;
  if (userId === null) return { isOn: false, methods: [], lost: null };
  const { recoverByEmail: hours } = settings;
  // Somebody who is signed in proves more, or does not: only a sign-in can be stuck.
  const loss = active ? "none" : await lossOf(ctx, userId, settings);
  const facts = await factsOf(ctx, { ...prover, userId }, { chosen: settings.methods, isRecovering: loss === "open" });
  const isOffered = hours !== null && !active && mayRecover(facts);
  return {
    isOn: facts.isOn,
    methods: availableMethods(facts),
    lost: isOffered ? { hours, isAsked: loss === "asked" } : null,
  };
}

async function factsOf(
  ctx: RequestContext,
  { userId, user, beganByMail, missing }: Challenged["prover"],
  { chosen, isRecovering }: Pick<ProofFacts, "chosen" | "isRecovering">,
): Promise<ProofFacts> {
  const { config } = ctx;
  const [factors, passkeys] = await Promise.all([
    factorsOf(config, userId),
    user ? passkeysOf(config, userId, { methods: chosen }) : [],
  ]);
  return {
    chosen,
    isRecovering,
    isOn: isOn(factors),
    hasTotp: factors.some(({ type, isConfirmed }) => type === "totp" && isConfirmed),
    hasRecoveryCodes: Object.keys(countedCodes(factors)?.hashes ?? {}).length > 0,
    hasPasskey: passkeys.some((passkey) => provesOneOf(passkey, missing)),
    isEmailProven: isEmailProven(user),
    sendsMail: mailerOf(config) !== null,
    beganByMail,
    missing,
  };
}
