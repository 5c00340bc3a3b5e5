/**
 * The binding for Elysia.
 *
 * @example Usage
 * ```ts
 * import { ElysiaAuth } from "@x/auth/elysia";
 * import { github } from "@x/auth/providers/github";
 *
 * const auth = ElysiaAuth({ providers: [github()], protect: ["/members/*"] });
 * // new Elysia({ systemRouter: false })
 * //   .use(auth.plugin)
 * //   .derive(auth.derive)
 * //   .get("/", ({ session }) => `Hello ${session?.user?.name ?? "stranger"}`);
 * ```
 *
 * @module
 */
import type { AuthConfigSource } from "../src/contract/config.ts";
import type { ConfigSourceOf, FieldsByIdOf, SessionOf, SessionSource, TokenOf } from "../src/contract/infer.ts";
import { type Actions, actionsFor, createAround } from "./host/around.ts";
import { hostsAt, refusing } from "./host/host.ts";
import type { Adapter, FieldsById, JWT, ProviderInput, Session, Strategy, Typed } from "./host/types.ts";

export type { Actions };
export type * from "./host/public.ts";

/** The members of a context of Elysia that are used. */
export interface ElysiaContext {
  /** The request. */
  readonly request: Request;
}

/** The members of an application of Elysia that are used. */
export interface ElysiaApp {
  /** Puts a function around the handler of requests. */
  // deno-lint-ignore no-explicit-any -- so does Elysia
  wrap(around: (handle: (...args: any[]) => any, request: Request) => any): unknown;
  /** How it was made. */
  readonly config?: { readonly aot?: boolean | undefined };
}

/** The service for Elysia. */
export interface ElysiaAuthService<S = Session, F = FieldsById, T = JWT>
  extends Typed<S, F, T>, Actions<ElysiaContext, S, F> {
  /**
   * Answers the paths of the service. For all others it renews the session, and denies what `protect` and
   * `callbacks.authorized` do not allow. Use it in the application itself, not in a plugin of it, and set its option
   * `systemRouter: false`: Bun would choose routes by a path that it shows nobody, and the guard answers those with 500.
   *
   * @throws {TypeError} if the application has the option `aot: false`.
   */
  readonly plugin: <App extends ElysiaApp>(app: App) => App;
  /** Gives handlers the member `session`; it is `null` if nobody is signed in. */
  readonly derive: (context: ElysiaContext) => Promise<{ session: S | null }>;
}

const hostOf = hostsAt({ basePath: "/auth" });

/**
 * Makes the service for Elysia.
 *
 * @param config The configuration, or a function that chooses one for each request.
 */
export function ElysiaAuth<
  const P extends readonly ProviderInput<Id>[],
  T extends JWT,
  S extends Session,
  Id extends string,
  N extends Strategy | undefined = never,
  A extends Adapter | undefined = never,
>(config: ConfigSourceOf<P, T, S, N, A>): ElysiaAuthService<SessionOf<S>, FieldsByIdOf<P>, TokenOf<T>>;
export function ElysiaAuth(config: AuthConfigSource): Omit<ElysiaAuthService, "$infer"> {
  const { host, pass, actions } = createAround(hostOf(config));
  return {
    plugin(app) {
      // With `aot: false`, Elysia runs no function of `wrap()`: nothing would be guarded.
      if (app.config?.aot === false) {
        throw new TypeError("Cannot guard the application: remove the option `aot: false`");
      }
      app.wrap((handle) => (request: Request, ...rest: unknown[]) => {
        return pass(request, { seen: { target: request.url, routes: [] }, next: () => handle(request, ...rest) });
      });
      return app;
    },
    derive: async ({ request }) => ({ session: (await host.read(request)).session }),
    ...actionsFor(actions, ({ request }) => request),
    // Elysia asks an error for its answer.
    require: ({ request }, options) =>
      refusing(host.require(request, options), (error) => {
        return Object.assign(error, { toResponse: () => error.response() });
      }),
  };
}

/**
 * Reads the session of a request. It is not renewed: that is what the plugin is for.
 *
 * @param request The request.
 * @param config The same object that `ElysiaAuth` got.
 * @returns The session, or `null` if nobody is signed in or the session cannot be read.
 */
export function getSession<S extends Session = Session>(
  request: Request,
  config: SessionSource<S>,
): Promise<SessionOf<S> | null>;
export async function getSession(request: Request, config: AuthConfigSource): Promise<Session | null> {
  return (await hostOf(config).read(request)).session;
}
