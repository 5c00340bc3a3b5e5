/**
 * Slow hashes of passwords and recovery codes. This folder is loaded when a hash is needed.
 *
 * @module
 */
import { once } from "../kernel/load.ts";
import { nodeCryptoAtOnce, processorCores, type Runtime } from "../kernel/runtime.ts";
import { type Algorithms, findAlgorithms } from "./algorithms.ts";
import type { HashVerdict, PasswordHash } from "./password_hash.ts";
import { createQueue } from "./queue.ts";
import { compareHash, hashOfNothing, makeHash } from "./secret.ts";

const algorithms: () => Promise<Algorithms> = once(() => findAlgorithms(nodeCryptoAtOnce(), crypto.subtle));

/** One for the process, whatever the number of configurations: they share its processors. */
const inTurn = createQueue();

/** Threads that Node.js has for such work. Host names are looked up on them, too. */
const MOST_AT_ONCE = 4;

/** Hashes that are computed at once unless the configuration says otherwise: two for each core, four at most. */
export function defaultConcurrency(): number {
  return Math.min(2 * processorCores(), MOST_AT_ONCE);
}

/**
 * Makes a hash in the PHC format: Argon2id with 19 MiB and 2 passes; where the runtime does not have it, scrypt with
 * N = 2^14, r = 8 and p = 5. Hashes wait for each other: make several after one another, so that nobody fills the queue.
 *
 * @param secret What somebody typed, at most 1024 bytes of UTF-8 in the form NFC, into which it is brought.
 * @throws {Overloaded} if 100 others wait, or it has waited for four seconds.
 * @throws {BadRequest} if the secret is too long.
 * @throws {InvalidConfig} if the runtime has neither algorithm.
 */
export async function hashSecret(secret: string, runtime: Pick<Runtime, "random">): Promise<string> {
  return await queued(builtInHash(runtime), defaultConcurrency()).make(secret);
}

/**
 * Compares what somebody typed with a hash in the PHC format.
 *
 * @returns `weak` if it is right, and the hash should be replaced: by another algorithm or a higher cost.
 * @throws {Overloaded} if 100 others wait, or it has waited for four seconds.
 * @throws {AdapterError} if the hash is malformed, or would cost too much to compute.
 * @throws {InvalidConfig} if it is a hash of Argon2id, and the runtime does not have that.
 */
export async function verifySecret(secret: string, stored: string): Promise<HashVerdict> {
  return await inTurn(defaultConcurrency(), async () => await compareHash(await algorithms(), secret, stored));
}

/** The built-in hashes of passwords, without a queue. */
export function builtInHash(runtime: Pick<Runtime, "random">): PasswordHash {
  return {
    make: async (text) => await makeHash(await algorithms(), runtime, text),
    verify: async (text, stored) => await compareHash(await algorithms(), text, stored),
  };
}

/**
 * Lets hashes wait for each other, also for those of others in this process.
 *
 * @param concurrency How many are computed at once. Up to 100 more wait, for four seconds; others fail with `Overloaded`.
 */
export function queued(hash: PasswordHash, concurrency: number): PasswordHash {
  return {
    make: (text) => inTurn(concurrency, () => hash.make(text)),
    verify: (text, stored) => inTurn(concurrency, () => hash.verify(text, stored)),
  };
}

/** A hash that nobody's secret has, for people who do not exist: to compare with it takes as long as with another. */
export async function unmatchableHash(runtime: Pick<Runtime, "random">): Promise<string> {
  return hashOfNothing(await algorithms(), runtime);
}
