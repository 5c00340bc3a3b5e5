/**
 * The binding for Nest, on Express and on Fastify.
 *
 * @example Usage
 * ```ts
 * import { NestAuth, type NestRequest } from "@x/auth/nest";
 * import { github } from "@x/auth/providers/github";
 *
 * const auth = NestAuth({ providers: [github()] });
 * // In main.ts: app.use(auth.middleware);
 *
 * class MembersController {
 *   // @Get("members") @UseGuards(auth.guard)
 *   show(request: NestRequest): string {
 *     return `Hello ${auth.sessionOf(request)?.user?.name}`;
 *   }
 * }
 * ```
 *
 * @module
 */
import type { AuthConfigSource } from "../src/contract/config.ts";
import type { ConfigSourceOf, FieldsByIdOf, SessionOf, SessionSource, TokenOf } from "../src/contract/infer.ts";
import type { NodeRequest } from "../src/node.ts";
import { hostsAt } from "./host/host.ts";
import { httpError, setReading, visitOf } from "./host/node.ts";
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

export type { NodeActions, NodeNext, NodeRequest };
export type { NodeHeaders } from "./host/node.ts";
export type * from "./host/public.ts";

/** A request of Express, or one of Fastify, which has that of `node:http` as `raw`. */
export type NestRequest = NodeRequest | { readonly raw: NodeRequest };

/** The members of a response of `node:http` that are used. */
export type NestRawResponse = NodeAnswer;

/** A response of Express, or a reply of Fastify, which has that of `node:http` as `raw`. */
export type NestResponse = NestRawResponse | { readonly raw: NestRawResponse };

/** The members of an `ExecutionContext` of Nest that are used. */
export interface NestContext {
  /** What the handler answers, such as `"http"`. */
  getType(): string;
  /** Gives what belongs to HTTP. */
  switchToHttp(): { getRequest(): unknown };
}

/** The members of an `ExecutionContext` of Nest with which a guard answers. */
export interface NestHttpContext extends NestContext {
  /** Gives what belongs to HTTP. */
  switchToHttp(): { getRequest(): unknown; getResponse(): unknown };
}

/** The service for Nest. */
export interface NestAuthService<S = Session, F = FieldsById, T = JWT>
  extends Typed<S, F, T>, NodeActions<NestRequest, NestResponse, S, F> {
  /**
   * Answers the paths of the service. For all others it reads the session, renews it, and denies what `protect` and
   * `callbacks.authorized` do not allow. Give it to `app.use()` in `main.ts`.
   */
  readonly middleware: (request: NodeRequest, response: NestRawResponse, next: NodeNext) => void;
  /** Lets only those pass who are signed in: `@UseGuards(auth.guard)`. All others get 401; 503 while storage is down. */
  readonly guard: { canActivate(context: NestContext): Promise<boolean> };
  /**
   * Makes a guard that lets only those pass whose sign-in does: `@UseGuards(auth.require({ level: 2, maxAge: "1h" }))`. Pages
   * of all others are redirected, everything else gets 401; 503 while storage is down.
   */
  require(options?: RequireOptions): { canActivate(context: NestHttpContext): Promise<boolean> };
  /** Gives the session of a request that passed the middleware or a guard; `null` if nobody is signed in. */
  sessionOf(request: NestRequest): S | null;
}

const hostOf = hostsAt({ basePath: "/auth" });

/**
 * Makes the service for Nest.
 *
 * @param config The configuration, or a function that chooses one for each request.
 */
export function NestAuth<
  const P extends readonly ProviderInput<Id>[],
  T extends JWT,
  S extends Session,
  Id extends string,
  N extends Strategy | undefined = never,
  A extends Adapter | undefined = never,
>(config: ConfigSourceOf<P, T, S, N, A>): NestAuthService<SessionOf<S>, FieldsByIdOf<P>, TokenOf<T>>;
export function NestAuth(config: AuthConfigSource): Omit<NestAuthService, "$infer"> {
  const host = hostOf(config);
  const sessions = new WeakMap<object, Session | null>();
  const actions = nodeActions(host);
  return {
    middleware: nodeMiddleware(host, {
      answers: true,
      keep: (request: NodeRequest, _, session) => void sessions.set(request, session),
    }),
    guard: {
      async canActivate(context) {
        const request = requestOf(context);
        const { session, failed } = await host.read(visitOf(request));
        if (failed) throw httpError(503, "Service Unavailable");
        if (!session) throw httpError(401, "Unauthorized");
        sessions.set(request, session);
        return true;
      },
    },
    require: (options) => ({
      async canActivate(context) {
        const request = requestOf(context);
        const response = rawOf<NestRawResponse>(context.switchToHttp().getResponse() as NestResponse);
        const session = await requireOrAnswer(host, { visit: visitOf(request), response }, options);
        // With `false` Nest would answer a second time.
        if (!session) return await new Promise<never>(() => {});
        sessions.set(request, session);
        return true;
      },
    }),
    sessionOf: (request) => sessions.get(rawOf(request)) ?? null,
    signIn: (request, response, ...rest) => actions.signIn(rawOf(request), rawOf(response), ...rest),
    signOut: (request, response, options) => actions.signOut(rawOf(request), rawOf(response), options),
    async update(request, response, patch) {
      const session = await actions.update(rawOf(request), rawOf(response), patch);
      sessions.set(rawOf(request), session);
      return session;
    },
    check: actions.check,
  };
}

function requestOf(context: NestContext): NodeRequest {
  if (context.getType() !== "http") throw new TypeError(`Cannot guard ${context.getType()}: it has no cookies`);
  return rawOf<NodeRequest>(context.switchToHttp().getRequest() as NestRequest);
}

// Requests of Express have no `raw`.
function rawOf<T extends object>(given: T | { readonly raw: T }): T {
  return "raw" in given ? given.raw : given;
}

/**
 * Reads the session of a request.
 *
 * @param request The request.
 * @param config The same object that `NestAuth` got.
 * @param response The response. With it a session that is due is renewed.
 * @returns The session, or `null` if nobody is signed in or the session cannot be read.
 */
export function getSession<S extends Session = Session>(
  request: NestRequest,
  config: SessionSource<S>,
  response?: NestResponse,
): Promise<SessionOf<S> | null>;
export async function getSession(
  request: NestRequest,
  config: AuthConfigSource,
  response?: NestResponse,
): Promise<Session | null> {
  const reading = await hostOf(config).read(visitOf(rawOf(request)), { renew: response !== undefined });
  if (response) setReading(rawOf(response), reading);
  return reading.session;
}
