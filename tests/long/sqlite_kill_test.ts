import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { printLine } from "../../scripts/print.ts";
import { sqliteAdapter } from "../../adapters/sqlite.ts";
import { assertStored, FLAWS, killed } from "../_support/endless_sign_ins.ts";

const KILLS = 200;
const SCRIPT = fileURLToPath(new URL("./_sqlite_sign_ins.ts", import.meta.url));

test(`Every acknowledged sign-in is stored after ${KILLS} kills, and none in part`, async () => {
  const folder = await mkdtemp(join(tmpdir(), "sqlite-"));
  const path = join(folder, "auth.db");
  let acknowledged = 0;
  for (let life = 0; life < KILLS; life += 1) {
    const names = await killed(SCRIPT, path, life);
    acknowledged += names.length;
    const adapter = sqliteAdapter(path);
    await assertStored(adapter, names);
    adapter.close();
    const file = new DatabaseSync(path);
    const count = (sql: string) => Object.values(file.prepare(sql).get() ?? {})[0];
    for (const [flaw, sql] of Object.entries(FLAWS)) assert.equal(count(sql), 0, flaw);
    if (life % 20 === 0) assert.equal(count("pragma integrity_check"), "ok");
    file.close();
  }
  printLine(`${acknowledged} sign-ins were acknowledged before ${KILLS} kills`);
  assert.ok(acknowledged >= KILLS);
  await rm(folder, { recursive: true });
});
