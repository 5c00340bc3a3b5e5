import { test } from "node:test";
import assert from "node:assert/strict";
import { checkFile, checkGraph, checkTree, LAYERS, LAZY } from "../../scripts/check_layers.ts";
import { countCodeLines, importsOf, tokenize } from "../../scripts/source_text.ts";

const reasons = (path: string, text: string): string[] => checkFile(path, text).map(({ reason }) => reason);

test("every file of this project keeps to its layer", () => assert.deepEqual(checkTree(), []));

test("checkFile() tells the file and the line", () => {
  const [found] = checkFile("src/request/links.ts", '\n// a comment\nimport "../auth.ts";\n');
  assert.deepEqual([found?.file, found?.line], ["src/request/links.ts", 3]);
});

const GOOD: readonly (readonly [what: string, path: string, text: string])[] = [
  ["an import of a lower layer", "src/http/csrf.ts", 'import { sha256 } from "../crypto/digest.ts";'],
  ["an import within a room", "src/http/csrf.ts", 'import type { CookieJar } from "./cookies.ts";'],
  ["a package in its place", "src/oauth/client.ts", 'import * as oauth from "oauth4webapi";'],
  ["a package in its room", "src/pages/render.tsx", 'import { renderToString } from "preact-render-to-string";'],
  ["a lazy import that is listed", "src/service/lazy.ts", 'await import("../pages/render.tsx");'],
  [
    "the outside world in its place",
    "src/kernel/runtime.ts",
    "export const now = () => Date.now(); setTimeout(f); Deno;",
  ],
  ["the outside world in a comment", "src/auth.ts", "// Date.now()\n/* Deno.serve(handler); process.env */"],
  ["the outside world in a string", "src/auth.ts", "const text = \"Math.random()\" + 'Deno' + `fetch(x)`;"],
  ["an import in a string", "src/request/links.ts", "const text = 'import x from \"../auth.ts\"';"],
  ["an import in a comment", "src/request/links.ts", '/**\n * import { x } from "../auth.ts";\n */'],
  ["an import in a regular expression", "src/request/links.ts", 'const pattern = /from "../;'],
  ["a date of a given time", "src/auth.ts", "new Date(now * 1000).toISOString();"],
  ["a method that is called fetch", "src/auth.ts", "await runtime.fetch(request); runtime?.fetch(request);"],
  ["a declared method fetch", "src/auth.ts", "interface A { fetch(request: Request): Promise<Response>; }"],
  ["a fetch that was given", "src/auth.ts", "export function a(fetch: FetchLike) { const b = () => fetch(url); }"],
  ["a fetch that was taken out", "src/auth.ts", "function a({ fetch }: Pick<B, 'fetch'>) { return fetch(url); }"],
  ["a member called process", "src/auth.ts", "interface A { readonly process?: string } a.process.env;"],
  ["a response where it is made", "src/service/respond.ts", "new Response(null);"],
  ["a long file with a reason", "src/auth.ts", "// Long because: it is a table\n" + "f();\n".repeat(201)],
  ["a long file of comments", "src/auth.ts", "// a\n\n".repeat(300)],
  ["a long file of imports", "src/auth.ts", 'import {\n  a,\n} from "./errors.ts";\n'.repeat(100)],
  ["a test helper with an underscore", "tests/unit/_markup.ts", ""],
  ["the outside world in a script", "scripts/check_layers.ts", "Deno.exit(1); fetch(url); new Response();"],
];

for (const [what, path, text] of GOOD) {
  test(`checkFile() accepts ${what}`, () => assert.deepEqual(reasons(path, text), []));
}

const UPWARDS = /layer \d+ from layer \d+/;

