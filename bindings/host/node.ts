/**
 * Visits and cookies for frameworks on `node:http`.
 *
 * @module
 */
import type { SetCookie } from "../../src/http/cookie_text.ts";
import { serializeCookie } from "../../src/http/cookie_text.ts";
import { mergeSetCookie } from "../../src/http/merge_cookies.ts";
import { lazyRequestOf, type NodeHead } from "../../src/http/node_incoming.ts";
import { CACHED, keepPrivate } from "../../src/http/with_cookies.ts";
import { mergeRenewedCookies, type Seen, type SessionReading, type Visit } from "./host.ts";

/** The members of `http.ServerResponse` with which headers are set. */
export interface NodeHeaders {
  /** Reads a header that was set before. */
  getHeader(name: string): number | string | string[] | undefined;
  /** Sets a header. */
  setHeader(name: string, value: string | string[]): unknown;
  /** Removes a header. */
  removeHeader(name: string): unknown;
  /** Lists the names of the headers that were set, in lower case. */
  getHeaderNames(): string[];
  /** Sends the headers. */
  // deno-lint-ignore no-explicit-any -- the real one has several forms
  writeHead(...args: any[]): unknown;
}

const visits = new WeakMap<object, Visit>();

/**
 * Gives the visit that a request of `node:http` stands for, without its body. The same request gives the same object.
 *
 * @throws {Error} with the status 400, if its host, its path or its method is not valid.
 */
export function visitOf(incoming: NodeHead): Visit {
  const known = visits.get(incoming);
  if (known) return known;
  try {
    const visit = lazyRequestOf(incoming);
    visits.set(incoming, visit);
    return visit;
  } catch (error) {
    throw httpError(400, "Bad Request", error);
  }
}

/** The members of a request of `node:http` that tell what routers read. */
export interface Routed extends Pick<NodeHead, "url" | "originalUrl"> {
  /** The path that the router is mounted at, which Express has removed from `url`. */
  readonly baseUrl?: string | undefined;
}

/** Tells how routers read the path of a request: as it was sent, and relative to the path that they are mounted at. */
export function seenOf({ url = "/", originalUrl = url, baseUrl = "" }: Routed): Seen {
  return { target: originalUrl, routes: [url, baseUrl + url] };
}

/** Makes an error that frameworks answer with its status: the members are those that they know from `http-errors`. */
export function httpError(statusCode: number, message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { statusCode, status: statusCode, expose: true });
}

/** Sets cookies that replace those of the same name: those of a sign-in, a sign-out or a change of the session. */
export function setCookies(outgoing: NodeHeaders, cookies: readonly SetCookie[]): void {
  if (cookies.length === 0) return;
  outgoing.setHeader("set-cookie", mergeSetCookie(linesOf(outgoing), cookies.map(serializeCookie)));
  keepOut(outgoing);
}

/**
 * Sets renewed cookies, unless the application has set the same ones. No cache may store a response that sets a cookie,
 * nor a response for a signed-in user unless the application has set `Cache-Control`.
 */
export function setReading(
  outgoing: NodeHeaders,
  { session, cookies }: Pick<SessionReading, "session" | "cookies">,
): void {
  if (cookies.length > 0) {
    outgoing.setHeader("set-cookie", mergeRenewedCookies(linesOf(outgoing), cookies));
    keepOut(outgoing);
  } else if (session) {
    beforeHead(outgoing, () => {
      if (outgoing.getHeader("cache-control") === undefined) makePrivate(outgoing);
    });
  }
}

function linesOf(outgoing: NodeHeaders): string[] {
  return [outgoing.getHeader("set-cookie") ?? []].flat().map(String);
}

/**
 * Keeps a response out of all caches: at once, for servers that do not call `writeHead()`, and again at the end, when the
 * application has set its headers.
 */
export function keepOut(outgoing: NodeHeaders): void {
  makePrivate(outgoing);
  beforeHead(outgoing, () => makePrivate(outgoing), withoutCaching);
}

function makePrivate(outgoing: NodeHeaders): void {
  const names = outgoing.getHeaderNames().filter((name) => name === "vary" || CACHED.test(name));
  const headers = new Headers(names.map((name): [string, string] => [name, String(outgoing.getHeader(name))]));
  keepPrivate(headers);
  for (const name of names) outgoing.removeHeader(name);
  for (const [name, value] of headers) outgoing.setHeader(name, value);
}

function beforeHead(outgoing: NodeHeaders, act: () => void, change = (given: unknown): unknown => given): void {
  const { writeHead } = outgoing;
  outgoing.writeHead = (...args) => {
    outgoing.writeHead = writeHead;
    act();
    return outgoing.writeHead(...args.map(change));
  };
}

// `writeHead()` takes headers as an object, as pairs, or as alternating names and values. They win over earlier ones.
function withoutCaching(given: unknown): unknown {
  if (typeof given !== "object" || given === null) return given;
  const isKept = (name: unknown): boolean => !CACHED.test(String(name).toLowerCase());
  if (!Array.isArray(given)) return Object.fromEntries(Object.entries(given).filter(([name]) => isKept(name)));
  if (Array.isArray(given[0])) return given.filter(([name]) => isKept(name));
  return given.filter((_, at) => isKept(given[at - at % 2]));
}
