/**
 * The configuration with every default written in. Defaults that do not depend on other options stand in options.ts.
 *
 * @module
 */
import type {
  AuthConfig,
  Callbacks,
  Events,
  FormerSessions,
  JWTOptions,
  PagesOptions,
  SessionOptions,
} from "../contract/config.ts";
import { type Feature, isFeature, type PointName, pointsActedAt } from "../contract/feature.ts";
import { createSealer, type Sealer } from "../crypto/seal.ts";
import { listSecrets } from "../crypto/secrets.ts";
import { type CookieSpecs, cookieSpecs, type FormerSpecs, formerSpecs } from "../http/cookie_specs.ts";
import type { HostTrust } from "../http/origin.ts";
import { type Protection, readProtection } from "../http/protect.ts";
import { type Load, once } from "../kernel/load.ts";
import { createLogger, type Log } from "../kernel/logger.ts";
import type { Theme } from "../kernel/model.ts";
import { isMarker, withoutUndefined } from "../kernel/objects.ts";
import type { Runtime } from "../kernel/runtime.ts";
import { isPasswordProvider } from "../passwords/settings.ts";
import type { CheckedConfig } from "./check_config.ts";
import { ACCOUNT, OPTIONS, SESSION, THEME, TIMEOUTS } from "./options.ts";
import { type ConfigFacts, isPlain, readConfig } from "./read_config.ts";
import { resolveProvider } from "./resolve_provider.ts";
import type { ResolvedProvider } from "./resolved_provider.ts";
import type { Storage } from "../storage/guard.ts";
import type { Warning } from "./warning.ts";

export type { Warning };

/** The configuration as the service uses it: frozen, with every default written in. */
export interface ResolvedConfig extends Omit<CheckedConfig, "providers" | "ownPages"> {
  readonly runtime: Runtime;
  readonly providers: ReadonlyMap<string, ResolvedProvider>;
  /** Resolves the providers even if the service has problems, so that those of the providers are found, too. */
  readonly providersToCheck: () => ReadonlyMap<string, ResolvedProvider>;
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
  /** Whether accounts and passkeys are added only soon after a sign-in. */
  readonly freshSignIn: boolean;
  /** Which paths are for people who are signed in, if any. */
  readonly protect: Protection | null;
  readonly features: readonly Feature[];
  /** Where the features act. */
  readonly actsAt: ReadonlySet<PointName>;
  readonly callbacks: { readonly [Name in keyof Required<Callbacks>]: NonNullable<Callbacks[Name]> | null };
  readonly events: Readonly<Events>;
  readonly mail: NonNullable<AuthConfig["mail"]> | null;
  readonly pages: Readonly<PagesOptions>;
  readonly cookies: { readonly secure: CookieSpecs; readonly plain: CookieSpecs };
  readonly theme: Theme;
  readonly logger: Log;
  readonly redirectProxyOrigins: readonly string[] | null;
  /** Schemes of applications that a browser may be redirected to, without the colon. */
  readonly redirectSchemes: readonly string[];
  readonly skipCSRFCheck: boolean;
  readonly timeouts: Readonly<Record<"total" | "request" | "event" | "authorize", number>>;
}

/** Sessions of the library that was used before, and their cookies. */
export interface ResolvedFormerSessions {
  readonly read: FormerSessions["read"];
  readonly open: NonNullable<FormerSessions["open"]> | null;
  readonly specs: { readonly secure: FormerSpecs; readonly plain: FormerSpecs };
}

/** What finds mistakes. Most configurations have none. */
const rules: Load<typeof import("./check_config.ts")> = once(() => import("./check_config.ts"));

/**
 * Resolves a configuration: reads the environment, completes the providers, checks all of it, and freezes it with every
 * default. Nothing that it is given changes.
 *
 * @param usualPath The path of the service if neither `basePath` nor `AUTH_URL` names one.
 */
export async function resolveConfig(
  given: AuthConfig,
  runtime: Runtime,
  usualPath: string | undefined,
): Promise<ResolvedConfig> {
  const facts = readConfig(given, runtime.env, usualPath);
  if (isPlain(facts)) return freezeConfig(facts, withoutMistakes(facts), runtime);
  const { checkConfig, unreadyProviders } = await rules();
  return freezeConfig(facts, checkConfig(facts, await unreadyProviders(given, runtime)), runtime);
}

function withoutMistakes({ entries }: ConfigFacts): CheckedConfig {
  const providers = entries.flatMap(({ provider }) => provider ?? []);
  const found = { problems: [], warnings: [], ownPages: [] };
  return { ...found, providers, brokenProviders: new Map(), providerProblems: [], storage: null };
}

