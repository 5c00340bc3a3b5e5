/**
 * Signing in and out, and changing the session, on behalf of a request to the application. There is no token that a form
 * of ours would carry, so what the browser tells of where the request comes from decides what may be done.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import type { Engine, Settled } from "./engine.ts";
import { InvalidProvider, MissingCSRF } from "../kernel/errors.ts";
import { isFromOtherSite, isOwnForm, isVisit } from "../http/origin.ts";
import { pageUrl } from "../request/links.ts";
import { type Outcome, redirectTo } from "../request/outcome.ts";
import { respond } from "./respond.ts";
import { credentials, email, oauth } from "./lazy.ts";
import type { Session } from "../kernel/model.ts";
import type { ResolvedProvider } from "../config/resolved_provider.ts";
import { readSession } from "../session/read.ts";
import { signOut } from "../session/sign_out.ts";
import { chooseRedirectUrl } from "../sign_in/redirect.ts";

/** What {@linkcode Auth.signIn} is told. */
export interface SignInOptions {
  /** Where to go afterwards. @default the current page */
  redirectTo?: string | undefined;
  /**
   * Whether to answer with the redirect; `false` reports where it leads. Text is a field of the form like any other.
   *
   * @default {true}
   */
  redirect?: boolean | undefined;
  /** Any other member is a field of the form: what somebody typed. */
  [field: string]: unknown;
}

/** What {@linkcode Auth.signOut} is told. */
export interface SignOutOptions {
  /** Where to go afterwards. @default the current page */
  redirectTo?: string | undefined;
  /** Whether to answer with the redirect; `false` reports where it leads. @default {true} */
  redirect?: boolean | undefined;
}

/** Parameters for the provider, such as `prompt` or `login_hint`. */
export type AuthorizationParams =
  | string
  | Readonly<Record<string, string>>
  | URLSearchParams
  | readonly (readonly [string, string])[];

/** Starts a sign-in, sends a link to the `email` of the fields, or completes one with credentials. */
export function actSignIn(
  engine: Engine,
  request: Request,
  provider: string | undefined,
  options: SignInOptions | FormData,
  params: AuthorizationParams | undefined,
): Promise<Response | Settled<string>> {
  const { redirect, redirectTo, fields } = readOptions(options);
  return finish(engine, request, redirect, (ctx) => startSignIn(ctx, provider, { redirectTo, fields, params }));
}

/** Ends the session. */
export function actSignOut(
  engine: Engine,
  request: Request,
  { redirect = true, redirectTo }: SignOutOptions,
): Promise<Response | Settled<string>> {
  return finish(engine, request, redirect, async (ctx) => {
    demandOwnSite(ctx, "sign out");
    return await signOut(ctx, await chooseRedirectUrl(ctx, redirectTo ?? currentPage(ctx)));
  });
}

/** Changes the session. */
export function actUpdate(engine: Engine, request: Request, patch: Partial<Session>): Promise<Settled<Session | null>> {
  return engine.settle(request, async (ctx) => {
    demandOwnSite(ctx, "change the session");
    return await readSession(ctx, { renew: true, patch: { data: patch } });
  });
}

function demandOwnSite({ request, url }: RequestContext, act: string): void {
  if (!isFromOtherSite(request, url.origin)) return;
  throw new MissingCSRF(`Cannot ${act}: the request must come from a page of ${url.origin}, and another site sent it`);
}

interface ReadOptions {
  readonly redirect: boolean;
  readonly redirectTo: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

// A form holds what a visitor sent: where to go, which is checked like any target, and fields. How to answer is for the
// caller to say, and the caller writes `false`, where a field can only be text.
function readOptions(options: SignInOptions | FormData): ReadOptions {
  const { redirectTo, ...members } = options instanceof FormData
    ? Object.fromEntries([...options].filter(([, value]) => typeof value === "string"))
    : options;
  const { redirect, ...others } = members;
  const fields = typeof redirect === "string" ? members : others;
  const target = redirectTo ?? fields.callbackUrl;
  return { redirect: redirect !== false, redirectTo: typeof target === "string" ? target : undefined, fields };
}

interface StartOptions {
  readonly redirectTo: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly params: AuthorizationParams | undefined;
}

async function startSignIn(ctx: RequestContext, id: string | undefined, options: StartOptions): Promise<Outcome> {
  const provider = id === undefined ? null : ctx.config.providers.get(id);
  if (provider === undefined) {
    throw new InvalidProvider(`Cannot sign in: there is no provider "${id}" in \`providers\``);
  }
  // People follow links of other sites to pages that lead to a sign-in.
  if (!isVisit(ctx.request) || !onlyLeadsOn(provider)) demandOwnSite(ctx, "sign in");
  const target = await chooseRedirectUrl(ctx, options.redirectTo ?? currentPage(ctx));
  if (!provider) return redirectTo(pageUrl(ctx, "signIn", { callbackUrl: target }));
  switch (provider.type) {
    case "oauth":
    case "oidc":
      return await (await oauth()).startOAuth(ctx, {
        provider,
        redirectUrl: target,
        params: new URLSearchParams(options.params as string),
        signInOnly: !isOwnForm(ctx.request, ctx.url.origin),
      });
    case "email":
      return await (await email()).startEmail(ctx, { provider, redirectUrl: target, fields: options.fields });
    case "credentials":
      return await (await credentials()).signInWithCredentials(ctx, {
        provider,
        redirectUrl: target,
        fields: options.fields,
      });
    case "webauthn":
      // Only a browser can hold the ceremony, and the page has what it needs.
      return redirectTo(pageUrl(ctx, "signIn", { callbackUrl: target }));
    default:
      return provider satisfies never;
  }
}

// Where a visit is all it takes, a link of another site would sign its own user in, or have the link of a mail to its
// own user open here without a question.
function onlyLeadsOn(provider: ResolvedProvider | null): boolean {
  return provider === null || provider.type === "oauth" || provider.type === "oidc" || provider.type === "webauthn";
}

/** The page somebody is on: what they asked for, or the page whose form they sent. */
function currentPage({ request, url }: RequestContext): string {
  const { method, headers } = request;
  return method === "GET" || method === "HEAD" ? url.href : headers.get("referer") ?? url.origin;
}

async function finish(
  engine: Engine,
  request: Request,
  redirect: boolean,
  act: (ctx: RequestContext) => Promise<Outcome>,
): Promise<Response | Settled<string>> {
  const { value: { ctx, outcome }, cookies } = await engine.settle(request, async (ctx) => {
    return { ctx, outcome: await act(ctx) };
  });
  if (outcome.kind === "redirect" && !redirect) return { value: outcome.to, cookies };
  const { url, config } = ctx;
  return await respond({
    outcome,
    cookies,
    config,
    https: url.protocol === "https:",
    head: false,
    tellRedirect: false,
  });
}
