/**
 * The page that asks for a second proof, and the same for scripts.
 *
 * @module
 */
import { ensureCsrfToken } from "../http/csrf.ts";
import { InvalidCheck, TooManyAttempts, WebAuthnVerificationError } from "../kernel/errors.ts";
import { tell } from "../request/events.ts";
import type { ChallengePage, ProofMethod } from "../request/factor_views.ts";
import type { RequestContext } from "../request/context.ts";
import { keepLanguage } from "../request/language.ts";
import { limitFields } from "../request/limited.ts";
import { actionUrl, homeUrl, pageUrl, wantsPage } from "../request/links.ts";
import { json, type Outcome, redirectTo } from "../request/outcome.ts";
import { mayGuess, type PointInput } from "../request/points.ts";
import { chooseRedirectUrl } from "../request/redirect.ts";
import { raiseSession } from "../sign_in/step_up.ts";
import { hasAskedForCode, PROVIDER, readEmailCode, sendEmailCode, shortened, useEmailCode } from "./email_code.ts";
import { passkeyOptions, provePasskey } from "./passkey.ts";
import { findProver, methodsFor, type Prover } from "./prover.ts";
import { readRecoveryCode, useRecoveryCode } from "./recovery.ts";
import type { SecondFactorSettings } from "./settings.ts";
import { readTotpCode, useTotpCode } from "./totp_proof.ts";
import { trustBrowser, wishTrust } from "./trusted.ts";

/** Somebody who has to give a second proof, and the ways that they have, best first. */
interface Challenged {
  readonly prover: Prover & { readonly userId: string };
  readonly methods: readonly [ProofMethod, ...ProofMethod[]];
}

/** What was tried, and what came of it. */
type Tried =
  | { readonly kind: "right"; readonly methods: readonly string[] }
  | { readonly kind: "sent" }
  | {
    readonly kind: "failed";
    readonly problem: NonNullable<ChallengePage["problem"]>;
    readonly limited?: TooManyAttempts;
  };

/** Opens the page: the way that the query names, or the best one. */
export async function openChallenge(
  ctx: RequestContext,
  input: PointInput,
  settings: SecondFactorSettings,
): Promise<Outcome> {
  const found = await findChallenged(ctx, input, settings);
  if ("kind" in found) return found;
  return await show(ctx, { input, settings, ...found, method: chosen(found, input.query.get("method")) });
}

/** Answers the form: it sends a code, or checks what was typed, and lets the browser go on. */
export async function answerChallenge(
  ctx: RequestContext,
  input: PointInput,
  settings: SecondFactorSettings,
): Promise<Outcome> {
  const found = await findChallenged(ctx, input, settings);
  if ("kind" in found) return found;
  const { fields } = input;
  const method = chosen(found, fields.method);
  // A way that they do not have tells no more than a wrong code.
  const tried = method === fields.method
    ? await tryMethod(ctx, { ...found, method, fields })
    : { kind: "failed", problem: "wrong" } as const;
  if (tried.kind === "right") return await goOn(ctx, { input, settings, ...found }, tried.methods);
  return await show(ctx, { input, settings, ...found, method, tried });
}

/** Finds who is asked. The outcome is for those who need not be, or have nothing to prove it with. */
async function findChallenged(
  ctx: RequestContext,
  input: PointInput,
  settings: SecondFactorSettings,
): Promise<Challenged | Outcome> {
  const prover = await findProver(ctx, input);
  if (!prover) return await nobody(ctx, input);
  const { userId, redirectUrl } = prover;
  const [best, ...others] = await methodsFor(ctx, prover, settings);
  if (userId !== null && best) return { prover: { ...prover, userId }, methods: [best, ...others] };
  const url = actionUrl(ctx, "factors", { callbackUrl: redirectUrl });
  return isForScript(ctx) ? json({ error: "AccessDenied", url }, 403) : redirectTo(url, 303);
}

// What waited has expired or has gone on, or nobody is signed in.
async function nobody(ctx: RequestContext, { query, fields }: PointInput): Promise<Outcome> {
  const callbackUrl = await chooseRedirectUrl(ctx, fields.callbackUrl ?? query.get("callbackUrl") ?? undefined);
  const url = pageUrl(ctx, "signIn", { callbackUrl });
  return isForScript(ctx) ? json({ error: "SessionRequired", url }, 401) : redirectTo(url, 303);
}

