/**
 * Rules about several options of one provider.
 *
 * @module
 */
import type { CredentialsProvider, EmailProvider, OAuthProvider, OidcProvider } from "../contract/provider.ts";
import { vouchingFactsOf } from "../contract/vouching.ts";
import { SECRET_FORM, secretProblem } from "../crypto/secrets.ts";
import { isSecureUrl } from "../http/redirect_url.ts";
import { InvalidEndpoints, MissingAuthorize } from "../kernel/errors.ts";
import { describeValue } from "../kernel/objects.ts";
import { isPasswordProvider, type PasswordProvider } from "../passwords/settings.ts";
import { providerPrefix } from "./env.ts";
import type { Findings } from "./findings.ts";
import type { MergedProvider } from "./merge_provider.ts";

/** Finds what is wrong with a provider. @param proxyUrl URL of the redirect proxy of the service. */
export function findProviderProblems(provider: MergedProvider, proxyUrl: string | undefined, found: Findings): void {
  switch (provider.type) {
    case "oauth":
    case "oidc":
      return findOAuthProblems(provider, proxyUrl, found);
    case "email":
      return findEmailProblems(provider, found);
    case "credentials":
      return findCredentialsProblems(provider, found);
    case "webauthn":
      // Rules look at it together with the others.
      found.needsRules = true;
      return;
    default:
      provider satisfies never;
  }
}

function findCredentialsProblems(provider: CredentialsProvider, found: Findings): void {
  const { id, authorize } = provider;
  if (isPasswordProvider(provider)) return findPasswordProblems(provider, found);
  if (typeof authorize === "function") return;
  found.refuse(new MissingAuthorize(`Cannot use provider "${id}": set its \`authorize\``));
}

function findPasswordProblems({ id, authorize, length = {} }: PasswordProvider, found: Findings): void {
  // Rules look at what it needs of the adapter, and at the others.
  found.needsRules = true;
  if (id !== "password") found.problem(`provider "${id}": its \`id\` must be "password"; leave it out`);
  if (authorize) {
    found.problem(
      `provider "${id}": it checks passwords itself; remove its \`authorize\`, or use \`credentials()\` instead`,
    );
  }
  const { min = 0, max = Infinity } = length;
  if (min > max) found.problem(`provider "${id}": \`length.min\` is ${min}, and \`length.max\` must not be below it`);
}

function findEmailProblems(provider: EmailProvider, found: Findings): void {
  const { id, apiKey, needsApiKey, sendVerificationRequest, secret } = provider;
  found.needsRules = true;
  if (secretProblem(secret)) found.problem(`\`secret\` of provider "${id}": ${SECRET_FORM}`);
  if (needsApiKey && (!apiKey || String(apiKey).trim() === "")) {
    const name = `${providerPrefix(id)}KEY`;
    found.problem(`provider "${id}": set its \`apiKey\` or the environment variable ${name}`);
  }
  if (typeof sendVerificationRequest !== "function") {
    found.problem(`provider "${id}": set its \`sendVerificationRequest\``);
  }
}

function findOAuthProblems(
  provider: OAuthProvider | OidcProvider,
  proxyUrl: string | undefined,
  found: Findings,
): void {
  const { id, clientId, allowInsecureRequests, securityProfile } = provider;
  const urls = {
    authorization: urlOf(provider.authorization),
    token: urlOf(provider.token),
    userinfo: urlOf(provider.userinfo),
  };
  findMissing(provider, urls, found);
  const replaced = typeof provider.authorization === "function" && typeof provider.token === "function";
  if (!clientId && !replaced) {
    const name = `${providerPrefix(id)}ID`;
    found.problem(`provider "${id}": set its \`clientId\` or the environment variable ${name}`);
  }
  findVagueChecks(provider, found);
  findInsecureUrls(provider, urls, found);
  if (allowInsecureRequests && securityProfile) {
    found.problem(`provider "${id}": its \`securityProfile\` forbids \`allowInsecureRequests\``);
  }
  findKeylessAlgorithms(provider, found);
  const proxy = provider.redirectProxyUrl ?? proxyUrl;
  if (proxy !== undefined && proxy !== null && !isSecureUrl(proxy)) {
    found.problem(`\`redirectProxyUrl\`: it must be an https URL up to the \`basePath\`, not ${describeValue(proxy)}`);
  }
}

