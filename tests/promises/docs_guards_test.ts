import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

/** Ways to compare the text of a path. */
const COMPARES = /pathname|\.url\b|nextUrl|startsWith|endsWith|includes\(|\.test\(|\.match\(/;

/** Finds what callbacks `authorized` in the programs of a page do, and compare paths with. */
function comparesPaths(page: string): readonly string[] {
  const blocks = [...page.matchAll(/^ *```(?:tsx?|jsx?|svelte|vue|astro)\n(.*?)^ *```/gms)].map(([, block = ""]) =>
    block
  );
  return blocks.flatMap((block) =>
    [...block.matchAll(/\bauthorized\b\s*[:(]/g)].map(({ index }) => bodyAt(block, index))
  )
    .filter((body) => COMPARES.test(body));
}

// To the line that ends the callback: none is less indented.
function bodyAt(block: string, index: number): string {
  const [first = "", ...rest] = block.slice(block.lastIndexOf("\n", index) + 1).split("\n");
  const indent = /^ */.exec(first)?.[0].length ?? 0;
  const end = rest.findIndex((line) => line !== "" && (/^ */.exec(line)?.[0].length ?? 0) <= indent);
  return [first, ...rest.slice(0, end === -1 ? undefined : end)].join("\n");
}

const PAGES = [
  "README.md",
  ...pagesIn("docs"),
  ...pagesIn("docs/frameworks"),
  ...pagesIn("docs/migrate"),
  ...pagesIn("docs/platforms"),
];

function pagesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith(".md")).map((name) => `${folder}/${name}`);
}

for (const page of PAGES) {
  test(`no callback authorized in ${page} compares the text of a path`, () => {
    assert.deepEqual(comparesPaths(readFileSync(page, "utf8")), []);
  });
}

test("a callback authorized that compares the text of a path is found", () => {
  const block = (body: string) =>
    "```ts\nx({\n  callbacks: {\n" + body + "\n    jwt: () => pathname,\n  },\n});\n```\n";
  for (
    const body of [
      '    authorized({ request }) {\n      return new URL(request.url).pathname === "/";\n    },',
      '    authorized: ({ request }) => request.nextUrl.pathname.startsWith("/api"),',
    ]
  ) {
    assert.equal(comparesPaths(block(body)).length, 1);
  }
  assert.deepEqual(comparesPaths(block('    authorized: ({ auth, matches }) => matches("/") || auth !== null,')), []);
});
