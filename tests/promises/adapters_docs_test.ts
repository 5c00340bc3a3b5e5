import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { ADAPTER_FACTS, COLUMNS, rowOf } from "../_support/adapter_facts.ts";

test("the table of adapters says what the tests over them have found", () => {
  const lines = readFileSync("docs/adapters.md", "utf8").split("\n").filter((line) => line.startsWith("|"));
  const [head = [], , ...rows] = lines.map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  assert.deepEqual(head, ["Adapter", "Tested on", ...COLUMNS, "Not guarded", "Limits"]);
  assert.deepEqual(rows, Object.values(ADAPTER_FACTS).map(rowOf));
});
