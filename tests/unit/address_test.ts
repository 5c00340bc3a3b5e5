import { test } from "node:test";
import assert from "node:assert/strict";
import process from "node:process";
import addressparser from "nodemailer/lib/addressparser";
import { addressParser } from "postal-mime";
import { comparableEmail, normalizeEmail } from "../../src/address.ts";
import { EmailSignInError } from "../../src/errors.ts";
import { chanceOf, seedOf } from "../_support/fuzz.ts";
import { CORPUS } from "../_support/email_corpus.ts";
import { oracleEmail } from "../_support/oracle_email.ts";

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

/** Two parsers of other people take it for what we do. */
function assertOneMailbox(address: string, because: string): void {
  assert.deepEqual(addressparser(address).map((read) => "address" in read && read.address), [address], because);
  assert.deepEqual(addressParser(address).map((read) => read.address), [address], because);
  assert.match(address, /^[!-~]+$/, because);
}
