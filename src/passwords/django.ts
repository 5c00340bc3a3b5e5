/**
 * Hashes of Django.
 *
 * @module
 */
import { utf8 } from "../crypto/encoding.ts";
import { type Bytes, isSameKey, needNodeCrypto } from "../hashing/algorithms.ts";
import { readBase64 } from "../hashing/base64.ts";
import type { NodeCrypto } from "../kernel/runtime.ts";
import { type LegacyHash, tooCostly } from "./legacy.ts";

/** The algorithm, the rounds, the salt and the key. */
const PATTERN = /^pbkdf2_(sha256|sha1)\$([1-9]\d{0,9})\$([^$]{1,128})\$([A-Za-z0-9+/]{27,43}=)$/;

/** Bytes of a key. */
const LENGTHS: Readonly<Record<string, number>> = { sha1: 20, sha256: 32 };

/** About four times what Django asks for today. */
const MOST_ROUNDS = 5_000_000;

/**
 * Hashes of Django: PBKDF2 with SHA-256 or SHA-1, up to 5,000,000 rounds.
 *
 * @see {@link https://docs.djangoproject.com/en/5.2/topics/auth/passwords/ | Django, password management}
 */
export function django(): LegacyHash {
  return { id: "django", matches: (stored) => PATTERN.test(stored), verify };
}

async function verify(text: string, stored: string): Promise<boolean> {
  const [, digest = "", rounds, salt = "", encoded = ""] = PATTERN.exec(stored) ?? [];
  const expected = readBase64(encoded);
  if (!expected) return false;
  if (Number(rounds) > MOST_ROUNDS) throw tooCostly("PBKDF2");
  const node = needNodeCrypto();
  const key = await pbkdf2(node, { secret: utf8(text), salt: utf8(salt), rounds: Number(rounds), digest });
  return isSameKey(node, key, expected);
}

interface Derivation {
  readonly secret: Bytes;
  readonly salt: Bytes;
  readonly rounds: number;
  readonly digest: string;
}

function pbkdf2(node: NodeCrypto, { secret, salt, rounds, digest }: Derivation): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    const length = LENGTHS[digest] ?? 0;
    node.pbkdf2(secret, salt, rounds, length, digest, (error, key) => error ? reject(error) : resolve(key));
  });
}
