/**
 * The binding for Fastify 5.
 *
 * @example Usage
 * ```ts
 * import { FastifyAuth, type FastifyReply, type FastifyRequest } from "@x/auth/fastify";
 * import { github } from "@x/auth/providers/github";
 *
 * const auth = FastifyAuth({ providers: [github()], protect: ["/members/*"] });
 * // app.register(auth);
 *
 * function home(request: FastifyRequest, _reply: FastifyReply): string {
 *   return `Hello ${request.session?.user?.name ?? "stranger"}`;
 * }
 * // app.get("/", home);
 * ```
 *
 * @module
 */
import type { AuthConfigSource } from "../src/contract/config.ts";
import type { ConfigSourceOf, FieldsByIdOf, SessionOf, SessionSource, TokenOf } from "../src/contract/infer.ts";
import type { SessionPatch } from "../src/kernel/inferred.ts";
import { nodeListener } from "../src/node.ts";
import {
  type FastifyApplication,
  type FastifyReply,
  type FastifyRequest,
  finishReply,
  type ReplyState,
} from "./host/fastify.ts";
import {
  hostsAt,
  isStepUp,
  type RedirectWithCookies,
  type SignInOptions,
  type SignOutOptions,
  withReading,
} from "./host/host.ts";
import { seenOf, visitOf } from "./host/node.ts";
import { asHttpError, type NodeActions } from "./host/node_actions.ts";
import type { RequireOptions } from "../src/service/require.ts";
import type { Adapter, FieldsById, JWT, ProviderInput, Session, Strategy, Typed } from "./host/types.ts";

export type { FastifyApplication, FastifyReply, FastifyRequest };
export type { ReplyHeaders } from "./host/fastify.ts";
export type * from "./host/public.ts";

