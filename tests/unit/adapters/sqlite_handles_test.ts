/** Open databases of drivers that answer at once: `better-sqlite3` on Deno and Node, and `bun:sqlite` on Bun. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { conformanceCases } from "../../../adapters/conformance.ts";
import { sqliteAdapter, type SqliteConnection, type SqliteHandle } from "../../../adapters/sqlite.ts";
import { contend, oneEach, prepare } from "../../_support/contest.ts";

interface Closable extends SqliteHandle {
  close(): unknown;
}

/** Opens a database. */
type Open = (path: string) => Closable;

/** What is passed to the adapter, of an open database. */
type Pass = (handle: Closable) => SqliteConnection;

/** The drivers of this runtime. Their modules can be loaded nowhere else. */
async function loadDrivers(): Promise<Readonly<Record<string, readonly [open: Open, pass: Pass]>>> {
  const itself: Pass = (handle) => handle;
  if ("Bun" in globalThis) {
    const [own, ofDrizzle] = ["bun:sqlite", "drizzle-orm/bun-sqlite"];
    const { Database } = await import(own) as { Database: new (path: string, options?: object) => Closable };
    const { drizzle } = await import(ofDrizzle) as { drizzle: Pass };
    return {
      "bun:sqlite": [(path) => new Database(path), itself],
      "bun:sqlite with bigints": [(path) => new Database(path, { create: true, safeIntegers: true }), itself],
      "Drizzle on bun:sqlite": [(path) => new Database(path), drizzle],
    };
  }
  const { default: Database } = await import("better-sqlite3");
  const withBigInts = (path: string) => new Database(path).defaultSafeIntegers(true) as Closable;
  const kysely: Pass = (handle) => new Kysely<unknown>({ dialect: new SqliteDialect({ database: handle as never }) });
  return {
    "better-sqlite3": [(path) => new Database(path), itself],
    "better-sqlite3 with bigints": [withBigInts, itself],
    "Drizzle on better-sqlite3": [(path) => new Database(path), (handle) => drizzle(handle as never)],
    // Kysely keeps the timeout of the driver, which waits without letting anything else run.
    "Kysely on better-sqlite3": [(path) => new Database(path, { timeout: 5 }), kysely],
  };
}

const LATER = new Date(Date.UTC(2100, 0, 1));

for (const [name, [open, pass]] of Object.entries(await loadDrivers())) {
  const opened = () => {
    const handle = open(":memory:");
    let clock = Date.UTC(2031, 0, 1);
    const adapter = sqliteAdapter(pass(handle), { now: () => clock });
    return {
      adapter,
      now: { set: (milliseconds: number) => void (clock = milliseconds) },
      close: () => void handle.close(),
    };
  };
  for (const { name: what, run } of conformanceCases(opened)) test(`sqliteAdapter() of ${name}: ${what}`, run);

  test(`Two connections of ${name} wait for each other's writes, and one of 32 callers wins`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "sqlite-"));
    const handles = [open(join(folder, "auth.db")), open(join(folder, "auth.db"))] as const;
    try {
      const [one, other] = handles.map((handle) => sqliteAdapter(pass(handle), { synchronous: "normal" }));
      assert.ok(one && other);
      await one.createUser({ id: "ada", email: "ada@example.com", emailVerified: null });
      handles[0].exec("begin immediate");
      const waiting = other.commit({ createSession: { sessionToken: "s", userId: "ada", expires: LATER } });
      await new Promise((resolve) => setTimeout(resolve, 50));
      handles[0].exec("commit");
      assert.equal(await waiting, "done");
      await prepare(one, 2);
      const wins = await Promise.all(
        [one, other].map((adapter, who) => contend(adapter, { rounds: 2, callers: 16 }, who)),
      );
      const [first, second] = wins;
      assert.ok(first && second);
      const all = Object.fromEntries(
        Object.entries(first).map(([prize, won]) => {
          return [prize, won.map((one, round) => one + (second[prize as keyof typeof second][round] ?? 0))];
        }),
      );
      assert.deepEqual(all, oneEach(2));
    } finally {
      for (const handle of handles) handle.close();
      await rm(folder, { recursive: true });
    }
  });
}
