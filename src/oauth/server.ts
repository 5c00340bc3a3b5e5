/**
 * What is known of a provider's server: its endpoints, its issuer, its keys.
 *
 * @module
 */
import { pause } from "../kernel/deadline.ts";
import type { AuthorizationServer } from "oauth4webapi";
import { BoundedMap } from "../kernel/bounded_map.ts";
import { OAuthProviderError } from "../kernel/errors.ts";
import { isSecureUrl } from "../http/redirect_url.ts";
import type { FetchLike } from "../contract/provider.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { type JsonObject, readObject } from "./json.ts";
import { KeyRing } from "./keys.ts";
import { limitedFetch, type OutboundConfig } from "./outbound.ts";

/** A provider's server. */
export interface Server {
  /** Its metadata, with the configured endpoints over the discovered ones. */
  readonly metadata: AuthorizationServer;
  /** Whether `metadata.issuer` is the provider's own; without one it is a stand-in. */
  readonly hasIssuer: boolean;
  /** Whether it issues for many tenants: then each id_token is held to what `expectedIssuer` says of its claims. */
  readonly shared: boolean;
  /** Its keys, if it is known where they are. */
  readonly keys: KeyRing | null;
}

/** The part of a provider that says where its server is. */
export type ServerFacts = Pick<
  ResolvedOAuthProvider,
  "id" | "issuer" | "wellKnown" | "authorization" | "token" | "userinfo" | "jwksUri" | "expectedIssuer" | "fetch"
>;

/** Seconds that metadata is used without asking again. */
const LIFETIME = 60 * 60;

/** Seconds that a failure is remembered, so that a provider in trouble is not asked by everybody at once. */
const FAILURE_LIFETIME = 5;

/** Stands in for the issuer of a provider that has none. */
const NO_ISSUER = "https://issuer.invalid";

interface Entry {
  readonly server: Promise<Server>;
  at: number;
  lifetime: number;
}

// By value, because a configuration may be made anew for each request; by `fetch`, because another one may reach
// another server under the same URL.
const caches = new WeakMap<object, BoundedMap<string, Entry>>();

/**
 * Finds out about a provider's server. Everybody who asks at the same time shares one answer.
 *
 * @throws {OAuthProviderError} if its metadata cannot be had or does not fit the configuration.
 */
export async function authorizationServer(config: OutboundConfig, provider: ServerFacts): Promise<Server> {
  const { now, fetch } = config.runtime;
  const cache = cacheOf(provider.fetch ?? fetch);
  const name = nameOf(provider);
  const known = cache.get(name);
  if (known && Math.abs(now() - known.at) < known.lifetime * 1000) return await sharedServer(known);
  const entry: Entry = { server: findServer(config, provider), at: now(), lifetime: LIFETIME };
  cache.set(name, entry);
  entry.server.catch(() => {
    entry.at = now();
    entry.lifetime = FAILURE_LIFETIME;
  });
  return await sharedServer(entry);
}

// Whoever catches an error may write on it, so the one that is remembered is thrown to nobody.
async function sharedServer({ server }: Entry): Promise<Server> {
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

const names = new WeakMap<object, string>();

function nameOf(provider: ServerFacts): string {
  const known = names.get(provider);
  if (known) return known;
  const { issuer, wellKnown, authorization, token, userinfo, jwksUri, expectedIssuer } = provider;
  const urls = [wellKnown, issuer, authorization.url, token.url, userinfo.url, jwksUri];
  const name = JSON.stringify([expectedIssuer !== undefined, ...urls.map((url) => url ?? null)]);
  names.set(provider, name);
  return name;
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
      `Cannot use provider "${provider.id}": \`${name}\` of its metadata is not an https URL`,
    );
  }
  return Object.freeze({
    metadata: Object.freeze(metadata),
    hasIssuer,
    shared: provider.expectedIssuer !== undefined && !sameIssuer(discovered.issuer, issuer),
    keys: metadata.jwks_uri ? new KeyRing(metadata.jwks_uri) : null,
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
  const response = await getDocument(config, limitedFetch(config, provider), url);
  const metadata = response.status === 200 ? readObject(await response.arrayBuffer()) : null;
  if (!metadata) {
    throw new OAuthProviderError(`Cannot discover provider "${provider.id}": there is no metadata at ${url}`, {
      cause: { status: response.status },
    });
  }
  if (!issuerFits(metadata.issuer, provider)) {
    throw new OAuthProviderError(`Cannot use provider "${provider.id}": its metadata names another issuer`, {
      cause: { configured: provider.issuer },
    });
  }
  return metadata;
}

function issuerFits(found: unknown, { issuer, expectedIssuer }: ServerFacts): boolean {
  if (typeof found !== "string" || !URL.canParse(found)) return false;
  if (issuer === undefined) return isSecureUrl(found);
  // Where one document serves many tenants it holds a template, or one of them.
  if (expectedIssuer) return new URL(found).origin === new URL(issuer).origin;
  return sameIssuer(found, issuer);
}

function sameIssuer(found: unknown, issuer: string | undefined): boolean {
  return typeof found === "string" && issuer !== undefined && new URL(found).href === new URL(issuer).href;
}

/**
 * Fetches a public document. What may be a passing weakness of network or server is tried once more.
 *
 * @param config Timer and randomness.
 * @param fetch The provider's `fetch`.
 * @param url Where the document is.
 */
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
