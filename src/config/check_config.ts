/**
 * The rules of a configuration. Each problem names the option and the fix.
 *
 * @module
 */
import { adapterProblems } from "./check_adapter.ts";
import { migrationProblems } from "./check_migration.ts";
import { webauthnProblems } from "./check_webauthn.ts";
import type { AuthConfig } from "../contract/config.ts";
import { SECRET_FORM, secretProblem } from "../crypto/secrets.ts";
import { type Inferred, providerPrefix } from "./env.ts";
import {
  type ConfigError,
  InvalidConfig,
  InvalidEndpoints,
  MissingAuthorize,
  MissingSecret,
  UntrustedHost,
} from "../kernel/errors.ts";
import { algorithmProblems } from "./signing.ts";
import { isColor } from "../http/color.ts";
import { type CookieRole, type CookieSpecs, cookieSpecs } from "../http/cookie_specs.ts";
import { cookieProblem } from "../http/cookie_text.ts";
import type { HostTrust } from "../http/origin.ts";
import { protectProblem } from "../http/protect.ts";
import { isSecureUrl } from "../http/redirect_url.ts";
import type { OAuthProvider, OidcProvider } from "../contract/provider.ts";
import type { MergedProvider } from "./merge_provider.ts";

/** A configuration together with what the environment adds to it. */
export interface ConfigFacts {
  readonly config: AuthConfig;
  readonly env: Inferred;
  readonly providers: readonly MergedProvider[];
  readonly secrets: readonly string[];
  readonly trustHost: HostTrust;
  /** URL of the redirect proxy. */
  readonly proxyUrl: string | undefined;
}

type Rule = (facts: ConfigFacts) => ConfigError | ConfigError[] | null | undefined | false;

/** Lists the problems of a configuration, the most basic first. */
export function configProblems(facts: ConfigFacts): readonly ConfigError[] {
  return RULES.flatMap((rule) => rule(facts) || []);
}

const RULES: readonly Rule[] = [
  ({ trustHost }) =>
    trustHost === "none" &&
    new UntrustedHost("Cannot trust the host of requests: set `trustHost: true` or the environment variable AUTH_URL"),
  ({ secrets, config: { secret } }) =>
    secrets.length === 0 && secretProblem(secret) !== "malformed" &&
    new MissingSecret("Cannot start without a secret: set `secret` or the environment variable AUTH_SECRET"),
  checkSecrets,
  ({ env: { problem } }) => problem !== undefined && new InvalidConfig(problem),
  checkBasePath,
  checkProviderIds,
  ({ providers }) => providers.filter(isOAuth).flatMap((provider) => checkOAuth(provider)),
  ({ providers }) =>
    providers.filter((provider) => provider.type === "credentials" && typeof provider.authorize !== "function").map(
      ({ id }) => new MissingAuthorize(`Cannot use provider "${id}": set its \`authorize\``),
    ),
  checkStrategy,
  ({ config, providers }) => webauthnProblems(config, providers),
  ({ config, providers }) => adapterProblems(config, providers),
  ({ config }) => migrationProblems(config),
  checkDurations,
  checkCookies,
  checkPages,
  checkProtect,
  checkTheme,
  checkProxy,
];

function invalid(what: string, problem: string): InvalidConfig {
  return new InvalidConfig(`Cannot use ${what}: ${problem}`);
}

function checkSecrets({ config: { secret, jwt }, providers }: ConfigFacts): ConfigError[] {
  const problems: ConfigError[] = [];
  // A missing secret is a problem of its own, which is listed before.
  if (secretProblem(secret) === "malformed") problems.push(invalid("`secret`", SECRET_FORM));
  if (secretProblem(jwt?.secret)) problems.push(invalid("`jwt.secret`", SECRET_FORM));
  for (const provider of providers) {
    const { id } = provider;
    if (provider.type === "email" && secretProblem(provider.secret)) {
      problems.push(invalid(`\`secret\` of provider "${id}"`, SECRET_FORM));
    }
    if (isOAuth(provider) && !isClientSecret(provider.clientSecret)) {
      const problem = "its `clientSecret` must be text that is not empty; leave it out for a public client";
      problems.push(invalid(`provider "${id}"`, problem));
    }
  }
  return problems;
}

