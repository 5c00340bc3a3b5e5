/**
 * The rules of a configuration. Each problem names the option and the fix.
 *
 * @module
 */
import { adapterProblems } from "./check_adapter.ts";
import { shapeProblems } from "./check_shape.ts";
import { adapterProblem } from "./check_values.ts";
import type { AuthConfig } from "../contract/config.ts";
import { SECRET_FORM, secretProblem } from "../crypto/secrets.ts";
import type { Inferred } from "./env.ts";
import { type ConfigError, InvalidConfig, MissingSecret, UntrustedHost } from "../kernel/errors.ts";
import { type CookieRole, type CookieSpecs, cookieSpecs } from "../http/cookie_specs.ts";
import { cookieProblem } from "../http/cookie_text.ts";
import type { HostTrust } from "../http/origin.ts";
import { protectProblem } from "../http/protect.ts";
import { isObject } from "../kernel/objects.ts";
import { kindOf, shown } from "../kernel/shown.ts";
import { migrationProblems } from "./check_migration.ts";
import type { MergedProvider } from "./merge_provider.ts";
import type { ConfigParts } from "./parts.ts";
import type { Storage } from "../storage/guard.ts";
import type { Warning } from "./warning.ts";

/** Mistakes that were found. */
export type Found = Readonly<Record<"problems", readonly ConfigError[]> & Record<"warnings", readonly Warning[]>>;

/** A configuration together with what the environment adds to it. */
export interface ConfigFacts {
  /** The configuration as it was written. */
  readonly given: AuthConfig;
  /** The mistakes in it. */
  readonly found: Found;
  /** The configuration, mended. */
  readonly config: AuthConfig;
  readonly env: Inferred;
  /** The providers that can be used. */
  readonly providers: readonly MergedProvider[];
  readonly secrets: readonly string[];
  readonly trustHost: HostTrust;
  /** URL of the redirect proxy. */
  readonly proxyUrl: string | undefined;
  readonly parts: ConfigParts;
  /** The adapter, guarded, if there is one. */
  readonly storage: Storage | null;
}

type Rule = (facts: ConfigFacts) => ConfigError | ConfigError[] | null | undefined | false;

/** Lists the problems of a configuration, the most basic first. */
export function configProblems(facts: ConfigFacts): readonly ConfigError[] {
  return RULES.flatMap((rule) => rule(facts) || []);
}

const RULES: readonly Rule[] = [
  ({ given, trustHost }) =>
    trustHost === "none" &&
    new UntrustedHost(
      `Cannot trust the host of requests: ${
        isGiven(given.trustHost) ? `\`trustHost\` is ${shown(given.trustHost)}; ` : ""
      }` +
        "set `trustHost: true` or the environment variable AUTH_URL",
    ),
  ({ secrets, config: { secret } }) =>
    secrets.length === 0 && secretProblem(secret) !== "malformed" &&
    new MissingSecret("Cannot start without a secret: set `secret` or the environment variable AUTH_SECRET"),
  checkSecrets,
  ({ config }) => shapeProblems(config),
  ({ found }) => [...found.problems],
  ({ env: { problem } }) => problem !== undefined && new InvalidConfig(problem),
  checkBasePath,
  checkStrategy,
  checkAdapter,
  ({ config }) => migrationProblems(config),
  checkDurations,
  checkCache,
  checkCookies,
  checkProtect,
  checkProxy,
];

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function invalid(what: string, problem: string): InvalidConfig {
  return new InvalidConfig(`Cannot use ${what}: ${problem}`);
}

function checkSecrets({ config: { secret, jwt } }: ConfigFacts): ConfigError[] {
  const problems: ConfigError[] = [];
  // A missing secret is a problem of its own, which is listed before.
  if (secretProblem(secret) === "malformed") {
    problems.push(invalid("`secret`", `${SECRET_FORM}; it is ${kindOf(secret)}`));
  }
  if (secretProblem(jwt?.secret)) {
    problems.push(invalid("`jwt.secret`", `${SECRET_FORM}; it is ${kindOf(jwt?.secret)}`));
  }
  return problems;
}

function checkBasePath({ config: { basePath } }: ConfigFacts): ConfigError | false {
  if (basePath === undefined || basePath === "") return false;
  if (typeof basePath === "string" && /^\/[^?#\\]*$/.test(basePath) && !basePath.includes("//")) {
    return false;
  }
  return invalid("`basePath`", `it must be a path that begins with one slash, such as "/auth", not ${shown(basePath)}`);
}

function checkStrategy({ config: { session } }: ConfigFacts): ConfigError | false {
  const { strategy } = session ?? {};
  if (strategy === undefined || strategy === "jwt" || strategy === "database") return false;
  return invalid("`session.strategy`", `it must be "jwt" or "database", not ${shown(strategy)}`);
}

function checkAdapter({ config, storage }: ConfigFacts): ConfigError[] {
  const problem = adapterProblem(config.adapter);
  return problem
    ? [new InvalidConfig(`Cannot use \`adapter\`: ${problem}`, { logCode: "adapter-unusable" })]
    : adapterProblems(config, storage);
}

function checkDurations({ config: { session, jwt } }: ConfigFacts): ConfigError[] {
  const durations: readonly [option: string, value: unknown, least: number][] = [
    ["session.maxAge", session?.maxAge, 1],
    ["session.updateAge", session?.updateAge, 0],
    ["session.revalidate", session?.revalidate || undefined, 1],
    ["jwt.maxAge", jwt?.maxAge, 1],
  ];
  return durations
    .filter(([, value, least]) => value !== undefined && !(typeof value === "number" && value >= least && value < 1e10))
    .map(([option, value]) => invalid(`\`${option}\``, `it must be a number of seconds, not ${shown(value)}`));
}

/** The longest time that a stored session is kept in memory, in seconds. */
const LONGEST_CACHE = 3600;

function checkCache({ config: { adapter, session } }: ConfigFacts): ConfigError | false {
  const given: unknown = session?.cache;
  if (!isGiven(given)) return false;
  if ((session?.strategy ?? (adapter ? "database" : "jwt")) !== "database") {
    return invalid("`session.cache`", "it is for sessions in storage; with encrypted ones, set `session.revalidate`");
  }
  if (!isObject(given)) {
    return invalid("`session.cache`", `it must be { seconds: 10 }, for example, not ${shown(given)}`);
  }
  const { seconds } = given;
  const isWhole = typeof seconds === "number" && Number.isInteger(seconds);
  if (isWhole && seconds >= 1 && seconds <= LONGEST_CACHE) return false;
  return invalid(
    "`session.cache.seconds`",
    `it must be a whole number from 1 to ${LONGEST_CACHE}, not ${shown(seconds)}`,
  );
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

function checkProtect({ config: { protect } }: ConfigFacts): ConfigError | null {
  const problem = protectProblem(protect);
  return problem === null ? null : invalid("`protect`", problem);
}

const ORIGIN_PATTERN = /^https?:\/\/[a-z0-9*](?:[a-z0-9*.-]*[a-z0-9])?(?::\d+)?$/i;

function checkProxy({ config: { redirectProxyOrigins = [] } }: ConfigFacts): ConfigError | false {
  const isList = Array.isArray(redirectProxyOrigins);
  if (isList && redirectProxyOrigins.every((origin) => ORIGIN_PATTERN.test(origin))) return false;
  return invalid("`redirectProxyOrigins`", "it must be a list of origins such as https://*.example.com");
}
