/**
 * The way back from the mailbox.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { ensureCsrfToken } from "../http/csrf.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { Verification } from "../kernel/errors.ts";
import { actionUrl, homeUrl } from "../request/links.ts";
import { type Outcome, page } from "../request/outcome.ts";
import type { ResolvedEmailProvider } from "../config/resolved_provider.ts";
import type { EmailAttempt } from "../sign_in/attempt.ts";
import { completeSignIn } from "../sign_in/complete.ts";
import { lookAtToken } from "../sign_in/token.ts";
import { isCode, linkOfCode } from "./code.ts";
import { askedLink, type EmailLink, hashesOf, identifierOf, isAskedFor } from "./link.ts";
import { newMailbox, storageOf } from "./user.ts";

/** What following a link needs. */
export interface EmailCallbackInput {
  readonly provider: ResolvedEmailProvider;
  readonly query: URLSearchParams;
  /** Where the visitor goes when the sign-in is complete. */
  readonly target: RedirectUrl;
}

/**
 * Opens a link. The browser that asked for it is signed in; any other is shown the address and a button, because most
 * of those who open links in mails are programs that look for viruses.
 *
 * @throws {Verification} if the link is incomplete, was used before, has expired, or was never sent.
 */
export async function openLink(ctx: RequestContext, input: EmailCallbackInput): Promise<Outcome> {
  const link = await readLink(ctx, input);
  const asked = await askedLink(ctx, link);
  if (asked && isAskedFor(link, asked)) return await finish(ctx, link, input.target);
  // Nobody is asked about a link that is good no more. What comes here is no code, so this tells nothing to guessers.
  await lookAtToken(storageOf(ctx.config), link, new Date(ctx.config.runtime.now()));
  return await askFirst(ctx, link, input);
}

/**
 * Signs in by a link, after the button was pressed.
 *
 * @throws {Verification} as {@linkcode openLink} does.
 */
export async function confirmLink(ctx: RequestContext, input: EmailCallbackInput): Promise<Outcome> {
  return await finish(ctx, await readLink(ctx, input), input.target);
}

async function readLink(ctx: RequestContext, { provider, query }: EmailCallbackInput): Promise<EmailLink> {
  const token = query.get("token");
  const email = query.get("email");
  if (!token || !email) throw new Verification("Cannot use link: its token or its address is missing");
  const identifier = await addressOf(provider, email);
  if (isCode(token)) return await linkOfCode(ctx, provider, { identifier, code: token });
  return { provider: provider.id, identifier, hashes: await hashesOf(provider, token) };
}

async function addressOf(provider: ResolvedEmailProvider, email: string): Promise<string> {
  try {
    return await identifierOf(provider, email);
  } catch (error) {
    throw new Verification("Cannot use link: its address is none", { cause: error });
  }
}

async function finish(ctx: RequestContext, link: EmailLink, target: RedirectUrl): Promise<Outcome> {
  const { identifier, hashes } = link;
  const attempt: EmailAttempt = { method: "email", ...newMailbox(ctx, link), token: { identifier, hashes } };
  const outcome = await completeSignIn(ctx, attempt, target);
  ctx.cookies.clear("email");
  return outcome;
}

async function askFirst(ctx: RequestContext, { identifier }: EmailLink, input: EmailCallbackInput): Promise<Outcome> {
  const { provider, query, target } = input;
  const [callbackUrl, token, email] = ["callbackUrl", "token", "email"].map((name) => query.get(name));
  const { config, cookies } = ctx;
  return page({
    name: "confirm-email",
    csrfToken: config.skipCSRFCheck ? null : await ensureCsrfToken(cookies, config.secrets, config.runtime),
    action: actionUrl(ctx, `callback/${provider.id}`, { callbackUrl, token, email }),
    callbackUrl: target,
    email: identifier,
    siteUrl: homeUrl(ctx),
  });
}
