/**
 * The binding for Hono.
 *
 * @example Usage
 * ```ts
 * import { HonoAuth, type HonoVariables } from "@x/auth/hono";
 * import { github } from "@x/auth/providers/github";
 * import { Hono } from "hono";
 *
 * const auth = HonoAuth({ providers: [github()], protect: ["/members/*"] });
 * const app = new Hono<{ Variables: HonoVariables }>();
 * app.use(auth.middleware);
 * app.get("/", (c) => c.text(`Hello ${c.get("session")?.user?.name ?? "stranger"}`));
 * ```
 *
 * @module
 */
import type { AuthConfigSource } from "../src/contract/config.ts";
import type { ConfigSourceOf, FieldsByIdOf, SessionOf, SessionSource, TokenOf } from "../src/contract/infer.ts";
import { serializeCookie } from "../src/http/cookie_text.ts";
import type { Actions } from "./host/around.ts";
import { hostsAt, redirectWith, refusing, withReading } from "./host/host.ts";
import type { Adapter, FieldsById, JWT, ProviderInput, Session, Strategy, Typed } from "./host/types.ts";

export type * from "./host/public.ts";

/** The members of a context of Hono that are used. */
export interface HonoContext {
  /** The request, and the path that Hono goes by. */
  readonly req: { readonly raw: Request; readonly path?: string | undefined };
  /** The response. */
  res: Response | undefined;
  /** Sets a variable. */
  set(name: "session", value: Session | null): void;
  /** Sets a header. */
  header(name: string, value: string, options: { append: true }): void;
}

/** The variables of {@linkcode HonoAuthService.middleware}. */
export interface HonoVariables<S = Session> {
  /** The session; `null` if nobody is signed in. */
  session: S | null;
}

/** The service for Hono. */
export interface HonoAuthService<S = Session, F = FieldsById, T = JWT>
  extends Typed<S, F, T>, Actions<HonoContext, S, F> {
  /**
   * Answers the paths of the service. For all others it sets the variable `session`, renews the session, and denies what
   * `protect` and `callbacks.authorized` do not allow.
   */
  readonly middleware: (context: HonoContext, next: () => Promise<void>) => Promise<Response | void>;
  /** Answers the paths of the service only, for `app.all("/auth/*", handler)`. */
  readonly handler: (context: HonoContext) => Promise<Response>;
}

const hostOf = hostsAt({ basePath: "/auth", guardApart: true });

/**
 * Makes the service for Hono.
 *
 * @param config The configuration, or a function that chooses one for each request.
 */
export function HonoAuth<
  const P extends readonly ProviderInput<Id>[],
  T extends JWT,
  S extends Session,
  Id extends string,
  N extends Strategy | undefined = never,
  A extends Adapter | undefined = never,
>(config: ConfigSourceOf<P, T, S, N, A>): HonoAuthService<SessionOf<S>, FieldsByIdOf<P>, TokenOf<T>>;
export function HonoAuth(config: AuthConfigSource): Omit<HonoAuthService, "$infer"> {
  const host = hostOf(config);
  const middleware: HonoAuthService["middleware"] = async (context, next) => {
    const { raw, path } = context.req;
    if (await host.isOwn(raw)) return await host.answer(raw);
    const { denied, ...reading } = await host.admit(raw, {
      target: raw.url,
      routes: path === undefined ? [] : [path],
    });
    if (denied) return withReading(denied, reading);
    context.set("session", reading.session);
    await next();
    // After the handler: cookies that it has set win, so a user who has signed out stays signed out.
    const response = context.res && withReading(context.res, reading);
    if (response === context.res) return;
    // Otherwise Hono copies the headers of the previous response over those of the new one.
    context.res = undefined;
    context.res = response;
  };
  return {
    get middleware() {
      host.guards();
      return middleware;
    },
    handler: ({ req }) => host.answer(req.raw),
    // Hono asks an error for its answer, unless the application has an error handler of its own.
    require: ({ req }, options) =>
      refusing(host.require(req.raw, options), (error) => {
        return Object.assign(error, { getResponse: () => error.response() });
      }),
    signIn: async ({ req }, ...rest) => redirectWith(await host.signIn(req.raw, ...rest)),
    signOut: async ({ req }, options) => redirectWith(await host.signOut(req.raw, options)),
    async update(context, patch) {
      const { session, cookies } = await host.update(context.req.raw, patch);
      for (const cookie of cookies) context.header("set-cookie", serializeCookie(cookie), { append: true });
      context.set("session", session);
      return session;
    },
    check: host.check,
  };
}

/**
 * Reads the session of a request. It is not renewed: that is what the middleware is for.
 *
 * @param context The context, or its request.
 * @param config The same object that `HonoAuth` got.
 * @returns The session, or `null` if nobody is signed in or the session cannot be read.
 */
export function getSession<S extends Session = Session>(
  context: HonoContext | Request,
  config: SessionSource<S>,
): Promise<SessionOf<S> | null>;
export async function getSession(context: HonoContext | Request, config: AuthConfigSource): Promise<Session | null> {
  return (await hostOf(config).read("req" in context ? context.req.raw : context)).session;
}