type Urls = Readonly<Record<string, string | true | undefined>>;

function findMissing(provider: OAuthProvider | OidcProvider, urls: Urls, found: Findings): void {
  const { id, issuer, wellKnown, requiredOptions = [] } = provider;
  const lacked = requiredOptions.filter((name) => !(provider as unknown as Readonly<Record<string, unknown>>)[name]);
  for (const name of lacked) {
    const variable = name === "issuer" ? ` or the environment variable ${providerPrefix(id)}ISSUER` : "";
    found.problem(`provider "${id}": set its \`${name}\`${variable}`);
  }
  const [missing] = Object.entries(urls).filter(([, url]) => url === undefined);
  if (issuer || wellKnown || !missing || lacked.length > 0) return;
  found.refuse(new InvalidEndpoints(`Cannot use provider "${id}": set its \`issuer\`, or its \`${missing[0]}\``));
}

function findVagueChecks(provider: OAuthProvider | OidcProvider, found: Findings): void {
  const { id, type, issuer, checks = [], vouches, ownDomains } = provider;
  if (type !== "oidc" && !issuer && Array.isArray(checks) && checks.includes("nonce")) {
    found.problem(`provider "${id}": its \`checks\` hold "nonce", which only OpenID Connect has; remove it`);
  }
  if (vouches === "own domain" && (ownDomains ?? vouchingFactsOf(issuer).ownDomains) === undefined) {
    found.problem(
      `provider "${id}": set its \`ownDomains\`: without them, \`vouches: "own domain"\` is about no address`,
    );
  }
}

// Hosts in lower case with a top-level domain, which need no parser: to parse the first URL is most of what a provider
// costs a start.
const SECURE_URL = /^https:\/\/(?!.*xn--)(?:[a-z0-9-]+\.)+[a-z]{2,24}(?:\/[\w.~%/+@,:-]*)?(?:\?[\w.~%&=+@,:-]*)?$/;

const HTTP_REMEDY = ". If it is on a network of your own, set `allowInsecureRequests: true` on this provider";

function findInsecureUrls(provider: OAuthProvider | OidcProvider, urls: Urls, found: Findings): void {
  const { issuer, wellKnown, jwks_endpoint, logout, revokeTokens } = provider;
  for (
    const [option, url] of Object.entries({
      ...urls,
      issuer,
      wellKnown,
      jwks_endpoint,
      logout: urlOf(logout),
      revokeTokens,
    })
  ) {
    if (typeof url !== "string" || SECURE_URL.test(url)) continue;
    if (isSecureUrl(url, provider.allowInsecureRequests === true)) continue;
    found.wrong(option, `must be an https URL, not ${describeValue(url)}${isSecureUrl(url, true) ? HTTP_REMEDY : ""}`);
  }
}

// A handler replaces its endpoint.
function urlOf(endpoint: unknown): string | true | undefined {
  if (typeof endpoint === "string") return endpoint;
  if (typeof endpoint === "function") return true;
  const { url, request } = (endpoint ?? {}) as { url?: unknown; request?: unknown };
  if (typeof request === "function") return true;
  return url === undefined ? undefined : String(url);
}

function findKeylessAlgorithms({ client, clientSecret }: OAuthProvider | OidcProvider, found: Findings): void {
  if (!client || (clientSecret && client.token_endpoint_auth_method !== "none")) return;
  for (const option of ["id_token_signed_response_alg", "userinfo_signed_response_alg"] as const) {
    const alg: unknown = client[option];
    if (typeof alg !== "string" || !/^HS(?:256|384|512)$/.test(alg)) continue;
    found.wrong(`client.${option}`, `${alg} needs a confidential client, with a \`clientSecret\``);
  }
}
