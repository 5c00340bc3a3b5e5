/**
 * The defaults of providers.
 *
 * @module
 */
import { asksEverybody } from "../contract/feature.ts";
import type { OutgoingMail } from "../contract/outgoing_mail.ts";
import type { Profile, TokenSet, User } from "../kernel/model.ts";
import type {
  AuthorizationHandler,
  CredentialsProvider,
  EmailProvider,
  FetchLike,
  OAuthProvider,
  OidcProvider,
  ProviderUrls,
  TokenHandler,
  UserinfoHandler,
  VerificationRequest,
} from "../contract/provider.ts";
import type { ClientMetadata } from "../contract/client_metadata.ts";
import type { AuthConfig } from "../contract/config.ts";
import { vouchingFactsOf } from "../contract/vouching.ts";
import { type IssuerOfTenant, tenancyOf } from "../contract/shared_issuer.ts";
import { withoutUndefined } from "../kernel/objects.ts";
import { isPasswordProvider } from "../passwords/settings.ts";
import { endpointOf, metadataUrl } from "./endpoint.ts";
import type { MergedProvider } from "./merge_provider.ts";
import { resolvePasswords } from "./password_options.ts";
import { EMAIL, OAUTH } from "./provider_options.ts";
import { resolveWebAuthn } from "./resolve_webauthn.ts";
import { isMac } from "./signing.ts";
import type {
  ParamValue,
  RequestQuirks,
  ResolvedCredentialsProvider,
  ResolvedEmailProvider,
  ResolvedEndpoint,
  ResolvedOAuthProvider,
  ResolvedProvider,
  TokenQuirks,
} from "./resolved_provider.ts";

/** What providers take over from the service. */
export interface ServiceSettings {
  /** Secrets of email tokens, newest first. */
  readonly secrets: readonly string[];
  /** URL of the redirect proxy. */
  readonly proxyUrl: string | undefined;
  /** What is asked besides a password. */
  readonly config: Pick<AuthConfig, "features">;
}

/** Writes every default into a provider and freezes it. */
export function resolveProvider(
  provider: MergedProvider,
  { secrets, proxyUrl, config }: ServiceSettings,
): ResolvedProvider {
  switch (provider.type) {
    case "oauth":
    case "oidc":
      return resolveOAuth(provider, proxyUrl);
    case "email":
      return resolveEmail(provider, secrets);
    case "credentials":
      return resolveCredentials(provider, asksEverybody(config.features ?? []));
    case "webauthn":
      return resolveWebAuthn(provider);
    default:
      return provider satisfies never;
  }
}

function resolveCredentials(provider: CredentialsProvider, asksAll: boolean): ResolvedCredentialsProvider {
  const { id, name, style, credentials, authorize } = provider;
  return Object.freeze({
    id,
    name,
    type: "credentials",
    style: Object.freeze(withoutUndefined({ ...style })),
    credentials: Object.freeze({ ...credentials }),
    authorize: authorize?.bind(provider) ?? (() => null),
    passwords: isPasswordProvider(provider) ? resolvePasswords(provider, asksAll) : null,
  });
}

/** Resolves an email provider. `secrets` are those of the service. */
export function resolveEmail(provider: EmailProvider, secrets: readonly string[]): ResolvedEmailProvider {
  const { id, name, style, timeout, secret } = provider;
  const maxAge = provider.maxAge ?? EMAIL.maxAge.otherwise;
  const own = typeof secret === "string" ? [secret] : secret ?? [];
  return Object.freeze({
    id,
    name,
    type: "email",
    style: Object.freeze(withoutUndefined({ ...style })),
    maxAge,
    timeout: timeout ?? null,
    secrets: Object.freeze(own.length > 0 ? [...own] : [...secrets]),
    sendVerificationRequest: async (
      request: Omit<VerificationRequest, "provider">,
      added: ProviderUrls & { readonly timeout: number },
    ): Promise<void> => {
      // A copy: what the callback changes in it must not reach the emails of others.
      await provider.sendVerificationRequest?.({ ...request, provider: { ...provider, maxAge, ...added } });
    },
    sendMail: provider.sendMail
      ? async (mail: OutgoingMail, timeout: number) =>
        await provider.sendMail?.(mail, { ...provider, timeout: provider.timeout ?? timeout })
      : null,
    generateVerificationToken: provider.generateVerificationToken?.bind(provider) ?? null,
    normalizeIdentifier: provider.normalizeIdentifier?.bind(provider) ?? null,
  });
}

