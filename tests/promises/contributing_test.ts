import { test } from "node:test";
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";

const page = readFileSync("CONTRIBUTING.md", "utf8");

/** All that stands in backticks and looks like a path of this project. */
const paths = [
  ...new Set([
    ...page.matchAll(
      /`((?:\.ci|adapters|bindings|cli|client|examples|migrate|scripts|src|testing|tests)\/[^`*…]*|mod\.ts)`/g,
    ),
  ]),
]
  .map(([, path = ""]) => path);

function entriesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).map((each) =>
    `${folder}/${each.name}${each.isDirectory() ? "/" : ""}`
  );
}

/** The entries of a folder, and the folders in its folders. */
function placesIn(folder: string): string[] {
  const entries = entriesOf(folder);
  const folders = entries.filter((path) => path.endsWith("/"));
  return [...entries, ...folders.flatMap((path) => entriesOf(path.slice(0, -1))).filter((path) => path.endsWith("/"))];
}

test("every path that CONTRIBUTING names exists", () => {
  assert.ok(paths.length > 100);
  assert.deepEqual(paths.filter((path) => !existsSync(path)), []);
});

test("every name that CONTRIBUTING finds in a file stands there", () => {
  const claims = [...page.matchAll(/`(\w+)` in\s+`([^`]+\.tsx?)`/g)];
  assert.ok(claims.length > 10);
  const wrong = claims.filter(([, name, path = ""]) => {
    return existsSync(path) && !new RegExp(`\\b${name}\\b`).test(readFileSync(path, "utf8"));
  });
  assert.deepEqual(wrong.map(([claim]) => claim), []);
});

test("the list of places names every folder, and every file that users import", () => {
  const [, section = ""] = /\n## Where things are\n([^]*?)\n## /.exec(page) ?? [];
  const listed = [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, path = ""]) => path);
  const published = ["src", "adapters", "bindings", "cli", "client", "migrate", "testing"].flatMap(placesIn);
  const parts = ["scripts", "tests"].flatMap(entriesOf).filter((path) => path.endsWith("/"));
  const places = ["mod.ts", "docs/", "examples/", "scripts/", ...published, ...parts];
  assert.deepEqual(listed.toSorted(), places.toSorted());
});
