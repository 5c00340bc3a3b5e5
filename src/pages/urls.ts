/**
 * Which URLs a page may show: links, form targets and logos.
 *
 * @module
 */
import { isSource } from "./csp.ts";

/** The base of relative URLs while they are checked. */
const BASE = "https://site.invalid";

/** A logo that may be shown. */
export interface Logo {
  /** The `src` of the image. */
  readonly src: string;
  /** The origin that it is loaded from, if that is another site. */
  readonly origin: string | undefined;
}

/** Gives an http(s) URL or a path as it is. Anything else, such as `javascript:`, becomes the front page. */
export function webUrl(value: string): string {
  // It can have no other protocol, so it need not be taken apart.
  if (/^https?:\/\//.test(value)) return URL.canParse(value) ? value : "/";
  const url = URL.parse(value, BASE);
  return url?.protocol === "https:" || url?.protocol === "http:" ? value : "/";
}

/** Gives a URL that an application of the device opens to take over a key. Anything else becomes the front page. */
export function keyUrl(value: string): string {
  return value.startsWith("otpauth://") ? value : "/";
}

/** Reads a logo: an https URL, a path of this site, or an image in a `data:` URL. Anything else is not shown. */
export function logoAt(value: string | undefined): Logo | undefined {
  if (typeof value !== "string") return undefined;
  const url = URL.parse(value);
  if (!url) return sitePath(value);
  if (url.protocol === "data:") return imageData(url);
  if (url.protocol !== "https:" || url.username || url.password || !isSource(url.origin)) return undefined;
  return { src: url.href, origin: url.origin };
}

/** Reads a link of the theme: an http(s) URL, or a path of this site. Anything else is not shown. */
export function linkAt(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const url = URL.parse(value);
  if (!url) return sitePath(value) && value;
  return url.protocol === "https:" || url.protocol === "http:" ? value : undefined;
}

function imageData(url: URL): Logo | undefined {
  // In `srcset`, a space would end the URL.
  return url.pathname.startsWith("image/") ? { src: url.href.replaceAll(" ", "%20"), origin: undefined } : undefined;
}

function sitePath(value: string): Logo | undefined {
  const url = URL.parse(value, BASE);
  // Browsers read `/\` as `//`, and dot segments can leave `//` at the start. Both name another host.
  if (!value.startsWith("/") || url?.origin !== BASE || url.pathname.startsWith("//")) return undefined;
  return { src: url.pathname + url.search, origin: undefined };
}