function resolveOAuth(
  provider: (OAuthProvider | OidcProvider) & { fetch?: FetchLike; tenants?: IssuerOfTenant | null },
  proxyUrl: string | undefined,
): ResolvedOAuthProvider {
  const authorization = endpointOf<AuthorizationHandler, RequestQuirks>(provider.authorization);
  const params = withScope(provider, authorization);
  const { url = "" } = authorization;
  const mode = String(params.response_mode ?? queryOf(url)?.get("response_mode"));
  const formPost = mode.startsWith("form_post");
  // A redirect proxy cannot forward an answer that is posted.
  const proxy = formPost ? undefined : provider.redirectProxyUrl ?? proxyUrl;
  const token = endpointOf<TokenHandler, TokenQuirks>(provider.token);
  const userinfo = endpointOf<UserinfoHandler>(provider.userinfo);
  const checks: readonly string[] = provider.checks ??
    (provider.type === "oidc" ? [...OAUTH.checks.otherwise, "nonce"] : OAUTH.checks.otherwise);
  const resolved: ResolvedOAuthProvider = {
    id: provider.id,
    name: provider.name,
    type: provider.type,
    style: Object.freeze(withoutUndefined({ ...provider.style })),
    clientId: provider.clientId ?? "",
    clientSecret: provider.clientSecret,
    issuer: provider.issuer,
    wellKnown: undefined,
    authorization: Object.freeze({ ...authorization, params }),
    token: Object.freeze(token),
    userinfo: Object.freeze(userinfo),
    jwksUri: provider.jwks_endpoint,
    checks: Object.freeze({
      pkce: checks.includes("pkce"),
      state: !areNone(checks) || proxy !== undefined,
      nonce: checks.includes("nonce"),
    }),
    formPost,
    signedResponse: mode.endsWith("jwt") || Boolean(
      provider.client?.authorization_signed_response_alg ?? provider.client?.authorization_encrypted_response_alg,
    ),
    securityProfile: provider.securityProfile,
    client: Object.freeze(clientOf(provider)),
    redirectProxyUrl: proxy && `${proxy.replace(/\/+$/, "")}/callback/${provider.id}`,
    profileFrom: profileSourceOf(provider),
    clockTolerance: provider.clockTolerance ?? OAUTH.clockTolerance.otherwise,
    profile: provider.profile?.bind(provider) ?? defaultProfile,
    account: provider.account?.bind(provider) ?? defaultAccount,
    ...vouchingOf(provider),
    allowDangerousEmailAccountLinking: provider.allowDangerousEmailAccountLinking ??
      OAUTH.allowDangerousEmailAccountLinking.otherwise,
    // Nothing but `true`: text such as "false" must not open it.
    allowInsecureRequests: provider.allowInsecureRequests === true,
    expectedIssuer: provider.expectedIssuer?.bind(provider) ?? provider.tenants ?? undefined,
    hasSharedIssuer: !provider.expectedIssuer && Boolean(provider.tenants),
    logout: provider.logout ?? OAUTH.logout.otherwise,
    logoutFallback: provider.logoutFallback,
    revokeTokens: provider.revokeTokens ?? OAUTH.revokeTokens.otherwise,
    fetch: provider.fetch,
  };
  return Object.freeze({ ...resolved, wellKnown: needsDiscovery(resolved) ? wellKnownOf(provider) : undefined });
}

