/**
 * The service without a face: requests in, settled values out.
 *
 * @module
 */
import type { AuthConfig, AuthConfigSource } from "./config.ts";
import { type ConnectionInfo, openContext, type RequestContext } from "./context.ts";
import { within } from "./deadline.ts";
import { ERROR_ROUTES, type ErrorRoute } from "./error_routes.ts";
import { AuthError, CallbackRouteError, type ConfigError, ErrorPageLoop, InvalidConfig } from "./errors.ts";
import type { SetCookie } from "./http/cookie_text.ts";
import { publicUrl } from "./http/origin.ts";
import { readQuery } from "./http/query.ts";
import { pageUrl } from "./links.ts";
import { json, notFound, type Outcome, redirectTo, refused } from "./outcome.ts";
import type { ResolvedProvider } from "./resolved_provider.ts";
import { resolveConfig, type ResolvedConfig } from "./resolve.ts";
import { type Answer, UNCONFIGURED } from "./respond.ts";
import { parseRoute, type RoutePath } from "./route_path.ts";
import { findRoute, flows, type Route } from "./routes.ts";
import { type Runtime, systemRuntime } from "./runtime.ts";
import { createDatabaseStore } from "./stores/database_store.ts";
import { createJwtStore } from "./stores/jwt_store.ts";
import type { SessionStore } from "./stores/session_store.ts";

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
}

/** Makes the service. Nothing is resolved before the first request. */
export function createEngine(source: AuthConfigSource, runtime: Runtime = systemRuntime): Engine {
  const known = new WeakMap<AuthConfig, Ready>();
  const warned = new Set<string>();

  function prepare(config: AuthConfig): Ready {
    const found = known.get(config);
    if (found) return found;
    const resolved = resolveConfig(config, runtime);
    const made = { config: resolved, sessions: sessionStoreOf(resolved) };
    known.set(config, made);
    warnOnce(resolved, warned);
    return made;
  }

  async function settle<T>(request: Request, act: (ctx: RequestContext) => Promise<T>): Promise<Settled<T>> {
    const { config, sessions } = await configure(request);
    const ctx = openContext(request, publicUrl(request, config), { config, sessions });
    try {
      if (config.problems[0]) throw config.problems[0];
      const value = await within(runtime, config.timeouts.total, "the answer", () => act(ctx));
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
      if (typeof source !== "function") return prepare(source);
      return prepare(await within(runtime, CONFIG_DEADLINE, "the configuration", () => source(request)));
    } catch (cause) {
      const error = new InvalidConfig("Cannot read the configuration: making it failed", { cause });
      UNCONFIGURED.logger.error(error);
      throw error;
    }
  }

  async function run(request: Request, info?: ConnectionInfo): Promise<EngineAnswer> {
    try {
      return await answer(request, await configure(request), info);
    } catch (error) {
      // Only the configuration fails out here.
      const face = faceOf(request, new URL(request.url));
      return { ...face, config: UNCONFIGURED, outcome: json(BROKEN, 500), cookies: [], error: asAuthError(error) };
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
function warnOnce({ warnings, logger }: ResolvedConfig, warned: Set<string>): void {
  for (const [code, message] of warnings) {
    if (warned.size > 100 || warned.has(message)) continue;
    warned.add(message);
    logger.warn(code, message);
  }
}

/** What visitors are told when the configuration is wrong: nothing that would help an attacker. */
export const BROKEN: Readonly<{ message: string }> = {
  message: "There is a problem with the server configuration. The server's log tells more.",
};

function faceOf(request: Request, url: URL): Pick<Answer, "https" | "head" | "tellRedirect"> {
  return {
    https: url.protocol === "https:",
    head: request.method === "HEAD",
    tellRedirect: request.headers.has("x-auth-return-redirect"),
  };
}

async function answer(
  request: Request,
  { config, sessions }: Ready,
  info: ConnectionInfo | undefined,
): Promise<EngineAnswer> {
  const { runtime, timeouts, providers } = config;
  const ctx = openContext(request, publicUrl(request, config), { config, sessions, info });
  const common = { ...faceOf(request, ctx.url), config };
  const path = parseRoute(ctx.url.pathname, config.basePath);
  if (!path) return { ...common, outcome: notFound(), cookies: [] };
  const [problem] = config.problems;
  if (problem) return { ...common, outcome: await misconfigured(ctx, path, problem), cookies: [], error: problem };
  const match = findRoute(request.method, path, providers);
  if (match.kind === "not-found") return { ...common, outcome: notFound(), cookies: [] };
  if (match.kind === "wrong-method") {
    return { ...common, outcome: refused(405, "Method not allowed", match.allow), cookies: [] };
  }
  try {
    const { route, provider } = match;
    const run = () => dispatch(ctx, route, provider);
    const outcome = await (route.instant(config) ? run() : within(runtime, timeouts.total, "the answer", run));
    config.logger.debug(`${request.method} ${path.action}`, { provider: path.provider, answer: outcome.kind });
    return { ...common, outcome, cookies: ctx.cookies.close() };
  } catch (thrown) {
    const error = asAuthError(thrown);
    config.logger.error(error);
    return { ...common, outcome: failed(ctx, match.route, error), cookies: ctx.cookies.close(), error };
  }
}

async function dispatch(ctx: RequestContext, route: Route, provider: ResolvedProvider | null): Promise<Outcome> {
  const query = readQuery(ctx.url, route.readsAll ? "all" : route.query);
  if (!query) return refused(400, "The query is too long");
  if (route.query.some((name) => query.getAll(name).length > 1)) return refused(400, "A parameter is repeated");
  if (ctx.request.method !== "POST") return await route.run(ctx, { provider, query, fields: {} });
  const { readForm } = await flows();
  const form = await readForm(ctx, route);
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

const PAGES: ReadonlySet<string> = new Set(["signin", "signout", "error", "verify-request"]);

async function misconfigured(ctx: RequestContext, { action }: RoutePath, problem: ConfigError): Promise<Outcome> {
  const { config, request, url } = ctx;
  for (const error of config.problems) config.logger.error(error);
  if (request.method === "POST" || !PAGES.has(action)) return json(BROKEN, 500);
  const { errorPage } = await flows();
  const custom = config.pages.error && URL.canParse(config.pages.error, url) ? new URL(config.pages.error, url) : null;
  if (!custom) return errorPage(ctx, "Configuration");
  // The page itself asked for a session and was sent here: sending it back would go round for ever.
  const from = url.searchParams.get("callbackUrl");
  if (from && URL.canParse(from, url) && new URL(from, url).pathname === custom.pathname) {
    config.logger.error(new ErrorPageLoop("Cannot show the error page: it needs a session itself", { cause: problem }));
    return errorPage(ctx, "Configuration");
  }
  return redirectTo(pageUrl(ctx, "error", { error: "Configuration" }));
}
