/** What a program does while another process holds the lock of its SQLite file. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import {
  sqliteAdapter,
  type SqliteAdapterOptions,
  type SqliteHandle,
  type SqliteStatement,
} from "../../../adapters/sqlite.ts";
import { AdapterError } from "../../../src/kernel/errors.ts";

const ADA = { id: "ada", email: "ada@example.com", emailVerified: null };
const LATER = new Date(Date.UTC(2100, 0, 1));

function session(sessionToken: string) {
  return { sessionToken, userId: "ada", expires: LATER };
}

/** A file with Ada in it, and another connection that can lock it. */
async function inFile(use: (path: string, other: DatabaseSync) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "sqlite-"));
  const path = join(folder, "auth.db");
  const first = sqliteAdapter(path, { synchronous: "normal" });
  await first.createUser(ADA);
  first.close();
  const other = new DatabaseSync(path);
  try {
    await use(path, other);
  } finally {
    other.close();
    await rm(folder, { recursive: true });
  }
}

function open(path: string, options: SqliteAdapterOptions = {}) {
  return sqliteAdapter(path, { synchronous: "normal", busyTimeout: 10_000, ...options });
}

/** A handle that records what it was asked to write. */
function watched(path: string, tries: unknown[]): SqliteHandle & { close(): void } {
  const database = new DatabaseSync(path);
  return {
    close: () => database.close(),
    exec: (sql) => {
      if (sql.startsWith("begin")) tries.push(sql);
      return database.exec(sql);
    },
    prepare: (sql) => {
      const statement = database.prepare(sql);
      return {
        all: (...params) => {
          if (sql.startsWith("insert")) tries.push(params[0]);
          if (sql.startsWith("delete")) tries.push(sql);
          return statement.all(...params);
        },
      };
    },
  };
}

const TWENTY = Array.from({ length: 20 }, (_, n) => n);

// One in some inserts sweeps rows that have ended first.
function isSweep(tried: unknown): boolean {
  return String(tried).startsWith("delete");
}

function ticks(count: number): Promise<void> {
  return new Promise((resolve) => {
    const tick = (left: number) => left === 0 ? resolve() : setTimeout(() => tick(left - 1), 5);
    tick(count);
  });
}

const WRITES: Readonly<Record<string, (adapter: ReturnType<typeof open>) => unknown>> = {
  "a statement": (adapter) => adapter.createSession(session("s")),
  "a plan": (adapter) => adapter.commit({ createSession: session("s") }),
  "a change of members without a column": (adapter) => adapter.updateUser({ id: "ada", role: "x" } as { id: string }),
  "a mark": (adapter) => adapter.once("mark", LATER),
};

for (const [name, write] of Object.entries(WRITES)) {
  test(`sqliteAdapter() does not block the event loop while ${name} waits for a lock`, async () => {
    await inFile(async (path, other) => {
      const adapter = open(path);
      await adapter.getUser("ada");
      other.exec("begin immediate");
      let done = false;
      const written = Promise.resolve(write(adapter)).then(() => done = true);
      assert.equal((await adapter.getUser("ada"))?.id, "ada"); // readers have nothing to wait for
      await ticks(10);
      assert.equal(done, false);
      other.exec("commit");
      await written;
      adapter.close();
    });
  });
}

test("sqliteAdapter() opens and reads a migrated file while somebody writes", async () => {
  await inFile(async (path, other) => {
    other.exec("begin immediate");
    const adapter = open(path, { busyTimeout: 0 });
    assert.equal((await adapter.getUser("ada"))?.id, "ada");
    adapter.close();
  });
});

test("sqliteAdapter() does not block the event loop while a migration waits for a lock", async () => {
  await inFile(async (path, other) => {
    other.exec("drop index session_userId_index; begin immediate");
    const adapter = open(path);
    const read = adapter.getUser("ada");
    await ticks(3);
    other.exec("commit");
    assert.equal((await read)?.id, "ada");
    assert.equal(other.prepare("pragma index_list(session)").all().length, 4);
    adapter.close();
  });
});

test("sqliteAdapter() does not block the event loop while a file is locked for readers too", async () => {
  await inFile(async (path) => {
    const other = new DatabaseSync(path);
    other.exec("pragma locking_mode = exclusive; begin exclusive; delete from session; commit");
    const adapter = open(path);
    const reads = Array.from({ length: 20 }, async () => await adapter.getUser("ada"));
    await ticks(3);
    other.close();
    assert.deepEqual((await Promise.all(reads)).map((user) => user?.id), Array(20).fill("ada"));
    adapter.close();
  });
});

test("sqliteAdapter() queues readers who found a file locked, apart from writers", async () => {
  await inFile(async (path) => {
    const database = new DatabaseSync(path);
    let locked = false;
    const tries: unknown[] = [];
    const handle: SqliteHandle = {
      exec: (sql) => database.exec(sql),
      prepare: (sql) => {
        const statement = database.prepare(sql);
        const all: SqliteStatement["all"] = (...params) => {
          if (sql.startsWith("select")) tries.push(params[0]);
          if (sql.startsWith("select") && locked) throw new Error("database is locked");
          return statement.all(...params);
        };
        return { all };
      },
    };
    const adapter = sqliteAdapter(handle, { busyTimeout: 10_000 });
    await adapter.getUser("ada");
    tries.length = 0;
    locked = true;
    const reads = ["ada", "bob", "eve"].map(async (id) => (await adapter.getUser(id))?.id);
    await adapter.createSession(session("s"));
    await ticks(5);
    assert.ok(tries.length > 4, "the first never asked again");
    assert.deepEqual(tries.slice(3).filter((id) => id !== "ada"), []);
    locked = false;
    assert.deepEqual(await Promise.all(reads), ["ada", undefined, undefined]);
    database.close();
  });
});

