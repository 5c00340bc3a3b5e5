/**
 * The paths by which Next may choose the page of a request.
 *
 * @module
 */
import type { Seen } from "./host.ts";

/** The URL of a request, as Next shows it. */
export interface NextUrlLike extends URL {
  /** What the paths of the application begin with; empty if it is at the root. */
  basePath: string;
  /** Makes a copy. */
  clone(): NextUrlLike;
}

interface WithNextUrl {
  nextUrl?: Pick<NextUrlLike, "basePath"> | undefined;
  cookies?: unknown;
}

/**
 * Gives a request `nextUrl` if it has none: one that Next did not make, or a copy for another reading of the path, which
 * gets the cookies, too.
 *
 * @param like The request that Next made.
 */
export function withNextUrl<R extends Request>(request: R, like: WithNextUrl = {}): R {
  if ("nextUrl" in request) return request;
  const { basePath = "" } = like.nextUrl ?? {};
  const urlOf = (href: string): NextUrlLike => {
    const url = new URL(href);
    return Object.assign(url, { basePath, clone: () => urlOf(url.href) });
  };
  const { cookies } = like;
  return Object.assign(request, { nextUrl: urlOf(request.url) }, cookies !== undefined && { cookies });
}

/** The members of a `NextRequest` that tell the path. The pathname has neither `basePath` nor the locale. */
interface Routed {
  readonly url: string;
  readonly nextUrl?: {
    readonly pathname?: string | undefined;
    readonly locale?: string | undefined;
    readonly defaultLocale?: string | undefined;
  } | undefined;
}

/** The most paths: more than a regular request has, and more than Next itself unwraps. */
const MOST = 16;

/**
 * Lists the paths by which Next may choose the page of a request. Next does not show the request target to proxies, and
 * removes what it adds to the path of a page from the URL in some settings only.
 */
export function seenOf(request: Routed): Seen {
  const { url, nextUrl: { pathname, locale, defaultLocale } = {} } = request;
  const whole = singleSlashed(new URL(url).pathname);
  const locales = [locale ?? "", defaultLocale ?? ""].filter((name) => name !== "");
  const found = new Set([whole, singleSlashed(pathname ?? whole)]);
  // The loop also visits what it adds.
  for (const path of found) {
    const further = [
      ...pagesOfData(path, locales),
      ...withoutLocale(path, locales),
      ...intercepted(path),
      ...wholeOf(path),
    ];
    for (const page of further) if (found.size < MOST) found.add(page);
  }
  return { target: null, routes: [...found], dress: (copy) => withNextUrl(copy, request as WithNextUrl) };
}

// Next redirects paths with several slashes in a row.
function singleSlashed(path: string): string {
  return path.replace(/\/{2,}/g, "/");
}

// `/_next/data/<build>/de/members.json`, which may have a locale in front, too.
function pagesOfData(path: string, locales: readonly string[]): readonly string[] {
  const [, before, page] = /^(.*?)\/_next\/data\/[^/]+(\/.*?)(?:\.json)?$/is.exec(path) ?? [];
  if (before === undefined || page === undefined) return [];
  const [, first, rest] = /^\/([^/]*)(\/.*)?$/s.exec(page) ?? [];
  // Next adds the locale, and tells proxies the locale of the whole path only.
  const isOther = locales.length > 0 && first !== undefined && !isLocale(first, locales);
  return isOther ? [before + page, before + (rest ?? "/")] : [before + page];
}

function withoutLocale(path: string, locales: readonly string[]): readonly string[] {
  const [, first = "", rest = "/"] = /^\/([^/]+)(\/.*)?$/s.exec(path) ?? [];
  return isLocale(first, locales) ? [rest] : [];
}

function isLocale(segment: string, locales: readonly string[]): boolean {
  return locales.some((locale) => locale.toLowerCase() === segment.toLowerCase());
}

/**
 * Finds the path that an intercepting route stands for. Next also serves it at its own path: `/feed/(..)members/1` shows
 * a page for `/members/1`.
 */
function intercepted(path: string): readonly string[] {
  const plain = path.replace(/%(28|29|2e)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const [, before, markers, rest] = /^(.*?)\/((?:\(\.{1,3}\))+)(.*)$/s.exec(plain) ?? [];
  if (before === undefined || markers === undefined || rest === undefined) return [];
  if (markers.includes("(...)")) return [`/${rest}`];
  const above = before.split("/");
  const levels = markers.split("(..)").length - 1;
  return [`${above.slice(0, Math.max(1, above.length - levels)).join("/")}/${rest}`];
}

// A part of a page that is prefetched, on a platform that stores it as a file.
function wholeOf(path: string): readonly string[] {
  const [, page] = /^(.+?)\.segments\/.+$/s.exec(path) ?? [];
  return page === undefined ? [] : [page];
}
