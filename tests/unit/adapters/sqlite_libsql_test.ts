/** Clients of libSQL: a file, and replicas of one. The real client runs in `tests/adapters`. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { conformanceCases } from "../../../adapters/conformance.ts";
import { sqliteAdapter } from "../../../adapters/sqlite.ts";
import { type LibsqlDouble, openLibsql, openReplica } from "../../_support/libsql_double.ts";

const LATER = new Date(Date.UTC(2100, 0, 1));
const ADA = { id: "ada", email: "ada@example.com", emailVerified: null };
const SESSION = { sessionToken: "s", userId: "ada", expires: LATER };

/** After this a replica is brought up to date. */
const OLD = 1050;

async function inFolder<Result>(use: (open: (name: string) => LibsqlDouble) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "libsql-"));
  const opened: LibsqlDouble[] = [];
  try {
    return await use((name) => {
      const path = join(folder, "auth.db");
      const client = name === "file" ? openLibsql(path) : openReplica(path, join(folder, `${name}.db`));
      opened.push(client);
      return client;
    });
  } finally {
    for (const client of opened) client.close();
    await rm(folder, { recursive: true });
  }
}

async function openConformance() {
  const folder = await mkdtemp(join(tmpdir(), "libsql-"));
  const client = openReplica(join(folder, "auth.db"), join(folder, "replica.db"));
  let clock = Date.UTC(2031, 0, 1);
  return {
    adapter: sqliteAdapter(client, { now: () => clock }),
    now: { set: (milliseconds: number) => void (clock = milliseconds) },
    close: async () => {
      client.close();
      await rm(folder, { recursive: true });
    },
  };
}

const IS_HARD = /callers|dates?\b|a plan (?:that|is)|evict/i;

for (const { name, run } of conformanceCases(openConformance).filter(({ name }) => IS_HARD.test(name))) {
  test(`sqliteAdapter() of a replica of libSQL: ${name}`, run);
}

test("a file of libSQL has a write-ahead log, and is not synchronized", async () => {
  await inFolder(async (open) => {
    const client = open("file");
    const adapter = sqliteAdapter(client);
    await adapter.createUser(ADA);
    await adapter.commit({ createSession: SESSION });
    assert.equal((await adapter.getSessionAndUser("s"))?.user.id, "ada");
    assert.equal(client.synchronized, 1, "it is asked once");
    assert.deepEqual((await client.execute({ sql: "pragma journal_mode", args: [] })).rows[0]?.[0], "wal");
  });
});

test("a replica of libSQL is brought up to date once a second, and after what it wrote", async () => {
  await inFolder(async (open) => {
    const [here, there] = [open("here"), open("there")];
    const [one, other] = [sqliteAdapter(here), sqliteAdapter(there)];
    await one.commit({ createUser: ADA, createSession: SESSION });
    assert.equal((await one.getSessionAndUser("s"))?.user.id, "ada");
    assert.equal((await other.getSessionAndUser("s"))?.user.id, "ada");
    const { synchronized } = there;
    await one.deleteSession("s");
    for (let n = 0; n < 5; n += 1) await other.getSessionAndUser("s");
    assert.ok(there.synchronized <= synchronized + 1);
    await sleep(OLD);
    assert.equal(await other.getSessionAndUser("s"), null);
  });
});

test("what is decided on a replica of libSQL is decided on what others wrote just now", async () => {
  await inFolder(async (open) => {
    const [one, other] = [sqliteAdapter(open("here")), sqliteAdapter(open("there"))];
    await one.createUser(ADA);
    const record = { kind: "k", id: "1", version: 0, data: {} };
    const version = await one.putRecord(record);
    assert.ok(version);
    assert.ok(await other.getUser("ada"));
    const next = await one.putRecord({ ...record, version });
    assert.ok(next);
    const expect = { records: [{ kind: "k", id: "1", version: next }] };
    assert.equal(await other.commit({ expect, createSession: SESSION }), "done");
    assert.ok(await other.getUser("ada"));
    await one.removeRecord({ kind: "k", id: "1" });
    assert.equal(await other.commit({ expect, createSession: { ...SESSION, sessionToken: "t" } }), "conflict");
  });
});

test("a client that writes to its replica first is refused, and so is one that gives numbers as text", async () => {
  await inFolder(async (open) => {
    const file = open("file");
    const offline = { ...file, sync: () => Promise.resolve() };
    await assert.rejects(async () => await sqliteAdapter(offline).getUser("ada"), /AdapterError.*Remove `offline`/);
    const execute: LibsqlDouble["execute"] = async (statement) => {
      const { rows } = await file.execute(statement);
      return { rows: rows.map((row) => Array.from(row, (value) => typeof value === "number" ? `${value}` : value)) };
    };
    const text = { ...file, execute };
    await assert.rejects(async () => await sqliteAdapter(text).getUser("ada"), /AdapterError.*Remove `intMode/);
  });
});

test("a replica of libSQL that cannot be brought up to date is not read", async () => {
  await inFolder(async (open) => {
    const client = open("here");
    let isDown = false;
    const adapter = sqliteAdapter({
      ...client,
      sync: async () => {
        if (isDown) throw new Error("http dispatch error");
        return await client.sync?.();
      },
    });
    await adapter.commit({ createUser: ADA, createSession: SESSION });
    assert.ok(await adapter.getSessionAndUser("s"));
    isDown = true;
    await sleep(OLD);
    await assert.rejects(async () => await adapter.getSessionAndUser("s"), /http dispatch error/);
    isDown = false;
    assert.ok(await adapter.getSessionAndUser("s"));
  });
});
