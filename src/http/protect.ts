/**
 * Which paths are for people who are signed in.
 *
 * Servers, proxies and routers behind the guard may decode or rewrite a path before they choose a page. So a path is
 * protected if anything is that it may be rewritten to.
 *
 * @module
 */
import { decoded, spellingsOf } from "./readings.ts";

/** The option `protect`, parsed. */
export interface Protection {
  /** The segments of each path. `*` matches one segment, at the end any number. */
  readonly patterns: readonly (readonly string[])[];
  readonly ignoreCase: boolean;
}

type Given = readonly string[] | { readonly routes: readonly string[]; readonly ignoreCase?: boolean | undefined };

/** Returns what is wrong with the option `protect`, or `null`. */
export function protectProblem(given: unknown): string | null {
  if (given === undefined) return null;
  const { routes, ignoreCase } = (Array.isArray(given) ? { routes: given } : given ?? {}) as Partial<
    Exclude<Given, readonly string[]>
  >;
  if (!Array.isArray(routes)) return "it must be a list of paths, or have one as its `routes`";
  if (ignoreCase !== undefined && typeof ignoreCase !== "boolean") return "its `ignoreCase` must be true or false";
  // Copied, because `filter()` skips the holes of an array.
  const [wrong] = [...routes].filter((route: unknown) => !isPattern(route)).map((route: unknown) =>
    typeof route === "string" ? JSON.stringify(route) : `a member of type ${typeof route}`
  );
  if (wrong === undefined) return null;
  return `${wrong} is not a path such as "/members/*", in which * stands for a whole segment, at the end for any number`;
}

// Refuses the pattern syntax of routers, such as `/:id`: it would be compared as plain text, and protect nothing.
function isPattern(route: unknown): route is string {
  if (typeof route !== "string" || !route.startsWith("/") || /[?#\\;|^()[\]{}\s\p{Cc}]/u.test(route)) return false;
  const segments = decoded(route)?.split("/").slice(1);
  // An encoded slash would make one segment more.
  if (!segments || segments.length !== route.split("/").length - 1) return false;
  return segments.every((segment, at) => {
    if (segment === "") return at === segments.length - 1;
    return segment === "*" || !/^[:$]|^\.\.?$|[*;\\]|\p{Cc}/u.test(segment);
  });
}

/** Parses the option `protect`. `null` if it is not set, lists no path, or is wrong. */
export function readProtection(given: Given | undefined): Protection | null {
  if (given === undefined || protectProblem(given) !== null) return null;
  const { routes, ignoreCase = true } = "routes" in given ? given : { routes: given };
  if (routes.length === 0) return null;
  const patterns = routes.map((route) => Object.freeze(segmentsOf(route).map((part) => folded(part, ignoreCase))));
  return Object.freeze({ patterns: Object.freeze(patterns), ignoreCase });
}

/** Whether a path is protected: one of its spellings is, or they cannot be determined. */
export function isProtected(pathname: string, protection: Protection): boolean {
  const spellings = spellingsOf(pathname);
  return spellings === null || spellings.some((spelling) => isListed(spelling, protection));
}

/** Whether a path fits one of the patterns. An encoded slash separates no segments. */
export function isListed(path: string, { patterns, ignoreCase }: Protection): boolean {
  const guards = (segments: readonly string[]) => patterns.some((pattern) => fits(pattern, segments));
  return guardsAny(segmentsOf(path).map((segment) => folded(segment, ignoreCase)), guards);
}

// Through upper case, because some letters share only their upper case, such as `s` and `ſ`.
function folded(text: string, ignoreCase: boolean): string {
  const one = text.normalize();
  return ignoreCase ? one.toUpperCase().toLowerCase() : one;
}

function segmentsOf(path: string): readonly string[] {
  return path.split("/").map((segment) => (decoded(segment) ?? segment).trim()).filter((segment) => segment !== "");
}

// Routers also serve the data and the file of a page, under names such as `page.data`, `page.html` and `page/index`.
function guardsAny(segments: readonly string[], guards: (segments: readonly string[]) => boolean): boolean {
  if (guards(segments)) return true;
  const last = segments.at(-1) ?? "";
  const bare = last.replace(/^(?:__data\.json|_root\.data)$|(?:\.html)?__data\.json$|\.(?:data|html?|json|rsc)$/i, "");
  const above = segments.slice(0, -1);
  if (bare !== last && bare !== "" && guards([...above, bare])) return true;
  return (bare === "" || bare.toLowerCase() === "index") && guards(above);
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === "*";
  const length = isOpen ? pattern.length - 1 : pattern.length;
  if (isOpen ? segments.length < length : segments.length !== length) return false;
  return pattern.slice(0, length).every((segment, at) => segment === "*" || segment === segments[at]);
}
