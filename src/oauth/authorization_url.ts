/**
 * The authorization request: its parameters, and the URL that carries them, or what stands for them, to the provider.
 *
 * @module
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1 | RFC 6749, section 4.1.1}
 */
import type { RequestContext } from "../request/context.ts";
import { sha256Base64Url } from "../crypto/digest.ts";
import { InvalidConfig, OAuthProviderError } from "../kernel/errors.ts";
import type { Flow } from "./flow.ts";
import { withParams } from "../http/query.ts";
import { asRedirectUrl, isSecureUrl, type RedirectUrl } from "../http/redirect_url.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { handlerProvider, redirectUri, setParams } from "../oauth_client/client.ts";
import { callHandler, wrapProtocolErrors } from "../oauth_client/failure.ts";
import { authorizationRequests, dpop, signedResponses } from "../oauth_client/late_modules.ts";
import { endpointOf, type Server } from "../oauth_client/metadata.ts";

/** What {@linkcode authorizationUrl} needs. */
export interface UrlInput {
  readonly provider: ResolvedOAuthProvider;
  readonly server: Server;
  readonly flow: Flow;
  /** The caller's parameters. */
  readonly added: URLSearchParams;
}

/**
 * Returns the URL that the browser is sent to. The request is signed and pushed where the configuration or the metadata
 * demands it.
 *
 * @throws {OAuthProviderError} if the endpoint is not an https URL, or the provider refuses a request that is pushed.
 */
export async function authorizationUrl(ctx: RequestContext, input: UrlInput): Promise<RedirectUrl> {
  const { provider, server } = input;
  const plain = await plainUrl(ctx, input);
  const url = new URL(plain);
  const ways = waysOf(input, url.searchParams);
  if (provider.signedResponse && !ways.isDone) {
    (await signedResponses()).assertSignedMode({ provider, server }, url.searchParams);
  }
  if (!ways.signs && !ways.pushes) return plain;
  const sent = await wrapProtocolErrors(provider, () => shorten(ctx, input, { params: url.searchParams, ...ways }));
  url.search = ownQuery(input);
  setParams(url.searchParams, { client_id: provider.clientId, ...sent });
  return asRedirect(provider, url);
}

interface Ways {
  /** Whether the parameters are signed. */
  readonly signs: boolean;
  /** Whether they are pushed. */
  readonly pushes: boolean;
  /** Whether a handler of the developer has signed or pushed them, so that they can no longer be read. */
  readonly isDone: boolean;
}

/** Decides how the parameters get to the provider. */
function waysOf({ provider, server: { metadata } }: UrlInput, params: URLSearchParams): Ways {
  const { id, authorization, client } = provider;
  const signs = Boolean(client.request_object_signing_alg || client.require_signed_request_object) ||
    metadata.require_signed_request_object === true;
  const pushes = Boolean(authorization.pushed || client.require_pushed_authorization_requests) ||
    metadata.require_pushed_authorization_requests === true;
  const done = ["request_uri", "request"].find((name) => params.has(name));
  if (done === undefined || !(signs || pushes)) return { signs, pushes, isDone: done !== undefined };
  if (authorization.handler) return { signs: false, pushes: pushes && done === "request", isDone: true };
  // What is written in a configuration is the same for everybody. It cannot hold a `state`.
  throw new InvalidConfig(`Cannot sign in with "${id}": remove \`${done}\` from its \`authorization\``);
}

/** Gives the parameters that stand for all others. */
async function shorten(
  ctx: RequestContext,
  input: UrlInput,
  { params, signs, pushes }: Ways & { readonly params: URLSearchParams },
): Promise<Readonly<Record<string, string>>> {
  const { provider, flow: { state, nonce } } = input;
  const { pushRequest, signRequest } = await authorizationRequests();
  const request = signs ? await signRequest(ctx.config, input, params) : params.get("request");
  if (!pushes && request !== null) return { ...usualParams(provider, params), request };
  // All parameters are in the request object, and nowhere else (RFC 9126, section 3).
  const pushed = request === null ? params : new URLSearchParams({ request });
  const secrets = [state, nonce, provider.clientSecret];
  return { request_uri: await pushRequest(ctx.config, input, { params: pushed, secrets }) };
}

