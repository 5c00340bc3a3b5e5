/**
 * Digests and comparisons that do not tell by their duration where two values differ.
 *
 * @module
 */
import { type NodeCrypto, nodeCrypto } from "../runtime.ts";
import { toBase64Url, toHex, utf8 } from "./encoding.ts";

/** SHA-256 of text, as lower-case hex. */
export async function sha256Hex(text: string): Promise<string> {
  return toHex(await sha256(utf8(text)));
}

/** SHA-256 of text, as base64url: the `S256` challenge of RFC 7636, section 4.2. */
export async function sha256Base64Url(text: string): Promise<string> {
  return toBase64Url(await sha256(utf8(text)));
}

/** SHA-256 of bytes. */
export async function sha256(
  bytes: Uint8Array<ArrayBuffer>,
  synchronous: () => NodeCrypto | null = nodeCrypto,
): Promise<Uint8Array> {
  return synchronous()?.createHash("sha256").update(bytes).digest() ??
    new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** Compares two texts in a time that depends on their lengths alone. */
export function sameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % (b.length || 1));
  return difference === 0;
}
