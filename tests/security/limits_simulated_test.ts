/** Days of guessing, by the decisions alone: whole requests are in tests/long/limits_crowd_test.ts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Act, decide, standingBefore } from "../../src/limits/acts.ts";
import { networksOf } from "../../src/limits/client_address.ts";
import { Ledger } from "../../src/limits/ledger.ts";
import { GUESS_RULES, MAIL_RULES } from "../../src/limits/rules.ts";
import { PEOPLE, strangerAddress, stuffing } from "../_support/stuffing.ts";

const RULES = { guess: GUESS_RULES, mail: MAIL_RULES };

interface Attempt {
  readonly act?: Act;
  readonly account: string;
  readonly device?: string;
  readonly address?: string;
}

/** A site with limits in memory. */
function openSite() {
  const ledger = new Ledger();
  return async ({ act = "credentials", account, device, address }: Attempt, now: number, isRight = false) => {
    const networks = address === undefined ? [] : networksOf(address);
    const subject = { act, accounts: [account], device: device ?? null, networks, isSolved: false };
    const { refused, taken } = await ledger.take(ledger.inMemory, standingBefore(subject, RULES), new Date(now));
    const verdict = decide(subject, refused.map(({ bucket }) => bucket.name), true);
    if (verdict.act !== "pass" || isRight) ledger.giveBack(taken, now);
    return verdict.act;
  };
}

test("of 100,000 guesses from 10,000 addresses few are compared, and nobody who is known is refused", async () => {
  const attempt = openSite();
  const compared = new Map<string, number>();
  let refusedOwners = 0;
  let signIns = 0;
  for (const { at, account, address, owner } of stuffing(100_000)) {
    if (await attempt({ account, address }, at) === "pass") compared.set(account, (compared.get(account) ?? 0) + 1);
    if (owner === null) continue;
    signIns++;
    const answer = await attempt({ account: owner, device: `device of ${owner}`, address }, at, true);
    if (answer !== "pass") refusedOwners++;
  }
  assert.equal(signIns, 1000);
  assert.equal(refusedOwners, 0);
  for (const [account, guesses] of compared) assert.ok(guesses <= 100, `${account}: ${guesses}`);
  assert.equal(compared.size, PEOPLE);
});

test("10,000 requests in a minute keep nobody out who has a known browser or a mailbox", async () => {
  const attempt = openSite();
  for (let request = 0; request < 10_000; request++) {
    const now = request * 6;
    const address = strangerAddress(request);
    await attempt({ account: "ada", address }, now);
    await attempt({ act: "mail", account: "ada", address }, now);
    await attempt({ act: "code", account: "ada", address }, now);
    if (request % 1000 > 0) continue;
    const device = "device of ada";
    assert.equal(await attempt({ account: "ada", device, address }, now, true), "pass");
    assert.equal(await attempt({ act: "code", account: "ada", device, address }, now, true), "pass");
  }
  assert.equal(await attempt({ act: "mail", account: "ada", device: "device of ada" }, 60_000), "pass");
});

test("10,000 requests for emails from one address keep no other address from getting one", async () => {
  const attempt = openSite();
  for (let request = 0; request < 10_000; request++) {
    await attempt({ act: "mail", account: `victim-${request}`, address: "198.51.100.1" }, request);
  }
  assert.equal(await attempt({ act: "mail", account: "ada", address: "203.0.113.7" }, 10_000), "pass");
});

test("5,000 people of one company sign in at nine o'clock, each with the right password", async () => {
  const attempt = openSite();
  let refused = 0;
  for (let person = 0; person < 5000; person++) {
    const answer = await attempt({ account: `person-${person}`, address: "203.0.113.7" }, person * 100, true);
    if (answer !== "pass") refused++;
  }
  assert.equal(refused, 0);
});

test("second factors are guessed 24 times a day at most in a known browser, and as often in all others together", async () => {
  const attempt = openSite();
  const passed = { known: 0, others: 0 };
  for (let minute = 0; minute < 24 * 60; minute++) {
    const isKnown = minute % 2 === 0;
    const device = isKnown ? { device: "device of ada" } : {};
    const answer = await attempt({ act: "factor", account: "ada", ...device }, minute * 60_000);
    if (answer === "pass") passed[isKnown ? "known" : "others"]++;
  }
  for (const [where, count] of Object.entries(passed)) assert.ok(count <= 24 && count >= 22, `${where}: ${count}`);
});
