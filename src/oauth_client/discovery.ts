/**
 * Discovery: the metadata of an authorization server, loaded, checked and cached.
 *
 * @module
 * @see {@link https://openid.net/specs/openid-connect-discovery-1_0.html | OpenID Connect Discovery}
 */
import type { AuthorizationServer } from "oauth4webapi";
import { metadataUrl } from "../config/endpoint.ts";
import type { FetchLike } from "../contract/provider.ts";
import { BoundedMap } from "../kernel/bounded_map.ts";
import { pause } from "../kernel/deadline.ts";
import { OAuthProviderError } from "../kernel/errors.ts";
import { once } from "../kernel/load.ts";
import { sharesWork } from "../kernel/runtime.ts";
import { usesCertificate } from "./client.ts";
import { type JsonObject, readObject } from "./json.ts";
import { isWithin, Reloads, RemoteKeySet } from "./keys.ts";
import {
  configuredEndpoints,
  issuerFits,
  sameIssuer,
  type Server,
  type ServerOptions,
  sortOut,
  withAliases,
} from "./metadata.ts";
import { limitedFetch, type OutboundConfig } from "./outbound.ts";

const fapi2 = once(() => import("./fapi2.ts"));

/** Seconds for which metadata is cached. */
const LIFETIME = 60 * 60;

/** Seconds for which a failure is cached, so that not every visitor asks a provider in trouble again. */
const FAILURE_LIFETIME = 5;

/**
 * Returns the authorization server of a provider, from the cache or by discovery. Concurrent calls share one request.
 *
 * @throws {OAuthProviderError} if its metadata cannot be loaded or does not match the configuration.
 */
export async function authorizationServer(config: OutboundConfig, provider: ServerOptions): Promise<Server> {
  const cache = cacheOf(config, provider);
  const key = cacheKey(provider);
  const cached = cache.get(key);
  if (cached?.isFresh(config)) return await cached.get();
  const entry = new CachedServer(config, provider);
  const keep = () => cache.set(key, entry);
  if (sharesWork()) keep();
  // Once it is settled, it can serve everybody. A failure does not take the place of what others have found meanwhile.
  else await entry.get().then(keep, () => cache.get(key)?.isFresh(config) || keep());
  return await entry.get();
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
  provider: ServerOptions,
  stale: Server,
): Promise<Server | null> {
  const cached = provider.wellKnown ? cacheOf(config, provider).get(cacheKey(provider)) : undefined;
  return await cached?.reload(config, provider, stale) ?? null;
}

/** A server in the cache, or the failure to load its metadata. */
class CachedServer {
  #server: Promise<Server>;
  #loadedAt: number;
  #lifetime = LIFETIME;
  readonly #reloads = new Reloads();
  #reloading: Promise<Server | null> | null = null;
  /** What the last reload found. */
  #newer: Server | null = null;

