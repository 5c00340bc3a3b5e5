/**
 * A provider as a developer wrote it, made complete.
 *
 * @module
 */
import { inferProvider, type ReadEnv } from "./env.ts";
import type { Profile, TokenSet, User } from "../kernel/model.ts";
import type {
  AuthorizationHandler,
  Check,
  CredentialsProvider,
  EmailProvider,
  FetchLike,
  OAuthOptions,
  OAuthProvider,
  OidcProvider,
  Provider,
  ProviderInput,
  TokenEndpoint,
  TokenHandler,
  UserinfoHandler,
  VerificationRequest,
} from "../contract/provider.ts";
import type {
  ResolvedCredentialsProvider,
  ResolvedEmailProvider,
  ResolvedEndpoint,
  ResolvedOAuthProvider,
} from "./resolved_provider.ts";

/** A provider with the developer's options merged in and the environment consulted. */
export type MergedProvider = Exclude<Provider, { type: "oauth" | "oidc" }> | OAuthProvider | OidcProvider;

/** Calls factories, merges options over facts, and fills in what the environment knows. */
export function mergeProvider(input: ProviderInput, env: ReadEnv): MergedProvider {
  const given = typeof input === "function" ? callFactory(input, env) : input;
  const { options, ...facts } = given;
  const merged = merge(facts, options ?? {}) as MergedProvider;
  const fetch = bySymbol(options, "custom-fetch") ?? bySymbol(given, "custom-fetch");
  if (merged.type === "email") return { ...merged, apiKey: merged.apiKey ?? inferProvider(env, merged.id).apiKey };
  if (merged.type !== "oauth" && merged.type !== "oidc") return merged;
  const inferred = inferProvider(env, merged.id);
  // What the developer wrote wins over the environment, the environment over the facts of the catalogue.
  const written: OAuthOptions = options ?? merged;
  return {
    ...merged,
    clientId: written.clientId ?? inferred.clientId ?? merged.clientId,
    clientSecret: written.clientSecret ?? inferred.clientSecret ?? merged.clientSecret,
    issuer: written.issuer ?? inferred.issuer ?? merged.issuer,
    ...(fetch && { fetch }),
  };
}

// A factory may need what the environment knows, and its id must be known to look there: so it is asked twice.
function callFactory(factory: () => Provider, env: ReadEnv): Provider {
  const make = factory as (options: object) => Provider;
  const first = make({});
  // A promise is no provider, which the check of the configuration tells; what becomes of it must not end the program.
  if (first instanceof Promise) first.catch(() => {});
  const inferred = Object.entries(inferProvider(env, first.id)).filter(([, value]) => value !== undefined);
  return inferred.length > 0 ? make(Object.fromEntries(inferred)) : first;
}

// Symbols of other libraries of this family are known by their description.
function bySymbol(owner: object | undefined, description: string): FetchLike | undefined {
  const key = owner && Object.getOwnPropertySymbols(owner).find((symbol) => symbol.description === description);
  const value = key && (owner as Record<symbol, unknown>)[key];
  return typeof value === "function" ? value as FetchLike : undefined;
}

/** Merges options over defaults: objects member by member, everything else (arrays too) as a whole. */
export function merge(defaults: object, options: object): object {
  const merged: Record<PropertyKey, unknown> = { ...defaults };
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || name === "__proto__") continue;
    const below = merged[name];
    merged[name] = isPlain(below) && isPlain(value) ? merge(below, value) : value;
  }
  return merged;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Resolves a credentials provider. */
export function resolveCredentials(provider: CredentialsProvider): ResolvedCredentialsProvider {
  const { id, name, style, credentials, authorize } = provider;
  return Object.freeze({
    id,
    name,
    type: "credentials",
    style: Object.freeze({ ...style }),
    credentials: Object.freeze({ ...credentials }),
    authorize: authorize?.bind(provider) ?? (() => null),
  });
}

/** Resolves an e-mail provider. `secrets` are those of the whole service. */
export function resolveEmail(provider: EmailProvider, secrets: readonly string[]): ResolvedEmailProvider {
  const { id, name, style, maxAge, secret } = provider;
  const own = typeof secret === "string" ? [secret] : secret ?? [];
  return Object.freeze({
    id,
    name,
    type: "email",
    style: Object.freeze({ ...style }),
    maxAge: maxAge ?? TEN_MINUTES,
    secrets: Object.freeze(own.length > 0 ? [...own] : [...secrets]),
    sendVerificationRequest: async (request: Omit<VerificationRequest, "provider">): Promise<void> => {
      // A copy, because this one sends the mail of everybody.
      await provider.sendVerificationRequest?.({ ...request, provider: { ...provider } });
    },
    generateVerificationToken: provider.generateVerificationToken?.bind(provider) ?? null,
    normalizeIdentifier: provider.normalizeIdentifier?.bind(provider) ?? null,
  });
}

const TEN_MINUTES = 10 * 60;

