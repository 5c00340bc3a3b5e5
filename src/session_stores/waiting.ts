/**
 * Sessions that were found in a request, and wait for another proof before they go on. To everything but that proof they
 * are none.
 *
 * @module
 */
import type { CookieJar } from "../http/cookies.ts";

const waiting = new WeakSet<CookieJar>();

/** Notes that the session of a request waits. */
export function noteWaiting(cookies: CookieJar): void {
  waiting.add(cookies);
}

/** Whether the session of a request was found to wait: its cookie stays, and its user is asked for the proof. */
export function isWaiting(cookies: CookieJar): boolean {
  return waiting.has(cookies);
}