/** Writes every default into a configuration that was checked, and freezes it. */
export function freezeConfig(facts: ConfigFacts, checked: CheckedConfig, runtime: Runtime): ResolvedConfig {
  const { config, basePath, env, secrets, trustHost } = facts;
  const { session = {}, jwt = {}, timeouts = {} } = config;
  const { ownPages, ...found } = checked;
  const { problems, storage } = found;
  const jwtSecrets = secretsOf(jwt.secret, () => secrets);
  const maxAge = session.maxAge ?? SESSION.maxAge.otherwise;
  const total = timeouts.total ?? TIMEOUTS.total.otherwise;
  const features = featuresOf(config, problems);
  return Object.freeze({
    ...found,
    runtime,
    // Of a configuration with problems nothing is served, so its providers need no defaults.
    providers: problems.length > 0 ? new Map() : providersOf(checked, facts),
    providersToCheck: () => providersOf(checked, facts),
    basePath,
    origin: env.origin,
    trustHost,
    secrets,
    sealer: createSealer(jwtSecrets, runtime),
    session: Object.freeze({
      strategy: session.strategy ?? (config.adapter ? "database" : "jwt"),
      maxAge,
      updateAge: session.updateAge ?? SESSION.updateAge.otherwise,
      generateSessionToken: session.generateSessionToken ?? null,
      revalidate: revalidationOf(session, storage),
      storesEverybody: ![...checked.providers, ...checked.brokenProviders.values()].some(letsInOthers),
      cache: session.cache?.seconds ?? 0,
      migrateFrom: problems.length > 0 ? null : formerSessionsOf(config),
    }),
    jwt: Object.freeze({
      secrets: jwtSecrets,
      secret: asGiven(jwt.secret ?? config.secret) ?? jwtSecrets,
      maxAge: jwt.maxAge ?? maxAge,
      encode: jwt.encode ?? null,
      decode: jwt.decode ?? null,
    }),
    sealsTokens: (config.account?.tokens ?? ACCOUNT.tokens.otherwise) === "sealed",
    freshSignIn: config.account?.freshSignIn ??
      (asksForFreshSignIn(features, checked) || ACCOUNT.freshSignIn.otherwise),
    protect: readProtection(config.protect),
    ...withFeatures(features),
    callbacks: callbacksOf(config.callbacks ?? {}),
    events: config.events ?? {},
    mail: typeof config.mail === "function" ? config.mail.bind(config) : null,
    pages: Object.freeze(without(ownPages, { ...config.pages })),
    cookies: cookiesOf(config),
    theme: themeOf(config.theme ?? {}),
    logger: createLogger({ logger: config.logger, debug: config.debug }),
    redirectProxyOrigins: config.redirectProxyOrigins ?? null,
    redirectSchemes: Object.freeze(
      problems.length > 0 ? [] : [...config.redirectSchemes ?? OPTIONS.redirectSchemes.otherwise],
    ),
    skipCSRFCheck: isMarker(config.skipCSRFCheck, "skip-csrf-check"),
    timeouts: Object.freeze({
      total,
      request: timeouts.request ?? TIMEOUTS.request.otherwise,
      event: timeouts.event ?? total,
      authorize: timeouts.authorize ?? TIMEOUTS.authorize.otherwise,
    }),
  });
}

/** Ids of the features whose pages ask for a fresh sign-in. */
const ASKING: ReadonlySet<string> = new Set(["account", "second-factor"]);

// With an account of their own, somebody with an old session would sign in anew, and do whatever a page asks that for.
function asksForFreshSignIn(features: readonly Feature[], { providers }: Pick<CheckedConfig, "providers">): boolean {
  return features.some(({ id }) => ASKING.has(id)) || providers.some(isPasswordProvider);
}

/** The members of a configuration that its features make. */
export function withFeatures(features: readonly Feature[]): Pick<ResolvedConfig, "features" | "actsAt"> {
  return { features: Object.freeze([...features]), actsAt: pointsActedAt(features) };
}

/** All members, so that the code of an email can read them without asking. */
const EMPTY_THEME: Theme = { colorScheme: THEME.colorScheme.otherwise, logo: "", brandColor: "", buttonText: "" };

// With a configuration that is wrong, only what tells what is wrong.
function featuresOf({ features = OPTIONS.features.otherwise }: AuthConfig, problems: readonly unknown[]): Feature[] {
  if (problems.length === 0) return [...features];
  return Array.isArray(features) ? features.filter((each) => isFeature(each) && each.id === "doctor") : [];
}

// The code of an email gets it, and must not change it for others.
function themeOf(theme: Theme): Theme {
  const links = theme.links && Object.freeze({ ...theme.links });
  return Object.freeze({ ...EMPTY_THEME, ...withoutUndefined({ ...theme, links }) });
}

/** Seconds after which a sealed session is looked up again, where the adapter can end it. */
const REVALIDATION = 60;

function revalidationOf({ strategy, revalidate }: SessionOptions, storage: Storage | null): number {
  const canEnd = strategy === "jwt" && storage?.lacks("endings").length === 0;
  return canEnd && (revalidate ?? REVALIDATION) || 0;
}

// Whoever has a password is stored.
function letsInOthers(provider: { readonly type: string }): boolean {
  return provider.type === "credentials" && !isPasswordProvider(provider);
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

function without(names: readonly (keyof PagesOptions)[], pages: PagesOptions): PagesOptions {
  for (const name of names) delete pages[name];
  return pages;
}

function providersOf({ providers }: CheckedConfig, facts: ConfigFacts): ReadonlyMap<string, ResolvedProvider> {
  return new Map(providers.map((provider) => [provider.id, resolveProvider(provider, facts)]));
}

function callbacksOf(callbacks: Callbacks): ResolvedConfig["callbacks"] {
  // Anything that is not a function is a problem, which is reported.
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
