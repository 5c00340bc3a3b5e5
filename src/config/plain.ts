/**
 * Recognises a configuration that no rule can say anything about, as most are: then the rules need not be loaded.
 *
 * It says yes only to forms that it knows in full. Whatever else a configuration holds is left to the rules, which are the
 * only ones that say what is wrong. A test compares both.
 *
 * @module
 */
import type { AuthConfig, Callbacks, Events, PagesOptions } from "../contract/config.ts";
import type { ProviderInput } from "../contract/provider.ts";
import { listSecrets } from "../crypto/secrets.ts";
import type { HostTrust } from "../http/origin.ts";
import { isPathData } from "../http/path_data.ts";
import { isPlainObject } from "../kernel/objects.ts";
import type { Inferred, ReadEnv } from "./env.ts";
import { inferFromEnv } from "./env.ts";
import { type MergedProvider, mergeProvider } from "./merge_provider.ts";

/** What a plain configuration is resolved with. */
export interface PlainFacts {
  readonly env: Inferred;
  readonly secrets: readonly string[];
  readonly trustHost: HostTrust;
  readonly providers: readonly MergedProvider[];
}

type Test = (value: unknown) => boolean;

/** Reads a configuration that is plain; `null` if it is not certain that no rule has anything to say. */
export function plainFacts(config: AuthConfig, env: ReadEnv): PlainFacts | null {
  try {
    return readPlain(config, env);
  } catch {
    return null; // a getter of it throws, or an URL cannot be joined: the rules say it
  }
}

function readPlain(config: AuthConfig, env: ReadEnv): PlainFacts | null {
  if (!hasOnly(config, OPTIONS)) return null;
  const inferred = inferFromEnv(env);
  const { problem, mended, redirectProxyUrl } = inferred;
  if (problem !== undefined || mended !== undefined || redirectProxyUrl !== undefined) return null;
  if (config.basePath !== undefined && inferred.basePath !== undefined) return null;
  const trustHost = config.trustHost === undefined ? inferred.trustHost : "any";
  if (trustHost === "none") return null;
  const secrets = listSecrets(config.secret) ?? inferred.secret;
  if (secrets.length === 0 || secrets.some((secret) => secret.length < 32)) return null;
  // A copy turns holes of the list into members.
  const inputs = [...config.providers ?? []];
  if (!inputs.every(isPlainInput)) return null;
  const providers = inputs.map((input) => mergeProvider(input, env));
  const areDistinct = new Set(providers.map(({ id }) => id)).size === providers.length;
  return areDistinct && providers.every(isPlainProvider) ? { env: inferred, secrets, trustHost, providers } : null;
}

/** Whether something is an object of which each member is one that is listed, and passes its test. */
function hasOnly(value: unknown, tests: Readonly<Record<string, Test>>): boolean {
  if (!isPlainObject(value)) return false;
  return Object.entries(value).every(([name, member]) => {
    return member === undefined || (Object.hasOwn(tests, name) && tests[name]?.(member) === true);
  });
}

const isFunction: Test = (value) => typeof value === "function";
const isBoolean: Test = (value) => typeof value === "boolean";
const isText: Test = (value) => typeof value === "string" && value !== "";
const isPath: Test = (value) => typeof value === "string" && /^(?:\/[\w~-][\w.~-]*)+$/.test(value);
// Ten years: a number of milliseconds is larger from four days on.
const isLifetime: Test = (value) => typeof value === "number" && value >= 1 && value <= 10 * 366 * 24 * 60 * 60;

const CALLBACKS: Readonly<Record<keyof Callbacks, Test>> = {
  signIn: isFunction,
  redirect: isFunction,
  jwt: isFunction,
  session: isFunction,
  authorized: isFunction,
};

const EVENTS: Readonly<Record<keyof Events, Test>> = {
  signIn: isFunction,
  signOut: isFunction,
  createUser: isFunction,
  updateUser: isFunction,
  linkAccount: isFunction,
  session: isFunction,
};

const PAGES: Readonly<Partial<Record<keyof PagesOptions, Test>>> = {
  signIn: isPath,
  signOut: isPath,
  error: isPath,
  verifyRequest: isPath,
  newUser: isPath,
};

const OPTIONS: Readonly<Partial<Record<keyof AuthConfig, Test>>> = {
  providers: (value) => Array.isArray(value),
  secret: isText,
  trustHost: (value) => value === true,
  basePath: isPath,
  debug: (value) => value === false,
  useSecureCookies: isBoolean,
  callbacks: (value) => hasOnly(value, CALLBACKS),
  events: (value) => hasOnly(value, EVENTS),
  pages: (value) => hasOnly(value, PAGES),
  session: (value) => hasOnly(value, { strategy: (name) => name === "jwt", maxAge: isLifetime, updateAge: isLifetime }),
};

