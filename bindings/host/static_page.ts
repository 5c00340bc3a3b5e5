/**
 * Pages that are made once for everybody, which have no session.
 *
 * @module
 */
import type { RequestLike } from "../../src/http/request_like.ts";
import { warnPlainly } from "../../src/kernel/plain_log.ts";

/** The most pages that are named: a site may have many. */
const MOST_PAGES = 8;

const told = new Set<string>();

/**
 * Warns that such a page asked for the session.
 *
 * @param page What the line calls the page, such as its path.
 * @param remedy How the page is rendered for each request.
 */
export function warnOfStaticPage(page: string, remedy: string): void {
  if (told.size >= MOST_PAGES || told.has(page)) return;
  told.add(page);
  warnPlainly(
    undefined,
    "session-in-static-page",
    `${page} asked for the session and is made once for everybody, so nobody is signed in there: ${remedy}, or read the ` +
      "session in the browser, with `@x/auth/client`",
  );
}

/**
 * Gives a static page no session, and a warning once it asks for one.
 *
 * @param owner What has the session as `session`.
 * @param page What the line calls the page, such as its path.
 * @param remedy How the page is rendered for each request.
 */
export function withoutSession(owner: object, page: string, remedy: string): void {
  let session: unknown = null;
  Object.defineProperty(owner, "session", {
    configurable: true,
    enumerable: true,
    get() {
      warnOfStaticPage(page, remedy);
      return session;
    },
    set: (value: unknown) => void (session = value),
  });
}

/**
 * Whether Nitro asks for a page that it makes when the site is built. Anybody can send the header, so nothing else may
 * depend on it than a line of the log.
 *
 * @param hasSender Whether the request came over a connection.
 */
export function isPrerendered(headers: Pick<RequestLike["headers"], "get">, hasSender: boolean): boolean {
  return !hasSender && headers.get("x-nitro-prerender") !== null;
}

/** How a page is left out of those that Nitro makes. */
export const NITRO_REMEDY = "leave it out of `prerender` in the configuration of Nitro, and of the route rules";
