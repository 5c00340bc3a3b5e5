/**
 * Each cookie of the service: its name, its attributes and its size.
 *
 * @module
 */
import { authCookies, type Check, listed } from "./check.ts";
import { type ReadCookie, roleOf } from "./cookies.ts";
import type { Observed } from "./observed.ts";

/** Bytes of a cookie that browsers keep (RFC 6265, section 6.1). */
const MOST_BYTES = 4096;

/** The checks. */
export const COOKIES: readonly Check[] = [
  {
    id: "cookie-insecure",
    level: "error",
    title: "A cookie has no Secure, on a site that is open by https",
    fix: "Set AUTH_URL={site}{path}, or `useSecureCookies: true`",
    judge: (seen) => cookiesWhere(seen, isHttps(seen), ({ attributes }) => !attributes.has("secure")),
  },
  {
    id: "cookie-readable",
    level: "error",
    title: "Scripts can read a cookie, because it has no HttpOnly",
    fix: "Remove `httpOnly: false` from `cookies`",
    judge: (seen) => cookiesWhere(seen, true, ({ attributes }) => !attributes.has("httponly")),
  },
  {
    id: "cookie-samesite",
    level: "warning",
    title: "A cookie has no SameSite, or one that no browser knows",
    fix: 'Set `sameSite: "lax"` in `cookies`',
    judge: (seen) => cookiesWhere(seen, true, (cookie) => !/^(?:lax|strict|none)$/.test(sameSite(cookie))),
  },
  {
    id: "cookie-none",
    level: "warning",
    title: "Other sites can use a cookie, because it has SameSite=None",
    fix: 'Set `sameSite: "lax"` in `cookies`, unless the site is shown in frames of others',
    judge: (seen) => {
      return cookiesWhere(seen, true, (cookie) => sameSite(cookie) === "none" && !isOfFlow(cookie));
    },
  },
  {
    id: "cookie-none-insecure",
    level: "error",
    title: "Browsers drop a cookie that has SameSite=None and no Secure",
    fix: "Serve the site by https, and set AUTH_URL={site}{path}",
    judge: (seen) => {
      return cookiesWhere(seen, true, (cookie) => sameSite(cookie) === "none" && !cookie.attributes.has("secure"));
    },
  },
  {
    id: "cookie-strict",
    level: "error",
    title: "A cookie of a sign-in has SameSite=Strict, so it is not there when the provider sends the browser back",
    fix: 'Set `sameSite: "lax"` in `cookies`',
    judge: (seen) => cookiesWhere(seen, true, (cookie) => sameSite(cookie) === "strict" && isOfFlow(cookie)),
  },
  {
    id: "cookie-prefix-broken",
    level: "error",
    title: "Browsers drop a cookie whose prefix promises what its attributes do not keep",
    fix: "`__Secure-` needs Secure; `__Host-` needs Secure, Path=/ and no Domain",
    judge: (seen) => {
      return cookiesWhere(seen, true, ({ name, attributes }) => {
        if (!/^__(?:Host|Secure)-/i.test(name)) return false;
        if (!attributes.has("secure")) return true;
        return /^__Host-/i.test(name) && (attributes.get("path") !== "/" || !!attributes.get("domain"));
      });
    },
  },
  {
    id: "cookie-prefix-missing",
    level: "warning",
    title: "A cookie has no prefix, so whoever controls another subdomain can overwrite it",
    fix: "Set AUTH_URL={site}{path}: over https the service then uses `__Secure-` and `__Host-`",
    judge: (seen) => cookiesWhere(seen, isHttps(seen), ({ name }) => !/^__(?:Host|Secure)-/.test(name)),
  },
  {
    id: "cookie-on-http",
    level: "error",
    title: "Browsers drop a cookie with Secure, because the site is open by http",
    fix: "Set AUTH_URL={site}{path}, or serve the site by https",
    judge: (seen) => cookiesWhere(seen, !isHttps(seen), ({ attributes }) => attributes.has("secure")),
  },
  {
    id: "cookie-domain-foreign",
    level: "error",
    title: "Browsers drop a cookie whose Domain is not that of the site",
    fix: "Remove `domain` from `cookies`, or set it to a domain above the host",
    judge: (seen) => {
      const { hostname } = seen.site;
      return cookiesWhere(seen, true, (cookie) => {
        const domain = domainOf(cookie);
        return domain !== "" && hostname !== domain && !hostname.endsWith(`.${domain}`);
      });
    },
  },
  {
    id: "cookie-domain-wide",
    level: "warning",
    title: "Every subdomain gets a cookie of the service",
    fix: "Remove `domain` from `cookies`, unless those subdomains need the session",
    judge: (seen) => {
      const { hostname } = seen.site;
      return cookiesWhere(seen, true, (cookie) => {
        const domain = domainOf(cookie);
        return domain !== "" && (hostname === domain || hostname.endsWith(`.${domain}`));
      });
    },
  },
  {
    id: "cookie-path",
    level: "error",
    title: "A cookie has a Path at which the service, or the pages of the site, do not get it",
    fix: 'Set `path: "/"` in `cookies`',
    judge: (seen) => {
      return cookiesWhere(seen, true, ({ name, attributes }) => {
        const path = attributes.get("path") ?? "";
        const isSession = /^session-token/.test(roleOf(name) ?? "");
        return path !== "/" && (isSession || !`${seen.base}/callback/`.startsWith(`${path.replace(/\/$/, "")}/`));
      });
    },
  },
  {
    id: "cookie-large",
    level: "error",
    title: "Browsers drop a cookie that is longer than 4096 bytes",
    fix: "Keep less in it: what `callbacks.jwt` adds belongs into storage",
    judge: (seen) => cookiesWhere(seen, true, ({ size }) => size > MOST_BYTES),
  },
];

function cookiesWhere(
  seen: Observed,
  counts: boolean,
  isWrong: (cookie: ReadCookie) => boolean,
): readonly string[] | null {
  return counts ? listed(authCookies(seen).filter(isWrong).map(({ name }) => name)) : null;
}

function isHttps({ site }: Observed): boolean {
  return site.protocol === "https:";
}

function sameSite({ attributes }: ReadCookie): string {
  return (attributes.get("samesite") ?? "").toLowerCase();
}

function domainOf({ attributes }: ReadCookie): string {
  return (attributes.get("domain") ?? "").toLowerCase().replace(/^\./, "");
}

/** Whether a cookie has to come back from a provider, which may post its answer. */
function isOfFlow({ name }: ReadCookie): boolean {
  return /^(?:state|nonce|pkce\.code_verifier)/.test(roleOf(name) ?? "");
}
