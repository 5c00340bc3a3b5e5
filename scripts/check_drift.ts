/**
 * Compares the providers of the catalogue with the metadata that they publish today, and reports what has changed.
 *
 * It looks at every provider with a fixed issuer or a fixed URL of metadata. Those that run in many places, such as
 * Keycloak, have no metadata of their own.
 *
 * @example Usage
 * ```sh
 * deno run --allow-read --allow-env --allow-net scripts/check_drift.ts
 * deno run --allow-read --allow-env --allow-net scripts/check_drift.ts google line
 * ```
 *
 * @module
 */
import { readFileSync } from "node:fs";
import type { LogoutOption, OAuthProvider, OidcProvider } from "../src/contract/provider.ts";
import { printLine } from "./print.ts";
import { loadCatalogue } from "./provider_docs.ts";

/** The metadata of a provider, as it was published. */
export type Metadata = Readonly<Record<string, unknown>>;

/** What is recorded of a provider beside its file. */
export interface Recorded {
  /** The endpoints, which the metadata names, too. */
  readonly [member: string]: unknown;
}

const ENDPOINTS = [
  "authorization_endpoint",
  "token_endpoint",
  "userinfo_endpoint",
  "jwks_uri",
  "revocation_endpoint",
] as const;

/** Members of the facts that hold what somebody recorded, for providers whose endpoints are discovered. */
const FROM_FILE = {
  authorization_endpoint: "authorization",
  token_endpoint: "token",
  userinfo_endpoint: "userinfo",
} as const;

/** Lists how a provider differs from its metadata, one line each. */
export function driftOf(provider: OAuthProvider | OidcProvider, facts: Recorded, metadata: Metadata): string[] {
  return [
    ...issuerDrift(provider, metadata),
    ...ENDPOINTS.flatMap((name) => endpointDrift({ provider, facts, metadata }, name)),
    ...offerDrift(provider, metadata),
    ...responseDrift(facts, metadata),
  ];
}

function issuerDrift({ issuer }: OAuthProvider | OidcProvider, metadata: Metadata): string[] {
  if (issuer === undefined || issuer === metadata.issuer) return [];
  return [`issuer is ${JSON.stringify(metadata.issuer)}, here ${JSON.stringify(issuer)}`];
}

interface Compared {
  readonly provider: OAuthProvider | OidcProvider;
  readonly facts: Recorded;
  readonly metadata: Metadata;
}

function endpointDrift({ provider, facts, metadata }: Compared, name: typeof ENDPOINTS[number]): string[] {
  const published = metadata[name];
  const here = ownUrl(provider, name) ?? facts[name];
  if (typeof here !== "string" || here.includes("{")) return [];
  if (published === undefined) return [`${name} is no longer published, here ${here}`];
  return withoutQuery(String(published)) === withoutQuery(here) ? [] : [`${name} is ${published}, here ${here}`];
}

function ownUrl(provider: OAuthProvider | OidcProvider, name: typeof ENDPOINTS[number]): string | undefined {
  if (name === "jwks_uri") return provider.jwks_endpoint;
  if (name === "revocation_endpoint") return undefined;
  const endpoint = provider[FROM_FILE[name]];
  if (typeof endpoint === "string") return endpoint;
  return typeof endpoint === "object" && endpoint.url !== undefined ? String(endpoint.url) : undefined;
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/, "");
}

/** What a provider uses must be offered, where the metadata says what is. */
function offerDrift(
  { checks = [], client, authorization, logout, logoutFallback }: OAuthProvider | OidcProvider,
  metadata: Metadata,
): string[] {
  const params = typeof authorization === "object" ? authorization.params ?? {} : {};
  const scopes = typeof params.scope === "string" ? params.scope.split(" ").filter(Boolean) : [];
  return [
    ...missing(metadata, "code_challenge_methods_supported", checks.includes("pkce") ? ["S256"] : []),
    ...missing(metadata, "token_endpoint_auth_methods_supported", [client?.token_endpoint_auth_method]),
    ...missing(metadata, "id_token_signing_alg_values_supported", [client?.id_token_signed_response_alg]),
    ...missing(metadata, "response_modes_supported", [params.response_mode]),
    ...missing(metadata, "scopes_supported", scopes),
    ...(checks.includes("pkce") || !offers(metadata, "code_challenge_methods_supported", "S256")
      ? []
      : ["code_challenge_methods_supported has S256 now: `checks` can have pkce"]),
    ...logoutDrift(logout ?? logoutFallback, metadata),
  ];
}

function missing(metadata: Metadata, name: string, used: readonly unknown[]): string[] {
  if (!Array.isArray(metadata[name])) return [];
  return used.filter((one) => one !== undefined && !offers(metadata, name, one))
    .map((one) => `${name} has no ${String(one)}, which is used here`);
}

function offers(metadata: Metadata, name: string, value: unknown): boolean {
  const list = metadata[name];
  return Array.isArray(list) && list.includes(value);
}

function logoutDrift(own: LogoutOption | object | undefined, metadata: Metadata): string[] {
  const isNeeded = !own || metadata.end_session_endpoint === undefined;
  return isNeeded ? [] : ["end_session_endpoint is published now: `logoutFallback` is not needed"];
}

// RFC 9207: from the day on which a provider promises it, responses without `iss` are refused.
function responseDrift(
  { authorization_response_iss_parameter_supported: known = false }: Recorded,
  metadata: Metadata,
): string[] {
  const published = metadata.authorization_response_iss_parameter_supported ?? false;
  return published === known
    ? []
    : [`authorization_response_iss_parameter_supported is ${published}, recorded ${known}`];
}

/** Where the metadata of a provider is; `undefined` if it has none, or none that is fixed. */
export function metadataUrlOf(
  { wellKnown, issuer, type }: OAuthProvider | OidcProvider,
  facts: Recorded,
): string | undefined {
  const { discovery_url: recorded, issuer: fixed } = facts;
  if (typeof recorded === "string") return recorded.includes("{") ? undefined : recorded;
  if (typeof fixed === "string" && fixed.includes("{")) return undefined;
  if (type !== "oidc") return undefined;
  return wellKnown ?? (issuer && `${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`);
}

async function fetchMetadata(url: string): Promise<Metadata> {
  const response = await fetch(url, { signal: AbortSignal.timeout(20_000) });
  if (!response.ok) throw new Error(`answered ${response.status}`);
  return await response.json();
}

function factsOf(id: string): Recorded {
  const file = new URL(`../tests/catalogue/${id.replaceAll("-", "_")}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly facts: Recorded }).facts;
}

if (import.meta.main) {
  const wanted = new Set(Deno.args);
  let findings = 0;
  for (const { provider } of await loadCatalogue()) {
    if (wanted.size > 0 && !wanted.has(provider.id)) continue;
    const facts = factsOf(provider.id);
    const url = metadataUrlOf(provider, facts);
    if (!url) continue;
    const lines = await fetchMetadata(url).then((metadata) => driftOf(provider, facts, metadata), (error) => {
      return [`${url} cannot be read: ${error instanceof Error ? error.message : error}`];
    });
    for (const line of lines) printLine(`${provider.id}: ${line}`);
    if (lines.length === 0) printLine(`${provider.id}: nothing has changed`);
    findings += lines.length;
  }
  printLine(findings === 0 ? "The catalogue matches what is published" : `${findings} differences`);
  if (findings > 0) Deno.exit(1);
}