function isForScript({ request }: RequestContext): boolean {
  return !wantsPage(request);
}

function chosen({ methods }: Challenged, wanted: unknown): ProofMethod {
  return methods.find((method) => method === wanted) ?? methods[0];
}

interface Try extends Challenged {
  readonly method: ProofMethod;
  readonly fields: Readonly<Record<string, unknown>>;
}

async function tryMethod(ctx: RequestContext, tried: Try): Promise<Tried> {
  try {
    return await tryUnlimited(ctx, tried);
  } catch (error) {
    if (error instanceof TooManyAttempts) return { kind: "failed", problem: "too-many", limited: error };
    throw error;
  }
}

async function tryUnlimited(ctx: RequestContext, { prover, method, fields }: Try): Promise<Tried> {
  const { userId, user, binding } = prover;
  const code = typeof fields.code === "string" ? fields.code : "";
  switch (method) {
    case "passkey":
      return await tryPasskey(ctx, userId, fields.data);
    case "totp": {
      const typed = readTotpCode(code);
      const right = ["mfa", "otp"];
      return typed === null ? WRONG : await guessed(ctx, userId, right, async () => {
        return await useTotpCode(ctx.config, userId, typed) ? "right" : "wrong";
      });
    }
    case "recovery-code": {
      const typed = readRecoveryCode(code);
      const right = ["mfa", "rcv"];
      return typed === null ? WRONG : await guessed(ctx, userId, right, async () => {
        return await useRecoveryCode(ctx.config, userId, typed) ? "right" : "wrong";
      });
    }
    case "email-code": {
      if (!user) return WRONG;
      if (fields.code === undefined) return await trySending(ctx, { user, binding, fields });
      const typed = readEmailCode(code);
      const right = ["mail", "mfa"];
      return typed === null
        ? WRONG
        : await guessed(ctx, userId, right, () => useEmailCode(ctx, { user, binding }, typed));
    }
    default:
      return method satisfies never;
  }
}

const WRONG: Tried = { kind: "failed", problem: "wrong" };

/** Compares a secret that can be guessed, once the limits allow it. */
async function guessed(
  ctx: RequestContext,
  userId: string,
  methods: readonly string[],
  compare: () => Promise<"right" | "wrong" | "expired">,
): Promise<Tried> {
  const end = await mayGuess(ctx, { kind: "factor", provider: PROVIDER, subject: userId });
  if (!end) return { kind: "failed", problem: "too-many" };
  const answer = await compare();
  await end(answer === "right");
  return answer === "right" ? { kind: "right", methods } : { kind: "failed", problem: answer };
}

// A signature cannot be guessed, so it is not limited.
async function tryPasskey(ctx: RequestContext, userId: string, data: unknown): Promise<Tried> {
  try {
    return { kind: "right", methods: await provePasskey(ctx, userId, data) };
  } catch (error) {
    if (!(error instanceof InvalidCheck || error instanceof WebAuthnVerificationError)) throw error;
    ctx.config.logger.error(error, ctx);
    return WRONG;
  }
}

async function trySending(ctx: RequestContext, subject: Parameters<typeof sendEmailCode>[1]): Promise<Tried> {
  const answer = await sendEmailCode(ctx, subject);
  switch (answer) {
    case "sent":
      return { kind: "sent" };
    case "refused":
      return { kind: "failed", problem: "too-many" };
    case "failed":
      return { kind: "failed", problem: "not-sent" };
    default:
      return answer satisfies never;
  }
}

interface Proven extends Challenged {
  readonly input: PointInput;
  readonly settings: SecondFactorSettings;
}

async function goOn(ctx: RequestContext, proven: Proven, methods: readonly string[]): Promise<Outcome> {
  const { prover: { active, user, userId, redirectUrl }, input, settings } = proven;
  const trustDays = input.fields.trust ? offeredDays(settings) : null;
  if (!active) {
    if (trustDays !== null) wishTrust(ctx);
    return await input.resume(methods);
  }
  // The session was ended meanwhile, or its user has changed.
  if (!user || !await raiseSession(ctx, { active, user, methods })) return await nobody(ctx, input);
  if (trustDays !== null) await trustBrowser(ctx, userId, trustDays);
  return redirectTo(redirectUrl, 303);
}

