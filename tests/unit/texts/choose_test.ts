import { test } from "node:test";
import assert from "node:assert/strict";
import { chooseLanguage, languageOf, type LanguageWishes } from "../../../src/texts/choose.ts";

const TAGS: readonly (readonly [text: string | null | undefined, tag: string | null])[] = [
  ["de", "de"],
  ["DE-at", "de"],
  ["de_CH", "de"],
  ["pt", "pt-BR"],
  ["pt-PT", "pt-BR"],
  ["zh-Hans-CN", "zh-Hans"],
  ["zh-CN", "zh-Hans"],
  ["cmn-Hans", "zh-Hans"],
  ["iw", "he"],
  ["arb", "ar"],
  ["en-GB", "en"],
  ["tlh", null],
  ["", null],
  [null, null],
  [undefined, null],
  ["d", null],
  ["german", null],
  ["de/../fr", null],
  ["__proto__", null],
  ["constructor", null],
  ["de\n", null],
  [`de-${"a-".repeat(40)}b`, null],
];

for (const [text, tag] of TAGS) {
  test(`languageOf() takes ${JSON.stringify(text)} for ${tag}`, () => assert.equal(languageOf(text), tag));
}

const WISHES: readonly (readonly [LanguageWishes, string])[] = [
  [{}, "en"],
  [{ query: "fr", kept: "it", theme: "de", header: "es" }, "fr"],
  [{ query: "xx", kept: "it", theme: "de", header: "es" }, "it"],
  [{ query: null, kept: "", theme: "de", header: "es" }, "de"],
  [{ theme: "klingon", header: "es" }, "es"],
  [{ header: "tlh, nl;q=0.5, tr;q=0.7" }, "tr"],
  [{ header: "de-CH,fr;q=0.9" }, "de"],
  [{ header: "en;q=0.5, uk" }, "uk"],
  [{ header: "tlh;q=1, en;q=0, hi;q=0.1" }, "hi"],
  [{ header: "de;q=0" }, "en"],
  [{ header: "de;q=2" }, "en"],
  [{ header: "de;q=x, pl;q=0.1" }, "pl"],
  [{ header: "*" }, "en"],
  [{ header: "zh-TW, ja;q=0.5" }, "ja"],
  [{ header: "zh-TW, zh;q=0.5" }, "zh-Hans"],
  [{ header: "zh-HK" }, "zh-Hans"],
  [{ header: ";;;,,,;q=" }, "en"],
  [{ header: `${"tlh,".repeat(20)}de` }, "en"],
  [{ header: `${" ".repeat(2000)}de` }, "en"],
];

for (const [wishes, tag] of WISHES) {
  test(`chooseLanguage() gives ${tag} for ${JSON.stringify(wishes).slice(0, 80)}`, () => {
    assert.equal(chooseLanguage(wishes), tag);
  });
}
