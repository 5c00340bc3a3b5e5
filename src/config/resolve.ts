/**
 * The configuration with every default written in: the only place where one is chosen.
 *
 * @module
 */
import { configProblems } from "./check_config.ts";
import { proxyWarnings } from "./check_proxy.ts";
import { webauthnWarnings } from "./check_webauthn.ts";
import type { AuthConfig, Callbacks, Events, JWTOptions, PagesOptions } from "../contract/config.ts";
import { createSealer, type Sealer } from "../crypto/seal.ts";
import { listSecrets } from "../crypto/secrets.ts";
import { inferFromEnv, type Inferred } from "./env.ts";
import type { ConfigError } from "../kernel/errors.ts";
import { type CookieSpecs, cookieSpecs } from "../http/cookie_specs.ts";
import type { HostTrust } from "../http/origin.ts";
import { type Protection, readProtection } from "../http/protect.ts";
import { createLogger, type Logger } from "../kernel/logger.ts";
import type { Theme } from "../kernel/model.ts";
import type { ResolvedProvider } from "./resolved_provider.ts";
import {
  areNone,
  type MergedProvider,
  mergeProvider,
  resolveCredentials,
  resolveEmail,
  resolveOAuth,
} from "./resolve_provider.ts";
import { resolveWebAuthn } from "./resolve_webauthn.ts";
import type { Runtime } from "../kernel/runtime.ts";
import { guardAdapter, type Storage } from "./storage.ts";

/** The configuration as the service uses it: frozen, nothing left open. */
export interface ResolvedConfig {
  readonly runtime: Runtime;
  readonly providers: ReadonlyMap<string, ResolvedProvider>;
  /** Where records are kept, if there is an adapter. */
  readonly storage: Storage | null;
  /** Empty, or a path without a slash at its end. */
  readonly basePath: string;
  /** The configured origin. */
  readonly origin: string | null;
  readonly trustHost: HostTrust;
  /** Secrets of CSRF tokens, newest first. */
  readonly secrets: readonly string[];
  /** Seals session tokens and flows. */
  readonly sealer: Sealer;
  readonly session: {
    readonly strategy: "jwt" | "database";
    readonly maxAge: number;
    readonly updateAge: number;
    readonly generateSessionToken: (() => string) | null;
  };
  readonly jwt: {
    readonly secrets: readonly string[];
    readonly maxAge: number;
    readonly encode: NonNullable<JWTOptions["encode"]> | null;
    readonly decode: NonNullable<JWTOptions["decode"]> | null;
  };
  /** Which paths are for people who are signed in, if any. */
  readonly protect: Protection | null;
  readonly callbacks: { readonly [Name in keyof Required<Callbacks>]: NonNullable<Callbacks[Name]> | null };
  readonly events: Readonly<Events>;
  readonly pages: Readonly<PagesOptions>;
  readonly cookies: { readonly secure: CookieSpecs; readonly plain: CookieSpecs };
  readonly theme: Theme;
  readonly logger: Logger;
  readonly redirectProxyOrigins: readonly string[] | null;
  readonly skipCSRFCheck: boolean;
  readonly timeouts: { readonly total: number; readonly request: number; readonly event: number };
  /** What is wrong; with anything here no request is served. */
  readonly problems: readonly ConfigError[];
  /** What should be looked at, for the log. */
  readonly warnings: readonly Warning[];
}

/** A warning, by its code and in words. */
export type Warning = readonly [code: string, message: string];

const THIRTY_DAYS = 30 * 24 * 60 * 60;
const ONE_DAY = 24 * 60 * 60;

/** Resolves a configuration. Reads the environment; changes nothing. */
export function resolveConfig(config: AuthConfig, runtime: Runtime): ResolvedConfig {
  const env = inferFromEnv(runtime.env);
  const complete = (config.providers ?? []).map((input) => mergeProvider(input, runtime.env));
  const secrets = secretsOf(config.secret, env.secret);
  const jwtSecrets = secretsOf(config.jwt?.secret, secrets);
  const trustHost = trustOf(config, env);
  const maxAge = config.session?.maxAge ?? THIRTY_DAYS;
  const proxyUrl = config.redirectProxyUrl ?? env.redirectProxyUrl;
  const problems = configProblems({
    config,
    providers: complete,
    secrets,
    trustHost,
    proxyUrl,
    urlProblem: env.problem,
  });
  return Object.freeze({
    runtime,
    providers: problems.length > 0 ? new Map() : resolveProviders(complete, { proxyUrl, secrets }),
    storage: config.adapter ? guardAdapter(config.adapter) : null,
    basePath: basePathOf(config, env),
    origin: env.origin,
    trustHost,
    secrets,
    sealer: sealerFor(jwtSecrets, runtime),
    session: Object.freeze({
      strategy: config.session?.strategy ?? (config.adapter ? "database" : "jwt"),
      maxAge,
      updateAge: config.session?.updateAge ?? ONE_DAY,
      generateSessionToken: config.session?.generateSessionToken ?? null,
    }),
    jwt: Object.freeze({
      secrets: jwtSecrets,
      maxAge: config.jwt?.maxAge ?? maxAge,
      encode: config.jwt?.encode ?? null,
      decode: config.jwt?.decode ?? null,
    }),
    protect: readProtection(config.protect),
    callbacks: callbacksOf(config.callbacks ?? {}),
    events: config.events ?? {},
    pages: Object.freeze({ ...config.pages }),
    cookies: cookiesOf(config),
    theme: Object.freeze({ ...config.theme }),
    logger: createLogger({ logger: config.logger, debug: config.debug }),
    redirectProxyOrigins: config.redirectProxyOrigins ?? null,
    skipCSRFCheck: isMarker(config.skipCSRFCheck, "skip-csrf-check"),
    timeouts: Object.freeze({
      total: config.timeouts?.total ?? 10,
      request: config.timeouts?.request ?? 5,
      event: config.timeouts?.event ?? 1,
    }),
    problems,
    warnings: warningsOf(config, env, complete, secrets),
  });
}