// Where everybody is asked, a session of a browser that is trusted would not go on.
function offeredDays({ require, trustDays }: SecondFactorSettings): number | null {
  return require === "always" ? null : trustDays;
}

interface Shown extends Proven {
  readonly method: ProofMethod;
  readonly tried?: Exclude<Tried, { kind: "right" }>;
}

async function show(ctx: RequestContext, shown: Shown): Promise<Outcome> {
  const { prover, methods, method, tried, settings } = shown;
  const { userId, user, active, binding } = prover;
  const hasAsked = tried?.kind === "sent" || await hasAskedForCode(ctx, binding);
  const common = {
    purpose: active ? "step-up" as const : "sign-in" as const,
    method,
    ...(method === "passkey" && { passkeyOptions: await passkeyOptions(ctx, userId) }),
    ...(method === "email-code" && hasAsked && user && { sentTo: shortened(user.email) }),
    trustDays: offeredDays(settings),
  };
  if (tried?.kind === "failed") {
    await tell(ctx.config, {
      type: "signInFailed",
      event: () => ({ provider: PROVIDER, reason: tried.limited?.type ?? "CredentialsSignin" }),
      message: null,
    }, ctx);
  }
  return isForScript(ctx) ? forScript(ctx, { ...common, methods }, tried) : await asPage(ctx, shown, common);
}

function forScript(ctx: RequestContext, body: object, tried: Shown["tried"]): Outcome {
  if (tried?.kind !== "failed") return json(body);
  const { problem, limited } = tried;
  const status = statusOf(problem);
  const error = errorOf(problem);
  // Clients of Auth.js read the error from a URL.
  const url = ctx.request.headers.has("x-auth-return-redirect") && { url: actionUrl(ctx, "challenge", { error }) };
  const wait = limited && { retryAfter: limited.retryAfter, ways: limited.ways };
  const answer = { error, problem, ...wait, ...url, ...body };
  return { kind: "json", body: answer, status, ...(limited && { headers: limitFields(limited) }) };
}

function statusOf(problem: NonNullable<ChallengePage["problem"]>): number {
  return problem === "too-many" ? 429 : problem === "not-sent" ? 503 : 401;
}

function errorOf(problem: NonNullable<ChallengePage["problem"]>): string {
  return problem === "too-many" ? "TooManyAttempts" : problem === "not-sent" ? "EmailSignInError" : "CredentialsSignin";
}

async function asPage(
  ctx: RequestContext,
  { prover, methods, method, tried, input: { query } }: Shown,
  common: Pick<ChallengePage, "purpose" | "method" | "trustDays" | "passkeyOptions" | "sentTo">,
): Promise<Outcome> {
  const { config, cookies, url: { origin } } = ctx;
  keepLanguage(ctx);
  const { redirectUrl: callbackUrl, active } = prover;
  // A sign-in that waits knows where it leads.
  const kept = active ? { callbackUrl, methods: query.get("methods") } : {};
  const factors = actionUrl(ctx, "factors");
  const target = new URL(callbackUrl, origin);
  const isUndo = target.origin + target.pathname === new URL(factors, origin).href && target.searchParams.has("token");
  const failed = tried?.kind === "failed" ? tried : null;
  const view: ChallengePage = {
    name: "challenge",
    csrfToken: config.skipCSRFCheck ? null : await ensureCsrfToken(cookies, config.secrets, config.runtime),
    action: actionUrl(ctx, "challenge", kept),
    callbackUrl,
    ...common,
    others: methods.filter((other) => other !== method).map((other) => {
      return { method: other, url: actionUrl(ctx, "challenge", { ...kept, method: other }) };
    }),
    problem: failed?.problem ?? null,
    ...(failed?.limited && { retryAfter: failed.limited.retryAfter }),
    undoUrl: isUndo ? callbackUrl : null,
    cancelUrl: active ? homeUrl(ctx) : pageUrl(ctx, "signIn", { callbackUrl }),
  };
  const headers = failed?.limited && limitFields(failed.limited);
  const status = failed ? statusOf(failed.problem) : 200;
  return { kind: "page", page: view, status, ...(headers && { headers }) };
}
