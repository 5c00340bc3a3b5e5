/** Bounds of time that must hold, far above what is needed: they tell what is linear from what is not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { comparableEmail } from "../../src/kernel/address.ts";
import { readUniqueObject } from "../../src/oauth_client/json.ts";

/** Runs something, which may take some milliseconds. */
function inTime(limit: number, what: string, run: () => void): void {
  const before = performance.now();
  run();
  const took = performance.now() - before;
  assert.ok(took < limit, `${what}: ${took.toFixed(0)} ms`);
}

test("comparableEmail() refuses a hundred million characters without reading them", () => {
  for (const text of ["a".repeat(1e8), "@".repeat(1e8), `${"a.".repeat(5e7)}@b.com`, `a@${"b.".repeat(5e7)}com`]) {
    inTime(100, text.slice(0, 5), () => assert.equal(comparableEmail(text), null));
  }
});

test("comparableEmail() takes no longer for texts made to be slow", () => {
  const slow = ["a".repeat(1000), "-".repeat(1000), ".a".repeat(500), "a-".repeat(500), "\u0301".repeat(1000)];
  for (const text of slow) {
    for (const whole of [`${text}@b.com`, `a@${text}.com`, `a@b.${text}`]) {
      inTime(200, whole.slice(0, 5), () => {
        for (let round = 0; round < 100; round++) comparableEmail(whole);
      });
    }
  }
});

test("readUniqueObject() takes a moment for a million of anything", () => {
  for (const text of ["[", "{", '"', "\\", '"\\', '{"a":', "]"]) {
    const million = new TextEncoder().encode(text.repeat(1e6 / text.length));
    inTime(1000, text, () => assert.equal(readUniqueObject(million), null));
  }
});

test("readUniqueObject() takes a moment for a million of numbers and texts in an object", () => {
  const big = "12345678901234567890";
  const wholes = [
    `{"a":${"9".repeat(1e6)}}`,
    `{"a":[${`${big},`.repeat(5e4)}1]}`,
    `{"a":[${"1,".repeat(5e5)}${big}]}`,
    `{"a":[${'"",'.repeat(3e5)}${big}]}`,
    `{"a":"${"x".repeat(1e6)}","b":${big}}`,
    `{"a":"${'\\"'.repeat(5e5)}","b":${big}}`,
    `{"a":1${"0".repeat(1e6)}e-1000000}`,
  ];
  for (const text of wholes) {
    const bytes = new TextEncoder().encode(text);
    inTime(1000, text.slice(0, 20), () => assert.ok(readUniqueObject(bytes)));
  }
});
