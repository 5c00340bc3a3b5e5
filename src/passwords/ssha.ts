/**
 * Hashes of LDAP directories.
 *
 * @module
 */
import { concat, utf8 } from "../crypto/encoding.ts";
import { isSameKey, needNodeCrypto } from "../hashing/algorithms.ts";
import { readBase64 } from "../hashing/base64.ts";
import type { LegacyHash } from "./legacy.ts";

const PATTERN = /^\{SSHA(|256|512)\}([A-Za-z0-9+/]{32,176}={0,2})$/i;

/** The digests by their scheme: name and length. */
const DIGESTS: Readonly<Record<string, readonly [name: string, length: number]>> = {
  "": ["SHA-1", 20],
  256: ["SHA-256", 32],
  512: ["SHA-512", 64],
};

/** Bytes of a salt: OpenLDAP makes 4 or 8. */
const SALT = { least: 4, most: 64 };

/**
 * Hashes of LDAP directories: `{SSHA}`, `{SSHA256}` and `{SSHA512}`. One digest with a salt: who has stolen them tries
 * billions of passwords a second.
 */
export function ssha(): LegacyHash {
  return { id: "ssha", matches: (stored) => partsOf(stored) !== null, verify };
}

async function verify(text: string, stored: string): Promise<boolean> {
  const parts = partsOf(stored);
  if (!parts) return false;
  const digest = await crypto.subtle.digest(parts.name, concat(utf8(text), parts.salt));
  return isSameKey(needNodeCrypto(), new Uint8Array(digest), parts.digest);
}

interface Parts {
  readonly name: string;
  readonly digest: Uint8Array;
  readonly salt: Uint8Array;
}

function partsOf(stored: string): Parts | null {
  const [, scheme = "", encoded = ""] = PATTERN.exec(stored) ?? [];
  const bytes = readBase64(encoded);
  const [name = "", length = 0] = DIGESTS[scheme] ?? [];
  if (!bytes || bytes.length < length + SALT.least || bytes.length > length + SALT.most) return null;
  return { name, digest: bytes.subarray(0, length), salt: bytes.subarray(length) };
}
