/**
 * What one request carries through the house.
 *
 * @module
 */
import { type CookieJar, openJar } from "../http/cookies.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { SessionStore } from "../stores/session_store.ts";

/** The context of one request: six fields, and what a flow needs beyond them is its own input. */
export interface RequestContext {
  /** The request as it came. Its body has been read. */
  readonly request: Request;
  /** The URL as the visitor's browser wrote it. */
  readonly url: URL;
  /** The network address of the visitor, when the server knows it. */
  readonly client: string | null;
  readonly config: ResolvedConfig;
  readonly cookies: CookieJar;
  readonly sessions: SessionStore;
}

/** What the server knows of a connection: the second argument of a `Deno.serve` handler. */
export interface ConnectionInfo {
  /** The other end. */
  readonly remoteAddr?: { readonly hostname?: string } | undefined;
}

/** Opens the context of a request. */
export function openContext(
  request: Request,
  url: URL,
  { config, sessions, info }: {
    readonly config: ResolvedConfig;
    readonly sessions: SessionStore;
    readonly info?: ConnectionInfo | undefined;
  },
): RequestContext {
  const specs = url.protocol === "https:" ? config.cookies.secure : config.cookies.plain;
  const cookies = openJar(request.headers.get("cookie"), specs);
  return { request, url, client: info?.remoteAddr?.hostname ?? null, config, cookies, sessions };
}
