import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryAdapter } from "../../../adapters/memory.ts";
import type { Adapter } from "../../../src/contract/adapter.ts";
import { AdapterError } from "../../../src/kernel/errors.ts";
import { guardAdapter } from "../../../src/storage/guard.ts";
import { recordsIn } from "../../../src/storage/stored_records.ts";

const KEY = { kind: "factor", id: "f" };
const RECORD = { ...KEY, userId: "ada", group: "g", version: 3, expires: null, data: { a: 1 } };

function recordsOf(adapter: Adapter) {
  const records = recordsIn(guardAdapter({ ...memoryAdapter(), ...adapter }));
  assert.ok(records);
  return records;
}

test("recordsIn() gives nothing if the adapter lacks one of the operations", () => {
  assert.ok(recordsIn(guardAdapter(memoryAdapter())));
  for (const name of ["getRecord", "putRecord", "removeRecord", "listRecords"]) {
    assert.equal(recordsIn(guardAdapter({ ...memoryAdapter(), [name]: undefined })), null);
  }
});

test("recordsIn() stores and finds records", async () => {
  const records = recordsOf({});
  const version = await records.putRecord({ ...KEY, version: 0, data: { a: 1 } });
  assert.equal((await records.getRecord(KEY))?.version, version);
  assert.equal(await records.putRecord({ ...KEY, version: 0, data: {} }), null);
  assert.equal(await records.removeRecord(KEY), true);
  assert.equal(await records.getRecord(KEY), null);
});

test("recordsIn() refuses a record that is another one, or not a record", async () => {
  const flaws: readonly object[] = [
    { kind: "device" },
    { id: "other" },
    { version: 0 },
    { version: "3" },
    { expires: "2031-01-01" },
    { expires: new Date(NaN) },
    { data: [] },
    { data: null },
  ];
  for (const flaw of flaws) {
    const records = recordsOf({ getRecord: () => ({ ...RECORD, ...flaw }) });
    await assert.rejects(() => records.getRecord(KEY), AdapterError, JSON.stringify(flaw));
  }
  assert.deepEqual(await recordsOf({ getRecord: () => RECORD }).getRecord(KEY), RECORD);
});

test("recordsIn() refuses a list with the record of another user, group or kind", async () => {
  const records = recordsOf({ listRecords: () => [RECORD] });
  assert.equal((await records.listRecords({ kind: "factor", userId: "ada" })).length, 1);
  assert.equal((await records.listRecords({ kind: "factor", group: "g", limit: 9 })).length, 1);
  await assert.rejects(() => records.listRecords({ kind: "factor", userId: "bob" }), AdapterError);
  await assert.rejects(() => records.listRecords({ kind: "factor", group: "h", limit: 9 }), AdapterError);
  await assert.rejects(() => records.listRecords({ kind: "device", userId: "ada" }), AdapterError);
});

test("recordsIn() refuses answers that say neither yes nor no", async () => {
  const odd = recordsOf({ putRecord: () => undefined as never, removeRecord: () => undefined as never });
  await assert.rejects(() => odd.putRecord({ ...KEY, version: 0, data: {} }), AdapterError);
  await assert.rejects(() => odd.removeRecord(KEY), AdapterError);
});
