/**
 * The configuration of each request, resolved once and remembered, and what is logged about it.
 *
 * @module
 */
import type { AuthConfig, AuthConfigSource } from "../contract/config.ts";
import { openContext, type RequestContext } from "../request/context.ts";
import { BoundedMap } from "../kernel/bounded_map.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { BadRequest, type ConfigError, InvalidConfig } from "../kernel/errors.ts";
import { isObject } from "../kernel/objects.ts";
import { isThenable, kindOf } from "../kernel/shown.ts";
import { type Asked, type Incoming, requestOf } from "../http/asked.ts";
import { MAX_HEADER_LENGTH } from "../http/cookie_text.ts";
import { hostProblem, publicUrl } from "../http/origin.ts";
import { mayHaveClients, mayHavePasskeys } from "../config/parts.ts";
import { resolveConfig, type ResolvedConfig, type ResolvingParts, type Warning } from "../config/resolve.ts";
import { clientChecks, formerSessions, mistakes, stores, webauthnConfig } from "./lazy.ts";
import { NO_CONFIG } from "./respond.ts";
import type { Runtime } from "../kernel/runtime.ts";
import { createJwtStore } from "../stores/jwt_store.ts";
import type { SessionStore } from "../stores/session_store.ts";

/** A resolved configuration, and what is made of it once. */
export interface Configured {
  readonly config: ResolvedConfig;
  readonly sessions: SessionStore;
  /** Logs a warning, unless the log has it already, or has `most` of the same code. */
  readonly warn: (warning: Warning, most?: number) => void;
  /** Logs what is wrong for a request: each problem once, and again after a minute if it is still there. */
  readonly report: (problems: readonly ConfigError[], subject: RequestContext) => void;
}

/** How a framework mounts the service. */
export interface Mount {
  /** The path of the service if neither `basePath` nor `AUTH_URL` names one. */
  readonly basePath: string;
  /**
   * Adds the prefix that the framework, or a proxy, has taken off the path of a URL.
   *
   * @param config Its `basePath` is the path of the service, as visitors reach it.
   */
  publicUrl(url: URL, config: Pick<ResolvedConfig, "basePath">): URL;
  /** Takes the prefix off: the path as the routes of the application have it. */
  innerPath(url: URL, config: Pick<ResolvedConfig, "basePath">): string;
}

/**
 * Makes a function that resolves the configuration of a request. Nothing is resolved before the first request.
 *
 * The function throws `InvalidConfig`, logged, if the configuration cannot be resolved, and `BadRequest` if the URL of the
 * request cannot be parsed.
 */
export function configureFrom(
  source: AuthConfigSource,
  runtime: Runtime,
  mount?: Mount,
): (asked: Request | Incoming) => Promise<Configured> {
  const known = new WeakMap<AuthConfig, Promise<Configured>>();
  const warned = new Set<string>();
  const reported = new BoundedMap<string, number>(MOST_WARNINGS);

  async function resolve(current: AuthConfig): Promise<Configured> {
    // Its owner may change it while parts are loaded.
    const given = { ...current };
    const config = resolveConfig(given, runtime, await partsFor(given, runtime, mount));
    const warn = (warning: Warning, most?: number) => warnOnce(warning, { logger: config.logger, warned, most });
    for (const warning of config.warnings) warn(warning);
    const report: Configured["report"] = (problems, subject) => {
      for (const problem of problems) {
        const last = reported.get(problem.message);
        if (last !== undefined && runtime.now() - last < REMINDER) continue;
        reported.set(problem.message, runtime.now());
        config.logger.error(problem, subject);
      }
    };
    return { config, sessions: await sessionStoreOf(config), warn, report };
  }

  function resolveOnce(given: AuthConfig): Promise<Configured> {
    const found = known.get(given);
    if (found) return found;
    const made = resolve(given);
    made.catch(() => known.delete(given)); // the next request tries again
    known.set(given, made);
    return made;
  }

  return async function configure(asked) {
    try {
      const given = typeof source === "function"
        ? await withDeadline(runtime, CONFIG_DEADLINE, "the configuration", () => source(requestOf(asked)))
        : source;
      if (!isObject(given) || isThenable(given)) throw noConfig(given, typeof source === "function");
      const configured = await resolveOnce(given);
      const { config, warn } = configured;
      if (config.trustHost === "loopback" && asked.headers.get("x-forwarded-host") !== null) warn(PROXY_IGNORED);
      return configured;
    } catch (cause) {
      const url = readUrl(asked);
      if (url === null) throw new BadRequest(INVALID_URL, { cause });
      const error = cause instanceof InvalidConfig && cause.logCode === "config-missing"
        ? cause
        : new InvalidConfig("Cannot resolve the configuration", { cause, logCode: "config-unresolved" });
      NO_CONFIG.logger.error(error, { request: requestOf(asked), url, config: { basePath: "" } });
      throw error;
    }
  };
}