  constructor(config: OutboundConfig, provider: ServerOptions) {
    const { now } = config.runtime;
    this.#server = findServer(config, provider);
    this.#loadedAt = now();
    this.#server.catch(() => {
      this.#loadedAt = now();
      this.#lifetime = FAILURE_LIFETIME;
    });
  }

  isFresh({ runtime }: OutboundConfig): boolean {
    return isWithin(this.#lifetime, this.#loadedAt, runtime.now());
  }

  async get(): Promise<Server> {
    try {
      return await this.#server;
    } catch (error) {
      // Each caller gets its own error: code that catches one may write on it.
      throw error instanceof OAuthProviderError
        ? new OAuthProviderError(error.message, { cause: error.cause, logCode: error.logCode })
        : error;
    }
  }

  /** Returns newer metadata than `stale`, and otherwise loads it. `null` if that fails or was done a moment ago. */
  async reload(config: OutboundConfig, provider: ServerOptions, stale: Server): Promise<Server | null> {
    if (this.#reloading) return await this.#reloading;
    const current = await this.#server.catch(() => null);
    if (current !== stale) return current;
    // Others may have begun meanwhile, or finished.
    if (this.#reloading) return await this.#reloading;
    if (!this.#reloads.mayBegin(config.runtime.now())) return this.#newer;
    // What is cached stays if this fails.
    const reloading = findServer(config, provider, stale).catch(() => null);
    if (sharesWork()) this.#reloading = reloading;
    const found = await reloading;
    this.#reloading = null;
    if (!found) return null;
    this.#server = Promise.resolve(found);
    this.#newer = found;
    this.#loadedAt = config.runtime.now();
    this.#lifetime = LIFETIME;
    return found;
  }
}

// By `fetch`, because another one may reach another server at the same URL. Then by value, because a configuration may
// be created for each request.
const caches = new WeakMap<object, BoundedMap<string, CachedServer>>();

function cacheOf({ runtime }: OutboundConfig, provider: ServerOptions): BoundedMap<string, CachedServer> {
  const fetch = provider.fetch ?? runtime.fetch;
  const cache = caches.get(fetch) ?? new BoundedMap<string, CachedServer>(100);
  caches.set(fetch, cache);
  return cache;
}

function cacheKey(provider: ServerOptions): string {
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

/** The protocol library needs an issuer, also where there is none. */
const NO_ISSUER = "https://issuer.invalid";

async function findServer(config: OutboundConfig, provider: ServerOptions, stale?: Server): Promise<Server> {
  const { wellKnown, issuer } = provider;
  const discovered = wellKnown ? await discover(config, provider, wellKnown) : {};
  const hasIssuer = typeof discovered.issuer === "string" || issuer !== undefined;
  const { usable, unusable } = sortOut(usesCertificate(provider) ? withAliases(discovered) : discovered, provider);
  const found = { issuer: issuer ?? NO_ISSUER, ...usable, ...configuredEndpoints(provider) } as AuthorizationServer;
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

async function discover(config: OutboundConfig, provider: ServerOptions, url: string): Promise<JsonObject> {
  const { response, at } = await findDocument(config, provider, url).catch((error: unknown) => {
    throw unreachable(provider, url, error);
  });
  const metadata = response.status === 200 ? readObject(await response.arrayBuffer()) : null;
  if (!metadata) {
    const why = response.status === 200
      ? "the answer is not a JSON object"
      : `the answer has the status ${response.status}`;
    throw new OAuthProviderError(
      `Cannot discover provider "${provider.id}", so check its \`issuer\`: ${why}, and there is no metadata at ${at}`,
      { cause: { status: response.status }, logCode: "issuer-metadata" },
    );
  }
  const { issuer } = provider;
  if (!issuerFits(metadata.issuer, provider)) {
    throw new OAuthProviderError(
      `Cannot use provider "${provider.id}"${issuer === undefined ? "" : ` with the issuer ${quoted(issuer)}`}: its ` +
        `\`issuer\` must be that of its metadata, ${quoted(metadata.issuer)}`,
      { cause: { configured: issuer }, logCode: "issuer-mismatch" },
    );
  }
  return metadata;
}

// The reason, with the whole URL: it is from the configuration, so it holds no token.
function unreachable({ id }: ServerOptions, url: string, error: unknown): unknown {
  if (!(error instanceof OAuthProviderError) || typeof error.cause?.kind !== "string") return error;
  const why = error.message.replace(/^Cannot use \S+: /, "");
  return new OAuthProviderError(
    `Cannot read the metadata of provider "${id}" at ${url}: ${why}. Check its \`issuer\`, and the network`,
    { cause: error.cause, logCode: "issuer-unreachable" },
  );
}

// Some providers of Auth.js derive `wellKnown` from another form of the issuer than the configured one. Auth.js never reads
// it and asks the issuer. Each document must name the configured issuer.
async function findDocument(
  config: OutboundConfig,
  provider: ServerOptions,
  url: string,
): Promise<{ readonly response: Response; readonly at: string }> {
  const fetch = limitedFetch(config, provider, { followsOnce: true });
  const response = await getDocument(config, fetch, url);
  const usual = provider.issuer && metadataUrl(provider.issuer);
  if (response.status !== 404 || !usual || usual === url) return { response, at: url };
  return { response: await getDocument(config, fetch, usual), at: `${url} or ${usual}` };
}

function quoted(issuer: unknown): string {
  return typeof issuer === "string" ? JSON.stringify(issuer.slice(0, 200)) : "which has none";
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
