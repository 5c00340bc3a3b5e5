/**
 * The engine: finds the configuration and the route of a request, runs the route, and gives an outcome with cookies.
 *
 * @module
 */
import type { AuthConfigSource } from "../contract/config.ts";
import type { Handler } from "../contract/handler.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { SetCookie } from "../http/cookie_text.ts";
import { readUrl } from "../http/origin.ts";
import { readQuery } from "../http/query.ts";
import { type LazyRequest, type RequestLike, withDirect } from "../http/request_like.ts";
import { Deadline, SlowBody } from "../kernel/deadline.ts";
import { AuthError, type ConfigError } from "../kernel/errors.ts";
import { once } from "../kernel/load.ts";
import { parseRoute } from "../kernel/route_path.ts";
import { type Runtime, systemRuntime } from "../kernel/runtime.ts";
import { refuseWindow } from "../kernel/server_only.ts";
import type { RequestContext } from "../request/context.ts";
import type { EventSubject } from "../request/events.ts";
import { answerWithoutContext, type Outcome, refused } from "../request/outcome.ts";
import { configureFrom, contextOf, copyError, problemsOf } from "./configure.ts";
import { type Configured, hasGuard, type Mount, UNGUARDED } from "./configured.ts";
import { failures, failuresFor, unloaded } from "./failures.ts";
import { type Answer, NO_CONFIG, plainResponse, respond } from "./respond.ts";
import { findRoute, type FoundRoute } from "./routes.ts";

/** A value, and the cookies that must reach the browser with it. */
export interface Settled<T> {
  /** What was asked for. */
  readonly value: T;
  /** Cookies to set on any response. */
  readonly cookies: readonly SetCookie[];
}

/** The service before anything is a `Response`. */
export interface Engine {
  /** Answers a request below `basePath`. Never throws. `second` is the extra argument that some servers pass. */
  run(incoming: Request | LazyRequest, second?: unknown): Promise<EngineAnswer>;
  /**
   * Runs a function for a request within `timeouts.total`, and gathers the cookies that it sets.
   *
   * @throws {AuthError} if the function fails; the error has been logged.
   */
  runForRequest<T>(incoming: Request | LazyRequest, run: (ctx: RequestContext) => Promise<T>): Promise<Settled<T>>;
  /**
   * Runs a function without a request within `timeouts.total`. No host has to be trusted.
   *
   * @throws {AuthError} if the function fails; the error has been logged.
   */
  runWithoutRequest<T>(run: (config: ResolvedConfig, subject: EventSubject) => Promise<T>): Promise<T>;
  /**
   * Opens the context of a request. Problems of the configuration or the host are not looked at.
   *
   * @throws {AuthError} if the configuration cannot be resolved, or the URL cannot be parsed.
   */
  open(incoming: Request | LazyRequest): Promise<RequestContext>;
  /**
   * Gives the resolved configuration. Without a request it must not depend on one.
   *
   * @throws {AuthError} if it cannot be resolved.
   */
  configured(incoming: Request | LazyRequest | null): Promise<Configured>;
  /** Whether the configuration depends on the request. */
  readonly needsRequest: boolean;
  /** How a framework mounts the service, if one does. */
  readonly mount: Mount | undefined;
  /** The configuration as it was given. */
  readonly source: AuthConfigSource;
}

type EngineAnswer = Answer & { readonly error?: AuthError | undefined };

const forms = once(() => import("./form.ts"));
const wrongRequest = once(() => import("./wrong_request.ts"));

/**
 * Makes the engine. Nothing is resolved before the first request.
 *
 * @throws {InvalidConfig} in the window of a browser.
 */
export function createEngine(source: AuthConfigSource, runtime: Runtime = systemRuntime, mount?: Mount): Engine {
  refuseWindow();
  const configured = configureFrom(source, runtime, mount);
  const open: Engine["open"] = async (incoming) => contextOf(incoming, await configured(incoming), mount);
  return {
    async run(incoming, second) {
      if (!isRequest(incoming)) return (await wrongRequest()).answerWrongRequest(incoming, second, source);
      try {
        const found = await configured(incoming);
        const { config: { protect, problems }, warn } = found;
        if (protect && problems.length === 0 && !hasGuard(source)) warn(UNGUARDED);
        const ctx = contextOf(incoming, found, mount);
        ctx.connection = second;
        return await answer(ctx, found);
      } catch (thrown) {
        // Only the configuration, a URL that cannot be parsed, or a part that cannot be loaded fails out here.
        const error = thrown instanceof AuthError ? thrown : unloaded(thrown);
        const outcome = answerWithoutContext(error);
        return { outcome, cookies: [], url: readUrl(incoming), incoming, config: NO_CONFIG, error };
      }
    },
    async runForRequest(incoming, run) {
      if (!isRequest(incoming)) throw (await wrongRequest()).refuseWrongRequest(incoming, source);
      const found = await configured(incoming);
      const ctx = contextOf(incoming, found, mount);
      const value = await attempt(found, ctx, problemsOf(ctx), () => waitForAnswer(ctx, () => run(ctx)));
      return { value, cookies: ctx.cookies.close() };
    },
    async runWithoutRequest(run) {
      const found = await configured(null);
      const { config } = found;
      const deadline = new Deadline(config.runtime, config.timeouts.total);
      const subject: EventSubject = { request: {}, url: null, config, deadline };
      return await attempt(found, subject, config.problems, () => {
        return deadline.wait("the answer", () => run(config, subject));
      });
    },
    open,
    configured,
    mount,
    source,
    needsRequest: typeof source === "function",
  };
}

