/** What holds for each row of each table of options. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { OPTIONS } from "../../../src/config/options.ts";
import { PROVIDERS } from "../../../src/config/provider_options.ts";
import type { Row, Table } from "../../../src/config/rows.ts";

const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -1, 0.5, 1, 60, 5000, NaN, Infinity, 1e10, 1e12, 1n],
  ...[
    "",
    " ",
    "/",
    "//x",
    "/a?b",
    "auth",
    "/auth",
    "true",
    "FALSE",
    "JWT",
    "jwt",
    "60",
    " 1.5 ",
    "1e3",
    "-1",
    "Strict",
  ],
  ...["https://app.test", "http://app.test", "javascript:alert(1)", "#fff", "red;}", "M0 0h9z", "pkce, state", "x"],
  ...[[], [undefined], new Array(2), ["x"], ["pkce"], {}, { names: ["x.test"] }, { de: { signIn: "x" } }],
  ...[() => {}, class {}, Promise.resolve({}), new Date(0), new Map(), new URL("https://app.test"), Symbol("x")],
];

function* rowsOf(table: Table, owner: string): Generator<readonly [option: string, row: Row]> {
  for (const [name, row] of Object.entries(table)) {
    yield [`${owner}${name}`, row];
    if (row.members) yield* rowsOf(row.members, `${owner}${name}.`);
  }
}

const ROWS = [
  ...rowsOf(OPTIONS, ""),
  ...Object.entries(PROVIDERS).flatMap(([type, table]) => [...rowsOf(table, `${type}: `)]),
];

test("there is a row for each option of the service and of providers", () => {
  assert.ok(ROWS.length > 250, `${ROWS.length}`);
});

for (const [option, { kind, otherwise }] of ROWS) {
  test(`${option}: its default is fine, and any other value gives a sentence that can follow its name`, () => {
    if (otherwise !== undefined) assert.ok(["fine", "ruled"].includes(kind(otherwise).is), inspect(otherwise));
    for (const value of VALUES) {
      const verdict = kind(value);
      if ("says" in verdict && verdict.says) {
        assert.match(verdict.says, /^(?:is|must be|its|.* is not a path) /, option);
      }
      // What is read as something else is read as that, if somebody writes it.
      if (verdict.is === "mended") {
        const { is, ...again } = kind(verdict.value) as { is: string; value?: unknown };
        assert.ok(["fine", "ruled"].includes(is) || again.value === verdict.value, `${option}: ${inspect(value)}`);
      }
    }
  });
}
