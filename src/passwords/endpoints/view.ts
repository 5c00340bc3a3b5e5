/**
 * The pages of passwords, as data, and the same for scripts.
 *
 * @module
 */
import type { ResolvedPasswordProvider } from "../../config/password_provider.ts";
import { ensureCsrfToken } from "../../http/csrf.ts";
import type { RedirectUrl } from "../../http/redirect_url.ts";
import type { TooManyAttempts } from "../../kernel/errors.ts";
import type { RequestContext } from "../../request/context.ts";
import { keepLanguage } from "../../request/language.ts";
import { limitFields } from "../../request/limited.ts";
import { actionUrl, homeUrl, pageUrl, wantsPage } from "../../request/links.ts";
import { json, type Outcome, redirectTo } from "../../request/outcome.ts";
import { knowsSessions } from "../../session/user_sessions.ts";
import type { NewPasswordPage, PasswordProblem, ResetPage, SignUpPage } from "../../request/password_views.ts";
import { readEmail } from "./link.ts";

/** What did not work just now. */
export interface Problem {
  readonly problem: PasswordProblem;
  /** Seconds until another attempt is judged. */
  readonly retryAfter?: number | undefined;
  /** There were too many attempts. */
  readonly limited?: TooManyAttempts | undefined;
}

/** Makes the problem of too many attempts. */
export function limitedBy(limited: TooManyAttempts): Problem {
  return { problem: "too-many", retryAfter: limited.retryAfter, limited };
}

type Own<Page> = Omit<Page, keyof Common | "name" | "action">;

type Common = Pick<SignUpPage, "csrfToken" | "callbackUrl" | "problem" | "retryAfter" | "challenge"> & {
  readonly signInUrl: string;
  readonly siteUrl: string;
};

/** What every page is shown with. */
export interface Shown {
  readonly callbackUrl: RedirectUrl;
  readonly failed?: Problem | undefined;
}

/** Shows the page to register. */
export async function showSignUp(
  ctx: RequestContext,
  { passwords }: ResolvedPasswordProvider,
  { callbackUrl, failed, ...own }: Shown & Omit<Own<SignUpPage>, "length">,
): Promise<Outcome> {
  const view = { name: "signup" as const, action: actionUrl(ctx, "signup"), length: passwords.length };
  return await show(ctx, { ...view, ...own }, { callbackUrl, failed });
}

/** Shows the page to ask for an email. */
export async function showReset(
  ctx: RequestContext,
  { callbackUrl, failed, ...own }: Shown & Own<ResetPage>,
): Promise<Outcome> {
  return await show(ctx, { name: "reset", action: actionUrl(ctx, "reset"), ...own }, { callbackUrl, failed });
}

/** Where the page to choose a password is posted to. */
const TARGETS = { reset: "reset", claim: "signup", set: "password", change: "password" } as const;

/** Shows the page to choose a password. */
export async function showNewPassword(
  ctx: RequestContext,
  { passwords }: ResolvedPasswordProvider,
  { callbackUrl, failed, ...own }: Shown & Omit<Own<NewPasswordPage>, "length" | "sessionsStay">,
): Promise<Outcome> {
  const view = {
    name: "new-password" as const,
    action: actionUrl(ctx, TARGETS[own.purpose]),
    length: passwords.length,
    ...(!knowsSessions(ctx.config) && { sessionsStay: true as const }),
  };
  return await show(ctx, { ...view, ...own }, { callbackUrl, failed });
}

type View =
  | Omit<SignUpPage, keyof Common>
  | Omit<ResetPage, keyof Common>
  | Omit<NewPasswordPage, keyof Common>;

async function show(ctx: RequestContext, view: View, { callbackUrl, failed }: Shown): Promise<Outcome> {
  const { config, cookies } = ctx;
  const challenge = failed?.limited?.challenge;
  const told = {
    problem: failed?.problem ?? null,
    ...(failed?.retryAfter !== undefined && { retryAfter: failed.retryAfter }),
    ...(challenge && { challenge }),
  };
  const [status, error] = failed ? ANSWERS[failed.problem] : [200];
  const headers = failed?.limited
    ? limitFields(failed.limited)
    : failed?.retryAfter !== undefined
    ? [["retry-after", String(failed.retryAfter)] as const]
    : [];
  if (!wantsPage(ctx.request)) {
    // Clients of Auth.js read the error from a URL.
    const asksForUrl = error !== undefined && ctx.request.headers.has("x-auth-return-redirect");
    const url = asksForUrl && { url: pageUrl(ctx, "signIn", { error }) };
    const { name: _, action: __, ...own } = view;
    const ways = failed?.limited && { ways: failed.limited.ways };
    return { kind: "json", body: { ...(error && { error }), ...url, ...told, ...ways, ...own }, status, headers };
  }
  // A page of the application needs it too: it may be rendered on a server, and a registration is bound to it.
  const csrfToken = config.skipCSRFCheck ? null : await ensureCsrfToken(cookies, config.secrets, config.runtime);
  const page = pageOf(view);
  if (config.pages[page]) {
    // Whoever is signed in knows their address, and it need not be in a log.
    const email = page === "password" ? null : readEmail(view.email);
    const token = "token" in view ? view.token : null;
    const done = "done" in view ? view.done : null;
    const url = pageUrl(ctx, page, { callbackUrl, email, token, done, error, code: failed?.problem });
    return redirectTo(url, failed ? 303 : 302);
  }
  keepLanguage(ctx);
  const common: Common = {
    csrfToken,
    callbackUrl,
    ...told,
    signInUrl: pageUrl(ctx, "signIn", { callbackUrl }),
    siteUrl: homeUrl(ctx),
  };
  return { kind: "page", page: { ...view, ...common }, status, headers };
}

/** Names the page that an application may have in place of the built-in one. */
function pageOf(view: View): "signUp" | "reset" | "password" {
  if (view.name === "signup") return "signUp";
  if (view.name === "reset") return "reset";
  return OWN_PAGES[view.purpose];
}

const OWN_PAGES = { reset: "reset", claim: "signUp", set: "password", change: "password" } as const;

/** The status of each problem, and what scripts read. */
const ANSWERS: Readonly<Record<PasswordProblem, readonly [status: number, error: string]>> = {
  "email": [400, "EmailSignInError"],
  "short": [400, "BadRequest"],
  "long": [400, "BadRequest"],
  "common": [400, "BadRequest"],
  "breached": [400, "BadRequest"],
  "reused": [400, "BadRequest"],
  "expired": [403, "Verification"],
  "too-many": [429, "TooManyAttempts"],
  "busy": [503, "Overloaded"],
};

/** Sends a browser to a page once something is done. A script gets its URL. */
export function done(ctx: RequestContext, to: RedirectUrl): Outcome {
  const isRedirect = wantsPage(ctx.request) || ctx.request.headers.has("x-auth-return-redirect");
  return isRedirect ? redirectTo(to, 303) : json({ url: to });
}

/** Sends a browser to the page that says that an email was sent. */
export function sent(ctx: RequestContext, { id }: Pick<ResolvedPasswordProvider, "id">): Outcome {
  return done(ctx, pageUrl(ctx, "verifyRequest", { provider: id, type: "email" }));
}
