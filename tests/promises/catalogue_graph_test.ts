/** A provider costs only those who import it: one file, and little of anything else. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { run } from "../../scripts/npm/run.ts";
import { readImports, staticallyReached } from "../../scripts/module_graph.ts";

const FOLDER = "src/providers/";

const files = readdirSync(FOLDER).filter((name) => name.endsWith(".ts")).map((name) => FOLDER + name);
const imports = await readImports(["mod.ts", ...files]);

/** Files that give another provider a second name, and the file of that provider. */
const NAMES: Readonly<Record<string, string>> = {
  "src/providers/azure_ad.ts": "src/providers/microsoft_entra_id.ts",
  "src/providers/x.ts": "src/providers/twitter.ts",
};

/** What providers may load: types of their own, helpers without a package, and errors. */
const SHARED = /^src\/(?:contract|kernel)\/\w+\.ts$/;

/** Those that do more than redirect: the texts of an email, a Node library that is loaded when one is sent. */
const OTHERS = /\/(?:console_email|credentials|nodemailer|passkey|password|webauthn)\.ts$/;

test("each provider loads itself and no other", () => {
  for (const file of files) {
    const providers = staticallyReached(file, imports).filter((path) => files.includes(path));
    assert.deepEqual(providers, NAMES[file] ? [file, NAMES[file]] : [file]);
  }
});

test("each identity provider loads few files, no package, and nothing later on", () => {
  const redirecting = files.filter((file) => isIdentityProvider(file));
  assert.ok(redirecting.length > 100);
  for (const file of redirecting) {
    const reached = staticallyReached(file, imports);
    const own = [file, NAMES[file]];
    assert.deepEqual(reached.filter((path) => !own.includes(path) && !SHARED.test(path)), [], file);
    assert.ok(reached.length <= 9, `${file} loads ${reached.join(", ")}`);
    assert.deepEqual(imports.filter((each) => each.file === file && each.kind === "dynamic"), []);
  }
});

function isIdentityProvider(file: string): boolean {
  return !OTHERS.test(file) && /\bO(?:Auth|idc)Provider\b/.test(readFileSync(file, "utf8"));
}

test("mod.ts loads no provider", () => {
  const reached = staticallyReached("mod.ts", imports);
  assert.ok(reached.length > 20, "the imports were not followed");
  assert.deepEqual(reached.filter((path) => path.startsWith(FOLDER)), []);
});

test("the file of a provider, with its mark and its documentation, is at most 3 kB, compressed", () => {
  const sizes = files.map((file) => ({ file, size: gzipSync(readFileSync(file)).length }));
  assert.deepEqual(sizes.filter(({ size }) => size > 3 * 1024), []);
});

test("importing a provider takes milliseconds", async (t) => {
  const code = (specifier: string) =>
    `const before = performance.now(); await import(${
      JSON.stringify(specifier)
    }); console.log(performance.now() - before);`;
  const time = async (path: string) => {
    const args = ["eval", code(new URL(`../../${path}`, import.meta.url).href)];
    return Number(await run(Deno.execPath(), args));
  };
  const times: number[] = [];
  for (const file of ["spotify", "google", "wechat"]) {
    const took = await time(`${FOLDER}${file}.ts`);
    times.push(took);
    t.diagnostic(`${file}: ${took.toFixed(1)} ms, ${staticallyReached(`${FOLDER}${file}.ts`, imports).length} files`);
  }
  assert.ok(Math.min(...times) < 200, `${times}`);
});
