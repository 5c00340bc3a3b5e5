/**
 * Follows redirects by hand. A cookie goes back to the origin that set it, and to no other.
 *
 * @module
 */
import type { Answer, Ask, Sent } from "./ask.ts";
import { cookieHeader, type ReadCookie } from "./cookies.ts";
import type { Walk } from "./observed.ts";

/** Redirects that are followed. */
const MOST = 10;

/** Follows the redirects of a URL as long as they stay where they may. */
export async function walk(
  ask: Ask,
  start: URL,
  headers: Sent["headers"] = {},
  mayFollow = (to: URL) => to.origin === start.origin,
): Promise<Walk> {
  const steps: Answer[] = [];
  const seen = new Set<string>();
  const jar = new Map<string, readonly ReadCookie[]>();
  for (let at = start; steps.length <= MOST;) {
    const cookies = jar.get(at.origin) ?? [];
    const cookie = cookieHeader(cookies);
    const visit = `${at.href} ${cookie}`;
    // The same again, with nothing new: it would go on for ever.
    if (seen.has(visit)) break;
    seen.add(visit);
    const reply = await ask(at, { headers: { ...headers, ...(cookie !== "" && { cookie }) } });
    if (reply.kind === "failure") return { steps, failure: reply, end: "failure", elsewhere: null };
    steps.push(reply);
    jar.set(at.origin, [...cookies, ...reply.cookies]);
    const to = reply.status >= 300 && reply.status < 400 ? locationOf(reply) : null;
    if (!to) return { steps, failure: null, end: "answer", elsewhere: null };
    if (!mayFollow(to)) return { steps, failure: null, end: "elsewhere", elsewhere: to };
    at = to;
  }
  return { steps, failure: null, end: "circle", elsewhere: null };
}

function locationOf({ headers, url }: Answer): URL | null {
  const location = headers.get("location") ?? "";
  return location === "" || location.length > 8192 ? null : URL.parse(location, url);
}
