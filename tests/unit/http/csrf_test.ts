import assert from "node:assert/strict";
import { test } from "node:test";
import { sha256Hex } from "../../../src/crypto/digest.ts";
import { ensureCsrfToken, isCsrfTokenValid } from "../../../src/http/csrf.ts";
import { jarWith, testRuntime } from "../_builders.ts";

const COOKIE = "authjs.csrf-token";
const ZEROS = "0".repeat(64);
const ZEROS_HASH = "e400e8bf825f9e4b5c934bf4d153e4602adf840860fad5b77b06d46338ac4d31";
const ZEROS_LIST_HASH = "2e8749efb0d58b5340a860b6b7567bd93f3953973b2dcf6753de219caf1345e0";

const ONE = ["test-secret"];

test("ensureCsrfToken() makes the cookie of a fresh browser", async () => {
  const jar = jarWith();
  const random = { random: <T extends Uint8Array<ArrayBuffer>>(bytes: T): T => bytes.fill(0) };
  assert.equal(await ensureCsrfToken(jar, ONE, random), ZEROS);
  assert.deepEqual(jar.close().map(({ name, value }) => [name, value]), [[COOKIE, `${ZEROS}|${ZEROS_HASH}`]]);
});

test("ensureCsrfToken() signs with the first of several secrets alone", async () => {
  const jar = jarWith();
  const token = await ensureCsrfToken(jar, ["new", "old"], testRuntime());
  assert.equal(jar.close()[0]?.value, `${token}|${await sha256Hex(`${token}new`)}`);
});

test("ensureCsrfToken() keeps the token of a browser that has one, and sets no cookie", async () => {
  const jar = jarWith({ [COOKIE]: `${ZEROS}|${ZEROS_HASH}` });
  assert.equal(await ensureCsrfToken(jar, ONE, testRuntime()), ZEROS);
  assert.deepEqual(jar.close(), []);
});

test("ensureCsrfToken() makes a new token in place of a forged one", async () => {
  const jar = jarWith({ [COOKIE]: `${ZEROS}|${"0".repeat(64)}` });
  assert.notEqual(await ensureCsrfToken(jar, ONE, testRuntime()), ZEROS);
  assert.equal(jar.close().length, 1);
});

const HOLDS:
  readonly (readonly [name: string, secrets: readonly string[], hash: string | Promise<string>, holds: boolean])[] = [
    ["the only secret", ONE, ZEROS_HASH, true],
    ["the first of a list", ["s3", "s2"], sha256Hex(`${ZEROS}s3`), true],
    ["the last of a list", ["s3", "s2"], sha256Hex(`${ZEROS}s2`), true],
    ["the list joined by commas", ["s3", "s2"], ZEROS_LIST_HASH, true],
    ["the list joined in another order", ["s2", "s3"], ZEROS_LIST_HASH, false],
    ["a longer list joined", ["s3", "s2"], sha256Hex(`${ZEROS}s3,s2,s1`), false],
    ["a secret that was removed", ["s3"], sha256Hex(`${ZEROS}s2`), false],
    ["a foreign secret", ["s3", "s2"], sha256Hex(`${ZEROS}s9`), false],
    ["no secret", ["s3", "s2"], sha256Hex(ZEROS), false],
  ];

for (const [name, secrets, hash, holds] of HOLDS) {
  test(`isCsrfTokenValid() ${holds ? "accepts" : "refuses"} a cookie signed with ${name}`, async () => {
    const jar = jarWith({ [COOKIE]: `${ZEROS}|${await hash}` });
    assert.equal(await isCsrfTokenValid(jar, secrets, ZEROS), holds);
  });
}

const SENT: readonly unknown[] = [
  undefined,
  null,
  "",
  "x",
  ZEROS.slice(1),
  `${ZEROS}0`,
  `${ZEROS} `,
  `${ZEROS}|${ZEROS_HASH}`,
  ZEROS_HASH,
  "1" + ZEROS.slice(1),
  0,
  true,
  [ZEROS],
  { $ne: null },
  { toString: () => ZEROS },
];

for (const sent of SENT) {
  test(`isCsrfTokenValid() refuses a form that sends ${JSON.stringify(sent) ?? "nothing"}`, async () => {
    const jar = jarWith({ [COOKIE]: `${ZEROS}|${ZEROS_HASH}` });
    assert.equal(await isCsrfTokenValid(jar, ONE, sent), false);
  });
}

const COOKIES: readonly (readonly [name: string, value: string])[] = [
  ["nothing", ""],
  ["a token alone", ZEROS],
  ["an empty hash", `${ZEROS}|`],
  ["an empty token", `|${ZEROS_HASH}`],
  ["a bar alone", "|"],
  ["a third part", `${ZEROS}|${ZEROS_HASH}|x`],
  ["an empty third part", `${ZEROS}|${ZEROS_HASH}|`],
  ["another separator", `${ZEROS}.${ZEROS_HASH}`],
  ["the hash in upper case", `${ZEROS}|${ZEROS_HASH.toUpperCase()}`],
  ["a hash that is cut", `${ZEROS}|${ZEROS_HASH.slice(0, -1)}`],
  ["a hash that is doubled", `${ZEROS}|${ZEROS_HASH}${ZEROS_HASH}`],
];

for (const [name, value] of COOKIES) {
  test(`isCsrfTokenValid() refuses a cookie with ${name}`, async () => {
    assert.equal(await isCsrfTokenValid(jarWith({ [COOKIE]: value }), ONE, ZEROS), false);
  });
}

test("isCsrfTokenValid() refuses a token of another form although it is signed", async () => {
  for (const token of ["", "x", "a".repeat(63), "A".repeat(64), `${"a".repeat(63)}\n`, "a".repeat(65)]) {
    const jar = jarWith({ [COOKIE]: `${token}|${await sha256Hex(`${token}test-secret`)}` });
    assert.equal(await isCsrfTokenValid(jar, ONE, token), false, JSON.stringify(token));
  }
});

test("isCsrfTokenValid() cannot be moved along the line between token and secret", async () => {
  const jar = jarWith({ [COOKIE]: `${"a".repeat(64)}|${await sha256Hex(`${"a".repeat(64)}bc`)}` });
  assert.equal(await isCsrfTokenValid(jar, ["c"], `${"a".repeat(64)}b`), false);
  assert.equal(await isCsrfTokenValid(jar, ["bc"], "a".repeat(64)), true);
});

test("isCsrfTokenValid() refuses cookies that arrive twice, and those of the other prefix", async () => {
  const value = encodeURIComponent(`${ZEROS}|${ZEROS_HASH}`);
  assert.equal(await isCsrfTokenValid(jarWith(`${COOKIE}=${value}; ${COOKIE}=${value}`), ONE, ZEROS), false);
  assert.equal(await isCsrfTokenValid(jarWith(`${COOKIE}=${value}`, { secure: true }), ONE, ZEROS), false);
  assert.equal(await isCsrfTokenValid(jarWith(`__Host-${COOKIE}=${value}`, { secure: true }), ONE, ZEROS), true);
});

test("isCsrfTokenValid() reads a cookie whose bar is not encoded", async () => {
  assert.equal(await isCsrfTokenValid(jarWith(`${COOKIE}=${ZEROS}|${ZEROS_HASH}`), ONE, ZEROS), true);
});
