/**
 * The URL that visitors see, and whether a request comes from a page of this site.
 *
 * @module
 */
import { UntrustedHost } from "../kernel/errors.ts";
import type { RequestLike } from "./request_like.ts";

/** Which hosts of requests are trusted: any, and the headers of a proxy too; only hosts of this machine; or none. */
export type HostTrust = "any" | "loopback" | "none";

/** What decides about the public URL. */
export interface OriginPolicy {
  /** The configured origin. If there is one, nothing else counts. */
  readonly origin: string | null;
  /** Which hosts are trusted if there is no configured origin. */
  readonly trustHost: HostTrust;
}

/**
 * Returns the URL of a request as the visitor's browser has it.
 *
 * @param request The request, perhaps behind a proxy.
 * @param policy Which hosts are trusted.
 */
export function publicUrl(request: RequestLike, { origin, trustHost }: OriginPolicy): URL {
  const url = new URL(request.url);
  if (origin) return withOrigin(url, origin);
  return trustHost === "any" ? forwardedUrl(request, url) ?? url : url;
}

/** Reads the URL of a request; `null` where a server passed on a URL that cannot be parsed, such as one without a host. */
export function readUrl(request: Pick<RequestLike, "url">): URL | null {
  try {
    return new URL(request.url);
  } catch {
    return null;
  }
}

/**
 * Gives the URL of a request as the headers of a proxy have it; `null` if there are none, or they are not valid.
 *
 * @param request The request.
 * @param url Its URL.
 */
export function forwardedUrl({ headers }: RequestLike, url: URL): URL | null {
  const forwardedHost = single(headers.get("x-forwarded-host"));
  const forwardedProto = single(headers.get("x-forwarded-proto"));
  if (!forwardedHost && !forwardedProto) return null;
  // A proxy can upgrade the protocol to https, but never downgrade a connection that is https already.
  const secure = url.protocol === "https:" || forwardedProto?.toLowerCase() === "https";
  const host = isHost(forwardedHost) ? forwardedHost : url.host;
  const forwarded = `${secure ? "https" : "http"}://${host}`;
  return URL.canParse(forwarded) ? withOrigin(url, forwarded) : null;
}

/**
 * Checks the host of a request. Whoever sends a request can write any host, and it becomes part of links and emails.
 *
 * @param url The public URL of the request.
 * @param policy Which hosts are trusted.
 * @returns The error, or `null` if the host is trusted.
 */
export function hostProblem({ host, hostname }: URL, { origin, trustHost }: OriginPolicy): UntrustedHost | null {
  if (origin !== null || trustHost === "any" || (trustHost === "loopback" && isLoopback(hostname))) return null;
  return new UntrustedHost(
    `Cannot trust the host "${host.slice(0, 100)}" of the request: set the environment variable AUTH_URL to the ` +
      "URL of this site, or AUTH_TRUST_HOST=true if a server in front of it checks the host",
  );
}

/**
 * Whether a host is this machine.
 *
 * @param hostname The host as `URL` writes it: lower case, addresses in their short form.
 * @see {@link https://www.rfc-editor.org/rfc/rfc6761#section-6.3 | RFC 6761, section 6.3}
 */
export function isLoopback(hostname: string): boolean {
  return hostname === "[::1]" || /^(?:(?:.*\.)?localhost\.?|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/.test(hostname);
}

/** Gives the value of a header of a proxy. A list means several proxies, and it is unknown which of them is ours. */
export function single(value: string | null): string | null {
  return value && !value.includes(",") ? value.trim() : null;
}

const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** Whether a text is a valid `Host` header: a name or an address, perhaps with a port. */
export function isHost(text: string | null): text is string {
  return text !== null && HOST.test(text);
}

function withOrigin(url: URL, origin: string): URL {
  if (url.origin === origin) return url;
  // Joined as text: resolving `//x` against an origin would make `x` the host.
  return new URL(new URL(origin).origin + url.pathname + url.search);
}

/**
 * Whether a page of this site made the request, as far as the browser says. Without both headers the answer is yes.
 *
 * @see {@link https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header | Fetch Metadata, Sec-Fetch-Site}
 */
export function isFromOwnSite(headers: Headers, origin: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return false;
  const from = headers.get("origin");
  return from === null || from === origin;
}

/** The part of a request that says where it comes from. */
type Sent = Pick<Request, "method" | "headers">;

/**
 * Whether another site made a request that carries no CSRF token. It also looks at `Referer`, for browsers that send
 * neither of the headers that {@linkcode isFromOwnSite} reads.
 */
export function isFromOtherSite({ headers }: Sent, origin: string): boolean {
  if (!isFromOwnSite(headers, origin)) return true;
  if (headers.has("sec-fetch-site") || headers.has("origin")) return false;
  const referrer = referrerOf(headers);
  return referrer !== null && referrer !== origin;
}

/**
 * Whether a page of this site certainly sent a form. Without any header the answer is no.
 *
 * A navigation is never certain: after a redirect by this site it looks like one of its own, and the link to the redirect
 * may be anywhere.
 */
export function isOwnForm({ method, headers }: Sent, origin: string): boolean {
  if (!isFromOwnSite(headers, origin)) return false;
  if (headers.get("origin") === origin) return true;
  if (isVisit({ method, headers })) return false;
  return headers.get("sec-fetch-site") === "same-origin" ||
    (!headers.has("sec-fetch-site") && referrerOf(headers) === origin);
}

/** Whether a request is a navigation: a link, a redirect, or a URL that somebody typed. */
export function isVisit({ method, headers }: Sent): boolean {
  const mode = headers.get("sec-fetch-mode");
  return (method === "GET" || method === "HEAD") && (mode === null || mode === "navigate");
}

/** Whether a request loads a page. A script that names no mode, such as one outside of browsers, cannot show HTML. */
export function loadsPage({ method, headers }: Sent): boolean {
  const accept = headers.get("accept") ?? "";
  const wantsJson = /[/+]json\b/i.test(accept) && !/text\/html/i.test(accept);
  return isVisit({ method, headers }) && (headers.has("sec-fetch-mode") || !wantsJson);
}

/**
 * Whether a browser or a router loads a page in case somebody goes there.
 *
 * @see {@link https://www.w3.org/TR/fetch-metadata/#sec-purpose-header | Fetch Metadata, Sec-Purpose}
 */
export function isPrefetch(headers: RequestLike["headers"]): boolean {
  // Older browsers send `Purpose`.
  return /^prefetch/i.test(headers.get("sec-purpose") ?? headers.get("purpose") ?? "") ||
    headers.get("next-router-prefetch") !== null;
}

function referrerOf(headers: Headers): string | null {
  const referrer = headers.get("referer");
  return referrer !== null && URL.canParse(referrer) ? new URL(referrer).origin : null;
}