/** Resolves an OAuth or OpenID Connect provider. `proxyUrl` is that of the whole service. */
export function resolveOAuth(
  provider: (OAuthProvider | OidcProvider) & { fetch?: FetchLike },
  proxyUrl: string | undefined,
): ResolvedOAuthProvider {
  const authorization = endpointOf<AuthorizationHandler>(provider.authorization);
  const params = { scope: "openid profile email", ...authorization.params };
  const formPost = (params as Record<string, string>).response_mode === "form_post" ||
    (authorization.url?.includes("response_mode=form_post") ?? false);
  // An answer that is posted cannot be forwarded by a redirect.
  const proxy = formPost ? undefined : provider.redirectProxyUrl ?? proxyUrl;
  const token = endpointOf<TokenHandler>(provider.token);
  const userinfo = endpointOf<UserinfoHandler>(provider.userinfo);
  const profileFrom = provider.type === "oidc" && provider.idToken !== false ? "id_token" : "userinfo";
  const checks: readonly Check[] = provider.checks ?? ["pkce"];
  const resolved: ResolvedOAuthProvider = {
    id: provider.id,
    name: provider.name,
    type: provider.type,
    style: Object.freeze({ ...provider.style }),
    clientId: provider.clientId ?? "",
    clientSecret: provider.clientSecret,
    issuer: provider.issuer,
    wellKnown: undefined,
    authorization: Object.freeze({ ...authorization, params: Object.freeze(params) }),
    token: Object.freeze({ ...token, ...tokenQuirks(provider.token) }),
    userinfo: Object.freeze(userinfo),
    jwksUri: provider.jwks_endpoint,
    checks: Object.freeze({
      pkce: checks.includes("pkce"),
      state: !areNone(checks) || proxy !== undefined,
      nonce: checks.includes("nonce"),
    }),
    formPost,
    client: Object.freeze({ ...provider.client }),
    redirectProxyUrl: proxy && `${proxy.replace(/\/+$/, "")}/callback/${provider.id}`,
    profileFrom,
    profile: provider.profile?.bind(provider) ?? defaultProfile,
    account: provider.account?.bind(provider) ?? defaultAccount,
    allowDangerousEmailAccountLinking: provider.allowDangerousEmailAccountLinking ?? false,
    expectedIssuer: provider.expectedIssuer?.bind(provider),
    fetch: provider.fetch,
  };
  return Object.freeze({ ...resolved, wellKnown: needsDiscovery(resolved) ? metadataUrl(provider) : undefined });
}

/** Whether a developer asked for no checks. What is an empty list may be a mistake, so `state` is demanded there. */
export function areNone(checks: readonly Check[]): boolean {
  return checks.length > 0 && checks.every((check) => check === "none");
}

interface EndpointObject<Handler> {
  readonly url?: string | URL | undefined;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly request?: Handler | undefined;
}

function endpointOf<Handler>(given: string | EndpointObject<Handler> | Handler | undefined): ResolvedEndpoint<Handler> {
  if (given === undefined) return { url: undefined, params: {}, handler: undefined };
  if (typeof given === "string") return { url: given, params: {}, handler: undefined };
  if (typeof given === "function") return { url: undefined, params: {}, handler: given as Handler };
  const { url, params, request } = given as EndpointObject<Handler>;
  return { url: url === undefined ? undefined : String(url), params: asText(params ?? {}), handler: request };
}

function asText(params: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const text = Object.entries(params)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : String(value)]);
  return Object.freeze(Object.fromEntries(text));
}

function tokenQuirks(token: OAuthProvider["token"]): Pick<TokenEndpoint, "conform" | "clientPrivateKey"> {
  if (typeof token !== "object") return {};
  return { conform: token.conform, clientPrivateKey: token.clientPrivateKey };
}

/** Whether something is missing that the issuer's metadata tells. */
function needsDiscovery(
  { type, authorization, token, userinfo, profileFrom, jwksUri }: ResolvedOAuthProvider,
): boolean {
  const lacks = (endpoint: ResolvedEndpoint<unknown>) => !endpoint.url && !endpoint.handler;
  if (lacks(authorization) || lacks(token)) return true;
  return (profileFrom === "userinfo" && lacks(userinfo)) || (type === "oidc" && !jwksUri);
}

function metadataUrl({ wellKnown, issuer }: OAuthProvider | OidcProvider): string | undefined {
  return wellKnown ?? (issuer && `${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`);
}

function defaultProfile({ sub, id, name, nickname, preferred_username, email, picture }: Profile): User {
  const image = typeof picture === "string" ? picture : undefined;
  return { id: sub ?? id?.toString(), name: name ?? nickname ?? preferred_username, email, image };
}

function defaultAccount(tokens: TokenSet): TokenSet {
  const { access_token, id_token, refresh_token, expires_at, scope, token_type, session_state } = tokens;
  return { access_token, id_token, refresh_token, expires_at, scope, token_type, session_state };
}
