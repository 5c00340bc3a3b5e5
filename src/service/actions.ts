/**
 * `signIn()`, `signOut()` and `update()`: act for a request to the application.
 *
 * Such a request carries no CSRF token, so the headers by which a browser says where it comes from decide what it may do.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { copyError } from "./configure.ts";
import type { Engine, Settled } from "./engine.ts";
import { failures } from "./failures.ts";
import { type AuthError, InvalidProvider } from "../kernel/errors.ts";
import { setLogProvider } from "../kernel/log_subject.ts";
import { paramValues } from "../config/endpoint.ts";
import type { LazyRequest } from "../http/request_like.ts";
import { isFromOtherSite, isOwnForm, isVisit } from "../http/origin.ts";
import { pageUrl } from "../request/links.ts";
import { foreignRequest, warnOfAddress } from "../request/origin_advice.ts";
import { type Outcome, redirectTo } from "../request/outcome.ts";
import { respond } from "./respond.ts";
import { credentials, email, oauth } from "./late_modules.ts";
import type { FieldsIn, SessionPatch } from "../kernel/inferred.ts";
import type { Session } from "../kernel/model.ts";
import type { ResolvedProvider } from "../config/resolved_provider.ts";
import { readSession } from "../session/read.ts";
import { signOutAt } from "./sign_out.ts";
import { chooseRedirectUrl } from "../request/redirect.ts";

/** What becomes of the browser after {@linkcode Auth.signIn}. */
export interface SignInTarget {
  /** Where the browser goes afterwards. @default the current page */
  redirectTo?: string | undefined;
  /**
   * Whether `signIn()` gives a redirect response. With `false` it gives the URL instead. A string is a form field.
   *
   * @default {true}
   */
  redirect?: boolean | undefined;
}

/** Options of {@linkcode Auth.signIn}. */
export interface SignInOptions extends SignInTarget {
  /** Every other member is a form field that the visitor filled in, such as `email` or `password`. */
  [field: string]: unknown;
}

/** Options of {@linkcode Auth.signIn} for a provider. `callbackUrl` is a field of every form. */
export type SignInOptionsOf<F, Id extends string> = FieldsIn<F, Id> & SignInTarget & { callbackUrl?: unknown };

/** Options of {@linkcode Auth.signOut}. */
export interface SignOutOptions {
  /** Where the browser goes afterwards. @default the current page */
  redirectTo?: string | undefined;
  /** Whether `signOut()` gives a redirect response. With `false` it gives the URL instead. @default {true} */
  redirect?: boolean | undefined;
}

/**
 * Parameters for the provider's authorization endpoint, such as `prompt` or `login_hint`. The values of a list are sent one
 * by one, such as those of `resource` (RFC 8707), or joined with spaces where the parameter holds several values itself.
 * The objects of `authorization_details` (RFC 9396) are sent as JSON. `max_age` and `acr_values` are demanded of the id_token.
 */
export type AuthorizationParams =
  | string
  | Readonly<Record<string, string | readonly string[] | readonly object[]>>
  | URLSearchParams
  | readonly (readonly [string, string])[];

/** A form that somebody sent: a `FormData`, a `URLSearchParams`, or an equivalent of a framework. */
export interface SentForm {
  /** The names and values of its fields. */
  entries(): Iterable<readonly [string, unknown]>;
}

/** What a sign-in starts with. */
export interface SignInCall {
  /** Id of the provider; without one the visitor chooses on the sign-in page. */
  readonly provider: string | undefined;
  readonly options: SignInOptions | SentForm;
  readonly params: AuthorizationParams | undefined;
  /** Whether the result is a URL, even if the options ask for a response. @default {false} */
  readonly settled?: boolean;
}

/** Redirects to a provider, sends a link to the field `email`, or signs in with credentials. */
export async function signInFor(
  engine: Engine,
  request: Request | LazyRequest,
  { provider, options, params, settled = false }: SignInCall,
): Promise<Response | Settled<string>> {
  const { redirect, redirectTo, fields } = readOptions(options);
  let ctx: RequestContext | undefined;
  try {
    return await finish(engine, request, redirect && !settled, (started) => {
      ctx = started;
      return startSignIn(started, provider, { redirectTo, fields, params });
    });
  } catch (error) {
    if (ctx && provider !== undefined) await (await failures()).tellFailure(ctx, error as AuthError, provider);
    throw error;
  }
}

/** Ends the session. */
export function signOutFor(
  engine: Engine,
  request: Request | LazyRequest,
  { redirect = true, redirectTo }: SignOutOptions,
): Promise<Response | Settled<string>> {
  return finish(engine, request, redirect, async (ctx) => {
    assertOwnSite(ctx, "sign out");
    return await signOutAt(ctx, await chooseRedirectUrl(ctx, redirectTo ?? currentPage(ctx)));
  });
}

