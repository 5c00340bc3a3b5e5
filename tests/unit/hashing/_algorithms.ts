/** The algorithms of runtimes that are not this one. */
import * as nodeCrypto from "node:crypto";
import type { Subtle } from "../../../src/hashing/algorithms.ts";
import type { NodeCrypto } from "../../../src/kernel/runtime.ts";

type Argon2 = NonNullable<NodeCrypto["argon2"]>;

/** `node:crypto`, with another `argon2` or without one. */
export function nodeWith(argon2: Argon2 | undefined): NodeCrypto {
  return { ...nodeCrypto, argon2 } as unknown as NodeCrypto;
}

/** A WebCrypto without Argon2id, which counts how often it is asked. */
export function subtleWithout(): Subtle & { readonly asked: () => number } {
  let asked = 0;
  return {
    importKey: () => {
      asked++;
      return Promise.reject(new DOMException("Unrecognized algorithm name", "NotSupportedError"));
    },
    deriveBits: () => Promise.reject(new Error("There is no key to derive from")),
    asked: () => asked,
  } as Subtle & { readonly asked: () => number };
}

/** What Node 22 has. */
export const NODE_22 = { node: nodeWith(undefined), subtle: subtleWithout() };
