/**
 * The path of a route that a framework has resolved.
 *
 * @module
 */

/** The parameters of a route, decoded. */
export type RouteParams = Readonly<Record<string, string | undefined>>;

/**
 * Lists the paths of a page: its route with the parameters filled in, and the same without those that may be left out, such
 * as a locale in front. What the URL shows and the route does not is in neither.
 *
 * @param pattern The pattern of the route, as file-based routers write it: `/[[lang]]/members/[id=number]/[...rest]`.
 * @param params The parameters. One that is missing is an empty text.
 * @param asked The path of the URL. Where it ends with a slash, so do the paths: it makes no other page.
 */
export function routePaths(pattern: string, params: RouteParams, asked: string): readonly string[] {
  const paths = [pattern, pattern.replace(OPTIONAL, "")].map((one) => fill(one, params));
  return asked.endsWith("/") ? paths.map((path) => path.replace(/\/?$/, "/")) : paths;
}

/** Matches parameters that may be left out. One at the end that stands for any number is the page itself. */
const OPTIONAL = /\/(?:\[\[[^[\]]+\]\]|\[\.{3}[^[\]]+\](?=\/))/g;

/** Matches a parameter in a pattern, with its name. */
const PARAMETER = /\[{1,2}(?:\.{3})?([^[\]=]+)(?:=[^[\]]*)?\]{1,2}/g;

function fill(pattern: string, params: RouteParams): string {
  const path = pattern.replace(PARAMETER, (_, name: string) => {
    const [, kind, code] = /^([xu])\+([\da-f]+(?:-[\da-f]+)*)$/i.exec(name) ?? [];
    // SvelteKit writes characters like this that a file name cannot contain.
    if (kind && code) return String.fromCodePoint(...code.split("-").map((hex) => Number.parseInt(hex, 16)));
    return encodedPath(params[name] ?? "");
  });
  return path.startsWith("/") ? path : `/${path}`;
}

/** Encodes the value of a parameter. One that stands for several segments has slashes. */
export function encodedPath(value: string): string {
  return value.split("/").map((segment) => encodeURIComponent(segment.toWellFormed())).join("/");
}
