/**
 * The common part of all bindings: the service for one framework.
 *
 * @module
 */
import { relatedOriginsAt } from "../../src/config/related_origins.ts";
import type { AuthConfigSource } from "../../src/contract/config.ts";
import type { LazyRequest } from "../../src/http/request_like.ts";
import { serializeCookie, type SetCookie } from "../../src/http/cookie_text.ts";
import { mergeSetCookie } from "../../src/http/merge_cookies.ts";
import { StepUpRequired } from "../../src/kernel/errors.ts";
import type { SessionPatch } from "../../src/kernel/inferred.ts";
import type { Session } from "../../src/kernel/model.ts";
import { once } from "../../src/kernel/load.ts";
import { parseRoute } from "../../src/kernel/route_path.ts";
import { type Runtime, systemRuntime } from "../../src/kernel/runtime.ts";
import type { AuthorizationParams, SentForm, SignInOptions, SignOutOptions } from "../../src/service/actions.ts";
import { type Admission, authorizeRequest, read, type SessionReading } from "../../src/service/guard.ts";
import { createEngine, handlerOf, type Settled } from "../../src/service/engine.ts";
import type { Seen } from "../../src/http/readings.ts";
import { keepPrivate } from "../../src/http/with_cookies.ts";
import { noteGuard } from "../../src/service/configured.ts";
import { actions, checks, requirements } from "../../src/service/functions.ts";
import type { RequireOptions } from "../../src/service/require.ts";
import type { ENV_HINTS } from "./env_hints.ts";
import { mountAt } from "./mount.ts";

export type { Admission, Seen, SessionReading };
export type * from "./public.ts";

const envHints = once(() => import("./env_hints.ts"));

/** Where a framework has the service. */
export interface HostOptions {
  /** The path of the service if neither the option `basePath` nor `AUTH_URL` names one. */
  readonly basePath: string;
  /** The path at which the routes of the framework have it. @default `basePath` */
  readonly mounted?: string | undefined;
  /** The framework, if the log can say what it does with a file `.env`. */
  readonly framework?: keyof typeof ENV_HINTS | undefined;
  /** @default the system */
  readonly runtime?: Runtime | undefined;
  /**
   * Whether the service can be mounted without its guard. The code that mounts the guard then calls {@linkcode Host.guards}.
   *
   * @default {false}
   */
  readonly guardApart?: boolean | undefined;
}

/** Where the browser goes next, and the cookies to set. */
export interface RedirectWithCookies {
  /** An absolute URL. */
  readonly to: string;
  /** Cookies to set on the response. */
  readonly cookies: readonly SetCookie[];
}

/** How a framework reads the path of a request that it routes by the URL alone, as `URL` parses it. */
export const BY_URL: Seen = { target: null, routes: [] };

/** A request to the application: a `Request`, or an object that becomes one only if it is needed. */
export type Visit = Request | LazyRequest;

/**
 * The service for one framework. Each visit is one object: give the same object to all functions that act for the
 * visit, so that its session is read and renewed once.
 */
