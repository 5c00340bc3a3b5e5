import { test } from "node:test";
import assert from "node:assert/strict";
import process from "node:process";
import addressparser from "nodemailer/lib/addressparser";
import { addressParser } from "postal-mime";
import { comparableEmail, normalizeEmail, parseProfileEmail } from "../../../src/kernel/address.ts";
import { EmailSignInError } from "../../../src/kernel/errors.ts";
import { chanceOf, seedOf } from "../../_support/chance.ts";
import { CORPUS } from "../../_support/email_corpus.ts";
import { oracleEmail } from "../../_support/oracle_email.ts";

for (const [text, mailbox] of CORPUS) {
  const name = JSON.stringify(text).slice(0, 60);
  test(`comparableEmail() ${mailbox === null ? "refuses" : "accepts"} ${name}`, () => {
    assert.equal(comparableEmail(text), mailbox);
    assert.equal(oracleEmail(text), mailbox, "the oracle agrees");
  });
}

test("normalizeEmail() throws what leads a visitor back, and never says what was typed", () => {
  const messages = CORPUS.flatMap(([text, mailbox]) => {
    try {
      assert.equal(normalizeEmail(text), mailbox);
      return [];
    } catch (error) {
      assert.ok(error instanceof EmailSignInError && mailbox === null, text);
      return [error.message];
    }
  });
  assert.equal(new Set(messages).size, 1);
  assert.equal(messages.length, CORPUS.filter(([, mailbox]) => mailbox === null).length);
});

const PIECES = [
  ..."abkKz019.-_+@@@  <>()[],;:\"'\\%!/?#&=~^`{|}$*\t\r\n\0",
  ..."\uff20\ufe6b\uff0e\u3002\uff61\u00ad\u200b\u200d\u202e\ufeff\u2028\u3164\ufe0f\u0301\u0130\u0131\u00df\u017f\u212a",
  ..."\ufb03\u00fc\u0430\u05d0\u0628\u0ead\u4e2d\u30fb\u00b7\u0660\u00b2\u2460\u1d2c\u{1f600}\u{1d400}\u{e0041}",
  ...["xn--", "xn--bcher-kva", ".com", ".de", "@b.com", "a@", "example", "\ud800", "\udc00"],
];

test("comparableEmail() answers as the oracle does, twice the same, and with one mailbox, for texts by chance", () => {
  const seed = seedOf(process.env.FUZZ_SEED);
  const rounds = Number(process.env.FUZZ_ADDRESSES || 200_000);
  const { below, pick } = chanceOf(seed);
  let accepted = 0;
  for (let round = 0; round < rounds; round++) {
    const some = (most: number) => Array.from({ length: below(most) + 1 }, () => pick(PIECES)).join("");
    const any = () =>
      String.fromCodePoint(...Array.from({ length: below(3) + 1 }, () => below(pick([0x300, 0x3000, 0x11_0000]))));
    const text = pick([() => some(9), () => `${some(2)}a@b${some(3)}.com`, () => `a${any()}@b${any()}.com`])();
    const found = comparableEmail(text);
    const because = `FUZZ_SEED=${seed}: ${JSON.stringify(text)}`;
    assert.equal(found, oracleEmail(text), because);
    if (found === null) continue;
    accepted += 1;
    assert.equal(comparableEmail(found), found, because);
    assertOneMailbox(found, because);
  }
  assert.ok(accepted > rounds / 100, `only ${accepted} were accepted`);
});

