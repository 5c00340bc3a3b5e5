/**
 * The token request, and the verification of the id_token in its response.
 *
 * @module
 */
import { isObject } from "../kernel/objects.ts";
import * as oauth from "oauth4webapi";
import type { RequestContext } from "../request/context.ts";
import { OAuthProviderError } from "../kernel/errors.ts";
import type { Flow } from "./flow.ts";
import type { TokenSet } from "../kernel/model.ts";
import type { CallbackParams, FetchLike } from "../contract/provider.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { assertAuthenticated } from "./authentication.ts";
import { clientMetadata, handlerProvider, redirectUri } from "../oauth_client/client.ts";
import { authHint, mayRefuseClient } from "../oauth_client/client_auth.ts";
import type { BoundKey } from "../oauth_client/dpop.ts";
import { callHandler, tokenError, withoutSecrets } from "../oauth_client/failure.ts";
import { type JsonObject, readObject } from "../oauth_client/json.ts";
import { dpop } from "../oauth_client/late_modules.ts";
import { lackOf, type Server } from "../oauth_client/metadata.ts";
import { hasKeyFor, missingKeys } from "../oauth_client/signature.ts";
import {
  acceptedTypes,
  assertBound,
  responseOf,
  sendTokenRequest,
  tidy,
  verifyAnswer,
  withoutNulls,
} from "../oauth_client/token_endpoint.ts";

/** What the exchange needs. */
export interface Exchange {
  readonly provider: ResolvedOAuthProvider;
  readonly server: Server;
  /** The authorization response, as `validateAuthResponse()` returned it. */
  readonly params: URLSearchParams;
  readonly flow: Flow;
  readonly fetch: FetchLike;
}

/** The result of the exchange. */
export interface Grant {
  readonly tokens: TokenSet;
  /** The claims of the id_token, if it was verified. */
  readonly claims: Readonly<JsonObject> | null;
  /** The key that the access token is bound to, with DPoP. */
  readonly key: BoundKey | null;
}

/**
 * Exchanges the code for tokens and verifies the id_token.
 *
 * @throws {OAuthCallbackError} if the provider refuses the code, and the person can try again.
 * @throws {OAuthProviderError} if the provider refuses this client, or the response or its id_token is not valid.
 */
export async function exchangeCode(ctx: RequestContext, exchange: Exchange): Promise<Grant> {
  const { provider, server, flow } = exchange;
  const key = flow.dpopKey ? await (await dpop()).openKey(flow.dpopKey, ctx.config, provider) : null;
  const body = await getTokens(ctx, exchange, key);
  const mayLackIdToken = provider.type === "oauth" && flow.nonce === undefined;
  if (canVerifyIdToken(provider, server) && !(mayLackIdToken && body.id_token === undefined)) {
    return { ...await verifyIdToken(ctx, exchange, body), key };
  }
  // Stored unchanged, and never read.
  const { id_token, ...others } = body;
  const tokens = await processResponse(provider, { server, body: others });
  return { tokens: { ...tokens, ...(typeof id_token === "string" && { id_token }) }, claims: null, key };
}

function canVerifyIdToken({ type, id, wellKnown, client }: ResolvedOAuthProvider, server: Server): boolean {
  if (hasKeyFor(client.id_token_signed_response_alg, server)) return true;
  if (type === "oauth") return false;
  if (wellKnown) throw new OAuthProviderError(`Cannot sign in with "${id}": ${lackOf(server, "jwks_uri")}`);
  throw missingKeys({ id }, server, "id_tokens");
}

