/**
 * The provider's authorization server: its endpoints, its issuer, its keys.
 *
 * @module
 */
import type { AuthorizationServer } from "oauth4webapi";
import { usesCertificate, withAliases } from "./certificate.ts";
import { fapi2 } from "./lazy.ts";
import { BoundedMap } from "../kernel/bounded_map.ts";
import { OAuthProviderError } from "../kernel/errors.ts";
import { isWithin, RELOAD_PAUSE, RemoteKeySet } from "./keys.ts";
import { discover, sameIssuer, type ServerFacts, sortOut } from "./discovery.ts";
import type { OutboundConfig } from "./outbound.ts";

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
  /** Endpoints of its metadata that are no https URLs. They are left out, because most are never used. */
  readonly unusable: ReadonlyMap<string, unknown>;
}

/** An endpoint of the metadata. */
export type EndpointName =
  | "authorization_endpoint"
  | "pushed_authorization_request_endpoint"
  | "token_endpoint"
  | "userinfo_endpoint"
  | "jwks_uri"
  | "end_session_endpoint"
  | "revocation_endpoint";

/** Seconds for which metadata is cached. */
const LIFETIME = 60 * 60;

/** Seconds for which a failure is cached, so that not every visitor asks a provider in trouble again. */
const FAILURE_LIFETIME = 5;

/** The protocol library needs an issuer, also where there is none. */
const NO_ISSUER = "https://issuer.invalid";

interface Entry {
  server: Promise<Server>;
  at: number;
  lifetime: number;
  /** When a second look was last taken, in milliseconds since 1970. */
  lookedAt?: number;
  /** A second look that is being taken. */
  look?: Promise<Server | null> | undefined;
  /** What the last second look found. */
  newer?: Server;
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

/**
 * Loads metadata again that has turned out to be outdated: it does not fit a token of the provider. At most once a minute,
 * so that broken tokens cannot cause a flood of requests.
 *
 * @param stale What `authorizationServer()` returned.
 * @returns Newer metadata, or `null` if there is none: it cannot be loaded, is not valid, or was loaded a moment ago.
 */
export async function newerServer(
  config: OutboundConfig,
  provider: ServerFacts,
  stale: Server,
): Promise<Server | null> {
  const { now, fetch } = config.runtime;
  const entry = provider.wellKnown ? cacheOf(provider.fetch ?? fetch).get(cacheKey(provider)) : undefined;
  if (!entry) return null;
  if (entry.look) return await entry.look;
  const current = await entry.server.catch(() => null);
  if (current !== stale) return current;
  // Others may have begun meanwhile, or finished.
  if (entry.look) return await entry.look;
  if (entry.lookedAt !== undefined && isWithin(RELOAD_PAUSE, entry.lookedAt, now())) return entry.newer ?? null;
  entry.lookedAt = now();
  // What is cached stays if this fails.
  entry.look = findServer(config, provider, stale).catch(() => null);
  const found = await entry.look;
  entry.look = undefined;
  if (found) Object.assign(entry, { server: Promise.resolve(found), newer: found, at: now(), lifetime: LIFETIME });
  return found;
}

// Each caller gets its own error: code that catches one may write on it.
async function serverOf({ server }: Entry): Promise<Server> {
  try {
    return await server;
  } catch (error) {
    throw error instanceof OAuthProviderError
      ? new OAuthProviderError(error.message, { cause: error.cause, logCode: error.logCode })
      : error;
  }
}

function cacheOf(fetch: object): BoundedMap<string, Entry> {
  const cache = caches.get(fetch) ?? new BoundedMap<string, Entry>(100);
  caches.set(fetch, cache);
  return cache;
}

/** Keys that were made before. A resolved provider does not change. */
const cacheKeys = new WeakMap<ServerFacts, string>();

function cacheKey(provider: ServerFacts): string {
  const key = cacheKeys.get(provider) ?? makeCacheKey(provider);
  cacheKeys.set(provider, key);
  return key;
}

function makeCacheKey(provider: ServerFacts): string {
  const { issuer, wellKnown, authorization, token, userinfo, jwksUri, expectedIssuer, hasSharedIssuer } = provider;
  const { securityProfile, signedResponse, type } = provider;
  return JSON.stringify([
    expectedIssuer !== undefined,
    hasSharedIssuer,
    usesCertificate(provider),
    provider.allowInsecureRequests,
    wellKnown,
    issuer,
    authorization.url,
    token.url,
    userinfo.url,
    jwksUri,
    securityProfile && [securityProfile, signedResponse, type],
  ]);
}

async function findServer(config: OutboundConfig, provider: ServerFacts, stale?: Server): Promise<Server> {
  const { wellKnown, issuer } = provider;
  const discovered = wellKnown ? await discover(config, provider, wellKnown) : {};
  const hasIssuer = typeof discovered.issuer === "string" || issuer !== undefined;
  const { usable, unusable } = sortOut(usesCertificate(provider) ? withAliases(discovered) : discovered, provider);
  const found = { issuer: issuer ?? NO_ISSUER, ...usable, ...explicitEndpoints(provider) } as AuthorizationServer;
  const metadata = provider.securityProfile ? (await fapi2()).underFapi2(provider, found) : found;
  const { jwks_uri } = metadata;
  return Object.freeze({
    metadata: Object.freeze(metadata),
    hasIssuer,
    multiTenant: provider.hasSharedIssuer ||
      (provider.expectedIssuer !== undefined && !sameIssuer(discovered.issuer, issuer)),
    keys: jwks_uri ? keysAt(jwks_uri, stale) : null,
    unusable,
  });
}

// Keys that are cached, and when they were loaded, stay known while they are in the same place.
function keysAt(url: string, stale: Server | undefined): RemoteKeySet {
  return stale?.keys && stale.metadata.jwks_uri === url ? stale.keys : new RemoteKeySet(url);
}

/**
 * Gives an endpoint that is needed.
 *
 * @throws {OAuthProviderError} if neither the configuration nor the metadata has it.
 */
export function endpointOf({ id }: Pick<ServerFacts, "id">, server: Server, name: EndpointName): string {
  const url = server.metadata[name];
  if (url) return url;
  throw new OAuthProviderError(`Cannot sign in with "${id}": ${lackOf(server, name)}`);
}

/** Says why there is no such endpoint. */
export function lackOf({ unusable }: Server, name: EndpointName): string {
  if (!unusable.has(name)) return `its metadata has no ${name}`;
  const shown = JSON.stringify(unusable.get(name)).slice(0, 200);
  return `\`${name}\` in its metadata is not an https URL: ${shown}`;
}

function explicitEndpoints({ authorization, token, userinfo, jwksUri }: ServerFacts): Record<string, string> {
  return {
    ...(authorization.url && { authorization_endpoint: authorization.url }),
    ...(token.url && { token_endpoint: token.url }),
    ...(userinfo.url && { userinfo_endpoint: userinfo.url }),
    ...(jwksUri && { jwks_uri: jwksUri }),
  };
}
