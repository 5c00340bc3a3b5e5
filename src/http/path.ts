/**
 * Normalizes the path of a request.
 *
 * @module
 */

/** Matches every path that is not normal. */
const UNUSUAL = /%|\/\/|\/\.|\\/;

/**
 * Normalizes a path: decodes unreserved characters, writes other percent-encodings in upper case, and removes empty and
 * dot segments. An encoded slash stays encoded, because it does not separate segments.
 *
 * @param pathname The path of a URL, percent-encoded.
 * @see {@link https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2 | RFC 3986, section 6.2.2}
 */
export function normalizePath(pathname: string): string {
  if (!UNUSUAL.test(pathname)) return pathname;
  // Encode a percent sign that encodes nothing. Otherwise it could form an encoding with what is decoded after it.
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

/** Removes dot segments; `..` removes the segment before it too. */
export function withoutDots(segments: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === "..") kept.pop();
    else if (segment !== ".") kept.push(segment);
  }
  return kept;
}

/**
 * Returns the request if it has this path, otherwise a copy with the path and its own body.
 *
 * @param dress Gives a copy what the framework adds to its requests.
 */
export function withPath(request: Request, pathname: string, dress = (copy: Request): Request => copy): Request {
  const url = new URL(request.url);
  if (pathname === url.pathname) return request;
  url.pathname = pathname;
  const { method, headers, signal } = request;
  if (request.bodyUsed) return dress(new Request(url, { method, headers, signal }));
  // On Node a copy of a copy loses its signal when the copy between them is collected, so it gets the first one.
  return dress(new Request(new Request(url, request.clone()), { signal }));
}

/** Cancels the body of a copy that was not read. Otherwise it stays in memory while the original is read. */
export function discard(copy: Request): void {
  if (copy.bodyUsed || !copy.body || copy.body.locked) return;
  // Not awaited: the promise waits for the body of the original, which may never be read.
  copy.body.cancel().catch(() => {});
}
