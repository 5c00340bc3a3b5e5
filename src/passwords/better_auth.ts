/**
 * Hashes of Better Auth.
 *
 * @module
 */
import { utf8 } from "../crypto/encoding.ts";
import { isSameKey, needNodeCrypto, scryptOf } from "../hashing/algorithms.ts";
import type { LegacyHash } from "./legacy.ts";

/** The salt and the key in hex, with a colon in between. */
const PATTERN = /^([^:]{1,128}):([0-9a-f]{128})$/i;

const COST = { algorithm: "scrypt", logN: 14, blockSize: 16, parallelism: 1 } as const;

/**
 * Hashes of Better Auth: scrypt with N = 16384, r = 16, p = 1 and a key of 64 bytes.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7914 | RFC 7914}
 */
export function betterAuthScrypt(): LegacyHash {
  return { id: "better-auth", matches: (stored) => PATTERN.test(stored), verify };
}

async function verify(text: string, stored: string): Promise<boolean> {
  const [, salt = "", hex = ""] = PATTERN.exec(stored) ?? [];
  if (hex === "") return false;
  const expected = Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const node = needNodeCrypto();
  // The salt is the text itself, not the bytes that its hex stands for.
  const key = await scryptOf(node)(utf8(text.normalize("NFKC")), utf8(salt), COST, expected.length);
  return isSameKey(node, key, expected);
}
