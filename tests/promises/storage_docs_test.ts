import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { MYSQL_NAMES } from "../../adapters/sql/mysql_schema.ts";
import { POSTGRES_NAMES } from "../../adapters/sql/postgres_schema.ts";
import { type TableId, TABLES } from "../../adapters/sql/schema.ts";
import { SQLITE_NAMES } from "../../adapters/sql/sqlite_schema.ts";
import { missingOperations, type Need } from "../../src/storage/operations.ts";
import { markdownTable, wordsIn } from "../_support/markdown.ts";

const page = readFileSync("docs/storage.md", "utf8");

test("the page lists the tables of the SQL adapters with their columns", () => {
  const rows = markdownTable(page, "The tables").map(([, ...cells]) => cells.map(wordsIn));
  assert.deepEqual(MYSQL_NAMES, SQLITE_NAMES);
  const ids = Object.keys(TABLES) as TableId[];
  assert.deepEqual(
    rows,
    ids.map((id) => [[SQLITE_NAMES[id]], [POSTGRES_NAMES[id]], TABLES[id].columns.map(({ name }) => name)]),
  );
});

test("the page lists the operations that each use of an adapter needs", () => {
  const listed = markdownTable(page, "Writing your own").map(([, operations = ""]) => wordsIn(operations));
  const of = (need: Need): string[] => missingOperations({}, need);
  const [oauth, sessions] = [of("oauth"), of("sessions")];
  const besides = (need: Need, others: readonly string[]): string[] =>
    of(need).filter((name) => !others.includes(name));
  assert.deepEqual(listed, [
    oauth,
    besides("sessions", oauth),
    of("email"),
    // "those of `oauth`" stands before them.
    ["oauth", ...besides("webauthn", oauth)],
    besides("endings", sessions),
  ]);
});
