/**
 * The address visitors see, and whether a request comes from one of our own pages.
 *
 * @module
 */

/** What decides the public address. */
export interface OriginPolicy {
  /** The configured origin; wins over everything. */
  readonly origin: string | null;
  /** Whether the headers of a proxy are believed. */
  readonly trustHost: boolean;
}

/**
 * The URL as the visitor's browser wrote it.
 *
 * @param request The request, perhaps behind a proxy.
 * @param policy What may be believed.
 */
export function publicUrl(request: Request, { origin, trustHost }: OriginPolicy): URL {
  const url = new URL(request.url);
  if (origin) return withOrigin(url, origin);
  if (!trustHost) return url;
  const forwardedHost = single(request.headers.get("x-forwarded-host"));
  const forwardedProto = single(request.headers.get("x-forwarded-proto"));
  if (!forwardedHost && !forwardedProto) return url;
  // A proxy can say that it spoke https with the browser; it cannot take back the https we speak ourselves.
  const secure = url.protocol === "https:" || forwardedProto?.toLowerCase() === "https";
  const host = isHost(forwardedHost) ? forwardedHost : url.host;
  const forwarded = `${secure ? "https" : "http"}://${host}`;
  return URL.canParse(forwarded) ? withOrigin(url, forwarded) : url;
}

// A list means several proxies, and which of them is ours cannot be known.
function single(value: string | null): string | null {
  return value && !value.includes(",") ? value.trim() : null;
}

const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** Whether a text is a host as HTTP writes it: a name or an address, perhaps with a port. */
export function isHost(text: string | null): text is string {
  return text !== null && HOST.test(text);
}

function withOrigin(url: URL, origin: string): URL {
  if (url.origin === origin) return url;
  // Joined as text: resolving `//x` against an origin would make `x` the host.
  return new URL(new URL(origin).origin + url.pathname + url.search);
}

/**
 * Whether a request that changes something was made by a page of this site, as far as the browser tells.
 *
 * @see {@link https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header | Fetch Metadata, Sec-Fetch-Site}
 */
export function isFromOwnSite(headers: Headers, origin: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return false;
  const from = headers.get("origin");
  return from === null || from === origin;
}
