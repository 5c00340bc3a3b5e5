/**
 * The configuration with every default written in. No default of the service stands anywhere else.
 *
 * @module
 */
import type { AuthConfig, Callbacks, Events, FormerSessions, JWTOptions, PagesOptions } from "../contract/config.ts";
import { createSealer, type Sealer } from "../crypto/seal.ts";
import { listSecrets } from "../crypto/secrets.ts";
import {
  type CookieSpecs,
  cookieSpecs,
  type FormerSpecs,
  formerSpecs,
  SESSION_LIFETIME,
} from "../http/cookie_specs.ts";
import type { HostTrust } from "../http/origin.ts";
import { type Protection, readProtection } from "../http/protect.ts";
import type { ConfigError } from "../kernel/errors.ts";
import { createLogger, type Log } from "../kernel/logger.ts";
import type { Theme } from "../kernel/model.ts";
import { isMarker, withoutUndefined } from "../kernel/objects.ts";
import type { Runtime } from "../kernel/runtime.ts";
import type { ConfigFacts } from "./check_config.ts";
import { inferFromEnv, type Inferred } from "./env.ts";
import type { BrokenProvider } from "./providers.ts";
import { resolveProvider } from "./resolve_provider.ts";
import type { ResolvedProvider } from "./resolved_provider.ts";
import type { ConfigParts } from "./parts.ts";
import type { PlainFacts } from "./plain.ts";
import type { Storage } from "../storage/guard.ts";
import type { Warning } from "./warning.ts";

export type { Warning };

/** The configuration as the service uses it: frozen, with every default written in. */
export interface ResolvedConfig {
  readonly runtime: Runtime;
  readonly providers: ReadonlyMap<string, ResolvedProvider>;
  /** Resolves the providers even if the service has problems, so that those of the providers are found, too. */
  readonly providersToCheck: () => ReadonlyMap<string, ResolvedProvider>;
  /** Providers that are left out because something is wrong with them. */
  readonly brokenProviders: ReadonlyMap<string, BrokenProvider>;
  /** What is wrong with them, and with entries that are no providers at all. */
  readonly providerProblems: readonly ConfigError[];
  /** The adapter, guarded, if there is one. */
  readonly storage: Storage | null;
  /** Empty, or a path without a trailing slash. */
  readonly basePath: string;
  /** The configured origin. */
  readonly origin: string | null;
  readonly trustHost: HostTrust;
  /** Secrets that CSRF tokens and email tokens are hashed with, newest first. */
  readonly secrets: readonly string[];
  /** Seals session tokens and flows. */
  readonly sealer: Sealer;
  readonly session: {
    readonly strategy: "jwt" | "database";
    readonly maxAge: number;
    readonly updateAge: number;
    readonly generateSessionToken: (() => string) | null;
    /** Seconds after which a sealed session is looked up again; 0 if sealed sessions have no rows. */
    readonly revalidate: number;
    /** Whether everybody who signs in is stored: only a provider of type `credentials` lets in others. */
    readonly storesEverybody: boolean;
    /** Seconds that a stored session is kept in memory; 0 if it is not. */
    readonly cache: number;
    /** Sessions of the library that was used before, if any. */
    readonly migrateFrom: ResolvedFormerSessions | null;
  };
  readonly jwt: {
    readonly secrets: readonly string[];
    /** The same as it was given: code of the developer's may expect text. */
    readonly secret: string | readonly string[];
    readonly maxAge: number;
    readonly encode: NonNullable<JWTOptions["encode"]> | null;
    readonly decode: NonNullable<JWTOptions["decode"]> | null;
  };
  /** Whether the tokens of accounts are stored encrypted. */
  readonly sealsTokens: boolean;
  /** Which paths are for people who are signed in, if any. */
  readonly protect: Protection | null;
  readonly callbacks: { readonly [Name in keyof Required<Callbacks>]: NonNullable<Callbacks[Name]> | null };
  readonly events: Readonly<Events>;
  readonly pages: Readonly<PagesOptions>;
  readonly cookies: { readonly secure: CookieSpecs; readonly plain: CookieSpecs };
  readonly theme: Theme;
  readonly logger: Log;
  readonly redirectProxyOrigins: readonly string[] | null;
  /** Schemes of applications that a browser may be redirected to, without the colon. */
  readonly redirectSchemes: readonly string[];
  readonly skipCSRFCheck: boolean;
  readonly timeouts: Readonly<Record<"total" | "request" | "event" | "authorize", number>>;
  /** What is wrong with the whole service. While there is any problem, no request is served. */
  readonly problems: readonly ConfigError[];
  /** What to log as warnings. */
  readonly warnings: readonly Warning[];
}

