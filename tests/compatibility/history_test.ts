/** Whether a release that cannot be had is told of, instead of skipped. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { takeRelease } from "./_history.ts";

test("a clone without the release before says how to get it", () => {
  assert.throws(() => takeRelease("0123456789abcdef"), {
    message:
      "Cannot compare with release 0123456789abcdef: this clone does not have its commit. Fetch the whole history " +
      "(`git fetch --unshallow`; `fetch-depth: 0` of actions/checkout), and run this again",
  });
});
