import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const page = readFileSync("docs/security.md", "utf8");
const [, promised = ""] = /^## Guarantees\n(.*?)^## /ms.exec(page) ?? [];
const promises = promised.split("\n").filter((line) => line.startsWith("| ")).slice(2)
  .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));

test("docs/security.md has a table of promises", () => assert.ok(promises.length > 20));

for (const [promise, , shownBy = ""] of promises) {
  test(`docs/security.md names the tests that show: ${promise}`, () => {
    const files = [...shownBy.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file);
    assert.ok(files.length > 0);
    assert.deepEqual(files.filter((file) => !existsSync(file)), []);
  });
}
