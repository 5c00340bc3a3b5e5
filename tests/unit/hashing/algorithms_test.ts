import assert from "node:assert/strict";
import { test } from "node:test";
import { findAlgorithms } from "../../../src/hashing/algorithms.ts";
import { toHex, utf8 } from "../../../src/crypto/encoding.ts";
import { nodeCryptoAtOnce } from "../../../src/kernel/runtime.ts";
import { NODE_22, nodeWith, subtleWithout } from "./_algorithms.ts";

test("scrypt gives the key of RFC 7914, section 12", async () => {
  const { scrypt } = await findAlgorithms(nodeCryptoAtOnce(), crypto.subtle);
  const cost = { algorithm: "scrypt", logN: 14, blockSize: 8, parallelism: 1 } as const;
  assert.equal(
    toHex(await scrypt(utf8("pleaseletmein"), utf8("SodiumChloride"), cost, 64)),
    "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2" +
      "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887",
  );
});

test("Argon2id gives the same key wherever a runtime has it", async (t) => {
  const { argon2id } = await findAlgorithms(nodeCryptoAtOnce(), crypto.subtle);
  // Node.js 22 has none: there, hashes are scrypt. Deno, Bun and Node.js 24 run the test.
  if (!argon2id) return t.skip("this runtime has no Argon2id");
  const cost = { algorithm: "argon2id", memory: 8, passes: 1, lanes: 1 } as const;
  assert.equal(
    toHex(await argon2id(utf8("p"), new Uint8Array(16), cost, 32)),
    "888866bf32a3ff5805aea7db31742d34f532ca303620211afd228dc85a453805",
  );
});

test("node:crypto is asked for Argon2id first, so that Node prints no warning of its WebCrypto", async () => {
  const subtle = subtleWithout();
  const { argon2id } = await findAlgorithms(
    nodeWith((_, { tagLength }, done) => done(null, new Uint8Array(tagLength))),
    subtle,
  );
  assert.notEqual(argon2id, null);
  assert.equal(subtle.asked(), 0);
});

test("WebCrypto is asked for Argon2id where node:crypto has it and cannot compute it", async () => {
  for (
    const broken of [
      nodeWith(undefined),
      nodeWith(() => {
        throw new Error("Argon2 is not supported");
      }),
      nodeWith((_, __, done) => done(new Error("Argon2 is not supported"), new Uint8Array())),
    ]
  ) {
    const subtle = {
      importKey: () => Promise.resolve({}),
      deriveBits: (_: unknown, __: unknown, bits: number) => Promise.resolve(new ArrayBuffer(bits / 8)),
    } as unknown as SubtleCrypto;
    const { argon2id } = await findAlgorithms(broken, subtle);
    const cost = { algorithm: "argon2id", memory: 8, passes: 1, lanes: 1 } as const;
    assert.equal((await argon2id?.(utf8("p"), utf8("somesalt"), cost, 32))?.length, 32);
  }
});

test("a runtime may have no Argon2id", async () => {
  assert.equal((await findAlgorithms(NODE_22.node, NODE_22.subtle)).argon2id, null);
});

test("a runtime without node:crypto is told apart, with what to do", async () => {
  await assert.rejects(findAlgorithms(null, crypto.subtle), { type: "InvalidConfig", message: /nodejs_compat/ });
});