/** Makes the handler of an engine. */
export function handlerOf(engine: Engine): Handler {
  const handler: Handler = async (request, info) => await respond(await engine.run(request, info));
  return withDirect(handler, async (incoming) => await plainResponse(await engine.run(incoming)));
}

// By its members, because frameworks have their own class.
function isRequest(given: RequestLike): boolean {
  return typeof given?.headers?.get === "function";
}

/** Runs a function unless there are problems. Logs what goes wrong, and throws it. */
async function attempt<T>(
  { config, report }: Configured,
  subject: EventSubject,
  problems: readonly ConfigError[],
  run: () => Promise<T>,
): Promise<T> {
  const [problem] = problems;
  if (problem) {
    await report(problems, subject);
    throw copyError(problem);
  }
  try {
    return await run();
  } catch (thrown) {
    const error = (await failuresFor(config, subject, thrown)).asAuthError(thrown);
    // It was told by what limits it.
    if (error.type !== "TooManyAttempts") config.logger.error(error, subject);
    throw error;
  }
}

async function answer(ctx: RequestContext, { report }: Configured): Promise<EngineAnswer> {
  const { config, incoming, url } = ctx;
  const answerOf = (outcome: Outcome, error?: AuthError): EngineAnswer => {
    return { outcome, cookies: ctx.cookies.close(), url, incoming, ctx, config, error };
  };
  const path = parseRoute(url.pathname, config.basePath);
  if (!path) return answerOf(await (await failures()).answerOther(ctx));
  const problems = problemsOf(ctx);
  const [problem] = problems;
  if (problem) {
    await report(problems, ctx);
    return answerOf(await (await failures()).answerProblems(ctx, path, problem), copyError(problem));
  }
  const match = findRoute(incoming.method, path, config);
  if (match.kind === "not-found") return answerOf((await failures()).answerUnknownPath(ctx));
  if (match.kind === "wrong-method") return answerOf(refused(405, "Method not allowed", match.allow));
  const { route } = match;
  try {
    if (match.problem) throw copyError(match.problem);
    const run = () => runRoute(ctx, match);
    const outcome = await (route.isLocal?.(config) ? run() : waitForAnswer(ctx, run));
    config.logger.debug(`${incoming.method} ${path.action}`, { provider: path.provider, answer: outcome.kind }, ctx);
    return answerOf(outcome);
  } catch (thrown) {
    // First of all, because code that still runs must not change them any more.
    ctx.cookies.close();
    // A slow client is not a failure of the service, so it is not logged.
    if (thrown instanceof SlowBody) return answerOf(refused(408, "Body takes too long"), thrown);
    const { answerRouteError, asAuthError } = await failuresFor(config, ctx, thrown);
    const error = asAuthError(thrown);
    if (match.problem) await report([match.problem], ctx);
    else config.logger.error(error, ctx);
    return answerOf(await answerRouteError(ctx, route, error), error);
  }
}

async function waitForAnswer<T>(ctx: RequestContext, run: () => Promise<T>): Promise<T> {
  const { runtime, timeouts } = ctx.config;
  ctx.deadline = new Deadline(runtime, timeouts.total);
  try {
    return await ctx.deadline.wait("the answer", run);
  } finally {
    ctx.cookies.close(); // code that runs on must not change them any more
  }
}

async function runRoute(ctx: RequestContext, { route, provider }: FoundRoute): Promise<Outcome> {
  const query = readQuery(ctx.url, route.readsAll ? "all" : route.query);
  if (!query) return refused(400, "The query is too long");
  if (route.query.some((name) => query.getAll(name).length > 1)) return refused(400, "A parameter is repeated");
  if (ctx.incoming.method !== "POST") return await route.run(ctx, { provider, query, fields: {} });
  const form = await (await forms()).readForm(ctx, route);
  return form.kind === "refused" ? form.outcome : await route.run(ctx, { provider, query, fields: form.fields });
}
