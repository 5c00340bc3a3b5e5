import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fullText, indexText } from "../../scripts/docs/llms.ts";
import { buildNpm, type BuiltPackage, problemsOf } from "../../scripts/build_npm.ts";
import { completeManifest, type Manifest } from "../../scripts/npm/manifest.ts";
import { EMBEDDED_PACKAGES, NOTICE } from "../../scripts/npm/embed.ts";
import { run } from "../../scripts/npm/run.ts";
import { countsOf, failuresIn } from "../../scripts/npm/run_suite.ts";
import { stripsTypes } from "../../scripts/npm/runtimes.ts";
import { suitesFor } from "../../scripts/npm/suites.ts";
import { type LockFile, sbomOf } from "../../scripts/release/sbom.ts";
import { isFile, sourcesBelow } from "../../scripts/source_files.ts";
import { SERVER_ONLY } from "../../src/kernel/server_only.ts";

describe("the npm package", () => {
  let folders: string[] = [];
  let built: BuiltPackage[] = [];
  before(async () => {
    folders = [await mkdtemp(join(tmpdir(), "npm-")), await mkdtemp(join(tmpdir(), "npm-again-"))];
    const [first = "", second = ""] = folders;
    built = [await buildNpm(first), await buildFromCopy(`${second}/of/the/project`)];
  });
  after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

  /** Builds from a copy of the sources, so that neither place can be found in the package. */
  async function buildFromCopy(home: string): Promise<BuiltPackage> {
    const isSource = (path: string) => !["node_modules", "generated"].includes(basename(path));
    for (const path of (await readdir(".")).filter((name) => !/^(?:\.git|npm|coverage|demo-data)$/.test(name))) {
      await cp(path, join(home, path), { recursive: true, filter: isSource });
    }
    const args = ["run", "--no-check", "--frozen", "--allow-all", "scripts/build_npm.ts"];
    await run(Deno.execPath(), args, { cwd: home });
    const tarball = (await readdir(join(home, "npm"))).find((name) => name.endsWith(".tgz"));
    return { folder: join(home, "npm/package"), tarball: join(home, "npm", tarball ?? "") };
  }

  async function manifest(): Promise<Manifest> {
    return JSON.parse(await readFile(`${built[0]?.folder}/package.json`, "utf8"));
  }

  test("has the same bytes when it is built again from a copy of the sources in another folder", async () => {
    const digests = await Promise.all(built.map(async ({ tarball }) => {
      return createHash("sha256").update(await readFile(tarball)).digest("hex");
    }));
    assert.equal(digests.length, 2);
    assert.equal(digests[0], digests[1]);
  });

  test("contains what its bill of materials says that is inside", async () => {
    const lock = JSON.parse(await readFile("deno.lock", "utf8")) as LockFile;
    const { name, version, dependencies = {} } = await manifest();
    const { components } = sbomOf({
      name,
      version,
      tarball: await readFile(built[0]?.tarball ?? ""),
      timestamp: "2026-03-01T10:00:00.000Z",
      dependencies: Object.entries(dependencies).map(([name, range]) => `${name}@${range}`),
      embedded: EMBEDDED_PACKAGES,
    }, lock);
    const inside = components.filter(({ properties }) => properties);
    const titles = inside.map(({ group, name, version }) => `## ${group ? `${group}/` : ""}${name} ${version}`);
    const notice = await readFile(`${built[0]?.folder}/${NOTICE}`, "utf8");
    assert.deepEqual(titles.sort(), (notice.match(/^## \S+ \d\S*$/gm) ?? []).sort());
    const installed = components.filter(({ properties }) => !properties).map(({ name }) => name);
    assert.deepEqual(installed.sort(), Object.keys(dependencies).sort());
  });

  test("contains the code, its types and the documents, and nothing else", async () => {
    assert.deepEqual((await readdir(built[0]?.folder ?? "")).sort(), [
      "LICENSE",
      "README.md",
      "THIRD_PARTY.md",
      "adapters",
      "bindings",
      "browser",
      "chunks",
      "cli",
      "client",
      "llms-full.txt",
      "llms.txt",
      "migrate",
      "mod.d.ts",
      "mod.js",
      "package.json",
      "src",
      "testing",
    ]);
  });

  test("contains the guides and their index for coding assistants", async () => {
    const read = (name: string) => readFile(`${built[0]?.folder}/${name}`, "utf8");
    assert.equal(await read("llms.txt"), indexText());
    assert.equal(await read("llms-full.txt"), fullText());
    // What the index says of the providers that it leaves out.
    assert.match(await read("src/providers/github.d.ts"), /Environment: `AUTH_GITHUB_ID`/);
  });

  test("exports what deno.json exports, with types", async () => {
    const { exports } = await manifest();
    const { exports: sources } = JSON.parse(await readFile("deno.json", "utf8"));
    const added = ["./sveltekit/components", "./package.json"];
    assert.deepEqual(Object.keys(exports).sort(), [...Object.keys(sources), ...added].sort());
    for (const [subpath, target] of Object.entries(exports)) {
      if (added.includes(subpath)) continue;
      const { types, default: code } = target;
      assert.deepEqual([target.import, types], [code, code?.replace(/\.js$/, ".d.ts")], subpath);
    }
  });

  test("has the components of SvelteKit, for the tools that compile them, which know all providers that send email", async () => {
    const { exports } = await manifest();
    const { types = "", svelte = "", ...others } = exports["./sveltekit/components"] ?? {};
    assert.deepEqual(others, {});
    const read = (name: string) => readFile(`${built[0]?.folder}/${name}`, "utf8");
    for (const name of ["SignIn", "SignOut"]) {
      assert.match(await read(types), new RegExp(`export declare class ${name} extends SvelteComponent`));
      assert.match(await read(svelte), new RegExp(`export \\{ default as ${name} \\} from "./${name}.svelte"`));
    }
    const [, list = ""] = /const EMAIL = \[([^\]]*)\]/.exec(await read(join(dirname(svelte), "SignIn.svelte"))) ?? [];
    const named = [...list.matchAll(/"([^"]+)"/g)].map(([, id]) => id);
    const files = readdirSync("src/providers").filter((name) => name.endsWith(".ts"));
    const mailers = files.filter((name) =>
      /\bEmailProvider\b|\bMailProvider\b/.test(readFileSync(`src/providers/${name}`, "utf8"))
    );
    assert.deepEqual(named, [...mailers.map((name) => name.replace(".ts", "").replaceAll("_", "-")), "email"].sort());
  });

  test("depends on the packages that it always needs, and leaves the optional ones to the application", async () => {
    const { dependencies = {}, peerDependencies, peerDependenciesMeta } = await manifest();
    assert.deepEqual(Object.keys(dependencies), ["jose", "oauth4webapi", "preact", "preact-render-to-string"]);
    const optional = [
      "@builder.io/qwik",
      "@builder.io/qwik-city",
      "@deno/kv",
      "@sveltejs/kit",
      "mysql2",
      "next",
      "nodemailer",
      "pg",
      "postgres",
      "react",
      "solid-js",
      "svelte",
      "vue",
    ];
    assert.deepEqual(Object.keys(peerDependencies as object), optional);
    assert.deepEqual(peerDependenciesMeta, Object.fromEntries(optional.map((name) => [name, { optional: true }])));
  });

  test("gives browsers what is made for them, and refuses them each binding and all else that belongs on the server", async () => {
    const { exports } = await manifest();
    const servers = ["workerd", "edge-light", "deno", "bun", "node", "worker"];
    const { "./package.json": _, ...subpaths } = exports;
    const refused = Object.entries(subpaths).filter(([, targets]) => "browser" in targets).map(([subpath]) => subpath);
    const frameworks = [
      "./qwik",
      "./react",
      "./solid",
      "./solid-start/client",
      "./svelte",
      "./sveltekit/client",
      "./sveltekit/components",
      "./vue",
    ];
    const account = ["", "/react", "/solid", "/svelte", "/vue"].map((name) => `./client/account${name}`);
    const open = ["./client", ...account, "./errors", "./next-react", ...frameworks];
    assert.deepEqual(Object.keys(subpaths).filter((subpath) => !refused.includes(subpath)).sort(), open);
    for (const subpath of refused) {
      const { types: _, browser = "", default: code, ...others } = exports[subpath] ?? {};
      const names = ["types", ...servers, "browser", "import", "default"];
      assert.deepEqual(Object.keys(exports[subpath] ?? {}), names, subpath);
      assert.deepEqual(Object.values(others), Object.keys(others).map(() => code), subpath);
      const text = await readFile(`${built[0]?.folder}/${browser}`, "utf8");
      const [, first = "", wall = ""] = /^export \* from "(.+)";\n.+import\("(.+)"\);\n$/.exec(text) ?? [];
      assert.equal(join("/", dirname(browser), first), join("/", code ?? ""));
      assert.equal(join("/", dirname(browser), wall), "/browser/server_only.js");
    }
    const wall = await readFile(`${built[0]?.folder}/browser/server_only.js`, "utf8");
    assert.equal(wall, `import "./${SERVER_ONLY}";\n`);
  });

  test("is bundled by Qwik, which would otherwise load it with a second copy of Qwik", async () => {
    const { exports, qwik } = await manifest();
    assert.equal(qwik, exports["./qwik"]?.default);
    assert.match(String(qwik), /^\.\/bindings\/qwik\.js$/);
  });

  test("contains the WebAuthn library as one file, which no bundler can reorder", async () => {
    const text = await readFile(`${built[0]?.folder}/chunks/webauthn.js`, "utf8");
    assert.deepEqual(text.match(/(?:^|[;}])import ?"|\bimport ?(?:[{*]|\w+ from)|\bfrom ?"|\brequire\("/g), null);
    // What only the library and its dependencies say.
    for (const words of ["SimpleWebAuthn", "Reflect.getMetadata", "tsyringe", "1.3.6.1.4.1.45724.1.1.4"]) {
      assert.ok(text.includes(words), words);
    }
  });

  test("contains the licenses of what is embedded", async () => {
    const notice = await readFile(`${built[0]?.folder}/THIRD_PARTY.md`, "utf8");
    const names = notice.matchAll(/^## (\S+) \d/gm).map(([, name]) => name).toArray();
    assert.ok(names.length > 20);
    assert.deepEqual(names, names.toSorted());
    const known = ["@peculiar/x509", "@simplewebauthn/server", "reflect-metadata", "uqr"];
    for (const name of known) assert.ok(names.includes(name), name);
    assert.match(notice, /Apache License/);
  });

  test("has a description, keywords, a license, engines and no side effects but a refusal", async () => {
    const { description, keywords, license, repository, engines, type, sideEffects } = await manifest();
    assert.ok(description && keywords && repository);
    assert.deepEqual({ license, engines, type, sideEffects }, {
      license: "MIT",
      engines: { node: ">=22.13" },
      type: "module",
      sideEffects: ["./browser/**"],
    });
  });
});

/** Kept apart from the colon, so that no tool takes this test for an import of such a package. */
const SCHEME = "jsr";

for (
  const [file, text] of [
    ["src/a.ts", ""],
    ["src/a.js.map", ""],
    ["deno.json", ""],
    ["src/a.js", "//# sourceMappingURL=data:x"],
    ["src/a.d.ts", '/// <reference path="file:///home/ada/a.ts" />'],
    ["src/a.js", `import { b } from "${SCHEME}:@std/b";`],
    ["src/a.d.ts", 'export * from "./b.ts";'],
    ["src/a.js", 'import { b } from "@simplewebauthn/server/helpers";'],
    ["src/a.js", 'import{b}from"@simplewebauthn/server";'],
  ] as const
) {
  test(`problemsOf() reports ${file} with ${JSON.stringify(text)}`, () => {
    assert.equal(problemsOf(file, text).length, 1);
  });
}

test("problemsOf() accepts what is meant to be published", () => {
  for (const file of ["mod.js", "chunks/a.js", "src/a/b_c.d.ts", "README.md"]) {
    assert.deepEqual(problemsOf(file, 'import { b } from "./b.js";'), []);
  }
});

test("problemsOf() takes the programs of guides for text", () => {
  assert.deepEqual(problemsOf("llms-full.txt", 'import { auth } from "./auth.ts";'), []);
});

test("completeManifest() names the repository after the package", () => {
  const packed = { name: "@acme/login", version: "1.2.3", exports: { ".": { types: "./a.d.ts", default: "./a.js" } } };
  assert.deepEqual(completeManifest(packed).repository, { type: "git", url: "git+https://github.com/acme/login.git" });
});

test("stripsTypes() accepts Node 22.18 and later of 22, and 24 and later", () => {
  const versions = ["18.20.8", "20.20.2", "22.13.0", "22.17.1", "22.18.0", "23.11.0", "24.0.0", "26.1.0"];
  assert.deepEqual(versions.filter((version) => stripsTypes(`Node ${version}`)), ["22.18.0", "24.0.0", "26.1.0"]);
});

test("suitesFor() lists every story and every unit test for Node when slow tests are wanted", () => {
  const suites = suitesFor({ kind: "node", name: "Node", command: "node" }, true);
  const [stories, beside, units, slow, hostile, besideHostile] = suites;
  assert.deepEqual(
    [...stories?.files ?? [], ...beside?.files ?? []].sort(),
    [...sourcesBelow("tests/stories")].filter((file) => file.endsWith("_test.ts")).sort(),
  );
  assert.ok(stories?.files.includes("tests/stories/requests_test.ts"));
  assert.ok(units?.files.includes("tests/unit/jwt_test.ts"));
  assert.ok(slow?.files.includes("tests/unit/adapters/deno_kv_test.ts"));
  assert.deepEqual([stories?.folder, units?.folder], ["installed", "source"]);
  assert.deepEqual([hostile?.files, besideHostile?.files], [stories?.files, beside?.files]);
  assert.ok(hostile?.preload && isFile(hostile.preload));
});

test("suitesFor() leaves out what Bun cannot run, and slow tests unless they are wanted", () => {
  const filesOn = (kind: "node" | "bun", long: boolean): string[] =>
    suitesFor({ kind, name: kind, command: kind }, long).flatMap(({ files }) => files);
  const deferred = filesOn("node", true).filter((file) => !filesOn("node", false).includes(file));
  assert.ok(deferred.includes("tests/long/strain_test.ts"));
  const names = deferred.filter((file) => file.startsWith("tests/unit/")).map((file) => basename(file)).sort();
  const kv = names.filter((name) => name.startsWith("deno_kv"));
  assert.ok(kv.includes("deno_kv_test.ts"));
  assert.deepEqual(names.filter((name) => !kv.includes(name)), [
    "mysql_contest_test.ts",
    "mysql_plans_test.ts",
    "mysql_server_test.ts",
    "mysql_test.ts",
    "postgres_codes_test.ts",
    "postgres_connections_test.ts",
    "postgres_contest_test.ts",
    "postgres_like_test.ts",
    "postgres_plans_test.ts",
    "postgres_prepared_test.ts",
    "postgres_server_test.ts",
    "postgres_test.ts",
    "redis_buckets_test.ts",
    "redis_server_test.ts",
    "redis_sessions_test.ts",
    "renamed_columns_test.ts",
    "sqlite_contest_test.ts",
  ]);
  const notOnBun = filesOn("node", true).filter((file) => !filesOn("bun", true).includes(file));
  assert.deepEqual(notOnBun.map((file) => basename(file)).sort(), kv);
});

test("countsOf() reads the counts of both runners", () => {
  const counts = { passed: 12, failed: 3, skipped: 1 };
  assert.deepEqual(countsOf("node", "ok 1 - a\n# tests 16\n# pass 12\n# fail 3\n# skipped 1\n"), counts);
  assert.deepEqual(countsOf("bun", "(pass) a\n\n 12 pass\n 1 skip\n 3 fail\nRan 16 tests\n"), counts);
});

test("failuresIn() shows the tests that failed and why", () => {
  const node = failuresIn("node", "ok 1 - fine\nnot ok 2 - broken\n  ---\n  error: 'why'\n");
  assert.ok(node.startsWith("not ok 2 - broken") && node.includes("why") && !node.includes("fine"));
  const hanging = failuresIn("node", "not ok 1 - broken\n".padEnd(600, "#\n") + "Hangs after: later\n");
  assert.match(hanging, /^not ok 1 - broken[^]*\nHangs after: later$/);
  const bun = failuresIn("bun", "(pass) fine\nwhy\n(fail) broken\n");
  assert.equal(bun, "why\n(fail) broken");
});