function isClientSecret(given: unknown): boolean {
  return given === undefined || given === null || (typeof given === "string" && given !== "");
}

function checkBasePath({ config: { basePath } }: ConfigFacts): ConfigError | false {
  if (basePath === undefined || basePath === "" || (/^\/[^?#\\]*$/.test(basePath) && !basePath.includes("//"))) {
    return false;
  }
  return invalid("`basePath`", 'it must be a path that begins with one slash, such as "/auth"');
}

function checkProviderIds({ providers }: ConfigFacts): ConfigError[] {
  const seen = new Set<string>();
  return providers.flatMap(({ id }) => {
    if (typeof id !== "string" || !/^[\w.~-]{1,64}$/.test(id) || id === "undefined" || id === "." || id === "..") {
      return [invalid("a provider's `id`", `${JSON.stringify(id)} must be 1 to 64 characters of A-Z a-z 0-9 _ . ~ -`)];
    }
    if (seen.has(id)) return [invalid(`two providers with the \`id\` "${id}"`, "set another `id` on one of them")];
    seen.add(id);
    return [];
  });
}

function isOAuth(provider: MergedProvider): provider is OAuthProvider | OidcProvider {
  return provider.type === "oauth" || provider.type === "oidc";
}

function checkOAuth(provider: OAuthProvider | OidcProvider): ConfigError[] {
  const { id, issuer, wellKnown, clientId, jwks_endpoint } = provider;
  const problems: ConfigError[] = [];
  const urls = {
    authorization: urlOf(provider.authorization),
    token: urlOf(provider.token),
    userinfo: urlOf(provider.userinfo),
  };
  const [missing] = Object.entries(urls).filter(([, url]) => url === undefined);
  if (!issuer && !wellKnown && missing) {
    problems.push(new InvalidEndpoints(`Cannot use provider "${id}": set its \`issuer\`, or its \`${missing[0]}\``));
  }
  const replaced = typeof provider.authorization === "function" && typeof provider.token === "function";
  if (!clientId && !replaced) {
    const name = `${providerPrefix(id)}ID`;
    problems.push(invalid(`provider "${id}"`, `set its \`clientId\` or the environment variable ${name}`));
  }
  problems.push(...checkChecks(provider), ...algorithmProblems(provider));
  for (const [option, url] of Object.entries({ ...urls, issuer, wellKnown, jwks_endpoint })) {
    if (typeof url === "string" && !isSecureUrl(url)) {
      problems.push(invalid(`provider "${id}"`, `its \`${option}\` must be an https URL`));
    }
  }
  return problems;
}

function checkChecks({ id, type, issuer, checks = [] }: OAuthProvider | OidcProvider): ConfigError[] {
  if (!Array.isArray(checks) || checks.some((check) => !["pkce", "state", "nonce", "none"].includes(check))) {
    return [invalid(`provider "${id}"`, 'its `checks` must be a list of "pkce", "state", "nonce" or "none"')];
  }
  if (type === "oidc" || issuer || !checks.includes("nonce")) return [];
  return [invalid(`provider "${id}"`, 'its `checks` hold "nonce", which only OpenID Connect has; remove it')];
}

// A handler replaces its endpoint.
function urlOf(endpoint: unknown): string | true | undefined {
  if (typeof endpoint === "string") return endpoint;
  if (typeof endpoint === "function") return true;
  const { url, request } = (endpoint ?? {}) as { url?: unknown; request?: unknown };
  if (typeof request === "function") return true;
  return url === undefined ? undefined : String(url);
}

function checkStrategy({ config: { session } }: ConfigFacts): ConfigError | false {
  const { strategy } = session ?? {};
  if (strategy === undefined || strategy === "jwt" || strategy === "database") return false;
  return invalid("`session.strategy`", 'it must be "jwt" or "database"');
}

function checkDurations({ config: { session, jwt, timeouts } }: ConfigFacts): ConfigError[] {
  const durations: readonly [option: string, value: unknown, least: number][] = [
    ["session.maxAge", session?.maxAge, 1],
    ["session.updateAge", session?.updateAge, 0],
    ["jwt.maxAge", jwt?.maxAge, 1],
    ["timeouts.total", timeouts?.total, 0.001],
    ["timeouts.request", timeouts?.request, 0.001],
    ["timeouts.event", timeouts?.event, 0.001],
  ];
  return durations
    .filter(([, value, least]) => value !== undefined && !(typeof value === "number" && value >= least && value < 1e10))
    .map(([option]) => invalid(`\`${option}\``, "it must be a number of seconds"));
}

function checkCookies({ config: { cookies, useSecureCookies } }: ConfigFacts): ConfigError[] {
  if (!cookies) return [];
  const kinds = useSecureCookies === undefined ? [true, false] : [useSecureCookies];
  const problems = kinds.flatMap((secure) => cookieSetProblems(cookieSpecs(secure, cookies), secure, cookies));
  return [...new Set(problems)].map((message) => new InvalidConfig(message));
}

function cookieSetProblems(specs: CookieSpecs, secure: boolean, given: object): string[] {
  const names = new Map<string, string>();
  return Object.entries(specs).flatMap(([role, { name, options }]) => {
    const twin = names.get(name);
    names.set(name, role);
    if (twin) return [`Cannot use \`cookies.${role}.name\`: \`cookies.${twin}\` has the same name`];
    // A name with a prefix needs https. Over http browsers drop such a cookie, which is no problem of the configuration.
    const problem = cookieProblem(name, secure ? options : { ...options, secure: true });
    return problem && Object.hasOwn(given, role as CookieRole) ? [`Cannot use \`cookies.${role}\`: ${problem}`] : [];
  });
}

function checkPages({ config: { pages = {} } }: ConfigFacts): ConfigError[] {
  return Object.entries(pages)
    .filter(([, url]) => url !== undefined && !(typeof url === "string" && isPageUrl(url)))
    .map(([name]) => invalid(`\`pages.${name}\``, "it must be a path or an http(s) URL"));
}

function checkProtect({ config: { protect } }: ConfigFacts): ConfigError | null {
  const problem = protectProblem(protect);
  return problem === null ? null : invalid("`protect`", problem);
}

function isPageUrl(url: string): boolean {
  if (/^\/(?![/\\])/.test(url)) return true;
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

function checkTheme({ config: { theme = {} } }: ConfigFacts): ConfigError[] {
  const problems: ConfigError[] = [];
  for (const option of ["brandColor", "buttonText"] as const) {
    const color = theme[option];
    if (color !== undefined && color !== "" && !isColor(color)) {
      problems.push(invalid(`\`theme.${option}\``, 'it must be a CSS colour such as "#346df1"'));
    }
  }
  if (theme.colorScheme !== undefined && !["auto", "dark", "light"].includes(theme.colorScheme)) {
    problems.push(invalid("`theme.colorScheme`", 'it must be "auto", "dark" or "light"'));
  }
  return problems;
}

const ORIGIN_PATTERN = /^https?:\/\/[a-z0-9*](?:[a-z0-9*.-]*[a-z0-9])?(?::\d+)?$/i;

function checkProxy({ config: { redirectProxyOrigins = [] }, proxyUrl }: ConfigFacts): ConfigError[] {
  const problems: ConfigError[] = [];
  if (proxyUrl !== undefined && !isSecureUrl(proxyUrl)) {
    problems.push(invalid("`redirectProxyUrl`", "it must be an https URL up to the `basePath`"));
  }
  if (!redirectProxyOrigins.every((origin) => ORIGIN_PATTERN.test(origin))) {
    problems.push(invalid("`redirectProxyOrigins`", "each must be an origin such as https://*.example.com"));
  }
  return problems;
}
