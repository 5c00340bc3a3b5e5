import assert from "node:assert/strict";
import { test } from "node:test";
import { google } from "../../../src/providers/google.ts";
import { urlsOf } from "../../_support/one_provider.ts";

test("google() discovers its endpoints", () => {
  assert.deepEqual(urlsOf(google()), ["https://accounts.google.com"]);
});
