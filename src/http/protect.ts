/**
 * Which paths are for people who are signed in. A path can be spelled in many ways, and what reads it after the guard may
 * take more than one of them to the same page: a path is protected if any reading of it is.
 *
 * @module
 */
import { withoutDots } from "./path.ts";

/** Protected paths, as the guard compares them. */
export interface Protection {
  /** Segments; `*` is any one, at the end any number. */
  readonly patterns: readonly (readonly string[])[];
  readonly ignoreCase: boolean;
}

/** What a developer wrote. */
type Given = readonly string[] | { readonly routes: readonly string[]; readonly ignoreCase?: boolean | undefined };

/** What is wrong with protected paths as they were written, in words; `null` if nothing is. */
export function protectProblem(given: unknown): string | null {
  if (given === undefined) return null;
  const { routes, ignoreCase } = (Array.isArray(given) ? { routes: given } : given ?? {}) as Partial<
    Exclude<Given, readonly string[]>
  >;
  if (!Array.isArray(routes)) return "it must be a list of paths, or have one as its `routes`";
  if (ignoreCase !== undefined && typeof ignoreCase !== "boolean") return "its `ignoreCase` must be true or false";
  // Copied, so that a hole is looked at too.
  const [wrong] = [...routes].filter((route: unknown) => !isPattern(route)).map((route: unknown) =>
    typeof route === "string" ? JSON.stringify(route) : `a member of type ${typeof route}`
  );
  if (wrong === undefined) return null;
  return `${wrong} is no path such as "/members/*", in which * stands for a whole segment, at the end for any number`;
}

// What looks like a pattern of a router would be compared letter by letter, and protect nothing.
function isPattern(route: unknown): route is string {
  if (typeof route !== "string" || !route.startsWith("/") || /[?#\\;|^()[\]{}\s\p{Cc}]/u.test(route)) return false;
  const segments = decoded(route)?.split("/").slice(1);
  // As many as there were: an encoded slash would make another.
  if (!segments || segments.length !== route.split("/").length - 1) return false;
  return segments.every((segment, at) => {
    if (segment === "") return at === segments.length - 1;
    return segment === "*" || !/^[:$]|^\.\.?$|[*;\\]|\p{Cc}/u.test(segment);
  });
}

/** Reads protected paths in which nothing is wrong. */
export function readProtection(given: Given | undefined): Protection | null {
  if (given === undefined || protectProblem(given) !== null) return null;
  const { routes, ignoreCase = true } = "routes" in given ? given : { routes: given };
  if (routes.length === 0) return null;
  const patterns = routes.map((route) => Object.freeze(segmentsOf(folded(decoded(route) ?? route, ignoreCase))));
  return Object.freeze({ patterns: Object.freeze(patterns), ignoreCase });
}

/** Whether a path is protected, in any of its readings or because they cannot be told. */
export function isProtected(pathname: string, { patterns, ignoreCase }: Protection): boolean {
  const guards = (segments: readonly string[]) => patterns.some((pattern) => fits(pattern, segments));
  const isGuarded = (reading: string) => guardsAny(segmentsOf(folded(reading, ignoreCase)), guards);
  if (PLAIN.test(pathname)) return isGuarded(pathname);
  if (pathname.length > LONGEST) return true;
  const readings = new Set([pathname]);
  // What is added on the way is looked at too.
  for (const reading of readings) {
    if (readings.size > MOST_READINGS || /\p{Cc}/u.test(reading) || isGuarded(reading)) return true;
    for (const rewrite of REWRITES) {
      const further = rewrite(reading);
      if (further === null) return true;
      readings.add(further);
    }
  }
  return false;
}

/** A path with one reading. */
const PLAIN = /^[\w~/-]*$/;

/** The longest path, in characters, that is read in more than one way. */
const LONGEST = 8192;

/** Readings after which nobody can tell what a path is. Without malice there are a few. */
const MOST_READINGS = 32;

/** What servers, proxies and routers do with a path before they look at it, each of them or none, in any order. */
const REWRITES: readonly ((path: string) => string | null)[] = [
  decoded,
  (path) => path.replaceAll("\\", "/"),
  // Some take what follows a semicolon for a parameter of the segment.
  (path) => path.replace(/;[^/]*/g, ""),
  (path) => path.replace(/\/{2,}/g, "/"),
  (path) => `/${withoutDots(path.split("/").slice(1)).join("/")}`,
  // Wide letters and slashes, and whatever else looks like a plain one.
  (path) => path.normalize("NFKC"),
];

// Null if it is no text: overlong and broken sequences are read in many ways.
function decoded(text: string): string | null {
  try {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => decodeURIComponent(run));
  } catch {
    return null;
  }
}

// By way of upper case, in which letters meet that have no other in common.
function folded(text: string, ignoreCase: boolean): string {
  const one = text.normalize();
  return ignoreCase ? one.toUpperCase().toLowerCase() : one;
}

function segmentsOf(path: string): readonly string[] {
  return path.split("/").map((segment) => segment.trim()).filter((segment) => segment !== "");
}

// Routers have addresses of their own for the data and the file of a page.
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
