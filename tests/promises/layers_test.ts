import { test } from "node:test";
import assert from "node:assert/strict";
import {
  checkCycles,
  checkFile,
  checkImports,
  checkLate,
  checkTable,
  checkTree,
  LAYERS,
  type Tree,
} from "../../scripts/check_layers.ts";
import type { Import } from "../../scripts/module_graph.ts";

test("the files of this project keep to their layers", async () => assert.deepEqual(await checkTree(), []));

/** An import as Deno would resolve it. */
function importOf(file: string, specifier: string, kind: Import["kind"] = "static"): Import {
  const target = specifier.startsWith(".") ? new URL(specifier, `file:///${file}`).pathname.slice(1) : specifier;
  return { file, specifier, target, kind, line: 3 };
}

const GOOD: readonly (readonly [what: string, ...Parameters<typeof importOf>])[] = [
  ["an import from a lower layer", "src/http/csrf.ts", "../crypto/digest.ts"],
  ["an import within a folder", "src/http/csrf.ts", "./cookies.ts"],
  ["a package in its file", "src/webauthn/library.ts", "@simplewebauthn/server/helpers"],
  ["a package in its folder", "src/oauth/start.ts", "oauth4webapi"],
  ["a module of Node in its place", "adapters/sql/sqlite_source.ts", "node:sqlite"],
  ["a late import from a lower layer", "src/service/routes.ts", "../oauth/mod.ts", "dynamic"],
  ["an adapter's parts in a migration", "migrate/better_auth.ts", "../adapters/sql/postgres_driver.ts"],
  ["an adapter in the command", "cli/schema/sql.ts", "../../adapters/sqlite.ts"],
  ["an adapter in the test kit", "testing/kit/world.ts", "../../adapters/memory.ts"],
  ["a lazy import of a package", "src/providers/nodemailer.ts", "nodemailer", "dynamic"],
];

for (const [what, ...row] of GOOD) {
  test(`checkImports() accepts ${what}`, () => assert.deepEqual(checkImports([importOf(...row)]), []));
}

const UPWARDS = /layer \d+ from layer \d+/;

