import { test } from "node:test";
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { TEXTS as ENGLISH } from "../../../src/texts/en.ts";
import { LANGUAGES, type LanguageTag } from "../../../src/texts/languages.ts";
import { AVAILABLE, loadTexts } from "../../../src/texts/load.ts";
import { splitText, type Texts } from "../../../src/texts/texts.ts";

type Key = keyof Texts;
const KEYS = Object.keys(ENGLISH) as Key[];

/** Texts that are the same in English: `*` is any language. */
const SAME: readonly (readonly [LanguageTag | "*", Key])[] = [
  ["*", "emailPlaceholder"],
  ["es", "errorTitle"],
  ["it", "password"],
  ...(["de", "fr", "nl"] as const).map((tag) => [tag, "code"] as const),
  ["de", "factorName"],
  ["de", "accountName"],
  ["de", "accountPasskeys"],
  ["de", "yourName"],
  ...(["de", "it"] as const).map((tag) => [tag, "passkey"] as const),
];

/** What a text of a language must not have, because its writers use something else. */
const FOREIGN: readonly (readonly [RegExp, string, readonly LanguageTag[]])[] = [
  [/[a-z]'[a-z]/i, "a straight apostrophe", LANGUAGES.map(({ tag }) => tag)],
  [/"/, "straight quotes", LANGUAGES.map(({ tag }) => tag)],
  [/\.\.\./, "three dots", LANGUAGES.map(({ tag }) => tag)],
  [/(?<![\u00a0\u202f])[:;?!]/, "punctuation without a space that does not break", ["fr"]],
  [/[,.?!:;](?!\w)/, "punctuation of other scripts", ["ja", "zh-Hans"]],
  [/[,?;]/, "punctuation of other scripts", ["ar"]],
  [/[^?]*(?<!¿[^?]*)\?/, "a question that is not opened", ["es"]],
  [/\.$/, "a full stop of other scripts", ["hi", "ja", "zh-Hans"]],
];

/** The script of a language that is not written in Latin letters. */
const SCRIPTS: Readonly<Partial<Record<LanguageTag, RegExp>>> = {
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  "zh-Hans": /\p{Script=Han}/u,
  ko: /\p{Script=Hangul}/u,
  ar: /\p{Script=Arabic}/u,
  he: /\p{Script=Hebrew}/u,
  uk: /\p{Script=Cyrillic}/u,
  hi: /\p{Script=Devanagari}/u,
};

/** Words that stay as they are: names of things, and what stands for a value. */
const NAMES = /\{\w+\}|JavaScript|PIN|QR|Passkeys?|[\w.]+@example\.com/g;

function wordsIn(text: string): string[] {
  return splitText(text).filter((part) => part.startsWith("{")).sort();
}

test("every language has a file, every file is one of a language, and nothing else is loaded", async () => {
  const files = await readdir(new URL("../../../src/texts/", import.meta.url));
  const others = [
    "account.ts",
    "choose.ts",
    "duration.ts",
    "languages.ts",
    "load.ts",
    "mail.ts",
    "passwords.ts",
    "texts.ts",
  ];
  const expected = LANGUAGES.map(({ tag }) => `${tag.toLowerCase().replace("-", "_")}.ts`);
  assert.deepEqual(files.toSorted(), [...expected, ...others].toSorted());
  assert.deepEqual(AVAILABLE.toSorted(), LANGUAGES.map(({ tag }) => tag).toSorted());
});

for (const { tag, dir } of LANGUAGES) {
  test(`${tag} has exactly the texts of English, with the same words in braces`, async () => {
    const loaded = await loadTexts(tag);
    assert.equal(loaded.tag, tag);
    assert.deepEqual(Object.keys(loaded.texts), KEYS);
    for (const key of KEYS) assert.deepEqual(wordsIn(loaded.texts[key]), wordsIn(ENGLISH[key]), key);
  });

  test(`${tag} is plain text: no markup, no spaces around it, no control character`, async () => {
    const { texts } = await loadTexts(tag);
    for (const key of KEYS) {
      const text = texts[key];
      assert.equal(text, text.trim(), key);
      assert.notEqual(text, "", key);
      assert.doesNotMatch(text.replace(/\{[a-z]+\}/g, ""), /[<>&{}\p{Cc}\u200b-\u200f\ufeff]/u, key);
      assert.doesNotMatch(text, / {2}/, key);
      for (const [pattern, what, tags] of FOREIGN) {
        if (!tags.includes(tag) || key === "emailPlaceholder") continue;
        assert.doesNotMatch(text.replace(NAMES, ""), pattern, `${key} has ${what}`);
      }
    }
  });

  test(`${tag} is written from ${dir === "rtl" ? "right to left" : "left to right"}`, async () => {
    const { texts } = await loadTexts(tag);
    const isRight = /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(texts.signInTitle);
    assert.equal(isRight, dir === "rtl");
  });

  if (tag !== "en") {
    test(`${tag} leaves nothing in English`, async () => {
      const { texts } = await loadTexts(tag);
      const script = SCRIPTS[tag];
      for (const key of KEYS) {
        const isSame = SAME.some(([of, name]) => (of === "*" || of === tag) && name === key);
        if (isSame) continue;
        assert.notEqual(texts[key], ENGLISH[key], key);
        if (!script) continue;
        assert.match(texts[key], script, key);
        assert.doesNotMatch(texts[key].replace(NAMES, ""), /[a-z]{2}/i, `${key} has words in Latin letters`);
      }
    });
  }
}
