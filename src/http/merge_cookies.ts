/**
 * Merges the `Set-Cookie` lines of several parts of a server.
 *
 * @module
 */

/**
 * Merges two lists of `Set-Cookie` lines by the name of the cookie: where both set a cookie, the last list counts. A value
 * that is split over several cookies, `name.0` and so on, is one cookie here: parts of two values must not be mixed.
 *
 * @example Usage
 * ```ts
 * import { mergeSetCookie } from "@x/auth";
 * import assert from "node:assert/strict";
 *
 * const renewed = ["session=1; Path=/", "theme=dark"];
 * assert.deepEqual(mergeSetCookie(renewed, ["session=; Max-Age=0; Path=/"]), [
 *   "theme=dark",
 *   "session=; Max-Age=0; Path=/",
 * ]);
 * ```
 *
 * @param first The lines that give way.
 * @param last The lines that count.
 * @returns All lines of `last`, after those of `first` that set other cookies.
 */
export function mergeSetCookie(first: readonly string[], last: readonly string[]): string[] {
  const replaced = new Set(last.map(nameOf));
  return [...first.filter((line) => !replaced.has(nameOf(line))), ...last];
}

// Browsers take a line without "=" for a cookie without a name.
function nameOf(line: string): string {
  const [name = ""] = /^[^=;]*(?==)/.exec(line) ?? [];
  return name.trim().replace(/\.\d$/, "");
}
