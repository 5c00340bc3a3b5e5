/**
 * Who may see and change the second factors of a user: somebody who is signed in, or whose sign-in waits for a second proof
 * that they do not have yet.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Expectation } from "../contract/adapter.ts";
import { sha256Base64Url } from "../crypto/digest.ts";
import { AccessDenied } from "../kernel/errors.ts";
import type { AdapterAuthenticator, AdapterUser } from "../kernel/model.ts";
import type { RequestContext } from "../request/context.ts";
import { actionUrl } from "../request/links.ts";
import { type Outcome, redirectTo } from "../request/outcome.ts";
import type { PointInput } from "../request/points.ts";
import { proveMoreFirst, signInFirst } from "../request/prove_first.ts";
import { chooseRedirectUrl } from "../request/redirect.ts";
import { requireStorage } from "../request/require_storage.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { rowKeyOf, storedKeyOf } from "../session_stores/auth_session.ts";
import { authenticationOf } from "../session_stores/authentication.ts";
import type { ActiveSession } from "../session_stores/session_store.ts";
import { findSessionUser, mayDo, openSession } from "../sign_in/current.ts";
import type { DangerousAct } from "../sign_in/dangerous.ts";
import { findPending } from "../sign_in/pending.ts";
import { isEmailProven } from "../sign_in/proven.ts";
import { withMark } from "../sign_in/verification.ts";
import { type CommonOfFactors, type Draft, type Factor, factorsOf, isOn } from "./factors.ts";
import { passkeysOf } from "./passkey.ts";
import { findProver, methodsFor } from "./prover.ts";
import type { SecondFactorSettings } from "./settings.ts";

/** Somebody who may change their second factors now. */
export interface Owner {
  readonly user: AdapterUser;
  /** Their session; `null` if their sign-in waits. */
  readonly active: ActiveSession | null;
  /** What they began in this browser belongs to this. */
  readonly browser: string;
  /** What has to be true still when something is written. */
  readonly expect: Pick<Expectation, "session" | "records">;
  readonly factors: readonly Factor[];
  /** Those that are second factors. */
  readonly passkeys: readonly AdapterAuthenticator[];
  /** Whether a second proof is asked of them. */
  readonly isOn: boolean;
  /** Where the browser goes once they are done. */
  readonly redirectUrl: RedirectUrl;
}

/** Milliseconds that something counts for nothing before it expires. */
export const DRAFT_LIFETIME = 15 * 60 * 1000;

/** What an act gets. */
export interface ActInput {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly settings: SecondFactorSettings;
}

/** Who was found, or what everybody else gets. */
export type Found = { readonly act: "go-on"; readonly owner: Owner } | {
  readonly act: "answer";
  readonly outcome: Outcome;
};

/** What is asked for. */
export interface Asked {
  readonly act: DangerousAct;
  readonly moment: "begun" | "done";
  readonly input: Pick<PointInput, "query" | "fields">;
}

/**
 * Finds who may do an act.
 *
 * @throws {AccessDenied} if a sign-in waits whose user is not stored, or has no proven address.
 */
export async function findOwner(
  ctx: RequestContext,
  asked: Asked,
  settings: SecondFactorSettings,
): Promise<Found> {
  return await findWaiting(ctx, asked, settings) ?? await findSignedIn(ctx, asked, settings);
}

async function findWaiting(
  ctx: RequestContext,
  { input }: Asked,
  settings: SecondFactorSettings,
): Promise<Found | null> {
  const pending = await findPending(ctx);
  const stored = pending?.userId ? await requireStorage(ctx).getUser(pending.userId) : null;
  if (!pending || !stored) return null;
  const known = await knownOf(ctx, stored, settings);
  const prover = await findProver(ctx, input);
  // Whoever has only the first proof must not get past a second one by adding their own.
  if (known.isOn || !prover || (await methodsFor(ctx, prover, settings)).length > 0) return null;
  const user = await withMark(requireStorage(ctx), stored) ?? stored;
  if (!isEmailProven(user)) {
    throw new AccessDenied(
      "Cannot set up a second factor: the user has no proven address, so whoever signs in may be another person. Let them " +
        "prove it by a link or a code before, or leave them out with a function in `require` of `secondFactor`",
    );
  }
  const { redirectUrl } = prover;
  const owner = {
    ...known,
    user: stored,
    active: null,
    browser: await browserOf(pending.key.id),
    expect: { records: [pending.key] },
    redirectUrl,
  };
  return { act: "go-on", owner };
}

