/**
 * Requests to the token endpoint, of every grant: where they go, how the client authenticates, and what the tokens are
 * bound to.
 *
 * @module
 */
import * as oauth from "oauth4webapi";
import { OAuthProviderError } from "../kernel/errors.ts";
import type { FetchLike } from "../contract/provider.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { clientMetadata, urlWithParams } from "./client.ts";
import { clientAuth } from "./client_auth.ts";
import type { BoundKey } from "./dpop.ts";
import { callHandler } from "./failure.ts";
import { readObject } from "./json.ts";
import type { OutboundConfig } from "./outbound.ts";
import type { Server } from "./metadata.ts";

// Without a charset, which the type does not have: some servers compare the whole text.
const FORM = "application/x-www-form-urlencoded";

/** Where a token request goes. */
export interface TokenTarget {
  readonly provider: ResolvedOAuthProvider;
  readonly server: Server;
  readonly fetch: FetchLike;
  /** The key that the tokens are bound to, with DPoP. */
  readonly key: BoundKey | null;
  /** The authorization response, if its code is exchanged. */
  readonly params?: URLSearchParams;
}

/** What a request function of the protocol library takes. */
export interface TokenCall {
  readonly as: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly auth: oauth.ClientAuth;
  readonly options: oauth.TokenEndpointRequestOptions;
}

/**
 * Sends a token request, and lets `token.conform` of the provider repair the answer.
 *
 * @param send Sends one request, such as `oauth.refreshTokenGrantRequest(as, client, auth, token, options)`.
 * @throws {InvalidConfig} if the client cannot authenticate.
 */
export async function sendTokenRequest(
  config: OutboundConfig,
  target: TokenTarget,
  send: (call: TokenCall) => Promise<Response>,
): Promise<Response> {
  const { conform } = target.provider.token;
  const response = await sendBound(config, target, send);
  if (!conform) return response;
  return await callHandler(config, target.provider, "token.conform", () => conform(response.clone())) ?? response;
}

// With DPoP the request is sent a second time if the server demands a nonce.
async function sendBound(
  { runtime }: OutboundConfig,
  target: TokenTarget,
  send: (call: TokenCall) => Promise<Response>,
): Promise<Response> {
  const { provider, server, fetch, key, params } = target;
  const { refreshUrl } = provider.token;
  const endpoint = refreshUrl && !params ? String(refreshUrl) : server.metadata.token_endpoint;
  const call = (): TokenCall => ({
    // Only here: parameters may hold a secret, and the audience of an assertion is the endpoint without them.
    as: endpoint && (endpoint !== server.metadata.token_endpoint || Object.keys(provider.token.params).length > 0)
      ? { ...server.metadata, token_endpoint: urlWithParams(endpoint, provider.token.params).href }
      : server.metadata,
    client: clientMetadata(provider),
    auth: withForm(clientAuth(provider, server, runtime), target),
    options: {
      [oauth.customFetch]: (url, { body, headers, method, signal }) => {
        return fetch(url, { body, method, signal: signal ?? null, headers: { ...headers, "content-type": FORM } });
      },
      // `fetch` itself refuses http, except on loopback addresses.
      [oauth.allowInsecureRequests]: true,
      ...(key && { DPoP: key.handle }),
    },
  });
  const response = await send(call());
  if (!key?.keepNonce(endpoint ?? "", response) || !await isRefusedForNonce(response)) return response;
  const repeated = await send(call());
  key.keepNonce(endpoint ?? "", repeated);
  return repeated;
}

// Client authentication is the last that the protocol library lets write to a request.
function withForm(auth: oauth.ClientAuth, target: TokenTarget): oauth.ClientAuth {
  if (!target.provider.token.form) return auth;
  return async (server, client, body, headers) => {
    await auth(server, client, body, headers);
    for (const [name, value] of Object.entries(addedTo(target))) {
      if (!body.has(name) && value !== undefined && value !== null) body.set(name, String(value));
    }
  };
}

function addedTo({ provider: { id, clientId, token: { form } }, params }: TokenTarget): object {
  const grantType = params ? "authorization_code" : "refresh_token";
  try {
    return (typeof form === "function" ? form({ clientId, grantType, callback: new URLSearchParams(params) }) : form) ??
      {};
  } catch (error) {
    throw new OAuthProviderError(`Cannot request tokens: \`token.form\` of provider "${id}" failed`, {
      logCode: "callback-threw",
      cause: error,
    });
  }
}

// RFC 9449, section 8.
async function isRefusedForNonce(response: Response): Promise<boolean> {
  if (response.status !== 400 && response.status !== 401) return false;
  return readObject(await response.clone().arrayBuffer())?.error === "use_dpop_nonce";
}

/**
 * Checks that tokens are bound to a key where that is demanded. Anybody who gets hold of other tokens could use them.
 *
 * @throws {OAuthProviderError} if they are not.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9449#section-5 | RFC 9449, section 5}
 */
export function assertBound(
  { provider: { id }, key }: Pick<TokenTarget, "provider" | "key">,
  tokenType: unknown,
): void {
  if (!key || String(tokenType).toLowerCase() === "dpop") return;
  throw new OAuthProviderError(
    `Cannot accept tokens of provider "${id}": their token_type must be DPoP, as \`client.dpop_bound_access_tokens\` says, ` +
      `and it is ${JSON.stringify(String(tokenType).slice(0, 200))}; register the client for DPoP there`,
  );
}