/** The service for Fastify: a plugin, with functions that act for a request to the application. */
export interface FastifyAuthPlugin<S = Session, F = FieldsById, T = JWT>
  extends Omit<NodeActions<FastifyRequest, FastifyReply, S, F>, "update">, Typed<S, F, T> {
  /**
   * Answers the paths of the service. For all others it sets `request.session`, renews the session, and denies what
   * `protect` and `callbacks.authorized` do not allow. Register it above the routes that need it, and on the application:
   * a plugin with its own scope cannot register it, and the start fails.
   */
  (app: FastifyApplication): Promise<void>;
  /**
   * Makes a hook that lets only those pass whose sign-in does:
   * `app.get("/admin", { onRequest: auth.require({ level: 2 }) }, handler)`. Pages of all others are redirected, everything
   * else gets 401; while storage fails, the error has the status 503.
   */
  require(options?: RequireOptions): (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Changes the session. `callbacks.jwt` gets `patch` as `session`. */
  update(request: FastifyRequest, patch: SessionPatch<S>): Promise<S | null>;
}

const hostOf = hostsAt({ basePath: "/auth" });

/**
 * Makes the service for Fastify.
 *
 * @param config The configuration, or a function that chooses one for each request.
 */
export function FastifyAuth<
  const P extends readonly ProviderInput<Id>[],
  T extends JWT,
  S extends Session,
  Id extends string,
  N extends Strategy | undefined = never,
  A extends Adapter | undefined = never,
>(config: ConfigSourceOf<P, T, S, N, A>): FastifyAuthPlugin<SessionOf<S>, FieldsByIdOf<P>, TokenOf<T>>;
export function FastifyAuth(
  config: AuthConfigSource,
): ((app: FastifyApplication) => Promise<void>) & Omit<FastifyAuthPlugin, "$infer"> {
  const host = hostOf(config);
  const states = new WeakMap<object, ReplyState>();
  const stateOf = ({ raw }: FastifyRequest): ReplyState => {
    const state = states.get(raw);
    if (!state) throw new TypeError("Cannot act for a request: the plugin is not registered above its route");
    return state;
  };
  const leave = (
    request: FastifyRequest,
    reply: FastifyReply,
    { to, cookies }: RedirectWithCookies,
    redirect: unknown,
  ): string => {
    stateOf(request).changed.push(...cookies);
    if (redirect !== false) reply.code(302).header("location", to).send();
    return to;
  };
  const plugin = (app: FastifyApplication): Promise<void> => {
    if (hasOwnScope(app)) return Promise.reject(new TypeError(OWN_SCOPE));
    if (!app.hasRequestDecorator("session")) app.decorateRequest("session", null);
    app.addHook("onRequest", async (request: FastifyRequest, reply: FastifyReply) => {
      const visit = visitOf(request.raw);
      if (await host.isOwn(visit)) return pass(request, reply, host.answer);
      const { denied, ...reading } = await host.admit(visit, seenOf(request.raw));
      if (denied) return pass(request, reply, () => Promise.resolve(withReading(denied, reading)));
      states.set(request.raw, { visit, reading, changed: [] });
      request.session = reading.session;
    });
    app.addHook("onSend", (request: FastifyRequest, reply: FastifyReply) => {
      const state = states.get(request.raw);
      return Promise.resolve(state && finishReply(reply, state));
    });
    return Promise.resolve();
  };
  return Object.assign(plugin, {
    // Without it, the hooks would apply to the routes of this plugin only, and it has none.
    [Symbol.for("skip-override")]: true,
    signIn: async (...[request, reply, provider, options = {}, params]: Parameters<FastifyAuthPlugin["signIn"]>) => {
      const move = await host.signIn(stateOf(request).visit, provider, options, params);
      return leave(request, reply, move, (options as SignInOptions).redirect);
    },
    signOut: async (request: FastifyRequest, reply: FastifyReply, options: SignOutOptions = {}) => {
      return leave(request, reply, await host.signOut(stateOf(request).visit, options), options.redirect);
    },
    require: (options?: RequireOptions) => async (request: FastifyRequest, reply: FastifyReply) => {
      try {
        request.session = await host.require(stateOf(request).visit, options);
      } catch (error) {
        if (!isStepUp(error)) throw asHttpError(error);
        pass(request, reply, () => Promise.resolve(error.response()));
      }
    },
    update: async (request: FastifyRequest, patch: SessionPatch<Session>) => {
      const { session, cookies } = await host.update(stateOf(request).visit, patch);
      stateOf(request).changed.push(...cookies);
      return request.session = session;
    },
    check: host.check,
  });
}

const OWN_SCOPE =
  "Cannot register FastifyAuth within a plugin: Fastify would not call it for other routes, so the service " +
  "would not be found, and `protect` would guard nothing outside of the plugin. Register it on the application itself, or " +
  "export it as the plugin (`export default FastifyAuth(config)`), or wrap your plugin with `fastify-plugin`";

// Fastify gives each plugin an object that inherits from the application, unless the plugin opts out of its own scope.
function hasOwnScope(app: FastifyApplication): boolean {
  return "addHook" in Object.getPrototypeOf(app);
}

// Headers that earlier hooks have set, such as those of CORS, are sent too.
function pass(request: FastifyRequest, reply: FastifyReply, handler: (request: Request) => Promise<Response>): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, Array.isArray(value) ? value : String(value));
  }
  reply.hijack();
  nodeListener(handler)(request.raw, reply.raw);
}

/**
 * Reads the session of a request. It is not renewed: that is what the plugin is for.
 *
 * @param request The request.
 * @param config The same object that `FastifyAuth` got.
 * @returns The session, or `null` if nobody is signed in or the session cannot be read.
 */
export function getSession<S extends Session = Session>(
  { raw }: Pick<FastifyRequest, "raw">,
  config: SessionSource<S>,
): Promise<SessionOf<S> | null>;
export async function getSession(
  { raw }: Pick<FastifyRequest, "raw">,
  config: AuthConfigSource,
): Promise<Session | null> {
  return (await hostOf(config).read(visitOf(raw))).session;
}
