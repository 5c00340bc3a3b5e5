/**
 * What the browser says of a ceremony, as far as it is read more strictly here than by the library.
 *
 * @see {@link https://www.w3.org/TR/webauthn-3/#dictdef-collectedclientdata | WebAuthn Level 3, client data}
 *
 * @module
 */
import { fromBase64Url } from "../crypto/encoding.ts";

/** Members that are read, and so may be there only once: readers differ in which of two they take. */
const UNIQUE_MEMBERS = ["type", "challenge", "origin", "crossOrigin", "topOrigin"];

/**
 * Makes sure that client data can be read in one way only, and that the page was not inside one of another site.
 *
 * @param encoded The client data, as base64url.
 * @throws {TypeError} if it can be read in two ways, or the page was inside another.
 */
export function checkClientData(encoded: string): void {
  // Without this option a mark of the byte order would be taken away, and with it what was signed.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const text = decoder.decode(fromBase64Url(encoded));
  const { crossOrigin, topOrigin }: Readonly<Record<string, unknown>> = JSON.parse(text);
  const names = memberNames(text);
  if (UNIQUE_MEMBERS.some((name) => names.indexOf(name) !== names.lastIndexOf(name))) {
    throw new TypeError("Client data has a member twice");
  }
  if (crossOrigin === undefined || crossOrigin === false) {
    if (topOrigin === undefined) return;
  }
  throw new TypeError("Client data tells of a page inside a page of another site");
}

// In JSON a string is a name if a colon follows.
function memberNames(text: string): readonly string[] {
  const strings = text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?/g);
  return [...strings].filter(([, , colon]) => colon !== undefined).map(([, name = ""]) => JSON.parse(name));
}