/** What a provider returns, the address it is kept as, and the mailbox that is compared. */
const PROFILE_EMAILS: readonly (readonly [given: string, kept: string | null, mailbox: string | null])[] = [
  ["Ada@Example.COM", "ada@example.com", "ada@example.com"],
  ["ada+auth@example.com", "ada+auth@example.com", "ada+auth@example.com"],
  ["ada@B\u00fccher.de", "ada@b\u00fccher.de", "ada@xn--bcher-kva.de"],
  ["ada@XN--BCHER-KVA.de", "ada@xn--bcher-kva.de", "ada@xn--bcher-kva.de"],
  ["ada@stra\u00dfe.de", "ada@stra\u00dfe.de", "ada@xn--strae-oqa.de"],
  // Mail programs take them, and the email form does not: they are kept, and are nobody else's.
  ["J\u00f6rg@example.com", "j\u00f6rg@example.com", null],
  ["\u7528\u6237@\u4f8b\u5b50.com", "\u7528\u6237@\u4f8b\u5b50.com", null],
  ["a..b.@docomo.example", "a..b.@docomo.example", null],
  ["ada@localhost", "ada@localhost", null],
  ["a%b@example.com", "a%b@example.com", null],
  // They would be taken for another one.
  ["\u212aay@example.com", null, null],
  ["ada@\u212aay.com", null, null],
  ["\uff41da@example.com", null, null],
  ["\u24d0da@example.com", null, null],
  ["\ufeffada@example.com", null, null],
  ["ada@example.com\ufeff", null, null],
  ["ada@example\uff0ecom", null, null],
  ["ada@\uff45xample.com", null, null],
  ["ada\uff20example.com", null, null],
  ["\ufb03@example.com", null, null],
  ["J\u00d6RG@example.com", null, null],
  ["ada@B\u00dcCHER.de", null, null],
  ["\u0130@example.com", null, null],
  ["a\u00adda@example.com", null, null],
  ["a\u200bda@example.com", null, null],
  ["ada@ex\u200bample.com", null, null],
  [" ada@example.com", null, null],
  ["ada@example.com\n", null, null],
  // No mail program takes them.
  ["", null, null],
  ["ada", null, null],
  ["@example.com", null, null],
  ["ada@", null, null],
  ["ada@.com", null, null],
  ["ada@example..com", null, null],
  ["ada@-example.com", null, null],
  ["ada@example.com,eve@example.com", null, null],
  ["ada@example.com@evil.test", null, null],
  ["Ada <ada@example.com>", null, null],
  ["ada lovelace@example.com", null, null],
  ["ada@example.com\r\nBcc: eve@example.com", null, null],
  ["ada\0@example.com", null, null],
  ["ada\ud83d@example.com", null, null],
  ["ada@ex\ud83dample.com", null, null],
  [`${"a".repeat(64)}@example.com`, `${"a".repeat(64)}@example.com`, `${"a".repeat(64)}@example.com`],
  [`${"a".repeat(65)}@example.com`, null, null],
  [`ada@${"b.".repeat(123)}com`, `ada@${"b.".repeat(123)}com`, `ada@${"b.".repeat(123)}com`],
  [`ada@${"b.".repeat(124)}com`, null, null],
];

for (const [given, kept, mailbox] of PROFILE_EMAILS) {
  test(`parseProfileEmail() makes ${JSON.stringify(kept)?.slice(0, 40)} of ${JSON.stringify(given).slice(0, 60)}`, () => {
    assert.equal(parseProfileEmail(given), kept);
    assert.equal(kept && comparableEmail(kept), mailbox);
  });
}

test("parseProfileEmail() changes nothing but capitals of ASCII, and not whose mailbox it is, in texts by chance", () => {
  const seed = seedOf(process.env.FUZZ_SEED);
  const { below, pick } = chanceOf(seed);
  let kept = 0;
  for (let round = 0; round < 50_000; round++) {
    const some = (most: number) => Array.from({ length: below(most) + 1 }, () => pick(PIECES)).join("");
    const text = pick([() => some(9), () => `${some(2)}a@b${some(3)}.com`])();
    const given = parseProfileEmail(text);
    if (given === null) continue;
    const because = `FUZZ_SEED=${seed}: ${JSON.stringify(text)}`;
    kept += 1;
    assert.equal(given, text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()), because);
    assert.equal(comparableEmail(given), comparableEmail(text), because);
    assert.equal(parseProfileEmail(given), given, because);
  }
  assert.ok(kept > 100, `only ${kept} were kept`);
});

test("parseProfileEmail() refuses a hundred million characters without reading them", () => {
  for (const text of ["a".repeat(1e8), "@".repeat(1e8)]) assert.equal(parseProfileEmail(text), null);
});

/** Two parsers of other people take it for what we do. */
function assertOneMailbox(address: string, because: string): void {
  assert.deepEqual(addressparser(address).map((read) => "address" in read && read.address), [address], because);
  assert.deepEqual(addressParser(address).map((read) => read.address), [address], because);
  assert.match(address, /^[!-~]+$/, because);
}
