/**
 * The service without a face: requests in, settled values out.
 *
 * @module
 */
import type { AuthConfig, AuthConfigSource } from "../contract/config.ts";
import { type ConnectionInfo, openContext, type RequestContext } from "../request/context.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { ERROR_ROUTES, type ErrorRoute } from "../request/error_routes.ts";
import {
  AuthError,
  BadRequest,
  CallbackRouteError,
  type ConfigError,
  InvalidConfig,
  Timeout,
} from "../kernel/errors.ts";
import { MAX_HEADER_LENGTH, type SetCookie } from "../http/cookie_text.ts";
import { publicUrl } from "../http/origin.ts";
import { readQuery } from "../http/query.ts";
import { pageUrl } from "../request/links.ts";
import { BROKEN, misconfigured, problemsOf } from "./misconfigured.ts";
import { json, notFound, type Outcome, redirectTo, refused } from "../request/outcome.ts";
import type { ResolvedProvider } from "../config/resolved_provider.ts";
import { resolveConfig, type ResolvedConfig, type Warning } from "../config/resolve.ts";
import { type Answer, UNCONFIGURED } from "./respond.ts";
import { parseRoute } from "../kernel/route_path.ts";
import { findRoute, flows, type Route } from "./routes.ts";
import { type Runtime, systemRuntime } from "../kernel/runtime.ts";
import { createDatabaseStore } from "../stores/database_store.ts";
import { createJwtStore } from "../stores/jwt_store.ts";
import type { SessionStore } from "../stores/session_store.ts";

/** A value, and the cookies that must reach the browser with it. */
export interface Settled<T> {
  /** What was asked for. */
  readonly value: T;
  /** Cookies to set on the response, whatever it is. */
  readonly cookies: readonly SetCookie[];
}

/** The service, as its faces use it. */
export interface Engine {
  /** Answers a request below `basePath`. Never throws; `error` is what the answer reports. */
  run(request: Request, info?: ConnectionInfo): Promise<EngineAnswer>;
  /**
   * Runs something for a request and gathers its cookies, within the total deadline.
   *
   * @throws {AuthError} if it fails; the log has been told.
   */
  settle<T>(request: Request, act: (ctx: RequestContext) => Promise<T>): Promise<Settled<T>>;
}

/** An answer, and the error it reports. */
export type EngineAnswer = Answer & { readonly error?: AuthError };

interface Ready {
  readonly config: ResolvedConfig;
  readonly sessions: SessionStore;
  /** Tells the log of something, once. */
  readonly warn: (warning: Warning) => void;
}

/** Makes the service. Nothing is resolved before the first request. */
export function createEngine(source: AuthConfigSource, runtime: Runtime = systemRuntime): Engine {
  const known = new WeakMap<AuthConfig, Ready>();
  const warned = new Set<string>();

  function prepare(config: AuthConfig): Ready {
    const found = known.get(config);
    if (found) return found;
    const resolved = resolveConfig(config, runtime);
    const { logger } = resolved;
    const warn = (warning: Warning) => warnOnce({ warnings: [warning], logger }, warned);
    const made = { config: resolved, sessions: sessionStoreOf(resolved), warn };
    known.set(config, made);
    warnOnce(resolved, warned);
    return made;
  }

  async function settle<T>(request: Request, act: (ctx: RequestContext) => Promise<T>): Promise<Settled<T>> {
    const ready = await configure(request);
    const { config } = ready;
    const ctx = contextOf(request, ready);
    try {
      const [problem] = problemsOf(config, ctx.url);
      if (problem) throw again(problem);
      const value = await withDeadline(runtime, config.timeouts.total, "the answer", () => act(ctx));
      return { value, cookies: ctx.cookies.close() };
    } catch (thrown) {
      ctx.cookies.close();
      const error = asAuthError(thrown);
      config.logger.error(error);
      throw error;
    }
  }

  // Without a configuration there is no logger either: the console hears of it.
  async function configure(request: Request): Promise<Ready> {
    try {
      const ready = typeof source !== "function"
        ? prepare(source)
        : prepare(await withDeadline(runtime, CONFIG_DEADLINE, "the configuration", () => source(request)));
      if (ready.config.trustHost === "loopback" && request.headers.has("x-forwarded-host")) ready.warn(PROXY_UNHEARD);
      return ready;
    } catch (cause) {
      if (readUrl(request) === null) throw new BadRequest(NO_URL, { cause });
      const error = new InvalidConfig("Cannot read the configuration: making it failed", { cause });
      UNCONFIGURED.logger.error(error);
      throw error;
    }
  }

  async function run(request: Request, info?: ConnectionInfo): Promise<EngineAnswer> {
    try {
      return await answer(request, await configure(request), info);
    } catch (thrown) {
      // Only the configuration fails out here, and a URL that is none.
      const error = asAuthError(thrown);
      const outcome = error instanceof BadRequest ? refused(400, "Bad request") : json(BROKEN, 500);
      return { ...faceOf(request, readUrl(request)), config: UNCONFIGURED, outcome, cookies: [], error };
    }
  }

  return { run, settle };
}

