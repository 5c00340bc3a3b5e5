import assert from "node:assert/strict";
import { test } from "node:test";
import { shown } from "../../../src/kernel/shown.ts";

test("shown() hides the password of a URL, whatever characters it has", () => {
  for (const password of ["canary", "can/ary", "can@ary", "can\nary"]) {
    assert.equal(shown(`postgres://owner:${password}@db.test/app`), '"postgres://…@db.test/app"');
  }
});
