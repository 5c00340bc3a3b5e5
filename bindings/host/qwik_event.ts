/**
 * An event of Qwik City: the visit that it stands for, and the answer that comes of it.
 *
 * @module
 */
import { serializeCookie, type SetCookie } from "../../src/http/cookie_text.ts";
import type { Session } from "../../src/kernel/model.ts";
import { keepPrivate } from "../../src/http/with_cookies.ts";
import { visitToPage } from "./around.ts";
import { mergeRenewedCookies, type SessionReading } from "./host.ts";

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

/** What is known about the request of an event. */
interface State {
  readonly visit: Request;
  readonly reading: SessionReading;
  /** Whether no cache may store the response, even if its handler allows it. */
  readonly isPrivate: boolean;
}

/** Where handlers find the session. */
export const SESSION = "session";
const NOTHING: SessionReading = { session: null, cookies: [], failed: false };

const states = new WeakMap<QwikEvent, State>();
const events = new WeakMap<Request, QwikEvent>();

/** Gives the event of a visit. @throws {TypeError} if there is none. */
export function eventOf(visit: Request | undefined): QwikEvent {
  const event = visit && events.get(visit);
  if (!event) throw new TypeError("Cannot choose a configuration: the request is not one of Qwik City");
  return event;
}

/** Gives the visit of an event: for data, one to the page. A rewritten URL is another visit. */
export function visitOf(event: QwikEvent): Request {
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

/** Gives the request of a visit with its body, for the service. */
export function ownOf(visit: Request, request: Request): Request {
  const own = visit.url === request.url ? request : new Request(visit.url, request);
  const event = events.get(visit);
  if (event) events.set(own, event);
  return own;
}

function isForData({ request }: QwikEvent): boolean {
  return new URL(request.url).pathname.endsWith("/q-data.json");
}

const waiting = new WeakSet<QwikEvent>();

/**
 * Remembers what determines the headers of the response. Qwik City sends them when the stream of the body is requested.
 * Until then handlers may change them, and the handlers' values win.
 */
export function remember(event: QwikEvent, state: State): void {
  states.set(event, state);
  if (!isAwaited(event)) finish(event);
}

// Some versions of Qwik City freeze their events. With these the headers are set at once.
function isAwaited(event: QwikEvent): boolean {
  if (waiting.has(event)) return true;
  const stream = event as { getWritableStream?: () => unknown };
  const open = stream.getWritableStream;
  if (!open || Object.isFrozen(event)) return false;
  waiting.add(event);
  stream.getWritableStream = () => {
    if (waiting.delete(event)) finish(event);
    return open();
  };
  return true;
}

function finish(event: QwikEvent): void {
  const { reading: { session, cookies }, isPrivate } = states.get(event) ?? { reading: NOTHING, isPrivate: false };
  const own = event.cookie.headers();
  setLines(event, mergeRenewedCookies(own, cookies).filter((line) => !own.includes(line)));
  if (isPrivate || cookies.length > 0 || (session !== null && !event.headers.has("cache-control"))) {
    keepPrivate(event.headers);
  }
}

/** Keeps the response out of caches, even if its handler allows it. */
export function keepFromCaches(event: QwikEvent): void {
  const state = states.get(event);
  if (state) remember(event, { ...state, isPrivate: true });
}

/** Sets cookies that change the session, which is another one from now on. */
export function changeSession(event: QwikEvent, session: Session | null, cookies: readonly SetCookie[]): void {
  const visit = visitOf(event);
  setLines(event, cookies.map(serializeCookie));
  event.sharedMap.set(SESSION, session);
  remember(event, { visit, reading: { ...states.get(event)?.reading ?? NOTHING, session }, isPrivate: true });
}

// The jar writes what it gets as value, and would drop attributes that it does not know.
function setLines({ cookie }: QwikEvent, lines: readonly string[]): void {
  for (const line of lines) {
    const at = line.indexOf("=");
    cookie.set(line.slice(0, at), line.slice(at + 1));
  }
}

/** Redirects. The router goes where `Location` says, to another site too: it cannot follow a redirect there. */
export function redirectTo(event: QwikEvent, to: string): string {
  if (isForData(event)) {
    event.headers.set("location", to);
    return to;
  }
  // Without the URL, in which it would replace what it takes for a mistake.
  const redirect = event.redirect(302, "");
  event.headers.set("location", to);
  throw redirect;
}

/**
 * Finds the page that a form was on: actions are posted to it. With `Referer` the service finds the page as visitors see it,
 * which a proxy may have at another path.
 */
export function pageOf({ request, url }: QwikEvent): string | undefined {
  if (request.headers.has("referer")) return undefined;
  const query = new URLSearchParams(url.search);
  query.delete("qaction");
  return url.pathname + (query.size > 0 ? `?${query}` : "");
}
