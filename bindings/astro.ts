/**
 * The binding for Astro.
 *
 * @example Usage
 * ```ts
 * import { AstroAuth } from "@x/auth/astro";
 * import { github } from "@x/auth/providers/github";
 *
 * // src/auth.ts
 * export const auth = AstroAuth({ providers: [github()], protect: ["/members/*"] });
 * // src/middleware.ts
 * export const { onRequest } = auth;
 * ```
 *
 * @module
 */
import type { AuthConfigSource } from "../src/contract/config.ts";
import type { ConfigSourceOf, FieldsByIdOf, SessionOf, SessionSource, TokenOf } from "../src/contract/infer.ts";
import { type Actions, actionsFor, createAround } from "./host/around.ts";
import { hostsAt, type Seen } from "./host/host.ts";
import { routePaths } from "./host/route_path.ts";
import { withoutSession } from "./host/static_page.ts";
import type { Adapter, FieldsById, JWT, ProviderInput, Session, Strategy, Typed } from "./host/types.ts";

export type { Actions };
export type * from "./host/public.ts";

/** The members of `Astro.locals` that the middleware sets. */
export interface AstroLocals<S = Session> {
  /** The session; `null` if nobody is signed in. */
  session: S | null;
}

/** The members of the context of Astro that are used. */
export interface AstroContext {
  /** The request. */
  readonly request: Request;
  /** The URL of the page. */
  readonly url: URL;
  /** The pattern of the route. */
  readonly routePattern: string;
  /** The parameters of the route. */
  readonly params: Readonly<Record<string, string | undefined>>;
  /** What is kept for one request. */
  readonly locals: object;
  /** Whether the page is rendered when the site is built. */
  readonly isPrerendered?: boolean | undefined;
  /** What the route cache of Astro is told. */
  readonly cache?: { readonly enabled: boolean; set(options: false): void } | undefined;
}

/** The service for Astro. */
export interface AstroAuthService<S = Session, F = FieldsById, T = JWT>
  extends Typed<S, F, T>, Actions<AstroContext, S, F> {
  /**
   * Answers the paths of the service. For all others it sets `locals.session`, renews the session, and denies what `protect`
   * and `callbacks.authorized` do not allow.
   */
  readonly onRequest: (context: AstroContext, next: () => Promise<Response>) => Promise<Response>;
}

const hostOf = hostsAt({ basePath: "/auth", framework: "astro" });

/**
 * Makes the service for Astro.
 *
 * @param config The configuration, or a function that chooses one for each request.
 */
export function AstroAuth<
  const P extends readonly ProviderInput<Id>[],
  T extends JWT,
  S extends Session,
  Id extends string,
  N extends Strategy | undefined = never,
  A extends Adapter | undefined = never,
>(config: ConfigSourceOf<P, T, S, N, A>): AstroAuthService<SessionOf<S>, FieldsByIdOf<P>, TokenOf<T>>;
export function AstroAuth(config: AuthConfigSource): Omit<AstroAuthService, "$infer"> {
  const { host, pass, actions } = createAround(hostOf(config));
  return {
    async onRequest(context, next) {
      // Rendered when the site is built, where nobody is signed in: the request has no headers.
      if (context.isPrerendered) {
        withoutSession(context.locals, context.url.pathname, "write `export const prerender = false` in the page");
        return await next();
      }
      const response = await pass(context.request, {
        seen: seenOf(context),
        async next({ session }) {
          Object.assign(context.locals, { session });
          const { routes } = seenOf(context);
          const made = await next();
          // A later middleware has rewritten the path, and Astro does not run the middlewares again.
          if (String(seenOf(context).routes) === String(routes)) return made;
          const { denied } = await host.admit(context.request, seenOf(context), { renew: false });
          if (denied) await made.body?.cancel();
          return denied ?? made;
        },
      });
      // A route rule adds its own header, which caches in front obey rather than `Cache-Control`.
      if (context.cache?.enabled && isPrivate(response)) context.cache.set(false);
      return response;
    },
    ...actionsFor(actions, ({ request }) => request),
  };
}

// A locale that falls back to another one shows the page of another path than the URL has. So does a rewrite.
function seenOf({ url, routePattern, params }: AstroContext): Seen {
  // Pages for errors stand in for any path.
  if (/^\/(?:404|500)$/.test(routePattern)) return { target: null, routes: [url.pathname] };
  return { target: null, routes: [url.pathname, ...routePaths(routePattern, params, url.pathname)] };
}

function isPrivate({ headers }: Response): boolean {
  return /private|no-store/i.test(headers.get("cache-control") ?? "");
}

/**
 * Reads the session of a request. It is not renewed: that is what the middleware is for.
 *
 * @param request The request.
 * @param config The same object that `AstroAuth` got.
 * @returns The session, or `null` if nobody is signed in or the session cannot be read.
 */
export function getSession<S extends Session = Session>(
  request: Request,
  config: SessionSource<S>,
): Promise<SessionOf<S> | null>;
export async function getSession(request: Request, config: AuthConfigSource): Promise<Session | null> {
  return (await hostOf(config).read(request)).session;
}
