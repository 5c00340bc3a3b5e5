import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { flagsOf, readBlocks, writeBlocks, writeConfig } from "../../scripts/docs/run.ts";

test("the five tests of the guide run as they are printed, with no variable that says it is a test", async () => {
  const blocks = readBlocks(["docs/testing.md"]).filter(({ file = "", vitest }) =>
    !vitest && ["create_app.ts", "app.test.ts"].includes(file)
  );
  const home = mkdtempSync(join(tmpdir(), "testing-docs-"));
  try {
    writeConfig(home);
    const [, { file = "" } = {}] = writeBlocks(blocks, `${home}/pages`);
    const args = ["test", ...flagsOf(home), "--no-prompt", "--no-check", "--allow-env", "--allow-read", file];
    const env = { ...Deno.env.toObject(), NO_COLOR: "1" };
    for (const name of ["NODE_ENV", "DENO_ENV"]) Reflect.deleteProperty(env, name);
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, env, clearEnv: true }).output();
    const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    assert.equal(code, 0, said);
    assert.match(said, /\b5 passed \| 0 failed/);
  } finally {
    rmSync(home, { recursive: true });
  }
});