// OpenID Connect Core, section 6.1, wants them beside the request object: the URL is still a request of OAuth 2.0.
function usualParams({ type }: ResolvedOAuthProvider, params: URLSearchParams): Readonly<Record<string, string>> {
  return type === "oidc" ? { response_type: params.get("response_type") ?? "code", scope: "openid" } : {};
}

// The query of an endpoint stays (RFC 6749, section 3.1). In a configured URL it is part of the request.
function ownQuery({ provider: { authorization }, server: { metadata } }: UrlInput): string {
  const isDiscovered = authorization.url === undefined && !authorization.handler;
  return isDiscovered ? new URL(metadata.authorization_endpoint ?? "").search : "";
}

async function plainUrl(ctx: RequestContext, { provider, server, flow, added }: UrlInput): Promise<RedirectUrl> {
  const { handler } = provider.authorization;
  if (handler) {
    const params = await protocolParams(ctx, new URLSearchParams(), { provider, flow, added });
    const call = { provider: handlerProvider(ctx, provider), params };
    return asRedirect(provider, await callHandler(ctx.config, provider, "authorization", () => handler(call)));
  }
  const url = new URL(endpointOf(provider, server, "authorization_endpoint"));
  url.search = (await protocolParams(ctx, url.searchParams, { provider, flow, added })).toString();
  return asRedirect(provider, url);
}

function asRedirect({ id, allowInsecureRequests }: ResolvedOAuthProvider, url: unknown): RedirectUrl {
  const redirectUrl = URL.canParse(String(url)) ? asRedirectUrl(String(url), String(url)) : null;
  if (redirectUrl && isSecureUrl(redirectUrl, allowInsecureRequests)) return redirectUrl;
  throw new OAuthProviderError(`Cannot sign in with "${id}": its authorization endpoint is not an https URL`);
}

/**
 * Gives the parameters of the authorization request: those of the endpoint, the protocol, the provider and the caller.
 * Last come `state`, PKCE and `nonce`, which bind the response to this browser: nothing overrides them.
 */
async function protocolParams(
  ctx: RequestContext,
  own: URLSearchParams,
  { provider, flow, added }: Omit<UrlInput, "server">,
): Promise<URLSearchParams> {
  // Not from the configuration: the token request sends the same `redirect_uri`.
  const { scope, redirect_uri: _, ...extra } = provider.authorization.params;
  const started = new URLSearchParams(own);
  if (scope !== undefined) setParams(started, { scope });
  const defaults = { response_type: "code", client_id: provider.clientId };
  for (const [name, value] of Object.entries(defaults)) if (!started.has(name)) started.set(name, value);
  started.set("redirect_uri", redirectUri(ctx, provider));
  setParams(started, extra);
  if (provider.signedResponse && !started.has("response_mode")) started.set("response_mode", "jwt");
  const params = withParams(started, added);
  // An empty one counts as none (RFC 6749, section 3.1), but the endpoint's URL stays as the developer wrote it.
  if (!params.get("scope") && !own.has("scope")) params.delete("scope");
  const { scopeSeparator, codeChallengeMethod = "S256" } = provider.authorization;
  if (scopeSeparator && params.has("scope")) {
    params.set("scope", (params.get("scope") ?? "").replaceAll(" ", scopeSeparator));
  }
  params.set("state", flow.state);
  if (flow.verifier) {
    params.set("code_challenge", codeChallengeMethod === "S256" ? await sha256Base64Url(flow.verifier) : flow.verifier);
    params.set("code_challenge_method", codeChallengeMethod);
  }
  if (flow.nonce) params.set("nonce", flow.nonce);
  if (flow.dpopKey) params.set("dpop_jkt", await (await dpop()).thumbprintOf(flow.dpopKey));
  return params;
}
