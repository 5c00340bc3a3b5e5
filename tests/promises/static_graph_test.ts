import { test } from "node:test";
import assert from "node:assert/strict";
import { run } from "../../scripts/npm/run.ts";
import { readImports, staticallyReached } from "../../scripts/module_graph.ts";

const imports = await readImports([
  "mod.ts",
  "src/errors.ts",
  "src/jwt.ts",
  "src/oauth/mod.ts",
  "src/oauth_client/decryption.ts",
  "src/providers/nodemailer.ts",
]);

/** The packages that an entry point loads at once. */
function packagesOf(entry: string): string[] {
  const packages = staticallyReached(entry, imports).filter((path) =>
    !/^(?:mod|(?:src|adapters|migrate)\/.*)\.tsx?$/.test(path)
  );
  return [...new Set(packages.map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ""))].sort();
}

test("mod.ts loads no package", () => assert.deepEqual(packagesOf("mod.ts"), []));

test("mod.ts loads no page, no way of signing in, no cryptography, no provider and no adapter", () => {
  const reached = staticallyReached("mod.ts", imports);
  assert.ok(reached.includes("src/service/respond.ts"), "the imports were not followed");
  const late = /^(?:src\/(?:oauth|email|credentials|webauthn|access_tokens|crypto|pages|providers)|adapters)\//;
  assert.deepEqual(reached.filter((path) => late.test(path)), []);
});

test("what few providers need is not loaded with the others: neither when requests are sent nor when responses come", () => {
  const reached = staticallyReached("src/oauth/mod.ts", imports);
  assert.ok(reached.includes("src/oauth_client/late_modules.ts"), "the imports were not followed");
  assert.deepEqual(reached.filter((path) => /\/(?:authorization_request|signed_response)\.ts$/.test(path)), []);
});

test("the subpaths ./errors and ./jwt need no package", () => {
  assert.deepEqual(packagesOf("src/errors.ts"), []);
  assert.deepEqual(packagesOf("src/jwt.ts"), []);
});

test("what is loaded late needs the packages that it is for: the other tests rely on seeing them", () => {
  assert.deepEqual(packagesOf("src/oauth/mod.ts"), ["oauth4webapi"]);
  assert.deepEqual(packagesOf("src/oauth_client/decryption.ts"), ["jose"]);
  assert.deepEqual(packagesOf("src/pages/render.ts"), ["preact", "preact-render-to-string"]);
  assert.deepEqual(packagesOf("src/email/mod.ts"), []);
  assert.deepEqual(packagesOf("src/providers/nodemailer.ts"), []);
});

test("signing in with OAuth loads nothing for encryption or bound tokens", () => {
  const reached = staticallyReached("src/oauth/mod.ts", imports);
  assert.ok(reached.includes("src/oauth_client/late_modules.ts"), "the imports were not followed");
  assert.deepEqual(reached.filter((path) => /\/(?:decryption|dpop|account_fetch)\.ts$/.test(path)), []);
});

test("importing the package and creating a service touch nothing and need no permission", async () => {
  const args = ["run", "--no-prompt", "--deny-env", "--no-check", "tests/promises/_import_probe.ts"];
  const { atImport, atRequest } = JSON.parse(await run(Deno.execPath(), args)) as { [at: string]: readonly string[] };
  assert.deepEqual(atImport, []);
  // A request does use them, so the probe sees what it must see.
  for (const name of ["querySync", "getRandomValues", "digest"]) assert.ok(atRequest?.includes(name), name);
});