function trustOf({ trustHost }: AuthConfig, env: Inferred): HostTrust {
  if (trustHost === undefined || trustHost === null) return env.trustHost;
  return trustHost ? "any" : "none";
}

function secretsOf(given: string | readonly string[] | undefined, otherwise: readonly string[]): readonly string[] {
  return Object.freeze(listSecrets(given) ?? [...otherwise]);
}

// A configuration chosen for each request is a new object each time: what was opened must be found by secret.
const sealers = new WeakMap<Runtime, Map<string, Sealer>>();

function sealerFor(secrets: readonly string[], runtime: Runtime): Sealer {
  const known = sealers.get(runtime) ?? new Map<string, Sealer>();
  sealers.set(runtime, known);
  const name = JSON.stringify(secrets);
  const sealer = known.get(name) ?? createSealer(secrets, runtime);
  if (!known.has(name) && known.size >= 64) known.clear();
  known.set(name, sealer);
  return sealer;
}

function basePathOf(config: AuthConfig, env: Inferred): string {
  const path = (config.basePath ?? env.basePath ?? "/auth").replace(/\/+$/, "");
  // Percent-encoded, as the paths of requests are. What cannot be a path is told by the check of the configuration.
  return path.startsWith("/") && URL.canParse(path, "http://localhost")
    ? new URL(path, "http://localhost").pathname
    : path;
}

function resolveProviders(
  complete: readonly MergedProvider[],
  { proxyUrl, secrets }: { readonly proxyUrl: string | undefined; readonly secrets: readonly string[] },
): ReadonlyMap<string, ResolvedProvider> {
  const providers = new Map<string, ResolvedProvider>();
  for (const provider of complete) {
    if (provider.type === "email") providers.set(provider.id, resolveEmail(provider, secrets));
    if (provider.type === "credentials") providers.set(provider.id, resolveCredentials(provider));
    if (provider.type === "webauthn") providers.set(provider.id, resolveWebAuthn(provider));
    if (provider.type === "oauth" || provider.type === "oidc") {
      providers.set(provider.id, resolveOAuth(provider, proxyUrl));
    }
  }
  return providers;
}

function callbacksOf(callbacks: Callbacks): ResolvedConfig["callbacks"] {
  return Object.freeze({
    signIn: callbacks.signIn?.bind(callbacks) ?? null,
    redirect: callbacks.redirect?.bind(callbacks) ?? null,
    jwt: callbacks.jwt?.bind(callbacks) ?? null,
    session: callbacks.session?.bind(callbacks) ?? null,
    authorized: callbacks.authorized?.bind(callbacks) ?? null,
  });
}

function cookiesOf({ useSecureCookies, cookies = {} }: AuthConfig): ResolvedConfig["cookies"] {
  return Object.freeze({
    secure: cookieSpecs(useSecureCookies ?? true, cookies),
    plain: cookieSpecs(useSecureCookies ?? false, cookies),
  });
}

function isMarker(value: unknown, description: string): boolean {
  return typeof value === "symbol" && value.description === description;
}

function warningsOf(
  config: AuthConfig,
  env: Inferred,
  providers: readonly MergedProvider[],
  secrets: readonly string[],
): readonly Warning[] {
  const warnings: Warning[] = [];
  if (config.debug) warnings.push(["debug-enabled", "`debug` prints what happens inside: not for production"]);
  if (secrets.some((secret) => secret.length < 32)) {
    warnings.push([
      "weak-secret",
      "`secret` has fewer than 32 characters: make a random one, e.g. openssl rand -base64 33",
    ]);
  }
  if (isMarker(config.skipCSRFCheck, "skip-csrf-check")) {
    warnings.push(["csrf-disabled", "`skipCSRFCheck` is set: the framework around the service must check CSRF"]);
  }
  if (env.basePath && config.basePath) {
    const same = env.basePath === config.basePath.replace(/\/+$/, "");
    const code = same ? "env-url-basepath-redundant" : "env-url-basepath-mismatch";
    warnings.push([code, "`basePath` is set and AUTH_URL has a path too: `basePath` is used"]);
  }
  warnings.push(...webauthnWarnings(config, providers), ...proxyWarnings(config, env));
  const { adapter } = config;
  if (adapter && typeof adapter.commit !== "function" && typeof adapter.createUser === "function") {
    warnings.push([
      "adapter-without-commit",
      "`adapter` has no `commit`: a sign-in that breaks off half-way is finished only by the next one of the same person, " +
      "and whoever proves a mailbox does not end the sessions of others",
    ]);
  }
  for (const provider of providers) {
    if ("allowDangerousEmailAccountLinking" in provider && provider.allowDangerousEmailAccountLinking) {
      warnings.push([
        "email-linking",
        `provider "${provider.id}" links by address: whoever has an address there becomes the user who has it here`,
      ]);
    }
    // Checks that are no list are among the problems.
    if ("checks" in provider && Array.isArray(provider.checks) && areNone(provider.checks)) {
      warnings.push(["no-checks", `provider "${provider.id}" has no checks: its answers are not bound to a browser`]);
    }
  }
  return Object.freeze(warnings);
}
