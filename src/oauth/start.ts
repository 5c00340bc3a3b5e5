/**
 * The first half of a flow: the browser is sent to the provider with the authorization request.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { randomText } from "../crypto/random.ts";
import { BadRequest, InvalidConfig } from "../kernel/errors.ts";
import { type Flow, issueFlow } from "./flow.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { type Outcome, redirectTo } from "../request/outcome.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { openSession } from "../sign_in/current.ts";
import { ownerOf } from "../session_stores/session_store.ts";
import { demandsOf } from "./authentication.ts";
import { authorizationUrl } from "./authorization_url.ts";
import { knownScopes } from "./claims.ts";
import { assertCertificate } from "../oauth_client/client.ts";
import { authMethod } from "../oauth_client/client_auth.ts";
import { authorizationServer } from "../oauth_client/discovery.ts";
import { wrapProtocolErrors } from "../oauth_client/failure.ts";
import { assertDecryptable } from "../oauth_client/jwt.ts";
import { dpop, fapi2 } from "../oauth_client/late_modules.ts";
import { endpointOf, type Server } from "../oauth_client/metadata.ts";
import { asksHow } from "../oauth_client/request_params.ts";
import { makeState } from "./proxy.ts";

/** What {@linkcode startOAuth} needs. */
export interface StartInput {
  readonly provider: ResolvedOAuthProvider;
  /** Where the browser is sent when the sign-in is complete. */
  readonly redirectUrl: RedirectUrl;
  /** Parameters that the caller adds to the authorization request, such as `prompt` or `login_hint`. */
  readonly params: URLSearchParams;
  /** Whether the account is not linked to the user who is signed in: another site may have sent the form. */
  readonly signInOnly?: boolean;
}

/**
 * Redirects the browser to the provider, and sets the sealed cookie of the flow.
 *
 * @throws {BadRequest} if the caller's parameters include one of the protocol.
 * @throws {OAuthProviderError} if the provider refuses a request that is pushed.
 */
export async function startOAuth(ctx: RequestContext, input: StartInput): Promise<Outcome> {
  const { provider, params } = input;
  const added = callerParams(params);
  const server = await wrapProtocolErrors(provider, () => authorizationServer(ctx.config, provider));
  if (provider.checks.pkce) assertS256(provider, server);
  if (provider.securityProfile) (await fapi2()).assertFapi2(provider, server, authMethod(provider, server));
  // Before the browser is sent to the provider.
  await assertDecryptable(provider);
  assertCertificate(provider);
  if (!provider.token.handler) endpointOf(provider, server, "token_endpoint");
  const flow = await makeFlow(ctx, server, { ...input, params: added });
  // First, because a provider that refuses a pushed request leaves no flow behind.
  const url = await authorizationUrl(ctx, { provider, server, flow, added });
  await issueFlow(ctx.cookies, ctx.config.sealer, flow, needsCrossSite(ctx, provider) ? "none" : undefined);
  return redirectTo(url);
}

/** Parameters that only the flow sets. */
const RESERVED: ReadonlySet<string> = new Set([
  "redirect_uri",
  "client_id",
  "client_secret",
  "response_type",
  "response_mode",
  "state",
  "nonce",
  "dpop_jkt",
  "request",
  "request_uri",
]);

/** How further ones begin. */
const RESERVED_FAMILY = /^(?:client_assertion|code_challenge)/;

/** The longest query of a caller, in characters. Proxies and providers accept little more. */
const LONGEST_QUERY = 8 * 1024;

/** Parameters of the same query that are for this service. */
const OUR_OWN: ReadonlySet<string> = new Set(["callbackUrl", "csrfToken"]);

/**
 * Returns the parameters of the caller for the authorization request.
 *
 * @throws {BadRequest} if one belongs to the protocol (ignoring it would hide a mistake), or if they are too long.
 */
export function callerParams(params: URLSearchParams): URLSearchParams {
  const added = [...params].filter(([name]) => !OUR_OWN.has(name));
  for (const [name] of added) {
    // Some servers ignore case, and others read `redirect.uri` and `redirect_uri[]` as `redirect_uri`.
    const read = name.toLowerCase().replace(/\[.*$/s, "").replaceAll(/[^a-z0-9]+/g, "_").replaceAll(/^_|_$/g, "");
    if (!RESERVED.has(read) && !RESERVED_FAMILY.test(read)) continue;
    throw new BadRequest(`The parameter ${read.slice(0, 64)} is chosen by the service`);
  }
  const kept = new URLSearchParams(added);
  if (kept.toString().length > LONGEST_QUERY) throw new BadRequest("The query is too long");
  return kept;
}

// The other method, `plain`, sends the verifier in the URL and so protects nothing.
function assertS256({ id, authorization }: ResolvedOAuthProvider, { metadata }: Server): void {
  if (authorization.codeChallengeMethod === "plain") return;
  const methods = metadata.code_challenge_methods_supported;
  if (methods === undefined || (Array.isArray(methods) && methods.includes("S256"))) return;
  throw new InvalidConfig(
    `Cannot sign in with "${id}": its metadata does not offer PKCE with S256; set its \`checks\` to ["state", "nonce"]`,
  );
}

async function makeFlow(
  ctx: RequestContext,
  server: Server,
  { provider, redirectUrl, params, signInOnly = false }: StartInput,
): Promise<Flow> {
  const { runtime } = ctx.config;
  const { checks, id, client } = provider;
  const { metadata } = server;
  const demands = demandsOf(params, runtime.now());
  const scope = params.get("scope");
  const dpopKey = client.dpop_bound_access_tokens ? await (await dpop()).makeKey(provider, server) : undefined;
  const startedBy = signInOnly ? undefined : await signedInUserId(ctx);
  return {
    provider: id,
    state: await makeState(ctx, provider),
    target: redirectUrl,
    ...(checks.pkce && { verifier: randomText(runtime) }),
    ...(checks.nonce && { nonce: randomText(runtime) }),
    ...(startedBy !== undefined && { startedBy }),
    ...(metadata.token_endpoint && { endpoint: metadata.token_endpoint }),
    ...demands,
    ...(asksHow(provider, params) && { asksHow: true }),
    ...(scope !== null && { scopes: knownScopes(scope) }),
    ...(dpopKey && { dpopKey }),
  };
}

// Without storage there are no accounts to link.
async function signedInUserId(ctx: RequestContext): Promise<string | undefined> {
  const active = ctx.config.storage && await openSession(ctx);
  return active ? ownerOf(active) : undefined;
}

// A posted response comes from the provider's page. Only `SameSite=None` cookies are sent with it, which must be secure.
function needsCrossSite({ url, config }: RequestContext, { formPost }: ResolvedOAuthProvider): boolean {
  return formPost && url.protocol === "https:" && config.cookies.secure.state.options.secure === true;
}