/** What a configuration is resolved with: parts that some need, and what is known of mistakes in it. */
export interface ResolvingParts extends ConfigParts {
  /** Finds mistakes, and mends what can be meant in one way only. In a plain configuration there are none. */
  readonly mistakes: MistakesPart | PlainFacts;
}

/** What finds mistakes. */
export type MistakesPart = Pick<
  typeof import("./mistakes.ts"),
  "checkProviders" | "configProblems" | "configWarnings" | "findMistakes" | "mendConfig"
>;

/** Sessions of the library that was used before, and their cookies. */
export interface ResolvedFormerSessions {
  readonly read: FormerSessions["read"];
  readonly open: NonNullable<FormerSessions["open"]> | null;
  readonly specs: { readonly secure: FormerSpecs; readonly plain: FormerSpecs };
}

/** All members, so that the code of an email can read them without asking. */
const THEME: Theme = { colorScheme: "auto", logo: "", brandColor: "", buttonText: "" };

const ONE_DAY = 24 * 60 * 60;

const ONE_MINUTE = 60;

/**
 * Resolves a configuration in one pass: reads the environment, completes the providers, checks all of it, and freezes it
 * with every default. Nothing that it is given changes.
 *
 * @param parts What finds mistakes, and what this configuration needs and most do not.
 */
export function resolveConfig(given: AuthConfig, runtime: Runtime, parts: ResolvingParts): ResolvedConfig {
  if ("providers" in parts.mistakes) return resolvePlain(given, runtime, { ...parts, mistakes: parts.mistakes });
  const { checkProviders, configProblems, configWarnings, findMistakes, mendConfig } = parts.mistakes;
  const { config, warnings: mended } = mendConfig(given);
  const env = inferFromEnv(runtime.env);
  const proxyUrl = config.redirectProxyUrl ?? env.redirectProxyUrl;
  if (config.adapter && !parts.guardAdapter) throw new TypeError("Cannot use the adapter: its guard was not loaded");
  const storage = config.adapter && parts.guardAdapter ? parts.guardAdapter(config.adapter) : null;
  const surroundings = { env: runtime.env, proxyUrl, storage, parts };
  const { providers, broken, problems: providerProblems, warnings: leftOut } = checkProviders(config, surroundings);
  const secrets = secretsOf(config.secret, () => env.secret);
  const trustHost = trustOf(config, env);
  const found = findMistakes(given);
  const facts: ConfigFacts = { given, found, config, env, providers, secrets, trustHost, proxyUrl, storage, parts };
  const problems = configProblems(facts);
  const warnings = Object.freeze([...mended, ...leftOut, ...configWarnings(facts)]);
  return freezeConfig(facts, { runtime, problems, warnings, brokenProviders: broken, providerProblems, storage });
}

interface PlainParts extends ConfigParts {
  readonly mistakes: PlainFacts;
}

function resolvePlain(config: AuthConfig, runtime: Runtime, parts: PlainParts): ResolvedConfig {
  const { secrets } = parts.mistakes;
  const known = { ...parts.mistakes, given: config, found: NOTHING, config, secrets: Object.freeze([...secrets]) };
  const none = { problems: [], warnings: [], brokenProviders: new Map(), providerProblems: [], storage: null };
  return freezeConfig({ ...known, proxyUrl: undefined, storage: null, parts }, { runtime, ...none });
}

const NOTHING = { problems: [], warnings: [] };

type Verdict = Pick<
  ResolvedConfig,
  "runtime" | "problems" | "warnings" | "brokenProviders" | "providerProblems" | "storage"
>;

