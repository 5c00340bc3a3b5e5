/**
 * Digests, and a comparison whose duration does not reveal where two texts differ.
 *
 * @module
 */
import { type NodeCrypto, nodeCrypto } from "../kernel/runtime.ts";
import { formatUuid, toBase64Url, toHex, utf8 } from "./encoding.ts";

/** Returns `node:crypto`, or `null` to use WebCrypto. */
type FindNodeCrypto = () => NodeCrypto | null;

/** SHA-256 of text, as lower-case hex. */
export async function sha256Hex(text: string, findNodeCrypto: FindNodeCrypto = nodeCrypto): Promise<string> {
  // `hash()` converts text to text, which takes a fraction of the time that byte arrays take.
  return findNodeCrypto()?.hash("sha256", text, "hex") ?? toHex(await sha256(text));
}

/** SHA-256 of text, as base64url: the `S256` challenge of RFC 7636, section 4.2. */
export async function sha256Base64Url(text: string, findNodeCrypto: FindNodeCrypto = nodeCrypto): Promise<string> {
  return findNodeCrypto()?.hash("sha256", text, "base64url") ?? toBase64Url(await sha256(text));
}

/**
 * Derives a UUID from texts with HMAC-SHA-256: the same texts give the same UUID, which cannot be computed
 * without the secret (RFC 9562, section 5.8).
 */
export async function keyedUuid(secret: string, ...texts: readonly string[]): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", utf8(secret), algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign(algorithm.name, key, utf8(JSON.stringify(texts)));
  return formatUuid(new Uint8Array(signature), 8);
}

/** SHA-256 of text, as bytes. */
export async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", utf8(text)));
}

/** Compares two texts. The duration depends on their lengths, not on where they differ. */
export function sameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % (b.length || 1));
  return difference === 0;
}
