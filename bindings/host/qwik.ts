/**
 * What the binding for Qwik City does on the server. Nothing of it is in the files for browsers.
 *
 * @module
 */
import type { AuthConfig, AuthConfigSource } from "../../src/contract/config.ts";
import { serializeCookie, type SetCookie } from "../../src/http/cookie_text.ts";
import { AuthError } from "../../src/kernel/errors.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import type { Session } from "../../src/kernel/model.ts";
import { ERROR_ROUTES } from "../../src/request/error_routes.ts";
import { keepPrivate } from "../../src/service/guard.ts";
import { visitToPage } from "./around.ts";
import {
  type AuthorizationParams,
  carry,
  createHost,
  hostsAt,
  type Move,
  type SentForm,
  type SessionReading,
  type SignInOptions,
  type SignOutOptions,
  withReading,
} from "./host.ts";

/** The members of an event of Qwik City that are used. */
export interface QwikEvent {
  /** The request. */
  readonly request: Request;
  /** The URL of the page, also where the router asks for its data. */
  readonly url: URL;
  /** The headers of the response. */
  readonly headers: Headers;
  /** Cookies of the response. */
  readonly cookie: { set(name: string, value: string): void; headers(): string[] };
  /** What is kept for one request. */
  readonly sharedMap: Map<string, unknown>;
  /** Makes what ends the request with a response, once it is thrown. */
  send(response: Response): unknown;
  /** Makes what ends the request with a redirect, once it is thrown. */
  redirect(status: 302, url: string): unknown;
  /** Sets the status. */
  status(code: number): unknown;
}

/** What a form posted that did not succeed. */
export interface QwikFailure {
  readonly failed: true;
  /** Why, such as `CredentialsSignin`. */
  readonly error: string;
  /** What a `CredentialsSignin` of yours says more. */
  readonly code?: string | undefined;
}

/** The service on the server. */
export interface QwikServer {
  onRequest(event: QwikEvent): Promise<void>;
  sessionOf(event: QwikEvent): Promise<Session | null>;
  signIn(
    event: QwikEvent,
    provider?: string,
    options?: SignInOptions | SentForm,
    params?: AuthorizationParams,
  ): Promise<string>;
  signOut(event: QwikEvent, options?: SignOutOptions): Promise<string>;
  update(event: QwikEvent, patch: Partial<Session>): Promise<Session | null>;
  /** Does what the form of `useSignIn` wants. */
  enter(event: QwikEvent, input: unknown): Promise<QwikFailure | undefined>;
  /** Does what the form of `useSignOut` wants. */
  leave(event: QwikEvent, input: unknown): Promise<QwikFailure | undefined>;
}

/** Chooses a configuration by the event. */
export type QwikSource = (event: QwikEvent) => AuthConfig | Promise<AuthConfig>;

/** What the optimizer of Qwik makes of a function. It loads the function once it is called. */
export interface Qrl<F> {
  resolve?(): Promise<F>;
}

/** What is known of the request of an event. */
interface State {
  readonly visit: Request;
  readonly reading: SessionReading;
  /** Whether no cache may keep the answer, whatever its handler says. */
  readonly isPrivate: boolean;
}

const SESSION = "session";
const NOTHING: SessionReading = { session: null, cookies: [], failed: false };

const states = new WeakMap<QwikEvent, State>();
const events = new WeakMap<Request, QwikEvent>();

/**
 * Makes the service.
 *
 * @param config Gives the configuration.
 * @param isShipped Whether the optimizer writes the function into the files for browsers.
 */
export function openQwik(config: QwikSource & Qrl<QwikSource>, isShipped = false): QwikServer {
  const host = createHost(sourceOf(config, isShipped), { basePath: "/auth" });
  const follow = (event: QwikEvent, { to, cookies }: Move, redirect: unknown): string => {
    change(event, NOTHING, cookies);
    return redirect === false ? to : redirectTo(event, to);
  };
  const server: QwikServer = {
    async onRequest(event) {
      const visit = visitOf(event);
      if (await host.isOwn(visit)) throw event.send(await host.answer(ownOf(visit, event.request)));
      const { method } = event.request;
      // What is posted may sign somebody out, after the session was renewed.
      const { denied, ...reading } = await host.admit(visit, { renew: method === "GET" || method === "HEAD" });
      if (denied) throw event.send(withReading(denied, reading));
      event.sharedMap.set(SESSION, reading.session);
      remember(event, { visit, reading, isPrivate: false });
    },
    async sessionOf(event) {
      const { sharedMap } = event;
      if (!sharedMap.has(SESSION)) throw new TypeError("Cannot read the session: export `onRequest` from a plugin");
      const session = sharedMap.get(SESSION) as Session | null;
      // Pages have the session in them, and what the router asks for in any case, whatever they say about caches.
      if (session) keepFromCaches(event);
      return session;
    },
    async signIn(event, provider, options, params) {
      const move = await host.signIn(visitOf(event), provider, options, params);
      return follow(event, move, (options as SignInOptions | undefined)?.redirect);
    },
    signOut: async (event, options) => follow(event, await host.signOut(visitOf(event), options), options?.redirect),
    async update(event, patch) {
      const reading = await host.update(visitOf(event), patch);
      change(event, reading, reading.cookies);
      return reading.session;
    },
    enter: (event, input) =>
      orFailure(event, () => {
        const { providerId, options, redirectTo, authorizationParams: params } = membersOf(input);
        const fields = textsOf({ redirectTo: textOf(redirectTo) ?? pageOf(event), ...membersOf(options) });
        const given = typeof params === "string" ? params : textsOf(membersOf(params));
        return server.signIn(event, textOf(providerId), fields, given);
      }),
    leave: (event, input) =>
      orFailure(
        event,
        () => server.signOut(event, { redirectTo: textOf(membersOf(input).redirectTo) ?? pageOf(event) }),
      ),
  };
  return server;
}

