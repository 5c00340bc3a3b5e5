/**
 * The metadata of a provider's authorization server: its issuer, its endpoints, its keys.
 *
 * @module
 * @see {@link https://www.rfc-editor.org/rfc/rfc8414 | RFC 8414}
 */
import type { AuthorizationServer } from "oauth4webapi";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { isSecureUrl } from "../http/redirect_url.ts";
import { OAuthProviderError } from "../kernel/errors.ts";
import { isObject } from "../kernel/objects.ts";
import type { JsonObject } from "./json.ts";
import type { RemoteKeySet } from "./keys.ts";

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
  /** Endpoints of its metadata that are not https URLs. They are left out, because most are never used. */
  readonly unusable: ReadonlyMap<string, unknown>;
}

/** The options of a provider that metadata depends on. */
export type ServerOptions = Pick<
  ResolvedOAuthProvider,
  | "id"
  | "issuer"
  | "wellKnown"
  | "authorization"
  | "token"
  | "userinfo"
  | "jwksUri"
  | "client"
  | "expectedIssuer"
  | "hasSharedIssuer"
  | "fetch"
  | "allowInsecureRequests"
  | "securityProfile"
  | "signedResponse"
  | "type"
>;

/** An endpoint of the metadata. */
export type EndpointName =
  | "authorization_endpoint"
  | "pushed_authorization_request_endpoint"
  | "token_endpoint"
  | "userinfo_endpoint"
  | "jwks_uri"
  | "end_session_endpoint"
  | "revocation_endpoint";

/**
 * Returns an endpoint that is needed.
 *
 * @throws {OAuthProviderError} if neither the configuration nor the metadata has it.
 */
export function endpointOf({ id }: Pick<ServerOptions, "id">, server: Server, name: EndpointName): string {
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

/**
 * Returns the issuer that an authorization response must come from. Metadata for many tenants does not say which one that
 * is. The id_token does, and is compared with the response afterwards.
 */
export function issuerOf({ metadata, multiTenant }: Server, claimed: unknown): string {
  return multiTenant && typeof claimed === "string" && hasOriginOf(metadata.issuer, claimed)
    ? claimed
    : metadata.issuer;
}

function hasOriginOf(issuer: string, url: string): boolean {
  return URL.canParse(url) && new URL(url).origin === new URL(issuer).origin;
}

/** Whether metadata may name an issuer, by the configuration of the provider. */
export function issuerFits(
  found: unknown,
  { issuer, expectedIssuer, allowInsecureRequests }: ServerOptions,
): boolean {
  if (typeof found !== "string" || !URL.canParse(found)) return false;
  if (issuer === undefined) return isSecureUrl(found, allowInsecureRequests);
  // Metadata for many tenants has a template as its issuer, or one of the tenants.
  if (expectedIssuer) return new URL(found).origin === new URL(issuer).origin;
  return sameIssuer(found, issuer);
}

/**
 * Whether metadata names the configured issuer. A slash at its end does not matter: both spellings have the same URL of
 * metadata (OpenID Connect Discovery, section 4.1). Id_tokens are compared exactly with what the metadata says.
 */
export function sameIssuer(found: unknown, issuer: string | undefined): boolean {
  return typeof found === "string" && issuer !== undefined && withoutSlash(found) === withoutSlash(issuer);
}

function withoutSlash(url: string): string {
  return new URL(url).href.replace(/\/$/, "");
}

/**
 * Separates endpoints that are not https URLs from metadata. Servers write `null`, empty texts and internal URLs into what
 * they do not use. `null` counts as absent in other members, too.
 */
export function sortOut(
  metadata: JsonObject,
  { allowInsecureRequests }: Pick<ServerOptions, "allowInsecureRequests">,
): { readonly usable: JsonObject; readonly unusable: ReadonlyMap<string, unknown> } {
  const members = Object.entries(metadata).filter(([, value]) => value !== null);
  const isUsable = ([name, value]: readonly [string, unknown]) =>
    !isEndpoint(name) || isSecureUrl(value, allowInsecureRequests);
  return {
    usable: Object.fromEntries(members.filter(isUsable)),
    unusable: new Map(Object.entries(metadata).filter((member) => !isUsable(member))),
  };
}

function isEndpoint(name: string): boolean {
  return name.endsWith("_endpoint") || name === "jwks_uri";
}

/** The endpoints that a client calls itself. A browser has no certificate, so its own are never replaced. */
const CALLED: ReadonlySet<string> = new Set([
  "token_endpoint",
  "userinfo_endpoint",
  "pushed_authorization_request_endpoint",
  "revocation_endpoint",
  "introspection_endpoint",
]);

/**
 * Returns metadata with the endpoints that demand a certificate in place of the usual ones.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc8705#section-5 | RFC 8705, section 5}
 */
export function withAliases({ mtls_endpoint_aliases: aliases, ...metadata }: JsonObject): JsonObject {
  const members = isObject(aliases) ? Object.entries(aliases) : [];
  const given = members.filter(([name, url]) => CALLED.has(name) && url !== null);
  return { ...metadata, ...Object.fromEntries(given) };
}

/** The endpoints of the configuration, by their names in metadata. */
export function configuredEndpoints(
  { authorization, token, userinfo, jwksUri }: ServerOptions,
): Readonly<Record<string, string>> {
  return {
    ...(authorization.url && { authorization_endpoint: authorization.url }),
    ...(token.url && { token_endpoint: token.url }),
    ...(userinfo.url && { userinfo_endpoint: userinfo.url }),
    ...(jwksUri && { jwks_uri: jwksUri }),
  };
}
