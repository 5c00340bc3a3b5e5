/**
 * What is shown to somebody who has to give a second proof: a page, or the same as JSON.
 *
 * @module
 */
import { ensureCsrfToken } from "../http/csrf.ts";
import type { RequestContext } from "../request/context.ts";
import type { ChallengePage, ProofMethod } from "../request/factor_views.ts";
import { keepLanguage } from "../request/language.ts";
import { limitFields } from "../request/limited.ts";
import { actionUrl, homeUrl, pageUrl, wantsPage } from "../request/links.ts";
import { json, type Outcome } from "../request/outcome.ts";
import type { PointInput } from "../request/points.ts";
import { hasAskedForCode, shortened } from "./email_code.ts";
import { passkeyOptions } from "./passkey.ts";
import type { Challenged } from "./prover.ts";
import type { SecondFactorSettings } from "./settings.ts";
import type { Failed, Tried } from "./try_proof.ts";

/** Somebody who is asked, and everything that the answer depends on. */
export interface Asked extends Challenged {
  readonly input: PointInput;
  readonly settings: SecondFactorSettings;
}

/** What is shown. */
export interface Shown extends Asked {
  readonly method: ProofMethod;
  readonly tried?: Exclude<Tried, { kind: "right" }>;
}

/** Asks for a proof by one method, and says what did not work just now. */
export async function showChallenge(ctx: RequestContext, shown: Shown): Promise<Outcome> {
  const { prover: { userId, user, active, binding }, methods, method, tried, lost, settings } = shown;
  const hasAsked = tried?.kind === "sent" || await hasAskedForCode(ctx, binding);
  const common = {
    purpose: active ? "step-up" as const : "sign-in" as const,
    method,
    ...(method === "passkey" && { passkeyOptions: await passkeyOptions(ctx, userId) }),
    ...(method === "email-code" && hasAsked && user && { sentTo: shortened(user.email) }),
    trustDays: offeredDays(method, settings),
    ...(lost && { lost }),
  };
  const failed = tried?.kind === "failed" ? tried : null;
  return wantsPage(ctx.request)
    ? await asPage(ctx, shown, { ...common, failed })
    : forScript(ctx, { ...common, methods }, failed);
}

/** Days that a browser may be trusted after a proof by this method; `null` if it may not be. */
export function offeredDays(method: ProofMethod, { require, trustDays }: SecondFactorSettings): number | null {
  // Who uses a recovery code has lost something, so this is not the time to trust a browser.
  if (method === "recovery-code") return null;
  // Where everybody is asked, a session of one that is trusted would not go on.
  return require === "always" ? null : trustDays;
}

function forScript(ctx: RequestContext, body: object, failed: Failed | null): Outcome {
  if (!failed) return json(body);
  const { problem, limited } = failed;
  const { status, error } = ANSWERS[problem];
  // Clients of Auth.js read the error from a URL.
  const url = ctx.request.headers.has("x-auth-return-redirect") && { url: actionUrl(ctx, "challenge", { error }) };
  const wait = limited && { retryAfter: limited.retryAfter, ways: limited.ways };
  const answer = { error, problem, ...wait, ...url, ...body };
  return { kind: "json", body: answer, status, ...(limited && { headers: limitFields(limited) }) };
}

const ANSWERS = {
  "wrong": { status: 401, error: "CredentialsSignin" },
  "expired": { status: 401, error: "CredentialsSignin" },
  "too-many": { status: 429, error: "TooManyAttempts" },
  "not-sent": { status: 503, error: "EmailSignInError" },
} as const;

interface Common
  extends Pick<ChallengePage, "purpose" | "method" | "trustDays" | "passkeyOptions" | "sentTo" | "lost"> {
  readonly failed: Failed | null;
}

async function asPage(
  ctx: RequestContext,
  { prover: { redirectUrl: callbackUrl, active }, methods, input: { query } }: Shown,
  { failed, ...common }: Common,
): Promise<Outcome> {
  const { config, cookies } = ctx;
  keepLanguage(ctx);
  // A sign-in that waits knows where it leads.
  const kept = active ? { callbackUrl, methods: query.get("methods") } : {};
  const limited = failed?.limited;
  const view: ChallengePage = {
    name: "challenge",
    csrfToken: config.skipCSRFCheck ? null : await ensureCsrfToken(cookies, config.secrets, config.runtime),
    action: actionUrl(ctx, "challenge", kept),
    callbackUrl,
    ...common,
    others: methods.filter((method) => method !== common.method).map((method) => {
      return { method, url: actionUrl(ctx, "challenge", { ...kept, method }) };
    }),
    problem: failed?.problem ?? null,
    ...(limited && { retryAfter: limited.retryAfter }),
    undoUrl: leadsToUndo(ctx, callbackUrl) ? callbackUrl : null,
    cancelUrl: active ? homeUrl(ctx) : pageUrl(ctx, "signIn", { callbackUrl }),
  };
  const status = failed ? ANSWERS[failed.problem].status : 200;
  return { kind: "page", page: view, status, ...(limited && { headers: limitFields(limited) }) };
}

function leadsToUndo(ctx: RequestContext, callbackUrl: string): boolean {
  const { origin, pathname, searchParams } = new URL(callbackUrl, ctx.url.origin);
  return origin + pathname === actionUrl(ctx, "factors") && searchParams.has("token");
}
