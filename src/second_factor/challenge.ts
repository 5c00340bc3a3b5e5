/**
 * The endpoint that asks for a second proof, as a page and for scripts.
 *
 * @module
 */
import type { RedirectUrl } from "../http/redirect_url.ts";
import { AccessDenied } from "../kernel/errors.ts";
import { tell } from "../request/events.ts";
import type { ProofMethod } from "../request/factor_views.ts";
import type { RequestContext } from "../request/context.ts";
import { actionUrl, pageUrl, wantsPage } from "../request/links.ts";
import { json, type Outcome, redirectTo } from "../request/outcome.ts";
import type { PointInput } from "../request/points.ts";
import { chooseRedirectUrl } from "../request/redirect.ts";
import { authenticationOf } from "../session_stores/authentication.ts";
import { raiseSession } from "../sign_in/step_up.ts";
import { canAdd } from "./available.ts";
import { type Asked, offeredDays, showChallenge, type Shown } from "./challenge_answer.ts";
import { endLoss } from "./lost.ts";
import { tellRecoveryUsed } from "./mails.ts";
import { type Challenged, findProver, waysOf } from "./prover.ts";
import { PROVIDER, type SecondFactorSettings } from "./settings.ts";
import { type Failed, tryLosing, tryProof, WRONG } from "./try_proof.ts";
import { trustBrowser, wishTrust } from "./trusted.ts";

/** Opens the page: the way that the query names, or the best one. */
export async function openChallenge(
  ctx: RequestContext,
  input: PointInput,
  settings: SecondFactorSettings,
): Promise<Outcome> {
  const found = await findChallenged(ctx, input, settings);
  if ("kind" in found) return found;
  return await showChallenge(ctx, { input, settings, ...found, method: chosen(found, input.query.get("method")) });
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
  if (fields.method === "lost" && found.lost) return await answerLost(ctx, { input, settings, ...found }, found.lost);
  const method = chosen(found, fields.method);
  // A way that they do not have tells no more than a wrong code.
  const tried = method === fields.method ? await tryProof(ctx, { ...found, method, fields }) : WRONG;
  if (tried.kind === "right") return await goOn(ctx, { input, settings, ...found, method }, tried.methods);
  if (tried.kind === "failed") await tellFailed(ctx, tried);
  return await showChallenge(ctx, { input, settings, ...found, method, tried });
}

/** Finds who is asked. The outcome is for those who need not be, or have nothing to prove it with. */
async function findChallenged(
  ctx: RequestContext,
  input: PointInput,
  settings: SecondFactorSettings,
): Promise<Challenged | Outcome> {
  const prover = await findProver(ctx, input);
  if (!prover) return await nobody(ctx, input);
  const { userId, redirectUrl, missing, active } = prover;
  const { isOn, methods: [best, ...others], lost } = await waysOf(ctx, prover, settings);
  if (userId !== null && best) return { prover: { ...prover, userId }, methods: [best, ...others], lost };
  // They could add nothing without a proof, and would be led back here.
  if (isOn && missing.includes("mfa") && !(active && authenticationOf(active).level >= 2)) {
    throw new AccessDenied(STUCK);
  }
  if (!canAdd({ chosen: settings.methods, missing })) {
    return toSignIn(ctx, pageUrl(ctx, "signIn", { callbackUrl: redirectUrl, error: "SessionRequired" }));
  }
  const url = actionUrl(ctx, "factors", { callbackUrl: redirectUrl });
  return wantsPage(ctx.request) ? redirectTo(url, 303) : json({ error: "AccessDenied", url }, 403);
}

const STUCK = "Cannot ask for a second proof: the user has enrolled, and has nothing left that `methods` of " +
  "`secondFactor` takes. Add what they have to `methods`, or remove their factors with `auth.factors.remove()`";

// What waited has expired or has gone on, or nobody is signed in.
async function nobody(ctx: RequestContext, { query, fields }: PointInput): Promise<Outcome> {
  const callbackUrl = await chooseRedirectUrl(ctx, fields.callbackUrl ?? query.get("callbackUrl") ?? undefined);
  return toSignIn(ctx, pageUrl(ctx, "signIn", { callbackUrl }));
}

function toSignIn({ request }: RequestContext, url: RedirectUrl): Outcome {
  return wantsPage(request) ? redirectTo(url, 303) : json({ error: "SessionRequired", url }, 401);
}

async function answerLost(ctx: RequestContext, asked: Asked, lost: NonNullable<Asked["lost"]>): Promise<Outcome> {
  const { prover: { user }, methods: [method] } = asked;
  const tried = user ? await tryLosing(ctx, user, lost.hours) : WRONG;
  if (tried.kind === "failed") return await showChallenge(ctx, { ...asked, method, tried });
  return await showChallenge(ctx, { ...asked, lost: { ...lost, isAsked: true }, method });
}

function chosen({ methods }: Challenged, wanted: unknown): ProofMethod {
  return methods.find((method) => method === wanted) ?? methods[0];
}

async function tellFailed(ctx: RequestContext, { limited }: Failed): Promise<void> {
  const reason = limited?.type ?? "CredentialsSignin";
  await tell(
    ctx.config,
    { type: "signInFailed", event: () => ({ provider: PROVIDER, reason }), message: null },
    ctx,
  );
}

async function goOn(ctx: RequestContext, proven: Shown, methods: readonly string[]): Promise<Outcome> {
  const { prover: { active, user, userId, redirectUrl }, input, settings, method } = proven;
  const trustDays = input.fields.trust ? offeredDays(method, settings) : null;
  await endLoss(ctx, userId, settings);
  if (methods.includes("rcv")) await tellRecoveryUsed(ctx, userId, user);
  if (!active) {
    if (trustDays !== null) wishTrust(ctx);
    return await input.resume(methods);
  }
  // The session was ended meanwhile, or its user has changed.
  if (!user || !await raiseSession(ctx, { active, user, methods })) return await nobody(ctx, input);
  if (trustDays !== null) await trustBrowser(ctx, userId, trustDays);
  return redirectTo(redirectUrl, 303);
}
