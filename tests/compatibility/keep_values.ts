/**
 * Keeps the values and databases of a release in `tests/compatibility/values/`: of this one when it is published, or of a commit.
 *
 * @example Usage
 * ```sh
 * deno run -A tests/compatibility/keep_values.ts
 * deno run -A tests/compatibility/keep_values.ts 026cf0b
 * ```
 *
 * @module
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Store } from "./_release/databases.ts";
import { dumpSql } from "./_sql.ts";
import { databasePaths, KEPT_FILE, STORES, valuesPath } from "./cookies.ts";
import { BEFORE, runIn, takeRelease } from "./_history.ts";

/** Values that releases could not make yet. */
const MISSING: Readonly<Record<string, readonly string[]>> = {
  "63e0b3a": [
    "why a sign-in failed",
    "chosen language",
    "provider that was used last",
    "return from a logout at the provider",
  ],
};

function keep(release: string, folder: string): void {
  const made = runIn(folder, "make_values.ts", MISSING[release]);
  const path = valuesPath(release);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, made);
  for (const store of STORES) keepDatabase(release, folder, store);
}

function keepDatabase(release: string, folder: string, store: Store): void {
  const place = mkdtempSync(join(tmpdir(), "kept-"));
  const file = join(place, "database");
  const paths = databasePaths(release, store);
  writeFileSync(paths.values, runIn(folder, "fill_database.ts", [store, file]));
  writeFileSync(paths.sql, dumpSql(file));
  // One is kept as the file that it is.
  if (store === "sqlite" && release === BEFORE) copyFileSync(file, KEPT_FILE);
  rmSync(place, { recursive: true });
}

const [commit] = Deno.args;
if (commit === undefined) {
  const { version } = JSON.parse(readFileSync("deno.json", "utf8")) as { readonly version: string };
  keep(version, ".");
} else {
  const { folder, remove } = takeRelease(commit);
  keep(commit, folder);
  remove();
}
