/**
 * The slow algorithms that a runtime has.
 *
 * @module
 */
import { InvalidConfig } from "../kernel/errors.ts";
import { runtimeName } from "../kernel/platform.ts";
import type { NodeCrypto } from "../kernel/runtime.ts";
import type { Argon2idCost, Cost, ScryptCost } from "./phc.ts";

/** Derives a key from a secret. */
export type DeriveKey<C extends Cost> = (secret: Bytes, salt: Bytes, cost: C, length: number) => Promise<Bytes>;

/** Bytes that WebCrypto takes, too. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** What a runtime has. */
export interface Algorithms {
  /** `null`: it has none. */
  readonly argon2id: DeriveKey<Argon2idCost> | null;
  readonly scrypt: DeriveKey<ScryptCost>;
  /** Compares two keys. The duration does not depend on where they differ. */
  readonly isSame: (a: Bytes, b: Bytes) => boolean;
}

/** The part of WebCrypto that is used. */
export type Subtle = Pick<SubtleCrypto, "importKey" | "deriveBits">;

/** The cheapest hash there is, to try whether the algorithm is there. */
const TRIAL: Argon2idCost = { algorithm: "argon2id", memory: 8, passes: 1, lanes: 1 };

/**
 * Finds out what a runtime has. Node's own function comes first: its WebCrypto prints a warning that Argon2id is
 * experimental. Deno has it in WebCrypto only, Bun in `node:crypto` only, Node 22 nowhere.
 *
 * @throws {InvalidConfig} if there is no `node:crypto`.
 */
export async function findAlgorithms(node: NodeCrypto | null, subtle: Subtle): Promise<Algorithms> {
  if (!node) {
    throw new InvalidConfig(
      `Cannot hash secrets: ${runtimeName()} has no \`node:crypto\`. In Cloudflare Workers set the compatibility flag ` +
        "`nodejs_compat`; elsewhere run the service on Node.js, Deno or Bun",
    );
  }
  return {
    argon2id: await firstThatWorks([argon2idOfNode(node), argon2idOfWebCrypto(subtle)]),
    scrypt: scryptOfNode(node),
    isSame: (a, b) => a.length === b.length && node.timingSafeEqual(a, b),
  };
}

async function firstThatWorks(
  candidates: readonly DeriveKey<Argon2idCost>[],
): Promise<DeriveKey<Argon2idCost> | null> {
  for (const derive of candidates) {
    try {
      await derive(new Uint8Array(8), new Uint8Array(8), TRIAL, 16);
      return derive;
    } catch {
      // Missing, or there and not supported: Node's depends on the OpenSSL that it was built with.
    }
  }
  return null;
}

function argon2idOfNode(node: NodeCrypto): DeriveKey<Argon2idCost> {
  return (message, nonce, { memory, passes, lanes }, tagLength) =>
    new Promise((resolve, reject) => {
      if (!node.argon2) throw new TypeError("This runtime has no `argon2`");
      const input = { message, nonce, memory, passes, parallelism: lanes, tagLength };
      node.argon2("argon2id", input, (error, key) => error ? reject(error) : resolve(key));
    });
}

function argon2idOfWebCrypto(subtle: Subtle): DeriveKey<Argon2idCost> {
  return async (secret, nonce, { memory, passes, lanes }, length) => {
    // TypeScript does not know this format yet.
    const key = await subtle.importKey("raw-secret" as "raw", secret, "Argon2id", false, ["deriveBits"]);
    const algorithm = { name: "Argon2id", nonce, memory, passes, parallelism: lanes, version: 0x13 };
    return new Uint8Array(await subtle.deriveBits(algorithm, key, 8 * length));
  };
}

function scryptOfNode(node: NodeCrypto): DeriveKey<ScryptCost> {
  return (secret, salt, { logN, blockSize: r, parallelism: p }, length) =>
    new Promise((resolve, reject) => {
      const N = 2 ** logN;
      // Twice what it takes: runtimes count differently.
      const maxmem = 2 * 128 * r * (N + p + 2);
      node.scrypt(secret, salt, length, { N, r, p, maxmem }, (error, key) => error ? reject(error) : resolve(key));
    });
}
