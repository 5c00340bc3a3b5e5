/**
 * Bytes as text.
 *
 * @module
 */

// What newer platforms can do by themselves; Node 22 and 24 cannot yet.
type Bytes = Uint8Array & {
  readonly toHex?: () => string;
  readonly toBase64?: (options: { alphabet: "base64url"; omitPadding: true }) => string;
};

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Writes bytes as lower-case hex. */
export function toHex(bytes: Bytes): string {
  if (bytes.toHex) return bytes.toHex();
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

const PIECE = 8192;

/** Writes bytes as base64url without padding (RFC 4648, section 5). */
export function toBase64Url(bytes: Bytes): string {
  if (bytes.toBase64) return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
  let binary = "";
  // In pieces: each byte is an argument, and arguments lie on the stack.
  for (let at = 0; at < bytes.length; at += PIECE) binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Reads base64url without padding. @throws {DOMException} if the text has other characters. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

const encoder = new TextEncoder();

/** Writes text as UTF-8. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}
