/**
 * Requests of `node:http`: their URL and headers, and what is made of them.
 *
 * @module
 */
import { isHost } from "./origin.ts";
import { withTarget } from "./readings.ts";
import { LazyRequest } from "./request_like.ts";

/** The members of `http.IncomingMessage` that are used. */
export interface NodeRequest {
  /** The method. */
  readonly method?: string | undefined;
  /** The path with its query. Express removes the path that a middleware is mounted at. */
  readonly url?: string | undefined;
  /** The whole path, which Express keeps here. */
  readonly originalUrl?: string | undefined;
  /** The headers by lower-case name. In HTTP/2 also the pseudo-headers, such as `:authority`. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values of the headers in turn, as they were received. */
  readonly rawHeaders: readonly string[];
  /** The connection. */
  readonly socket: { readonly remoteAddress?: string | undefined; readonly encrypted?: unknown };
  /** Whether the body was read to its end. */
  readonly readableEnded: boolean;
  /** What a middleware before, such as `express.json()`, has made of the body. */
  readonly body?: unknown;
  /** Stops the flow of the body. */
  pause(): unknown;
  /** Lets the body flow. */
  resume(): unknown;
  /** Listens to pieces of the body. */
  on(event: "data", listener: (chunk: Uint8Array<ArrayBuffer>) => void): unknown;
  /** Listens to the end of the body, and of the request. */
  on(event: "end" | "close", listener: () => void): unknown;
  /** Removes a listener. */
  off(event: "data", listener: (chunk: Uint8Array<ArrayBuffer>) => void): unknown;
}

/** The members of a request without its body. */
export type NodeHead = Pick<NodeRequest, "method" | "url" | "originalUrl" | "headers" | "rawHeaders" | "socket">;

/** The absolute form of a request target, which clients send to proxies (RFC 9112, section 3.2.2). */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/**
 * Gives the absolute URL of a request.
 *
 * @throws {TypeError} if its target or its host is not valid.
 */
export function urlOf(incoming: NodeHead): string {
  const { url = "/", originalUrl = url, socket } = incoming;
  // Joined as text: resolving `//x` against an origin would make `x` the host.
  if (originalUrl.startsWith("/")) return originOf(hostOf(incoming) ?? "localhost", socket) + originalUrl;
  const [, authority, rest = ""] = ABSOLUTE.exec(originalUrl) ?? [];
  if (authority === undefined) throw new TypeError("Cannot read request: its target is not a path");
  const host = hostOf(incoming) ?? authority;
  if (authority.toLowerCase() !== host.toLowerCase()) {
    throw new TypeError("Cannot read request: its target names another host");
  }
  return originOf(host, socket) + (rest.startsWith("/") ? rest : `/${rest}`);
}

// The path that follows a valid origin need not be checked.
function originOf(host: string, socket: NodeHead["socket"]): string {
  const origin = `${socket.encrypted ? "https" : "http"}://${host}`;
  // A host may match the pattern and still not be valid, such as `1.2.3.256`.
  if (!isHost(host) || !URL.canParse(origin)) throw new TypeError("Cannot read request: its host is not valid");
  return origin;
}

// Refuses two hosts: Node takes the first, and a proxy in front of it may have checked the last.
function hostOf({ headers, rawHeaders }: NodeHead): string | undefined {
  const { host, ":authority": authority } = headers;
  let hosts = 0;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === "host") hosts++;
  }
  if (hosts > 1) throw new TypeError("Cannot read request: it names two hosts");
  if (Array.isArray(host) || Array.isArray(authority) || (host && authority && host !== authority)) {
    throw new TypeError("Cannot read request: it names two hosts");
  }
  return authority ?? host;
}

/** Tells who is at the other end of a connection. */
export function connectionOf(
  { socket: { remoteAddress } }: Pick<NodeHead, "socket">,
): { readonly remoteAddr?: { readonly hostname: string } } {
  // A server that listens to IPv6 and IPv4 writes IPv4 addresses with this prefix.
  return remoteAddress === undefined
    ? {}
    : { remoteAddr: { hostname: remoteAddress.replace(/^::ffff:(?=\d+\.)/, "") } };
}

/** Methods that every `Request` may have, unchanged. */
const USUAL: ReadonlySet<string> = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);

/**
 * Reads a request without its body, at the URL that it has now: routers change it on its way.
 *
 * @param signal Makes the signal of the `Request`, if one is made.
 * @throws {TypeError} if the host, the path, a header or the method of the request is not valid.
 */
export function lazyRequestOf(incoming: NodeHead, signal?: () => AbortSignal): Request | LazyRequest {
  const { method = "GET", url: target = "/", originalUrl = target } = incoming;
  const [url, headers] = [urlOf(incoming), headersOf(incoming)];
  const make = (): Request => {
    return withTarget(makeRequest(url, { method, headers, ...(signal && { signal: signal() }) }), originalUrl);
  };
  return USUAL.has(method) ? new LazyRequest({ method, url, headers }, make, incoming.socket) : make();
}

/** Methods that the Fetch standard forbids. */
const FORBIDDEN_METHOD = /^(?:CONNECT|TRACE|TRACK)$/i;

/**
 * Makes a `Request`, of any method: one that the Fetch standard forbids gets 405, like any unknown method.
 * Such a request has no body.
 *
 * @throws {TypeError} if the URL or the method is not valid.
 */
export function makeRequest(url: string, init: RequestInit & { readonly method: string }): Request {
  const { method, headers, signal } = init;
  if (!FORBIDDEN_METHOD.test(method)) return new Request(url, init);
  const request = new Request(url, { ...(headers && { headers }), ...(signal && { signal }) });
  return Object.defineProperty(request, "method", { value: method });
}

/** Copies the headers of a request. */
export function headersOf({ headers, rawHeaders }: NodeHead): Headers {
  const all = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    // The pseudo-headers of HTTP/2 hold method, target and host (RFC 9113, section 8.3).
    if (!name.startsWith(":")) all.append(name, value);
  }
  // Cookies are not joined by a comma like other headers, but by a semicolon (RFC 9113, section 8.2.3).
  if (typeof headers.cookie === "string") all.set("cookie", headers.cookie);
  return all;
}
