import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { conformanceCases, type OpenedAdapter } from "../../../adapters/conformance.ts";
import { kvRecords } from "../../../adapters/deno_kv.ts";
import { memoryAdapter, memoryRecords } from "../../../adapters/memory.ts";
import { postgresRecords } from "../../../adapters/postgres.ts";
import { type RecordStore, withRecords } from "../../../adapters/records.ts";
import { sqliteRecords } from "../../../adapters/sqlite.ts";
import type { Adapter, CompleteAdapter, Plan, StoredRecord } from "../../../src/contract/adapter.ts";
import { AdapterError } from "../../../src/kernel/errors.ts";
import { findPostgres, type PostgresServer, skipsWithoutPostgres, startPostgres } from "../../_support/postgres.ts";
import { openFile } from "./_kv.ts";
import { counted, planned, type Reads } from "./_reads.ts";

const QUIET = { logger: { warn: () => {} } };
const ADA = { id: "ada", email: "ada@example.com", emailVerified: null };
const LATER = new Date(Date.UTC(2100, 0, 1));

/** An adapter without records. */
function plain(now?: () => number): Adapter {
  const { getRecord: _1, putRecord: _2, removeRecord: _3, listRecords: _4, take: _5, ...adapter } = memoryAdapter({
    now,
  });
  return adapter;
}

interface OpenedRecords {
  readonly records: RecordStore;
  readonly reads?: Reads;
  readonly close?: () => unknown;
}

type OpenRecords = (now: () => number) => OpenedRecords | Promise<OpenedRecords>;

const STORES: Readonly<Record<string, OpenRecords>> = {
  "memoryRecords()": (now) => ({ records: memoryRecords({ now }) }),
  "sqliteRecords()": (now) => {
    const database = new DatabaseSync(":memory:");
    const { handle, reads } = planned(database);
    return { records: sqliteRecords(handle, { now }), reads, close: () => database.close() };
  },
  // The package for other runtimes does not write values on Bun.
  ...(!("Bun" in globalThis) && {
    "kvRecords()": async (now: () => number) => {
      const { kv, close } = await openFile();
      const { kv: asked, reads } = counted(kv);
      return { records: kvRecords(asked, { now }), reads, close };
    },
  }),
};

/** What records that are stored apart cannot do. */
const APART = ["commit() changes no record and returns conflict if something else conflicts after its records"];

async function openApart(open: OpenRecords): Promise<OpenedAdapter> {
  let clock = Date.UTC(2031, 0, 1);
  const now = () => clock;
  const { records, reads, close } = await open(now);
  return {
    adapter: withRecords(plain(now), records, QUIET),
    now: { set: (milliseconds) => void (clock = milliseconds) },
    reads,
    close: async () => void await close?.(),
  };
}

function conforms(name: string, open: OpenRecords): void {
  for (const each of conformanceCases(() => openApart(open), { guardsRelations: false })) {
    if (!APART.includes(each.name) && /[Rr]ecord|evict|take\(\)|bucket/.test(each.name)) {
      test(`${name}: ${each.name}`, each.run);
    }
  }
}

for (const [name, open] of Object.entries(STORES)) conforms(name, open);

const bin = findPostgres();
describe("postgresRecords()", { skip: skipsWithoutPostgres(bin, "The records in PostgreSQL") }, () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  before(async () => {
    server = await startPostgres(bin);
    pool = new pg.Pool({ connectionString: server.url, max: 8 });
  });
  after(async () => {
    await pool.end();
    await server.stop();
  });
  conforms("postgresRecords()", async (now) => {
    const records = postgresRecords(pool, { now });
    await records.migrate();
    await pool.query("truncate auth_records, auth_buckets");
    return { records };
  });
});

test("sqliteRecords() makes the tables of records and of buckets, and no other", async () => {
  const handle = new DatabaseSync(":memory:");
  await sqliteRecords(handle).getRecord({ kind: "key", id: "k" });
  const tables = handle.prepare("select name from sqlite_schema where type = 'table'").all();
  assert.deepEqual(tables.map(({ name }) => name), ["authRecord", "authBucket"]);
});

