/**
 * Answers paths that the service does not have, and says where it is mounted if it was asked for elsewhere.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { isAuthAction } from "../kernel/route_path.ts";
import { homeUrl, pageUrl } from "../request/links.ts";
import { notFound, type Outcome, page } from "../request/outcome.ts";

/** Answers 404: with a page for browsers, with JSON for scripts. */
export function answerUnknownPath(ctx: RequestContext): Outcome {
  const message = elsewhere(ctx.url.pathname, ctx.config.basePath);
  if (message) ctx.warn?.(["path-elsewhere", message], MOST_TOLD);
  if (!wantsPage(ctx.request)) return notFound();
  const links = { signInUrl: pageUrl(ctx, "signIn"), siteUrl: homeUrl(ctx) };
  return page({ name: "error", error: "NotFound", ...links }, 404);
}

/** The most places that are told, one line each: strangers can ask for anything. */
const MOST_TOLD = 4;

/** A place where somebody may have mounted the service: plain and short, because strangers choose it. */
const PLACE = /^(?:\/[\w.~-]{1,40}){1,5}$/;

/** Actions whose path names a provider. */
const OF_PROVIDERS: ReadonlySet<string> = new Set(["signin", "callback", "webauthn-options", "signout"]);

function elsewhere(pathname: string, basePath: string): string | null {
  const asked = `mounted at ${basePath || "/"}, asked for `;
  if (basePath !== "" && pathname === "/") {
    return `${asked}/: the sign-in page is at ${basePath}/signin, and all other paths are your application's`;
  }
  const place = placeOf(pathname.replace(/\/$/, "").split("/"));
  if (place === null || place === basePath) return null;
  const path = pathname.slice(0, 200);
  if (place === "") {
    return `${asked}${path}: a framework or a proxy has removed the \`basePath\` from the path, so let it pass on the ` +
      "whole path";
  }
  return PLACE.test(place) ? `${asked}${path}: set \`basePath: "${place}"\`` : null;
}

/** Gives what stands before an action; `null` if the path does not end in one. */
function placeOf(segments: readonly string[]): string | null {
  const [last = "", before = ""] = segments.toReversed();
  if (OF_PROVIDERS.has(before) && /^[\w.~-]{1,64}$/.test(last)) return segments.slice(0, -2).join("/");
  return isAuthAction(last) && last !== "callback" ? segments.slice(0, -1).join("/") : null;
}

function wantsPage({ headers }: Request): boolean {
  return /\btext\/html\b/i.test(headers.get("accept") ?? "") && !headers.has("x-auth-return-redirect");
}
