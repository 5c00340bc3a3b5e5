/**
 * Hashes of Firebase Authentication.
 *
 * @module
 */
import { concat, utf8 } from "../crypto/encoding.ts";
import { isSameKey, needNodeCrypto, scryptOf } from "../hashing/algorithms.ts";
import { readBase64 } from "../hashing/base64.ts";
import { InvalidConfig } from "../kernel/errors.ts";
import type { LegacyHash } from "./legacy.ts";

/** The parameters of a project: in the console of Firebase at "Users", in the menu "Password hash parameters". */
export interface FirebaseOptions {
  /** `base64_signer_key`. Keep it secret. */
  readonly signerKey: string;
  /** `base64_salt_separator`. @default {"Bw=="} */
  readonly saltSeparator?: string | undefined;
  /** `rounds`, from 1 to 8. @default {8} */
  readonly rounds?: number | undefined;
  /** `mem_cost`, from 1 to 14. @default {14} */
  readonly memCost?: number | undefined;
}

/** A user as Firebase exports it. */
export interface FirebaseUser {
  /** `passwordHash`, in base64. */
  readonly passwordHash: string;
  /** `salt`, in base64. */
  readonly salt: string;
}

const PATTERN = /^\$firebase\$([A-Za-z0-9+/_-]{1,128}={0,2})\$([A-Za-z0-9+/_-]{22,128}={0,2})$/;

/**
 * Hashes of Firebase: its own variant of scrypt. Store them as {@linkcode firebaseHash} writes them.
 *
 * @throws {InvalidConfig} if an option is not one of Firebase's.
 * @see {@link https://firebase.google.com/docs/auth/admin/import-users | Firebase, import users}
 */
export function firebase(options: FirebaseOptions): LegacyHash {
  const signerKey = base64Option("signerKey", options.signerKey);
  const separator = base64Option("saltSeparator", options.saltSeparator ?? "Bw==");
  const logN = wholeNumber("memCost", options.memCost ?? 14, 14);
  const blockSize = wholeNumber("rounds", options.rounds ?? 8, 8);
  return {
    id: "firebase",
    matches: (stored) => PATTERN.test(stored),
    async verify(text, stored) {
      const [, ownSalt = "", encoded = ""] = PATTERN.exec(stored) ?? [];
      const salt = readAnyBase64(ownSalt);
      const expected = readAnyBase64(encoded);
      if (!salt || !expected) return false;
      const node = needNodeCrypto();
      const cost = { algorithm: "scrypt", logN, blockSize, parallelism: 1 } as const;
      const key = await scryptOf(node)(utf8(text), concat(salt, separator), cost, 32);
      // What is stored is the signer key, encrypted with the key that came of the password.
      const cipher = node.createCipheriv("aes-256-ctr", node.createSecretKey(key), new Uint8Array(16));
      return isSameKey(node, concat(cipher.update(signerKey), cipher.final()), expected);
    },
  };
}

/** Writes what Firebase exports for a user as one text to be stored. */
export function firebaseHash({ passwordHash, salt }: FirebaseUser): string {
  return `$firebase$${salt}$${passwordHash}`;
}

// Its exports have characters of base64url, its console those of base64.
function readAnyBase64(text: string): Uint8Array<ArrayBuffer> | null {
  return readBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
}

function base64Option(name: string, value: string): Uint8Array<ArrayBuffer> {
  const bytes = typeof value === "string" ? readAnyBase64(value) : null;
  if (bytes) return bytes;
  throw new InvalidConfig(`Cannot use \`${name}\` of \`firebase()\`: copy it from the console of Firebase, in base64`);
}

function wholeNumber(name: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new InvalidConfig(`Cannot use \`${name}\` of \`firebase()\`: it must be a whole number from 1 to ${most}`);
}
