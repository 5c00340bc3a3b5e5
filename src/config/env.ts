/**
 * Environment variables, for the options that the configuration leaves out.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import type { HostTrust } from "../http/origin.ts";

/** Reads one environment variable. */
export type ReadEnv = (name: string) => string | undefined;

/** What the variables say about the service. */
export interface Inferred {
  /** The origin of `AUTH_URL`. */
  readonly origin: string | null;
  /** The path of `AUTH_URL`, unless it is `/`. */
  readonly basePath: string | undefined;
  /** Secrets, newest first. */
  readonly secret: readonly string[];
  /** Which hosts of requests are trusted. */
  readonly trustHost: HostTrust;
  /** URL of the redirect proxy. */
  readonly redirectProxyUrl: string | undefined;
  /** What is wrong with `AUTH_URL`. */
  readonly problem: string | undefined;
}

/** Reads the variables that concern the whole service. */
export function inferFromEnv(env: ReadEnv): Inferred {
  const url = readUrl(env);
  const path = url?.pathname.replace(/\/+$/, "");
  return {
    origin: url?.origin ?? null,
    basePath: path || undefined,
    secret: readSecrets(env),
    trustHost: url ? "any" : readTrust(env),
    redirectProxyUrl: set(env("AUTH_REDIRECT_PROXY_URL")),
    problem: url === undefined ? "Cannot use the environment variable AUTH_URL: it must be an http(s) URL" : undefined,
  };
}

/** What the variables say about one provider. */
export interface InferredProvider {
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  readonly issuer: string | undefined;
  /** The key of a service that sends email. */
  readonly apiKey: string | undefined;
}

/** Reads the variables of one provider: `AUTH_<ID>_ID`, `_SECRET`, `_ISSUER` and `_KEY`. */
export function inferProvider(env: ReadEnv, id: string): InferredProvider {
  const prefix = providerPrefix(id);
  return {
    clientId: set(env(`${prefix}ID`)),
    clientSecret: set(env(`${prefix}SECRET`)),
    issuer: set(env(`${prefix}ISSUER`)),
    apiKey: set(env(`${prefix}KEY`)),
  };
}

/** Returns the prefix of a provider's variables: `AUTH_<ID>_`. */
export function providerPrefix(id: string): string {
  // A missing id is reported later, as a problem of the configuration.
  return `AUTH_${String(id).toUpperCase().replaceAll("-", "_")}_`;
}

/** Reads a boolean: `false`, `0`, `no`, `off` and an empty text are false, any other text is true. */
export function asBoolean(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  return !/^(?:|false|0|no|off)$/i.test(text.trim());
}

/**
 * Fills in the options that a configuration leaves out, from the environment. The service does this itself: call it only
 * in code that reads a configuration without the service.
 *
 * @param env The environment variables.
 * @param config The configuration; it is changed.
 */
export function setEnvDefaults(env: Readonly<Record<string, string | undefined>>, config: AuthConfig): void {
  const inferred = inferFromEnv((name) => env[name]);
  config.basePath ??= inferred.basePath ?? "/auth";
  config.secret ??= inferred.secret;
  // If only the hosts of this machine are trusted, the service decides for each request.
  if (inferred.trustHost !== "loopback") config.trustHost ??= inferred.trustHost === "any";
  config.redirectProxyUrl ??= inferred.redirectProxyUrl;
  config.providers = config.providers?.map((given) => {
    const provider = typeof given === "function" ? given() : given;
    if (provider.type !== "oauth" && provider.type !== "oidc") return provider;
    const { clientId, clientSecret, issuer } = inferProvider((name) => env[name], provider.options?.id ?? provider.id);
    return {
      ...provider,
      clientId: provider.clientId ?? clientId,
      clientSecret: provider.clientSecret ?? clientSecret,
      issuer: provider.issuer ?? issuer,
    };
  });
}

function set(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

// `null` if the variable is not set, `undefined` if it is not an http(s) URL.
function readUrl(env: ReadEnv): URL | null | undefined {
  const text = set(env("AUTH_URL")) ?? set(env("NEXTAUTH_URL"));
  if (!text) return null;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === "https:" || url.protocol === "http:" ? url : undefined;
}

function readSecrets(env: ReadEnv): readonly string[] {
  const names = ["AUTH_SECRET_3", "AUTH_SECRET_2", "AUTH_SECRET_1", "AUTH_SECRET"];
  const secrets = names.map((name) => set(env(name))).filter((secret) => secret !== undefined);
  if (secrets.length > 0) return secrets;
  const older = set(env("NEXTAUTH_SECRET"));
  return older ? [older] : [];
}

function readTrust(env: ReadEnv): HostTrust {
  const explicit = asBoolean(env("AUTH_TRUST_HOST"));
  if (explicit !== undefined) return explicit ? "any" : "none";
  if (asBoolean(env("VERCEL")) || asBoolean(env("CF_PAGES"))) return "any";
  // If NODE_ENV is not set, it may still be production: Deno and Bun never set it.
  return ["development", "test"].includes(env("NODE_ENV") ?? "") ? "any" : "loopback";
}
