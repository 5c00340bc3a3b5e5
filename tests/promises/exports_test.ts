import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import assert from "node:assert/strict";
import { checkTree, exportProblems, exportsFor, withExports } from "../../scripts/check_exports.ts";

const wanted = exportsFor(["src/providers/github.ts", "src/providers/auth0.ts"]);

test("the exports of this package match its files", () => assert.deepEqual(checkTree(), []));

test("exportsFor() gives each provider a subpath in kebab-case, sorted after the chosen ones", () => {
  assert.deepEqual(Object.entries(exportsFor(["src/providers/microsoft_entra_id.ts", "src/providers/apple.ts"])), [
    [".", "./mod.ts"],
    ["./account", "./src/account.ts"],
    ["./account-fetch", "./src/account_fetch.ts"],
    ["./adapters", "./src/adapters.ts"],
    ["./attestation", "./src/attestation.ts"],
    ["./cli", "./cli/main.ts"],
    ["./client/account", "./client/account/client.ts"],
    ["./client/account/react", "./client/account/react.ts"],
    ["./client/account/solid", "./client/account/solid.ts"],
    ["./client/account/svelte", "./client/account/svelte.ts"],
    ["./client/account/vue", "./client/account/vue.ts"],
    ["./doctor", "./src/doctor.ts"],
    ["./errors", "./src/errors.ts"],
    ["./jwt", "./src/jwt.ts"],
    ["./limits", "./src/limits.ts"],
    ["./mail", "./src/mail.ts"],
    ["./node", "./src/node.ts"],
    ["./passwords", "./src/passwords.ts"],
    ["./providers", "./src/providers.ts"],
    ["./second-factor", "./src/second_factor.ts"],
    ["./solid-start/client", "./client/core/authjs_solid.ts"],
    ["./sveltekit/client", "./client/core/authjs.ts"],
    ["./testing", "./testing/mod.ts"],
    ["./providers/apple", "./src/providers/apple.ts"],
    ["./providers/microsoft-entra-id", "./src/providers/microsoft_entra_id.ts"],
  ]);
});

test("exportProblems() accepts exactly the wanted list", () => {
  assert.deepEqual(exportProblems(wanted, wanted, () => true), []);
});

test("exportProblems() finds a subpath that is missing", () => {
  const { "./jwt": _, ...rest } = wanted;
  assert.deepEqual(exportProblems(rest, wanted, () => true), [
    '"./jwt" is not exported: it must be ./src/jwt.ts',
  ]);
});

test("exportProblems() finds a subpath of another file", () => {
  assert.deepEqual(exportProblems({ ...wanted, "./jwt": "./src/auth.ts" }, wanted, () => true), [
    '"./jwt" is ./src/auth.ts: it must be ./src/jwt.ts',
  ]);
});

test("exportProblems() finds a subpath that stands for no file", () => {
  assert.deepEqual(exportProblems({ ...wanted, "./secret": "./src/auth.ts" }, wanted, () => true), [
    '"./secret" is exported, but stands for no provider, challenge, adapter, binding, migration or line of CHOSEN',
  ]);
});

test("exportProblems() finds a file that does not exist", () => {
  assert.deepEqual(exportProblems(wanted, wanted, (target) => target !== "./src/jwt.ts"), [
    '"./jwt" is ./src/jwt.ts, which does not exist',
  ]);
});

test("exportProblems() finds a list that is not in order", () => {
  const reversed = Object.fromEntries(Object.entries(wanted).reverse());
  assert.deepEqual(exportProblems(reversed, wanted, () => true), ["the subpaths are not in order"]);
});

test("withExports() changes the exports and nothing else", () => {
  const before = '{\n  "name": "@x/auth",\n  "exports": { ".": "./old.ts" },\n  "fmt": { "lineWidth": 120 }\n}\n';
  const after = withExports(before, { ".": "./mod.ts", "./jwt": "./src/jwt.ts" });
  assert.equal(
    after,
    '{\n  "name": "@x/auth",\n  "exports": {\n    ".": "./mod.ts",\n    "./jwt": "./src/jwt.ts"\n  },\n' +
      '  "fmt": { "lineWidth": 120 }\n}\n',
  );
});

test("a former provider is exported like those of the catalogue, has no name of theirs, and is told in a story", () => {
  const folder = "src/providers/deprecated/";
  const files = readdirSync(folder);
  assert.ok(files.includes("medium.ts"));
  const story = readFileSync("tests/stories/deprecated_providers_test.ts", "utf8");
  for (const file of files) {
    const name = file.replace(/\.ts$/, "").replaceAll("_", "-");
    assert.equal(exportsFor([folder + file])[`./providers/${name}`], `./${folder}${file}`);
    assert.equal(existsSync(`src/providers/${file}`), false, file);
    assert.ok(story.includes(`"${name}"`), file);
  }
});

test("each profile type of a provider of Auth.js is exported under its name", () => {
  const theirs = new URL("./", import.meta.resolve("@auth/core/providers/github"));
  const names = readdirSync(theirs).filter((name) => name.endsWith(".d.ts") && !/^(?:index|oauth)\./.test(name));
  let count = 0;
  for (const name of names) {
    const found = readFileSync(new URL(name, theirs), "utf8").matchAll(/^export (?:interface|type) (\w+Profile)\b/gm);
    for (const [, type] of found) {
      const file = `${name.replace(".d.ts", "").replaceAll("-", "_")}.ts`;
      const path = ["src/providers/", "src/providers/deprecated/"].map((folder) => folder + file).find(existsSync);
      assert.match(readFileSync(path ?? assert.fail(file), "utf8"), new RegExp(`^export .*\\b${type}\\b`, "m"), file);
      count++;
    }
  }
  assert.ok(count > 60, `${count}`);
});
