/**
 * The way back from the provider.
 *
 * @module
 */
import * as oauth from "oauth4webapi";
import type { RequestContext } from "../request/context.ts";
import { sha256Hex } from "../crypto/digest.ts";
import { BadRequest, InvalidCheck, OAuthProviderError } from "../kernel/errors.ts";
import type { Fields } from "../http/body.ts";
import { FLOW_LIFETIME } from "../http/cookie_specs.ts";
import { type Flow, redeemFlow } from "../http/flow.ts";
import { asRedirectUrl } from "../http/redirect_url.ts";
import { actionUrl, homeUrl } from "../request/links.ts";
import { type Outcome, redirectTo } from "../request/outcome.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { SignInAttempt } from "../sign_in/attempt.ts";
import { completeSignIn } from "../sign_in/complete.ts";
import { clientOf } from "./client.ts";
import { providerSaid, translated } from "./failure.ts";
import { limitedFetch } from "./outbound.ts";
import { identify } from "./profile.ts";
import { forwardTarget } from "./proxy.ts";
import { authorizationServer, type Server } from "./server.ts";
import { exchangeCode } from "./tokens.ts";

/** What finishing a flow needs. */
export interface FinishInput {
  readonly provider: ResolvedOAuthProvider;
  /** The query of the callback. */
  readonly params: URLSearchParams;
}

/**
 * Finishes a flow: recognises the visitor, exchanges the code, asks who it is, completes the sign-in.
 *
 * @throws {InvalidCheck} if the flow was not started by this browser for this provider, or was finished before.
 * @throws {OAuthCallbackError} if the provider reports an error or refuses the code.
 * @throws {OAuthProviderError} if the provider does not keep to its protocol.
 */
export async function finishOAuth(ctx: RequestContext, { provider, params }: FinishInput): Promise<Outcome> {
  const forwarded = await forwardTarget(ctx, provider, params);
  if (forwarded) return redirectTo(forwarded);
  const { cookies, config, url } = ctx;
  const key = { provider: provider.id, state: params.get("state"), stateRequired: provider.checks.state };
  const flow = await redeemFlow(cookies, config.sealer, key);
  await demandFirstUse(config, flow);
  const attempt = await translated(provider, () => authenticate(ctx, { provider, params }, flow));
  return await completeSignIn(ctx, attempt, asRedirectUrl(flow.target, url.origin) ?? homeUrl(ctx));
}

// A cookie can be kept and sent again; only storage knows that it was used.
async function demandFirstUse({ storage, runtime }: RequestContext["config"], { state }: Flow): Promise<void> {
  if (!storage?.once) return;
  const end = new Date(runtime.now() + FLOW_LIFETIME * 1000);
  if (await storage.once(`flow:${await sha256Hex(state)}`, end)) return;
  throw new InvalidCheck("Cannot redeem flow: it was finished before");
}

async function authenticate(
  ctx: RequestContext,
  { provider, params }: FinishInput,
  flow: Flow,
): Promise<SignInAttempt> {
  const { checks } = provider;
  if ((checks.pkce && !flow.verifier) || (checks.nonce && !flow.nonce)) {
    throw new InvalidCheck("Cannot finish sign-in: the flow was started with other checks");
  }
  const server = await authorizationServer(ctx.config, provider);
  if (flow.endpoint !== server.metadata.token_endpoint) {
    throw new InvalidCheck("Cannot finish sign-in: the provider's token endpoint changed since it was started");
  }
  const answer = readAnswer(provider, server, params, flow);
  const fetch = limitedFetch(ctx.config, provider);
  const grant = await exchangeCode(ctx, { provider, server, params: answer, flow, fetch });
  demandSameIssuer(provider, server, { named: params.get("iss"), claims: grant.claims });
  const { startedBy = null } = flow;
  return await identify(ctx, { provider, server, grant, params, fetch, startedBy });
}

function readAnswer(
  provider: ResolvedOAuthProvider,
  { metadata, hasIssuer, shared }: Server,
  params: URLSearchParams,
  flow: Flow,
): URLSearchParams {
  const answer = new URLSearchParams(params);
  const named = answer.get("iss");
  // Without an issuer there is nothing to compare with.
  if (!hasIssuer) answer.delete("iss");
  // An empty one is not none, as the protocol library would have it.
  else if (named === "") {
    throw new OAuthProviderError(`Cannot sign in with "${provider.id}": its answer names no issuer`);
  }
  const issuer = shared && named && isTenantOf(metadata.issuer, named) ? named : metadata.issuer;
  const expectedState = params.has("state") ? flow.state : oauth.expectNoState;
  try {
    return oauth.validateAuthResponse({ ...metadata, issuer }, clientOf(provider), answer, expectedState);
  } catch (error) {
    if (!(error instanceof oauth.AuthorizationResponseError)) throw error;
    throw providerSaid(provider.id, { error: error.error, description: error.error_description ?? null });
  }
}

// The metadata of many tenants cannot say which one answers: the id_token does, and is compared afterwards.
function isTenantOf(shared: string, named: string): boolean {
  return URL.canParse(named) && new URL(named).origin === new URL(shared).origin;
}

function demandSameIssuer(
  { id }: ResolvedOAuthProvider,
  { shared }: Server,
  { named, claims }: { readonly named: string | null; readonly claims: Readonly<Record<string, unknown>> | null },
): void {
  if (!shared || !named || !claims || claims.iss === named) return;
  throw new OAuthProviderError(`Cannot sign in with "${id}": its answer and its id_token name different issuers`);
}

/** Fields that only flows without a code have; the browser must never carry tokens. */
const TOKEN_FIELDS = ["id_token", "access_token", "token"];

/** The longest query we send a browser to ourselves, in characters. */
const LONGEST_QUERY = 8 * 1024;

/**
 * Takes an answer that the provider's page posted and sends the browser on to the same address by GET, so that it
 * brings the cookies that stay home when another site posts.
 *
 * @throws {BadRequest} if the answer holds tokens or is too long.
 */
export function relayFormPost(
  ctx: Pick<RequestContext, "url" | "config">,
  { provider, fields }: { readonly provider: ResolvedOAuthProvider; readonly fields: Fields },
): Outcome {
  if (TOKEN_FIELDS.some((name) => name in fields)) throw new BadRequest("The answer holds tokens instead of a code");
  const answer = Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === "string");
  if (new URLSearchParams(answer).toString().length > LONGEST_QUERY) throw new BadRequest("The answer is too long");
  return redirectTo(actionUrl(ctx, `callback/${provider.id}`, Object.fromEntries(answer)), 303);
}
