/**
 * The binding for React Router 8 in framework mode.
 *
 * @example Usage
 * ```ts
 * import { ReactRouterAuth } from "@x/auth/react-router";
 * import { github } from "@x/auth/providers/github";
 *
 * // app/auth.server.ts
 * export const auth = ReactRouterAuth({ providers: [github()], protect: ["/members/*"] });
 * // app/root.tsx
 * export const middleware = [auth.middleware];
 * // app/routes/auth.ts, for the path "auth/*"
 * export const loader = auth.loader;
 * export const action = auth.action;
 * ```
 *
 * @module
 */
import type { AuthConfigSource } from "../src/contract/config.ts";
import type { ConfigSourceOf, FieldsByIdOf, SessionOf, SessionSource, TokenOf } from "../src/contract/infer.ts";
import { systemRuntime } from "../src/kernel/runtime.ts";
import { type Actions, actionsFor, createAround, visitToPage, withHeader } from "./host/around.ts";
import { BY_URL, hostsAt, redirectWith, refusing, type Seen } from "./host/host.ts";
import { encodedPath } from "./host/route_path.ts";
import { warnOfStaticPage } from "./host/static_page.ts";
import type { Adapter, FieldsById, JWT, ProviderInput, Session, Strategy, Typed } from "./host/types.ts";

export type { Actions };
export type * from "./host/public.ts";

/** The members of the arguments of a middleware, a loader or an action that are used. */
export interface ReactRouterArgs {
  /** The request. */
  readonly request: Request;
  /** The pattern of the route, such as `/:lang?/members`. */
  readonly pattern?: string | undefined;
  /** The parameters of the route. */
  readonly params?: Readonly<Record<string, string | undefined>> | undefined;
  /** What is kept for one request. */
  readonly context: object;
}

/** The service for React Router. */
export interface ReactRouterAuthService<S = Session, F = FieldsById, T = JWT>
  extends Typed<S, F, T>, Actions<ReactRouterArgs, S, F> {
  /**
   * Answers the paths of the service. For all others it reads and renews the session, and denies what `protect` and
   * `callbacks.authorized` do not allow.
   */
  readonly middleware: (args: ReactRouterArgs, next: () => Promise<Response>) => Promise<Response>;
  /** Answers GET requests for the paths of the service. */
  readonly loader: (args: Pick<ReactRouterArgs, "request">) => Promise<Response>;
  /** Answers POST requests for the paths of the service. */
  readonly action: (args: Pick<ReactRouterArgs, "request">) => Promise<Response>;
  /**
   * Gives the session in a loader or an action below the middleware.
   *
   * @param context The context that loaders and actions get.
   * @throws {TypeError} if the middleware did not run for the request.
   */
  session(context: object): S | null;
}

const hostOf = hostsAt({ basePath: "/auth", framework: "react-router" });

/**
 * Makes the service for React Router.
 *
 * @param config The configuration, or a function that chooses one for each request.
 */
export function ReactRouterAuth<
  const P extends readonly ProviderInput<Id>[],
  T extends JWT,
  S extends Session,
  Id extends string,
  N extends Strategy | undefined = never,
  A extends Adapter | undefined = never,
>(config: ConfigSourceOf<P, T, S, N, A>): ReactRouterAuthService<SessionOf<S>, FieldsByIdOf<P>, TokenOf<T>>;
export function ReactRouterAuth(config: AuthConfigSource): Omit<ReactRouterAuthService, "$infer"> {
  const { host, pass, actions } = createAround(hostOf(config));
  const known = new WeakMap<object, { readonly visit: Request; session: Session | null }>();
  const act = actionsFor(
    actions,
    ({ request, context }: ReactRouterArgs) => known.get(context)?.visit ?? pageOf(request),
  );
  const answer = async ({ request }: Pick<ReactRouterArgs, "request">): Promise<Response> => {
    const visit = pageOf(request);
    return await toOwnPage(request, visit) ??
      byDocument(request, await pass(request, { visit, seen: BY_URL, next: () => host.answer(request) }));
  };
  // The router would render the page of the service as data: an empty page.
  async function toOwnPage(request: Request, visit: Request): Promise<Response | null> {
    if (visit === request || request.method !== "GET" || !await host.isOwn(visit)) return null;
    const { pathname, search } = new URL(visit.url);
    return byDocument(request, redirectWith({ to: pathname + search, cookies: [] }));
  }
  return {
    async middleware(args, next) {
      const { request, context } = args;
      const visit = pageOf(request);
      const elsewhere = await toOwnPage(request, visit);
      if (elsewhere) return elsewhere;
      const response = await pass(request, {
        visit,
        seen: seenOf(args),
        next({ session }) {
          known.set(context, { visit, session });
          return next();
        },
      });
      return known.has(context) ? response : byDocument(request, response);
    },
    loader: answer,
    action: answer,
    session(context) {
      const found = known.get(context);
      if (!found) throw new TypeError("Cannot give the session: add `auth.middleware` to `middleware` of app/root.tsx");
      // The process that builds the site has this variable while it makes pages.
      if (found.session === null && systemRuntime.env("IS_RR_BUILD_REQUEST") === "yes") {
        warnOfStaticPage(new URL(found.visit.url).pathname, "leave it out of `prerender` in react-router.config");
      }
      return found.session;
    },
    // The router makes an answer of a response that is thrown.
    require: (args, options) =>
      refusing(act.require(args, options), (error) => byDocument(args.request, error.response())),
    signIn: async (args, ...rest) => byDocument(args.request, await act.signIn(args, ...rest)),
    signOut: async (args, options) => byDocument(args.request, await act.signOut(args, options)),
    async update(args, patch) {
      const session = await act.update(args, patch);
      const found = known.get(args.context);
      if (found) found.session = session;
      return session;
    },
    check: actions.check,
  };
}

// An optional segment, such as a locale, does not make another page.
function seenOf({ pattern = "", params = {} }: ReactRouterArgs): Seen {
  const segments = pattern.split("/");
  if (!segments.some((segment) => segment.endsWith("?"))) return BY_URL;
  const path = segments.filter((segment) => segment !== "" && !segment.endsWith("?")).map((segment) => {
    if (segment === "*") return encodedPath(params["*"] ?? "");
    return segment.startsWith(":") ? encodedPath(params[segment.slice(1)] ?? "") : segment;
  });
  return { target: null, routes: [`/${path.join("/")}`] };
}

// The router requests the data of a page at another path.
function pageOf(request: Request): Request {
  if (!isForData(request)) return request;
  const url = new URL(request.url);
  url.pathname = url.pathname.replace(/^\/_root\.data$|\/_\.data$/, "/").replace(/\.data$/, "");
  url.searchParams.delete("_routes");
  return visitToPage(request, url);
}

function isForData({ url }: Request): boolean {
  return new URL(url).pathname.endsWith(".data");
}

// A redirect may lead to a page that the router does not have, or that has changed.
function byDocument(request: Request, response: Response): Response {
  return isForData(request) ? withHeader(response, "x-remix-reload-document", "true") : response;
}

/**
 * Reads the session of a request. It is not renewed: that is what the middleware is for.
 *
 * @param request The request.
 * @param config The same object that `ReactRouterAuth` got.
 * @returns The session, or `null` if nobody is signed in or the session cannot be read.
 */
export function getSession<S extends Session = Session>(
  request: Request,
  config: SessionSource<S>,
): Promise<SessionOf<S> | null>;
export async function getSession(request: Request, config: AuthConfigSource): Promise<Session | null> {
  return (await hostOf(config).read(request)).session;
}
