/**
 * The second half of a flow: the browser comes back from the provider with the authorization response.
 *
 * @module
 */
import * as oauth from "oauth4webapi";
import type { RequestContext } from "../request/context.ts";
import { sha256Hex } from "../crypto/digest.ts";
import { AccessDenied, BadRequest, InvalidCheck, OAuthProviderError } from "../kernel/errors.ts";
import { BoundedMap } from "../kernel/bounded_map.ts";
import type { Fields } from "../http/body.ts";
import { FLOW_LIFETIME } from "../http/cookie_specs.ts";
import { type Flow, redeemFlow } from "./flow.ts";
import { asAppUrl } from "../http/redirect_url.ts";
import { actionUrl, homeUrl } from "../request/links.ts";
import { lostCookie } from "../request/origin_advice.ts";
import { type Outcome, redirectTo } from "../request/outcome.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { SignInAttempt } from "../sign_in/attempt.ts";
import { completeSignIn } from "../sign_in/complete.ts";
import { clientMetadata, redirectUri } from "../oauth_client/client.ts";
import { authorizationServer } from "../oauth_client/discovery.ts";
import { authorizationError, wrapProtocolErrors } from "../oauth_client/failure.ts";
import { openAnswer } from "../oauth_client/jwt.ts";
import { signedResponses } from "../oauth_client/late_modules.ts";
import { issuerOf, type Server } from "../oauth_client/metadata.ts";
import { limitedFetch } from "../oauth_client/outbound.ts";
import { upstreamClaims } from "./authentication.ts";
import { identify } from "./profile.ts";
import { forwardUrl } from "./proxy.ts";
import { exchangeCode } from "./tokens.ts";

/** What {@linkcode finishOAuth} needs. */
export interface FinishInput {
  readonly provider: ResolvedOAuthProvider;
  /** The authorization response: the query of the callback. */
  readonly params: URLSearchParams;
}

/**
 * Finishes a flow: redeems its cookie, exchanges the code, reads the profile and completes the sign-in. The redirect
 * proxy forwards responses to other services instead.
 *
 * @throws {InvalidCheck} if this browser did not start the flow for this provider, or finished it before.
 * @throws {OAuthCallbackError} if the provider reports an error or refuses the code.
 * @throws {AccessDenied} if the person authenticated longer ago, or in another way, than was demanded.
 * @throws {OAuthProviderError} if the provider violates the protocol.
 */
export async function finishOAuth(ctx: RequestContext, { provider, params }: FinishInput): Promise<Outcome> {
  const received = await decrypted(provider, params);
  const state = provider.signedResponse ? (await signedResponses()).stateIn(received) : plainState(received);
  const forwardedTo = await forwardUrl(ctx, provider, { params, state });
  if (forwardedTo) return redirectTo(forwardedTo);
  const { cookies, config, url } = ctx;
  const key = { provider: provider.id, state, stateRequired: provider.checks.state };
  const flow = await redeemFlow(cookies, config.sealer, key).catch((error: unknown) => {
    if (!(error instanceof InvalidCheck) || error.logCode !== "flow-cookie-missing") throw error;
    throw new InvalidCheck(error.message + lostCookie(ctx), { logCode: error.logCode });
  });
  const attempt = await wrapProtocolErrors(provider, () => authenticate(ctx, { provider, params: received }, flow));
  return await completeSignIn(ctx, attempt, asAppUrl(flow.target, url.origin, config.redirectSchemes) ?? homeUrl(ctx));
}

// The state, which names the cookie of the flow, is inside. A response that does not open belongs to no flow.
async function decrypted(provider: ResolvedOAuthProvider, params: URLSearchParams): Promise<URLSearchParams> {
  const response = params.get("response");
  if (response === null || !provider.client.authorization_encrypted_response_alg) return params;
  try {
    return new URLSearchParams({ response: String(await openAnswer(provider, "authorization", response)) });
  } catch (error) {
    if (!(error instanceof OAuthProviderError)) throw error;
    throw new InvalidCheck(`Cannot redeem flow: ${error.message}`, { cause: error.cause });
  }
}

function plainState(params: URLSearchParams): string | null {
  const state = params.get("state");
  if (state === null && params.has("response")) {
    throw new InvalidCheck(
      "Cannot redeem flow: the answer is a signed response (JARM), and `response_mode` is another",
    );
  }
  return state;
}

/** Flows that were redeemed in this process, for a service whose storage cannot remember them. */
const redeemed = new BoundedMap<string, true>(10_000);

// A browser can send a cookie again after it was cleared. Asked when the answer is valid and before the provider is: so a
// flow causes at most one row and one token request, and a forged answer causes neither.
async function assertFirstUse({ storage, runtime }: RequestContext["config"], { state }: Flow): Promise<void> {
  const key = `flow:${await sha256Hex(state)}`;
  const isFirst = storage?.once
    ? await storage.once(key, new Date(runtime.now() + FLOW_LIFETIME * 1000))
    : !redeemed.get(key);
  if (!isFirst) throw new InvalidCheck("Cannot redeem flow: it was finished before");
  if (!storage?.once) redeemed.set(key, true);
}

