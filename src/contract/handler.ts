/**
 * Functions that answer requests.
 *
 * @module
 */

/** What the server knows of a connection: the second argument of a `Deno.serve` handler. */
export interface ConnectionInfo {
  /** The other end. */
  readonly remoteAddr?: { readonly hostname?: string } | undefined;
}

/** Answers a request. The second argument is what `Deno.serve` passes. */
export type Handler = (request: Request, info?: ConnectionInfo) => Promise<Response>;
