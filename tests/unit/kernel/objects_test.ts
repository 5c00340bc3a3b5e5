import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { describeValue, isDate, isPlainObject } from "../../../src/kernel/objects.ts";

// As in Jest, where `structuredClone()` makes dates and objects that are not those of the test.
test("dates and plain objects of another realm are dates and plain objects", () => {
  const [date, object, nested] = runInNewContext("[new Date(0), { a: 1 }, new (class Row { a = 1 })]");
  assert.ok(!(date instanceof Date) && isDate(date));
  assert.ok(isPlainObject(object) && !isPlainObject(date));
  assert.ok(!isPlainObject(nested));
  for (const value of [null, undefined, 0, "2026-01-01", {}, [], Object.create(Date.prototype)]) {
    assert.ok(!isDate(value));
  }
});

test("describeValue() hides the password of a URL, whatever characters it has", () => {
  for (const password of ["canary", "can/ary", "can@ary", "can\nary"]) {
    assert.equal(describeValue(`postgres://owner:${password}@db.test/app`), '"postgres://…@db.test/app"');
  }
});