function vouchingOf(
  { issuer: own, wellKnown, vouches, ownDomains }: OAuthProvider | OidcProvider,
): Pick<ResolvedOAuthProvider, "vouches" | "ownDomains" | "tenancy"> {
  // An issuer that is not configured is the one that the metadata is read at.
  const issuer = own ?? String(wellKnown ?? "").replace(/\/\.well-known\/[^/]*$/, "");
  const known = vouchingFactsOf(issuer);
  const { names = [], claim = null } = ownDomains ?? known.ownDomains ?? {};
  return {
    vouches: vouches ?? known.vouches ?? "yes",
    ownDomains: Object.freeze({ names: Object.freeze([...names]), claim }),
    tenancy: tenancyOf(issuer),
  };
}

// FAPI 2.0 demands bound tokens. A certificate binds them, too.
function clientOf({ client, securityProfile }: OAuthProvider | OidcProvider): ClientMetadata {
  const isBound = securityProfile === undefined || client?.tls_client_certificate_bound_access_tokens;
  return { ...(!isBound && { dpop_bound_access_tokens: true }), ...client };
}

function profileSourceOf({ type, idToken }: OAuthProvider | OidcProvider): ResolvedOAuthProvider["profileFrom"] {
  if (type !== "oidc" || idToken === false) return "userinfo";
  return idToken === true ? "id_token" : "both";
}

/** Whether a developer asked for no checks. An empty list may be a mistake, so it still demands `state`. */
export function areNone(checks: readonly string[]): boolean {
  return checks.length > 0 && checks.every((check) => check === "none");
}

// A scope in the URL is the developer's choice as much as one in the parameters. OpenID Connect needs at least `openid`;
// plain OAuth without an authorization endpoint is left to what its server grants by default.
function withScope(
  { type, authorization }: OAuthProvider | OidcProvider,
  { url, params }: ResolvedEndpoint<AuthorizationHandler>,
): Readonly<Record<string, ParamValue>> {
  const hasScope = params.scope !== undefined || queryOf(url)?.has("scope");
  const needsScope = !hasScope && (type === "oidc" || authorization !== undefined);
  return needsScope ? Object.freeze({ scope: "openid profile email", ...params }) : params;
}

// Most URLs have no query, and then to parse one is most of what the first provider costs a start.
function queryOf(url = ""): URLSearchParams | undefined {
  return url.includes("?") ? URL.parse(url)?.searchParams : undefined;
}

/** Whether the issuer's metadata must supply an endpoint. */
function needsDiscovery(
  { type, authorization, token, userinfo, profileFrom, jwksUri, client, signedResponse, securityProfile }:
    ResolvedOAuthProvider,
): boolean {
  const lacks = (endpoint: ResolvedEndpoint<unknown>) => !endpoint.url && !endpoint.handler;
  if (securityProfile) return true;
  if (lacks(authorization) || lacks(token)) return true;
  if (authorization.pushed || client.require_pushed_authorization_requests) return true;
  if (profileFrom === "userinfo" && lacks(userinfo)) return true;
  const needsKeys = signedResponse || (type === "oidc" && !isMac(client.id_token_signed_response_alg)) ||
    (client.userinfo_signed_response_alg !== undefined && !isMac(client.userinfo_signed_response_alg));
  return needsKeys && !jwksUri;
}

function wellKnownOf({ wellKnown, issuer }: OAuthProvider | OidcProvider): string | undefined {
  return wellKnown ?? (issuer && metadataUrl(issuer));
}

function defaultProfile({ sub, id, name, nickname, preferred_username, email, picture }: Profile): User {
  const image = typeof picture === "string" ? picture : undefined;
  return { id: sub ?? id?.toString(), name: name ?? nickname ?? preferred_username, email, image };
}

function defaultAccount(tokens: TokenSet): TokenSet {
  const { access_token, id_token, refresh_token, expires_at, scope, token_type, session_state } = tokens;
  return { access_token, id_token, refresh_token, expires_at, scope, token_type, session_state };
}