test("withRecords() leaves buckets where the adapter has them, or else beside the records", async () => {
  const bucket = { key: "b", every: 1000, burst: 1 };
  const [own, records] = [memoryAdapter(), memoryRecords()];
  await withRecords(own, records, QUIET).take([bucket], LATER);
  assert.notEqual((await own.take([bucket], LATER))[0], null);
  assert.equal((await records.take?.([bucket], LATER))?.[0], null);
  assert.notEqual((await withRecords(plain(), records, QUIET).take?.([bucket], LATER))?.[0], null);
  const { take: _, ...without } = memoryRecords();
  assert.equal(withRecords(plain(), without, QUIET).take, undefined);
});

test("withRecords() says once that users and records do not commit together", async () => {
  const lines: string[] = [];
  const options = { logger: { warn: (code: string) => void lines.push(code) } };
  const records = memoryRecords();
  const adapters = [withRecords(plain(), records, options), withRecords(plain(), records, options)];
  assert.deepEqual(lines, []);
  for (const adapter of adapters) await adapter.getUser?.("nobody");
  assert.deepEqual(lines, ["records-apart"]);
});

test("withRecords() calls the operations of a class on its instance, and deletes users who have a number", async () => {
  class Users {
    readonly #deleted: unknown[] = [];
    getUser() {
      return null;
    }
    deleteUser(id: string) {
      this.#deleted.push(id);
    }
    get deleted() {
      return this.#deleted;
    }
  }
  const users = new Users();
  const records = memoryRecords();
  const adapter = withRecords(users, records, QUIET);
  await records.putRecord({ kind: "device", id: "d", userId: "7", version: 0, data: {} });
  assert.equal(await adapter.getUser(), null);
  await adapter.deleteUser(7 as never);
  assert.deepEqual(users.deleted, [7]);
  assert.equal(await adapter.getRecord({ kind: "device", id: "d" }), null);
  assert.equal("commit" in adapter, false);
});

test("withRecords() changes no record for a plan that removes what its user has not", async () => {
  const records = memoryRecords();
  const adapter = withRecords(memoryAdapter(), records, QUIET);
  for (const id of ["ada", "bob"]) await adapter.createUser({ id, email: `${id}@example.com`, emailVerified: null });
  const key = { provider: "idp", providerAccountId: "1" };
  await adapter.linkAccount({ ...key, type: "oidc", userId: "ada" });
  await records.putRecord(record("password"));
  const remove = [{ kind: "password", id: "password" }];
  const put = [record("ban")];
  for (const [userId, credentialID] of [["bob", null], ["ada", "none"]] as const) {
    const plan: Plan = {
      unlinkAccount: { ...key, userId },
      ...(credentialID && { deleteAuthenticator: { userId, credentialID } }),
      records: { remove, put },
    };
    assert.equal(await adapter.commit(plan), "conflict");
    assert.deepEqual(await stored(records), ["password"]);
  }
  assert.equal(await adapter.commit({ unlinkAccount: { ...key, userId: "ada" }, records: { remove, put } }), "done");
  assert.deepEqual(await stored(records), ["ban"]);
  assert.equal(await adapter.getAccount("1", "idp"), null);
});

/** Everything that was called, until a call fails like the end of the process. */
function ending(adapter: Adapter, records: RecordStore, calls: number): Adapter {
  let left = calls;
  const dying = <Kind extends object>(operations: Kind): Kind =>
    Object.fromEntries(
      Object.entries(operations).map(([name, run]) => [name, (...args: unknown[]) => {
        if (left-- <= 0) throw new Error("the process has ended");
        return run(...args);
      }]),
    ) as Kind;
  return withRecords(dying(adapter), dying(records), QUIET);
}

async function stored(records: RecordStore): Promise<string[]> {
  const kinds = ["password", "factor", "device", "member", "ban", "pending"];
  const lists = await Promise.all(kinds.map((kind) => records.listRecords({ kind, userId: "ada" })));
  return lists.flat().map(({ kind, data }) => data.new ? `new ${kind}` : kind);
}

function record(kind: string, others: Partial<StoredRecord> = {}): StoredRecord {
  return { kind, id: kind, userId: "ada", version: 0, data: {}, ...others };
}

