/**
 * What can be wrong with OAuth and OpenID Connect providers.
 *
 * @module
 */
import type { OAuthProvider, OidcProvider } from "../contract/provider.ts";
import { vouchingFactsOf } from "../contract/vouching.ts";
import { providerPrefix } from "./env.ts";
import { isSecureUrl } from "../http/redirect_url.ts";
import { comparableEmail } from "../kernel/address.ts";
import { type ConfigError, InvalidConfig, InvalidEndpoints } from "../kernel/errors.ts";
import { isPlainObject } from "../kernel/objects.ts";
import { kindOf, shown } from "../kernel/shown.ts";

/** Lists what is wrong with a provider of type `oauth` or `oidc`. */
export function oauthProblems(provider: OAuthProvider | OidcProvider): ConfigError[] {
  const { id, issuer, wellKnown, clientId, jwks_endpoint } = provider;
  const problems: ConfigError[] = lackedOptions(provider);
  const urls = {
    authorization: urlOf(provider.authorization),
    token: urlOf(provider.token),
    userinfo: urlOf(provider.userinfo),
  };
  const [missing] = Object.entries(urls).filter(([, url]) => url === undefined);
  if (!issuer && !wellKnown && missing && problems.length === 0) {
    problems.push(new InvalidEndpoints(`Cannot use provider "${id}": set its \`issuer\`, or its \`${missing[0]}\``));
  }
  const replaced = typeof provider.authorization === "function" && typeof provider.token === "function";
  if (!clientId && !replaced) {
    const name = `${providerPrefix(id)}ID`;
    problems.push(
      new InvalidConfig(`Cannot use provider "${id}": set its \`clientId\` or the environment variable ${name}`),
    );
  }
  if (!isClientSecret(provider.clientSecret)) {
    problems.push(
      new InvalidConfig(
        `Cannot use provider "${id}": its \`clientSecret\` must be text that is not empty; leave it out for a public client`,
      ),
    );
  }
  problems.push(...checkChecks(provider), ...vouchingProblems(provider));
  // Where this is not so, nothing of the provider could be resolved, and the others with it.
  for (const [option, kind, wanted] of [["issuer", "string", "text"], ["profile", "function", "a function"]] as const) {
    const value: unknown = provider[option];
    if (value === undefined || value === null || typeof value === kind) continue;
    problems.push(
      new InvalidConfig(`Cannot use provider "${id}": its \`${option}\` must be ${wanted}, not ${kindOf(value)}`),
    );
  }
  const others = { issuer, wellKnown, jwks_endpoint, logout: urlOf(provider.logout) };
  for (const [option, url] of Object.entries({ ...urls, ...others })) {
    if (typeof url === "string" && !isSecureUrl(url, provider.allowInsecureRequests === true)) {
      const remedy = isSecureUrl(url, true) ? HTTP_REMEDY : "";
      problems.push(
        new InvalidConfig(
          `Cannot use provider "${id}": its \`${option}\` must be an https URL, not ${shown(url)}${remedy}`,
        ),
      );
    }
  }
  if (provider.allowInsecureRequests && provider.securityProfile) {
    problems.push(
      new InvalidConfig(`Cannot use provider "${id}": its \`securityProfile\` forbids \`allowInsecureRequests\``),
    );
  }
  return problems;
}

const HTTP_REMEDY = ". If it is on a network of your own, set `allowInsecureRequests: true` on this provider";

function lackedOptions(provider: OAuthProvider | OidcProvider): ConfigError[] {
  const { id, requiredOptions = [] } = provider;
  const lacked = requiredOptions.filter((name) => !(provider as unknown as Readonly<Record<string, unknown>>)[name]);
  return lacked.map((name) => {
    const variable = name === "issuer" ? ` or the environment variable ${providerPrefix(id)}ISSUER` : "";
    return new InvalidConfig(`Cannot use provider "${id}": set its \`${name}\`${variable}`);
  });
}

function checkChecks({ id, type, issuer, checks = [] }: OAuthProvider | OidcProvider): ConfigError[] {
  if (!Array.isArray(checks) || checks.some((check) => !["pkce", "state", "nonce", "none"].includes(check))) {
    return [
      new InvalidConfig(
        `Cannot use provider "${id}": its \`checks\` must be a list of "pkce", "state", "nonce" or "none"`,
      ),
    ];
  }
  if (type === "oidc" || issuer || !checks.includes("nonce")) return [];
  return [
    new InvalidConfig(
      `Cannot use provider "${id}": its \`checks\` hold "nonce", which only OpenID Connect has; remove it`,
    ),
  ];
}

const VOUCHES: readonly unknown[] = ["no", "own domain", "yes", undefined, null];

// Text that is none of these would count as one of them.
function vouchingProblems({ id, issuer, vouches, ownDomains }: OAuthProvider | OidcProvider): ConfigError[] {
  const problem = (text: string) => [new InvalidConfig(`Cannot use provider "${id}": ${text}`)];
  if (!VOUCHES.includes(vouches)) {
    return problem(`its \`vouches\` must be "no", "own domain" or "yes", not ${shown(vouches)}`);
  }
  const domains = ownDomains ?? vouchingFactsOf(issuer).ownDomains;
  if (domains !== undefined && !areDomains(domains)) {
    return problem("its `ownDomains` must be `{ names: [<domain>], claim: <name of a claim> }`, or one of both");
  }
  return vouches === "own domain" && domains === undefined
    ? problem('set its `ownDomains`: without them, `vouches: "own domain"` is about no address')
    : [];
}

function areDomains(given: unknown): boolean {
  if (!isPlainObject(given)) return false;
  const { names = [], claim } = given;
  const isClaim = claim === undefined || (typeof claim === "string" && claim !== "");
  return isClaim && Array.isArray(names) && names.every((name) => comparableEmail(`x@${name}`) === `x@${name}`);
}

// A handler replaces its endpoint.
function urlOf(endpoint: unknown): string | true | undefined {
  if (typeof endpoint === "string") return endpoint;
  if (typeof endpoint === "function") return true;
  const { url, request } = (endpoint ?? {}) as { url?: unknown; request?: unknown };
  if (typeof request === "function") return true;
  return url === undefined ? undefined : String(url);
}

function isClientSecret(given: unknown): boolean {
  return given === undefined || given === null || (typeof given === "string" && given !== "");
}

/** Lists what is wrong with the URL of a redirect proxy. */
export function proxyUrlProblems(proxyUrl: string | null | undefined): ConfigError[] {
  if (proxyUrl === undefined || proxyUrl === null || isSecureUrl(proxyUrl)) return [];
  return [
    new InvalidConfig(
      `Cannot use \`redirectProxyUrl\`: it must be an https URL up to the \`basePath\`, not ${shown(proxyUrl)}`,
    ),
  ];
}
