/** What the stories are told with has to notice what goes wrong. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { test, type TestContext } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { searchForSecrets } from "./_canary.ts";
import { SECRETS } from "./_examples.ts";
import { runNpm, startNpm, within } from "./_programs.ts";

function folderWith(t: TestContext, files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(`${tmpdir()}/harness-`);
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(`${folder}/${name}`, content);
  return folder;
}

const CLEAN = "const name = 'ada';";

test("a secret is found in what browsers get, compressed or not", (t) => {
  const leak = `const config = { clientSecret: "${SECRETS.clientSecret}" };`;
  for (
    const [name, content] of Object.entries({
      "a.js": leak,
      "a.js.gz": gzipSync(leak),
      "a.js.br": brotliCompressSync(leak),
      "a.html": `<script>self.__data = "${btoa(`${SECRETS.AUTH_SECRET}`)}"</script>`,
      "a.js.map": JSON.stringify({ sourcesContent: [`open("${SECRETS.DATABASE}")`] }),
    })
  ) {
    const folder = folderWith(t, { [name]: content, "b.js": CLEAN });
    assert.throws(() => searchForSecrets(folder, ["."]), new RegExp(`is in .*${name}`), name);
  }
  assert.equal(searchForSecrets(folderWith(t, { "b.js": CLEAN }), ["b.js"]), 1);
});

test("a folder for browsers that is not there, or empty, does not pass", (t) => {
  const folder = folderWith(t, {});
  for (const name of ["client", "."]) assert.throws(() => searchForSecrets(folder, [name]), /Cannot find a file/);
});

test("a program that hangs is stopped, and what it has printed is told", async (t) => {
  const scripts = { hang: "echo here && sleep 60", fail: "echo why && exit 3", end: "echo over" };
  const cwd = folderWith(t, { "package.json": JSON.stringify({ scripts }) });
  const place = { cwd, env: Deno.env.toObject() };
  const begun = performance.now();
  await assert.rejects(runNpm(["run", "hang"], place, 2), /here/);
  await assert.rejects(startNpm("hang", place, "Listening", 2), /here/);
  await assert.rejects(runNpm(["run", "fail"], place, 20), /why/);
  await assert.rejects(startNpm("end", place, "Listening", 20), /over/);
  await runNpm(["run", "end"], place, 20);
  assert.ok(performance.now() - begun < 30_000);
});

test("a story that does not end fails by its name", async () => {
  await assert.rejects(within(0.01, "a long story", new Promise(() => {})), /a long story/);
});