const CLIENT: Readonly<Record<string, Test>> = { clientId: isText, clientSecret: isText, issuer: isText };

// What a factory of the catalogue returns holds what the developer wrote as `options`.
function isPlainInput(input: ProviderInput): boolean {
  return isPlainObject(input) && hasOnly(input.options, CLIENT) && isPlainObject(input.options);
}

const COLOR = /^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$/;
const isColor: Test = (value) => typeof value === "string" && COLOR.test(value);

const STYLE: Readonly<Record<string, Test>> = {
  bg: isColor,
  bgDark: isColor,
  border: isColor,
  borderDark: isColor,
  fixed: isBoolean,
  text: isColor,
  textDark: isColor,
  mark: isPathData,
  logo: isText,
  logoDark: isText,
};

// A subset of the https URLs, which needs no parser: of hosts in lower case with a top-level domain. The first expression
// that ignores case costs a start as much as all others together.
const SECURE_URL = /^https:\/\/(?!.*xn--)(?:[a-z0-9-]+\.)+[a-z]{2,24}(?:\/[\w.~%/+@,:-]*)?(?:\?[\w.~%&=+@,:-]*)?$/;
const isUrl: Test = (value) => typeof value === "string" && SECURE_URL.test(value);

const ENDPOINT: Readonly<Record<string, Test>> = {
  url: isUrl,
  params: isPlainObject,
  request: isFunction,
  conform: isFunction,
  form: isFunction,
};
const isEndpoint: Test = (value) => isUrl(value) || isFunction(value) || hasOnly(value, ENDPOINT);

function isComplete(endpoint: unknown): boolean {
  return isPlainObject(endpoint) ? Boolean(endpoint.url ?? endpoint.request) : endpoint !== undefined;
}

const CHECKS: readonly unknown[] = ["pkce", "state", "nonce"];
const METHODS: readonly unknown[] = ["client_secret_basic", "client_secret_post", "none"];

const VOUCHES: readonly unknown[] = ["no", "own domain", "yes"];
const DOMAIN = /^(?:[a-z0-9]{1,24}\.){1,4}[a-z]{2,24}$/;
const isDomain: Test = (value) => typeof value === "string" && DOMAIN.test(value);

const ID = /^[A-Za-z0-9][\w-]*$/;

const PROVIDER: Readonly<Record<string, Test>> = {
  ...CLIENT,
  id: (value) => typeof value === "string" && value.length <= 64 && ID.test(value) && value !== "undefined",
  name: isText,
  type: (value) => value === "oauth" || value === "oidc",
  style: (value) => hasOnly(value, STYLE),
  issuer: isUrl,
  wellKnown: isUrl,
  authorization: isEndpoint,
  token: isEndpoint,
  userinfo: isEndpoint,
  jwks_endpoint: isUrl,
  checks: (value) => Array.isArray(value) && [...value].every((check) => CHECKS.includes(check)),
  client: (value) => hasOnly(value, { token_endpoint_auth_method: (method) => METHODS.includes(method) }),
  profile: isFunction,
  account: isFunction,
  expectedIssuer: isFunction,
  logoutFallback: isPlainObject,
  idToken: isBoolean,
  vouches: (value) => VOUCHES.includes(value),
  ownDomains: (value) =>
    hasOnly(value, { names: (names) => Array.isArray(names) && names.every(isDomain), claim: isText }),
  allowDangerousEmailAccountLinking: (value) => value === false,
  requiredOptions: (value) => Array.isArray(value),
};

function isPlainProvider(provider: MergedProvider): boolean {
  if (!hasOnly(provider, PROVIDER) || (provider.type !== "oauth" && provider.type !== "oidc")) return false;
  const { id, name, clientId, issuer, authorization, token, userinfo, checks, requiredOptions = [] } = provider;
  if (provider.vouches === "own domain" && provider.ownDomains === undefined) return false;
  if (id === undefined || name === undefined || clientId === undefined) return false;
  if (requiredOptions.some((option) => provider[option as keyof typeof provider] === undefined)) return false;
  const isKnown = issuer !== undefined || [authorization, token, userinfo].every(isComplete);
  return isKnown && (provider.type === "oidc" || issuer !== undefined || !checks?.includes("nonce"));
}
