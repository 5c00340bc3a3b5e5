import assert from "node:assert/strict";
import { test } from "node:test";
import { findAlgorithms } from "../../../src/hashing/algorithms.ts";
import { hashSecret, unmatchableHash, verifySecret } from "../../../src/hashing/mod.ts";
import { compareHash, hashOfNothing, makeHash } from "../../../src/hashing/secret.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { NODE_22 } from "./_algorithms.ts";

const ENGLISH = "correct horse battery staple";
const INTERNATIONAL = "Zürich – 東京 🔑";

const HAS_ARGON2ID = (await unmatchableHash(systemRuntime)).startsWith("$argon2id$");

/** Hashes that other libraries have made, and whether a runtime with Argon2id would keep them. */
const FOREIGN: readonly (readonly [tool: string, secret: string, verdict: "yes" | "weak", hash: string])[] = [
  [
    "npm argon2 0.44.0, with the parameters that it has by default",
    ...[ENGLISH, "yes"] as const,
    "$argon2id$v=19$m=65536,t=3,p=4$Kt9Ktod32mNowV2DRoK5rg$4yAKGF4yajZgQS0yb02khL51LZE5W6OSCHZZ0auvTSA",
  ],
  [
    "npm argon2 0.44.0",
    ...[INTERNATIONAL, "yes"] as const,
    "$argon2id$v=19$m=19456,t=2,p=1$7YZlw/n8U2KmmUTyh5a5nw$Cxk8W2ceNJJM1Rmzg14UmXN0JeeVDRC+TjVZO6mEgis",
  ],
  [
    "npm @node-rs/argon2 2.2.1",
    ...[ENGLISH, "yes"] as const,
    "$argon2id$v=19$m=19456,t=2,p=1$/N/OwVG5rIoN/N3hfZr4Cg$TYSDovjipRbK9Hr21NYxIzqQR5tbMPG0QROhhS5hYzQ",
  ],
  [
    "npm hash-wasm 4.13.0",
    ...[ENGLISH, "yes"] as const,
    "$argon2id$v=19$m=19456,t=2,p=1$5//5wrfnAdFor4MbhsWa8g$70fHXay9jqu7VewIM2nge0nWuZoTntK7bRp1HFQC9KM",
  ],
  [
    "argon2-cffi 25.1.0",
    ...[INTERNATIONAL, "yes"] as const,
    "$argon2id$v=19$m=19456,t=2,p=1$hHNYDs/vVUOYf3teC7nywQ$YP+E2Nhz/eqFUvvZEtbvjvZf4VIPtCRUG9FKHdlLTbc",
  ],
  [
    "PyNaCl 1.6.2 with libsodium",
    ...[ENGLISH, "yes"] as const,
    "$argon2id$v=19$m=65536,t=2,p=1$xrbC8rtVk6OiPQ0nJ7aZHQ$sd9sepHTsDcoNYnN3f8UADgsu0t91vOi6cp9DfaxZ1o",
  ],
  [
    "the command argon2 20171227",
    ...[ENGLISH, "yes"] as const,
    "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRvZjE2Ynl0ZQ$kbKKBhjMgjWpuww50UFB0xPqvVabze1H4IskAnRDaS8",
  ],
  [
    "passlib 1.7.4",
    ...[INTERNATIONAL, "weak"] as const,
    "$scrypt$ln=14,r=8,p=5$jDGG8F7rPSfk/N/7H8NYSw$8DbKujUxL3R1uf0JpiHsm36UZl5BYe4+hODZAHbNcG0",
  ],
];

for (const [tool, secret, verdict, hash] of FOREIGN) {
  test(`a hash of ${tool} is verified`, async () => {
    if (!HAS_ARGON2ID && hash.startsWith("$argon2id$")) {
      return await assert.rejects(verifySecret(secret, hash), { type: "InvalidConfig", message: /Node\.js 24\.7/ });
    }
    assert.equal(await verifySecret(secret, hash), HAS_ARGON2ID ? verdict : "yes");
    assert.equal(await verifySecret(`${secret}.`, hash), "no");
  });
}

test("a hash is verified by whoever has its secret", async () => {
  const hash = await hashSecret(ENGLISH, systemRuntime);
  assert.match(hash, HAS_ARGON2ID ? /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/ : /^\$scrypt\$ln=14,r=8,p=5\$/);
  assert.equal(await verifySecret(ENGLISH, hash), "yes");
  assert.equal(await verifySecret(ENGLISH.toUpperCase(), hash), "no");
  assert.equal(await verifySecret("", hash), "no");
});

test("each hash has a salt of its own", async () => {
  const [, , , , salt] = (await hashSecret("x", systemRuntime)).split("$");
  const [, , , , other] = (await hashSecret("x", systemRuntime)).split("$");
  assert.notEqual(salt, other);
});

test("it does not matter how a character was typed", async () => {
  const hash = await hashSecret("Zu\u0308rich", systemRuntime);
  assert.equal(await verifySecret("Z\u00fcrich", hash), "yes");
  assert.equal(await verifySecret("Zurich", hash), "no");
  // Other characters that only look alike stay different: an ordinary and a wide letter.
  assert.equal(await verifySecret("\uff3a\u00fcrich", hash), "no");
});

