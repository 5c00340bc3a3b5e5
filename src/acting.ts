/**
 * Signing in and out on behalf of a request, without a form.
 *
 * @module
 */
import type { RequestContext } from "./context.ts";
import type { Engine, Settled } from "./engine.ts";
import { InvalidProvider } from "./errors.ts";
import { pageUrl } from "./links.ts";
import { type Outcome, redirectTo } from "./outcome.ts";
import { respond } from "./respond.ts";
import { credentials, email, oauth } from "./rooms.ts";
import { signOut } from "./session/sign_out.ts";
import { chooseTarget } from "./sign_in/target.ts";

/** What {@linkcode Auth.signIn} is told. */
export interface SignInOptions {
  /** Where to go afterwards. @default the current page */
  redirectTo?: string | undefined;
  /** Whether to answer with the redirect; `false` reports where it leads. @default {true} */
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
    return await signOut(ctx, await chooseTarget(ctx, redirectTo ?? currentPage(ctx)));
  });
}

interface ReadOptions {
  readonly redirect: boolean;
  readonly redirectTo: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

function readOptions(options: SignInOptions | FormData): ReadOptions {
  const { redirect = true, redirectTo, ...fields } = options instanceof FormData
    ? Object.fromEntries([...options].filter(([, value]) => typeof value === "string"))
    : options;
  const target = redirectTo ?? fields.callbackUrl;
  return {
    redirect: redirect !== false && redirect !== "false",
    redirectTo: typeof target === "string" ? target : undefined,
    fields,
  };
}

interface StartOptions {
  readonly redirectTo: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly params: AuthorizationParams | undefined;
}

async function startSignIn(ctx: RequestContext, id: string | undefined, options: StartOptions): Promise<Outcome> {
  const target = await chooseTarget(ctx, options.redirectTo ?? currentPage(ctx));
  if (id === undefined) return redirectTo(pageUrl(ctx, "signIn", { callbackUrl: target }));
  const provider = ctx.config.providers.get(id);
  if (!provider) throw new InvalidProvider(`Cannot sign in: there is no provider "${id}" in \`providers\``);
  switch (provider.type) {
    case "oauth":
    case "oidc":
      return await (await oauth()).startOAuth(ctx, {
        provider,
        target,
        params: new URLSearchParams(options.params as string),
      });
    case "email":
      return await (await email()).startEmail(ctx, { provider, target, fields: options.fields });
    case "credentials":
      return await (await credentials()).signInWithCredentials(ctx, { provider, target, fields: options.fields });
    case "webauthn":
      // Only a browser can hold the ceremony, and the page has what it needs.
      return redirectTo(pageUrl(ctx, "signIn", { callbackUrl: target }));
    default:
      return provider satisfies never;
  }
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
