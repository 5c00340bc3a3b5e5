/**
 * The paths that a request may be for: all that a guard has to judge, as one value.
 *
 * A server, a framework and what stands in front of them may each read another path out of one request. So a guard never
 * judges the URL alone, and the code that puts a guard around a router says what that router reads.
 *
 * @module
 */
import type { RequestLike } from "./request_like.ts";
import { normalizePath, withoutDots } from "./path.ts";

/** What a binding knows of the path of a request, beside its URL. */
export interface Seen {
  /**
   * The target of the request as the server received it: a path with its query, or an absolute URL. `null` if the platform
   * shows nothing but the URL, and chooses the page by it.
   */
  readonly target: string | null;
  /**
   * The paths by which the framework chooses the page, such as that of its route with the parameters filled in, that after
   * a rewrite, or that below a mounted router. None if it goes by the URL.
   */
  readonly routes: readonly string[];
  /** Gives a copy of the request, whose path is another one, what the framework adds to its requests. */
  readonly dress?: ((copy: Request) => Request) | undefined;
}

/** All paths that a request may be for. */
export interface Readings {
  /** The paths, each as it was seen, without its query. */
  readonly paths: readonly string[];
  /** Whether the target has segments to be resolved, so that one router sees another path than the next. */
  readonly isAmbiguous: boolean;
}

/** Makes the readings of a request. */
export function readingsOf(incoming: Pick<RequestLike, "url">, { target, routes }: Seen): Readings {
  const sent = target === null ? [] : [pathOf(target)];
  // A server that does not resolve dots may show them in the URL, too.
  const isAmbiguous = [...sent, pathOf(incoming.url)].some(hasDots);
  return { paths: [...new Set([new URL(incoming.url).pathname, ...sent, ...routes.map(pathOf)])], isAmbiguous };
}

/** Whether a server chose the route of a request by a path that the request does not show: `Bun.serve` with `routes`. */
export function hidesPath(request: Request): boolean {
  return Object.prototype.toString.call(request) === "[object BunRequest]";
}

const targets = new WeakMap<Request, string>();

/** Notes the target that a request was made of, which its URL does not show any more. Returns the request. */
export function withTarget(request: Request, target: string): Request {
  targets.set(request, target);
  return request;
}

/** Gives the target of a request: the one that was noted, or its URL as it was written. */
export function targetOf(incoming: Request | RequestLike): string {
  return targets.get(incoming as Request) ?? incoming.url;
}

// Not by `URL`, which resolves what has to be seen. The origin of an absolute URL is removed.
function pathOf(target: string): string {
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#\\]*/i, "").replace(/[?#].*$/s, "");
  return path.startsWith("/") ? path : `/${path}`;
}

// Browsers resolve these before they ask.
function hasDots(path: string): boolean {
  return /\\|\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path);
}

/**
 * Lists the different paths that paths may be read as, each percent-encoded and normalized, that of the first path first.
 * `null` if there are more than {@linkcode MOST_READINGS}, or if they cannot be determined.
 */
export function distinctReadings(paths: readonly string[]): readonly string[] | null {
  const url = new URL("http://localhost");
  const found = new Set<string>();
  for (const path of paths) {
    for (const spelling of spellingsOf(path) ?? [null]) {
      if (spelling === null) return null;
      url.pathname = spelling;
      found.add(normalizePath(url.pathname));
    }
  }
  return found.size > MOST_READINGS ? null : [...found];
}

/** The most readings that `authorized` is asked about. Nearly every path has one. */
const MOST_READINGS = 8;

/** Lists what a path may be rewritten to, itself first. `null` if there are too many, or if they cannot be determined. */
export function spellingsOf(path: string): readonly string[] | null {
  if (PLAIN.test(path)) return [path];
  if (path.length > LONGEST || !path.isWellFormed()) return null;
  const found = new Set([path]);
  // The loop also visits what it adds.
  for (const spelling of found) {
    if (found.size > MOST_SPELLINGS || /\p{Cc}/u.test(spelling)) return null;
    for (const rewrite of REWRITES) {
      const further = rewrite(spelling);
      if (further === null) return null;
      found.add(further);
    }
  }
  return [...found];
}

/** Matches paths that are read in one way. */
const PLAIN = /^[\w~/-]*$/;

/** The most characters of a path that is rewritten. */
const LONGEST = 8192;

/** The most spellings. An honest path has a few. */
const MOST_SPELLINGS = 32;

/** What servers, proxies and routers do to a path. Each may happen or not, in any order. */
const REWRITES: readonly ((path: string) => string | null)[] = [
  decoded,
  (path) => path.replaceAll("\\", "/"),
  // Java servers take what follows a semicolon for a parameter of the segment.
  (path) => path.replace(/;[^/]*/g, ""),
  (path) => path.replace(/\/{2,}/g, "/"),
  (path) => `/${withoutDots(path.split("/").slice(1)).join("/")}`,
  // Turns fullwidth letters and slashes, and other compatibility characters, into plain ones.
  (path) => path.normalize("NFKC"),
];

/** Decodes a text; `null` if it is not valid UTF-8: parsers disagree about overlong and broken sequences. */
export function decoded(text: string): string | null {
  try {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => decodeURIComponent(run));
  } catch {
    return null;
  }
}
