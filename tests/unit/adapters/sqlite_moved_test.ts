// deno-lint-ignore-file no-console -- one of these tests is about the console
/** A SQLite file that is deleted or replaced while a program has it open. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { sqliteAdapter } from "../../../adapters/sqlite.ts";
import { AdapterError } from "../../../src/kernel/errors.ts";

const ADA = { id: "ada", email: "ada@example.com", emailVerified: null };
const BOB = { id: "bob", email: "bob@example.com", emailVerified: null };

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "sqlite-"));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function usersIn(path: string): unknown[] {
  const file = new DatabaseSync(path);
  const ids = file.prepare("select id from user order by id").all().map(({ id }) => id);
  file.close();
  return ids;
}

/** An adapter of a file with Ada in it. `warnings` lists what it logged. */
async function open(path: string, now: () => number = Date.now) {
  const warnings: string[] = [];
  const logger = { warn: (code: string) => void warnings.push(code) };
  const adapter = sqliteAdapter(path, { synchronous: "normal", now, logger });
  await adapter.createUser(ADA);
  return { adapter, warnings };
}

for (const left of ["with its log", "but not its log"]) {
  test(`sqliteAdapter() notices that its file was deleted ${left}, and stores in a new one`, async () => {
    await inFolder(async (folder) => {
      const path = join(folder, "auth.db");
      const { adapter, warnings } = await open(path);
      await rm(path);
      for (const end of left === "with its log" ? ["-wal", "-shm"] : []) await rm(path + end);
      await adapter.createUser(BOB);
      assert.deepEqual(warnings, ["storage-moved"]);
      assert.equal(await adapter.getUser("ada"), null);
      assert.deepEqual(usersIn(path), ["bob"]);
      await adapter.createUser(ADA);
      assert.deepEqual(warnings, ["storage-moved"]);
      adapter.close();
      assert.deepEqual(usersIn(path), ["ada", "bob"]);
    });
  });
}

test("sqliteAdapter() reads a file that replaced its own within a second", async () => {
  await inFolder(async (folder) => {
    let clock = 1_000_000;
    const [path, backup] = [join(folder, "auth.db"), join(folder, "backup.db")];
    const { adapter, warnings } = await open(path, () => clock);
    const { adapter: other } = await open(backup);
    await other.createUser(BOB);
    other.close();
    await adapter.getUser("ada");
    await rename(backup, path);
    clock += 1000;
    assert.equal((await adapter.getUser("bob"))?.id, "bob");
    assert.deepEqual(warnings, ["storage-moved"]);
    adapter.close();
  });
});

test("sqliteAdapter() of an open database fails to store in a file that was deleted", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "auth.db");
    const handle = new DatabaseSync(path);
    const adapter = sqliteAdapter(handle);
    await adapter.createUser(ADA);
    await rm(path);
    await assert.rejects(async () => await adapter.createUser(BOB), AdapterError);
    await assert.rejects(async () => await adapter.commit({ createUser: BOB }), /was deleted or replaced/);
    handle.close();
  });
});

test("sqliteAdapter() warns on the console if it has no logger", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "auth.db");
    const adapter = sqliteAdapter(path, { synchronous: "normal" });
    await adapter.createUser(ADA);
    await rm(path);
    const { warn } = console;
    const told: unknown[] = [];
    console.warn = (line: unknown) => void told.push(line);
    try {
      await adapter.createUser(BOB);
    } finally {
      console.warn = warn;
    }
    assert.match(told.join(), /^\[auth\]\[warn\] storage-moved: The SQLite file was deleted or replaced/);
    adapter.close();
  });
});

test("sqliteAdapter() can be closed twice, before it opens and while it opens", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "auth.db");
    const { adapter } = await open(path);
    adapter.close();
    adapter.close();
    await assert.rejects(async () => await adapter.getUser("ada"), /it is closed/);
    const fresh = sqliteAdapter(join(folder, "other.db"));
    fresh.close();
    fresh.close();
    await assert.rejects(async () => await fresh.getUser("ada"), /it is closed/);
    assert.equal(existsSync(join(folder, "other.db")), false);
    const opening = sqliteAdapter(path);
    const read = assert.rejects(async () => await opening.getUser("ada"), /it is closed/);
    opening.close();
    await read;
    opening.close();
  });
});
