/** How many mistakes the tables in tests/stories/mistakes/ tell. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

test("at least 240 mistakes are told, each a small program, judged by its log and its answer", () => {
  const args = ["test", "-A", "--no-check", "--filter", "no test has this name", "tests/stories/mistakes"];
  const env = { ...process.env, COUNT_MISTAKES: "1", NO_COLOR: "1" };
  const said = execFileSync(process.execPath, args, { cwd: ROOT, env, encoding: "utf8" });
  const counts = [...said.matchAll(/^rows: (\d+)$/gm)].map(([, count]) => Number(count));
  const all = counts.reduce((sum, count) => sum + count, 0);
  assert.ok(all >= 240, `${all}`);
});
