/**
 * Which URLs a page may show: links, form targets and logos.
 *
 * @module
 */
import { isSource } from "./csp.ts";

/** Stands for the site while a relative URL is read. */
const SITE = "https://site.invalid";

/** A logo that may be shown. */
export interface Logo {
  /** What the image loads. */
  readonly src: string;
  /** The origin it comes from, if that is another site. */
  readonly origin: string | undefined;
}

/** Passes a web address or a path on; anything that would run or open something else becomes the site's root. */
export function webUrl(value: string): string {
  const url = URL.parse(value, SITE);
  return url?.protocol === "https:" || url?.protocol === "http:" ? value : "/";
}

/** Names the host of an address, for people to read. */
export function hostOf(value: string): string {
  return URL.parse(value)?.host || "the site";
}

/** Reads a logo: an https address, a path of this site, or an image in a `data:` URL. Anything else is not shown. */
export function logoAt(value: string | undefined): Logo | undefined {
  if (typeof value !== "string") return undefined;
  const url = URL.parse(value);
  if (!url) return sitePath(value);
  if (url.protocol === "data:") return imageData(url);
  if (url.protocol !== "https:" || url.username || url.password || !isSource(url.origin)) return undefined;
  return { src: url.href, origin: url.origin };
}

function imageData(url: URL): Logo | undefined {
  // A space would end the URL inside srcset.
  return url.pathname.startsWith("image/") ? { src: url.href.replaceAll(" ", "%20"), origin: undefined } : undefined;
}

function sitePath(value: string): Logo | undefined {
  const url = URL.parse(value, SITE);
  // Browsers read `/\` as `//`, and dot segments can leave two slashes at the start: both name another host.
  if (!value.startsWith("/") || url?.origin !== SITE || url.pathname.startsWith("//")) return undefined;
  return { src: url.pathname + url.search, origin: undefined };
}
