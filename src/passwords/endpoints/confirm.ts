/**
 * The link of a registration.
 *
 * In the browser that began it, it signs in. In any other, somebody else may have begun it with this address: its owner
 * chooses a password of their own, and what the other one has chosen counts for nothing.
 *
 * @module
 */
import type { ResolvedPasswordProvider } from "../../config/password_provider.ts";
import type { RedirectUrl } from "../../http/redirect_url.ts";
import type { RequestContext } from "../../request/context.ts";
import type { Outcome } from "../../request/outcome.ts";
import { requireStorage } from "../../request/require_storage.ts";
import { assertWorks, openProof, type Registration } from "../../sign_in/address_proof.ts";
import { completeSignIn } from "../../sign_in/complete.ts";
import { choosePassword } from "./choice.ts";
import { judgeStranger } from "./limit.ts";
import { attemptOf, browserOf, type Link, proofOf, readLink } from "./link.ts";
import type { EndpointInput } from "./own.ts";
import { type Problem, showNewPassword } from "./view.ts";

/** A link that was opened. */
export interface Opened {
  readonly query: URLSearchParams;
  readonly callbackUrl: RedirectUrl;
}

/**
 * Opens the link.
 *
 * @throws {Verification} if it was used before, has expired or was never sent.
 */
export async function openConfirmation(
  ctx: RequestContext,
  provider: ResolvedPasswordProvider,
  { query, callbackUrl }: Opened,
): Promise<Outcome> {
  const link = readLink(query.get("token"), query.get("email"));
  const proof = await proofOf(ctx, aboutOf(provider, link), link.token);
  const requested = await openProof(ctx, requireStorage(ctx), proof);
  const registration = requested?.registration;
  if (registration?.browser !== await browserOf(ctx)) return await showClaim(ctx, provider, { link, callbackUrl });
  return await confirm(ctx, provider, { link, registration, callbackUrl });
}

/** A form that was posted. */
export interface Posted {
  readonly fields: EndpointInput["fields"];
  readonly callbackUrl: RedirectUrl;
}

/**
 * Creates the user with the password that the owner of the address has chosen.
 *
 * @throws {Verification} if the link was used before, has expired or was never sent.
 */
export async function answerClaim(
  ctx: RequestContext,
  provider: ResolvedPasswordProvider,
  { fields, callbackUrl }: Posted,
): Promise<Outcome> {
  const link = readLink(fields.token, fields.email);
  await assertWorks(ctx, requireStorage(ctx), await proofOf(ctx, aboutOf(provider, link), link.token));
  const limited = await judgeStranger(ctx, provider, { email: link.email, fields });
  if (limited) return await showClaim(ctx, provider, { link, callbackUrl, failed: limited });
  const chosen = await choosePassword(ctx, provider, { text: fields.password, words: [link.email] });
  if ("problem" in chosen) return await showClaim(ctx, provider, { link, callbackUrl, failed: chosen });
  return await confirm(ctx, provider, { link, registration: { hash: chosen.hash, name: null }, callbackUrl });
}

interface Claim {
  readonly link: Link;
  readonly callbackUrl: RedirectUrl;
  readonly failed?: Problem | undefined;
}

async function showClaim(
  ctx: RequestContext,
  provider: ResolvedPasswordProvider,
  { link: { email, token }, ...shown }: Claim,
): Promise<Outcome> {
  return await showNewPassword(ctx, provider, { ...shown, purpose: "claim", email, token, canRemove: false });
}

interface Confirmed {
  readonly link: Link;
  readonly registration: Omit<Registration, "browser">;
  readonly callbackUrl: RedirectUrl;
}

// Whoever has got a password meanwhile keeps it: the link is void then.
async function confirm(
  ctx: RequestContext,
  provider: ResolvedPasswordProvider,
  { link, registration: { hash, name }, callbackUrl }: Confirmed,
): Promise<Outcome> {
  const { email, token } = link;
  const proof = await proofOf(ctx, aboutOf(provider, link), token);
  const sets = { hash, replaces: "", creates: true, endsSessions: false };
  const outcome = await completeSignIn(ctx, attemptOf(ctx, provider, { email, proof, sets, name }), callbackUrl);
  ctx.cookies.clear("email");
  return outcome;
}

function aboutOf({ id: provider }: ResolvedPasswordProvider, { email: subject }: Link) {
  return { purpose: "confirm", subject, provider } as const;
}