async function findSignedIn(
  ctx: RequestContext,
  asked: Asked,
  settings: SecondFactorSettings,
): Promise<Found> {
  const { act, moment, input } = asked;
  const active = await openSession(ctx);
  const user = active && await findSessionUser(ctx.config, requireStorage(ctx), active);
  if (!active || !user) return { act: "answer", outcome: await toFirstProof(ctx, asked, settings) };
  const known = await knownOf(ctx, user, settings);
  switch (await mayDo(ctx.config, { act, moment, active, user })) {
    case "allowed":
      break;
    case "too-low":
      return { act: "answer", outcome: await toChallenge(ctx, input) };
    default:
      return { act: "answer", outcome: await toSignIn(ctx, input) };
  }
  const sessionToken = storedKeyOf(ctx.config.session, active);
  const owner = {
    ...known,
    user,
    active,
    browser: await browserOf(rowKeyOf(active) ?? `${user.id} ${authenticationOf(active).time}`),
    expect: sessionToken === null ? {} : { session: { sessionToken, userId: user.id } },
    redirectUrl: await chooseUrl(ctx, input),
  };
  return { act: "go-on", owner };
}

async function knownOf(
  { config }: RequestContext,
  { id }: AdapterUser,
  settings: SecondFactorSettings,
): Promise<Pick<Owner, "factors" | "passkeys" | "isOn">> {
  const [stored, passkeys] = await Promise.all([factorsOf(config, id), passkeysOf(config, id, settings)]);
  const now = config.runtime.now();
  // Storage may be another machine, with another clock.
  const factors = stored.filter(({ draft }) => !draft || draft.expires > now);
  return { factors, passkeys, isOn: isOn(factors) };
}

/** Makes what all factors have in common that somebody begins in this browser. They count for nothing yet. */
export function begunFactor(
  { runtime }: Pick<ResolvedConfig, "runtime">,
  { user, browser }: Pick<Owner, "user" | "browser">,
  id: string,
): CommonOfFactors & { readonly draft: Draft } {
  const now = runtime.now();
  return {
    id,
    userId: user.id,
    version: 0,
    createdAt: Math.floor(now / 1000),
    usedAt: null,
    isConfirmed: false,
    draft: { boundTo: browser, expires: now + DRAFT_LIFETIME },
  };
}

async function browserOf(key: string): Promise<string> {
  return await sha256Base64Url(`second factors ${key}`);
}

/** Chooses where the browser goes once they are done: by default back to the list. */
async function chooseUrl(ctx: RequestContext, { query, fields }: Asked["input"]): Promise<RedirectUrl> {
  return await chooseRedirectUrl(ctx, fields.callbackUrl ?? query.get("callbackUrl") ?? listUrl(ctx));
}

/** The URL of the list. */
export function listUrl(ctx: RequestContext, query?: Readonly<Record<string, string>>): RedirectUrl {
  return actionUrl(ctx, "factors", query);
}

async function urlToComeBack(ctx: RequestContext, input: Asked["input"]): Promise<RedirectUrl> {
  const { method } = ctx.incoming;
  // What a form has sent is not sent again.
  const query = method === "POST" ? new URLSearchParams() : input.query;
  const callbackUrl = await chooseUrl(ctx, input);
  return listUrl(ctx, { ...Object.fromEntries(query), ...(callbackUrl !== listUrl(ctx) && { callbackUrl }) });
}

// Somebody whose sign-in waits gives their second proof, and is not asked for the first one again.
async function toFirstProof(
  ctx: RequestContext,
  { input }: Asked,
  settings: SecondFactorSettings,
): Promise<Outcome> {
  if (!await findPending(ctx)) return await toSignIn(ctx, input);
  const prover = await findProver(ctx, input);
  if (prover && (await methodsFor(ctx, prover, settings)).length > 0) return redirectTo(actionUrl(ctx, "challenge"));
  throw new AccessDenied(
    "Cannot set up a second factor: the user is not stored. Store the users of `credentials` (`session.strategy` " +
      '"database"), or leave them out with a function in `require` of `secondFactor`',
  );
}

async function toSignIn(ctx: RequestContext, input: Asked["input"]): Promise<Outcome> {
  return signInFirst(ctx, await urlToComeBack(ctx, input));
}

async function toChallenge(ctx: RequestContext, input: Asked["input"]): Promise<Outcome> {
  return proveMoreFirst(ctx, await urlToComeBack(ctx, input));
}
