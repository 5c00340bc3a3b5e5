/**
 * The exchange of the code for tokens.
 *
 * @module
 */
import { isObject } from "../kernel/objects.ts";
import * as oauth from "oauth4webapi";
import type { RequestContext } from "../request/context.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { InvalidConfig, OAuthProviderError } from "../kernel/errors.ts";
import type { Flow } from "../http/flow.ts";
import type { TokenSet } from "../kernel/model.ts";
import type { FetchLike } from "../contract/provider.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { clientAuth, clientOf, factsOf, redirectUri } from "./client.ts";
import { handlerFailure, providerSaid } from "./failure.ts";
import { type IdToken, idTokenError, idTokenProblem, matchesAccessToken, readIdToken } from "./id_token.ts";
import { type JsonObject, readObject } from "./json.ts";
import { verifySignature } from "./keys.ts";
import { getDocument, type Server } from "./server.ts";

/** What the exchange needs. */
export interface Exchange {
  readonly provider: ResolvedOAuthProvider;
  readonly server: Server;
  /** The answer of the provider, as `validateAuthResponse()` gave it. */
  readonly params: URLSearchParams;
  readonly flow: Flow;
  readonly fetch: FetchLike;
}

/** What the exchange gave. */
export interface Grant {
  readonly tokens: TokenSet;
  /** The claims of the id_token, if it was verified. */
  readonly claims: Readonly<JsonObject> | null;
}

/**
 * Exchanges the code and verifies the id_token.
 *
 * @throws {OAuthCallbackError} if the provider refuses the code.
 */
export async function exchangeCode(ctx: RequestContext, exchange: Exchange): Promise<Grant> {
  const { provider, server } = exchange;
  const body = tidy(await tokenAnswer(provider, await requestTokens(ctx, exchange)));
  if (!readsIdToken(provider, server)) return { tokens: await readTokens(exchange, body), claims: null };
  if (body.id_token === undefined && provider.type === "oauth" && exchange.flow.nonce === undefined) {
    return { tokens: await readTokens(exchange, body), claims: null };
  }
  return await readVerified(ctx, exchange, body);
}

// An OAuth provider may hand out an id_token that nothing is known about: it is kept and never read.
function readsIdToken({ type, id, wellKnown }: ResolvedOAuthProvider, { hasIssuer, keys }: Server): boolean {
  if (hasIssuer && keys) return true;
  if (type === "oauth") return false;
  if (wellKnown) throw new OAuthProviderError(`Cannot sign in with "${id}": its metadata has no jwks_uri`);
  const missing = hasIssuer ? "jwks_endpoint" : "issuer";
  throw new InvalidConfig(`Cannot verify id_tokens of provider "${id}": set its \`${missing}\``);
}

async function requestTokens(ctx: RequestContext, exchange: Exchange): Promise<Response> {
  const { provider, server, params, flow, fetch } = exchange;
  const { handler, conform, params: additionalParameters } = provider.token;
  if (handler) return await callTokenHandler(ctx, exchange, handler);
  const { runtime, timeouts } = ctx.config;
  const response = await oauth.authorizationCodeGrantRequest(
    server.metadata,
    clientOf(provider),
    clientAuth(provider, server, runtime),
    params,
    redirectUri(ctx, provider),
    flow.verifier ?? oauth.nopkce,
    // Which endpoints may do without https is for `fetch` to say: it knows of loopback.
    {
      [oauth.customFetch]: fetch,
      [oauth.allowInsecureRequests]: true,
      additionalParameters: { ...additionalParameters },
    },
  );
  if (!conform) return response;
  const what = `\`token.conform\` of provider "${provider.id}"`;
  try {
    return await withDeadline(runtime, timeouts.request, what, () => conform(response.clone())) ?? response;
  } catch (error) {
    throw handlerFailure(what, error);
  }
}

