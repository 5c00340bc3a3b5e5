/**
 * The provider's authorization server: its endpoints, its issuer, its keys.
 *
 * @module
 */
import type { AuthorizationServer } from "oauth4webapi";
import { BoundedMap } from "../kernel/bounded_map.ts";
import { OAuthProviderError } from "../kernel/errors.ts";
import { pause } from "../kernel/deadline.ts";
import { isSecureUrl } from "../http/redirect_url.ts";
import { metadataUrl } from "../config/resolve_provider.ts";
import type { FetchLike } from "../contract/provider.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { type JsonObject, readObject } from "./json.ts";
import { RemoteKeySet } from "./keys.ts";
import { limitedFetch, type OutboundConfig } from "./outbound.ts";

/** A provider's authorization server. */
export interface Server {
  /** Its metadata. Configured endpoints override discovered ones. */
  readonly metadata: AuthorizationServer;
  /** Whether the issuer is known. If not, `metadata.issuer` is a placeholder. */
  readonly hasIssuer: boolean;
  /** Whether it serves many tenants. `expectedIssuer` then says which issuer an id_token must have. */
  readonly multiTenant: boolean;
  /** Its keys, if it has a `jwks_uri`. */
  readonly keys: RemoteKeySet | null;
}

/** The options of a provider that metadata depends on. */
export type ServerFacts = Pick<
  ResolvedOAuthProvider,
  | "id"
  | "issuer"
  | "wellKnown"
  | "authorization"
  | "token"
  | "userinfo"
  | "jwksUri"
  | "expectedIssuer"
  | "hasSharedIssuer"
  | "fetch"
>;

/** Seconds for which metadata is cached. */
const LIFETIME = 60 * 60;

/** Seconds for which a failure is cached, so that not every visitor asks a provider in trouble again. */
const FAILURE_LIFETIME = 5;

/** The protocol library needs an issuer, also where there is none. */
const NO_ISSUER = "https://issuer.invalid";

interface Entry {
  readonly server: Promise<Server>;
  at: number;
  lifetime: number;
}

// By `fetch`, because another one may reach another server at the same URL. Then by value, because a configuration may
// be created for each request.
const caches = new WeakMap<object, BoundedMap<string, Entry>>();

/**
 * Gets the authorization server of a provider, from the cache or by discovery. Concurrent calls share one request.
 *
 * @throws {OAuthProviderError} if its metadata cannot be loaded or does not match the configuration.
 * @see {@link https://openid.net/specs/openid-connect-discovery-1_0.html | OpenID Connect Discovery}
 */
export async function authorizationServer(config: OutboundConfig, provider: ServerFacts): Promise<Server> {
  const { now, fetch } = config.runtime;
  const cache = cacheOf(provider.fetch ?? fetch);
  const key = cacheKey(provider);
  const cached = cache.get(key);
  if (cached && Math.abs(now() - cached.at) < cached.lifetime * 1000) return await serverOf(cached);
  const entry: Entry = { server: findServer(config, provider), at: now(), lifetime: LIFETIME };
  cache.set(key, entry);
  entry.server.catch(() => {
    entry.at = now();
    entry.lifetime = FAILURE_LIFETIME;
  });
  return await serverOf(entry);
}

// Each caller gets its own error: code that catches one may write on it.
async function serverOf({ server }: Entry): Promise<Server> {
  try {
    return await server;
  } catch (error) {
    throw error instanceof OAuthProviderError ? new OAuthProviderError(error.message, { cause: error.cause }) : error;
  }
}

function cacheOf(fetch: object): BoundedMap<string, Entry> {
  const cache = caches.get(fetch) ?? new BoundedMap<string, Entry>(100);
  caches.set(fetch, cache);
  return cache;
}

function cacheKey(provider: ServerFacts): string {
  const { issuer, wellKnown, authorization, token, userinfo, jwksUri, expectedIssuer, hasSharedIssuer } = provider;
  return JSON.stringify([
    expectedIssuer !== undefined,
    hasSharedIssuer,
    wellKnown,
    issuer,
    authorization.url,
    token.url,
    userinfo.url,
    jwksUri,
  ]);
}

