/**
 * The configuration of each request, resolved once and remembered, and what is logged about it.
 *
 * @module
 */
import type { AuthConfig, AuthConfigSource } from "../contract/config.ts";
import { openContext, type RequestContext } from "../request/context.ts";
import { BoundedMap } from "../kernel/bounded_map.ts";
import { BadRequest, type ConfigError, type InvalidConfig } from "../kernel/errors.ts";
import { type Asked, type Incoming, requestOf } from "../http/asked.ts";
import { MAX_HEADER_LENGTH } from "../http/cookie_text.ts";
import { hostProblem, publicUrl } from "../http/origin.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Warning } from "../config/warning.ts";
import { chooseBy, isConfig } from "./choose.ts";
import { failures, setup } from "./lazy.ts";
import { isObject } from "../kernel/objects.ts";
import type { Runtime } from "../kernel/runtime.ts";
import type { KnownAnswers } from "./known_answers.ts";
import type { SessionStore } from "../session_stores/session_store.ts";

/** A resolved configuration, and what is made of it once. */
export interface Configured {
  readonly config: ResolvedConfig;
  readonly sessions: SessionStore;
  /** Answers to requests that came before; `null` if none may be kept. */
  readonly known: KnownAnswers | null;
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
  innerPath(pathname: string, config: Pick<ResolvedConfig, "basePath">): string;
}

/** The configuration of a service. */
export interface Configuration {
  /**
   * Gives that of a request. The first request resolves it.
   *
   * @throws {InvalidConfig} logged, if the configuration cannot be resolved.
   * @throws {BadRequest} if the URL of the request cannot be parsed.
   */
  of(asked: Request | Incoming): Promise<Configured>;
  /** Gives that of all requests once it has been resolved; `null` before, and if it depends on the request. */
  ready(): Configured | null;
}

/** Makes the configuration of a service. Nothing is resolved before the first request. */
export function configureFrom(source: AuthConfigSource, runtime: Runtime, mount?: Mount): Configuration {
  let ready: Configured | null = null;
  const told = toldOf(source);
  const setUpWith = (given: AuthConfig) => setup().then(({ setUp }) => setUp(given, { runtime, mount, told }));
  const choose = typeof source === "function" ? chooseBy(source, runtime, setUpWith) : null;
  let only: Promise<Configured> | null = null;

  function resolveOnce(given: AuthConfig): Promise<Configured> {
    if (only) return only;
    // Its owner may change it while parts are loaded.
    const made = setUpWith({ ...given });
    made.then((configured) => ready = configured, () => only = null); // the next request tries again
    return only = made;
  }

  async function of(asked: Request | Incoming): Promise<Configured> {
    try {
      if (typeof source !== "function" && !isConfig(source)) throw (await failures()).noConfig(source, false);
      const configured = await (choose ? choose(requestOf(asked)) : resolveOnce(source as AuthConfig));
      const { config, warn } = configured;
      if (config.trustHost === "loopback" && asked.headers.get("x-forwarded-host") !== null) warn(PROXY_IGNORED);
      return configured;
    } catch (cause) {
      throw (await failures()).configFailure(cause, asked, readUrl(asked));
    }
  }

  return { of, ready: () => ready };
}

/** What has been logged about the configurations of a service. */
export interface Told {
  /** Warnings, as lines. */
  readonly warned: Set<string>;
  /** When each problem was logged last, by its message. */
  readonly reported: BoundedMap<string, number>;
}

const tolds = new WeakMap<object, Told>();

// Those of one source are shared: in Express there is a service for each path that a router is mounted at, and visitors
// choose the path of a router at `/:tenant/auth`.
function toldOf(source: unknown): Told {
  // What is neither is refused at the first request.
  const key = isObject(source) || typeof source === "function" ? source : {};
  const told = tolds.get(key) ?? { warned: new Set(), reported: new BoundedMap(MOST_WARNINGS) };
  tolds.set(key, told);
  return told;
}

/** The most warnings that are remembered: a configuration may be new for every request. */
export const MOST_WARNINGS = 100;

const PROXY_IGNORED: Warning = [
  "proxy-unheard",
  "the headers of a proxy are ignored: set the environment variable AUTH_URL, or AUTH_TRUST_HOST=true",
];

const COOKIES_IGNORED: Warning = [
  "cookies-unread",
  `a Cookie header of more than ${MAX_HEADER_LENGTH} characters is ignored, so its visitor counts as signed out: ` +
  "set fewer or smaller cookies on this host, or give them a narrower `path` or `domain`",
];

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
    throw readUrl(asked) ? cause : new BadRequest("Cannot read the request: its URL is not valid", { cause });
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