/** Gets the members of the token response. Those that are `null` are left out, and so is an unusable `expires_in`. */
async function getTokens(ctx: RequestContext, exchange: Exchange, key: BoundKey | null): Promise<JsonObject> {
  const { provider, server } = exchange;
  const { id, token: { handler } } = provider;
  const response = handler ? null : await requestTokens(ctx, exchange, key);
  const body = response ? readObject(await response.arrayBuffer()) : await callTokenHandler(ctx, exchange);
  const status = response?.status ?? 200;
  const hint = response && mayRefuseClient(status, body?.error) ? authHint(provider, server) : null;
  // Some servers report errors with status 200, others together with a challenge.
  if (typeof body?.error === "string" && body.error) {
    const { error_description: description } = body;
    const sent = [exchange.params.get("code"), exchange.flow.verifier, provider.clientSecret];
    throw tokenError(id, {
      error: withoutSecrets(body.error, sent),
      description: typeof description === "string" ? withoutSecrets(description, sent) : null,
      status,
      hint,
      redirectUri: redirectUri(ctx, provider),
    });
  }
  if (body && status === 200) {
    assertBound({ provider, key }, body.token_type);
    return tidy(body);
  }
  const failed = `Cannot sign in with "${id}": its token endpoint did not answer with tokens`;
  throw new OAuthProviderError(hint ? `${failed}; ${hint}` : failed, {
    cause: { status },
    logCode: "token-request-refused",
  });
}

async function requestTokens(ctx: RequestContext, exchange: Exchange, key: BoundKey | null): Promise<Response> {
  const { provider, params, flow } = exchange;
  return await sendTokenRequest(ctx.config, { ...exchange, key }, ({ as, client, auth, options }) => {
    const verifier = flow.verifier ?? oauth.nopkce;
    return oauth.authorizationCodeGrantRequest(as, client, auth, params, redirectUri(ctx, provider), verifier, options);
  });
}

async function callTokenHandler(
  ctx: RequestContext,
  { provider, params, flow, fetch }: Exchange,
): Promise<JsonObject | null> {
  const checks = {
    state: flow.state,
    ...(flow.verifier !== undefined && { code_verifier: flow.verifier }),
    ...(flow.nonce !== undefined && { nonce: flow.nonce }),
  };
  const call = { provider: handlerProvider(ctx, provider), params: withMembers(params), checks, fetch };
  const given: unknown = await callHandler(ctx.config, provider, "token", () => provider.token.handler?.(call));
  const tokens = isObject(given) && isObject(given.tokens) ? given.tokens : given;
  // As JSON holds them, and not the objects of the handler: it may keep and change those.
  return isObject(tokens) ? { token_type: "bearer", ...withoutNulls(JSON.parse(JSON.stringify(tokens))) } : null;
}

// Handlers that were written for Auth.js read `params.code`.
function withMembers(params: URLSearchParams): CallbackParams {
  const readable = new URLSearchParams(params);
  const members = [...params].filter(([name]) => !(name in readable));
  return Object.assign(readable, Object.fromEntries(members));
}

interface Reading extends oauth.ProcessAuthorizationCodeResponseOptions {
  readonly body: JsonObject;
  readonly server: Server;
  /** @default that of the metadata */
  readonly issuer?: string;
}

async function processResponse(
  provider: ResolvedOAuthProvider,
  { body, server, issuer = server.metadata.issuer, ...options }: Reading,
): Promise<oauth.TokenEndpointResponse> {
  const metadata = { ...server.metadata, issuer };
  return await oauth.processAuthorizationCodeResponse(metadata, clientMetadata(provider), responseOf(body), {
    ...options,
    ...acceptedTypes(provider, body),
  });
}

async function verifyIdToken(
  ctx: RequestContext,
  exchange: Exchange,
  answer: JsonObject,
): Promise<Omit<Grant, "key">> {
  const { provider, flow } = exchange;
  const now = ctx.config.runtime.now() / 1000;
  const { tokens, idToken } = await verifyAnswer(ctx.config, exchange, answer, (reading) => {
    return processResponse(provider, {
      ...reading,
      requireIdToken: true,
      ...(flow.nonce !== undefined && { expectedNonce: flow.nonce }),
    });
  });
  assertAuthenticated(idToken.claims, { provider, flow, now });
  return { tokens, claims: idToken.exactClaims };
}
