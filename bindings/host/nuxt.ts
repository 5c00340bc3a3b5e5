/**
 * What Nitro does with routes, for the binding for Nuxt.
 *
 * @module
 */
import { requestOf } from "../../src/http/request_like.ts";
import { securityHeaders } from "../../src/http/headers.ts";
import type { NodeResponse } from "../../src/node.ts";
import type { NodeHead } from "../../src/http/node_incoming.ts";
import { type Seen, type Visit, withoutBody } from "./host.ts";

/** The members of `event.context` that Nitro sets: the rules for the route. */
interface NitroContext {
  readonly _nitro?: { readonly routeRules?: { readonly cache?: unknown; readonly isr?: unknown } };
}

/**
 * Whether a route rule shares the response among all visitors. Nitro then removes the cookies from the request, but the
 * handler gets the context of the first visitor.
 */
export function isShared(context: object, { method }: Visit): boolean {
  const { cache, isr } = (context as NitroContext)._nitro?.routeRules ?? {};
  return Boolean(cache || isr) && (method === "GET" || method === "HEAD");
}

// As loose as the check in Nuxt.
const PAYLOAD = /\/_payload.js(?:on)?$/;

/** Gives the visit to the page whose data is asked for; another visit is given back. */
export function pageOf(visit: Visit): Visit {
  const url = new URL(visit.url);
  if (!PAYLOAD.test(url.pathname)) return visit;
  url.pathname = url.pathname.replace(PAYLOAD, "");
  return withoutBody({ url: url.href, method: visit.method, headers: requestOf(visit).headers });
}

/** Tells how Nitro reads the path of a request: of data, that of its page. */
export function seenOf({ path, node: { req: { url = "/", originalUrl = url } } }: NuxtSeen): Seen {
  const ofPage = (target: string): string => target.replace(/[?#].*$/s, "").replace(PAYLOAD, "");
  return { target: ofPage(originalUrl), routes: [ofPage(url), ofPage(path ?? url)] };
}

/** The members of an event of h3 that tell the path. */
interface NuxtSeen {
  readonly path?: string | undefined;
  readonly node: { readonly req: Pick<NodeHead, "url" | "originalUrl"> };
}

/** Answers a malformed request. Nuxt would render an error page by another request with the same flaw. */
export function refuse(outgoing: Pick<NodeResponse, "statusCode" | "setHeader" | "end">): void {
  outgoing.statusCode = 400;
  for (const [name, value] of securityHeaders("json", false)) outgoing.setHeader(name, value);
  outgoing.end(JSON.stringify({ message: "Bad request" }));
}
