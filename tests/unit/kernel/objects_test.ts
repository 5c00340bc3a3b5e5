import assert from "node:assert/strict";
import { test } from "node:test";
import { describeValue } from "../../../src/kernel/objects.ts";

test("describeValue() hides the password of a URL, whatever characters it has", () => {
  for (const password of ["canary", "can/ary", "can@ary", "can\nary"]) {
    assert.equal(describeValue(`postgres://owner:${password}@db.test/app`), '"postgres://…@db.test/app"');
  }
});
