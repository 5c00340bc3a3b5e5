/**
 * Which address the service takes for its own.
 *
 * @module
 */
import { answered, type Check, listed, pageOf, shown, when } from "./check.ts";
import { roleOf } from "./cookies.ts";
import { answerOf, isInner, type Observed, targetOf } from "./observed.ts";
import { NOBODY, providersIn } from "./observe.ts";

const PROXY = "Set AUTH_URL={site}{path}, or let the proxy send X-Forwarded-Host and X-Forwarded-Proto and set " +
  "AUTH_TRUST_HOST=true";

/** The checks. */
export const ORIGIN: readonly Check[] = [
  {
    id: "origin-scheme",
    level: "error",
    title: "The service takes itself for an http site, and it is asked by https",
    fix: PROXY,
    judge: (seen) =>
      differing(seen, (origin, { host, protocol }) => origin.host === host && origin.protocol !== protocol),
  },
  {
    id: "origin-port",
    level: "error",
    title: "The service takes itself for a site at another port",
    fix: PROXY,
    judge: (seen) => {
      return differing(seen, (origin, { hostname, host }) => origin.hostname === hostname && origin.host !== host);
    },
  },
  {
    id: "origin-inner",
    level: "error",
    title: "The service takes itself for an address that visitors cannot reach",
    fix: PROXY,
    judge: (seen) => {
      return differing(seen, (origin, { hostname }) => {
        return origin.hostname !== hostname && isInner(origin.hostname) && !isInner(hostname);
      });
    },
  },
  {
    id: "origin-host",
    level: "error",
    title: "The service takes itself for another site",
    fix: "Set AUTH_URL={site}{path}, or redirect the visitors of {site} to the other address",
    judge: (seen) => {
      return differing(seen, (origin, { hostname }) => {
        return origin.hostname !== hostname && (!isInner(origin.hostname) || isInner(hostname));
      });
    },
  },
  {
    id: "origin-two",
    level: "error",
    title: "The service takes itself for several sites at once",
    fix: "Set AUTH_URL={site}{path}",
    judge: (seen) => {
      const origins = [...new Set(ownOrigins(seen).map(([origin]) => origin.origin))];
      return when(origins.length > 1, ...origins);
    },
  },
  {
    id: "base-path-differs",
    level: "error",
    title: "The service takes itself for one at another path",
    fix: "Set AUTH_URL={site}{base}, or `basePath`, and let the proxy pass on the path as it is",
    judge: ({ providers, base }) => {
      const wrong = providers.flatMap(({ id, callbackUrl }) => {
        return callbackUrl && callbackUrl.pathname !== `${base}/callback/${id}` ? [shown(callbackUrl)] : [];
      });
      return listed(wrong);
    },
  },
  {
    id: "host-forwarded",
    level: "error",
    title: "Anybody can choose the host of links and emails, by X-Forwarded-Host",
    fix: "Set AUTH_URL={site}{path}, or let the proxy replace X-Forwarded-Host",
    judge: (seen) => when(!seen.isLocal && forwarded(seen).some(({ hostname }) => hostname === NOBODY)),
  },
  {
    id: "scheme-forwarded",
    level: "warning",
    title: "Anybody can make the service take itself for an http site, by X-Forwarded-Proto",
    fix: "Set AUTH_URL={site}{path}, or let the proxy replace X-Forwarded-Proto",
    judge: (seen) => {
      const isPlain = forwarded(seen).some(({ protocol }) => protocol === "http:");
      const isAlways = seen.providers.some(({ callbackUrl }) => callbackUrl?.protocol === "http:");
      return when(!seen.isLocal && seen.site.protocol === "https:" && isPlain && !isAlways);
    },
  },
  {
    id: "form-origin",
    level: "error",
    title: "Forms of the sign-in page lead to another origin than that of the page",
    fix: PROXY,
    judge: (seen) => {
      const page = pageOf(seen);
      const actions = page?.body.matchAll(/<form\b[^<>]{0,2000}?\saction=["']?([^"'\s>]{1,2000})/gi) ?? [];
      const urls = [...actions].map(([, action = ""]) => URL.parse(action.replaceAll("&amp;", "&"), page?.url));
      const away = urls.filter((url) => url !== null && url.origin !== page?.url.origin && isService(seen, url));
      return listed(away.map((url) => url?.origin ?? ""));
    },
  },
  {
    id: "open-redirect",
    level: "error",
    title: "After signing out, the service sends visitors to any site that a link names",
    fix: "Let `callbacks.redirect` return only URLs of your own sites",
    judge: (seen) => {
      return when(targetOf(answerOf(seen, "awayForm"))?.hostname === NOBODY);
    },
  },
  {
    id: "site-by-address",
    level: "note",
    title: "The site is asked by an IP address, where passkeys do not work",
    fix: "Open it by a name, such as localhost",
    judge: ({ site, providers }) => {
      const hasPasskeys = providers.some(({ type }) => type === "webauthn");
      return when(hasPasskeys && /^\[|^[\d.]+$/.test(site.hostname));
    },
  },
];

// A form for a search may lead anywhere.
function isService({ base }: Observed, { pathname }: URL): boolean {
  return pathname.startsWith(`${base}/`) || /\/(?:signin|callback|signout)\b/.test(pathname);
}

/** The origins that the service takes for its own, and where it says so. */
function ownOrigins(seen: Observed): readonly (readonly [origin: URL, where: string])[] {
  const { providers, starts } = seen;
  const listed = providers.flatMap(({ callbackUrl, signinUrl }) => {
    return [callbackUrl, signinUrl].flatMap((url) => url ? [[url, "the list of providers"] as const] : []);
  });
  const sent = starts.flatMap(({ to, provider: { id } }) => {
    const url = URL.parse(to?.searchParams.get("redirect_uri") ?? "");
    // A redirect proxy has another origin by design, and then the list has ours.
    return url && listed.length === 0 ? [[url, `the redirect_uri for ${id}`] as const] : [];
  });
  const remembered = answered(seen, ["csrf", "session"]).flatMap(([, { cookies }]) => cookies).flatMap((cookie) => {
    if (roleOf(cookie.name) !== "callback-url") return [];
    const url = URL.parse(decoded(cookie.value));
    return url ? [[url, `the cookie ${cookie.name}`] as const] : [];
  });
  return [...listed, ...sent, ...remembered].filter(([url]) => /^https?:$/.test(url.protocol));
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function differing(seen: Observed, isSo: (origin: URL, site: URL) => boolean): readonly string[] | null {
  const wrong = ownOrigins(seen).filter(([url]) => url.origin !== seen.site.origin && isSo(url, seen.site));
  return listed(wrong.map(([url, where]) => `${url.origin} in ${where}`));
}

function forwarded(seen: Observed): readonly URL[] {
  return providersIn(answerOf(seen, "forwarded")).flatMap(({ callbackUrl }) => callbackUrl ?? []);
}
