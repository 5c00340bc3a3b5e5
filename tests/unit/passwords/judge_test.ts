import assert from "node:assert/strict";
import { test } from "node:test";
import type { BreachAnswer, BreachCheck } from "../../../src/passwords/breach.ts";
import { judgePassword } from "../../../src/passwords/judge.ts";
import { OAuthProviderError } from "../../../src/kernel/errors.ts";
import { testRuntime } from "../_builders.ts";

const KEY = "\u{1F511}";
const GOOD = "a pelican on a bicycle";

const JUDGING = { words: ["Acme", "ada@example.com"], timeouts: { total: 10, request: 5 } };

function judge(text: string, breached: BreachCheck | null = null, length = { min: 15, max: 64 }) {
  return judgePassword({ length, breached }, text, { ...JUDGING, runtime: testRuntime() });
}

const mixed = (count: number) =>
  Array.from({ length: count }, (_, at) => String.fromCodePoint(0x4E00 + at * at)).join("");

const ROWS: readonly (readonly [text: string, what: string, fault: string | null])[] = [
  ["", "nothing", "short"],
  [mixed(14), "14 characters", "short"],
  [mixed(15), "15 characters", null],
  [mixed(64), "64 characters", null],
  [mixed(65), "65 characters", "long"],
  [KEY.repeat(64), "64 keys, which repeat", "common"],
  [KEY.repeat(65), "65 keys", "long"],
  ["e\u0301".repeat(14), "14 letters with accents of their own", "short"],
  ["x".repeat(100_000), "a flood", "long"],
  ["acme-ada-example.com", "words that everybody knows", "common"],
  [GOOD, "a sentence", null],
];

for (const [text, what, fault] of ROWS) {
  test(`judgePassword() says ${fault ?? "nothing"} of ${what}`, async () => {
    assert.deepEqual(await judge(text), { fault, error: null });
  });
}

const FAULTY: Readonly<Record<string, unknown>> = {
  "throws": () => {
    throw new Error(`no answer for ${GOOD}`);
  },
  "rejects": () => Promise.reject(new Error(`no answer for ${GOOD}`)),
  "gives nothing": () => undefined,
  "gives another answer": () => ({ kind: "leaked" }),
};

for (const [what, check] of Object.entries(FAULTY)) {
  test(`judgePassword() accepts a password if a check of one's own ${what}, and the error does not have it`, async () => {
    const { fault, error } = await judge(GOOD, { id: "own", check } as BreachCheck);
    assert.equal(fault, null);
    assert.equal(error?.logCode, "callback-threw");
    assert.match(`${error}`, /`breached`.*: it /);
    assert.doesNotMatch(`${error?.stack} ${error?.cause}`, /pelican/);
  });
}

test("judgePassword() asks whether a password has leaked only if nothing else is wrong with it", async () => {
  const asked: string[] = [];
  const answering = (answer: BreachAnswer): BreachCheck => {
    return { id: "test", check: (text) => (asked.push(text), Promise.resolve(answer)) };
  };
  const error = new OAuthProviderError("Cannot ask");
  assert.equal((await judge("short", answering({ kind: "clear" }))).fault, "short");
  assert.deepEqual(asked, []);
  assert.equal((await judge(GOOD, answering({ kind: "breached", count: 3 }))).fault, "breached");
  assert.deepEqual(await judge(GOOD, answering({ kind: "unknown", error })), { fault: null, error });
  assert.deepEqual(await judge(GOOD, answering({ kind: "clear" })), { fault: null, error: null });
  assert.deepEqual(asked, [GOOD, GOOD, GOOD]);
});

const HANGING: BreachCheck = { id: "own", check: () => new Promise(() => {}) };

for (const [timeouts, seconds] of [[{ total: 10, request: 3 }, 3], [{ total: 4, request: 5 }, 2]] as const) {
  test(`judgePassword() accepts a password if a check of one's own hangs for ${seconds} s`, async () => {
    const runtime = testRuntime();
    const judged = judgePassword({ length: { min: 15, max: 64 }, breached: HANGING }, GOOD, {
      ...JUDGING,
      timeouts,
      runtime,
    });
    for (let turns = 0; turns < 100 && runtime.pending() === 0; turns++) {
      await new Promise((done) => setTimeout(done, 1));
    }
    runtime.advance(seconds);
    const { fault, error } = await judged;
    assert.equal(fault, null);
    assert.match(`${error}`, new RegExp(`breached.*: it took longer than ${seconds} s`));
    assert.equal(runtime.pending(), 0);
  });
}
