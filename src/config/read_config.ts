/**
 * Reads a configuration and its providers, and what the environment says.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import type { ProviderInput } from "../contract/provider.ts";
import { listSecrets } from "../crypto/secrets.ts";
import type { HostTrust } from "../http/origin.ts";
import type { ProviderType } from "../kernel/model.ts";
import { isObject } from "../kernel/objects.ts";
import { inferFromEnv, type Inferred, type ReadEnv } from "./env.ts";
import { Findings } from "./findings.ts";
import { type MergedProvider, mergeProvider } from "./merge_provider.ts";
import { isPadded } from "./padded.ts";
import { OPTIONS } from "./options.ts";
import { optionsOf } from "./password_options.ts";
import { PROVIDERS } from "./provider_options.ts";
import { findProviderProblems } from "./provider_rules.ts";
import { readRegistration } from "./registration.ts";
import { hasUnknownNames, readRows } from "./rows.ts";

/** A provider as it is read; an entry of `providers` that is not a provider has a `cause`. */
export type ReadProvider =
  | { readonly input: ProviderInput; readonly provider: MergedProvider; readonly found: Findings }
  | { readonly input: ProviderInput; readonly provider: null; readonly cause: unknown };

/** A configuration together with what the environment adds to it. */
export interface ConfigFacts {
  /** The configuration as it was written. */
  readonly given: AuthConfig;
  /** The configuration as it is read. */
  readonly config: AuthConfig;
  /** Empty, or a path without a trailing slash. */
  readonly basePath: string;
  /** Reads a variable of the environment. */
  readonly readEnv: ReadEnv;
  /** What is odd about the options. */
  readonly found: Findings;
  readonly env: Inferred;
  readonly entries: readonly ReadProvider[];
  readonly secrets: readonly string[];
  readonly trustHost: HostTrust;
  /** URL of the redirect proxy. */
  readonly proxyUrl: string | undefined;
}

/**
 * Reads a configuration. What it is given does not change.
 *
 * @param usualPath The path of the service if neither `basePath` nor `AUTH_URL` names one.
 */
export function readConfig(given: AuthConfig, readEnv: ReadEnv, usualPath = "/auth"): ConfigFacts {
  const found = new Findings();
  const config = readRows(given, OPTIONS, found);
  if (hasUnknownNames(given, OPTIONS)) found.needsRules = true;
  const env = inferFromEnv(readEnv);
  const proxyUrl = config.redirectProxyUrl ?? env.redirectProxyUrl;
  const inputs: readonly ProviderInput[] = Array.isArray(config.providers) ? [...config.providers] : [];
  const secrets = Object.freeze(listSecrets(config.secret) ?? [...env.secret]);
  const trustHost = config.trustHost === undefined ? env.trustHost : config.trustHost ? "any" : "none";
  const entries = inputs.map((input) => readEntry(input, { env: readEnv, proxyUrl }));
  const basePath = basePathOf(config.basePath, env.basePath ?? usualPath);
  return { given, config, basePath, readEnv, found, env, entries, secrets, trustHost, proxyUrl };
}

function basePathOf(given: unknown, usual: string): string {
  const path = (typeof given === "string" ? given : usual).replace(/\/+$/, "");
  if (path === "") return path;
  // Percent-encoded, as the paths of requests are. What is not a path is a problem, which has to be told where people look.
  return (path.startsWith("/") ? URL.parse(path, "http://localhost") : URL.parse(path))?.pathname ?? usual;
}

/** Whether nothing can be said about a configuration. Then the rules need not be loaded. */
export function isPlain(facts: ConfigFacts): boolean {
  const { config, basePath, found, env, entries, secrets, trustHost, proxyUrl } = facts;
  if (found.needsRules || proxyUrl !== undefined || trustHost === "none") return false;
  if (env.problem !== undefined || env.mended !== undefined) return false;
  if (env.basePath !== undefined && (config.basePath !== undefined || !isUsualPath(env.basePath))) return false;
  if (secrets.length === 0 || secrets.some((secret) => secret.length < SHORTEST_SECRET || isPadded(secret))) {
    return false;
  }
  if (config.trustHost === undefined && env.oddTrust !== undefined) return false;
  if (config.protect && mayGuardNothing(config.protect, basePath)) return false;
  const ids = new Set<unknown>();
  return entries.every(({ provider, ...entry }) => {
    if (!provider || !isProviderId(provider.id) || ids.has(provider.id)) return false;
    ids.add(provider.id);
    return "found" in entry && !entry.found.needsRules;
  });
}

/** The fewest characters of a secret that the log says nothing about. */
export const SHORTEST_SECRET = 32;

function mayGuardNothing(protect: NonNullable<AuthConfig["protect"]>, basePath: string): boolean {
  const members = "routes" in protect ? [protect] : protect;
  const lists = members.map((member) => typeof member === "string" ? [member] : member.routes);
  if (lists.length === 0 || lists.some((routes) => routes.length === 0)) return true;
  return lists.flat().some((route) => route.startsWith(`${basePath}/`));
}

/** Whether a path is one that a service usually has, so that `AUTH_URL` may name it without a word. */
export function isUsualPath(path: string): boolean {
  return path.endsWith("/auth");
}

/** Whether something can be the id of a provider: it stands in URLs. */
export function isProviderId(id: unknown): id is string {
  return typeof id === "string" && /^[\w.~-]{1,64}$/.test(id) && id !== "undefined" && id !== "." && id !== "..";
}

/** Whether something is a type of provider. */
export function isProviderType(type: unknown): type is ProviderType {
  return typeof type === "string" && Object.hasOwn(PROVIDERS, type);
}

interface Surroundings {
  readonly env: ReadEnv;
  readonly proxyUrl: string | undefined;
}

function readEntry(input: ProviderInput, { env, proxyUrl }: Surroundings): ReadProvider {
  let merged: MergedProvider;
  try {
    merged = mergeProvider(input, env);
    if (!isProviderType(merged.type)) {
      throw new TypeError('its `type` must be "oauth", "oidc", "email", "credentials" or "webauthn"');
    }
  } catch (cause) {
    return { input, provider: null, cause };
  }
  const found = new Findings(String(merged.id));
  const table = optionsOf(merged);
  const provider = readRows(withName(merged, found), table, found);
  if (hasUnknownNames(isObject(input) && isObject(input.options) ? input.options : input, table)) {
    found.needsRules = true;
  }
  findProviderProblems(provider, proxyUrl, found);
  return { input, provider, found };
}

function withName(merged: MergedProvider, found: Findings): MergedProvider {
  const provider = { ...merged };
  if (typeof provider.name !== "string" || provider.name === "") {
    provider.name = provider.id;
    found.mended("name", "is missing, so its `id` is shown");
  }
  if (provider.type === "oauth" || provider.type === "oidc") {
    // `null` is how some write "not set".
    if (provider.client === null) delete provider.client;
    readRegistration(provider as unknown as Record<string, unknown>, found);
  }
  return provider;
}
