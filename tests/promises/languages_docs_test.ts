import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { LANGUAGES } from "../../src/texts/languages.ts";

const read = (path: string): Promise<string> => readFile(new URL(`../../${path}`, import.meta.url), "utf8");

test("whatever page says how many languages there are says so of those in src/texts", async () => {
  const docs = (await readdir(new URL("../../docs/", import.meta.url))).filter((name) => name.endsWith(".md"));
  const paths = ["README.md", "CONTRIBUTING.md", ...docs.map((name) => `docs/${name}`)];
  const said = await Promise.all(paths.map(async (path) => {
    const counts = (await read(path)).matchAll(/\b(\d+|\w+teen|twenty[\w-]*|thirty[\w-]*)\s+languages\b/gi);
    return [...counts].map(([, count]) => `${path}: ${count}`);
  }));
  assert.deepEqual([...new Set(said.flat())], [`README.md: ${LANGUAGES.length}`]);
});

test("the page on the built-in pages lists every language, in the order of src/texts/languages.ts", async () => {
  const [, list = ""] = /emails exist in ([^.]+)\./.exec(await read("docs/sign-in-page.md")) ?? [];
  const english = new Intl.DisplayNames(["en"], { type: "language" });
  assert.deepEqual(
    list.split(/,\s|\sand\s/).map((name) => name.replace(/ \(.*\)$/, "").trim()),
    LANGUAGES.map(({ tag }) => english.of(tag.split("-")[0] ?? tag)),
  );
});

test("the story of languages visits the sign-in page in each of them", async () => {
  const story = await read("tests/stories/languages_test.ts");
  const absent = LANGUAGES.filter(({ tag, dir }) => !story.includes(`"${tag} ${dir}"`));
  assert.deepEqual(absent, []);
});
