import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { CHECKS } from "../../cli/doctor/checks.ts";
import { commandPage } from "../../scripts/docs/command.ts";
import { doctorPage } from "../../scripts/docs/doctor.ts";

const page = readFileSync("docs/doctor.md", "utf8");

test("docs/doctor.md is what scripts/docs/doctor.ts writes", async () => {
  assert.equal(page, await doctorPage());
});

test("docs/command.md is what scripts/docs/doctor.ts writes", async () => {
  assert.equal(readFileSync("docs/command.md", "utf8"), await commandPage());
});

test("the page has each check once, with its level", () => {
  const items = [...page.matchAll(/^- \*\*`([a-z-]+)`\*\* \((error|warning|note)\)/gm)];
  assert.deepEqual(items.map(([, id, level]) => [id, level]), CHECKS.map(({ id, level }) => [id, level]));
});
