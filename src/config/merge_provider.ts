/**
 * Completes a provider as a developer wrote it: calls its factory, merges the options and reads the environment.
 *
 * @module
 */
import { belowIssuer } from "../contract/endpoint_url.ts";
import type {
  FetchLike,
  OAuthOptions,
  OAuthProvider,
  OidcProvider,
  Provider,
  ProviderInput,
} from "../contract/provider.ts";
import { issuerOfTenant } from "../contract/shared_issuer.ts";
import { isPlainObject, withoutUndefined } from "../kernel/objects.ts";
import { inferProvider, type ReadEnv } from "./env.ts";

/** A provider with the developer's options merged in, and with what the environment adds. */
export type MergedProvider = Exclude<Provider, { type: "oauth" | "oidc" }> | OAuthProvider | OidcProvider;

/**
 * Completes a provider. What the developer wrote wins over the environment, and the environment over the facts of the
 * catalogue.
 */
export function mergeProvider(written: ProviderInput, env: ReadEnv): MergedProvider {
  // Whoever calls looks at the `type`.
  const input = written as Provider | ((options: object) => Provider);
  const given = typeof input === "function" ? callFactory(input, env) : input;
  const { options, ...facts } = given;
  const merged = merge(withEndpointUrls(facts, options ?? {}), options ?? {}) as MergedProvider;
  const fetch = bySymbol(options, "custom-fetch") ?? bySymbol(given, "custom-fetch");
  if (merged.type === "email") return { ...merged, apiKey: merged.apiKey ?? inferProvider(env, merged.id).apiKey };
  if (merged.type !== "oauth" && merged.type !== "oidc") return merged;
  const inferred = inferProvider(env, merged.id);
  const own: OAuthOptions = options ?? merged;
  const issuer = own.issuer ?? inferred.issuer ?? merged.issuer;
  return {
    ...merged,
    ...endpointsBelow(issuer, merged),
    clientId: own.clientId ?? inferred.clientId ?? merged.clientId,
    clientSecret: own.clientSecret ?? inferred.clientSecret ?? merged.clientSecret,
    issuer,
    ...(fetch && { fetch }),
    // Auth.js marks the providers that it treats in a way of their own. Those of Microsoft have an issuer for many
    // tenants. They write it into their metadata, which then does not tell.
    ...(keyOf(given, "conform-internal") && { tenants: issuerOfTenant(issuer) }),
  };
}

// `{ params }` changes the parameters of an endpoint that the provider gives as a URL, and keeps the URL.
function withEndpointUrls(facts: object, options: object): object {
  const urls = Object.entries(facts).filter(([name, url]) => {
    return ENDPOINTS.has(name) && typeof url === "string" &&
      isPlainObject(Object.getOwnPropertyDescriptor(options, name)?.value);
  });
  return { ...facts, ...Object.fromEntries(urls.map(([name, url]) => [name, { url }])) };
}

const ENDPOINTS: ReadonlySet<string> = new Set(["authorization", "token", "userinfo"]);

// The URL of an endpoint is a path where the factory did not know the issuer, because it is in the environment.
function endpointsBelow(issuer: string | undefined, provider: object): object {
  const isPath = (url: unknown) => typeof url === "string" && /^\/(?!\/)/.test(url);
  const joined = (url: unknown) => issuer ? belowIssuer(issuer, String(url) as `/${string}`) : undefined;
  const isUrl = (name: string) => ENDPOINTS.has(name) || name === "wellKnown";
  const paths = Object.entries(provider).filter(([name, given]) => isUrl(name) && isPath(given?.url ?? given));
  return Object.fromEntries(paths.map(([name, given]) => {
    return [name, typeof given === "string" ? joined(given) : { ...given, url: joined(given.url) }];
  }));
}

// A factory may need what the environment says, which is found by the provider's id: so it is called twice.
function callFactory(make: (options: object) => Provider, env: ReadEnv): Provider {
  const first = make({});
  // An async factory is reported as a problem of the configuration. Its rejection must not end the program before that.
  if (first instanceof Promise) first.catch(() => {});
  const inferred = withoutUndefined(inferProvider(env, first.id));
  return Object.keys(inferred).length > 0 ? make(inferred) : first;
}

function bySymbol(owner: object | undefined, description: string): FetchLike | undefined {
  const key = owner && keyOf(owner, description);
  const value = key && (owner as Record<symbol, unknown>)[key];
  return typeof value === "function" ? value as FetchLike : undefined;
}

// Auth.js has its own symbols, with the same descriptions.
function keyOf(owner: object, description: string): symbol | undefined {
  return Object.getOwnPropertySymbols(owner).find((symbol) => symbol.description === description);
}

/** Merges options over defaults: plain objects member by member, everything else, arrays too, as a whole. */
export function merge(defaults: object, options: object): object {
  const merged: Record<PropertyKey, unknown> = { ...defaults };
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || name === "__proto__") continue;
    const below = merged[name];
    // A value that is not an object, which is a mistake, does not hide what the catalogue says of the client.
    if (name === "client" && isPlainObject(below) && !isPlainObject(value)) continue;
    merged[name] = isPlainObject(below) && isPlainObject(value) ? merge(below, value) : value;
  }
  return merged;
}
