/**
 * The faces of the service: a handler for the web, and functions that act for a request.
 *
 * @module
 */
import type { AuthorizationParams, SignInOptions, SignOutOptions } from "./service/actions.ts";
import type { AuthConfig, AuthConfigSource } from "./contract/config.ts";
import type { ConnectionInfo } from "./request/context.ts";
import { createEngine, type Engine, type Settled } from "./service/engine.ts";
import { type AuthFunction, authFunction, type Handler, type SessionHandler } from "./service/guard.ts";
import type { SetCookie } from "./http/cookie_text.ts";
import type { Session } from "./kernel/model.ts";
import { respond } from "./service/respond.ts";

export type {
  AuthFunction,
  AuthorizationParams,
  ConnectionInfo,
  Handler,
  SessionHandler,
  Settled,
  SignInOptions,
  SignOutOptions,
};

/** The service. */
export interface Auth {
  /** Answers every request below `basePath`. */
  readonly handler: Handler;
  /** The same handler by method, for file-based routers. */
  readonly handlers: { readonly GET: Handler; readonly POST: Handler };
  /** Reads a session, or wraps a handler so that it is given one. */
  readonly auth: AuthFunction;
  /**
   * Starts a sign-in and reports where to go instead of redirecting.
   *
   * @throws {MissingCSRF} if another site made the browser send the request: its `Origin` or `Sec-Fetch-Site` says so.
   * Only a visit may come from anywhere, where no more is done than leading on to a provider or to the sign-in page.
   * An account is added to whoever is signed in only where a page of this site posted the request.
   */
  signIn(
    request: Request,
    provider: string | undefined,
    options: SignInOptions & { redirect: false },
    params?: AuthorizationParams,
  ): Promise<Settled<string>>;
  /**
   * Starts a sign-in and answers with the redirect. Without a provider it leads to the sign-in page. Of a `FormData` all
   * members are fields that a visitor sent, `redirectTo` and `callbackUrl` excepted, which say where to go.
   *
   * @throws {MissingCSRF} as the form above.
   */
  signIn(
    request: Request,
    provider?: string,
    options?: SignInOptions | FormData,
    params?: AuthorizationParams,
  ): Promise<Response>;
  /**
   * Ends the session and reports where to go instead of redirecting.
   *
   * @throws {MissingCSRF} if another site made the browser send the request. Browsers that tell nothing of it can be led
   * here by a link, so take requests that a form posts.
   */
  signOut(request: Request, options: SignOutOptions & { redirect: false }): Promise<Settled<string>>;
  /**
   * Ends the session and answers with the redirect.
   *
   * @throws {MissingCSRF} as the form above.
   */
  signOut(request: Request, options?: SignOutOptions): Promise<Response>;
  /**
   * Changes the session of the request: `patch` reaches the `jwt` callback as `session`.
   *
   * @throws {MissingCSRF} if another site made the browser send the request.
   */
  update(request: Request, patch: Partial<Session>): Promise<Settled<Session | null>>;
  /** The same as {@linkcode Auth.update}, under the name it has elsewhere. */
  unstable_update(request: Request, patch: Partial<Session>): Promise<Settled<Session | null>>;
}

/**
 * Creates the authentication service.
 *
 * Nothing happens before the first request: no environment is read, no key is derived. Where it is deployed, set the
 * environment variable `AUTH_URL` to the address of the site.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { github } from "@x/auth/providers/github";
 *
 * const { handler } = createAuth({ providers: [github()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param config The configuration, or a function that chooses one for each request.
 * @returns The handler and the functions that act on behalf of a request. `signIn`, `signOut` and `update` throw an
 * {@linkcode AuthError} when they fail; the handler never throws.
 */
export function createAuth(config: AuthConfigSource): Auth {
  return faceOf(createEngine(config));
}

let room: typeof import("./service/actions.ts") | undefined;

async function acting(): Promise<typeof import("./service/actions.ts")> {
  return room ??= await import("./service/actions.ts");
}

function faceOf(engine: Engine): Auth {
  const handler: Handler = async (request, info) => await respond(await engine.run(request, info));
  const update: Auth["update"] = async (request, patch) => (await acting()).actUpdate(engine, request, patch);
  return Object.freeze({
    handler,
    handlers: Object.freeze({ GET: handler, POST: handler }),
    auth: authFunction(engine),
    // The overloads say which options give which answer; the compiler cannot follow that into one function.
    signIn: (async (request, provider, options = {}, params) => {
      return (await acting()).actSignIn(engine, request, provider, options, params);
    }) as Auth["signIn"],
    signOut: (async (request, options = {}) =>
      (await acting()).actSignOut(engine, request, options)) as Auth["signOut"],
    update,
    unstable_update: update,
  });
}

/** What {@linkcode Auth} gives when `config.raw` is set: the parts of a response. */
export interface RawResponse {
  /** The status, unless it is a redirect. */
  readonly status?: number;
  /** Where the browser is sent. */
  readonly redirect?: string;
  /** The body: data as a value, pages as text. */
  readonly body?: unknown;
  /** Headers of the response. */
  readonly headers?: Headers;
  /** Cookies to set. */
  readonly cookies?: readonly SetCookie[];
}

const engines = new WeakMap<AuthConfig, Engine>();

/**
 * Answers one request: the form that bindings of web frameworks call.
 *
 * The same configuration object gives the same service, so nothing is resolved twice.
 *
 * @example Usage
 * ```ts
 * import { Auth } from "@x/auth";
 * import assert from "node:assert/strict";
 *
 * const config = { providers: [], secret: "a random text of at least 32 characters", trustHost: true };
 * const response = await Auth(new Request("http://localhost/auth/session"), config);
 * assert.equal(await response.json(), null);
 * ```
 *
 * @param request The request, below `basePath`.
 * @param config The configuration.
 * @returns The response; with `raw`, its parts.
 * @throws {AuthError} with `raw` only, unless the request asks to be told of redirects.
 */
export function Auth(request: Request, config: AuthConfig & { raw: symbol }): Promise<RawResponse>;
/** Answers one request with a response. */
export function Auth(request: Request, config: AuthConfig): Promise<Response>;
export async function Auth(request: Request, config: AuthConfig): Promise<Response | RawResponse> {
  const engine = engines.get(config) ?? createEngine(config);
  engines.set(config, engine);
  const answer = await engine.run(request);
  if (config.raw?.description !== "return-type-raw") return await respond(answer);
  if (answer.error && !answer.tellRedirect) throw answer.error;
  const { outcome, cookies } = answer;
  if (outcome.kind === "redirect") return { redirect: outcome.to, cookies };
  if (outcome.kind === "constant") return { status: 200, body: outcome.body, cookies };
  if (outcome.kind === "json") return { status: outcome.status, body: outcome.body, cookies };
  const response = await respond({ ...answer, cookies: [] });
  return { status: response.status, headers: response.headers, body: await response.text(), cookies };
}
