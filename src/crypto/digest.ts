/**
 * Digests and comparisons that do not tell by their duration where two values differ.
 *
 * @module
 */
import { type NodeCrypto, nodeCrypto } from "../kernel/runtime.ts";
import { toBase64Url, toHex, utf8 } from "./encoding.ts";

/** Where to find `node:crypto`; without it WebCrypto does the work. */
type Platform = () => NodeCrypto | null;

/** SHA-256 of text, as lower-case hex. */
export async function sha256Hex(text: string, synchronous: Platform = nodeCrypto): Promise<string> {
  // Text in and text out: on its way through arrays of bytes it would take several times as long.
  return synchronous()?.hash("sha256", text, "hex") ?? toHex(await sha256(text));
}

/** SHA-256 of text, as base64url: the `S256` challenge of RFC 7636, section 4.2. */
export async function sha256Base64Url(text: string, synchronous: Platform = nodeCrypto): Promise<string> {
  return synchronous()?.hash("sha256", text, "base64url") ?? toBase64Url(await sha256(text));
}

/** Makes the same UUID of the same texts, which only those who have the secret can make (RFC 9562, section 5.8). */
export async function keyedUuid(secret: string, ...texts: readonly string[]): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", utf8(secret), algorithm, false, ["sign"]);
  const hex = toHex(new Uint8Array(await crypto.subtle.sign(algorithm.name, key, utf8(JSON.stringify(texts)))));
  const variant = (parseInt(hex.charAt(16), 16) & 0x3 | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${
    hex.slice(20, 32)
  }`;
}

async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", utf8(text)));
}

/** Compares two texts in a time that depends on their lengths alone. */
export function sameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % (b.length || 1));
  return difference === 0;
}
