/** Counts what is asked of the platform's cryptography, by the name of WebCrypto's operation. */
import process from "node:process";

type Operations = Record<string, (...args: unknown[]) => unknown>;

const WEB = ["decrypt", "deriveBits", "digest", "encrypt", "importKey", "sign", "verify"];
const NODE = { createDecipheriv: "decrypt", hash: "digest", createCipheriv: "encrypt" };

export async function countCrypto(run: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  const web = SubtleCrypto.prototype as unknown as Operations;
  const node = process.getBuiltinModule("node:crypto") as unknown as Operations & {
    readonly Hash: { readonly prototype: object };
  };
  const restore = [
    ...WEB.map((name) => count(web, name, () => counts[name] = (counts[name] ?? 0) + 1)),
    ...Object.entries(NODE).map(([name, as]) => count(node, name, () => counts[as] = (counts[as] ?? 0) + 1)),
    // An HMAC copies two hashes that have taken the key in.
    count(node.Hash.prototype as Operations, "copy", () => counts.sign = (counts.sign ?? 0) + 0.5),
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
