/**
 * The pages a visitor can open: the built-in ones, or redirects to those that `pages` names.
 *
 * @module
 */
import type { ChallengeView, PageChallenge } from "../kernel/challenge_view.ts";
import type { RequestContext } from "../request/context.ts";
import { ensureCsrfToken } from "../http/csrf.ts";
import { actionUrl, homeUrl, pageUrl } from "../request/links.ts";
import { warnOfCookies } from "../request/dropped_cookie.ts";
import { warnOfAddress, warnOfPasskeys } from "../request/origin_advice.ts";
import { keepLanguage } from "../request/language.ts";
import {
  type ErrorPageKind,
  type Failure,
  json,
  type Outcome,
  type Page,
  page,
  type PasswordLinks,
  redirectTo,
  type SignInMethod,
} from "../request/outcome.ts";
import type { PasswordSettings } from "../passwords/settings.ts";
import { challengeToAskAgain, sectionsOf } from "../request/points.ts";
import { openSession } from "../sign_in/current.ts";
import type { ResolvedProvider } from "../config/resolved_provider.ts";
import { chooseRedirectUrl, rememberRedirectUrl } from "../request/redirect.ts";
import { takeFailure } from "./failure.ts";
import { findSentEmail } from "./sent_email.ts";

/** An attempt of this request that was one too many. */
export interface LimitedAttempt {
  readonly failure: Failure;
  /** Seconds until another one is judged. */
  readonly retryAfter: number;
  /** What solves it at once. */
  readonly challenge: ChallengeView | null;
}

// Who asks for an email again may be somebody whose address others have used up.
async function challengeOfMail(ctx: RequestContext, shown: readonly ResolvedProvider[]): Promise<PageChallenge | null> {
  if (!ctx.config.actsAt.has("mail")) return null;
  for (const { id: provider, type } of shown) {
    const sent = type === "email" ? await findSentEmail(ctx, provider) : null;
    const view = sent && await challengeToAskAgain(ctx, { provider, address: sent.to });
    if (view) return { provider, view };
  }
  return null;
}

function challengeAt({ failure, challenge }: LimitedAttempt): PageChallenge | null {
  return challenge ? { provider: failure.provider, view: challenge } : null;
}

/**
 * Opens the sign-in page. The page gets no other parameters of the query than `callbackUrl`, `error`, `code` and `email`.
 * At the address of a passkey provider, somebody who is signed in gets the page to add a passkey. A script that asks where it
 * is gets the challenge, too, for asking for another email.
 */
export async function openSignInPage(
  ctx: RequestContext,
  query: URLSearchParams,
  provider: ResolvedProvider | null = null,
  limited?: LimitedAttempt,
): Promise<Outcome> {
  warnOfAddress(ctx);
  warnOfCookies(ctx);
  const callbackUrl = await chooseRedirectUrl(ctx, query.get("callbackUrl") ?? undefined);
  rememberRedirectUrl(ctx, callbackUrl);
  // A custom page needs it too: if it is rendered on a server, that cannot pass the cookie of GET /csrf on to the browser.
  const csrfToken = await formToken(ctx);
  const error = query.get("error");
  const url = pageUrl(ctx, "signIn", { callbackUrl, error, code: error && query.get("code") });
  if (ctx.request.headers.has("x-auth-return-redirect")) {
    // A page of the application cannot read the cookie that says which address this browser has asked for.
    const again = await challengeOfMail(ctx, provider ? [provider] : [...ctx.config.providers.values()]);
    return json({ url, ...(again && { challenge: again.view }) });
  }
  if (ctx.config.pages.signIn) return redirectTo(url);
  keepLanguage(ctx);
  const purpose = await purposeOf(ctx, error, provider);
  const shown = purpose === "add-passkey" && provider ? [provider] : [...ctx.config.providers.values()];
  const email = query.get("email");
  const failure = limited?.failure ?? await takeFailure(ctx, error);
  return await showPage(ctx, {
    name: "signin",
    csrfToken,
    callbackUrl,
    error,
    email,
    methods: shown.flatMap((provider) => methodOf(ctx, provider, { callbackUrl, email, failure }) ?? []),
    ...(purpose && { purpose }),
    failure,
    ...(limited && { retryAfter: limited.retryAfter }),
    challenge: limited ? challengeAt(limited) : await challengeOfMail(ctx, shown),
    lastUsed: lastUsedOf(ctx),
    siteUrl: homeUrl(ctx),
  });
}

type Purpose = Extract<Page, { name: "signin" }>["purpose"];

// Only these two pages depend on the session, so no other reads it.
async function purposeOf(
  ctx: RequestContext,
  error: string | null,
  provider: ResolvedProvider | null,
): Promise<Purpose> {
  const isPasskeyPage = error === null && provider?.type === "webauthn";
  if (!isPasskeyPage && error !== "SessionRequired") return undefined;
  if (!await isSignedIn(ctx, false)) return undefined;
  return isPasskeyPage ? "add-passkey" : "confirm";
}

// A page must not fail because storage does.
async function isSignedIn(ctx: RequestContext, otherwise: boolean): Promise<boolean> {
  try {
    return await openSession(ctx) !== null;
  } catch {
    return otherwise;
  }
}

