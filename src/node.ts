/**
 * Connects the handler to `node:http`, `node:https`, and frameworks that build on them, such as Express.
 *
 * @module
 */
import { CallbackRouteError } from "./kernel/errors.ts";
import type { AuthFunction, Handler } from "./contract/handler.ts";
import { directOf, type LazyRequest, type PlainResponse, requestOf } from "./http/request_like.ts";
import { mergeSetCookie } from "./http/merge_cookies.ts";
import { securityHeaders } from "./http/headers.ts";
import { bodyOf, parsedBodyOf } from "./http/node_body.ts";
import { withTarget } from "./http/readings.ts";
import { connectionOf, headersOf, lazyRequestOf, makeRequest, type NodeRequest, urlOf } from "./http/node_incoming.ts";
import { createLogger } from "./kernel/logger.ts";

export type { NodeRequest };

/** The members of `http.ServerResponse` that are used. */
export interface NodeResponse {
  /** The status. */
  statusCode: number;
  /** Whether all data was written to the connection. */
  readonly writableFinished: boolean;
  /** Whether the connection is closed. */
  readonly destroyed: boolean;
  /** Reads a header that was set before. */
  getHeader(name: string): number | string | string[] | undefined;
  /** Sets a header. */
  setHeader(name: string, value: string | string[]): unknown;
  /** Whether the headers were sent. */
  readonly headersSent?: boolean | undefined;
  /** Writes a piece of the body; `false` asks to wait for `drain`. */
  write(chunk: Uint8Array): boolean;
  /** Ends the response. */
  end(text: string): unknown;
  /** Closes the connection before the response is complete. */
  destroy(error?: Error): unknown;
  /** Adds a listener that is called once. */
  once(event: "close" | "drain", listener: () => void): unknown;
}

/** A listener for `createServer`, which is also a middleware for Express. */
export type NodeListener = (request: NodeRequest, response: NodeResponse, next?: (error?: unknown) => void) => void;

/**
 * Creates a listener for `node:http`, `node:https` and Express from a handler.
 *
 * Bodies stream both ways. Each cookie gets its own header. If the client disconnects, the `signal` of the request
 * aborts. The protocol is that of the connection: behind a proxy that serves https, set `AUTH_URL`, or `trustHost` as for
 * any other server.
 *
 * A malformed request gets 400 without a call of the handler: it has no host or two of them, its target is not a path, or
 * its target is a URL whose host differs from the `Host` header, or its parsed body cannot be written again.
 *
 * As a middleware it answers every request that reaches it: mount it at `basePath`. If a middleware before has read a form
 * or JSON, the body is written
 * again from what it left in `body`. What the handler throws is passed to `next`. Without `next` it is logged, and the
 * response is 500.
 *
 * @example Usage
 * ```ts
 * import { createServer } from "node:http";
 * import { createAuth } from "@x/auth";
 * import { nodeListener } from "@x/auth/node";
 *
 * const { handler } = createAuth({ providers: [], secret: "a random text of at least 32 characters" });
 * const server = createServer(nodeListener(handler));
 * // server.listen(3000);
 * // In Express: app.use("/auth", nodeListener(handler));
 * ```
 *
 * @param handler The handler of the service, or one of the application that `auth` wraps.
 * @returns The listener.
 */
export function nodeListener(handler: Handler): NodeListener {
  const direct = directOf<PlainResponse>(handler);
  // Nobody awaits a listener, so an error that leaves it would end the process.
  const answer = async (incoming: NodeRequest, outgoing: NodeResponse, next?: (error?: unknown) => void) => {
    try {
      if (!direct) return await answerWith(handler, incoming, outgoing);
      const request = unlessMalformed(() => readRequest(incoming, outgoing));
      if (!request) return refuse(outgoing, 400, incoming);
      write(await direct(request), outgoing);
    } catch (error) {
      if (next && !outgoing.destroyed) return next(error);
      createLogger({}).error(new CallbackRouteError("Cannot answer: the handler failed", { cause: error }));
      refuse(outgoing, 500, incoming);
    }
  };
  return (incoming, outgoing, next) => void answer(incoming, outgoing, next);
}

/**
 * Makes a function that reads the session of a request of `node:http`: the same as `auth(webRequest(request))`, from the
 * headers alone.
 *
 * It never renews the session, because it sets no cookies, and it leaves the body to you. To renew sessions, give the
 * handler that `auth` wraps to {@linkcode nodeListener}.
 *
 * @example Usage
 * ```ts
 * import { createServer } from "node:http";
 * import { createAuth } from "@x/auth";
 * import { nodeSession } from "@x/auth/node";
 *
 * const { auth } = createAuth({ providers: [], secret: "a random text of at least 32 characters" });
 * const sessionOf = nodeSession(auth);
 * const server = createServer(async (request, response) => {
 *   const session = await sessionOf(request);
 *   response.end(`Hello ${session?.user?.name ?? "stranger"}`);
 * });
 * ```
 *
 * @param auth The function `auth` of the service.
 * @returns A function that gives the session of a request, or `null` if nobody is signed in, the session cannot be read,
 * or the request is malformed.
 */
export function nodeSession<S>(auth: AuthFunction<S>): (request: NodeRequest) => Promise<S | null> {
  const read = directOf<S | null>(auth) ?? ((request) => auth(requestOf(request)));
  return async (incoming) => {
    const request = unlessMalformed(() => lazyRequestOf(incoming));
    return request && await read(request);
  };
}

