/**
 * Cookies, tokens and databases that earlier releases made, and what this one does with them. A line for each value:
 * `<release>, <value>: <answer> as <session>`.
 *
 * @module
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuthConfig } from "@x/auth";
import { createEngine } from "../../src/service/engine.ts";
import { respond } from "../../src/service/respond.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import type { Handler } from "./_release/client.ts";
import { openIn, type Store } from "./_release/databases.ts";
import { open, type Value } from "./_release/values.ts";
import type { Change, Snapshot } from "./_snapshot.ts";
import { BEFORE } from "./_history.ts";
import { loadSql } from "./_sql.ts";

const KEPT = "tests/compatibility/values";

/** The releases whose values are kept. */
export function releasesKept(): string[] {
  return existsSync(KEPT) ? readdirSync(KEPT).sort() : [];
}

/** Where the values of a release are. */
export function valuesPath(release: string): string {
  return `${KEPT}/${release}/cookies.json`;
}

/** Reads the values of a release. */
export function valuesOf(release: string): Value[] {
  return JSON.parse(readFileSync(valuesPath(release), "utf8"));
}

/** Runs a service of this release at a given time. */
export function serveAt(config: AuthConfig, now: number | null): Handler {
  const engine = createEngine(config, now === null ? systemRuntime : { ...systemRuntime, now: () => now });
  return async (request) => await respond(await engine.run(request));
}

/** What databases are kept of. */
export const STORES: readonly Store[] = ["sqlite", "deno-kv"];

/** Where the database of a release is, as statements of SQLite, and the values that are opened in it. */
export function databasePaths(release: string, store: Store): { sql: string; values: string } {
  return { sql: `${KEPT}/${release}/${store}.sql`, values: `${KEPT}/${release}/${store}.json` };
}

/** A file of SQLite as the release before has left it, with the values of `sqlite.json` beside it. */
export const KEPT_FILE: string = `${KEPT}/${BEFORE}/sqlite.db`;

/** Reads the values of a database. */
export function databaseValuesOf(release: string, store: Store): Value[] {
  return JSON.parse(readFileSync(databasePaths(release, store).values, "utf8"));
}

/** Opens the values of a database in copies of it, without a migration. */
async function openDatabase(release: string, store: Store): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "kept-"));
  try {
    const { sql } = databasePaths(release, store);
    const path = join(folder, "database");
    loadSql(path, readFileSync(sql, "utf8"));
    const lines: string[] = [];
    for (const value of databaseValuesOf(release, store)) {
      lines.push(lineOf(`${release} in ${store}`, value, await openIn(serveAt, store, path, value)));
    }
    return lines;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes what comes of a value as a line. */
export function lineOf(release: string, { name }: Pick<Value, "name">, outcome: string): string {
  return `${release}, ${name}: ${outcome}`;
}

export const COOKIES: Snapshot = {
  id: "cookies",
  unit: "values of earlier releases open",
  async current() {
    const lines: string[] = [];
    for (const release of releasesKept()) {
      for (const value of valuesOf(release)) lines.push(lineOf(release, value, await open(serveAt, value)));
      for (const store of STORES) lines.push(...await openDatabase(release, store));
    }
    return lines;
  },
  keyOf,
  judge(change: Change) {
    if (change.kind === "added") return { level: "minor" };
    const [release = "", ...name] = keyOf(change.before).split(", ");
    return { level: "major", breaks: `browsers with what release ${release} gave them (${name.join(", ")})` };
  },
};

function keyOf(line: string): string {
  return line.slice(0, line.indexOf(": "));
}
