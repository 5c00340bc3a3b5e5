import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { printLine } from "../../scripts/print.ts";
import { sqliteAdapter } from "../../adapters/sqlite.ts";

const KILLS = 200;
const SCRIPT = fileURLToPath(new URL("./_sqlite_sign_ins.ts", import.meta.url));
const COMMAND = "Deno" in globalThis ? ["run", "--no-check", "--allow-all", SCRIPT] : [SCRIPT];

/** Starts sign-ins, kills them at some moment, and says which were acknowledged by then. */
async function killed(path: string, life: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [...COMMAND, path, `${life}`], { stdio: ["ignore", "pipe", "inherit"] });
  let told = "";
  const ended = new Promise((resolve) => child.on("close", (_, signal) => resolve(signal)));
  const begun = new Promise<void>((resolve) => {
    child.stdout.on("data", (text) => {
      told += text;
      resolve();
    });
  });
  await Promise.race([begun, ended]);
  // Some at once, some after a while, so that every moment of a sign-in is hit.
  await new Promise((resolve) => setTimeout(resolve, (life * 7) % 40));
  child.kill("SIGKILL");
  assert.equal(await ended, "SIGKILL", told);
  return told.split("\n").slice(0, -1);
}

/** Questions about a file whose answer must be 0. */
const FLAWS: Readonly<Record<string, string>> = {
  "accounts without a user": "select count(*) from account where userId not in (select id from user)",
  "sessions without a user": "select count(*) from session where userId not in (select id from user)",
  "users without an account": "select count(*) from user where id not in (select userId from account)",
  "users without a session": "select count(*) from user where id not in (select userId from session)",
  "accounts that are there twice":
    "select count(*) - count(distinct provider || ' ' || providerAccountId) from account",
  "addresses that are there twice": "select count(*) - count(distinct email) from user",
  "records without a user": "select count(*) from authRecord where userId not in (select id from user)",
  "users without a record":
    "select count(*) from user where id not in (select userId from authRecord where userId > '')",
  "records that a plan removes, of users whom it creates":
    "select count(*) from authRecord where kind = 'pending' and id in (select id from user)",
  "tokens of those who are signed in":
    "select count(*) from verificationToken where identifier in (select email from user)",
};

test(`Every acknowledged sign-in is stored after ${KILLS} kills, and none in part`, async () => {
  const folder = await mkdtemp(join(tmpdir(), "sqlite-"));
  const path = join(folder, "auth.db");
  let acknowledged = 0;
  for (let life = 0; life < KILLS; life += 1) {
    const names = await killed(path, life);
    acknowledged += names.length;
    const adapter = sqliteAdapter(path);
    for (const name of names) {
      const found = await adapter.getSessionAndUser(name);
      assert.equal(found?.user.id, name, `${name} was acknowledged`);
      assert.equal((await adapter.getAccount(name, "mock"))?.userId, name);
      assert.deepEqual((await adapter.getRecord({ kind: "password", id: name }))?.data, { hash: name });
    }
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
