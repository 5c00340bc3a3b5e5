/**
 * The address visitors see, and whether a request comes from one of our own pages.
 *
 * @module
 */
import { UntrustedHost } from "../kernel/errors.ts";

/**
 * Whose host is believed: any, with the headers of a proxy; only one that leads back to this very machine; or none.
 */
export type HostTrust = "any" | "loopback" | "none";

/** What decides the public address. */
export interface OriginPolicy {
  /** The configured origin; wins over everything. */
  readonly origin: string | null;
  /** What is believed where there is no configured origin. */
  readonly trustHost: HostTrust;
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
  if (trustHost !== "any") return url;
  const forwardedHost = single(request.headers.get("x-forwarded-host"));
  const forwardedProto = single(request.headers.get("x-forwarded-proto"));
  if (!forwardedHost && !forwardedProto) return url;
  // A proxy can say that it spoke https with the browser; it cannot take back the https we speak ourselves.
  const secure = url.protocol === "https:" || forwardedProto?.toLowerCase() === "https";
  const host = isHost(forwardedHost) ? forwardedHost : url.host;
  const forwarded = `${secure ? "https" : "http"}://${host}`;
  return URL.canParse(forwarded) ? withOrigin(url, forwarded) : url;
}

/**
 * What is wrong with the host of a request: whoever sends it may name any, and it would stand in links and mails.
 *
 * @param url The public URL of the request.
 * @param policy What may be believed.
 * @returns The error, or `null` if the host is believed.
 */
export function hostProblem({ host, hostname }: URL, { origin, trustHost }: OriginPolicy): UntrustedHost | null {
  if (origin !== null || trustHost === "any" || (trustHost === "loopback" && isLoopback(hostname))) return null;
  return new UntrustedHost(
    `Cannot trust the host "${host.slice(0, 100)}" of the request: set the environment variable AUTH_URL to the ` +
      "address of this site, or AUTH_TRUST_HOST=true where a server in front of it checks the host",
  );
}

/**
 * Whether a host leads back to this very machine.
 *
 * @param hostname The host as `URL` writes it: lower case, addresses in their short form.
 * @see {@link https://www.rfc-editor.org/rfc/rfc6761#section-6.3 | RFC 6761, section 6.3}
 */
export function isLoopback(hostname: string): boolean {
  return hostname === "[::1]" || /^(?:(?:.*\.)?localhost\.?|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/.test(hostname);
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

/** A request, as far as it tells where it comes from. */
type Sent = Pick<Request, "method" | "headers">;

/**
 * Whether another site made a request that carries no token: what {@linkcode isFromOwnSite} sees, and of browsers that
 * send neither header, the page that is named as the referrer.
 */
export function isFromOtherSite({ headers }: Sent, origin: string): boolean {
  if (!isFromOwnSite(headers, origin)) return true;
  if (headers.has("sec-fetch-site") || headers.has("origin")) return false;
  const referrer = referrerOf(headers);
  return referrer !== null && referrer !== origin;
}

/**
 * Whether a page of this site surely sent a form: what nobody tells does not count.
 *
 * A visit is never sure. An address of ours that leads on to another one makes a visit look like our own, and such an
 * address may come from anywhere.
 */
export function isOwnForm({ method, headers }: Sent, origin: string): boolean {
  if (!isFromOwnSite(headers, origin)) return false;
  if (headers.get("origin") === origin) return true;
  if (isVisit({ method, headers })) return false;
  return headers.get("sec-fetch-site") === "same-origin" ||
    (!headers.has("sec-fetch-site") && referrerOf(headers) === origin);
}

/** Whether a browser goes to a page: by a link, a redirect, an address that somebody typed. */
export function isVisit({ method, headers }: Sent): boolean {
  const mode = headers.get("sec-fetch-mode");
  return (method === "GET" || method === "HEAD") && (mode === null || mode === "navigate");
}

function referrerOf(headers: Headers): string | null {
  const referrer = headers.get("referer");
  return referrer !== null && URL.canParse(referrer) ? new URL(referrer).origin : null;
}
