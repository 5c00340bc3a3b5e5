/**
 * Says why a browser is not redirected to where it was to go. It is loaded when that happens.
 *
 * Strangers choose most of these URLs, so only plain origins and schemes are quoted.
 *
 * @module
 */
import { MOST_BY_STRANGERS, type Warning } from "../config/warning.ts";
import { isHost } from "../http/origin.ts";
import type { RequestContext } from "./context.ts";

type Context = Pick<RequestContext, "url" | "warn">;

/** Warns that a URL was dropped which `redirectTo` or `callbackUrl` named, unless nobody means such a URL. */
export function warnOfDropped({ url, warn }: Context, wanted: string): void {
  const warning = droppedRedirect(wanted, url.origin);
  if (warning) warn?.(warning, MOST_BY_STRANGERS);
}

/** Warns that `callbacks.redirect` returned what no browser is sent to. */
export function warnOfUnusable({ warn }: Context, chosen: string): void {
  warn?.(unusableRedirect(chosen), MOST_BY_STRANGERS);
}

function droppedRedirect(wanted: string, origin: string): Warning | null {
  const url = URL.parse(wanted, origin);
  const place = url && placeOf(url);
  if (place === null || place === origin) return null;
  const needs = place.startsWith("http") ? "" : ", and list its scheme in `redirectSchemes`";
  return [
    "redirect-dropped",
    `a redirect to ${place} was dropped, because it leaves this site (${origin}), and the browser goes to the home page: ` +
    `to allow it, return the URL from \`callbacks.redirect\`${needs}`,
  ];
}

function unusableRedirect(chosen: string): Warning {
  const scheme = /^[a-z][a-z0-9+.-]{0,40}(?=:)/i.exec(chosen)?.[0].toLowerCase() ?? "";
  const what = scheme === "" || /^https?$/.test(scheme)
    ? "a text that is not a URL, or one with a user name"
    : `a URL with the scheme "${scheme}", which \`redirectSchemes\` does not list`;
  return [
    "callback-result",
    `\`callbacks.redirect\` returned ${what}, so the browser goes to the home page: it must return an http(s) URL, or ` +
    "one of a scheme in `redirectSchemes`",
  ];
}

function placeOf({ host, origin, protocol }: URL): string | null {
  if (/^https?:$/.test(protocol)) return isHost(host) && origin.length <= 120 ? origin : null;
  return /^[a-z][a-z0-9+.-]{1,40}:$/.test(protocol) && !/^(?:javascript|data|vbscript|blob|file):/.test(protocol)
    ? `${protocol}//`
    : null;
}
