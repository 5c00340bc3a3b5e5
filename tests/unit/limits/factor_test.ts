/** The limits of second proofs: which buckets stand before one, and how many pass in a day. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { decide, standingBefore, type Subject } from "../../../src/limits/acts.ts";
import { GUESS_RULES, MAIL_RULES } from "../../../src/limits/rules.ts";

const RULES = { guess: GUESS_RULES, mail: MAIL_RULES };
const HOUR = 60 * 60 * 1000;

function subject(known: Partial<Subject>): Subject {
  const networks = [{ name: "192.0.2.1", share: 1 }] as Subject["networks"];
  return { act: "factor", accounts: ["ada"], device: null, networks, isSolved: false, ...known };
}

test("a browser that gave a second proof has buckets of its own, and all others share some", () => {
  for (const isSolved of [false, true]) {
    const [known, other, elsewhere] = ["d1", "d2", null].map((device) => {
      return standingBefore(subject({ device, isSolved }), RULES);
    });
    assert.deepEqual(known?.map(({ name }) => name), ["device", "device"]);
    assert.deepEqual(elsewhere?.map(({ name }) => name), ["account", "account"]);
    const keys = [known, other, elsewhere].flatMap((standing) => standing?.map(({ key }) => key));
    assert.equal(new Set(keys).size, 6);
  }
  assert.deepEqual(standingBefore(subject({ accounts: [] }), RULES), []);
});

test("no more than 24 pass in any 24 hours, wherever they come from", () => {
  for (const device of ["d1", null]) {
    const buckets = standingBefore(subject({ device }), RULES);
    const full = new Map(buckets.map(({ key, burst }) => [key, burst]));
    const passed: number[] = [];
    for (let now = 0; now < 72 * HOUR; now += HOUR / 12) {
      for (const { key, burst, every } of buckets) {
        full.set(key, Math.min(burst, (full.get(key) ?? 0) + HOUR / 12 / every));
      }
      while (buckets.every(({ key }) => (full.get(key) ?? 0) >= 1)) {
        for (const { key } of buckets) full.set(key, (full.get(key) ?? 0) - 1);
        passed.push(now);
      }
    }
    const most = Math.max(...passed.map((from) => passed.filter((at) => at >= from && at < from + 24 * HOUR).length));
    assert.ok(most <= 24, `${most} in a day`);
    assert.ok(most >= 20, `${most} in a day`);
  }
});

test("no challenge is shown for a second proof: nothing would follow from it", () => {
  for (const refused of [["account"], ["device"]] as const) {
    assert.deepEqual(decide(subject({}), refused, true), { act: "refuse", isSolvable: false });
  }
});
