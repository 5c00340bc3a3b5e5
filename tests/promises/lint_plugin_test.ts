import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import plugin from "../../scripts/lint_plugin.ts";
import { sourcesBelow } from "../../scripts/source_files.ts";

const messages = (path: string, text: string): string[] =>
  Deno.lint.runPlugin(plugin, path, text).map(({ message }) => message);

test("every published file keeps the rules of our lint plugin", () => {
  const folders = ["src", "adapters", "bindings", "cli", "client", "migrate"];
  const files = ["mod.ts", ...folders.flatMap((folder) => sourcesBelow(folder))];
  assert.deepEqual(files.flatMap((path) => messages(path, readFileSync(path, "utf8"))), []);
});

const GOOD: readonly (readonly [what: string, path: string, text: string])[] = [
  [
    "the outside world in its place",
    "src/kernel/runtime.ts",
    "Date.now(); setTimeout(f); Deno; new Date(); fetch(url);",
  ],
  ["the outside world in a page", "client/core/a.ts", "Date.now(); setTimeout(f); fetch(url); globalThis;"],
  ["the outside world in a comment", "src/auth.ts", "// Date.now()\n/* Deno.serve(handler); process.env */"],
  ["the outside world in a string", "src/auth.ts", "const text = \"Math.random()\" + 'Deno' + `fetch(x)`;"],
  ["the outside world in a regular expression", "src/auth.ts", "const text = /`${Deno}`/;"],
  ["a date of a given time", "src/auth.ts", "new Date(now * 1000).toISOString();"],
  ["a method that is called fetch", "src/auth.ts", "await runtime.fetch(request); runtime?.fetch(request);"],
  ["a declared method fetch", "src/auth.ts", "interface A { fetch(request: Request): Promise<Response>; }"],
  ["a fetch that was given", "src/auth.ts", "export function a(fetch: FetchLike) { const b = () => fetch(url); }"],
  ["a fetch that was taken out", "src/auth.ts", "function a({ fetch }: Pick<B, 'fetch'>) { return fetch(url); }"],
  ["a fetch of its own", "src/auth.ts", "function a() { const { b: [fetch = c] } = d; return fetch(url); }"],
  ["a fetch that is imported", "src/auth.ts", 'import { fetch } from "./b.ts"; fetch(url);'],
  [
    "a member called process",
    "src/auth.ts",
    "interface A { readonly process?: string } a.process.env; ({ process: 1 });",
  ],
  ["a response where it is made", "src/service/respond.ts", "new Response(null);"],
  ["a response that is given", "src/auth.ts", "function a(b: Response) { return b instanceof Response; }"],
  ["an import of a string", "src/auth.ts", 'await import("./service/actions.ts");'],
  ["200 lines of code", "src/auth.ts", "f();\n".repeat(200)],
  ["201 lines of texts in a language", "src/texts/pt_br.ts", "f();\n".repeat(201)],
  ["a long file of comments", "src/auth.ts", "// a\n\n/** b\n * c\n */\n".repeat(300)],
  ["a long file of imports", "src/auth.ts", 'import {\n  a,\n} from "./errors.ts";\n'.repeat(100)],
  [
    "anything in a script",
    "scripts/a.ts",
    "Deno.exit(1); fetch(url); new Response(); import(a);" + "f();\n".repeat(201),
  ],
  ["anything in a test", "tests/unit/a_test.ts", "setTimeout(f); new Date(); Response.json({});"],
];

for (const [what, path, text] of GOOD) {
  test(`the lint plugin accepts ${what}`, () => assert.deepEqual(messages(path, text), []));
}

const BAD: readonly (readonly [what: string, text: string, message: RegExp])[] = [
  ["Date.now", "const now = Date.now();", /^Date\.now belongs/],
  ["Date.now in brackets", 'const now = Date["now"]();', /^Date\.now belongs/],
  ["a date of the present", "const now = new Date();", /^new Date\(\) belongs/],
  ["a date without parentheses", "const now = new Date;", /^new Date\(\) belongs/],
  ["a date without new", "const now = Date();", /^Date\(\) belongs/],
  ["performance.now", "performance.now();", /^performance\.now belongs/],
  ["Math.random", "Math.random();", /^Math\.random belongs/],
  ["crypto.getRandomValues", "crypto.getRandomValues(bytes);", /getRandomValues belongs/],
  ["crypto.randomUUID", "const make = crypto.randomUUID;", /randomUUID belongs/],
  ["a bare fetch", "const a = b ? fetch(url) : null;", /^fetch belongs/],
  ["a fetch under another name", "const ask = fetch;", /^fetch belongs/],
  ["a fetch in a short member", "a({ fetch });", /^fetch belongs/],
  ["a fetch as the value of a member", "a({ ask: fetch });", /^fetch belongs/],
  ["a fetch beside one that was given", "function a(fetch: F) {}\nfunction b() { fetch(url); }", /^fetch belongs/],
  ["setTimeout", "setTimeout(run, 5);", /^setTimeout belongs/],
  ["setInterval", "setInterval(run, 5);", /^setInterval belongs/],
  ["setImmediate", "setImmediate(run);", /^setImmediate belongs/],
  ["Deno", 'Deno.env.get("A");', /^Deno belongs/],
  ["Deno in a template", 'const a = `${Deno.env.get("A")}`;', /^Deno belongs/],
  ["Deno as a computed member", "a[Deno];", /^Deno belongs/],
  ["Bun", "Bun.serve({});", /^Bun belongs/],
  ["process", "process.env.A;", /^process belongs/],
  ["a way around", "globalThis.fetch(url);", /^globalThis belongs/],
  ["a response", "return new Response(null);", /^new Response\(\) belongs in src\/service\/respond\.ts/],
  ["a short response", "return Response.json({});", /^Response\.json\(\) belongs/],
  ["a redirect", "return Response.redirect(url);", /^Response\.redirect\(\) belongs/],
  ["a computed import", "await import(name);", /cannot follow an import/],
  ["an import made of parts", 'await import("./pages/" + name);', /cannot follow an import/],
  ["201 lines of code", "f();\n".repeat(201), /has 201 lines of code/],
  ["a long template", "const a = `" + "x\n".repeat(201) + "`;", /has 202 lines of code/],
];

for (const [what, text, message] of BAD) {
  for (const path of ["src/jwt.ts", "adapters/kv/store.ts", "mod.ts"]) {
    test(`the lint plugin reports ${what} in ${path}`, () => {
      const [found = "", ...more] = messages(path, text.replace(/^return /, "a = "));
      assert.match(found, message);
      assert.deepEqual(more, []);
    });
  }
}