test("sqliteAdapter() queues writers of a file: only the first asks for the lock", async () => {
  await inFile(async (path, other) => {
    const tries: unknown[] = [];
    const handles = [watched(path, tries), watched(path, tries)];
    const adapters = handles.map((handle) => sqliteAdapter(handle, { busyTimeout: 10_000 }));
    for (const adapter of adapters) await adapter.getUser("ada");
    other.exec("begin immediate");
    const written = TWENTY.map((n) => adapters[n % 2]?.createSession(session(`${n}`)));
    await ticks(10);
    const asked = tries.filter((token) => !isSweep(token));
    const [first] = asked;
    assert.ok(asked.length > 1, "the first never asked again");
    assert.deepEqual(asked.filter((token) => token !== first), []);
    other.exec("commit");
    await Promise.all(written);
    const rest = tries.filter((token) => token !== first && !isSweep(token));
    assert.deepEqual(rest.map(Number).sort((a, b) => a - b), TWENTY.filter((n) => `${n}` !== first));
    for (const handle of handles) handle.close();
  });
});

test("sqliteAdapter() fails all operations that waited too long, those behind the first without a try", async () => {
  await inFile(async (path, other) => {
    const tries: unknown[] = [];
    const handle = watched(path, tries);
    const adapter = sqliteAdapter(handle, { busyTimeout: 20 });
    await adapter.getUser("ada");
    other.exec("begin immediate");
    const written = TWENTY.map(async (n) => await adapter.createSession(session(`${n}`)));
    for (const result of await Promise.allSettled(written)) {
      assert.equal(result.status, "rejected");
      assert.ok(result.reason instanceof AdapterError);
      assert.match(result.reason.message, /database is locked/);
    }
    // The sweep queues up later, or when the queue is empty again.
    const [first] = tries.filter((token) => !isSweep(token));
    assert.ok(new Set(tries.filter((token) => token !== first && !isSweep(token))).size <= 1);
    other.exec("commit");
    assert.equal(await adapter.getSessionAndUser("0"), null);
    await adapter.createSession(session("0"));
    handle.close();
  });
});

test("sqliteAdapter() does not wait for a lock to remove rows that have ended", async () => {
  await inFile(async (path, other) => {
    const tries: unknown[] = [];
    const handle = watched(path, tries);
    const adapter = sqliteAdapter(handle, { busyTimeout: 20 });
    await adapter.getUser("ada");
    other.exec("begin immediate");
    for (let n = 0; n < 64; n += 1) await assert.rejects(async () => await adapter.createSession(session(`${n}`)));
    const swept = tries.filter((sql) => `${sql}`.startsWith("delete"));
    assert.equal(swept.length, 1);
    other.exec("commit");
    handle.close();
  });
});

test("sqliteAdapter() does not block the event loop while many write to a slow disk", async () => {
  await inFile(async (path) => {
    const database = new DatabaseSync(path);
    const slow: SqliteHandle = {
      exec: (sql) => database.exec(sql),
      prepare: (sql) => {
        const statement = database.prepare(sql);
        const all: SqliteStatement["all"] = (...params) => {
          for (const start = Date.now(); sql.startsWith("insert") && Date.now() < start + 4;);
          return statement.all(...params);
        };
        return { all };
      },
    };
    const adapter = sqliteAdapter(slow);
    await adapter.getUser("ada");
    let written = 0;
    const all = Array.from({ length: 50 }, async (_, n) => {
      await adapter.createSession(session(`${n}`));
      written += 1;
    });
    await ticks(1);
    assert.ok(written < 50, "nothing else had a chance");
    await Promise.all(all);
    database.close();
  });
});

test("sqliteAdapter() fails operations that wait when it is closed", async () => {
  await inFile(async (path, other) => {
    const adapter = open(path);
    await adapter.getUser("ada");
    other.exec("begin immediate");
    const written = assert.rejects(async () => await adapter.createSession(session("s")), /it is closed/);
    await ticks(1);
    adapter.close();
    await written;
  });
});

test("sqliteAdapter() keeps the busy timeout of an open database, and does not use it", async () => {
  await inFile(async (path, other) => {
    const database = new DatabaseSync(path, { timeout: 60_000 });
    const timeout = () => database.prepare("pragma busy_timeout").get()?.timeout;
    const used: unknown[] = [];
    const handle: SqliteHandle = {
      exec: (sql) => {
        if (sql.startsWith("begin")) used.push(timeout());
        return database.exec(sql);
      },
      prepare: (sql) => {
        const statement = database.prepare(sql);
        const all: SqliteStatement["all"] = (...params) => {
          if (/^(?:insert|select)(?!.* pragma_)/.test(sql)) used.push(timeout());
          return statement.all(...params);
        };
        return { all };
      },
    };
    const adapter = sqliteAdapter(handle, { busyTimeout: 10_000 });
    await adapter.getUser("ada");
    await adapter.commit({ deleteSession: "none" });
    await adapter.createSession(session("s"));
    assert.ok(used.length >= 3);
    assert.deepEqual(used.filter((one) => one !== 0), []);
    assert.equal(timeout(), 60_000);
    other.exec("begin immediate");
    const hasty = sqliteAdapter(database, { busyTimeout: 1 });
    await assert.rejects(async () => await hasty.createSession(session("t")), /database is locked/);
    assert.equal(timeout(), 60_000);
    other.exec("commit");
    database.close();
  });
});