async function callTokenHandler(
  ctx: RequestContext,
  { provider, params, flow, fetch }: Exchange,
  handler: NonNullable<ResolvedOAuthProvider["token"]["handler"]>,
): Promise<Response> {
  const { runtime, timeouts } = ctx.config;
  const what = `\`token\` of provider "${provider.id}"`;
  const checks = {
    state: flow.state,
    ...(flow.verifier !== undefined && { code_verifier: flow.verifier }),
    ...(flow.nonce !== undefined && { nonce: flow.nonce }),
  };
  const call = { provider: factsOf(ctx, provider), params: new URLSearchParams(params), checks, fetch };
  try {
    const given: unknown = await withDeadline(runtime, timeouts.request, what, () => handler(call));
    const tokens = isObject(given) && isObject(given.tokens) ? given.tokens : given;
    return Response.json(isObject(tokens) ? { token_type: "bearer", ...defined(tokens) } : null);
  } catch (error) {
    throw handlerFailure(what, error);
  }
}

function defined(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}

async function tokenAnswer({ id }: ResolvedOAuthProvider, response: Response): Promise<JsonObject> {
  const { status } = response;
  const body = readObject(await response.arrayBuffer());
  // Some servers report errors with status 200, others together with a challenge.
  if (typeof body?.error === "string" && body.error) throw providerSaid(id, { error: body.error, status });
  if (body && status === 200) return body;
  throw new OAuthProviderError(`Cannot sign in with "${id}": its token endpoint did not answer with tokens`, {
    cause: { status },
  });
}

// Members that say nothing are left out, and with them a lifetime that is not one.
function tidy({ expires_in, ...others }: JsonObject): JsonObject {
  const seconds = typeof expires_in === "string" && expires_in.trim() ? Number(expires_in) : expires_in;
  const usable = typeof seconds === "number" && seconds >= 0 && seconds <= Number.MAX_SAFE_INTEGER;
  return { ...defined(others), ...(usable && { expires_in: seconds }) };
}

async function readTokens({ provider, server }: Exchange, body: JsonObject): Promise<TokenSet> {
  const { id_token, ...readable } = body;
  const tokens = await oauth.processAuthorizationCodeResponse(
    server.metadata,
    clientOf(provider),
    Response.json(readable),
  );
  return { ...tokens, ...(typeof id_token === "string" && { id_token }) };
}

async function readVerified(ctx: RequestContext, exchange: Exchange, body: JsonObject): Promise<Grant> {
  const { provider, server, flow, fetch } = exchange;
  const { runtime } = ctx.config;
  const idToken = readIdToken(body.id_token);
  const issuer = await expectedIssuer(provider, server, idToken);
  const answer = Response.json(body);
  const tokens = await oauth.processAuthorizationCodeResponse(
    { ...server.metadata, issuer },
    clientOf(provider),
    answer,
    {
      requireIdToken: true,
      ...(flow.nonce !== undefined && { expectedNonce: flow.nonce }),
    },
  );
  const problem = idTokenProblem(idToken, {
    now: runtime.now() / 1000,
    clientId: provider.clientId,
    ...demandsOf(provider),
  });
  if (problem) throw idTokenError(problem);
  if (!await matchesAccessToken(idToken, tokens.access_token)) {
    throw idTokenError("its at_hash is of another access token");
  }
  const load = (url: string) => getDocument(ctx.config, fetch, url);
  if (!server.keys) throw idTokenError("there are no keys to verify it with");
  await verifySignature(server.keys, answer, { load, runtime, named: idToken.header.kid !== undefined });
  return { tokens, claims: idToken.told };
}

async function expectedIssuer(
  provider: ResolvedOAuthProvider,
  { metadata, shared }: Server,
  { told }: IdToken,
): Promise<string> {
  if (!shared) return metadata.issuer;
  try {
    // Waited for although its type has no promise: one that fails with nobody waiting would end the program. And it is
    // given a copy, because the claims are yet to be verified.
    const issuer: unknown = await provider.expectedIssuer?.(structuredClone(told));
    if (typeof issuer === "string" && issuer) return issuer;
  } catch (error) {
    throw handlerFailure(`\`expectedIssuer\` of provider "${provider.id}"`, error);
  }
  throw idTokenError("its claims name no issuer that is expected");
}

// Only what the developer configured binds: what a caller adds to one request is the caller's wish.
function demandsOf(
  { client, authorization }: ResolvedOAuthProvider,
): { maxAge?: number; acrValues?: readonly string[] } {
  const { max_age, acr_values } = authorization.params;
  const maxAge = max_age ? Number(max_age) : client.default_max_age;
  return {
    ...(maxAge !== undefined && { maxAge }),
    ...(acr_values && { acrValues: acr_values.split(" ") }),
  };
}