async function findServer(config: OutboundConfig, provider: ServerFacts): Promise<Server> {
  const { wellKnown, issuer } = provider;
  const discovered = wellKnown ? await discover(config, provider, wellKnown) : {};
  const hasIssuer = typeof discovered.issuer === "string" || issuer !== undefined;
  const metadata = {
    issuer: issuer ?? NO_ISSUER,
    ...discovered,
    ...explicitEndpoints(provider),
  } as AuthorizationServer;
  for (const [name, url] of Object.entries(metadata)) {
    if (!name.endsWith("_endpoint") && name !== "jwks_uri") continue;
    if (isSecureUrl(url)) continue;
    throw new OAuthProviderError(
      `Cannot use provider "${provider.id}": \`${name}\` in its metadata is not an https URL`,
    );
  }
  return Object.freeze({
    metadata: Object.freeze(metadata),
    hasIssuer,
    multiTenant: provider.hasSharedIssuer ||
      (provider.expectedIssuer !== undefined && !sameIssuer(discovered.issuer, issuer)),
    keys: metadata.jwks_uri ? new RemoteKeySet(metadata.jwks_uri) : null,
  });
}

function explicitEndpoints({ authorization, token, userinfo, jwksUri }: ServerFacts): Record<string, string> {
  return {
    ...(authorization.url && { authorization_endpoint: authorization.url }),
    ...(token.url && { token_endpoint: token.url }),
    ...(userinfo.url && { userinfo_endpoint: userinfo.url }),
    ...(jwksUri && { jwks_uri: jwksUri }),
  };
}

async function discover(config: OutboundConfig, provider: ServerFacts, url: string): Promise<JsonObject> {
  const { response, at } = await findDocument(config, provider, url);
  const metadata = response.status === 200 ? readObject(await response.arrayBuffer()) : null;
  if (!metadata) {
    throw new OAuthProviderError(`Cannot discover provider "${provider.id}": there is no metadata at ${at}`, {
      cause: { status: response.status },
    });
  }
  if (!issuerFits(metadata.issuer, provider)) {
    throw new OAuthProviderError(
      `Cannot use provider "${provider.id}": its \`issuer\` must be that of its metadata, ${quoted(metadata.issuer)}`,
      { cause: { configured: provider.issuer } },
    );
  }
  return metadata;
}

// Some providers of Auth.js derive `wellKnown` from another form of the issuer than the one that is configured. Auth.js
// never reads it and asks the issuer. Whichever document is read must name the configured issuer.
async function findDocument(
  config: OutboundConfig,
  provider: ServerFacts,
  url: string,
): Promise<{ readonly response: Response; readonly at: string }> {
  const fetch = limitedFetch(config, provider);
  const response = await getDocument(config, fetch, url);
  const usual = provider.issuer && metadataUrl(provider.issuer);
  if (response.status !== 404 || !usual || usual === url) return { response, at: url };
  return { response: await getDocument(config, fetch, usual), at: `${url} or ${usual}` };
}

function quoted(issuer: unknown): string {
  return typeof issuer === "string" ? JSON.stringify(issuer.slice(0, 200)) : "which has none";
}

function issuerFits(found: unknown, { issuer, expectedIssuer }: ServerFacts): boolean {
  if (typeof found !== "string" || !URL.canParse(found)) return false;
  if (issuer === undefined) return isSecureUrl(found);
  // Metadata for many tenants has a template as its issuer, or one of the tenants.
  if (expectedIssuer) return new URL(found).origin === new URL(issuer).origin;
  return sameIssuer(found, issuer);
}

// Both spellings have the same URL of metadata (OpenID Connect Discovery 1.0, section 4.1). What it says is what counts:
// id_tokens are compared with it exactly.
function sameIssuer(found: unknown, issuer: string | undefined): boolean {
  return typeof found === "string" && issuer !== undefined && withoutSlash(found) === withoutSlash(issuer);
}

function withoutSlash(url: string): string {
  return new URL(url).href.replace(/\/$/, "");
}

/** Fetches a public document. Retries once if the network fails or the server answers with a 5xx status. */
export async function getDocument({ runtime }: OutboundConfig, fetch: FetchLike, url: string): Promise<Response> {
  const get = () => fetch(url, { headers: { accept: "application/json" } });
  try {
    const response = await get();
    if (response.status < 500) return response;
  } catch (error) {
    if (!(error instanceof OAuthProviderError) || error.cause?.kind !== "network") throw error;
  }
  await pause(runtime, 0.15);
  return await get();
}
