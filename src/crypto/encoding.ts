/**
 * Bytes as text.
 *
 * @module
 */

// Built into newer runtimes; missing in Node 22 and 24.
type Bytes = Uint8Array & {
  readonly toHex?: () => string;
  readonly toBase64?: (options: { alphabet: "base64url"; omitPadding: true }) => string;
};

type FromBase64 = (text: string, options: { alphabet: "base64url" }) => Uint8Array<ArrayBuffer>;

/** Writes bytes as lower-case hex. */
export function toHex(bytes: Bytes): string {
  if (bytes.toHex) return bytes.toHex();
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Bytes converted in one call: each of them is an argument, and arguments lie on the stack. */
const PIECE = 8192;

/** Writes bytes as base64url without padding (RFC 4648, section 5). */
export function toBase64Url(bytes: Bytes): string {
  if (bytes.toBase64) return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
  let binary = "";
  for (let at = 0; at < bytes.length; at += PIECE) binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Reads base64url without padding. @throws {SyntaxError | DOMException} if the text is malformed. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  // Both ways of reading skip white space, and `atob` takes the characters of base64 too.
  if (/[^\w-]/.test(text)) throw new SyntaxError("Not base64url");
  const { fromBase64 } = Uint8Array as { readonly fromBase64?: FromBase64 };
  if (fromBase64) return fromBase64(text, { alphabet: "base64url" });
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Reads a text that was written as base64url of its UTF-8; `null` if it was not. */
export function textFromBase64Url(encoded: string): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(fromBase64Url(encoded));
  } catch {
    return null;
  }
}

/**
 * Checks that the unused bits of the last character are zero, so that bytes have one spelling.
 *
 * @param text Characters of base64url, without padding.
 * @see {@link https://www.rfc-editor.org/rfc/rfc4648#section-3.5 | RFC 4648, section 3.5}
 */
export function isCanonicalBase64Url(text: string): boolean {
  const rest = text.length % 4;
  return rest === 0 || (rest === 2 && /[AQgw]$/.test(text)) || (rest === 3 && /[AEIMQUYcgkosw048]$/.test(text));
}

/** Writes 16 bytes as a UUID, with the bits of its version and variant set (RFC 9562, section 4). */
export function formatUuid(bytes: Uint8Array, version: 4 | 8): string {
  const own = bytes.slice(0, 16);
  own[6] = ((own[6] ?? 0) & 0x0f) | (version << 4);
  own[8] = ((own[8] ?? 0) & 0x3f) | 0x80;
  const hex = toHex(own);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Joins bytes. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** Writes text as UTF-8. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