// A function that asks for nothing gives one configuration for all requests: it is called once.
function sourceOf(config: QwikSource & Qrl<QwikSource>, isShipped: boolean): AuthConfigSource {
  let only: Promise<AuthConfig> | undefined;
  // Without the optimizer nothing is shipped.
  let warns = isShipped && config.resolve !== undefined;
  const choose = async (event: QwikEvent): Promise<AuthConfig> => {
    // Called itself, because only so a function of the optimizer knows what stands around it.
    const chosen = await config(event);
    if (warns) createLogger(chosen).warn("config-in-browser", SHIPPED);
    warns = false;
    return chosen;
  };
  return async (request) => {
    if (only) return await only;
    const event = request && events.get(request);
    if (!event) throw new TypeError("Cannot choose a configuration: the request is none of Qwik City");
    const { length } = await config.resolve?.() ?? config;
    if (length > 0) return await choose(event);
    if (!only) {
      only = choose(event);
      only.catch(() => only = undefined);
    }
    return await only;
  };
}

const SHIPPED =
  "the function that `QwikAuth$` gets is in the files for browsers, with every secret that is written in it: " +
  "use `serverAuth$` instead";

/** Gives the visit of an event: for data, one to the page. A rewritten URL is a visit of its own. */
function visitOf(event: QwikEvent): Request {
  const { request, url } = event;
  const known = states.get(event)?.visit;
  if (known?.url === url.href) return known;
  const visit = isForData(event)
    ? visitToPage(request, url)
    : new Request(url, { method: request.method, headers: request.headers });
  states.set(event, { visit, reading: NOTHING, isPrivate: false });
  events.set(visit, event);
  return visit;
}

function ownOf(visit: Request, request: Request): Request {
  const own = visit.url === request.url ? request : new Request(visit.url, request);
  const event = events.get(visit);
  if (event) events.set(own, event);
  return own;
}

function isForData({ request }: QwikEvent): boolean {
  return new URL(request.url).pathname.endsWith("/q-data.json");
}

const waiting = new WeakSet<QwikEvent>();

// Qwik City sends the headers when somebody asks for the stream of the body. Until then handlers may change them, and they
// have the last word.
function remember(event: QwikEvent, state: State): void {
  states.set(event, state);
  const stream = event as { getWritableStream?: () => unknown };
  const open = stream.getWritableStream;
  if (waiting.has(event) || !open) return;
  waiting.add(event);
  stream.getWritableStream = () => {
    if (waiting.delete(event)) finish(event);
    return open();
  };
}

function finish(event: QwikEvent): void {
  const { reading: { session, cookies }, isPrivate } = states.get(event) ?? { reading: NOTHING, isPrivate: false };
  const own = event.cookie.headers();
  setLines(event, carry(own, cookies).filter((line) => !own.includes(line)));
  if (isPrivate || cookies.length > 0 || (session !== null && !event.headers.has("cache-control"))) {
    keepPrivate(event.headers);
  }
}

function keepFromCaches(event: QwikEvent): void {
  const state = states.get(event);
  if (state) states.set(event, { ...state, isPrivate: true });
}

function change(event: QwikEvent, { session }: SessionReading, cookies: readonly SetCookie[]): void {
  setLines(event, cookies.map(serializeCookie));
  event.sharedMap.set(SESSION, session);
  remember(event, { visit: visitOf(event), reading: { ...NOTHING, session }, isPrivate: true });
}

// The jar writes what it gets as value, and would drop attributes that it does not know.
function setLines({ cookie }: QwikEvent, lines: readonly string[]): void {
  for (const line of lines) {
    const at = line.indexOf("=");
    cookie.set(line.slice(0, at), line.slice(at + 1));
  }
}

// The router of Qwik goes where `Location` says, to another site too. It cannot follow a redirect there.
function redirectTo(event: QwikEvent, to: string): string {
  if (isForData(event)) {
    event.headers.set("location", to);
    return to;
  }
  // Without the URL, in which it would replace what it takes for a mistake.
  const redirect = event.redirect(302, "");
  event.headers.set("location", to);
  throw redirect;
}

// An action is posted to the page that has its form. With `Referer` the service finds the page as visitors see it, which a
// proxy may have at another path.
function pageOf({ request, url }: QwikEvent): string | undefined {
  if (request.headers.has("referer")) return undefined;
  const query = new URLSearchParams(url.search);
  query.delete("qaction");
  return url.pathname + (query.size > 0 ? `?${query}` : "");
}

async function orFailure(event: QwikEvent, act: () => Promise<unknown>): Promise<QwikFailure | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    const { query, status } = ERROR_ROUTES[error.type];
    const { code } = error as { readonly code?: string };
    event.status(error.type === "CredentialsSignin" ? 401 : status);
    // Qwik would write the form into the page, with the password that was typed.
    event.sharedMap.delete("@actionFormData");
    keepFromCaches(event);
    return { failed: true, error: query, ...(code !== undefined && { code }) };
  }
}

// A visitor wrote it.
function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function textsOf(members: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(members).filter(([, value]) => ["string", "number", "boolean"].includes(typeof value));
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value)]));
}

const hostOf = hostsAt({ basePath: "/auth" });

/** Reads the session of a request or an event with the service of a configuration, without renewal. */
export async function readSession(given: Request | QwikEvent, config: AuthConfig): Promise<Session | null> {
  return (await hostOf(config).read("sharedMap" in given ? visitOf(given) : given)).session;
}
