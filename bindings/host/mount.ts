/**
 * The path at which a framework mounts the service, and the prefix that is stripped from the paths that it sees.
 *
 * @module
 */
import { normalizePath } from "../../src/http/path.ts";
import { parseRoute } from "../../src/kernel/route_path.ts";
import type { Mount } from "../../src/service/configured.ts";

/**
 * Makes the mount of a service.
 *
 * If the path of the service ends with the path of the mount, the part before it is a prefix that a proxy strips: `/app`
 * for a service at `/app/auth` that the framework mounts at `/auth`. Paths without the prefix get it. Paths that have it
 * stay the same, because some frameworks show it in one place and hide it in another.
 *
 * @param basePath The path of the service if neither `basePath` nor `AUTH_URL` names one.
 * @param mounted The path at which the routes of the framework have it.
 */
export function mountAt(basePath: string, mounted: string = basePath): Mount {
  const at = encoded(mounted);
  return {
    basePath,
    publicUrl(url, config) {
      const { pathname } = url;
      const prefix = prefixOf(config.basePath, at);
      if (isBelow(pathname, config.basePath)) return url;
      if (at !== "" && isBelow(pathname, at)) url.pathname = config.basePath + pathname.slice(at.length);
      else if (withPrefix(pathname, prefix) === null) url.pathname = prefix + pathname;
      return url;
    },
    innerPath(pathname, config) {
      const prefix = prefixOf(config.basePath, at);
      if (prefix === "") return pathname;
      // A proxy and the framework may each strip it.
      const strip = (path: string): string => withPrefix(path, prefix)?.slice(prefix.length) ?? path;
      return strip(strip(pathname)) || "/";
    },
  };
}

/** The members of a request of Express that tell where its router is. */
interface Routed {
  readonly baseUrl?: string | undefined;
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
}

/**
 * Finds the path that a router of Express is mounted at; `null` if the request is not for the service. With a wildcard,
 * such as `/auth/*splat`, the path of the router has the action too.
 *
 * Routers ignore case, but the service does not: the path is in lower case, so that only one spelling is mounted.
 */
export function mountOf({ baseUrl = "", url = "/", originalUrl = url }: Routed): string | null {
  const base = baseUrl.toLowerCase();
  const path = originalUrl.replace(/[?#].*$/s, "");
  const segments = base.split("/").slice(1);
  const all = [base, ...segments.map((_, at) => `/${segments.slice(0, at + 1).join("/")}`)];
  return all.find((mounted) => mounted !== "" && parseRoute(path, mounted)) ?? null;
}

// As the paths of requests are written.
function encoded(path: string): string {
  return new URL(`http://localhost/${path.replace(/^\/+|\/+$/g, "")}`).pathname.replace(/\/$/, "");
}

function prefixOf(basePath: string, at: string): string {
  return at !== "" && basePath.endsWith(at) ? basePath.slice(0, -at.length) : "";
}

// Gives a path in a form that begins with the prefix, or `null` if it has no prefix. A framework may decode a path, or
// ignore its case, before it strips the prefix.
function withPrefix(path: string, prefix: string): string | null {
  const forms = [path, normalizePath(path)];
  return forms.find((form) => isBelow(form.toLowerCase(), prefix.toLowerCase())) ?? null;
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
