/**
 * Functions that answer requests, and that read their session.
 *
 * @module
 */
import type { Session } from "../kernel/model.ts";

/** What the server knows of a connection: the second argument of a `Deno.serve` handler. */
export interface ConnectionInfo {
  /** The other end. */
  readonly remoteAddr?: { readonly hostname?: string } | undefined;
}

/** Answers a request. The second argument is what `Deno.serve` passes. */
export type Handler = (request: Request, info?: ConnectionInfo) => Promise<Response>;

/** A handler of your application that also gets the session. */
export type SessionHandler<S = Session> = (
  request: Request,
  session: S | null,
  info?: ConnectionInfo,
) => Response | Promise<Response>;

/** Reads sessions and guards handlers. */
export interface AuthFunction<S = Session> {
  /**
   * Reads the session of a request.
   *
   * Never renews the session, because there is no response to set a cookie on.
   *
   * @returns The session, or `null` if nobody is signed in or the session cannot be read.
   */
  (request: Request): Promise<S | null>;
  /**
   * Wraps a handler: it gets the session, and its response sets the cookie if the session was renewed.
   *
   * With `protect`, the handler runs on those paths only for people who are signed in. With `callbacks.authorized`, it
   * runs only for requests that the callback allows. With both, both must allow the request.
   */
  (handler: SessionHandler<S>): Handler;
}
