/**
 * The path of a route that a framework has resolved.
 *
 * @module
 */

/** The parameters of a route, decoded. */
export type RouteParams = Readonly<Record<string, string | undefined>>;

/**
 * Fills parameters into the pattern of a route, as file-based routers write it: `/[[lang]]/members/[id=number]/[...rest]`.
 * What the URL shows and the route does not, such as a locale, is not in it.
 *
 * @param pattern The pattern.
 * @param params The parameters. One that is missing is an empty text.
 */
export function routePath(pattern: string, params: RouteParams): string {
  const path = pattern.replace(PARAMETER, (_, name: string) => {
    const [, kind, code] = /^([xu])\+([\da-f]+(?:-[\da-f]+)*)$/i.exec(name) ?? [];
    // SvelteKit writes characters so that a name of a file cannot have.
    if (kind && code) return String.fromCodePoint(...code.split("-").map((hex) => Number.parseInt(hex, 16)));
    return (params[name] ?? "").split("/").map((segment) => encodeURIComponent(segment.toWellFormed())).join("/");
  });
  return path.startsWith("/") ? path : `/${path}`;
}

/** Matches a parameter in a pattern, with its name. */
const PARAMETER = /\[{1,2}(?:\.{3})?([^[\]=]+)(?:=[^[\]]*)?\]{1,2}/g;
