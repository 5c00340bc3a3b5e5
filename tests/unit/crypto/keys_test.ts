import assert from "node:assert/strict";
import { test } from "node:test";
import { toHex } from "../../../src/crypto/encoding.ts";
import { deriveKeys } from "../../../src/crypto/keys.ts";
import { countCrypto } from "./_count.ts";

test("deriveKeys() derives the bytes that live cookies are sealed with", async () => {
  const { "A256CBC-HS512": key, A256GCM } = await deriveKeys("test-secret", "authjs.session-token");
  const hex = "6d5bdbc76176d481ebca315e456c6c942c864e4346d78c6e49db4d8eca7aaefd" +
    "d68fd9a47eea1cb70c322d6664192987fc893c0524834d6aabd6252bebde01c6";
  assert.equal(toHex(key.bytes), hex);
  assert.equal(toHex(A256GCM.bytes), hex.slice(0, 64));
});

const KIDS: readonly (readonly [salt: string, kid: string])[] = [
  ["authjs.session-token", "LRkaLvvdyMfrwyOXl-3zHT7H-Q6fvXef2C5aGEC8TV6M1hn2lc4MqO31BO1cubMQEgVtP4rDe_5iqQ928ttC7w"],
  [
    "__Secure-authjs.session-token",
    "LyatFJaXETIrsw-5ojWy1V0zJKiulV4iFL7eVceCmpCN3X4U30ibGQhNUjKxPgKC1420w-jI18r13S7VPisvNQ",
  ],
  ["encodedState", "9lLn2h2ePp68KPSLPlWjaxqeG1LL1TiGuht-wV3nBdtceyQSRujm8jJnRke5z6x1TBCHEZoUAp0D7-Uh5QOfSw"],
];

for (const [salt, kid] of KIDS) {
  test(`deriveKeys() names the key of ${salt} by its thumbprint`, async () => {
    assert.equal((await deriveKeys("test-secret", salt))["A256CBC-HS512"].kid, kid);
  });
}

test("deriveKeys() names the short key by a SHA-256 thumbprint", async () => {
  const { A256GCM } = await deriveKeys("test-secret", "authjs.session-token");
  assert.equal(A256GCM.kid, "VQwPRU9j6hgO2zamOC895VTcq5t2BzOT9LdzqCKlgVk");
});

test("deriveKeys() gives every secret and purpose keys of its own", async () => {
  const pairs = [["a", "bc"], ["ab", "c"], ["abc", ""], ["", "abc"], ["c", "ab"], ["1:a", "b"], ["a", "1:b"]] as const;
  const kids = await Promise.all(pairs.map(async ([secret, salt]) => (await deriveKeys(secret, salt)).A256GCM.kid));
  assert.equal(new Set(kids).size, pairs.length);
});

test("deriveKeys() derives once, also when many ask at the same time", async () => {
  const counts = await countCrypto(() => Promise.all(Array.from({ length: 50 }, () => deriveKeys("once", "purpose"))));
  assert.equal(counts.deriveBits, 1);
  assert.deepEqual(await countCrypto(() => deriveKeys("once", "purpose")), {});
});
