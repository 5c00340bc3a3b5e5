/**
 * Checks of the client data that are stricter than the library's.
 *
 * @see {@link https://www.w3.org/TR/webauthn-3/#dictdef-collectedclientdata | WebAuthn Level 3, client data}
 *
 * @module
 */
import { fromBase64Url } from "../crypto/encoding.ts";
import { exceededBound, SENT_JSON } from "../http/json_bounds.ts";

/** Members that must not be repeated: JSON parsers differ in which of two they take. */
const UNIQUE_MEMBERS = ["type", "challenge", "origin", "crossOrigin", "topOrigin"];

/**
 * Makes sure that client data is unambiguous and that the page was not embedded in another site.
 *
 * @param encoded The client data as base64url.
 * @throws {TypeError} if it is ambiguous or too large, or the page was embedded.
 */
export function checkClientData(encoded: string): void {
  // `ignoreBOM` keeps a byte order mark: it is part of what was signed.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const text = decoder.decode(fromBase64Url(encoded));
  if (exceededBound(text, SENT_JSON)) throw new TypeError("Client data has too many members, or is nested too deeply");
  const { crossOrigin, topOrigin }: Readonly<Record<string, unknown>> = JSON.parse(text);
  const names = memberNames(text);
  if (UNIQUE_MEMBERS.some((name) => names.indexOf(name) !== names.lastIndexOf(name))) {
    throw new TypeError("Client data has a member twice");
  }
  if (crossOrigin === undefined || crossOrigin === false) {
    if (topOrigin === undefined) return;
  }
  throw new TypeError("The page was embedded in another site");
}

// In JSON, a string is a member name if a colon follows it.
function memberNames(text: string): readonly string[] {
  const strings = text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?/g);
  return [...strings].filter(([, , colon]) => colon !== undefined).map(([, name = ""]) => JSON.parse(name));
}