function sessionStoreOf(config: ResolvedConfig): SessionStore {
  const { storage, session } = config;
  return storage && session.strategy === "database" ? createDatabaseStore(config, storage) : createJwtStore(config);
}

/** Seconds that a configuration function may take: its own `timeouts` are not known before it has answered. */
const CONFIG_DEADLINE = 10;

// A set that cannot grow without end: a configuration that is new for every request repeats its warnings.
function warnOnce({ warnings, logger }: Pick<ResolvedConfig, "warnings" | "logger">, warned: Set<string>): void {
  for (const [code, message] of warnings) {
    if (warned.size > 100 || warned.has(message)) continue;
    warned.add(message);
    logger.warn(code, message);
  }
}

const PROXY_UNHEARD: Warning = [
  "proxy-unheard",
  "the headers of a proxy are not believed: set the environment variable AUTH_URL, or AUTH_TRUST_HOST=true",
];

const COOKIES_UNREAD: Warning = [
  "cookies-unread",
  `a Cookie header of more than ${MAX_HEADER_LENGTH} characters is read as none, so its visitor counts as signed out: ` +
  "set fewer or smaller cookies on this host, or give them a narrower `path` or `domain`",
];

const NO_URL = "Cannot read request: its URL is none";

function contextOf(request: Request, { config, sessions, warn }: Ready, info?: ConnectionInfo): RequestContext {
  try {
    const ctx = openContext(request, publicUrl(request, config), { config, sessions, info });
    if (ctx.cookies.oversized) warn(COOKIES_UNREAD);
    return ctx;
  } catch (cause) {
    throw readUrl(request) ? cause : new BadRequest(NO_URL, { cause });
  }
}

/** The URL of a request; `null` where the server made none of what the client has sent: no host, or a wrong one. */
export function readUrl(request: Request): URL | null {
  try {
    return new URL(request.url);
  } catch {
    return null;
  }
}

// Whoever catches an error may write on it, so one that is remembered is not given away itself.
function again(problem: ConfigError): ConfigError {
  const Again = problem.constructor as new (message: string, options: { cause: unknown }) => ConfigError;
  return new Again(problem.message, { cause: problem.cause });
}

function faceOf(request: Request, url: URL | null): Pick<Answer, "https" | "head" | "tellRedirect"> {
  return {
    https: url?.protocol === "https:",
    head: request.method === "HEAD",
    tellRedirect: request.headers.has("x-auth-return-redirect"),
  };
}

