import { test } from "node:test";
import assert from "node:assert/strict";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readImports, staticallyReached } from "../../scripts/module_graph.ts";

test("readImports() finds every kind of import, and nothing that only looks like one", async (t) => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "graph-")));
  t.after(() => rm(folder, { recursive: true }));
  const text = [
    'import type { A } from "./a.ts";',
    "// import './no.ts';",
    'const text = "import \'./no.ts\'", pattern = /from "no.ts"/;',
    'import fs from "node:fs";',
    'export * from "./b.ts";',
    '`${await import("./c.ts")}`;',
  ].join("\n");
  await writeFile(join(folder, "main.ts"), text);
  await writeFile(join(folder, "a.ts"), "export interface A {}");
  await writeFile(join(folder, "b.ts"), 'export * from "./d.ts";');
  for (const name of ["c.ts", "d.ts"]) await writeFile(join(folder, name), "");
  await writeFile(join(folder, "deno.json"), "{}");
  const imports = await readImports(["main.ts"], pathToFileURL(`${folder}/`));
  assert.deepEqual(
    imports.filter(({ file }) => file === "main.ts").map((each) => [each.target, each.kind, each.line]),
    [
      ["a.ts", "type", 1],
      ["node:fs", "static", 4],
      ["b.ts", "static", 5],
      ["c.ts", "dynamic", 6],
    ],
  );
  assert.deepEqual(staticallyReached("main.ts", imports), ["main.ts", "node:fs", "b.ts", "d.ts"]);
});

test("readImports() fails where Deno cannot read the configuration", async (t) => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "graph-")));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "deno.json"), "{");
  await assert.rejects(readImports(["main.ts"], pathToFileURL(`${folder}/`)), /Cannot read the imports/);
});
