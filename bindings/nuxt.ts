/**
 * The binding for Nuxt, and for Nitro with h3 1.
 *
 * @example Usage
 * ```ts
 * import { NuxtAuth } from "@x/auth/nuxt";
 * import { github } from "@x/auth/providers/github";
 *
 * // server/utils/auth.ts
 * export const auth = NuxtAuth({ providers: [github()], protect: ["/members/*"] });
 * // server/middleware/auth.ts: export default defineEventHandler(auth.middleware);
 * ```
 *
 * @module
 */
import type { AuthConfigSource } from "../src/contract/config.ts";
import type { ConfigSourceOf, FieldsByIdOf, SessionOf, SessionSource, TokenOf } from "../src/contract/infer.ts";
import { type NodeRequest, webRequest } from "../src/node.ts";
import type { RequireOptions } from "../src/service/require.ts";
import type { Actions } from "./host/around.ts";
import { hostsAt, type Visit, withReading } from "./host/host.ts";
import { keepOut, setReading, visitOf } from "./host/node.ts";
import { nodeActions, type NodeAnswer, requireOrAnswer } from "./host/node_actions.ts";
import { isShared, pageOf, refuse, seenOf } from "./host/nuxt.ts";
import { isPrerendered, NITRO_REMEDY, withoutSession } from "./host/static_page.ts";
import type { Adapter, FieldsById, JWT, ProviderInput, Session, Strategy, Typed } from "./host/types.ts";

export type { NodeHeaders } from "./host/node.ts";
export type * from "./host/public.ts";

/** The members of a response of `node:http` that are used. */
export type NuxtResponse = NodeAnswer;

/** The members of an event of h3 that are used. */
export interface NuxtEvent {
  /** The request and the response of `node:http`. */
  readonly node: { readonly req: NodeRequest; readonly res: NuxtResponse };
  /** The target of the request, by which h3 chooses a handler. */
  readonly path?: string | undefined;
  /** What is kept for one request. The middleware sets `session`. */
  readonly context: object;
}

/** The members of `event.context` that the middleware sets. */
export interface NuxtAuthContext<S = Session> {
  /** The session; `null` if nobody is signed in. */
  session: S | null;
}

/**
 * The service for Nuxt. Its `signIn` and `signOut` give the URL to go to, and with `redirect: false` they only set the
 * cookies.
 */
export interface NuxtAuthService<S = Session, F = FieldsById, T = JWT>
  extends Typed<S, F, T>, Omit<Actions<NuxtEvent, S, F, string>, "require"> {
  /**
   * Answers the paths of the service. For all others it sets `event.context.session`, renews the session, and denies what
   * `protect` and `callbacks.authorized` do not allow. Where a route rule caches answers, the session is `null`.
   */
  readonly middleware: (event: NuxtEvent) => Promise<Response | void>;
  /**
   * Makes a hook that lets only those pass whose sign-in does:
   * `defineEventHandler({ onRequest: [auth.require({ level: 2 })], handler })`. It sets `event.context.session`. Pages of all
   * others are redirected, everything else gets 401; while storage fails, the error has the status 503.
   */
  require(options?: RequireOptions): (event: NuxtEvent) => Promise<void>;
}

const hostOf = hostsAt({ basePath: "/auth", framework: "nuxt" });

function knownVisit({ node: { req } }: NuxtEvent): Visit | null {
  try {
    return visitOf(req);
  } catch {
    return null;
  }
}

/**
 * Makes the service for Nuxt.
 *
 * @param config The configuration, or a function that chooses one for each request.
 */
export function NuxtAuth<
  const P extends readonly ProviderInput<Id>[],
  T extends JWT,
  S extends Session,
  Id extends string,
  N extends Strategy | undefined = never,
  A extends Adapter | undefined = never,
>(config: ConfigSourceOf<P, T, S, N, A>): NuxtAuthService<SessionOf<S>, FieldsByIdOf<P>, TokenOf<T>>;
export function NuxtAuth(config: AuthConfigSource): Omit<NuxtAuthService, "$infer"> {
  const host = hostOf(config);
  const actions = nodeActions(host);
  return {
    async middleware(event) {
      const { context, node: { req, res } } = event;
      const visit = knownVisit(event);
      if (!visit) return refuse(res);
      if (await host.isOwn(visit)) return await host.answer(webRequest(req));
      const shared = isShared(context, visit);
      const { denied, ...reading } = await host.admit(pageOf(visit), seenOf(event), { renew: !shared });
      if (denied) return withReading(denied, reading);
      setReading(res, reading);
      // A guarded page is for members only: caches in front do not check the guard.
      if (shared && reading.session) keepOut(res);
      const { session } = reading;
      const isStatic = isPrerendered(visit.headers, Boolean(req.socket.remoteAddress));
      if (isStatic && !session) withoutSession(context, new URL(pageOf(visit).url).pathname, NITRO_REMEDY);
      else Object.assign(context, { session: shared ? null : session });
    },
    require: (options) => async ({ context, node: { req, res } }) => {
      const session = await requireOrAnswer(host, { visit: visitOf(req), response: res }, options);
      if (session) Object.assign(context, { session });
    },
    signIn: ({ node: { req, res } }, ...rest) => actions.signIn(req, res, ...rest),
    signOut: ({ node: { req, res } }, options) => actions.signOut(req, res, options),
    async update({ node: { req, res }, context }, patch) {
      const session = await actions.update(req, res, patch);
      Object.assign(context, { session });
      return session;
    },
    check: actions.check,
  };
}

/**
 * Reads the session of a request. It is not renewed: that is what the middleware is for.
 *
 * @param event The event, or a request.
 * @param config The same object that `NuxtAuth` got.
 * @returns The session, or `null` if nobody is signed in or the session cannot be read.
 */
export function getSession<S extends Session = Session>(
  event: NuxtEvent | Request,
  config: SessionSource<S>,
): Promise<SessionOf<S> | null>;
export async function getSession(event: NuxtEvent | Request, config: AuthConfigSource): Promise<Session | null> {
  return (await hostOf(config).read("node" in event ? visitOf(event.node.req) : event)).session;
}
