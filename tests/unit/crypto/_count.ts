/** Counts what is asked of the platform's cryptography, by the name of WebCrypto's operation. */
import process from "node:process";

type Operations = Record<string, (...args: unknown[]) => unknown>;

const WEB = ["decrypt", "deriveBits", "digest", "encrypt", "importKey", "sign", "verify"];
const NODE = { createDecipheriv: "decrypt", hash: "digest", createCipheriv: "encrypt", createHmac: "sign" };

export async function countCrypto(run: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  const web = SubtleCrypto.prototype as unknown as Operations;
  const node = process.getBuiltinModule("node:crypto") as unknown as Operations;
  const restore = [
    ...WEB.map((name) => count(web, name, () => counts[name] = (counts[name] ?? 0) + 1)),
    ...Object.entries(NODE).map(([name, as]) => count(node, name, () => counts[as] = (counts[as] ?? 0) + 1)),
  ];
  try {
    await run();
  } finally {
    for (const undo of restore) undo();
  }
  return counts;
}

function count(owner: Operations, name: string, called: () => void): () => void {
  const original = owner[name];
  owner[name] = function (...args) {
    called();
    return original?.apply(this, args);
  };
  return () => {
    if (original) owner[name] = original;
  };
}
