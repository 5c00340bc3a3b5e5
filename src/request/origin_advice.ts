/**
 * Says what to set when visitors reach the service at another origin than the one that it takes for its own, or at one
 * where cookies or passkeys do not work.
 *
 * Strangers choose the headers that are quoted, so each value is parsed and shortened.
 *
 * @module
 */
import type { RequestContext } from "./context.ts";
import type { ResolvedWebAuthnProvider } from "../config/resolved_provider.ts";
import { MOST_BY_STRANGERS } from "../config/warning.ts";
import { forwardedUrl, isHost, isLoopback, single } from "../http/origin.ts";
import { MissingCSRF } from "../kernel/errors.ts";

type Context = Pick<RequestContext, "request" | "url" | "config">;

/** The longest origin that is quoted. */
const LONGEST = 120;

/**
 * Makes the error of a request that a page of another origin sent.
 *
 * @param what What cannot be done, such as `accept form`.
 */
export function foreignRequest(ctx: Context, what: string): MissingCSRF {
  const { request: { headers }, url } = ctx;
  const from = headers.get("origin") ?? refererOf(headers);
  const theirs = originOf(from);
  const ours = shorten(url.origin);
  if (theirs === url.origin || from === null) {
    const site = headers.get("sec-fetch-site") === "same-site" ? "same-site" : "cross-site";
    return new MissingCSRF(
      `Cannot ${what}: the request must come from a page of ${ours}, and another site sent it ` +
        `(Sec-Fetch-Site: ${site})`,
    );
  }
  if (theirs === null) {
    return new MissingCSRF(
      `Cannot ${what}: the request must come from a page of ${ours}, and its Origin is not a web address: a sandboxed ` +
        "frame sent it, or a page with `Referrer-Policy: no-referrer`, which must be `same-origin` for forms",
    );
  }
  const isOurs = headers.get("sec-fetch-site") === "same-origin";
  return new MissingCSRF(
    `Cannot ${what}: a page of ${theirs} sent it, and this service is at ${ours} (from ${sourceOf(ctx)}). ` +
      remedy(ctx, new URL(theirs), isOurs),
    { logCode: "origin-differs" },
  );
}

/** Says where the answer of a provider arrived, for the error of one whose cookie is missing. */
export function lostCookie(ctx: Context): string {
  const { request, url, config } = ctx;
  if (config.cookies[kindOf(url)].state.options.sameSite === "strict") {
    return '. `cookies.state` has `sameSite: "strict"`, so browsers do not send it when they come back from a ' +
      'provider: set `sameSite: "lax"`';
  }
  const named = originOf(request.url);
  const other = named === null || named === url.origin ? "" : `; the request names ${named}`;
  const here = shorten(url.origin);
  return `. The browser came back to ${here} (from ${sourceOf(ctx)}${other}), and sends a cookie only to the host ` +
    `that set it. If the sign-in began at another address of this site, open the site at ${here} or set AUTH_URL ` +
    "to that address";
}

/** Warns that visitors reach the service at another address than it knows, as far as a request shows it. */
export function warnOfAddress(ctx: Context & Pick<RequestContext, "warn">): void {
  const message = addressWarning(ctx);
  if (message) ctx.warn?.(["origin-differs", message], MOST_BY_STRANGERS);
}

/** Warns that no browser can use passkeys at the address at which visitors reach the service, as far as it is known. */
export function warnOfPasskeys(
  ctx: Pick<Context, "url"> & Pick<RequestContext, "warn">,
  provider: Pick<ResolvedWebAuthnProvider, "id" | "relyingParty">,
): void {
  const problem = passkeyProblem(ctx.url, provider.relyingParty);
  if (!problem) return;
  const at = shorten(ctx.url.origin);
  ctx.warn?.(
    ["passkey-address", `passkeys of provider "${provider.id}" do not work at ${at}: ${problem}`],
    MOST_BY_STRANGERS,
  );
}

