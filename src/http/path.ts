/**
 * The path of a request, written in one way.
 *
 * @module
 */

/** What a path that is not normal has somewhere. */
const UNUSUAL = /%|\/\/|\/\.|\\/;

/**
 * Writes a path in the one way that all of its spellings share: what need not be encoded is not, what is encoded has
 * upper-case digits, and there are no empty and no dot segments. Encoded slashes stay encoded, for they are no slashes.
 *
 * @param pathname The path of a URL, percent-encoded.
 * @see {@link https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2 | RFC 3986, section 6.2.2}
 */
export function normalizePath(pathname: string): string {
  if (!UNUSUAL.test(pathname)) return pathname;
  // A percent sign that encodes nothing is one itself, or what comes after it could be read as a code later.
  const plain = pathname.replaceAll("\\", "/").replace(/%([0-9a-f]{2})?/gi, (escape, hex?: string) => {
    if (hex === undefined) return "%25";
    const char = String.fromCharCode(Number.parseInt(hex, 16));
    return /[\w.~-]/.test(char) ? char : escape.toUpperCase();
  });
  const all = plain.split("/").slice(1);
  const isFolder = ["", ".", ".."].includes(all.at(-1) ?? "");
  const segments = withoutDots(all).filter((segment) => segment !== "");
  return `/${segments.join("/")}${isFolder && segments.length > 0 ? "/" : ""}`;
}

/** Takes dot segments out of a path: `..` goes with the segment before it. */
export function withoutDots(segments: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === "..") kept.pop();
    else if (segment !== ".") kept.push(segment);
  }
  return kept;
}

/**
 * Whether a URL still has dot segments or backslashes in its path, as some servers hand it on. `URL` resolves them, and a
 * router that reads the text does not, so that the two see different pages. No browser sends such a path.
 */
export function hasRawDots(url: string): boolean {
  const path = url.slice(url.indexOf("//") + 2).replace(/[?#].*$/s, "");
  return /\\|\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path);
}

/**
 * Gives a request whose path is normal, for code that compares paths: the request itself where it is already. Otherwise
 * a copy that differs in nothing else, with a body of its own.
 */
export function withNormalPath(request: Request): Request {
  const url = new URL(request.url);
  const pathname = normalizePath(url.pathname);
  if (pathname === url.pathname) return request;
  url.pathname = pathname;
  const { method, headers, signal } = request;
  return request.bodyUsed ? new Request(url, { method, headers, signal }) : new Request(url, request.clone());
}

/** Lets go of the body of a copy that nobody reads any more: it would be kept as long as the other one is read. */
export function discard(copy: Request): void {
  if (copy.bodyUsed || !copy.body || copy.body.locked) return;
  // A promise that waits for the other half, which may never be read.
  copy.body.cancel().catch(() => {});
}