function freezeConfig(facts: ConfigFacts, verdict: Verdict): ResolvedConfig {
  const { config, env, secrets, trustHost } = facts;
  const { runtime, problems } = verdict;
  const jwtSecrets = secretsOf(config.jwt?.secret, () => secrets);
  const maxAge = config.session?.maxAge ?? SESSION_LIFETIME;
  return Object.freeze({
    ...verdict,
    // Of a configuration with problems nothing is served, so its providers need no defaults.
    providers: problems.length > 0 ? new Map() : providersOf(facts),
    providersToCheck: () => providersOf(facts),
    basePath: basePathOf(facts),
    origin: env.origin,
    trustHost,
    secrets,
    sealer: createSealer(jwtSecrets, runtime),
    session: Object.freeze({
      strategy: config.session?.strategy ?? (config.adapter ? "database" : "jwt"),
      maxAge,
      updateAge: config.session?.updateAge ?? ONE_DAY,
      generateSessionToken: config.session?.generateSessionToken ?? null,
      revalidate: revalidationOf(config, verdict.storage),
      storesEverybody: ![...facts.providers, ...verdict.brokenProviders.values()].some(isCredentials),
      cache: config.session?.cache?.seconds ?? 0,
      migrateFrom: problems.length > 0 ? null : formerSessionsOf(config),
    }),
    jwt: Object.freeze({
      secrets: jwtSecrets,
      secret: asGiven(config.jwt?.secret ?? config.secret) ?? jwtSecrets,
      maxAge: config.jwt?.maxAge ?? maxAge,
      encode: config.jwt?.encode ?? null,
      decode: config.jwt?.decode ?? null,
    }),
    sealsTokens: config.account?.tokens === "sealed",
    protect: readProtection(config.protect),
    callbacks: callbacksOf(config.callbacks ?? {}),
    events: config.events ?? {},
    pages: Object.freeze({ ...config.pages }),
    cookies: cookiesOf(config),
    theme: Object.freeze({ ...THEME, ...withoutUndefined(config.theme ?? {}) }),
    logger: createLogger({ logger: config.logger, debug: config.debug }),
    redirectProxyOrigins: config.redirectProxyOrigins ?? null,
    redirectSchemes: Object.freeze([...config.redirectSchemes ?? []]),
    skipCSRFCheck: isMarker(config.skipCSRFCheck, "skip-csrf-check"),
    timeouts: Object.freeze({
      total: config.timeouts?.total ?? 10,
      request: config.timeouts?.request ?? 5,
      event: config.timeouts?.event ?? config.timeouts?.total ?? 10,
      authorize: config.timeouts?.authorize ?? 30,
    }),
  });
}

function revalidationOf({ session }: AuthConfig, storage: Storage | null): number {
  const canEnd = session?.strategy === "jwt" && storage?.lacks("endings").length === 0;
  return canEnd && (session.revalidate ?? ONE_MINUTE) || 0;
}

function isCredentials({ type }: { readonly type: string }): boolean {
  return type === "credentials";
}

function trustOf({ trustHost }: AuthConfig, env: Inferred): HostTrust {
  if (trustHost === undefined || trustHost === null) return env.trustHost;
  return trustHost ? "any" : "none";
}

function secretsOf(
  given: string | readonly string[] | undefined,
  otherwise: () => readonly string[],
): readonly string[] {
  return Object.freeze(listSecrets(given) ?? [...otherwise()]);
}

function asGiven(secret: string | readonly string[] | undefined): string | readonly string[] | undefined {
  return Array.isArray(secret) ? Object.freeze([...secret]) : secret;
}

function basePathOf({ config, env, parts }: ConfigFacts): string {
  const usual = env.basePath ?? parts.basePath ?? "/auth";
  const path = String(config.basePath ?? usual).replace(/\/+$/, "");
  if (path === "") return path;
  // Percent-encoded, as the paths of requests are. What is no path is a problem, which has to be told where people look.
  return (path.startsWith("/") ? URL.parse(path, "http://localhost") : URL.parse(path))?.pathname ?? usual;
}

function providersOf({ providers, parts, ...settings }: ConfigFacts): ReadonlyMap<string, ResolvedProvider> {
  const resolved = providers.map((provider) => resolveProvider(provider, settings, parts.webauthn));
  return new Map(resolved.flatMap((provider) => provider ? [[provider.id, provider] as const] : []));
}

function callbacksOf(callbacks: Callbacks): ResolvedConfig["callbacks"] {
  // What is no function is a problem, which is reported.
  const bound = <Name extends keyof Callbacks>(name: Name): NonNullable<Callbacks[Name]> | null => {
    const given = callbacks[name];
    return typeof given === "function" ? given.bind(callbacks) as NonNullable<Callbacks[Name]> : null;
  };
  return Object.freeze({
    signIn: bound("signIn"),
    redirect: bound("redirect"),
    jwt: bound("jwt"),
    session: bound("session"),
    authorized: bound("authorized"),
  });
}

function formerSessionsOf({ session, useSecureCookies }: AuthConfig): ResolvedFormerSessions | null {
  const former = session?.migrateFrom;
  if (!former) return null;
  const specs = {
    secure: formerSpecs(useSecureCookies ?? true, former.cookies),
    plain: formerSpecs(useSecureCookies ?? false, former.cookies),
  };
  return Object.freeze({ read: former.read.bind(former), open: former.open?.bind(former) ?? null, specs });
}

function cookiesOf({ useSecureCookies, cookies = {} }: AuthConfig): ResolvedConfig["cookies"] {
  return Object.freeze({
    secure: cookieSpecs(useSecureCookies ?? true, cookies),
    plain: cookieSpecs(useSecureCookies ?? false, cookies),
  });
}
