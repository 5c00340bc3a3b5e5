/**
 * Hashes as text: the format that came out of the Password Hashing Competition.
 *
 * @see {@link https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md | PHC string format}
 * @module
 */
import { fromBase64Url, isCanonicalBase64Url, toBase64Url } from "../crypto/encoding.ts";
import { AdapterError } from "../kernel/errors.ts";

/** The cost of Argon2id (RFC 9106). */
export interface Argon2idCost {
  readonly algorithm: "argon2id";
  /** In KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly lanes: number;
}

/** The cost of scrypt (RFC 7914). */
export interface ScryptCost {
  readonly algorithm: "scrypt";
  /** The logarithm of N to the base 2. */
  readonly logN: number;
  readonly blockSize: number;
  readonly parallelism: number;
}

/** An algorithm, and what it costs. */
export type Cost = Argon2idCost | ScryptCost;

/** A hash: what it was made with, and the key that came of it. */
export interface StoredHash<C extends Cost = Cost> {
  readonly cost: C;
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly key: Uint8Array<ArrayBuffer>;
}

/** Salts of 8 to 64 bytes and keys of 16 to 64 bytes. */
const SALT_AND_KEY = String.raw`\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$`;

interface Format {
  readonly pattern: RegExp;
  readonly cost: (a: number, b: number, c: number) => Cost;
}

const FORMATS: readonly Format[] = [
  {
    pattern: new RegExp(String.raw`^\$argon2id\$v=19\$m=([1-9]\d{0,6}),t=([1-9]\d?),p=([1-9]\d?)` + SALT_AND_KEY),
    cost: (memory, passes, lanes) => ({ algorithm: "argon2id", memory, passes, lanes }),
  },
  {
    pattern: new RegExp(String.raw`^\$scrypt\$ln=([1-9]\d?),r=([1-9]\d?),p=([1-9]\d?)` + SALT_AND_KEY),
    cost: (logN, blockSize, parallelism) => ({ algorithm: "scrypt", logN, blockSize, parallelism }),
  },
];

/** KiB that a comparison may take: 256 MiB. */
const MOST_MEMORY = 256 * 1024;

/** Reads a stored hash. @throws {AdapterError} if it is malformed, or would cost too much: then it is not computed. */
export function readPhc(stored: string): StoredHash {
  for (const { pattern, cost } of FORMATS) {
    const [, a, b, c, salt = "", key = ""] = pattern.exec(stored) ?? [];
    if (key === "") continue;
    const own = cost(Number(a), Number(b), Number(c));
    if (!isAffordable(own)) {
      throw new AdapterError(`Cannot compare with a stored hash of ${own.algorithm}: its cost is out of bounds`);
    }
    return { cost: own, salt: bytesOf(salt), key: bytesOf(key) };
  }
  // What is stored there may be a secret by mistake, so the message does not repeat it.
  throw malformed();
}

/** Writes a hash. */
export function formatPhc({ cost, salt, key }: StoredHash): string {
  return `$${costText(cost)}$${base64(salt)}$${base64(key)}`;
}

function costText(cost: Cost): string {
  return cost.algorithm === "argon2id"
    ? `argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.lanes}`
    : `scrypt$ln=${cost.logN},r=${cost.blockSize},p=${cost.parallelism}`;
}

function isAffordable(cost: Cost): boolean {
  if (cost.algorithm === "argon2id") {
    const { memory, passes, lanes } = cost;
    // RFC 9106, section 3.1: a lane has at least 8 KiB.
    return memory >= 8 * lanes && lanes <= 16 && memory <= MOST_MEMORY && memory * passes <= 4 * MOST_MEMORY;
  }
  const { logN, blockSize, parallelism } = cost;
  // A block is 128 bytes, so this many of them are a KiB.
  const memory = 2 ** logN * blockSize / 8;
  return logN <= 20 && blockSize <= 32 && parallelism <= 16 && memory <= MOST_MEMORY &&
    memory * parallelism <= 2 * MOST_MEMORY;
}

function base64(bytes: Uint8Array): string {
  return toBase64Url(bytes).replaceAll("-", "+").replaceAll("_", "/");
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const own = text.replaceAll("+", "-").replaceAll("/", "_");
  if (!isCanonicalBase64Url(own)) throw malformed();
  return fromBase64Url(own);
}

function malformed(): AdapterError {
  return new AdapterError("Cannot compare with a stored hash: it is none of argon2id or scrypt in the PHC format");
}
