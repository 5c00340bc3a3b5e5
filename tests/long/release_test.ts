import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { tryOnDeno } from "../../scripts/release/trials.ts";

test("the first program of the README runs on Deno with the files that JSR gets", async () => {
  assert.match(await tryOnDeno("."), /^Deno \d/);
});

test("a file that JSR would lack is missed", async () => {
  const sources = mkdtempSync(join(tmpdir(), "jsr-"));
  try {
    const { publish: { include } } = JSON.parse(await Deno.readTextFile("deno.json"));
    for (const path of include) cpSync(path, join(sources, path), { recursive: true });
    rmSync(join(sources, "src/crypto"), { recursive: true });
    await assert.rejects(tryOnDeno(sources), /Module not found.*src\/crypto\//);
  } finally {
    rmSync(sources, { recursive: true, force: true });
  }
});
