/**
 * The way to the provider.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { sha256Base64Url } from "../crypto/digest.ts";
import { randomText } from "../crypto/random.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { BadRequest, InvalidConfig, OAuthProviderError } from "../kernel/errors.ts";
import { type Flow, issueFlow } from "../http/flow.ts";
import { withParams } from "../http/query.ts";
import { asRedirectUrl, isSecureUrl, type RedirectUrl } from "../http/redirect_url.ts";
import { type Outcome, redirectTo } from "../request/outcome.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { openSession } from "../sign_in/current.ts";
import { ownerOf } from "../stores/session_store.ts";
import { factsOf, redirectUri } from "./client.ts";
import { handlerFailure, translated } from "./failure.ts";
import { makeState } from "./proxy.ts";
import { authorizationServer, type Server } from "./server.ts";

/** What starting a flow needs. */
export interface StartInput {
  readonly provider: ResolvedOAuthProvider;
  /** Where the visitor goes when the sign-in is complete. */
  readonly target: RedirectUrl;
  /** What the caller adds to the authorization request, such as `prompt` or `login_hint`. */
  readonly params: URLSearchParams;
  /** Whether this is a sign-in and no more, whoever is signed in: another site may be behind it. */
  readonly addsNothing?: boolean;
}

/**
 * Sends a visitor to the provider, with a sealed cookie to recognise them by when they come back.
 *
 * @throws {BadRequest} if the caller's parameters name one that the protocol needs for itself.
 */
export async function startOAuth(ctx: RequestContext, input: StartInput): Promise<Outcome> {
  const { provider, target, params, addsNothing = false } = input;
  const asked = callerParams(params);
  const server = await translated(provider, () => authorizationServer(ctx.config, provider));
  if (provider.checks.pkce) demandS256(provider, server);
  const flow = await makeFlow(ctx, { provider, server, target, addsNothing });
  const [url] = await Promise.all([
    authorizationUrl(ctx, { provider, server, flow, asked }),
    issueFlow(ctx.cookies, ctx.config.sealer, flow, needsCrossSite(ctx, provider) ? "none" : undefined),
  ]);
  return redirectTo(url);
}

/** Parameters whose value only the flow may choose. */
const RESERVED: ReadonlySet<string> = new Set([
  "redirect_uri",
  "client_id",
  "client_secret",
  "response_type",
  "response_mode",
  "state",
  "nonce",
  "request",
  "request_uri",
]);

/** Beginnings of further ones. */
const RESERVED_FAMILY = /^(?:client_assertion|code_challenge)/;

/** The longest query of a caller, in characters: proxies and providers take little more. */
const LONGEST_QUERY = 8 * 1024;

/** What callers write into the same query for this service alone. */
const OUR_OWN: ReadonlySet<string> = new Set(["callbackUrl", "csrfToken"]);

/**
 * Takes the caller's parameters for the authorization request.
 *
 * @throws {BadRequest} if one is the protocol's own: dropping it in silence would hide a mistake. Also if they are too
 *   long for a URL.
 */
