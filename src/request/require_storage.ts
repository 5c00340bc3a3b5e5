/**
 * Storage for the flows that cannot do without.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Storage } from "../config/storage.ts";
import { MissingAdapter } from "../kernel/errors.ts";

/**
 * Gives the storage.
 *
 * @param what What needs it, for the error: "Cannot …".
 * @throws {MissingAdapter} if `adapter` is not set.
 */
export function requireStorage({ storage }: Pick<ResolvedConfig, "storage">, what: string): Storage {
  if (storage) return storage;
  throw new MissingAdapter(`Cannot ${what}: set \`adapter\``);
}