// With one way of signing in there is nothing to mark.
function lastUsedOf({ config, cookies }: RequestContext): string | null {
  const id = cookies.read("lastProvider");
  return id !== undefined && config.providers.size > 1 && config.providers.has(id) ? id : null;
}

/** Who opens the page, and what they have typed before. */
interface Visit {
  readonly callbackUrl: string;
  /** The address of the query. */
  readonly email: string | null;
  readonly failure: Failure | null;
}

/** The longest address that a link to another page has in it. */
const LONGEST_ADDRESS = 320;

function passwordLinksOf(
  ctx: RequestContext,
  { signUp }: Pick<PasswordSettings, "signUp">,
  { callbackUrl, email, failure }: Visit,
): PasswordLinks {
  const typed = failure?.values.email || email;
  const query = { callbackUrl, email: typed && typed.length <= LONGEST_ADDRESS ? typed : null };
  return {
    resetUrl: actionUrl(ctx, "reset", query),
    signUpUrl: signUp === true ? actionUrl(ctx, "signup", query) : null,
  };
}

// A provider for credentials or passkeys without fields is for clients that have a form of their own.
function methodOf(ctx: RequestContext, provider: ResolvedProvider, visit: Visit): SignInMethod | null {
  const { id, name, style, type } = provider;
  const common = { id, name, style, action: actionUrl(ctx, `callback/${id}`) };
  switch (type) {
    case "oauth":
    case "oidc":
    case "email":
      return { ...common, type, action: actionUrl(ctx, `signin/${id}`) };
    case "credentials": {
      const { credentials: fields } = provider;
      const passwords = provider.passwords && { passwords: passwordLinksOf(ctx, provider.passwords, visit) };
      return Object.keys(fields).length > 0 ? { ...common, type, fields, ...passwords } : null;
    }
    case "webauthn": {
      const { formFields: fields, enableConditionalUI: autofill, registersStrangers: registers, listsByEmail } =
        provider;
      if (Object.keys(fields).length === 0) return null;
      warnOfPasskeys(ctx, provider);
      const optionsUrl = actionUrl(ctx, `webauthn-options/${id}`);
      const confirmUrl = provider.confirms ? actionUrl(ctx, `signin/${id}`) : null;
      return { ...common, type, fields, autofill, registers, confirmUrl, listsByEmail, optionsUrl };
    }
    default:
      return type satisfies never;
  }
}

/** Opens the page that asks whether to sign out. */
export async function openSignOutPage(ctx: RequestContext, query: URLSearchParams): Promise<Outcome> {
  const csrfToken = await formToken(ctx);
  if (ctx.config.pages.signOut) return redirectTo(pageUrl(ctx, "signOut"));
  keepLanguage(ctx);
  if (!await isSignedIn(ctx, true)) {
    return await showPage(ctx, { name: "signed-out", signInUrl: pageUrl(ctx, "signIn"), siteUrl: homeUrl(ctx) });
  }
  return await showPage(ctx, {
    name: "signout",
    csrfToken,
    action: actionUrl(ctx, "signout"),
    callbackUrl: await chooseRedirectUrl(ctx, query.get("callbackUrl") ?? undefined),
  });
}

const ERROR_STATUS: ReadonlyMap<string, number> = new Map([
  ["Configuration", 500],
  ["AccessDenied", 403],
  ["Verification", 403],
  ["WebAuthnVerificationError", 403],
  ["NotFound", 404],
]);

/** Opens the error page. */
export function openErrorPage(ctx: RequestContext, query: URLSearchParams): Outcome {
  const error = query.get("error");
  return ctx.config.pages.error ? redirectTo(pageUrl(ctx, "error", { error })) : builtInErrorPage(ctx, error);
}

/** Makes the built-in error page. An error that is not in the vocabulary shows the default text with status 200. */
export function builtInErrorPage(ctx: Pick<RequestContext, "url" | "config">, error: string | null): Outcome {
  const status = error === null ? undefined : ERROR_STATUS.get(error);
  const kind = status === undefined ? "Default" : error as ErrorPageKind;
  const view = { name: "error", error: kind, signInUrl: pageUrl(ctx, "signIn"), siteUrl: homeUrl(ctx) } as const;
  return page(view, status ?? 200);
}

/** Opens the page that asks the visitor to check their email. */
export async function openVerifyRequestPage(ctx: RequestContext, query: URLSearchParams): Promise<Outcome> {
  const provider = query.get("provider");
  if (ctx.config.pages.verifyRequest) {
    return redirectTo(pageUrl(ctx, "verifyRequest", { provider, type: query.get("type") }));
  }
  const sent = await findSentEmail(ctx, provider);
  const again = sent?.purpose && actionUrl(ctx, sent.purpose === "reset" ? "reset" : "signup", { email: sent.to });
  return await showPage(ctx, {
    name: "verify-request",
    signInUrl: pageUrl(ctx, "signIn"),
    siteUrl: homeUrl(ctx),
    sent,
    ...(again && { againUrl: again }),
  });
}

/** Shows a page, with what features add to it. */
async function showPage(ctx: RequestContext, view: Page): Promise<Outcome> {
  return page(view, 200, await sectionsOf(ctx, view));
}

async function formToken({ config, cookies }: RequestContext): Promise<string | null> {
  return config.skipCSRFCheck ? null : await ensureCsrfToken(cookies, config.secrets, config.runtime);
}
