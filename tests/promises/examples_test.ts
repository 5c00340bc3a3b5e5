import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { sourcesBelow } from "../../scripts/source_files.ts";

// Each example is copied alone, so what the examples have in common stands in each of them.
const FILES = sourcesBelow("examples").map((path) => [path, readFileSync(path, "utf8")] as const);

/** The options but `basePath`, which is not the same in every framework, and the functions below them. */
const COMMON = /\n {2}adapter,\n(?: {2}basePath: .*\n)?([^]*?)\n\}[^]*?(\n\/\/ Demo ID [^]*)/;

test("the examples for frameworks sign people in by the same rules", () => {
  const found = FILES.flatMap(([path, text]) => {
    const [, options, functions] = text.includes("sqliteAdapter(") && COMMON.exec(text) || [];
    return options && functions ? [{ path, options, functions }] : [];
  });
  assert.equal(found.length, 14);
  for (const { path, ...common } of found) {
    assert.deepEqual({ path, ...common }, { path, options: found[0]?.options, functions: found[0]?.functions });
  }
});

test("the examples that write their pages as text write the same pages", () => {
  const found = FILES.filter(([path]) => path.endsWith("/pages.ts") && !path.startsWith("examples/demo/"));
  assert.equal(found.length, 6);
  for (const [path, text] of found) assert.equal(text, found[0]?.[1], path);
});

/** What a site does before it listens: it opens while a provider is down. */
const CHECK = "await auth.check().catch(({ message }) => process.stderr.write(`${message}\\n`));\n";

test("the examples for frameworks that begin with a file of their own check the service, and go on", () => {
  const found = FILES.filter(([, text]) => text.includes("auth.check()"));
  assert.deepEqual(found.map(([path]) => path).sort(), [
    "examples/elysia/main.ts",
    "examples/express/main.ts",
    "examples/fastify/main.ts",
    "examples/hono/app.ts",
    "examples/nest/src/main.ts",
    "examples/oak/main.ts",
  ]);
  for (const [path, text] of found) {
    const [before, after] = text.split(CHECK);
    assert.ok(after !== undefined && !/\.listen\(|serve\(/.test(before ?? ""), path);
  }
});
