/**
 * Pages that are made once for everybody, which have no session.
 *
 * @module
 */
import { warnPlainly } from "../../src/kernel/plain_log.ts";

/** The most pages that are named: a site may have many. */
const MOST_PAGES = 4;

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
