/**
 * The binding for TanStack Start.
 *
 * @example Usage
 * ```ts
 * import { TanStackStartAuth } from "@x/auth/tanstack-start";
 * import { github } from "@x/auth/providers/github";
 *
 * export const auth = TanStackStartAuth({ providers: [github()], protect: ["/members/*"] });
 * // src/start.ts
 * // const sessions = createMiddleware().server(({ request, next }) => auth.middleware({ request, next }));
 * // export const startInstance = createStart(() => ({ requestMiddleware: [sessions] }));
 * ```
 *
 * @module
 */
import type { AuthConfigSource } from "../src/contract/config.ts";
import type { ConfigSourceOf, FieldsByIdOf, SessionOf, SessionSource, TokenOf } from "../src/contract/infer.ts";
import { type Actions, createAround } from "./host/around.ts";
import { BY_URL, hostsAt, refusing } from "./host/host.ts";
import type { Adapter, FieldsById, JWT, ProviderInput, Session, Strategy, Typed } from "./host/types.ts";

export type { Actions };
export type * from "./host/public.ts";

/** What the middleware adds to the context. */
export interface TanStackStartContext<S = Session> {
  /** The session; `null` if nobody is signed in. */
  session: S | null;
}

/** The members of the options of a request middleware that are used. `R` is what `next()` gives. */
export interface TanStackStartPassage<R, S = Session> {
  /** The request. */
  readonly request: Request;
  /** Calls what stands next. */
  next(options: { context: TanStackStartContext<S> }): R;
}

/** The service for TanStack Start. */
export interface TanStackStartAuthService<S = Session, F = FieldsById, T = JWT>
  extends Typed<S, F, T>, Actions<Request, S, F> {
  /**
   * Answers the paths of the service. For all others it adds `session` to the context, renews the session, and denies what
   * `protect` and `callbacks.authorized` do not allow.
   */
  readonly middleware: <R>(passage: TanStackStartPassage<R, S>) => Promise<Awaited<R> | Response>;
  /** Answers the paths of the service only, as the handlers of a server route. */
  readonly handlers: Readonly<Record<"GET" | "POST", (context: { readonly request: Request }) => Promise<Response>>>;
}

const hostOf = hostsAt({ basePath: "/auth", framework: "tanstack-start" });

/**
 * Makes the service for TanStack Start.
 *
 * @param config The configuration, or a function that chooses one for each request.
 */
export function TanStackStartAuth<
  const P extends readonly ProviderInput<Id>[],
  T extends JWT,
  S extends Session,
  Id extends string,
  N extends Strategy | undefined = never,
  A extends Adapter | undefined = never,
>(config: ConfigSourceOf<P, T, S, N, A>): TanStackStartAuthService<SessionOf<S>, FieldsByIdOf<P>, TokenOf<T>>;
export function TanStackStartAuth(config: AuthConfigSource): Omit<TanStackStartAuthService, "$infer"> {
  const { host, pass, actions } = createAround(hostOf(config));
  const answer = ({ request }: { readonly request: Request }): Promise<Response> => host.answer(request);
  return {
    async middleware<R>({ request, next }: TanStackStartPassage<R>): Promise<Awaited<R> | Response> {
      // The types also accept it for server functions, which have no request.
      if (!request) {
        throw new TypeError("Cannot find the request: add the middleware to `requestMiddleware` of createStart");
      }
      let result: { readonly response: Response } | null = null;
      const response = await pass(request, {
        seen: BY_URL,
        async next({ session }) {
          result = await next({ context: { session } }) as { readonly response: Response };
          return result.response;
        },
      });
      // The result has the context of later middlewares, which earlier ones may read.
      return result === null ? response : Object.assign({}, result, { response }) as Awaited<R>;
    },
    handlers: { GET: answer, POST: answer },
    ...actions,
    // Server routes and server functions make an answer of a response that is thrown.
    require: (request, options) => refusing(host.require(request, options), (error) => error.response()),
  };
}

/**
 * Reads the session of a request. It is not renewed: that is what the middleware is for.
 *
 * @param request The request.
 * @param config The same object that `TanStackStartAuth` got.
 * @returns The session, or `null` if nobody is signed in or the session cannot be read.
 */
export function getSession<S extends Session = Session>(
  request: Request,
  config: SessionSource<S>,
): Promise<SessionOf<S> | null>;
export async function getSession(request: Request, config: AuthConfigSource): Promise<Session | null> {
  return (await hostOf(config).read(request)).session;
}