export interface Host {
  /** Whether a request is for the service itself, at its path or where browsers look for related origins. */
  isOwn(visit: Visit): Promise<boolean>;
  /** Answers a request for the service. Never throws. */
  answer(request: Request): Promise<Response>;
  /**
   * Reads the session. Never throws: while storage fails there is none, and `failed` is `true`.
   *
   * @param options With `renew` a session that is due is renewed: set the cookies. @default no renewal
   */
  read(visit: Visit, options?: { readonly renew?: boolean }): Promise<SessionReading>;
  /**
   * Reads the session, and decides by `protect` and `authorized` whether the request may pass. Never throws.
   *
   * @param seen How the server and the framework read the path. The guard judges all of it.
   * @param options Without `renew: false` a session that is due is renewed: set the cookies.
   */
  admit(visit: Visit, seen: Seen, options?: { readonly renew?: boolean }): Promise<Admission>;
  /**
   * Gives the session if its sign-in does. Storage is asked again, whatever was read for the visit before.
   *
   * @throws {StepUpRequired} if it does not. @throws {AuthError} if it cannot be determined.
   */
  require(visit: Visit, options?: RequireOptions): Promise<Session>;
  /** Starts a sign-in. @throws {AuthError} if it fails, `MissingCSRF` if another site sent the request. */
  signIn(
    visit: Visit,
    provider?: string,
    options?: SignInOptions | SentForm,
    params?: AuthorizationParams,
  ): Promise<RedirectWithCookies>;
  /** Ends the session. @throws {AuthError} if it fails, `MissingCSRF` if another site sent the request. */
  signOut(visit: Visit, options?: SignOutOptions): Promise<RedirectWithCookies>;
  /** Changes the session. @throws {AuthError} if it fails, `MissingCSRF` if another site sent the request. */
  update(visit: Visit, patch: SessionPatch<Session>): Promise<SessionReading>;
  /** Notes that the application has mounted the guard. */
  guards(): void;
  /** Checks the service. @throws {InvalidConfig} with all `problems`, if there is any. */
  check(request?: Request): Promise<void>;
}

/** Makes the service for a framework. Nothing happens before the first request. */
export function createHost(
  source: AuthConfigSource,
  { basePath, mounted, framework, runtime = systemRuntime, guardApart = false }: HostOptions,
): Host {
  const envHint = framework && (async () => (await envHints()).ENV_HINTS[framework]);
  const engine = createEngine(source, runtime, { ...mountAt(basePath, mounted), envHint });
  if (!guardApart) noteGuard(source);
  const visits = new WeakMap<Visit, KnownVisit>();
  const ended = new WeakSet<Visit>();

  function remember(visit: Visit, reading: Promise<SessionReading>, renews: boolean): Promise<SessionReading> {
    visits.set(visit, { reading, renews });
    return reading;
  }

  // The request still has the old cookies: reading them again would bring back a session that has ended.
  function settle(visit: Visit, session: Session | null): void {
    void remember(visit, Promise.resolve({ session, cookies: [], failed: false }), true);
    if (session === null) ended.add(visit);
    else ended.delete(visit);
  }

  return {
    async isOwn(visit) {
      const ctx = await engine.open(visit).catch(() => null);
      if (ctx === null) return false;
      const { url: { pathname }, config } = ctx;
      return parseRoute(pathname, config.basePath) !== null || relatedOriginsAt(pathname, config).length > 0;
    },
    answer: handlerOf(engine),
    async read(visit, { renew = false } = {}) {
      const known = visits.get(visit);
      if (known && (known.renews || !renew)) return await known.reading;
      return await remember(visit, read(engine, visit, renew), renew);
    },
    async admit(visit, seen, { renew = true } = {}) {
      const admission = authorizeRequest(engine, visit, seen, renew);
      await remember(visit, admission.then(({ denied: _, isClosed: __, ...reading }) => reading), renew);
      return await admission;
    },
    async require(visit, options) {
      const { refuseSignedOut, requireFor } = await requirements();
      return await (ended.has(visit) ? refuseSignedOut : requireFor)(engine, visit, options);
    },
    async signIn(visit, provider, options = {}, params) {
      const { signInFor } = await actions();
      const move = redirectOf(await signInFor(engine, visit, { provider, options, params, settled: true }));
      if (move.cookies.length > 0) settle(visit, (await visits.get(visit)?.reading)?.session ?? null);
      return move;
    },
    async signOut(visit, options = {}) {
      const { signOutFor } = await actions();
      const move = redirectOf(await signOutFor(engine, visit, { redirectTo: options.redirectTo, redirect: false }));
      settle(visit, null);
      return move;
    },
    async update(visit, patch) {
      const { value: session, cookies } = await (await actions()).updateFor(engine, visit, patch);
      settle(visit, session);
      return { session, cookies, failed: false };
    },
    guards: () => noteGuard(source),
    check: async (request) => (await checks()).checkService(engine, request),
  };
}