/**
 * Converts a request of `node:http` into a `Request`, for `auth`, `signIn` and `signOut`.
 *
 * @example Usage
 * ```ts
 * import { createServer } from "node:http";
 * import { createAuth } from "@x/auth";
 * import { webRequest } from "@x/auth/node";
 *
 * const { auth } = createAuth({ providers: [], secret: "a random text of at least 32 characters" });
 * const server = createServer(async (request, response) => {
 *   const session = await auth(webRequest(request));
 *   response.end(`Hello ${session?.user?.name ?? "stranger"}`);
 * });
 * ```
 *
 * @param incoming The request. Its body is not read until somebody reads the body of the result. One that was parsed
 * before is written again, if it is a form or JSON.
 * @param signal The signal of the result.
 * @returns The converted request.
 * @throws {TypeError} if its host, its path or its method is not valid, or a parsed body cannot be written.
 */
export function webRequest(incoming: NodeRequest, signal?: AbortSignal): Request {
  const { method = "GET" } = incoming;
  const empty = method === "GET" || method === "HEAD";
  const headers = headersOf(incoming);
  const parsed = empty ? null : parsedBodyOf(incoming, headers);
  const request = makeRequest(urlOf(incoming), {
    method,
    headers,
    ...(signal && { signal }),
    // The Fetch standard requires `duplex` for a body that streams. The types of some runtimes lack it.
    ...(!empty && (parsed !== null ? { body: parsed } : { body: bodyOf(incoming), duplex: "half" })),
  });
  return withTarget(request, incoming.originalUrl ?? incoming.url ?? "/");
}

function readRequest(incoming: NodeRequest, outgoing: NodeResponse): Request | LazyRequest {
  const { method = "GET" } = incoming;
  const signal = () => signalOf(outgoing);
  return method === "GET" || method === "HEAD" ? lazyRequestOf(incoming, signal) : webRequest(incoming, signal());
}

function unlessMalformed<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

async function answerWith(handler: Handler, incoming: NodeRequest, outgoing: NodeResponse): Promise<void> {
  const gone = signalOf(outgoing);
  const request = unlessMalformed(() => webRequest(incoming, gone));
  if (!request) return refuse(outgoing, 400, incoming);
  await send(await handler(request, connectionOf(incoming)), outgoing, gone);
}

function signalOf(outgoing: NodeResponse): AbortSignal {
  const gone = new AbortController();
  const abort = (): void => {
    if (!outgoing.writableFinished) gone.abort();
  };
  if (outgoing.destroyed) abort();
  else outgoing.once("close", abort);
  return gone.signal;
}

function write({ status, headers, cookies, body }: PlainResponse, outgoing: NodeResponse): void {
  if (outgoing.destroyed) return;
  assertUnsent(outgoing);
  outgoing.statusCode = status;
  for (const [name, value] of headers) outgoing.setHeader(name, value);
  setCookies(outgoing, cookies);
  outgoing.end(body ?? "");
}

function refuse(outgoing: NodeResponse, status: 400 | 500, { socket }: NodeRequest): void {
  // Where somebody else has answered, nothing can be added.
  if (outgoing.destroyed || outgoing.headersSent) return;
  outgoing.statusCode = status;
  for (const [name, value] of securityHeaders("json", Boolean(socket.encrypted))) outgoing.setHeader(name, value);
  outgoing.end(JSON.stringify({ message: status === 400 ? "Bad request" : "Internal error" }));
}

// Bun takes headers and a body that come after those of somebody else.
function assertUnsent({ headersSent }: NodeResponse): void {
  if (headersSent) throw new TypeError("Cannot answer: the headers of another answer were sent before");
}

async function send(response: Response, outgoing: NodeResponse, gone: AbortSignal): Promise<void> {
  assertUnsent(outgoing);
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) {
    if (name !== "set-cookie") outgoing.setHeader(name, value);
  }
  setCookies(outgoing, response.headers.getSetCookie());
  if (response.body === null) return void outgoing.end("");
  try {
    await pour(response.body, outgoing, gone);
    outgoing.end("");
  } catch (error) {
    // It is too late for another status. Close the connection, so that the body does not look complete.
    outgoing.destroy(error instanceof Error ? error : undefined);
  }
}

/** Adds cookies to those that were set before. */
function setCookies(outgoing: NodeResponse, cookies: readonly string[]): void {
  if (cookies.length === 0) return;
  const before = [outgoing.getHeader("set-cookie") ?? []].flat().map(String);
  outgoing.setHeader("set-cookie", mergeSetCookie(before, cookies));
}

async function pour(body: ReadableStream<Uint8Array>, outgoing: NodeResponse, gone: AbortSignal): Promise<void> {
  const reader = body.getReader();
  const leave = (): void => void reader.cancel().catch(() => {});
  if (gone.aborted) return leave();
  gone.addEventListener("abort", leave);
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    if (!outgoing.write(piece.value)) await drained(outgoing, gone);
  }
}

function drained(outgoing: NodeResponse, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      gone.removeEventListener("abort", go);
      resolve();
    };
    gone.addEventListener("abort", go);
    outgoing.once("drain", go);
  });
}