const BAD: readonly (readonly [what: string, path: string, text: string, reason: RegExp])[] = [
  ["an import of a higher layer", "src/config/env.ts", 'import { a } from "../service/engine.ts";', UPWARDS],
  ["a type of a higher layer", "src/config/env.ts", 'import type { A } from "../service/engine.ts";', UPWARDS],
  ["an export of a higher layer", "src/config/env.ts", 'export * from "../service/engine.ts";', UPWARDS],
  ["an import of several lines", "src/config/env.ts", 'import {\n  a,\n} from "../service/engine.ts";', UPWARDS],
  ["an import in code of a template", "src/config/env.ts", '`${await import("../service/engine.ts")}`', /lazily/],
  ["a neighbour", "src/session/read.ts", 'import { a } from "../sign_in/permit.ts";', /neighbour/],
  [
    "a provider",
    "src/service/engine.ts",
    'import { github } from "../providers/github.ts";',
    /nothing imports src\/providers\//,
  ],
  ["a file without a layer", "src/new_thing.ts", "", /not in the table/],
  ["an import of a file without a layer", "src/auth.ts", 'import "./new_thing.ts";', /not in the table/],
  ["a lazy import that is not listed", "src/service/engine.ts", 'await import("../views/data.ts");', /lazily/],
  ["a lazy import of somebody else", "src/auth.ts", 'await import("./pages/render.tsx");', /lazily/],
  ["a computed import", "src/auth.ts", "await import(name);", /computes/],
  ["an import made of parts", "src/auth.ts", 'await import("./pages/" + name);', /computes/],
  ["a package out of its place", "src/jwt.ts", 'import * as oauth from "oauth4webapi";', /belongs in src\/oauth\//],
  ["oauth4webapi elsewhere", "src/auth.ts", 'import * as oauth from "oauth4webapi";', /belongs in src\/oauth\//],
  ["preact elsewhere", "src/service/respond.ts", 'import { h } from "preact";', /belongs in src\/pages\//],
  ["any other package", "src/auth.ts", 'import { z } from "zod";', /not among the packages/],
  ["a package with a prefix", "src/auth.ts", 'import { z } from "npm:zod";', /not among the packages/],
  ["a module of Node", "src/auth.ts", 'import { env } from "node:process";', /not among the packages/],
  ["this package by its name", "src/auth.ts", 'import { createAuth } from "@x/auth";', /not among the packages/],
  ["Date.now", "src/auth.ts", "const now = Date.now();", /Date\.now belongs/],
  ["a date of the present", "src/auth.ts", "const now = new Date();", /new Date\(\) belongs/],
  ["a date without parentheses", "src/auth.ts", "const now = new Date;", /new Date\(\) belongs/],
  ["a date without new", "src/auth.ts", "const now = Date();", /Date\(\) belongs/],
  ["Math.random", "src/auth.ts", "Math.random();", /Math\.random belongs/],
  ["crypto.getRandomValues", "src/auth.ts", "crypto.getRandomValues(bytes);", /getRandomValues belongs/],
  ["crypto.randomUUID", "src/auth.ts", "const make = crypto.randomUUID;", /randomUUID belongs/],
  ["a bare fetch", "src/auth.ts", "const a = b ? fetch(url) : null;", /fetch\(\) belongs/],
  ["an awaited fetch", "src/auth.ts", "if (await fetch(url)) { a(); }", /fetch\(\) belongs/],
  [
    "a fetch beside one that was given",
    "src/auth.ts",
    "function a(fetch: F) {}\nfunction b() { fetch(url); }",
    /fetch/,
  ],
  ["setTimeout", "src/auth.ts", "setTimeout(run, 5);", /setTimeout belongs/],
  ["setInterval", "src/auth.ts", "setInterval(run, 5);", /setInterval belongs/],
  ["Deno", "src/auth.ts", 'Deno.env.get("A");', /Deno belongs/],
  ["Deno in a template", "src/auth.ts", 'const a = `${Deno.env.get("A")}`;', /Deno belongs/],
  ["process", "src/auth.ts", "process.env.A;", /process belongs/],
  ["a way around", "src/auth.ts", "globalThis.fetch(url);", /globalThis belongs/],
  ["a response elsewhere", "src/service/engine.ts", "return new Response(null);", /new Response\(\) belongs/],
  ["a short response elsewhere", "src/service/engine.ts", "return Response.json({});", /Response\.json\(\) belongs/],
  ["a long file", "src/auth.ts", "f();\n".repeat(201), /201 lines of code/],
  ["a long template", "src/auth.ts", "const a = `" + "x\n".repeat(201) + "`;", /202 lines of code/],
  ["a long file without its reason", "src/auth.ts", "// Long because:\n" + "f();\n".repeat(201), /201 lines of code/],
  ["a name in camel case", "src/http/cookieJar.ts", "", /not snake_case/],
  ["a name in kebab-case", "tests/unit/cookie-jar_test.ts", "", /not snake_case/],
  ["a hidden source", "src/http/_cookies.ts", "", /not snake_case/],
  ["what is unfinished", "tests/unit/a_test.ts", `// ${"TO"}DO: write it`, /unfinished/],
  ["what is broken", "src/auth.ts", `// ${"FIX"}ME`, /unfinished/],
  ["what is marked", "src/auth.ts", `/* ${"XX"}X */`, /unfinished/],
];

for (const [what, path, text, reason] of BAD) {
  test(`checkFile() finds ${what}`, () => {
    const found = reasons(path, text);
    assert.ok(found.some((line) => reason.test(line)), `nothing fits ${reason} in ${JSON.stringify(found)}`);
  });
}

/** The smallest tree that the graph has nothing against. */
function wholeTree(): Map<string, string> {
  const sources = new Map(LAYERS.flat().map((entry) => [entry.endsWith("/") ? `${entry}some.ts` : entry, ""]));
  for (const [file, target] of LAZY) {
    const up = "../".repeat(file.split("/").length - 1) || "./";
    sources.set(file, `${sources.get(file) ?? ""}import("${up}${target}");`).set(target, sources.get(target) ?? "");
  }
  return sources;
}

test("checkGraph() accepts a tree without cycles", () => assert.deepEqual(checkGraph(wholeTree()), []));

test("checkGraph() finds a cycle within a room", () => {
  const sources = wholeTree()
    .set("src/http/a.ts", 'import "./b.ts";')
    .set("src/http/b.ts", 'import "./c.ts";')
    .set("src/http/c.ts", '\nimport type { A } from "./a.ts";');
  assert.deepEqual(checkGraph(sources), [{
    file: "src/http/c.ts",
    line: 2,
    reason: "the imports go round: src/http/a.ts -> src/http/b.ts -> src/http/c.ts -> src/http/a.ts",
  }]);
});

test("checkGraph() finds a file that imports itself", () => {
  const found = checkGraph(wholeTree().set("src/service/guard.ts", 'import "./guard.ts";'));
  assert.match(found[0]?.reason ?? "", /go round/);
});

test("checkGraph() lets a module that is loaded late import the file that loads it", () => {
  const sources = wholeTree().set("src/service/flows.ts", 'import "./lazy.ts";');
  assert.deepEqual(checkGraph(sources), []);
});

test("checkGraph() finds an import that leads nowhere", () => {
  const found = checkGraph(wholeTree().set("src/service/guard.ts", 'import "../http/gone.ts";'));
  assert.deepEqual(found.map(({ reason }) => reason), ["it imports src/http/gone.ts, which does not exist"]);
});

test("checkGraph() finds an entry of the table without a file", () => {
  const sources = wholeTree();
  sources.delete("src/node.ts");
  assert.deepEqual(checkGraph(sources).map(({ file }) => file), ["src/node.ts"]);
});

test("checkGraph() finds a lazy import that nobody makes any more", () => {
  const found = checkGraph(wholeTree().set("src/service/lazy.ts", ""));
  assert.match(found[0]?.reason ?? "", /but does not/);
});

test("tokenize() tells code from what only looks like it", () => {
  const words = (text: string): string[] => tokenize(text).filter(({ kind }) => kind === "word").map((t) => t.text);
  const rows: readonly (readonly [text: string, words: readonly string[]])[] = [
    ["a /* b */ c // d\ne", ["a", "c", "e"]],
    ["'a' + \"b\" + c", ["c"]],
    [String.raw`'\'a' + "\\" + b`, ["b"]],
    ["`a${b}c${`d${e}f`}g` + h", ["b", "e", "h"]],
    ["`${{ a: {} }.b}c` + d", ["a", "b", "d"]],
    ["x = /a'b/g.test(c)", ["x", "test", "c"]],
    ["x = /[/]a/; b", ["x", "b"]],
    ["a / b / c", ["a", "b", "c"]],
    ["(a) / b; c / d", ["a", "b", "c", "d"]],
    ["<p>Don't</p>\nb", ["p", "Don", "b"]],
    ["<br /> a </p> b", ["br", "a", "p", "b"]],
  ];
  for (const [text, expected] of rows) assert.deepEqual(words(text), expected, text);
});

test("importsOf() finds each form of import", () => {
  const text =
    'import a from "a"; import "b";\nexport * from "c"; await import("d"); import(e); import.meta.url; x.from("f");';
  assert.deepEqual(importsOf(tokenize(text)).map(({ specifier, dynamic, line }) => [specifier, dynamic, line]), [
    ["a", false, 1],
    ["b", false, 1],
    ["c", false, 2],
    ["d", true, 2],
    [null, true, 2],
  ]);
});

test("countCodeLines() leaves out blanks, comments and imports", () => {
  const text =
    '/**\n * A.\n */\nimport {\n  a,\n} from "a";\n\n// why\na();\nconst url = import.meta.url; // here\n`x\n`;\n';
  assert.equal(countCodeLines(tokenize(text)), 4);
});