const BAD: readonly (readonly [what: string, reason: RegExp, ...Parameters<typeof importOf>])[] = [
  ["an import from a higher layer", UPWARDS, "src/config/env.ts", "../service/engine.ts"],
  ["a type from a higher layer", UPWARDS, "src/config/env.ts", "../service/engine.ts", "type"],
  ["an import of the public entry", UPWARDS, "src/auth.ts", "../mod.ts"],
  ["an import from a neighbour", /neighbour/, "src/session/read.ts", "../sign_in/permit.ts"],
  ["an import of a provider", /nothing imports src\/providers\//, "src/service/engine.ts", "../providers/github.ts"],
  ["an import of an adapter", /imports from adapters\//, "src/service/engine.ts", "../../adapters/memory.ts"],
  ["an import of a file without a layer", /not in the table/, "src/auth.ts", "./new_folder/a.ts"],
  ["an import of a test", /not in the table/, "src/auth.ts", "../tests/_support/browser.ts"],
  ["a late import from a higher layer", UPWARDS, "src/config/env.ts", "../service/engine.ts", "dynamic"],
  ["an import of a migration", /imports from migrate\//, "src/service/engine.ts", "../../migrate/better_auth.ts"],
  [
    "an import of a part of a migration",
    /imports from migrate\//,
    "adapters/sql/sqlite_source.ts",
    "../../migrate/better_auth/password.ts",
  ],
  ["another migration", /nothing imports migrate\//, "migrate/better_auth/copy.ts", "../next_auth_v4.ts"],
  ["the test kit in a binding", /imports from testing\//, "bindings/hono.ts", "../testing/mod.ts"],
  ["the test kit in the service", /imports from testing\//, "src/service/setup.ts", "../../testing/kit/guard.ts"],
  ["a type of the test kit", /imports from testing\//, "mod.ts", "./testing/kit/clock.ts", "type"],
  ["a part of the command", /imports from cli\//, "src/service/engine.ts", "../../cli/schema/sql.ts"],
  ["a binding in the command", /imports from bindings\//, "cli/main.ts", "../bindings/hono.ts"],
  ["a part of an adapter", /imports from adapters\//, "src/service/engine.ts", "../../adapters/kv/store.ts"],
  ["a package out of its folder", /belongs in src\/oauth\//, "src/jwt.ts", "oauth4webapi"],
  ["another package", /not among the packages/, "src/auth.ts", "zod"],
  ["a package with a prefix", /not among the packages/, "src/auth.ts", "npm:zod"],
  ["another module of Node", /not among the packages/, "src/auth.ts", "node:child_process"],
  ["the process out of the command", /belongs in cli\/main\.ts/, "src/auth.ts", "node:process"],
  ["this package by its own name", /not among the packages/, "src/auth.ts", "@x/auth"],
];

for (const [what, reason, ...row] of BAD) {
  test(`checkImports() reports ${what}`, () => {
    const [found, ...more] = checkImports([importOf(...row)]);
    assert.deepEqual([found?.file, found?.line, more], [row[0], 3, []]);
    assert.match(found?.reason ?? "", reason);
  });
}

/** A circle of four files, whose last import is of this kind, and what is reported of it. */
const CIRCLES: readonly (readonly [kind: Import["kind"], arrow: string])[] = [
  ["static", "->"],
  ["type", "-type->"],
  ["dynamic", "-import()->"],
];

for (const [kind, arrow] of CIRCLES) {
  test(`checkCycles() reports files that import each other, if one of them has a ${kind} import`, () => {
    const last = importOf("src/http/c.ts", "./a.ts", kind);
    const imports = [
      importOf("src/http/a.ts", "./b.ts"),
      importOf("src/http/b.ts", "./e.ts"),
      importOf("src/http/b.ts", "./c.ts", "type"),
      last,
      importOf("src/http/c.ts", "./d.ts"),
    ];
    const cycle = `src/http/a.ts -> src/http/b.ts -type-> src/http/c.ts ${arrow} src/http/a.ts`;
    const reason = `its imports form a cycle: ${cycle}`;
    assert.deepEqual(checkCycles(imports), [{ file: "src/http/c.ts", line: 3, reason }]);
    assert.deepEqual(checkCycles(imports.filter((each) => each !== last)), []);
  });
}

const LATE: readonly (readonly [what: string, path: string, text: string, accepted: boolean])[] = [
  ["a constant", "src/http/a.ts", 'const b = once(() => import("./b.ts"));', true],
  [
    "a constant of several lines, with its type",
    "src/http/a.ts",
    'export const b: Load<typeof import("./b.ts")> = once(() =>\n  import("./b.ts")\n);',
    true,
  ],
  ["a row of a table", "src/texts/load.ts", 'const ALL = {\n  "pt-BR": () => import("./pt_br.ts"),\n};', true],
  ["a type", "src/http/a.ts", 'type B = typeof import("./b.ts");', true],
  ["a comment", "src/http/a.ts", '// import("./b.ts")\n/** import("./c.ts") */', true],
  ["a package", "adapters/sql/sqlite_source.ts", '  const { DatabaseSync } = await import("node:sqlite");', true],
  ["a short constant of a client", "client/core/act.ts", 'const b = () => import("./b.ts");', true],
  ["a short constant elsewhere", "src/http/a.ts", 'const b = () => import("./b.ts");', false],
  ["an import in a function", "src/http/a.ts", '  const b = once(() => import("./b.ts"));', false],
  ["an import in a function of a client", "client/core/act.ts", '  await import("./b.ts");', false],
  ["one that is let", "src/http/a.ts", 'let b = once(() => import("./b.ts"));', false],
  ["one that is changed", "src/http/a.ts", 'const b = once(() => import("./b.ts").then(f));', false],
];

for (const [what, path, text, accepted] of LATE) {
  test(`checkLate() ${accepted ? "accepts" : "reports"} ${what}`, () => {
    assert.deepEqual(checkLate(path, `\n${text}\n`).map(({ file, line }) => [file, line]), accepted ? [] : [[path, 2]]);
  });
}

test("checkCycles() reports a file that imports itself", () => {
  assert.equal(checkCycles([importOf("src/http/a.ts", "./a.ts")]).length, 1);
});

/** The smallest tree that has all that the table names. */
function smallTree(): Tree {
  const named: Readonly<Record<string, string>> = {
    "adapters/": "adapters/sqlite.ts",
    "bindings/": "bindings/hono.ts",
    "cli/": "cli/main.ts",
    "client/": "client/react.ts",
    "client/account/": "client/account/react.ts",
    "migrate/": "migrate/better_auth.ts",
    "testing/": "testing/mod.ts",
  };
  const files = LAYERS.flat().map((entry) => named[entry] ?? entry)
    .map((entry) => entry.endsWith("/") ? `${entry}some.ts` : entry);
  const exports = Object.fromEntries(
    files.filter((file) => !file.includes("/some.ts")).map((file) => [file, `./${file}`]),
  );
  return { files, imports: [], exports };
}

function tableProblems(change: (tree: Tree) => Partial<Tree>): string[] {
  const tree = smallTree();
  return checkTable({ ...tree, ...change(tree) }).map(({ file, reason }) => `${file}: ${reason}`);
}

test("checkTable() accepts a tree that is as the table says", () => assert.deepEqual(tableProblems(() => ({})), []));

test("checkTable() reports a file that has no layer", () => {
  assert.deepEqual(tableProblems(({ files }) => ({ files: [...files, "src/extra/a.ts"] })), [
    "src/extra/a.ts: it is not in the table of layers",
  ]);
});

test("checkTable() reports an entry without a file", () => {
  assert.deepEqual(tableProblems(({ files }) => ({ files: files.filter((file) => file !== "src/session/some.ts") })), [
    "src/session/: the table of layers names it, but it does not exist",
  ]);
});

test("checkTable() reports a fourteenth layer", () => {
  const [found] = tableProblems(({ files }) => ({
    files: [...files, "src/top/a.ts"],
    layers: [...LAYERS, ["src/top/"]],
  }));
  assert.match(found ?? "", /14 layers, more than 13/);
});

for (const file of ["src/node.ts", "adapters/sqlite.ts", "client/react.ts", "migrate/better_auth.ts"]) {
  test(`checkTable() reports ${file} if users cannot import it, and accepts it if mod.ts exports it`, () => {
    const hidden = ({ exports }: Tree): Tree["exports"] => {
      return Object.fromEntries(Object.entries(exports).filter(([, path]) => path !== `./${file}`));
    };
    const [found = "", ...more] = tableProblems((tree) => ({ exports: hidden(tree) }));
    assert.ok(found.startsWith(`${file}: users cannot import it`), found);
    assert.deepEqual(more, []);
    const reExport = importOf("mod.ts", `./${file}`);
    assert.deepEqual(
      tableProblems((tree) => ({ exports: hidden(tree), imports: [...tree.imports, reExport] })),
      [],
    );
  });
}

const FILES: readonly (readonly [what: string, path: string, text: string, reason: RegExp | null])[] = [
  ["a name in snake_case", "src/http/cookie_jar.ts", "", null],
  ["a test helper with an underscore", "tests/unit/_markup.ts", "", null],
  ["a name in camel case", "src/http/cookieJar.ts", "", /not snake_case/],
  ["a name in kebab-case", "tests/unit/cookie-jar_test.ts", "", /not snake_case/],
  ["a source with an underscore", "src/http/_cookies.ts", "", /not snake_case/],
  ["what is to be done", "tests/unit/a_test.ts", `// ${"TO"}DO: write it`, /unfinished/],
  ["what is broken", "src/auth.ts", `// ${"FIX"}ME`, /unfinished/],
  ["what is marked", "src/auth.ts", `/* ${"XX"}X */`, /unfinished/],
  ["a rule of Deno that is switched off", "src/auth.ts", "// deno-lint-ignore no-console -- why", null],
  ["a rule of Deno that is off for a file", "src/auth.ts", "// deno-lint-ignore-file no-console -- why", null],
  ["a long file with its reason", "src/auth.ts", "// deno-lint-ignore-file x-auth/max-lines -- why", null],
  ["a long file without a reason", "src/auth.ts", "// deno-lint-ignore-file x-auth/max-lines", /switches off/],
  ["our rule that is switched off", "src/auth.ts", "// deno-lint-ignore x-auth/runtime-only -- why", /switches off/],
  ["our rule behind another", "src/auth.ts", "// deno-lint-ignore a x-auth/runtime-only", /switches off/],
  ["all rules that are switched off", "src/auth.ts", "// deno-lint-ignore-file", /switches off/],
  ["all rules that are switched off for a reason", "mod.ts", "// deno-lint-ignore-file -- why", /switches off/],
];

for (const [what, path, text, reason] of FILES) {
  test(`checkFile() ${reason ? "reports" : "accepts"} ${what}`, () => {
    const found = checkFile(path, `\n${text}\n`);
    assert.equal(found.length, reason ? 1 : 0);
    if (reason) assert.match(found[0]?.reason ?? "", reason);
    if (text && found[0]) assert.equal(found[0].line, 2);
  });
}
