/**
 * The binding for Fresh 2.
 *
 * @example Usage
 * ```ts
 * import { FreshAuth, type FreshState } from "@x/auth/fresh";
 * import { github } from "@x/auth/providers/github";
 *
 * const auth = FreshAuth({ providers: [github()], protect: ["/members/*"] });
 * // const app = new App<FreshState>().use(auth.middleware);
 *
 * function home({ state }: { state: FreshState }): Response {
 *   return new Response(`Hello ${state.session?.user?.name ?? "stranger"}`);
 * }
 * // app.get("/", home);
 * ```
 *
 * @module
 */
import type { AuthConfigSource } from "../src/contract/config.ts";
import type { ConfigSourceOf, FieldsByIdOf, SessionOf, SessionSource, TokenOf } from "../src/contract/infer.ts";
import { type Actions, actionsFor, createAround } from "./host/around.ts";
import { BY_URL, hostsAt } from "./host/host.ts";
import type { Adapter, FieldsById, JWT, ProviderInput, Session, Strategy, Typed } from "./host/types.ts";

export type { Actions };
export type * from "./host/public.ts";

/** The members of the state that the middleware sets. */
export interface FreshState<S = Session> {
  /** The session; `null` if nobody is signed in. */
  session: S | null;
}

/** The members of a context of Fresh that are used. */
export interface FreshContext {
  /** The request. */
  readonly req: Request;
  /** What is kept for one request. */
  readonly state: unknown;
  /** Calls what stands next in the application. */
  next(): Promise<Response>;
}

/** The service for Fresh. */
export interface FreshAuthService<S = Session, F = FieldsById, T = JWT>
  extends Typed<S, F, T>, Actions<Pick<FreshContext, "req">, S, F> {
  /**
   * Answers the paths of the service. For all others it sets `state.session`, renews the session, and denies what `protect`
   * and `callbacks.authorized` do not allow.
   */
  readonly middleware: (context: FreshContext) => Promise<Response>;
  /** Answers the paths of the service only, for `app.all("/auth/*", auth.handler)`. */
  readonly handler: (context: Pick<FreshContext, "req">) => Promise<Response>;
}

const hostOf = hostsAt({ basePath: "/auth", guardApart: true });

/**
 * Makes the service for Fresh.
 *
 * @param config The configuration, or a function that chooses one for each request.
 */
export function FreshAuth<
  const P extends readonly ProviderInput<Id>[],
  T extends JWT,
  S extends Session,
  Id extends string,
  N extends Strategy | undefined = never,
  A extends Adapter | undefined = never,
>(config: ConfigSourceOf<P, T, S, N, A>): FreshAuthService<SessionOf<S>, FieldsByIdOf<P>, TokenOf<T>>;
export function FreshAuth(config: AuthConfigSource): Omit<FreshAuthService, "$infer"> {
  const { host, pass, actions } = createAround(hostOf(config));
  const middleware: FreshAuthService["middleware"] = (context) =>
    pass(context.req, {
      seen: BY_URL,
      next({ session }) {
        Object.assign(context.state as FreshState, { session });
        return context.next();
      },
    });
  return {
    get middleware() {
      host.guards();
      return middleware;
    },
    handler: ({ req }) => host.answer(req),
    ...actionsFor(actions, ({ req }) => req),
  };
}

/**
 * Reads the session of a request. It is not renewed: that is what the middleware is for.
 *
 * @param request The request.
 * @param config The same object that `FreshAuth` got.
 * @returns The session, or `null` if nobody is signed in or the session cannot be read.
 */
export function getSession<S extends Session = Session>(
  request: Request,
  config: SessionSource<S>,
): Promise<SessionOf<S> | null>;
export async function getSession(request: Request, config: AuthConfigSource): Promise<Session | null> {
  return (await hostOf(config).read(request)).session;
}