test("a secret of 1024 bytes is hashed, and no longer one", async () => {
  assert.equal(await verifySecret("🔑".repeat(256), await hashSecret("🔑".repeat(256), systemRuntime)), "yes");
  for (const long of ["a".repeat(1025), "ü".repeat(513), "🔑".repeat(257)]) {
    await assert.rejects(hashSecret(long, systemRuntime), { type: "BadRequest" });
    assert.equal(await verifySecret(long, await unmatchableHash(systemRuntime)), "no");
  }
});

test("what nobody's secret is compared with looks like any other hash", async () => {
  const nothing = await unmatchableHash(systemRuntime);
  const hash = await hashSecret("", systemRuntime);
  const [cost] = /^.*p=\d/.exec(hash) ?? [];
  assert.ok(cost && nothing.startsWith(cost));
  assert.equal(nothing.length, hash.length);
  for (const secret of ["", ENGLISH]) assert.equal(await verifySecret(secret, nothing), "no");
});

const SALT = "7YZlw/n8U2KmmUTyh5a5nw";

/** How the cost of a hash compares with the best of a runtime that computes nothing. */
async function verdictOf(cost: string, { salt = SALT, keyLength = 32, withArgon2id = true } = {}): Promise<string> {
  const algorithms = await findAlgorithms(NODE_22.node, NODE_22.subtle);
  const derive = (_: unknown, __: unknown, ___: unknown, length: number) => Promise.resolve(new Uint8Array(length));
  const key = btoa("\0".repeat(keyLength)).replaceAll("=", "");
  const own = { ...algorithms, argon2id: withArgon2id ? derive : null, scrypt: derive };
  return await compareHash(own, ENGLISH, `$${cost}$${salt}$${key}`);
}

for (
  const [cost, verdict] of [
    ["argon2id$v=19$m=19456,t=2,p=1", "yes"],
    ["argon2id$v=19$m=65536,t=3,p=4", "yes"],
    ["argon2id$v=19$m=19455,t=2,p=1", "weak"],
    ["argon2id$v=19$m=47104,t=1,p=1", "weak"],
    ["argon2id$v=19$m=12288,t=3,p=1", "weak"],
    ["scrypt$ln=17,r=8,p=1", "weak"],
  ]
) {
  test(`where there is Argon2id, a hash of ${cost} is judged "${verdict}"`, async () => {
    assert.equal(await verdictOf(cost ?? ""), verdict);
  });
}

for (
  const [cost, verdict] of [
    ["scrypt$ln=14,r=8,p=5", "yes"],
    ["scrypt$ln=17,r=8,p=1", "yes"],
    ["scrypt$ln=16,r=8,p=2", "yes"],
    ["scrypt$ln=16,r=8,p=1", "weak"],
    ["scrypt$ln=13,r=8,p=10", "weak"],
    ["scrypt$ln=14,r=4,p=10", "weak"],
    ["scrypt$ln=14,r=8,p=4", "weak"],
  ]
) {
  test(`where there is no Argon2id, a hash of ${cost} is judged "${verdict}"`, async () => {
    assert.equal(await verdictOf(cost ?? "", { withArgon2id: false }), verdict);
  });
}

test("a hash with a short salt or a short key is weak", async () => {
  const cost = "argon2id$v=19$m=19456,t=2,p=1";
  assert.equal(await verdictOf(cost, { salt: "A".repeat(20) }), "weak");
  assert.equal(await verdictOf(cost, { keyLength: 31 }), "weak");
});

test("where there is no Argon2id, hashes are of scrypt, and one of Argon2id is never judged wrong", async () => {
  const algorithms = await findAlgorithms(NODE_22.node, NODE_22.subtle);
  const hash = await makeHash(algorithms, systemRuntime, ENGLISH);
  assert.match(hash, /^\$scrypt\$ln=14,r=8,p=5\$/);
  assert.match(hashOfNothing(algorithms, systemRuntime), /^\$scrypt\$ln=14,r=8,p=5\$/);
  assert.equal(await compareHash(algorithms, ENGLISH, hash), "yes");
  assert.equal(await verifySecret(ENGLISH, hash), HAS_ARGON2ID ? "weak" : "yes");
  for (const [, secret, , foreign] of FOREIGN.filter(([, , , each]) => each.startsWith("$argon2id$"))) {
    await assert.rejects(compareHash(algorithms, secret, foreign), {
      type: "InvalidConfig",
      message: /does not have that algorithm\. Run every server of the service on Node\.js 24\.7 or later, Deno or Bun/,
    });
  }
});

test("a hash that would cost too much is not computed", async () => {
  const never = () => Promise.reject(new Error("It was computed"));
  const algorithms = { argon2id: never, scrypt: never, isSame: () => true };
  for (const cost of ["argon2id$v=19$m=4194304,t=9,p=1", "scrypt$ln=30,r=8,p=1"]) {
    await assert.rejects(compareHash(algorithms, ENGLISH, `$${cost}$${SALT}$${SALT}`), { type: "AdapterError" });
  }
});