export function callerParams(params: URLSearchParams): URLSearchParams {
  const taken = [...params].filter(([name]) => !OUR_OWN.has(name));
  for (const [name] of taken) {
    // Servers exist that ignore case, and others that read `redirect.uri` and `redirect_uri[]` as `redirect_uri`.
    const read = name.toLowerCase().replace(/\[.*$/s, "").replaceAll(/[^a-z0-9]+/g, "_").replaceAll(/^_|_$/g, "");
    if (!RESERVED.has(read) && !RESERVED_FAMILY.test(read)) continue;
    throw new BadRequest(`The parameter ${read.slice(0, 64)} is chosen by the service`);
  }
  const asked = new URLSearchParams(taken);
  if (asked.toString().length > LONGEST_QUERY) throw new BadRequest("The query is too long");
  return asked;
}

// Metadata that lists methods without S256 would leave `plain`, which protects nothing that a reader of the URL lacks.
function demandS256({ id }: ResolvedOAuthProvider, { metadata }: Server): void {
  const methods = metadata.code_challenge_methods_supported;
  if (methods === undefined || (Array.isArray(methods) && methods.includes("S256"))) return;
  throw new InvalidConfig(
    `Cannot sign in with "${id}": its metadata does not offer PKCE with S256; set its \`checks\` to ["state", "nonce"]`,
  );
}

async function makeFlow(
  ctx: RequestContext,
  { provider, server, target, addsNothing }: {
    readonly provider: ResolvedOAuthProvider;
    readonly server: Server;
    readonly target: RedirectUrl;
    readonly addsNothing: boolean;
  },
): Promise<Flow> {
  const { runtime } = ctx.config;
  const { checks, id } = provider;
  const startedBy = addsNothing ? undefined : await signedIn(ctx);
  return {
    provider: id,
    state: await makeState(ctx, provider),
    target,
    ...(checks.pkce && { verifier: randomText(runtime) }),
    ...(checks.nonce && { nonce: randomText(runtime) }),
    ...(startedBy !== undefined && { startedBy }),
    ...(server.metadata.token_endpoint && { endpoint: server.metadata.token_endpoint }),
  };
}

// Without storage there are no accounts to add.
async function signedIn(ctx: RequestContext): Promise<string | undefined> {
  const active = ctx.config.storage && await openSession(ctx);
  return active ? ownerOf(active) : undefined;
}

interface UrlInput {
  readonly provider: ResolvedOAuthProvider;
  readonly server: Server;
  readonly flow: Flow;
  readonly asked: URLSearchParams;
}

async function authorizationUrl(
  ctx: RequestContext,
  { provider, server, flow, asked }: UrlInput,
): Promise<RedirectUrl> {
  const { handler } = provider.authorization;
  if (handler) {
    const params = await protocolParams(ctx, new URLSearchParams(), { provider, flow, asked });
    return asEndpoint(provider, await callHandler(ctx, provider, handler, params));
  }
  const endpoint = server.metadata.authorization_endpoint;
  if (!endpoint) {
    throw new OAuthProviderError(`Cannot sign in with "${provider.id}": its metadata has no authorization_endpoint`);
  }
  const url = new URL(endpoint);
  url.search = (await protocolParams(ctx, url.searchParams, { provider, flow, asked })).toString();
  return asEndpoint(provider, url);
}

async function callHandler(
  ctx: RequestContext,
  provider: ResolvedOAuthProvider,
  handler: NonNullable<ResolvedOAuthProvider["authorization"]["handler"]>,
  params: URLSearchParams,
): Promise<string | URL> {
  const { runtime, timeouts } = ctx.config;
  const what = `\`authorization\` of provider "${provider.id}"`;
  try {
    return await withDeadline(
      runtime,
      timeouts.request,
      what,
      () => handler({ provider: factsOf(ctx, provider), params }),
    );
  } catch (error) {
    throw handlerFailure(what, error);
  }
}

function asEndpoint({ id }: ResolvedOAuthProvider, url: unknown): RedirectUrl {
  const target = URL.canParse(String(url)) ? asRedirectUrl(String(url), String(url)) : null;
  if (target && isSecureUrl(target)) return target;
  throw new OAuthProviderError(`Cannot sign in with "${id}": its authorization endpoint is not an https URL`);
}

/**
 * The parameters of the authorization request: the endpoint's own, the protocol's, the provider's, the caller's, and
 * last what binds the answer to this browser, which nothing can replace.
 */
async function protocolParams(
  ctx: RequestContext,
  own: URLSearchParams,
  { provider, flow, asked }: Omit<UrlInput, "server">,
): Promise<URLSearchParams> {
  // The token request repeats `redirect_uri`, so it is the same whatever the endpoint's parameters say.
  const { scope, redirect_uri: _, ...extra } = provider.authorization.params;
  const started = new URLSearchParams(own);
  if (scope !== undefined) started.set("scope", scope);
  const defaults = { response_type: "code", client_id: provider.clientId };
  for (const [name, value] of Object.entries(defaults)) if (!started.has(name)) started.set(name, value);
  started.set("redirect_uri", redirectUri(ctx, provider));
  for (const [name, value] of Object.entries(extra)) started.set(name, value);
  const params = withParams(started, asked);
  if (!params.get("scope")) params.delete("scope");
  params.set("state", flow.state);
  if (flow.verifier) {
    params.set("code_challenge", await sha256Base64Url(flow.verifier));
    params.set("code_challenge_method", "S256");
  }
  if (flow.nonce) params.set("nonce", flow.nonce);
  return params;
}

// The answer is posted by the provider's page, and then only a cookie without SameSite is sure to come along.
// Browsers refuse such a cookie unless it is secure.
function needsCrossSite({ url, config }: RequestContext, { formPost }: ResolvedOAuthProvider): boolean {
  return formPost && url.protocol === "https:" && config.cookies.secure.state.options.secure === true;
}