async function authenticate(
  ctx: RequestContext,
  { provider, params }: FinishInput,
  flow: Flow,
): Promise<SignInAttempt> {
  const { checks, client } = provider;
  if ((checks.pkce && !flow.verifier) || (checks.nonce && !flow.nonce)) {
    throw new InvalidCheck("Cannot finish sign-in: the flow was started with other `checks`");
  }
  if (client.dpop_bound_access_tokens && !flow.dpopKey) {
    throw new InvalidCheck("Cannot finish sign-in: the flow was started without `client.dpop_bound_access_tokens`");
  }
  const server = await authorizationServer(ctx.config, provider);
  if (flow.endpoint !== server.metadata.token_endpoint) {
    throw new InvalidCheck("Cannot finish sign-in: the provider's token endpoint has changed since the start");
  }
  const fetch = limitedFetch(ctx.config, provider);
  const response = await wrapResponseErrors(ctx, provider, async () => {
    if (!provider.signedResponse) return validateResponse(provider, server, params, flow);
    const { validateSignedResponse } = await signedResponses();
    return await validateSignedResponse(ctx.config, { provider, server, fetch }, { params, state: flow.state });
  });
  if (!provider.token.handler && !response.get("code")) {
    throw new OAuthProviderError(`Cannot sign in with "${provider.id}": the answer has no code`);
  }
  await assertFirstUse(ctx.config, flow);
  const grant = await exchangeCode(ctx, { provider, server, params: response, flow, fetch });
  assertSameIssuer(provider, server, { iss: response.get("iss"), claims: grant.claims });
  const { startedBy = null, scopes, dpopKey } = flow;
  const upstream = upstreamClaims(grant.claims, flow);
  return await identify(ctx, {
    provider,
    server,
    grant,
    upstream,
    params: response,
    fetch,
    startedBy,
    scopes,
    dpopKey,
  });
}

/** Makes errors of ours of the one that a response holds. */
async function wrapResponseErrors(
  ctx: RequestContext,
  provider: ResolvedOAuthProvider,
  validate: () => Promise<URLSearchParams>,
): Promise<URLSearchParams> {
  try {
    return await validate();
  } catch (error) {
    const { id } = provider;
    if (!(error instanceof oauth.AuthorizationResponseError)) throw error;
    if (error.error === "unmet_authentication_requirements") {
      throw new AccessDenied(
        `Cannot sign in with "${id}": the person cannot authenticate in the way that acr_values demands`,
        { cause: { error: error.error, error_description: error.error_description } },
      );
    }
    throw authorizationError(id, {
      error: error.error,
      description: error.error_description ?? null,
      redirectUri: redirectUri(ctx, provider),
    });
  }
}

/**
 * Validates the authorization response: `iss` (RFC 9207), `state`, then `error`.
 *
 * @returns The parameters, as `authorizationCodeGrantRequest()` takes them.
 */
function validateResponse(
  provider: ResolvedOAuthProvider,
  server: Server,
  params: URLSearchParams,
  flow: Flow,
): URLSearchParams {
  const { metadata, hasIssuer } = server;
  // Without an issuer there is nothing to compare with.
  const response = hasIssuer ? params : new URLSearchParams([...params].filter(([name]) => name !== "iss"));
  const iss = response.get("iss");
  const issuer = issuerOf(server, iss);
  // The protocol library takes an empty `iss` for a missing one.
  if (iss !== null && iss !== issuer) {
    throw new OAuthProviderError(
      `Cannot sign in with "${provider.id}": response parameter "iss" must be "${issuer}", and it is ` +
        JSON.stringify(iss.slice(0, 200)),
    );
  }
  const expectedState = params.has("state") ? flow.state : oauth.expectNoState;
  const as = issuer === metadata.issuer ? metadata : { ...metadata, issuer };
  return oauth.validateAuthResponse(as, clientMetadata(provider), response, expectedState);
}

function assertSameIssuer(
  { id }: ResolvedOAuthProvider,
  { multiTenant }: Server,
  { iss, claims }: { readonly iss: string | null; readonly claims: Readonly<Record<string, unknown>> | null },
): void {
  if (!multiTenant || !iss || !claims || claims.iss === iss) return;
  throw new OAuthProviderError(
    `Cannot sign in with "${id}": response parameter "iss" must be the "iss" of the id_token`,
  );
}

/** Parameters of the implicit flow. Tokens must not pass through the browser. */
const TOKEN_FIELDS = ["id_token", "access_token", "token"];

/** The longest query of a redirect to ourselves, in characters. */
const LONGEST_QUERY = 8 * 1024;

/**
 * Turns a response that was posted (`response_mode=form_post`) into a GET of the same URL. Browsers do not send
 * `SameSite=Lax` cookies with a POST from another site; with the GET they do.
 *
 * @throws {BadRequest} if the response holds tokens or is too long.
 */
export function relayFormPost(
  ctx: Pick<RequestContext, "url" | "config">,
  { provider, fields }: { readonly provider: ResolvedOAuthProvider; readonly fields: Fields },
): Outcome {
  if (TOKEN_FIELDS.some((name) => name in fields)) throw new BadRequest("The answer holds tokens instead of a code");
  const response = Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === "string");
  if (new URLSearchParams(response).toString().length > LONGEST_QUERY) throw new BadRequest("The answer is too long");
  return redirectTo(actionUrl(ctx, `callback/${provider.id}`, Object.fromEntries(response)), 303);
}