/** Lets something end after each number of calls, and looks at what is stored then. */
async function endEverywhere(
  kinds: readonly string[],
  act: (adapter: Adapter) => unknown,
  look: (state: { readonly user: Awaited<ReturnType<CompleteAdapter["getUser"]>>; readonly kinds: string[] }) => void,
): Promise<void> {
  for (let calls = 0;; calls += 1) {
    const [users, records] = [memoryAdapter(), memoryRecords()];
    await users.createUser(ADA);
    for (const kind of kinds) await records.putRecord(record(kind));
    const { commit, deleteUser } = users;
    let ended = false;
    try {
      await act(ending({ commit, deleteUser }, records, calls));
    } catch (error) {
      assert.match(`${error}`, /the process has ended/);
      ended = true;
    }
    look({ user: await users.getUser("ada"), kinds: await stored(records) });
    if (!ended) {
      assert.ok(calls > 1);
      return;
    }
  }
}

test("a deletion that ends anywhere leaves nothing that lets the user in without what keeps others out", async () => {
  const all = ["password", "factor", "device", "member", "ban"];
  await endEverywhere(all, (adapter) => adapter.deleteUser?.("ada"), ({ user, kinds }) => {
    if (user) assert.ok(kinds.includes("factor") && kinds.includes("ban"));
    else assert.ok(!kinds.some((kind) => ["password", "device", "member"].includes(kind)));
  });
});

test("a plan that ends anywhere never leaves a verified user with what somebody else had added", async () => {
  const plan: Plan = {
    expect: { user: { ...ADA, securityStamp: null } },
    updateUser: { id: "ada", emailVerified: LATER },
    evict: { userId: "ada", email: ADA.email },
    records: { put: [record("password", { data: { new: true } })] },
  };
  await endEverywhere(["password", "device", "member"], (adapter) => adapter.commit?.(plan), ({ user, kinds }) => {
    if (user?.emailVerified) assert.ok(!kinds.includes("password") && !kinds.includes("device"));
    else assert.ok(!kinds.includes("new password"));
    assert.ok(kinds.includes("member"));
  });
});

test("a plan that ends anywhere stores a factor before, and what lets somebody in after everything else", async () => {
  const put = ["factor", "device"].map((kind) => record(kind, { data: { new: true } }));
  const plan: Plan = { updateUser: { id: "ada", name: "Ada" }, records: { put, remove: [record("pending")] } };
  await endEverywhere(["pending"], (adapter) => adapter.commit?.(plan), ({ user, kinds }) => {
    if (user?.name) assert.ok(kinds.includes("new factor") && !kinds.includes("pending"));
    else assert.ok(!kinds.includes("new device"));
  });
});

test("a plan that ends anywhere removes a factor only when everything else is done", async () => {
  const plan: Plan = { updateUser: { id: "ada", name: "Ada" }, records: { remove: [record("factor")] } };
  await endEverywhere(["factor"], (adapter) => adapter.commit?.(plan), ({ user, kinds }) => {
    if (!user?.name) assert.ok(kinds.includes("factor"));
  });
});

test("a plan that is rejected evicts nothing", async () => {
  const [users, records] = [memoryAdapter(), memoryRecords()];
  await users.createUser(ADA);
  await records.putRecord(record("password"));
  const adapter = withRecords({ commit: users.commit }, records, QUIET);
  const plan: Plan = {
    expect: { user: { ...ADA, securityStamp: "other" } },
    evict: { userId: "ada", email: ADA.email },
  };
  assert.equal(await adapter.commit(plan), "conflict");
  assert.deepEqual(await stored(records), ["password"]);
});

test("a plan fails if a record was changed after everything else was written", async () => {
  const [users, records] = [memoryAdapter(), memoryRecords()];
  await users.createUser(ADA);
  const commit = async (plan: Plan) => {
    await records.putRecord(record("device"));
    return await users.commit(plan);
  };
  const adapter = withRecords({ commit }, records, QUIET);
  await assert.rejects(
    () => adapter.commit({ records: { put: [record("device")] } }) as Promise<unknown>,
    AdapterError,
  );
});
