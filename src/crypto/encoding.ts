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

let hex: readonly string[] | undefined;

/** Writes bytes as lower-case hex. */
export function toHex(bytes: Bytes): string {
  if (bytes.toHex) return bytes.toHex();
  hex ??= Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
  let text = "";
  for (const byte of bytes) text += hex[byte];
  return text;
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

/** The number of bytes that a text of base64url without padding stands for. */
export function base64UrlSize(text: string): number {
  return Math.floor(text.length * 3 / 4);
}

type Target = Uint8Array<ArrayBuffer> & {
  readonly setFromBase64?: (text: string, options: { alphabet: "base64url" }) => unknown;
};

/**
 * Reads base64url without padding.
 *
 * @param text The text.
 * @param into Where the bytes are written, as many as {@linkcode base64UrlSize} gives. @default a new array
 * @returns `into`
 * @throws {SyntaxError | DOMException} if the text has other characters.
 */
export function fromBase64Url(text: string, into: Target = new Uint8Array(base64UrlSize(text))): Target {
  // Both ways of reading skip white space, and `atob` takes the characters of base64 too.
  if (text.length % 4 === 1 || /[^\w-]/.test(text)) throw new SyntaxError("Not base64url");
  if (into.setFromBase64) into.setFromBase64(text, { alphabet: "base64url" });
  else {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    for (let at = 0; at < binary.length; at++) into[at] = binary.charCodeAt(at);
  }
  return into;
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

let encoder: TextEncoder | undefined;

/** Writes text as UTF-8. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  encoder ??= new TextEncoder();
  return encoder.encode(text);
}