async function answer(
  request: Request,
  ready: Ready,
  info: ConnectionInfo | undefined,
): Promise<EngineAnswer> {
  const { config } = ready;
  const { runtime, timeouts, providers } = config;
  const ctx = contextOf(request, ready, info);
  const common = { ...faceOf(request, ctx.url), config };
  const path = parseRoute(ctx.url.pathname, config.basePath);
  if (!path) return { ...common, outcome: notFound(), cookies: [] };
  const problems = problemsOf(config, ctx.url);
  const [problem] = problems;
  if (problem) {
    return { ...common, outcome: await misconfigured(ctx, path, problems), cookies: [], error: again(problem) };
  }
  const match = findRoute(request.method, path, providers);
  if (match.kind === "not-found") return { ...common, outcome: notFound(), cookies: [] };
  if (match.kind === "wrong-method") {
    return { ...common, outcome: refused(405, "Method not allowed", match.allow), cookies: [] };
  }
  const reading: BodyReading = { stop: null };
  try {
    const { route, provider } = match;
    const run = () => dispatch(ctx, { route, provider, reading });
    const outcome = await (route.instant(config) ? run() : withDeadline(runtime, timeouts.total, "the answer", run));
    config.logger.debug(`${request.method} ${path.action}`, { provider: path.provider, answer: outcome.kind });
    return { ...common, outcome, cookies: ctx.cookies.close() };
  } catch (thrown) {
    const error = asAuthError(thrown);
    // That a client is slow is no failure of ours.
    if (reading.stop && error instanceof Timeout) {
      reading.stop();
      return { ...common, outcome: refused(408, "Body takes too long"), cookies: ctx.cookies.close(), error };
    }
    config.logger.error(error);
    return { ...common, outcome: failed(ctx, match.route, error), cookies: ctx.cookies.close(), error };
  }
}

/** Stops the reading of the body, while it is what the answer waits for. */
interface BodyReading {
  stop: (() => void) | null;
}

interface Dispatch {
  readonly route: Route;
  readonly provider: ResolvedProvider | null;
  readonly reading: BodyReading;
}

async function dispatch(ctx: RequestContext, { route, provider, reading }: Dispatch): Promise<Outcome> {
  const query = readQuery(ctx.url, route.readsAll ? "all" : route.query);
  if (!query) return refused(400, "The query is too long");
  if (route.query.some((name) => query.getAll(name).length > 1)) return refused(400, "A parameter is repeated");
  if (ctx.request.method !== "POST") return await route.run(ctx, { provider, query, fields: {} });
  const { readForm } = await flows();
  const late = new AbortController();
  reading.stop = () => late.abort();
  const form = await readForm(ctx, route, late.signal);
  reading.stop = null;
  return form.kind === "refused" ? form.outcome : await route.run(ctx, { provider, query, fields: form.fields });
}

function asAuthError(thrown: unknown): AuthError {
  return thrown instanceof AuthError
    ? thrown
    : new CallbackRouteError("Cannot answer: something failed unexpectedly", { cause: thrown });
}

function failed(ctx: RequestContext, route: Route, error: AuthError): Outcome {
  const { page, query, status } = routeOf(error);
  if (error.type === "BadRequest") return refused(400, error.message);
  if (route.errors === "page") return redirectTo(pageUrl(ctx, page, { error: query, code: codeOf(error) }));
  // Browser clients of this family expect this answer of a session that could not be changed.
  if (ctx.request.method === "POST") return json(null, 400);
  return status === 503 ? refused(503, "Try again later") : json(BROKEN, 500);
}

// An application may extend our errors and name a type that the table does not have.
function routeOf({ type }: AuthError): ErrorRoute {
  return Object.hasOwn(ERROR_ROUTES, type) ? ERROR_ROUTES[type] : ERROR_ROUTES.AuthError;
}

function codeOf(error: AuthError): string | null {
  if (error.type !== "CredentialsSignin") return null;
  const { code } = error as AuthError & { readonly code?: unknown };
  return typeof code === "string" && /^[\w-]{1,64}$/.test(code) ? code : "credentials";
}
