/**
 * The engine: finds the configuration and the route of a request, runs the route, and gives an outcome with cookies.
 *
 * @module
 */
import type { AuthConfigSource } from "../contract/config.ts";
import { type Configured, configureFrom, contextOf, copyOf, type Mount, problemsOf, readUrl } from "./configure.ts";
import type { RequestContext } from "../request/context.ts";
import { type Asked, type Incoming, requestOf, type Written } from "../http/asked.ts";
import { Deadline } from "../kernel/deadline.ts";
import { AuthError, CallbackRouteError, Timeout } from "../kernel/errors.ts";
import type { SetCookie } from "../http/cookie_text.ts";
import { failures, flows, unknownPath, wrongRequest } from "./lazy.ts";
import { printPlainly } from "../kernel/plain_log.ts";
import { readQuery } from "../http/query.ts";
import { answerWithoutContext, type Outcome, refused } from "../request/outcome.ts";
import { type Answer, NO_CONFIG } from "./respond.ts";
import { parseRoute } from "../kernel/route_path.ts";
import { hasGuard, UNGUARDED } from "./guarded.ts";
import { findRoute, type FoundRoute } from "./routes.ts";
import { type Runtime, systemRuntime } from "../kernel/runtime.ts";
import { refuseWindow } from "../kernel/server_only.ts";

/** A value, and the cookies that must reach the browser with it. */
export interface Settled<T> {
  /** What was asked for. */
  readonly value: T;
  /** Cookies to set on the response, whatever it is. */
  readonly cookies: readonly SetCookie[];
}

/** The service before anything is a `Response`. */
export interface Engine {
  /** Gives the answer to a request that came before; `null` if it is not known. Never throws. */
  recall(asked: Request | Incoming): Written | null;
  /** Answers a request below `basePath`. Never throws. `second` is what servers pass besides. */
  run(asked: Request | Incoming, second?: unknown): Promise<EngineAnswer>;
  /**
   * Runs a function for a request within `timeouts.total`, and gathers the cookies that it sets. Without a request nothing
   * may be read from that of the context: it stands for none, so that no host has to be trusted.
   *
   * @throws {AuthError} if the function fails; the error has been logged.
   */
  settle<T>(asked: Request | Incoming | null, run: (ctx: RequestContext) => Promise<T>): Promise<Settled<T>>;
  /**
   * Opens the context of a request, without a look at what is wrong with the configuration or the host.
   *
   * @throws {AuthError} if the configuration cannot be resolved, or the URL cannot be parsed.
   */
  open(asked: Request | Incoming): Promise<RequestContext>;
  /** Whether the configuration depends on the request. */
  readonly needsRequest: boolean;
  /** How a framework mounts the service, if one does. */
  readonly mount: Mount | undefined;
  /** The configuration as it was given. */
  readonly source: AuthConfigSource;
}

type EngineAnswer = Answer & { readonly error?: AuthError };

/**
 * Makes the engine. Nothing is resolved before the first request.
 *
 * @throws {InvalidConfig} in the window of a browser.
 */
export function createEngine(source: AuthConfigSource, runtime: Runtime = systemRuntime, mount?: Mount): Engine {
  refuseWindow();
  const configuration = configureFrom(source, runtime, mount);

  function recall(asked: Request | Incoming): Written | null {
    try {
      return configuration.ready()?.known?.find(asked) ?? null;
    } catch {
      return null; // what is no request is told so by `run`
    }
  }

  async function run(asked: Request | Incoming, second?: unknown): Promise<EngineAnswer> {
    if (!isRequest(asked)) return (await wrongRequest()).answerWrongRequest(asked, second, source);
    try {
      const configured = await configuration.of(asked);
      const { config: { protect, problems }, warn } = configured;
      if (protect && problems.length === 0 && !hasGuard(source)) warn(UNGUARDED);
      return await answer(asked, configured, mount);
    } catch (thrown) {
      // Only the configuration, a URL that cannot be parsed, or a part that cannot be loaded fails out here.
      const error = thrown instanceof AuthError ? thrown : unloaded(thrown);
      const outcome = answerWithoutContext(error);
      const url = readUrl(asked);
      return {
        asked,
        visitor: { request: requestOf(asked), url },
        https: url?.protocol === "https:",
        config: NO_CONFIG,
        outcome,
        cookies: [],
        error,
      };
    }
  }

  async function settle<T>(
    asked: Request | Incoming | null,
    run: (ctx: RequestContext) => Promise<T>,
  ): Promise<Settled<T>> {
    if (asked !== null && !isRequest(asked)) throw (await wrongRequest()).refuseWrongRequest(asked, source);
    const request = asked ?? new Request("http://localhost");
    const configured = await configuration.of(request);
    const { config } = configured;
    const ctx = contextOf(request, configured, mount);
    const problems = asked ? problemsOf(ctx) : config.problems;
    const [problem] = problems;
    if (problem) {
      ctx.cookies.close();
      configured.report(problems, ctx);
      throw copyOf(problem);
    }
    try {
      const value = await waitForAnswer(ctx, () => run(ctx));
      return { value, cookies: ctx.cookies.close() };
    } catch (thrown) {
      ctx.cookies.close();
      const error = (await failuresFor(ctx, thrown)).asAuthError(thrown);
      config.logger.error(error, ctx);
      throw error;
    }
  }

  const open: Engine["open"] = async (asked) => contextOf(asked, await configuration.of(asked), mount);
  return { recall, run, settle, open, mount, source, needsRequest: typeof source === "function" };
}

