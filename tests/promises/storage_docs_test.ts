import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { MYSQL_NAMES } from "../../adapters/sql/mysql_schema.ts";
import { POSTGRES_NAMES } from "../../adapters/sql/postgres_schema.ts";
import { type TableId, TABLES } from "../../adapters/sql/schema.ts";
import { SQLITE_NAMES } from "../../adapters/sql/sqlite_schema.ts";
import { missingOperations, type Need } from "../../src/storage/operations.ts";
import { CONNECTION_FACTS, PROMISES, rowOf } from "../_support/connection_facts.ts";
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

test("the table of connections says on what the conformance suite holds each adapter to its promises", () => {
  const section = page.slice(page.indexOf("## Your connection"));
  const lines = section.slice(0, section.indexOf("\n## ", 1)).split("\n").filter((line) => line.startsWith("|"));
  const [head = [], , ...rows] = lines.map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  assert.deepEqual(head, ["Connection", "Adapter", "Tested on", ...PROMISES]);
  assert.deepEqual(rows, CONNECTION_FACTS.map(rowOf));
});

for (const { adapter, connection, suite, named } of CONNECTION_FACTS) {
  test(`the conformance suite runs on ${connection} with ${adapter}`, () => {
    const source = readFileSync(suite, "utf8");
    const runs = source +
      (suite.endsWith("sqlite_connections.ts") ? readFileSync("tests/adapters/sqlite_suite.ts") : "");
    assert.match(runs, /conformanceCases|conformOn(?:Postgres|Mysql)/);
    assert.ok(source.includes(named), `${suite} has no ${named}`);
  });
}
