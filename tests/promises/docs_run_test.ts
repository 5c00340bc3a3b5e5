import { test } from "node:test";
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { blocksOf } from "../../scripts/docs/blocks.ts";
import {
  checkBlocks,
  pages,
  programsFor,
  readBlocks,
  runOnDeno,
  runPrograms,
  writeForDeno,
} from "../../scripts/docs/run.ts";

const written = writeForDeno();

test("every program of README.md and the guides compiles as it stands there", async () => {
  assert.equal(await checkBlocks(written), "");
});

test("every program of README.md and the guides for Deno runs, and answers as its page says", async () => {
  const { ran, failures } = await runOnDeno(written);
  assert.deepEqual(failures, []);
  assert.equal(ran, programsFor("deno", written, "npm/docs").length);
  assert.ok(ran > 100, `only ${ran} programs`);
});

/**
 * What one runtime alone has here, or what only a double stands for. Serving and the environment do not count: `node:http` and
 * `node:process` are the same everywhere.
 */
const ONLY = /\bDeno\.(?!serve\b|env\b)\w+|from "(?:fresh|@trpc\/server|electron|expo-[a-z-]+|@tauri-apps\/[a-z-]+)"/;

/** What a runner of tests runs: tests/frameworks/runners_test.ts does it with each. */
const TESTS = 'from "node:test"';

test("a program runs on Deno, Node and Bun as it is printed, unless it uses what one of them alone has", () => {
  const blocks = readBlocks(pages()).filter(({ runsOn, vitest, code }) => {
    return !runsOn.includes("browser") && !vitest && !code.includes(TESTS);
  });
  const elsewhere = blocks.filter(({ runsOn, code }) => runsOn.length < 3 && !ONLY.test(code));
  assert.deepEqual(elsewhere.map(({ page, line }) => `${page}:${line}`), []);
  assert.ok(blocks.filter(({ runsOn }) => runsOn.length === 3).length > 130);
});

test("the first program of a page that listens says so to whoever came for that page alone", () => {
  for (const [page, blocks] of Map.groupBy(readBlocks(pages()), ({ page }) => page)) {
    const [first] = blocks;
    if (!first?.code.includes(".listen(3000)") || /README|quick-start/.test(page)) continue;
    const after = readFileSync(page, "utf8").split("\n").slice(first.line).join("\n").split(/^```$/m)[1] ?? "";
    assert.match(after, /^\n\nThis runs on Deno, Node and Bun: \[how to start it\]\([./]+quick-start\.md\)\./, page);
  }
});

test("an excerpt of an example stands there, line by line", () => {
  const excerpts = readBlocks(pages()).filter(({ example }) => example !== undefined);
  assert.ok(excerpts.length >= 15, `only ${excerpts.length} excerpts`);
  for (const { page, line, code, example } of excerpts) {
    const [framework = ""] = /[^/]+(?=\.md$)/.exec(page) ?? [];
    const source = readFileSync(`examples/${framework}/${example}`, "utf8").split("\n").map((text) => text.trim());
    let at = 0;
    for (const text of code.split("\n").map((text) => text.trim())) {
      if (text === "" || text.startsWith("//")) continue;
      at = source.indexOf(text, at) + 1;
      assert.notEqual(at, 0, `${page}:${line}: "${text}" is not in ${example}, or comes before`);
    }
  }
});

test("a comment before a block says what it is asked for", () => {
  const page = [
    "<!-- run: GET /members 401 | POST /login name=ada&x=1 302 /members | env A=b | with client.crt -->",
    "",
    "```ts",
    "// auth.ts",
    "Deno.serve(handler);",
    "```",
  ];
  const [block, ...others] = blocksOf("docs/page.md", page.join("\n"));
  assert.deepEqual(others, []);
  assert.deepEqual(block, {
    page: "docs/page.md",
    line: 3,
    language: "ts",
    code: "// auth.ts\nDeno.serve(handler);\n",
    file: "auth.ts",
    asks: [
      { method: "GET", path: "/members", status: 401 },
      { method: "POST", path: "/login", form: "name=ada&x=1", status: 302, text: "/members" },
    ],
    env: { A: "b" },
    logs: [],
    files: ["client.crt"],
    runsOn: ["deno"],
  });
});

test("no block is left out", () => {
  for (const page of ["docs/page.md", "docs/frameworks/next.md"]) {
    const ignored = () => blocksOf(page, "```ts ignore\nx\n```\n");
    assert.throws(ignored, /nothing stands after the language of a block, but " ignore"/);
  }
  assert.throws(() => blocksOf("docs/page.md", "<!-- run: PUT / 200 -->\n\n```ts\nx\n```\n"), /what is "PUT \/ 200"\?/);
});

test("a block that is compiled in an example is on the page of its framework, and is one file of it", () => {
  const blocks = readBlocks(pages()).filter(({ inExample }) => inExample !== undefined);
  assert.ok(blocks.length >= 40, `only ${blocks.length} blocks`);
  const seen = new Set<string>();
  for (const { page, line, inExample } of blocks) {
    const [, framework = ""] = /^docs\/frameworks\/([^/]+)\.md$/.exec(page) ?? [];
    assert.ok(existsSync(`examples/${framework}/tsconfig.json`), `${page}:${line}: nothing compiles it`);
    assert.ok(!seen.has(`${framework} ${inExample}`), `${page}:${line}: another block is ${inExample} already`);
    seen.add(`${framework} ${inExample}`);
  }
});

test("a comment before a block says which file of the example it is", () => {
  const fileOf = (comment: string, code: string) =>
    blocksOf("docs/frameworks/next.md", `<!-- run: ${comment} -->\n\n\`\`\`ts\n${code}\n\`\`\`\n`)[0]?.inExample;
  assert.equal(fileOf("in example", "// app/[id]/page.tsx"), "app/[id]/page.tsx");
  assert.equal(fileOf("in example app/demo.ts", "x();"), "app/demo.ts");
  assert.throws(() => fileOf("in example", "x();"), /next\.md:3: which file of the example is it\?/);
});

test("a comment before a block says which application Vitest tests with it", () => {
  const [block] = blocksOf("docs/page.md", "<!-- run: vitest next -->\n\n```ts\n// proxy.ts\n```\n");
  assert.deepEqual([block?.vitest, block?.file, block?.runsOn], ["next", "proxy.ts", []]);
});

test("a block in a list is read without the indentation of the list", () => {
  const [block] = blocksOf("docs/page.md", "- Do this:\n\n  ```js\n  if (a) {\n    b();\n  }\n  ```\n");
  assert.equal(block?.code, "if (a) {\n  b();\n}\n");
  assert.deepEqual(block?.runsOn, ["deno", "node", "bun"]);
});

test("a program that sends a text as HTML is found: a name could be markup there", async () => {
  const home = "npm/docs_text_as_html";
  const file = resolve(home, "main.mjs");
  const program = { name: "page:1", file, folder: resolve(home, "run"), env: {}, logs: [], files: [] };
  const asks = [{ method: "GET", path: "/", status: 200 }] as const;
  for (const [type, failures] of [["text/html", 1], ["text/plain", 0]] as const) {
    mkdirSync(home, { recursive: true });
    const answer = `new Response("Hello Ada", { headers: { "content-type": "${type}" } })`;
    writeFileSync(file, `export default { fetch: () => ${answer} };\n`);
    const command = [Deno.execPath(), "run", "--no-check", "--allow-all"] as const;
    const found = await runPrograms([...command], [{ ...program, asks }], home);
    assert.equal(found.failures.length, failures, type);
  }
});
