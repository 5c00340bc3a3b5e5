/**
 * Finds cookies that browsers drop without a word, because of an option. A sign-in is when that matters.
 *
 * @module
 */
import { MOST_BY_STRANGERS, type Warning } from "../config/warning.ts";
import type { CookieRole } from "../http/cookie_specs.ts";
import type { RequestContext } from "./context.ts";

/** Warns of each cookie that a browser drops at this address. */
export function warnOfCookies(ctx: Pick<RequestContext, "config" | "url" | "warn">): void {
  for (const warning of droppedCookies(ctx)) ctx.warn?.(warning, MOST_BY_STRANGERS);
}

function droppedCookies({ config, url }: Pick<RequestContext, "config" | "url">): readonly Warning[] {
  const isSecure = url.protocol === "https:";
  const cookies = Object.entries(config.cookies[isSecure ? "secure" : "plain"]) as [CookieRole, Spec][];
  return cookies.flatMap(([role, { options: { domain, sameSite, secure } }]): Warning[] => {
    const what = `browsers drop the cookie \`cookies.${role}\`, so nobody can sign in`;
    if (domain && !isWithin(url.hostname, domain.toLowerCase().replace(/^\./, ""))) {
      const host = url.hostname.slice(0, 120);
      return [[
        "cookie-dropped",
        `${what}: its \`domain\` is "${domain}", and the site is at ${host}; set it to ${host} or to a domain above it, ` +
        "or leave it out",
      ]];
    }
    if (sameSite !== "none" || secure) return [];
    return [[
      "cookie-dropped",
      `${what}: its \`sameSite\` is "none", which needs \`secure\`, and the site is on http; serve it by https, or set ` +
      '`sameSite: "lax"`',
    ]];
  });
}

type Spec = RequestContext["config"]["cookies"]["plain"][CookieRole];

// Of a domain without a dot, such as `com`, no host may set cookies.
function isWithin(host: string, domain: string): boolean {
  return host === domain || (domain.includes(".") && host.endsWith(`.${domain}`));
}