/** Makes a function that gives the service of a configuration: always the same one for the same object. */
export function hostsAt(options: HostOptions): (config: AuthConfigSource) => Host {
  const hosts = new WeakMap<object, Host>();
  return (config) => {
    const host = hosts.get(config) ?? createHost(config, options);
    hosts.set(config, host);
    return host;
  };
}

/** What is known of the session of a visit. */
interface KnownVisit {
  readonly reading: Promise<SessionReading>;
  /** Whether the session was renewed, or must not be any more. */
  readonly renews: boolean;
}

function redirectOf(settled: Response | Settled<string>): RedirectWithCookies {
  if (!("value" in settled)) throw new TypeError("Cannot go on: the answer is not a redirect");
  return { to: settled.value, cookies: settled.cookies };
}

/**
 * Copies a request without its body, which stays for the framework. The method stays too: by it the service tells a link
 * from a form.
 */
export function withoutBody({ url, method, headers }: Pick<Request, "url" | "method" | "headers">): Request {
  return new Request(url, { method, headers });
}

/** Answers in place of a handler that `require` has ended. */
export async function orStepUp(run: () => Response | Promise<Response>): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    if (isStepUp(error)) return error.response();
    throw error;
  }
}

/** Throws something else in place of a refusal: what the framework makes an answer of. */
export async function refusing<T>(required: Promise<T>, answer: (error: StepUpRequired) => unknown): Promise<T> {
  try {
    return await required;
  } catch (error) {
    throw isStepUp(error) ? answer(error) : error;
  }
}

/** Whether an error says that the session does not do. Bundlers may load a class twice, so it is known by its type. */
export function isStepUp(error: unknown): error is StepUpRequired {
  return error instanceof StepUpRequired ||
    (error instanceof Error && (error as { readonly type?: unknown }).type === "StepUpRequired");
}

/** Merges `Set-Cookie` lines of the application with renewed cookies. Where both set a cookie, the application wins. */
export function mergeRenewedCookies(own: readonly string[], cookies: readonly SetCookie[]): string[] {
  return mergeSetCookie(cookies.map(serializeCookie), own);
}

/**
 * Adds the result of reading the session to a response of the application. No cache may store a response with cookies.
 * None may store a response for a signed-in user either, unless the response has its own `Cache-Control`.
 *
 * @returns The response itself if nothing changes, otherwise a new one whose headers nothing else holds.
 */
export function withReading(
  response: Response,
  { session, cookies }: Pick<SessionReading, "session" | "cookies">,
): Response {
  // Responses below 200, such as that of a WebSocket, cannot be copied.
  if (response.status < 200 || !isPrivate(response.headers, { session, cookies })) return response;
  const headers = new Headers([...response.headers]);
  addReading(headers, { session, cookies });
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

/** Adds the result of reading the session to headers of the application, as {@linkcode withReading} does. */
export function addReading(headers: Headers, reading: Pick<SessionReading, "session" | "cookies">): void {
  if (!isPrivate(headers, reading)) return;
  setLines(headers, mergeRenewedCookies(headers.getSetCookie(), reading.cookies));
}

/** Adds cookies that replace those of the same name: those of a sign-in, a sign-out or a change of the session. */
export function addCookies(headers: Headers, cookies: readonly SetCookie[]): void {
  if (cookies.length === 0) return;
  setLines(headers, mergeSetCookie(headers.getSetCookie(), cookies.map(serializeCookie)));
}

function setLines(headers: Headers, lines: readonly string[]): void {
  headers.delete("set-cookie");
  for (const line of lines) headers.append("set-cookie", line);
  keepPrivate(headers);
}

function isPrivate(headers: Headers, { session, cookies }: Pick<SessionReading, "session" | "cookies">): boolean {
  return cookies.length > 0 || (session !== null && !headers.has("cache-control"));
}

/** Makes a redirect with cookies. */
export function redirectWith({ to, cookies }: RedirectWithCookies): Response {
  return withReading(new Response(null, { status: 302, headers: new Headers({ location: to }) }), {
    session: null,
    cookies,
  });
}