function passkeyProblem(
  { protocol, hostname, origin }: URL,
  { ids, origins, related }: ResolvedWebAuthnProvider["relyingParty"],
): string | null {
  if (/^\[|^[\d.]+$/.test(hostname)) {
    return `browsers have none for IP addresses. Open the site by a name${
      isLoopback(hostname) ? ", such as localhost" : ""
    }`;
  }
  if (protocol === "http:" && !isLoopback(hostname)) {
    return "browsers have none on http, except at localhost. Serve the site by https, and set AUTH_URL to its https address";
  }
  if (related.includes(origin)) return null;
  if (origins.length > 0) {
    return origins.includes(origin)
      ? null // of another RP ID, perhaps: browsers allow that to the origins that it lists
      : `\`relayingParty.origin\` is ${listOf(origins)}. Add ${shorten(origin)} to it, or remove it`;
  }
  if (ids.length === 0 || ids.some((id) => hostname === id || hostname.endsWith(`.${id}`))) return null;
  return `\`relayingParty.id\` is ${
    listOf(ids)
  }, and browsers accept the host of the page or a domain above it. Set it to ` +
    `"${shorten(hostname)}", or remove it`;
}

function listOf(texts: readonly string[]): string {
  return texts.slice(0, 5).map((text) => `"${shorten(text)}"`).join(", ");
}

function addressWarning(ctx: Context): string | null {
  const { request: { headers, url: asked }, url, config } = ctx;
  if (losesCookies(ctx)) {
    const why = url.protocol === "https:"
      ? `this service is at ${shorten(url.origin)} (from ${sourceOf(ctx)})`
      : "`useSecureCookies` or `cookies` says so";
    return "a page was opened by http, and the cookies are for https only, because " + why +
      ". Browsers drop them, so " +
      "nobody stays signed in: let the proxy redirect http to https" +
      (url.protocol === "https:"
        ? ", or set AUTH_URL to the http address if there is no https"
        : ", or remove the option");
  }
  // Without a configured origin the header counts already, or another warning says that it is ignored.
  const forwarded = config.origin !== null && single(headers.get("x-forwarded-proto"))?.toLowerCase() === "https";
  // Browsers send this header by https only, or to this machine.
  const isSecure = forwarded || (headers.has("sec-fetch-site") && !isLoopback(url.hostname));
  if (url.protocol === "http:" && isSecure) {
    const secure = new URL(url);
    secure.protocol = "https:";
    const shown = shorten(secure.origin);
    return `visitors reach this service at ${shown}, and it takes itself for ${shorten(url.origin)} (from ` +
      `${sourceOf(ctx)}). ${remedy(ctx, secure, true)}`;
  }
  const named = new URL(asked);
  const isOtherName = named.port === url.port && named.hostname !== url.hostname;
  if (config.origin === null || !isOtherName || !isLoopback(named.hostname) || !isLoopback(url.hostname)) return null;
  if (headers.has("x-forwarded-host")) return null;
  return `the site was opened at ${shorten(named.origin)}, and this service is at ${url.origin} (from AUTH_URL). ` +
    remedy(ctx, named, true);
}

function kindOf({ protocol }: URL): "secure" | "plain" {
  return protocol === "https:" ? "secure" : "plain";
}

// Browsers send `Sec-Fetch-Site` by https only, or to this machine, and `Upgrade-Insecure-Requests` with every page.
function losesCookies({ request: { headers, url: asked }, url, config }: Context): boolean {
  if (headers.has("sec-fetch-site") || !asked.startsWith("http:") || isLoopback(url.hostname)) return false;
  if (config.cookies[kindOf(url)].sessionToken.options.secure !== true) return false;
  const forwarded = headers.get("x-forwarded-proto");
  return forwarded === null ? headers.get("upgrade-insecure-requests") === "1" : /^http$/i.test(forwarded.trim());
}

function remedy({ config, url }: Context, theirs: URL, isOurs: boolean): string {
  const address = theirs.origin + (config.basePath === "/auth" ? "" : config.basePath);
  const set = `set AUTH_URL=${shorten(address)}`;
  if (isLoopback(theirs.hostname) && isLoopback(url.hostname) && theirs.hostname !== url.hostname) {
    return `To a browser these are two sites: open the site at ${shorten(url.origin)}, or ${set}`;
  }
  if (theirs.host === url.host || theirs.hostname === url.hostname) {
    if (theirs.protocol === "http:" && url.protocol === "https:") {
      return `Let the proxy redirect http to https, or ${set} if there is no https`;
    }
    if (config.origin !== null) return upperFirst(set);
    return config.trustHost === "any"
      ? `Let the proxy send \`X-Forwarded-Proto: ${theirs.protocol.slice(0, -1)}\` and the port in \`Host\`, or ${set}`
      : upperFirst(set);
  }
  const known = isOurs ? "" : `If ${theirs.origin} is an address of this site: `;
  if (config.origin !== null) {
    const redirect = `${set}, or redirect its visitors to ${shorten(url.origin)}`;
    return known ? known + redirect : upperFirst(redirect);
  }
  const how = config.trustHost === "any"
    ? `let the proxy send \`X-Forwarded-Host: ${theirs.host.slice(0, LONGEST)}\`, or ${set}`
    : `${set}, or AUTH_TRUST_HOST=true if the proxy sends X-Forwarded-Host`;
  return known ? known + how : upperFirst(how);
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Says where our own origin comes from. */
function sourceOf({ config, request, url }: Context): string {
  if (config.origin !== null) return "AUTH_URL";
  return config.trustHost === "any" && forwardedUrl(request, new URL(request.url))?.origin === url.origin
    ? "the proxy's headers X-Forwarded-Host and X-Forwarded-Proto"
    : "the Host header of the request";
}

function refererOf(headers: Headers): string | null {
  return headers.has("sec-fetch-site") ? null : headers.get("referer");
}

// Only http(s) origins whose host is made of plain characters are quoted.
function originOf(given: string | null): string | null {
  const url = given === null ? null : URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol) || !isHost(url.host)) return null;
  return url.origin.length > LONGEST ? null : url.origin;
}

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