function noConfig(given: unknown, isChosen: boolean): InvalidConfig {
  const remedy = isThenable(given)
    ? "`await` it"
    : isChosen
    ? "return one from the function"
    : "call `createAuth({ providers: [github()] })`, for example";
  return new InvalidConfig(`Cannot use the configuration: it must be an object, not ${kindOf(given)}; ${remedy}`, {
    logCode: "config-missing",
  });
}

/** Seconds that a configuration function may take: its `timeouts` are not known before it returns. */
const CONFIG_DEADLINE = 10;

/** The most warnings that are remembered: a configuration may be new for every request. */
const MOST_WARNINGS = 100;

/** Milliseconds after which a problem that is still there is logged again. */
const REMINDER = 60_000;

interface WarningLog extends Pick<ResolvedConfig, "logger"> {
  readonly warned: Set<string>;
  readonly most?: number | undefined;
}

function warnOnce([code, message]: Warning, { logger, warned, most = MOST_WARNINGS }: WarningLog): void {
  const line = `${code}: ${message}`;
  if (warned.has(line) || warned.size > MOST_WARNINGS) return;
  if ([...warned].filter((known) => known.startsWith(`${code}: `)).length >= most) return;
  warned.add(line);
  logger.warn(code, message);
}

const PROXY_IGNORED: Warning = [
  "proxy-unheard",
  "the headers of a proxy are ignored: set the environment variable AUTH_URL, or AUTH_TRUST_HOST=true",
];

const COOKIES_IGNORED: Warning = [
  "cookies-unread",
  `a Cookie header of more than ${MAX_HEADER_LENGTH} characters is ignored, so its visitor counts as signed out: ` +
  "set fewer or smaller cookies on this host, or give them a narrower `path` or `domain`",
];

const INVALID_URL = "Cannot read the request: its URL is not valid";

async function partsFor(
  given: AuthConfig,
  runtime: Runtime,
  mount: Mount | undefined,
): Promise<ResolvingParts> {
  const loads = [
    given.adapter ? stores() : null,
    mayHaveClients(given) ? clientChecks() : null,
    mayHavePasskeys(given) ? webauthnConfig() : null,
    mistakes(),
  ] as const;
  const [rows, clients, webauthn, found] = await Promise.all(loads);
  return {
    basePath: mount?.basePath,
    guardAdapter: rows && rows.guardAdapter,
    clientProblems: clients && clients.clientProblems,
    webauthn,
    mistakes: found,
    unready: await found.unreadyProviders(given, runtime),
  };
}

async function sessionStoreOf(config: ResolvedConfig): Promise<SessionStore> {
  const { storage, session: { strategy, revalidate, migrateFrom } } = config;
  const rows = storage && revalidate ? (await stores()).createSealedRows(config, storage) : null;
  const own = storage && strategy === "database"
    ? (await stores()).createDatabaseStore(config, storage)
    : createJwtStore(config, rows);
  return migrateFrom ? (await formerSessions()).createFormerStore(config, migrateFrom, own, rows) : own;
}

/**
 * Opens the context of a request.
 *
 * @throws {BadRequest} if the URL of the request cannot be parsed.
 */
export function contextOf(
  asked: Request | Incoming,
  { config, sessions, warn }: Configured,
  mount?: Mount,
): RequestContext {
  try {
    const url = publicUrl(asked, config);
    const ctx = openContext(asked, mount?.publicUrl(url, config) ?? url, { config, sessions, warn });
    if (ctx.cookies.oversized) warn(COOKIES_IGNORED);
    return ctx;
  } catch (cause) {
    throw readUrl(asked) ? cause : new BadRequest(INVALID_URL, { cause });
  }
}

/** Reads the URL of a request; `null` where a server passed on a URL that cannot be parsed, such as one without a host. */
export function readUrl(request: Pick<Asked, "url">): URL | null {
  try {
    return new URL(request.url);
  } catch {
    return null;
  }
}

/** Lists what is wrong for one request: the problems of the configuration, or else the host that cannot be trusted. */
export function problemsOf({ config, url }: Pick<RequestContext, "config" | "url">): readonly ConfigError[] {
  const untrusted = config.problems.length === 0 ? hostProblem(url, config) : null;
  return untrusted ? [untrusted] : config.problems;
}

/** Copies a remembered error of the configuration, so that a caller who catches it cannot change it for the next one. */
export function copyOf(problem: ConfigError): ConfigError {
  const Same = problem.constructor as new (...given: ConstructorParameters<typeof InvalidConfig>) => ConfigError;
  return new Same(problem.message, { cause: problem.cause, logCode: problem.logCode });
}