/** Changes the session. */
export function updateFor(
  engine: Engine,
  request: Request | LazyRequest,
  patch: SessionPatch<Session>,
): Promise<Settled<Session | null>> {
  return engine.runForRequest(request, async (ctx) => {
    assertOwnSite(ctx, "change the session");
    return await readSession(ctx, { renew: true, patch: { data: patch } });
  });
}

/** @throws {MissingCSRF} if another site made the browser send the request. */
export function assertOwnSite(ctx: RequestContext, act: string): void {
  if (isFromOtherSite(ctx.request, ctx.url.origin)) throw foreignRequest(ctx, act);
}

interface ReadOptions {
  readonly redirect: boolean;
  readonly redirectTo: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

// By structure: a framework may have its own `FormData`.
function isForm(options: SignInOptions | SentForm): options is SentForm {
  return typeof options.entries === "function";
}

// The visitor wrote what is in a form: `redirectTo`, which is checked like any redirect URL, and fields. Only the
// caller can write the boolean `redirect: false`; the value of a field is a string.
function readOptions(options: SignInOptions | SentForm): ReadOptions {
  const { redirectTo, ...members }: SignInOptions = isForm(options)
    ? Object.fromEntries([...options.entries()].filter(([, value]) => typeof value === "string"))
    : options;
  const { redirect, ...others } = members;
  const fields = typeof redirect === "string" ? members : others;
  const url = redirectTo ?? fields.callbackUrl;
  return { redirect: redirect !== false, redirectTo: typeof url === "string" ? url : undefined, fields };
}

interface StartOptions extends Omit<ReadOptions, "redirect"> {
  readonly params: AuthorizationParams | undefined;
}

async function startSignIn(ctx: RequestContext, id: string | undefined, options: StartOptions): Promise<Outcome> {
  const provider = id === undefined ? null : ctx.config.providers.get(id);
  const broken = id === undefined ? undefined : ctx.config.brokenProviders.get(id);
  if (broken) throw copyError(broken.problems[0]);
  setLogProvider(ctx, provider?.id);
  if (provider === undefined) {
    throw new InvalidProvider(`Cannot sign in: \`providers\` has no provider "${id}"`);
  }
  // A link on another site may lead to a page that requires a sign-in.
  if (!isVisit(ctx.request) || !onlyRedirects(provider)) assertOwnSite(ctx, "sign in");
  warnOfAddress(ctx);
  const redirectUrl = await chooseRedirectUrl(ctx, options.redirectTo ?? currentPage(ctx));
  // A passkey needs a script in the browser, which the sign-in page has.
  if (!provider || provider.type === "webauthn") {
    return redirectTo(pageUrl(ctx, "signIn", { callbackUrl: redirectUrl }));
  }
  switch (provider.type) {
    case "oauth":
    case "oidc":
      return await (await oauth()).startOAuth(ctx, {
        provider,
        redirectUrl,
        params: readParams(options.params),
        signInOnly: !isOwnForm(ctx.request, ctx.url.origin),
      });
    case "email":
      return await (await email()).startEmail(ctx, { provider, redirectUrl, fields: options.fields });
    case "credentials":
      return await (await credentials()).signInWithCredentials(ctx, { provider, redirectUrl, fields: options.fields });
    default:
      return provider satisfies never;
  }
}

// These only redirect. With credentials or an email a mere visit would be enough for another site to sign its own user in
// here (login CSRF).
function onlyRedirects(provider: ResolvedProvider | null): boolean {
  return provider === null || provider.type === "oauth" || provider.type === "oidc" || provider.type === "webauthn";
}

/** The page the visitor is on: the one they asked for, or the one whose form they sent. */
function currentPage({ request, url }: RequestContext): string {
  const { method, headers } = request;
  return method === "GET" || method === "HEAD" ? url.href : headers.get("referer") ?? url.origin;
}

async function finish(
  engine: Engine,
  request: Request | LazyRequest,
  redirect: boolean,
  run: (ctx: RequestContext) => Promise<Outcome>,
): Promise<Response | Settled<string>> {
  const { value: { ctx, outcome }, cookies } = await engine.runForRequest(request, async (ctx) => {
    return { ctx, outcome: await run(ctx) };
  });
  if (outcome.kind === "redirect" && !redirect) return { value: outcome.to, cookies };
  return await respond({ outcome, cookies, config: ctx.config, url: ctx.url });
}

function readParams(params: AuthorizationParams = ""): URLSearchParams {
  if (typeof params === "string" || Symbol.iterator in params) return new URLSearchParams(params as string);
  return new URLSearchParams(
    Object.entries(params).flatMap(([name, value]) => paramValues(name, value).map((one) => [name, one])),
  );
}
