/**
 * Base64 with the characters `+` and `/`, in which hashes are stored.
 *
 * @module
 */
import { fromBase64Url, isCanonicalBase64Url, toBase64Url } from "../crypto/encoding.ts";

/** Reads base64, with padding or without (RFC 4648, section 4). @returns `null` if the text is malformed. */
export function readBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const [, content = "", padding = ""] = /^([A-Za-z0-9+/]*)(={0,2})$/.exec(text) ?? [];
  if (content === "" || (padding && (content.length + padding.length) % 4 !== 0)) return null;
  const own = content.replaceAll("+", "-").replaceAll("/", "_");
  return isCanonicalBase64Url(own) ? fromBase64Url(own) : null;
}

/** Writes base64 without padding. */
export function writeBase64(bytes: Uint8Array): string {
  return toBase64Url(bytes).replaceAll("-", "+").replaceAll("_", "/");
}
