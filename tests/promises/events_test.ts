import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";

test("what happened is told in one place: nothing else calls handlers", async () => {
  const root = new URL("../../src/", import.meta.url);
  const files = (await readdir(root, { recursive: true })).map((path) => path.replaceAll("\\", "/"));
  const callers = [];
  for (const path of files.filter((path) => /\.tsx?$/.test(path))) {
    const text = await readFile(new URL(path, root), "utf8");
    if (/\bemit\(|config\.events\[/.test(text)) callers.push(path);
  }
  assert.deepEqual(callers, ["request/events.ts"]);
});
