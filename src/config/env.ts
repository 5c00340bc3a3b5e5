/**
 * Environment variables, for the options that the configuration leaves out.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import type { ProviderInput } from "../contract/provider.ts";
import { type HostTrust, isLoopback } from "../http/origin.ts";
import { isObject, withoutUndefined } from "../kernel/objects.ts";
import { warnPlainly } from "../kernel/plain_log.ts";

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
  /** The value of `AUTH_TRUST_HOST` that trusts every host, although it is not a word for that. */
  readonly oddTrust: string | undefined;
  /** URL of the redirect proxy. */
  readonly redirectProxyUrl: string | undefined;
  /** What is wrong with `AUTH_URL`. */
  readonly problem: string | undefined;
  /** How `AUTH_URL` was read, if it is not written as a URL. */
  readonly mended: string | undefined;
}

/** Reads the variables that concern the whole service. */
export function inferFromEnv(env: ReadEnv): Inferred {
  const { url, mended } = readUrl(env);
  const path = url?.pathname.replace(/\/+$/, "");
  return {
    origin: url?.origin ?? null,
    basePath: path || undefined,
    // Read when they are asked for: on Deno to read a variable takes a question to the permissions.
    get secret() {
      return readSecrets(env);
    },
    get trustHost() {
      return url ? "any" : readTrust(env);
    },
    redirectProxyUrl: set(env("AUTH_REDIRECT_PROXY_URL")),
    get oddTrust() {
      return url ? undefined : oddTrust(env);
    },
    problem: url === undefined ? "Cannot use the environment variable AUTH_URL: it must be an http(s) URL" : undefined,
    mended: mended
      ? `the environment variable AUTH_URL is not a URL with a scheme: it is read as ${mended}`
      : url && url.href !== url.origin + url.pathname
      ? `the environment variable AUTH_URL is more than an origin and a path: it is read as ${url.origin}${path}`
      : undefined,
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
    get clientId() {
      return set(env(`${prefix}ID`));
    },
    get clientSecret() {
      return set(env(`${prefix}SECRET`));
    },
    get issuer() {
      return set(env(`${prefix}ISSUER`));
    },
    get apiKey() {
      return set(env(`${prefix}KEY`));
    },
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
 * @param suppressBasePathWarning Whether to be silent about a `basePath` beside `AUTH_URL`, because a binding set it.
 */
export function setEnvDefaults(
  env: Readonly<Record<string, string | undefined>>,
  config: AuthConfig,
  suppressBasePathWarning = false,
): void {
  const inferred = inferFromEnv((name) => env[name]);
  if (inferred.origin && config.basePath && !suppressBasePathWarning) {
    warnPlainly(
      config.logger,
      "env-url-basepath-redundant",
      "`basePath` is set, so the path of AUTH_URL is ignored: remove one of them",
    );
  }
  config.basePath ??= inferred.basePath ?? "/auth";
  config.secret ??= inferred.secret;
  // If only the hosts of this machine are trusted, the service decides for each request.
  if (inferred.trustHost !== "loopback") config.trustHost ??= inferred.trustHost === "any";
  config.redirectProxyUrl ??= inferred.redirectProxyUrl;
  config.providers = config.providers?.map((given) => withVariables(given, env));
}

function withVariables(given: ProviderInput, env: Readonly<Record<string, string | undefined>>): ProviderInput {
  const first = typeof given === "function" ? given({}) : given;
  // The service says what is wrong with it.
  if (!isObject(first)) return given;
  const variables = inferProvider((name) => env[name], first.options?.id ?? first.id);
  const { clientId, clientSecret, issuer, apiKey } = variables;
  // A factory may build its URLs of the issuer.
  const provider = typeof given === "function" ? given(withoutUndefined(variables)) : first;
  if (provider.type === "email") return { ...provider, apiKey: provider.apiKey ?? apiKey };
  if (provider.type !== "oauth" && provider.type !== "oidc") return provider;
  return {
    ...provider,
    clientId: provider.clientId ?? clientId,
    clientSecret: provider.clientSecret ?? clientSecret,
    issuer: provider.issuer ?? issuer,
  };
}

// A value of spaces is how some leave a line of a file of variables empty.
function set(value: string | undefined): string | undefined {
  return value?.trim() === "" ? undefined : value;
}

// `null` if the variable is not set, `undefined` if it cannot be read as an http(s) URL.
function readUrl(env: ReadEnv): { readonly url: URL | null | undefined; readonly mended?: string } {
  const text = env("AUTH_URL") || env("NEXTAUTH_URL");
  if (!text) return { url: null };
  const url = URL.parse(text);
  if (url?.protocol === "https:" || url?.protocol === "http:") return { url };
  // Container tools keep the quotes of a file of variables, and many write a host alone. Other schemes are no host.
  const bare = text.trim().replace(/^(["'])(.*)\1$/, "$2");
  const [, scheme, host = ""] = BARE.exec(bare) ?? [];
  const hostname = URL.parse(`https://${host}`)?.hostname;
  const read = hostname ? URL.parse(`${scheme ?? (isLoopback(hostname) ? "http" : "https")}://${host}`) : null;
  return read ? { url: read, mended: read.origin } : { url: undefined };
}

// A host with a top-level domain, this machine, or an IP address. A word alone may be a leftover.
const BARE =
  /^(?:(https?):)?(?:\/\/)?((?:(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*|localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\])(?::\d{1,5})?(?:\/[^\s?#\\]*)?)$/i;

function readSecrets(env: ReadEnv): readonly string[] {
  const names = ["AUTH_SECRET_3", "AUTH_SECRET_2", "AUTH_SECRET_1", "AUTH_SECRET"];
  const secrets = names.map((name) => set(env(name))).filter((secret) => secret !== undefined);
  if (secrets.length > 0) return secrets;
  const older = set(env("NEXTAUTH_SECRET"));
  return older ? [older] : [];
}

function oddTrust(env: ReadEnv): string | undefined {
  const text = env("AUTH_TRUST_HOST");
  return asBoolean(text) && !/^(?:true|1|yes|on)$/i.test(text?.trim() ?? "") ? text : undefined;
}

function readTrust(env: ReadEnv): HostTrust {
  const explicit = asBoolean(env("AUTH_TRUST_HOST"));
  if (explicit !== undefined) return explicit ? "any" : "none";
  if (asBoolean(env("VERCEL")) || asBoolean(env("CF_PAGES"))) return "any";
  // If NODE_ENV is not set, it may still be production: Deno and Bun never set it.
  return ["development", "test"].includes(env("NODE_ENV") ?? "") ? "any" : "loopback";
}
