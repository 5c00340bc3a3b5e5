import assert from "node:assert/strict";
import { test } from "node:test";
import { commonPasswords, filterOf } from "../../../scripts/common_passwords.ts";
import { isInFilter } from "../../../src/passwords/bloom.ts";
import { isCommon } from "../../../src/passwords/common.ts";
import { COMMON_PASSWORDS } from "../../../src/passwords/common_list.ts";

test("the list has 10,000 passwords, and is what the script makes of them", async () => {
  const passwords = commonPasswords();
  assert.equal(new Set(passwords).size, 10_000);
  assert.ok(passwords.every((text) => text.length >= 8));
  // Run `deno run --allow-write=src/passwords scripts/common_passwords.ts` if this fails.
  assert.deepEqual(await filterOf(passwords), COMMON_PASSWORDS);
  assert.equal(COMMON_PASSWORDS.length, 16_384);
});

test("each of the 10,000 passwords is common", async () => {
  const found = await Promise.all(commonPasswords().map((text) => isCommon(text)));
  assert.equal(found.filter((isFound) => !isFound).length, 0);
});

test("of other passwords two in a thousand are taken for common", async () => {
  const asked = 5000;
  const found = await Promise.all(
    Array.from({ length: asked }, (_, at) => isInFilter(COMMON_PASSWORDS, `other ${at}`)),
  );
  // Always the same passwords: 10 are expected of them, and the deviation is 3.
  const alarms = found.filter(Boolean).length;
  assert.ok(alarms >= 1 && alarms <= 20, `${alarms} of ${asked}`);
});

for (
  const [what, text] of [
    ["one of the most used", "iloveyou"],
    ["one in other letters", "ILoveYou"],
    ["one in wide letters", "ｉｌｏｖｅｙｏｕ"],
    ["one of 15 characters", "1qaz2wsx3edc4rfv"],
    ["one twice", "passwordpassword"],
    ["one, and its beginning", "passwordpasswor"],
    ["ten digits, and five of them again", "123456789012345"],
    ["a short part again and again", "qwertyqwertyqwe"],
    ["one character", "aaaaaaaaaaaaaaa"],
    ["two characters", "!?!?!?!?!?!?!?!"],
    ["the alphabet", "abcdefghijklmno"],
    ["the alphabet from its end", "ponmlkjihgfedcba"],
  ] as const
) {
  test(`a password that is ${what} is common`, async () => assert.equal(await isCommon(text), true));
}

const WORDS = ["Acme Bakery", "ada.lovelace@example.com"];

for (
  const text of [
    ...["acme bakery", "AcmeBakery", "acmebakery123", "AcmeAcmeBakery", "ada.lovelace@example.com", "ada.lovelace"],
    ...["AdaLovelace42!", "lovelaceada", "example.com", "ＡＣＭＥＢＡＫＥＲＹ", "bakery-acme-ada"],
  ]
) {
  test(`${text} says only what everybody knows of the site and the person`, async () => {
    assert.equal(await isCommon(text, WORDS), true);
    assert.equal(await isCommon(text), false);
  });
}

for (
  const text of [
    ...[
      "correct horse battery staple",
      "acme bakery has 12 ovens",
      "adadrinkstea",
      "v8Kd-2pQm-x91T",
      "abcdefga",
      "東京 – Zürich 🔑",
    ],
    ...["x", "abcdefghabcdefgx", "8characters, then more"],
  ]
) {
  test(`${JSON.stringify(text)} is not common`, async () => assert.equal(await isCommon(text, WORDS), false));
}

test("a word that holds a shorter one counts as a whole", async () => {
  assert.equal(await isCommon("acmetronics12", ["acme", "acmetronics"]), true);
});

test("words that are too short or empty say nothing", async () => {
  assert.equal(await isCommon("v8Kd-2pQm-x91T", ["", " ", "v8", "@", "-"]), false);
});

test("the longest password and many words take a moment only", async () => {
  const words = Array.from({ length: 50 }, (_, at) => `word${at}@example.com`);
  const before = performance.now();
  for (const text of ["a".repeat(1023) + "b", "ab".repeat(512), "word1".repeat(204)]) await isCommon(text, words);
  assert.ok(performance.now() - before < 500);
});
