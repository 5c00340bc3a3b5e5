/**
 * The binding for Express 4 and 5.
 *
 * @example Usage
 * ```ts
 * import { ExpressAuth, type ExpressRequest, type ExpressResponse } from "@x/auth/express";
 * import { github } from "@x/auth/providers/github";
 *
 * const auth = ExpressAuth({ providers: [github()], protect: ["/members/*"] });
 * // app.use("/auth", auth);
 * // app.use(auth.middleware);
 *
 * function home(_request: ExpressRequest, response: ExpressResponse & { send(text: string): unknown }): void {
 *   response.send(`Hello ${response.locals.session?.user?.name ?? "stranger"}`);
 * }
 * // app.get("/", home);
 * ```
 *
 * @module
 */
import type { AuthConfigSource } from "../src/contract/config.ts";
import type { ConfigSourceOf, FieldsByIdOf, SessionOf, SessionSource, TokenOf } from "../src/contract/infer.ts";
import { BoundedMap } from "../src/kernel/bounded_map.ts";
import { type NodeListener, nodeListener, type NodeRequest } from "../src/node.ts";
import { createHost, hostsAt } from "./host/host.ts";
import { mountOf } from "./host/mount.ts";
import { setReading, visitOf } from "./host/node.ts";
import {
  type NodeActions,
  nodeActions,
  type NodeAnswer,
  nodeMiddleware,
  type NodeNext,
  requireOrAnswer,
} from "./host/node_actions.ts";
import type { RequireOptions } from "../src/service/require.ts";
import type { Adapter, FieldsById, JWT, ProviderInput, Session, Strategy, Typed } from "./host/types.ts";

export type { NodeActions, NodeAnswer, NodeNext };
export type { NodeHeaders } from "./host/node.ts";
export type * from "./host/public.ts";

/** The members of a request of Express that are used. */
export interface ExpressRequest extends NodeRequest {
  /** The path that the router is mounted at. */
  readonly baseUrl?: string | undefined;
}

/** The members of a response of Express that are used. */
export interface ExpressResponse extends NodeAnswer {
  /** What is kept for one request. `middleware` sets `session`. */
  // deno-lint-ignore no-explicit-any -- so does Express
  locals: Record<string, any>;
}

/** The service for Express: a handler, with functions that act for a request to the application. */
export interface ExpressAuthHandler<S = Session, F = FieldsById, T = JWT>
  extends NodeListener, NodeActions<ExpressRequest, ExpressResponse, S, F>, Typed<S, F, T> {
  /**
   * Reads the session into `response.locals.session`, renews it, and denies what `protect` and `callbacks.authorized` do
   * not allow. Mount it above the routes that need it.
   */
  readonly middleware: (request: ExpressRequest, response: ExpressResponse, next: NodeNext) => void;
  /**
   * Makes a middleware that lets only those pass whose sign-in does: `app.use("/admin", auth.require({ level: 2 }))`. Pages
   * of all others are redirected, everything else gets 401; while storage fails, the error has the status 503.
   *
   * @throws {InvalidConfig} to the error handler, if an option is wrong.
   */
  require(options?: RequireOptions): (request: ExpressRequest, response: ExpressResponse, next: NodeNext) => void;
}

const BASE_PATH = "/auth";

/** Paths of mounts whose service is remembered. A mount with parameters, such as `/:tenant/auth`, has any number. */
const MOUNTS = 64;

const hostOf = hostsAt({ basePath: BASE_PATH, guardApart: true });

/**
 * Makes the service for Express.
 *
 * Mount it at the path of the service, before or after middlewares that read bodies. If you mount it at another path than
 * `/auth`, give `basePath` too.
 *
 * @param config The configuration, or a function that chooses one for each request.
 */
export function ExpressAuth<
  const P extends readonly ProviderInput<Id>[],
  T extends JWT,
  S extends Session,
  Id extends string,
  N extends Strategy | undefined = never,
  A extends Adapter | undefined = never,
>(config: ConfigSourceOf<P, T, S, N, A>): ExpressAuthHandler<SessionOf<S>, FieldsByIdOf<P>, TokenOf<T>>;
export function ExpressAuth(config: AuthConfigSource): NodeListener & Omit<ExpressAuthHandler, "$infer"> {
  const host = hostOf(config);
  const mounts = new BoundedMap<string, NodeListener>(MOUNTS);
  const listenerAt = (mounted: string): NodeListener => {
    return nodeListener(createHost(config, { basePath: mounted, mounted, guardApart: true }).answer);
  };
  const handler: NodeListener = (request: ExpressRequest, response, next) => {
    const at = mountOf(request) ?? BASE_PATH;
    const listener = mounts.get(at) ?? listenerAt(at);
    mounts.set(at, listener);
    listener(request, response, next);
  };
  const middleware = nodeMiddleware(host, {
    answers: false,
    keep: (_: ExpressRequest, { locals }: ExpressResponse, session) => void (locals.session = session),
  });
  const requiring: ExpressAuthHandler["require"] = (options) => (request, response, next) => {
    const check = async (): Promise<boolean> => {
      const session = await requireOrAnswer(host, { visit: visitOf(request), response }, options);
      if (session) response.locals.session = session;
      return session !== null;
    };
    check().then((passes) => passes && next(), next);
  };
  const whole = Object.assign(handler, nodeActions(host), { middleware, require: requiring });
  return Object.defineProperty(whole, "middleware", {
    get() {
      host.guards();
      return middleware;
    },
  });
}

/**
 * Reads the session of a request.
 *
 * @param request The request.
 * @param config The same object that `ExpressAuth` got.
 * @param response The response. With it a session that is due is renewed.
 * @returns The session, or `null` if nobody is signed in or the session cannot be read.
 */
export function getSession<S extends Session = Session>(
  request: ExpressRequest,
  config: SessionSource<S>,
  response?: ExpressResponse,
): Promise<SessionOf<S> | null>;
export async function getSession(
  request: ExpressRequest,
  config: AuthConfigSource,
  response?: ExpressResponse,
): Promise<Session | null> {
  const reading = await hostOf(config).read(visitOf(request), { renew: response !== undefined });
  if (response) setReading(response, reading);
  return reading.session;
}
