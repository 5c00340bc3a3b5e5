/** Whether what is recorded of kept values is what the releases did that made them. */
import { test } from "node:test";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import assert from "node:assert/strict";
import { readOverrides, readSnapshot } from "./_files.ts";
import { COOKIES, databaseValuesOf, KEPT_FILE, lineOf, releasesKept, serveAt, STORES, valuesOf } from "./cookies.ts";
import { openIn } from "./_release/databases.ts";
import { BEFORE } from "./_history.ts";
import { open, type Value } from "./_release/values.ts";

const kept = releasesKept().flatMap((release) => valuesOf(release).map((value) => ({ release, value })));

test("values of three releases are kept, at least thirty of each", () => {
  const releases = releasesKept();
  assert.ok(releases.length >= 3, releases.join());
  for (const release of releases) assert.ok(valuesOf(release).length >= 30, release);
});

test("what is recorded of a value is what the release did that made it, unless an override says why not", () => {
  const recorded = new Set(readSnapshot(COOKIES.id));
  const inDatabases = releasesKept().flatMap((release) =>
    STORES.flatMap((store) => {
      return databaseValuesOf(release, store).map((value) => ({ release: `${release} in ${store}`, value }));
    })
  );
  const made = [...kept, ...inDatabases].map(({ release, value }) => lineOf(release, value, value.expect));
  const own = readOverrides().filter(({ snapshot }) => snapshot === COOKIES.id);
  const allowed = new Set(own.flatMap(({ removed = [] }) => removed));
  assert.deepEqual(made.filter((line) => !recorded.has(line) && !allowed.has(line)), []);
  assert.equal(recorded.size, made.length);
});

test("a value opens by the clock of the moment when it was made, and an encrypted session no more after its end", async () => {
  const value = find("session, one day");
  assert.match(await open(serveAt, value), /in 1 days/);
  assert.match(await open(serveAt, value, value.at + 86_400_000 + 60_000), / as null$/);
});

test("a file of SQLite is opened as the release before has left it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kept-"));
  try {
    const path = join(folder, "auth.db");
    copyFileSync(KEPT_FILE, path);
    for (const value of databaseValuesOf(BEFORE, "sqlite")) {
      assert.equal(await openIn(serveAt, "sqlite", path, value), value.expect, value.name);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a value that was changed does not open", async () => {
  for (
    const name of ["session, http", "session, https", "flow to openid, http", "return from a logout at the provider"]
  ) {
    const value = find(name);
    const cookies = Object.fromEntries(Object.entries(value.cookies).map(([key, text]) => [key, flip(text)]));
    assert.notEqual(await open(serveAt, { ...value, cookies }), value.expect, name);
  }
});

function find(name: string): Value {
  const found = kept.findLast(({ value }) => value.name === name);
  assert.ok(found, name);
  return found.value;
}

/** Changes a sign in the middle. */
function flip(text: string): string {
  const at = text.length >> 1;
  return text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
}
