/**
 * The second half of a sign-in by email: the visitor opens the link, or types the code.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { requireStorage } from "../request/require_storage.ts";
import { ensureCsrfToken } from "../http/csrf.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { Verification } from "../kernel/errors.ts";
import { actionUrl, homeUrl } from "../request/links.ts";
import { type Outcome, page } from "../request/outcome.ts";
import type { ResolvedEmailProvider } from "../config/resolved_provider.ts";
import type { EmailAttempt } from "../sign_in/attempt.ts";
import { hashToken, openProof, type RequestedProof, signInProof } from "../sign_in/address_proof.ts";
import { completeSignIn } from "../sign_in/complete.ts";
import { findLinkByCode, isCode, suffixOf } from "./code.ts";
import { removeGuesses } from "./guesses.ts";
import { type EmailLink, emailUser, normalizeAddress } from "./link.ts";

/** What {@linkcode openLink} and {@linkcode confirmLink} need. */
export interface EmailCallbackInput {
  readonly provider: ResolvedEmailProvider;
  /** The query of the link: `token`, `email` and `callbackUrl`. */
  readonly query: URLSearchParams;
  /** Where the browser goes after the sign-in. */
  readonly redirectUrl: RedirectUrl;
}

/**
 * Opens a link. The browser that requested it is signed in. Any other gets a page with the address and a button:
 * spam filters open links too, and must not use them up.
 *
 * @throws {Verification} if the link is incomplete, was used before, has expired or was never sent.
 */
export async function openLink(ctx: RequestContext, input: EmailCallbackInput): Promise<Outcome> {
  const link = await readLink(ctx, input);
  // A guessed code never comes this far, so the page does not help to guess one.
  const requested = await openProof(ctx, requireStorage(ctx), signInProof(link));
  if (!requested) return await askToConfirm(ctx, link, input);
  return await signInByLink(ctx, link, nextUrl(ctx, requested, input.redirectUrl));
}

/**
 * Signs in by a link after the button was pressed.
 *
 * @throws {Verification} as {@linkcode openLink} does.
 */
export async function confirmLink(ctx: RequestContext, input: EmailCallbackInput): Promise<Outcome> {
  return await signInByLink(ctx, await readLink(ctx, input), input.redirectUrl);
}

// A visitor who asked to register goes on in this browser: the sign-in is new, so a passkey may be added. An application
// with its own sign-in page has its own page for that, too, which it asked for as `callbackUrl`.
function nextUrl(ctx: RequestContext, { registers }: RequestedProof, redirectUrl: RedirectUrl): RedirectUrl {
  const { providers, pages } = ctx.config;
  const goesOn = registers !== undefined && !pages.signIn && providers.get(registers)?.type === "webauthn";
  return goesOn ? actionUrl(ctx, `signin/${registers}`, { callbackUrl: redirectUrl }) : redirectUrl;
}

async function readLink(ctx: RequestContext, { provider, query }: EmailCallbackInput): Promise<EmailLink> {
  const token = query.get("token");
  const email = query.get("email");
  if (!token || !email) throw new Verification("Cannot use link: its token or its address is missing");
  const identifier = await readAddress(provider, email);
  if (isCode(token)) {
    return await findLinkByCode(ctx, provider, { identifier, code: token, fields: Object.fromEntries(query) });
  }
  return {
    provider: provider.id,
    identifier,
    hashes: await hashToken(provider.secrets, token),
    suffix: suffixOf(token),
  };
}

async function readAddress(provider: ResolvedEmailProvider, email: string): Promise<string> {
  try {
    return await normalizeAddress(provider, email);
  } catch (error) {
    throw new Verification("Cannot use link: its address is not valid", { cause: error });
  }
}

async function signInByLink(ctx: RequestContext, link: EmailLink, redirectUrl: RedirectUrl): Promise<Outcome> {
  const { identifier, hashes } = link;
  const attempt: EmailAttempt = { method: "email", ...emailUser(ctx, link), token: { identifier, hashes } };
  const outcome = await completeSignIn(ctx, attempt, redirectUrl);
  ctx.cookies.clear("email");
  await removeGuesses(ctx, link.suffix);
  return outcome;
}

async function askToConfirm(
  ctx: RequestContext,
  { identifier }: EmailLink,
  { provider, query, redirectUrl }: EmailCallbackInput,
): Promise<Outcome> {
  const [callbackUrl, token, email] = ["callbackUrl", "token", "email"].map((name) => query.get(name));
  const { config, cookies } = ctx;
  return page({
    name: "confirm-email",
    csrfToken: config.skipCSRFCheck ? null : await ensureCsrfToken(cookies, config.secrets, config.runtime),
    action: actionUrl(ctx, `callback/${provider.id}`, { callbackUrl, token, email }),
    callbackUrl: redirectUrl,
    email: identifier,
    siteUrl: homeUrl(ctx),
  });
}
