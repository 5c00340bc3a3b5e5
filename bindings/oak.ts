/**
 * The binding for Oak.
 *
 * @example Usage
 * ```ts
 * import { OakAuth, type OakState } from "@x/auth/oak";
 * import { github } from "@x/auth/providers/github";
 *
 * const auth = OakAuth({ providers: [github()], protect: ["/members/*"] });
 * // const app = new Application<OakState>();
 * // app.use(auth.middleware);
 *
 * function home(ctx: { state: OakState; response: { body: unknown } }): void {
 *   ctx.response.body = `Hello ${ctx.state.session?.user?.name ?? "stranger"}`;
 * }
 * // router.get("/", home);
 * ```
 *
 * @module
 */
import type { AuthConfigSource } from "../src/contract/config.ts";
import type { ConfigSourceOf, FieldsByIdOf, SessionOf, SessionSource, TokenOf } from "../src/contract/infer.ts";
import type { Actions } from "./host/around.ts";
import {
  addCookies,
  addReading,
  hostsAt,
  isStepUp,
  type RedirectWithCookies,
  withoutBody,
  withReading,
} from "./host/host.ts";
import type { Adapter, FieldsById, JWT, ProviderInput, Session, Strategy, Typed } from "./host/types.ts";

export type * from "./host/public.ts";

/** The members of the state that the middleware sets. */
export interface OakState<S = Session> {
  /** The session; `null` if nobody is signed in. */
  session: S | null;
}

/** Headers. The types of the npm package have some of their own. */
export type OakHeaders = Pick<Headers, "append" | "delete" | "get" | "getSetCookie" | "has" | "set">;

/** The members of a context of Oak that are used. */
export interface OakContext {
  /** The request. */
  readonly request: {
    readonly url: URL;
    readonly method: string;
    readonly headers: OakHeaders;
    readonly source?: Pick<Request, "url"> | undefined;
    readonly originalRequest?: object;
    readonly body: { readonly stream: unknown };
  };
  /** The response. */
  readonly response: {
    readonly headers: OakHeaders;
    body: unknown;
    status: number;
    redirect(url: string): void;
  };
  /** What is kept for one request. The middleware sets `session`. */
  readonly state: object;
}

/** The service for Oak. */
export interface OakAuthService<S = Session, F = FieldsById, T = JWT>
  extends Typed<S, F, T>, Actions<OakContext, S, F, void> {
  /**
   * Answers the paths of the service. For all others it sets `state.session`, renews the session, and denies what `protect`
   * and `callbacks.authorized` do not allow.
   */
  readonly middleware: (context: OakContext, next: () => Promise<unknown>) => Promise<void>;
}

const hostOf = hostsAt({ basePath: "/auth" });
const visits = new WeakMap<object, Request>();

/**
 * Makes the service for Oak.
 *
 * @param config The configuration, or a function that chooses one for each request.
 */
export function OakAuth<
  const P extends readonly ProviderInput<Id>[],
  T extends JWT,
  S extends Session,
  Id extends string,
  N extends Strategy | undefined = never,
  A extends Adapter | undefined = never,
>(config: ConfigSourceOf<P, T, S, N, A>): OakAuthService<SessionOf<S>, FieldsByIdOf<P>, TokenOf<T>>;
export function OakAuth(config: AuthConfigSource): Omit<OakAuthService, "$infer"> {
  const host = hostOf(config);
  const leave = (context: OakContext, { to, cookies }: RedirectWithCookies): void => {
    addCookies(context.response.headers as Headers, cookies);
    context.response.redirect(to);
  };
  return {
    async middleware(context, next) {
      if (!context.request.source) sendAllCookies(context.request.originalRequest);
      const visit = visitOf(context);
      if (await host.isOwn(visit)) return send(context, await host.answer(withBody(context, visit)));
      const { denied, ...reading } = await host.admit(visit, {
        target: context.request.source?.url ?? null,
        routes: [context.request.url.pathname],
      });
      if (denied) return send(context, withReading(denied, reading));
      Object.assign(context.state, { session: reading.session });
      try {
        await next();
      } catch (error) {
        if (!isStepUp(error)) throw error;
        return send(context, withReading(error.response(), reading));
      }
      // After the handler: cookies that it has set win, so a user who has signed out stays signed out.
      addReading(context.response.headers as Headers, reading);
    },
    require: (context, options) => host.require(visitOf(context), options),
    signIn: async (context, ...rest) => leave(context, await host.signIn(visitOf(context), ...rest)),
    signOut: async (context, options) => leave(context, await host.signOut(visitOf(context), options)),
    async update(context, patch) {
      const { session, cookies } = await host.update(visitOf(context), patch);
      addCookies(context.response.headers as Headers, cookies);
      Object.assign(context.state, { session });
      return session;
    },
    check: host.check,
  };
}

/**
 * Reads the session of a request. It is not renewed: that is what the middleware is for.
 *
 * @param context The context, or a request.
 * @param config The same object that `OakAuth` got.
 * @returns The session, or `null` if nobody is signed in or the session cannot be read.
 */
export function getSession<S extends Session = Session>(
  context: OakContext | Request,
  config: SessionSource<S>,
): Promise<SessionOf<S> | null>;
export async function getSession(context: OakContext | Request, config: AuthConfigSource): Promise<Session | null> {
  return (await hostOf(config).read("request" in context ? visitOf(context) : context)).session;
}

// Without the body, which stays for the application.
function visitOf({ request }: OakContext): Request {
  const visit = visits.get(request) ??
    withoutBody({ url: request.url.href, method: request.method, headers: request.headers as Headers });
  visits.set(request, visit);
  return visit;
}

// Part by part: the npm package has its own `Response`, and accepts no other.
function send({ response }: OakContext, { status, headers, body }: Response): void {
  response.status = status;
  for (const [name, value] of headers) {
    if (name === "set-cookie") response.headers.append(name, value);
    else response.headers.set(name, value);
  }
  response.body = body;
}

/** The members of a request of Oak on Node that are used. */
interface Responder {
  respond?(response: Pick<Response, "status" | "statusText" | "body" | "headers">): Promise<void>;
}

// On Node, Oak sets each header by its name, so only the last of several cookies would reach the browser. `node:http`
// accepts a list as the value of one header.
function sendAllCookies(incoming: Responder = {}): void {
  const respond = incoming.respond?.bind(incoming);
  if (!respond) return;
  incoming.respond = async ({ status, statusText, body, headers }) => {
    const lines: (readonly [string, string | string[]])[] = [...headers].filter(([name]) => name !== "set-cookie");
    const cookies = headers.getSetCookie();
    if (cookies.length > 0) lines.push(["set-cookie", cookies]);
    // Oak only iterates over the headers.
    await respond({ status, statusText, body, headers: lines as unknown as Headers });
  };
}

// On Node, Oak has no Fetch `Request`.
function withBody({ request: { source, method, body } }: OakContext, visit: Request): Request {
  if (source) return source as Request;
  const sent = method === "GET" || method === "HEAD" ? null : body.stream;
  return sent ? new Request(visit, { body: sent as BodyInit, duplex: "half" } as RequestInit) : visit;
}
