/**
 * The configuration of each request, resolved once and remembered, and what is logged about it.
 *
 * @module
 */
import type { AuthConfig, AuthConfigSource } from "../contract/config.ts";
import { openContext, type RequestContext } from "../request/context.ts";
import { BoundedMap } from "../kernel/bounded_map.ts";
import { BadRequest, type ConfigError, InvalidConfig } from "../kernel/errors.ts";
import { type LazyRequest, requestOf } from "../http/request_like.ts";
import { MAX_HEADER_LENGTH } from "../http/cookie_text.ts";
import { hostProblem, publicUrl, readUrl } from "../http/origin.ts";
import type { Warning } from "../config/warning.ts";
import { chooseBy, isConfig } from "./choose.ts";
import { type Configured, type LoggedOnce, MOST_WARNINGS, type Mount } from "./configured.ts";
import { failures } from "./failures.ts";
import { once } from "../kernel/load.ts";
import { isObject } from "../kernel/objects.ts";
import type { Runtime } from "../kernel/runtime.ts";

const advice = once(() => import("./unheard_proxy.ts"));
const setup = once(() => import("./setup.ts"));

/**
 * Makes the function that gives the configuration of a request. Nothing is resolved before the first call.
 *
 * Without a request, the configuration must not depend on one. The function throws an `InvalidConfig`, which has been
 * logged, if the configuration cannot be resolved, and a `BadRequest` if the URL of the request cannot be parsed.
 */
export function configureFrom(
  source: AuthConfigSource,
  runtime: Runtime,
  mount?: Mount,
): (incoming: Request | LazyRequest | null) => Promise<Configured> {
  const logged = loggedOf(source);
  const setUpWith = (given: AuthConfig) => setup().then(({ setUp }) => setUp(given, { runtime, mount, logged }));
  const choose = typeof source === "function" ? chooseBy(source, runtime, setUpWith) : null;
  let only: Promise<Configured> | null = null;
  let isProxyTold = false;

  function resolveOnce(given: AuthConfig): Promise<Configured> {
    if (only) return only;
    // Copied first: the caller may change it while modules load.
    const made = setUpWith({ ...given });
    made.catch(() => only = null); // the next request tries again
    return only = made;
  }

  return async (incoming) => {
    try {
      if (typeof source !== "function" && !isConfig(source)) throw (await failures()).noConfig(source, false);
      if (choose && !incoming) throw new InvalidConfig("Cannot choose the configuration: there is no request");
      const configured = await (choose && incoming ? choose(requestOf(incoming)) : resolveOnce(source as AuthConfig));
      const { config, warn } = configured;
      // Looked at once: what the line says of the environment takes a while.
      if (!isProxyTold && config.trustHost === "loopback" && incoming?.headers.has("x-forwarded-host")) {
        isProxyTold = true;
        warn((await advice()).unheardProxy(incoming, runtime));
      }
      return configured;
    } catch (cause) {
      throw (await failures()).configFailure(cause, incoming);
    }
  };
}

const logs = new WeakMap<object, LoggedOnce>();

// Those of one source are shared: in Express there is a service for each path that a router is mounted at, and visitors
// choose the path of a router at `/:tenant/auth`.
function loggedOf(source: unknown): LoggedOnce {
  // Anything else is refused at the first request.
  const key = isObject(source) || typeof source === "function" ? source : {};
  const logged = logs.get(key) ?? { warned: new Set(), reported: new BoundedMap(MOST_WARNINGS) };
  logs.set(key, logged);
  return logged;
}

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
  incoming: Request | LazyRequest,
  { config, sessions, warn }: Configured,
  mount?: Mount,
): RequestContext {
  try {
    const url = publicUrl(incoming, config);
    const ctx = openContext(incoming, mount?.publicUrl(url, config) ?? url, { config, sessions, warn });
    if (ctx.cookies.oversized) warn(COOKIES_IGNORED);
    return ctx;
  } catch (cause) {
    throw readUrl(incoming) ? cause : new BadRequest("Cannot read the request: its URL is not valid", { cause });
  }
}

/** Lists what is wrong for one request: the problems of the configuration, or else the host that cannot be trusted. */
export function problemsOf({ config, url }: Pick<RequestContext, "config" | "url">): readonly ConfigError[] {
  const untrusted = config.problems.length === 0 ? hostProblem(url, config) : null;
  return untrusted ? [untrusted] : config.problems;
}

/** Copies a remembered error of the configuration, so that a caller who catches it cannot change it for the next one. */
export function copyError(problem: ConfigError): ConfigError {
  const Same = problem.constructor as new (...given: ConstructorParameters<typeof InvalidConfig>) => ConfigError;
  return new Same(problem.message, { cause: problem.cause, logCode: problem.logCode });
}
