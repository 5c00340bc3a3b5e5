/**
 * The binding for SolidStart.
 *
 * @example Usage
 * ```ts
 * import { SolidAuth } from "@x/auth/solid-start";
 * import { github } from "@x/auth/providers/github";
 *
 * // src/auth.ts
 * export const auth = SolidAuth({ providers: [github()], protect: ["/members/*"] });
 * // src/routes/auth/[...auth].ts
 * export const { GET, POST } = auth;
 * // src/middleware.ts: export default createMiddleware(auth.middleware);
 * ```
 *
 * @module
 */
import type { AuthConfig } from "../src/contract/config.ts";
import type { ConfigOf, ConfigTelling, FieldsByIdOf, SessionOf, TokenOf } from "../src/contract/infer.ts";
import { isResponse } from "../src/http/is_response.ts";
import type { Actions } from "./host/around.ts";
import {
  addCookies,
  addReading,
  BY_URL,
  createHost,
  type Host,
  mergeRenewedCookies,
  redirectWith,
  refusing,
  type SessionReading,
  withReading,
} from "./host/host.ts";
import { isPrerendered, NITRO_REMEDY, withoutSession } from "./host/static_page.ts";
import type { Adapter, FieldsById, JWT, ProviderInput, Session, Strategy, Typed } from "./host/types.ts";

export { customFetch } from "../src/contract/provider.ts";
export { AuthError, CredentialsSignin } from "../src/errors.ts";
export type { Actions };
export type * from "./host/public.ts";

/** The configuration for SolidStart. */
export interface SolidAuthConfig extends AuthConfig, SolidOptions {}

/** The options that only the configuration for SolidStart has. */
export interface SolidOptions {
  /** The path at which the routes of the application have the service. @default {"/auth"} */
  readonly prefix?: string | undefined;
}

/** The members of `event.locals` that the middleware sets. */
export interface SolidLocals<S = Session> {
  /** The session; `null` if nobody is signed in. */
  session: S | null;
}

/** The members of an event of SolidStart that are used. */
export interface SolidEvent {
  /** The request. */
  readonly request: Request;
  /** What the response will have. */
  readonly response: { readonly headers: Headers };
  /** What is kept for one request. */
  readonly locals: object;
}

/** The service for SolidStart. */
export interface SolidAuthService<S = Session, F = FieldsById, T = JWT>
  extends Typed<S, F, T>, Actions<SolidEvent, S, F> {
  /** Answers GET requests for the paths of the service. */
  readonly GET: (event: Pick<SolidEvent, "request">) => Promise<Response>;
  /** Answers POST requests for the paths of the service. */
  readonly POST: (event: Pick<SolidEvent, "request">) => Promise<Response>;
  /** What `createMiddleware` takes. */
  readonly middleware: {
    /** Sets `event.locals.session`, and denies what `protect` and `callbacks.authorized` do not allow. */
    readonly onRequest: (event: SolidEvent) => Promise<Response | undefined>;
    /** Sets the cookies of a session that was renewed. */
    readonly onBeforeResponse: (event: SolidEvent, response: { readonly body?: unknown }) => Response | undefined;
  };
}

const hosts = new WeakMap<object, Host>();

/** Makes the service for SolidStart. */
export function SolidAuth<
  const P extends readonly ProviderInput<Id>[],
  T extends JWT,
  S extends Session,
  Id extends string,
  N extends Strategy | undefined = never,
  A extends Adapter | undefined = never,
>(config: ConfigTelling<P, T, S, N, A> & SolidOptions): SolidAuthService<SessionOf<S>, FieldsByIdOf<P>, TokenOf<T>>;
export function SolidAuth(config: SolidAuthConfig): Omit<SolidAuthService, "$infer"> {
  const host = hostOf(config);
  const readings = new WeakMap<Request, SessionReading>();
  const answer = ({ request }: Pick<SolidEvent, "request">): Promise<Response> => host.answer(request);
  return {
    GET: answer,
    POST: answer,
    middleware: {
      async onRequest({ request, locals }) {
        if (await host.isOwn(request)) return await host.answer(request);
        const { denied, ...reading } = await host.admit(request, BY_URL);
        if (denied) return withReading(denied, reading);
        readings.set(request, reading);
        // A request over a connection has a host.
        const isStatic = isPrerendered(request.headers, request.headers.has("host"));
        if (isStatic && !reading.session) withoutSession(locals, new URL(request.url).pathname, NITRO_REMEDY);
        else Object.assign(locals, { session: reading.session });
        return undefined;
      },
      // After the handler: cookies that it has set win, so a user who has signed out stays signed out.
      onBeforeResponse({ request, response }, { body }) {
        const reading = readings.get(request);
        if (!reading) return undefined;
        if (!isResponse(body)) {
          addReading(response.headers, reading);
          return undefined;
        }
        // SolidStart adds the headers of the event to those of the response.
        const own = response.headers.getSetCookie();
        return withReading(body, {
          session: reading.session,
          cookies: reading.cookies.filter((cookie) => mergeRenewedCookies(own, [cookie]).length > own.length),
        });
      },
    },
    // Server functions make an answer of a response that is thrown.
    require: ({ request }, options) => refusing(host.require(request, options), (error) => error.response()),
    signIn: async ({ request }, ...rest) => redirectWith(await host.signIn(request, ...rest)),
    signOut: async ({ request }, options) => redirectWith(await host.signOut(request, options)),
    async update({ request, response, locals }, patch) {
      const { session, cookies } = await host.update(request, patch);
      addCookies(response.headers, cookies);
      Object.assign(locals, { session });
      return session;
    },
    check: host.check,
  };
}

/**
 * Reads the session of a request. It is not renewed: that is what the middleware is for.
 *
 * @param request The request.
 * @param config The same object that `SolidAuth` got.
 * @returns The session, or `null` if nobody is signed in or the session cannot be read.
 */
export function getSession<S extends Session = Session>(
  request: Request,
  config: ConfigOf<readonly ProviderInput[], JWT, S> & SolidOptions,
): Promise<SessionOf<S> | null>;
export async function getSession(request: Request, config: SolidAuthConfig): Promise<Session | null> {
  return (await hostOf(config).read(request)).session;
}

function hostOf(config: SolidAuthConfig): Host {
  const { prefix = "/auth", ...others } = config;
  const host = hosts.get(config) ?? createHost(others, { basePath: prefix, framework: "solid-start" });
  hosts.set(config, host);
  return host;
}
