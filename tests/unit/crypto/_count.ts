/** Counts what is asked of the platform's cryptography, by the name of the operation. */
type Operation = "decrypt" | "deriveBits" | "digest" | "encrypt" | "importKey" | "sign" | "verify";

const OPERATIONS: readonly Operation[] = ["decrypt", "deriveBits", "digest", "encrypt", "importKey", "sign", "verify"];

export async function countCrypto(run: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  const prototype = SubtleCrypto.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const originals = OPERATIONS.map((name) => [name, prototype[name]] as const);
  for (const [name, original] of originals) {
    prototype[name] = function (...args) {
      counts[name] = (counts[name] ?? 0) + 1;
      return original?.apply(this, args);
    };
  }
  try {
    await run();
  } finally {
    for (const [name, original] of originals) if (original) prototype[name] = original;
  }
  return counts;
}