// By its members, because frameworks have a class of their own.
function isRequest(given: Asked): boolean {
  return typeof given?.headers?.get === "function";
}

async function answer(asked: Request | Incoming, configured: Configured, mount?: Mount): Promise<EngineAnswer> {
  const { config } = configured;
  const ctx = contextOf(asked, configured, mount);
  const https = ctx.url.protocol === "https:";
  const common = { asked, https, visitor: ctx, subject: ctx, config, cookies: [] };
  const path = parseRoute(ctx.url.pathname, config.basePath);
  const notFound = async () => ({ ...common, outcome: (await unknownPath()).answerUnknownPath(ctx) });
  if (!path) return await notFound();
  const problems = problemsOf(ctx);
  const [problem] = problems;
  if (problem) {
    configured.report(problems, ctx);
    return { ...common, outcome: await (await failures()).answerProblems(ctx, path, problem), error: copyOf(problem) };
  }
  const match = findRoute(asked.method, path, config);
  if (match.kind === "not-found") return await notFound();
  if (match.kind === "wrong-method") return { ...common, outcome: refused(405, "Method not allowed", match.allow) };
  const { route } = match;
  const reading: BodyReading = { stop: null };
  try {
    if (match.problem) throw copyOf(match.problem);
    const run = () => runRoute(ctx, match, reading);
    const outcome = await (route.isLocal?.(config) ? run() : waitForAnswer(ctx, run));
    config.logger.debug(`${asked.method} ${path.action}`, { provider: path.provider, answer: outcome.kind }, ctx);
    const cookies = ctx.cookies.close();
    if (outcome.kind === "json" && outcome.until && cookies.length === 0) {
      configured.known?.keep(ctx, outcome.body, outcome.until);
    }
    return { ...common, outcome, cookies };
  } catch (thrown) {
    // First of all, because whatever runs on must not change them any more.
    const cookies = ctx.cookies.close();
    const { answerRouteError, asAuthError } = await failuresFor(ctx, thrown);
    const error = asAuthError(thrown);
    // A slow client is no failure of the service, so it is not logged.
    if (reading.stop && error instanceof Timeout) {
      reading.stop();
      return { ...common, outcome: refused(408, "Body takes too long"), cookies, error };
    }
    if (match.problem) configured.report([match.problem], ctx);
    else config.logger.error(error, ctx);
    return { ...common, outcome: answerRouteError(ctx, route, error), cookies, error };
  }
}

async function waitForAnswer<T>(ctx: RequestContext, run: () => Promise<T>): Promise<T> {
  const { runtime, timeouts } = ctx.config;
  ctx.deadline = new Deadline(runtime, timeouts.total);
  return await ctx.deadline.wait("the answer", run);
}

/** Loads what answers a failure. If that fails, too, the log has at least what failed first. */
async function failuresFor(ctx: RequestContext, thrown: unknown): ReturnType<typeof failures> {
  try {
    return await failures();
  } catch {
    const error = thrown instanceof AuthError ? thrown : new CallbackRouteError(UNEXPECTED, { cause: thrown });
    ctx.config.logger.error(error, ctx);
    throw error;
  }
}

// The log of the configuration may be what cannot be loaded. The query of a URL may hold secrets.
function unloaded(thrown: unknown): AuthError {
  const [reason = ""] = thrown instanceof Error ? String(thrown.message).split("?") : [];
  printPlainly("callback-route-error", `${UNEXPECTED}: ${JSON.stringify(reason.slice(0, 500))}`);
  return new CallbackRouteError(UNEXPECTED, { cause: thrown });
}

const UNEXPECTED = "Cannot answer: something failed unexpectedly";

/** Stops the reading of the body; `null` unless the answer waits for it. */
interface BodyReading {
  stop: (() => void) | null;
}

async function runRoute(ctx: RequestContext, { route, provider }: FoundRoute, reading: BodyReading): Promise<Outcome> {
  const query = readQuery(ctx.url, route.readsAll ? "all" : route.query);
  if (!query) return refused(400, "The query is too long");
  if (route.query.some((name) => query.getAll(name).length > 1)) return refused(400, "A parameter is repeated");
  if (ctx.asked.method !== "POST") return await route.run(ctx, { provider, query, fields: {} });
  const { readForm } = await flows();
  const late = new AbortController();
  reading.stop = () => late.abort();
  const form = await readForm(ctx, route, late.signal);
  reading.stop = null;
  return form.kind === "refused" ? form.outcome : await route.run(ctx, { provider, query, fields: form.fields });
}
