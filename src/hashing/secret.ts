/**
 * Hashes of secrets that people type: passwords and recovery codes.
 *
 * @see {@link https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html | OWASP, password storage}
 * @module
 */
import { utf8 } from "../crypto/encoding.ts";
import { BadRequest, InvalidConfig } from "../kernel/errors.ts";
import { runtimeName } from "../kernel/platform.ts";
import type { Runtime } from "../kernel/runtime.ts";
import type { Algorithms, Bytes } from "./algorithms.ts";
import type { HashVerdict } from "./password_hash.ts";
import { type Argon2idCost, type Cost, formatPhc, readPhc, type ScryptCost } from "./phc.ts";

/** What OWASP asks for at least. */
const ARGON2ID: Argon2idCost = { algorithm: "argon2id", memory: 19456, passes: 2, lanes: 1 };

/** The same for a runtime without Argon2id. */
const SCRYPT: ScryptCost = { algorithm: "scrypt", logN: 14, blockSize: 8, parallelism: 5 };

const SALT_LENGTH = 16;
const KEY_LENGTH = 32;

/** The most bytes of a secret in UTF-8, in the form NFC: 256 characters of any kind. */
const MOST_BYTES = 1024;

/** Makes a hash of a secret. @throws {BadRequest} if the secret has more than 1024 bytes. */
export async function makeHash(
  algorithms: Algorithms,
  runtime: Pick<Runtime, "random">,
  secret: string,
): Promise<string> {
  const bytes = bytesOf(secret);
  if (!bytes) throw new BadRequest(`Cannot hash a secret: it has more than ${MOST_BYTES} bytes`);
  const cost = bestOf(algorithms);
  const salt = runtime.random(new Uint8Array(SALT_LENGTH));
  return formatPhc({ cost, salt, key: await deriveKey(algorithms, { secret: bytes, salt, cost, length: KEY_LENGTH }) });
}

/**
 * Compares a secret with a hash.
 *
 * @throws {AdapterError} if the hash is malformed or would cost too much.
 * @throws {InvalidConfig} if it is of Argon2id and the runtime does not have that.
 */
export async function compareHash(algorithms: Algorithms, secret: string, stored: string): Promise<HashVerdict> {
  const { cost, salt, key } = readPhc(stored);
  const bytes = bytesOf(secret);
  if (!bytes) return "no";
  const own = await deriveKey(algorithms, { secret: bytes, salt, cost, length: key.length });
  if (!algorithms.isSame(own, key)) return "no";
  const isShort = salt.length < SALT_LENGTH || key.length < KEY_LENGTH;
  return isShort || isWeaker(cost, bestOf(algorithms)) ? "weak" : "yes";
}

/** A hash that no secret has. To compare with it takes as long as with one that was just made. */
export function hashOfNothing(algorithms: Algorithms, { random }: Pick<Runtime, "random">): string {
  const salt = random(new Uint8Array(SALT_LENGTH));
  return formatPhc({ cost: bestOf(algorithms), salt, key: random(new Uint8Array(KEY_LENGTH)) });
}

function bestOf({ argon2id }: Algorithms): Cost {
  return argon2id ? ARGON2ID : SCRYPT;
}

function isWeaker(cost: Cost, best: Cost): boolean {
  if (cost.algorithm === "argon2id" && best.algorithm === "argon2id") {
    return cost.memory < best.memory || cost.passes < best.passes;
  }
  if (cost.algorithm === "scrypt" && best.algorithm === "scrypt") {
    return cost.logN < best.logN || cost.blockSize < best.blockSize || workOf(cost) < workOf(best);
  }
  return true;
}

function workOf({ logN, blockSize, parallelism }: ScryptCost): number {
  return 2 ** logN * blockSize * parallelism;
}

interface Derivation {
  readonly secret: Bytes;
  readonly salt: Bytes;
  readonly cost: Cost;
  readonly length: number;
}

async function deriveKey({ argon2id, scrypt }: Algorithms, { secret, salt, cost, length }: Derivation): Promise<Bytes> {
  if (cost.algorithm === "scrypt") return await scrypt(secret, salt, cost, length);
  if (argon2id) return await argon2id(secret, salt, cost, length);
  throw new InvalidConfig(
    `Cannot compare with a stored hash of argon2id: ${runtimeName()} does not have that algorithm. Run every server of ` +
      "the service on Node.js 24.7 or later, Deno or Bun",
  );
}

// One character may be typed as one code point or as two, depending on the keyboard (NIST SP 800-63B-4, section 3.1.1.2).
function bytesOf(secret: string): Bytes | null {
  if (secret.length > MOST_BYTES) return null;
  const bytes = utf8(secret.normalize("NFC"));
  return bytes.length > MOST_BYTES ? null : bytes;
}
