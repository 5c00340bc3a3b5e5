/** Compares every quick snapshot with what holds now. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readOverrides, readSnapshot } from "./_files.ts";
import { report } from "./_report.ts";
import { isForbidden, sorted, weigh } from "./_snapshot.ts";
import { patch } from "../mutants/_patch.ts";
import { SNAPSHOTS } from "./all.ts";
import { BREACHES } from "./breaking.ts";

const { version } = JSON.parse(readFileSync("deno.json", "utf8")) as { readonly version: string };

for (const snapshot of SNAPSHOTS.filter(({ needs }) => !needs)) {
  test(`the ${snapshot.id} that were promised are kept, and new ones are recorded`, async () => {
    const [before, after] = [readSnapshot(snapshot.id), await snapshot.current()];
    const findings = weigh(snapshot, before, after, readOverrides());
    const said = report(snapshot, after.length, findings, version).join("\n");
    assert.ok(!findings.some(isForbidden), `\n${said}`);
    assert.deepEqual(findings, [], `\n${said}\nRun deno task compatible --write`);
  });
}

test("every snapshot is recorded, in order and without a line twice", () => {
  for (const { id } of SNAPSHOTS) {
    const lines = readSnapshot(id);
    assert.ok(lines.length > 0, `${id} is not recorded`);
    assert.deepEqual(lines, sorted([...new Set(lines)]), `${id} is not in order`);
  }
});

test("every override is about a snapshot that exists", () => {
  const ids = SNAPSHOTS.map(({ id }) => id);
  assert.deepEqual(readOverrides().filter(({ snapshot }) => !ids.includes(snapshot)), []);
});

test("the code that a breach replaces occurs once in its file, and every snapshot of a checkout has a breach", () => {
  for (const { file, find, replace } of BREACHES) {
    const source = readFileSync(file, "utf8");
    assert.notEqual(patch(source, find, replace), source);
  }
  const tried = new Set(BREACHES.filter(({ breaks }) => breaks !== null).flatMap(({ snapshots }) => snapshots));
  assert.deepEqual(SNAPSHOTS.filter(({ id, needs }) => !needs && !tried.has(id)), []);
  assert.ok(BREACHES.some(({ breaks }) => breaks === null));
});
