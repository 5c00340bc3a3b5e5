import assert from "node:assert/strict";
import { test } from "node:test";
import { denoKvAdapter, kvRecords } from "../../../adapters/deno_kv.ts";
import { storeFor } from "./_kv.ts";
import { dump, ofKind, problemsOf } from "./_kv_dump.ts";
import { counted } from "./_reads.ts";

const ADA = { id: "ada", email: "ada@example.com", emailVerified: null };

/** More than one sweep removes. */
const MANY = Array.from({ length: 130 }, (_, number) => ({
  kind: "device",
  id: `d-${number}`,
  userId: "ada",
  version: 0,
  data: {},
}));

test("denoKvAdapter() gives no record that was left of a deleted user to a new one under the same id", async (t) => {
  const kv = await storeFor(t);
  const adapter = denoKvAdapter(kv);
  await adapter.createUser(ADA);
  for (const record of MANY) await adapter.putRecord(record);
  await adapter.deleteUser("ada");
  const [left] = ofKind(await dump(kv), "record");
  assert.ok(left, "the sweep left none");
  await adapter.createUser(ADA);
  const key = { kind: "device", id: left.key[2] ?? "" };
  assert.equal(await adapter.getRecord(key), null);
  assert.deepEqual(await adapter.listRecords({ kind: "device", userId: "ada" }), []);
  // What was left does not keep a record from being created.
  assert.equal(typeof await adapter.putRecord({ ...key, version: 0, data: {} }), "number");
  assert.equal((await adapter.getRecord(key))?.userId, null);
  assert.deepEqual(await adapter.listRecords({ kind: "device", userId: "ada" }), []);
});

test("denoKvAdapter() evicts more records at once than one sweep removes, and the next sweeps remove the rest", async (t) => {
  const kv = await storeFor(t);
  const adapter = denoKvAdapter(kv);
  await adapter.createUser(ADA);
  for (const record of MANY) await adapter.putRecord(record);
  await adapter.putRecord({ kind: "member", id: "m", userId: "ada", version: 0, data: {} });
  const evict = { userId: "ada", email: ADA.email };
  await adapter.commit({ evict });
  assert.deepEqual(await adapter.listRecords({ kind: "device", userId: "ada" }), []);
  for (let times = 0; times < 9; times += 1) await adapter.commit({ evict });
  assert.deepEqual(ofKind(await dump(kv), "record").map(({ key }) => key[2]), ["m"]);
  assert.deepEqual(problemsOf(await dump(kv)), []);
});

test("kvRecords() removes all records of a user, however many there are, and no others", async (t) => {
  const kv = await storeFor(t);
  const records = kvRecords(kv);
  for (const record of MANY) await records.putRecord({ ...record, group: "g" });
  await records.putRecord({ kind: "device", id: "of bob", userId: "bob", group: "g", version: 0, data: {} });
  await records.putRecord({ kind: "factor", id: "f", userId: "ada", version: 0, data: {} });
  await records.removeRecordsOf({ userId: "ada", but: ["factor"] });
  const keys = (await dump(kv)).map(({ key }) => key.join(" ")).filter((key) => !key.startsWith("receipt"));
  assert.deepEqual(keys, [
    "record device of bob",
    "record factor f",
    "record_by_group g device of bob",
    "record_by_user ada factor f",
    "record_by_user bob device of bob",
  ]);
});

test("a page of 100 of 100,000 records reads 100 keys and their records in Deno KV", async (t) => {
  const store = await storeFor(t);
  let atomic = store.atomic();
  for (let number = 0; number < 100_000; number += 1) {
    const [id, group] = [`${number}`.padStart(6, "0"), `g${number % 100}`];
    const record = { kind: "member", id, userId: null, group, version: 1, expires: null, data: {} };
    // Only those of one group are read.
    if (group === "g7") atomic.set(["auth", "record", "member", id], record);
    atomic.set(["auth", "record_by_group", group, "member", id], true);
    if (number % 800 === 799) {
      await atomic.commit();
      atomic = store.atomic();
    }
  }
  const { kv, reads } = counted(store);
  const adapter = denoKvAdapter(kv);
  for (const after of [undefined, "050007"]) {
    assert.equal(
      await reads(async () => {
        assert.equal((await adapter.listRecords({ kind: "member", group: "g7", after, limit: 100 })).length, 100);
      }),
      200,
    );
  }
});
