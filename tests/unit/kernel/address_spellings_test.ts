import assert from "node:assert/strict";
import { test } from "node:test";
import { spellingsOf, unicodeDomain } from "../../../src/kernel/address_spellings.ts";

/** Samples of RFC 3492, section 7.1, in lower case, and labels as registries have them. */
const SAMPLES: readonly (readonly [unicode: string, punycode: string])[] = [
  ["ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"],
  ["他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"],
  ["他們爲什麽不說中文", "ihqwctvzc91f659drss3x8bo0yb"],
  ["למההםפשוטלאמדבריםעברית", "4dbcagdahymbxekheh6e0a7fei0b"],
  ["यहलोगहिन्दीक्योंनहींबोलसकतेहैं", "i1baa7eci9glrd9b2ae1bj0hfcgg6iyaf8o0a1dig0cd"],
  ["なぜみんな日本語を話してくれないのか", "n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa"],
  ["почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"],
  ["3年b組金八先生", "3b-ww4c5e180e575a65lsy2b"],
  ["パフィーdeルンバ", "de-jg4avhby1noc0d"],
  ["そのスピードで", "d9juau41awczczp"],
  ["bücher", "bcher-kva"],
  ["straße", "strae-oqa"],
  ["ü", "tda"],
  ["💥", "hs8h"],
];

test("unicodeDomain() decodes what RFC 3492 has encoded", () => {
  for (const [unicode, punycode] of SAMPLES) {
    assert.equal(unicodeDomain(`www.xn--${punycode}.example`), `www.${unicode}.example`);
  }
  assert.equal(unicodeDomain("example.com"), "example.com");
});

test("unicodeDomain() gives null for what is no Punycode", () => {
  for (const label of ["xn--99999999", "xn--a-é", "xn--é", "xn--bcher-kv", "xn--A-AAA"]) {
    assert.equal(unicodeDomain(`${label}.example`), null, label);
  }
});

test("unicodeDomain() takes back what the platform makes of labels by chance", () => {
  const pick = (from: number, to: number) => from + Math.floor(Math.random() * (to - from));
  const ranges = [[0x61, 0x7b], [0xe0, 0xf6], [0x430, 0x450], [0x3b1, 0x3c1], [0x4e00, 0x9fa0], [0x20000, 0x2a6d0]];
  let compared = 0;
  for (let round = 0; round < 2000; round++) {
    const points = Array.from({ length: pick(1, 20) }, () => {
      const [from = 0x61, to = 0x7b] = ranges[pick(0, ranges.length)] ?? [];
      return pick(from, to);
    });
    const domain = `${String.fromCodePoint(...points)}.example`.normalize("NFC");
    const ascii = URL.parse(`https://${domain}`)?.hostname;
    if (!ascii) continue;
    const unicode = unicodeDomain(ascii);
    assert.ok(unicode !== null, ascii);
    assert.equal(URL.parse(`https://${unicode}`)?.hostname, ascii);
    compared++;
  }
  assert.ok(compared > 1000, `${compared} labels were compared`);
});

const SPELLINGS: readonly (readonly [given: string, other: string | null])[] = [
  ["ada@example.com", null],
  ["ada@xn--bcher-kva.example", "ada@bücher.example"],
  ["ada@mail.xn--bcher-kva.xn--p1ai", "ada@mail.bücher.рф"],
  ["ada@bücher.example", "ada@xn--bcher-kva.example"],
  // What the platform reads as another domain than it is written as.
  ["ada@ｅxample.com", null],
  ["ada@BÜCHER.example", null],
  ["ada@exa­mple.com", null],
  ["ada@Kelvin.example".replace("K", "K"), null],
  ["ada@xn--99999999.example", null],
  ["ada@xn--example.com", null],
  ["ada@xn--a.example", null],
  ["nobody", null],
  ["xn--bcher-kva.example", null],
  ["", null],
  [`ada@${"xn--bcher-kva.".repeat(1000)}example`, null],
];

for (const [given, other] of SPELLINGS) {
  test(`spellingsOf() lists ${JSON.stringify(given.slice(0, 40))}${other === null ? " alone" : " and the other"}`, () => {
    assert.deepEqual(spellingsOf(given), other === null ? [given] : [given, other]);
  });
}
