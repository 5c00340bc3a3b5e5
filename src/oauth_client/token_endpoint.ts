/**
 * The token endpoint: requests to it, of every grant, and its answers, with the verification of an id_token among them.
 *
 * @module
 */
import * as oauth from "oauth4webapi";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { FetchLike } from "../contract/provider.ts";
import { OAuthProviderError } from "../kernel/errors.ts";
import { clientMetadata, urlWithParams } from "./client.ts";
import { clientAuth } from "./client_auth.ts";
import type { BoundKey } from "./dpop.ts";
import { callHandler } from "./failure.ts";
import {
  clockProblem,
  expectedIssuer,
  idTokenError,
  idTokenProblem,
  matchesAccessToken,
  NO_ISSUER,
  readIdToken,
} from "./id_token.ts";
import { type JsonObject, readObject } from "./json.ts";
import { type Jwt, openAnswer } from "./jwt.ts";
import type { Server } from "./metadata.ts";
import type { OutboundConfig } from "./outbound.ts";
import { assertSigned, serverFor, type Signer } from "./signature.ts";

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

/** Lets the protocol library read a token response of an issuer. */
export type ReadTokens = (answer: {
  readonly server: Server;
  readonly issuer: string;
  readonly body: JsonObject;
}) => Promise<oauth.TokenEndpointResponse>;

/**
 * Verifies the id_token of a token response and reads the tokens. Those that are returned hold it as it was before it was
 * encrypted.
 *
 * @throws {OAuthProviderError} if it is not valid.
 */
export async function verifyAnswer(
  config: OutboundConfig,
  given: Signer,
  answer: JsonObject,
  read: ReadTokens,
): Promise<{ readonly tokens: oauth.TokenEndpointResponse; readonly idToken: Jwt }> {
  const { provider } = given;
  const { clientId, clockTolerance: tolerance, client: { id_token_signed_response_alg: alg } } = provider;
  const text = await openAnswer(provider, "id_token", answer.id_token);
  const idToken = readIdToken(text);
  const signer = { ...given, server: await serverFor(config, given, idToken) };
  const now = config.runtime.now() / 1000;
  const issuer = await expectedIssuer(config, signer, idToken);
  if (issuer === null) throw idTokenError(NO_ISSUER);
  const tokens = await read({ server: signer.server, issuer, body: { ...answer, id_token: text } });
  const problem = idTokenProblem(idToken, { now, clientId, alg, tolerance });
  if (problem) throw clockProblem(provider.id, idToken, { now, tolerance }) ?? idTokenError(problem);
  if (!await matchesAccessToken(idToken, tokens.access_token)) {
    throw idTokenError("its at_hash is not that of the access token");
  }
  await assertSigned(config, signer, { text: String(text), alg });
  return { tokens, idToken };
}

/** Makes the `Response` that the protocol library reads tokens from. As text, because a framework may keep an object. */
export function responseOf(members: JsonObject): Response {
  return new Response(JSON.stringify(members), { headers: { "content-type": "application/json" } });
}

/** Returns the options for the types of tokens: a token handler of the developer knows the types of its tokens. */
export function acceptedTypes(
  { token }: Pick<ResolvedOAuthProvider, "token">,
  { token_type: type }: JsonObject,
): Pick<oauth.ProcessAuthorizationCodeResponseOptions, "recognizedTokenTypes"> {
  return token.handler ? { recognizedTokenTypes: { [String(type).toLowerCase()]: () => {} } } : {};
}

/** Leaves out members that are `null`, and an `expires_in` that is not a number of seconds. */
export function tidy({ expires_in, ...others }: JsonObject): JsonObject {
  const seconds = typeof expires_in === "string" && expires_in.trim() ? Number(expires_in) : expires_in;
  const usable = typeof seconds === "number" && seconds >= 0 && seconds <= Number.MAX_SAFE_INTEGER;
  return { ...withoutNulls(others), ...(usable && { expires_in: seconds }) };
}

/** Leaves out members that are `null`. */
export function withoutNulls(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}
