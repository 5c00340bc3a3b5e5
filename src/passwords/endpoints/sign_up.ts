/**
 * Registering with an address and a password.
 *
 * Nobody is stored before the address is proven: the password waits in the browser that began, sealed. Whoever asks gets the
 * same answer, whether or not there is such a user; the email says it.
 *
 * @module
 */
import type { ResolvedPasswordProvider } from "../../config/password_provider.ts";
import type { AdapterUser } from "../../kernel/model.ts";
import type { RequestContext } from "../../request/context.ts";
import { actionUrl, pageUrl } from "../../request/links.ts";
import { notFound, type Outcome, redirectTo } from "../../request/outcome.ts";
import type { Mailing } from "../../request/points.ts";
import { chooseRedirectUrl, rememberRedirectUrl } from "../../request/redirect.ts";
import { requireStorage } from "../../request/require_storage.ts";
import type { RedirectUrl } from "../../http/redirect_url.ts";
import { askPermission } from "../../sign_in/permission.ts";
import { lengthFault } from "../judge.ts";
import { choosePassword } from "./choice.ts";
import { answerClaim, openConfirmation } from "./confirm.ts";
import { judgeMail, judgeStranger } from "./limit.ts";
import { accountOf, browserOf, issueAndSend, pretendToIssue, readEmail, strangerOf } from "./link.ts";
import { pretendToSend, sendLetter } from "./mails.ts";
import { type EndpointInput, passwordsOf } from "./own.ts";
import { type Problem, sent, showSignUp } from "./view.ts";

/** Seconds in which the link of a registration works. */
const LASTING = 24 * 60 * 60;

/** The longest name, in characters. It waits in a cookie. */
const LONGEST_NAME = 256;

/** Opens the page, or the link of an email. */
export async function openSignUp(ctx: RequestContext, { query }: EndpointInput): Promise<Outcome> {
  const provider = passwordsOf(ctx);
  if (provider.passwords.signUp !== true) return notFound();
  const callbackUrl = await chooseRedirectUrl(ctx, query.get("callbackUrl") ?? undefined);
  // Whoever asks for the head of the page only looks.
  const isOpened = query.has("token") && ctx.incoming.method !== "HEAD";
  if (isOpened) return await openConfirmation(ctx, provider, { query, callbackUrl });
  rememberRedirectUrl(ctx, callbackUrl);
  return await showSignUp(ctx, provider, { callbackUrl, email: readEmail(query.get("email")), typedName: null });
}

/** Answers the form. */
export async function answerSignUp(ctx: RequestContext, { fields, query }: EndpointInput): Promise<Outcome> {
  const provider = passwordsOf(ctx);
  if (provider.passwords.signUp !== true) return notFound();
  const callbackUrl = await chooseRedirectUrl(ctx, fields.callbackUrl ?? query.get("callbackUrl") ?? undefined);
  if (fields.token !== undefined) return await answerClaim(ctx, provider, { fields, callbackUrl });
  const name = typeof fields.name === "string" ? fields.name.trim().slice(0, LONGEST_NAME).toWellFormed() : "";
  const password = typeof fields.password === "string" ? fields.password : "";
  const asked = { email: readEmail(fields.email), password, name: name || null, fields, callbackUrl };
  const failed = await register(ctx, provider, asked);
  if (failed === null) return sent(ctx, provider);
  if ("kind" in failed) return failed;
  const email = typeof fields.email === "string" ? fields.email : null;
  return await showSignUp(ctx, provider, { callbackUrl, email, typedName: asked.name, failed });
}

interface Asked {
  readonly email: string | null;
  readonly password: string;
  readonly name: string | null;
  readonly fields: EndpointInput["fields"];
  readonly callbackUrl: RedirectUrl;
}

/** @returns What is wrong, or where the application sends the browser; `null` if an email was sent. */
async function register(
  ctx: RequestContext,
  provider: ResolvedPasswordProvider,
  asked: Asked,
): Promise<Problem | Outcome | null> {
  const { email, password, name, fields } = asked;
  if (email === null) return { problem: "email" };
  const length = lengthFault(provider.passwords.length, password);
  if (length) return { problem: length };
  const limited = await judgeStranger(ctx, provider, { email, fields });
  if (limited) return limited;
  const mailing = await judgeMail(ctx, provider, { email, fields });
  if ("problem" in mailing) return mailing;
  try {
    const chosen = await choosePassword(ctx, provider, { text: password, words: [email, name ?? ""] });
    if ("problem" in chosen) {
      if (mailing.act === "send") await mailing.failed();
      return chosen;
    }
    return await invite(ctx, provider, { ...asked, email, hash: chosen.hash, mailing });
  } catch (error) {
    if (mailing.act === "send") await mailing.failed();
    throw error;
  }
}

interface Invitation extends Asked {
  readonly email: string;
  readonly hash: string;
  readonly mailing: Mailing;
}

async function invite(
  ctx: RequestContext,
  provider: ResolvedPasswordProvider,
  { email, name, hash, callbackUrl, mailing }: Invitation,
): Promise<Outcome | null> {
  const stored = await requireStorage(ctx).getUserByEmail(email);
  const user = stored ?? { ...strangerOf(ctx, email), name };
  const account = accountOf(provider, email, user);
  const permission = await askPermission(ctx, { user, account, email: { verificationRequest: true } });
  if (permission.act === "redirect") return redirectTo(permission.to);
  const about = { purpose: "confirm", subject: email, provider: provider.id, lasting: LASTING } as const;
  const kept = { registration: { hash, name, browser: await browserOf(ctx) } };
  if (mailing.act === "pretend") {
    await pretendToSend(ctx);
    await pretendToIssue(ctx, about, kept);
    return null;
  }
  // Whoever has an account gets a token that is sent to nobody, so that it takes as long.
  await issueAndSend(ctx, { ...about, ...kept }, (token) => send(ctx, { email, stored, token, callbackUrl }));
  return null;
}

interface Letter {
  readonly email: string;
  readonly stored: AdapterUser | null;
  readonly token: string;
  readonly callbackUrl: RedirectUrl;
}

async function send(ctx: RequestContext, { email, stored, token, callbackUrl }: Letter): Promise<void> {
  if (!stored) {
    const url = actionUrl(ctx, "signup", { callbackUrl, token, email });
    return await sendLetter(ctx, { to: email, what: "mailConfirm", url, lasting: LASTING });
  }
  const also = { url: actionUrl(ctx, "reset", { callbackUrl, email }), text: "mailResetButton" } as const;
  await sendLetter(ctx, { to: email, what: "mailHasAccount", url: pageUrl(ctx, "signIn", { callbackUrl }), also });
}
