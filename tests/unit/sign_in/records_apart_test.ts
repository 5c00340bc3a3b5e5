import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryRecords } from "../../../adapters/memory.ts";
import { withRecords } from "../../../adapters/records.ts";
import type { Plan, StoredRecord } from "../../../src/contract/adapter.ts";
import { AdapterError } from "../../../src/kernel/errors.ts";
import { applyWithRecords } from "../../../src/sign_in/records_apart.ts";
import { applyInSteps } from "../../../src/sign_in/steps.ts";
import { guardAdapter } from "../../../src/storage/guard.ts";
import { NUMBERING_STORE, PLAIN_STORE, type StoreKind } from "../../_support/stores.ts";

const ADA = { id: "u1", email: "ada@example.com", emailVerified: null };
const OPTIONS = { passkeyProviders: [], isAddition: false, now: () => 0 };

function record(kind: string, others: Partial<StoredRecord> = {}): StoredRecord {
  return { kind, id: kind, userId: ADA.id, version: 0, data: {}, ...others };
}

function open(kind: StoreKind) {
  const { adapter, rows } = kind.open(() => 0);
  const records = memoryRecords();
  const storage = guardAdapter(withRecords(adapter, records, { logger: { warn: () => {} } }));
  const apply = (plan: Plan) => applyWithRecords(storage, plan, (others) => applyInSteps(storage, others, OPTIONS));
  return { adapter, rows, records, storage, apply };
}

test("applyWithRecords() refuses a plan whose records could not be stored", async () => {
  const storage = guardAdapter(PLAIN_STORE.open(() => 0).adapter);
  const write = () => Promise.reject(new Error("it was written"));
  const plan = { createUser: ADA, records: { put: [record("password")] } };
  await assert.rejects(() => applyWithRecords(storage, plan, write), AdapterError);
});

test("applyWithRecords() gives records to the user as storage created it, whatever id it chose", async () => {
  for (const [kind, userId] of [[PLAIN_STORE, "u1"], [NUMBERING_STORE, "number-1"]] as const) {
    const { records, apply } = open(kind);
    const plan = { createUser: ADA, records: { put: [record("password"), record("factor")] } };
    assert.equal((await apply(plan))?.created?.id, userId);
    assert.equal((await records.getRecord(record("password")))?.userId, userId);
    assert.equal((await records.getRecord(record("factor")))?.userId, userId);
  }
});

test("applyWithRecords() evicts records that let somebody in, and no others", async () => {
  const { adapter, records, apply } = open(PLAIN_STORE);
  await adapter.createUser?.(ADA);
  for (const kind of ["password", "factor", "device", "key", "member"]) await records.putRecord(record(kind));
  await apply({ evict: { userId: ADA.id, email: ADA.email }, updateUser: { id: ADA.id, emailVerified: new Date(1) } });
  for (const kind of ["password", "factor", "device", "key"]) {
    assert.equal(await records.getRecord(record(kind)), null, kind);
  }
  assert.equal((await records.getRecord(record("member")))?.kind, "member");
});

test("applyWithRecords() stores what keeps somebody out, or brings a way in back, before everything else", async () => {
  for (
    const [kind, isEarly] of [["factor", true], ["removed", true], ["password", false], ["member", false]] as const
  ) {
    const { adapter, records, storage } = open(PLAIN_STORE);
    await adapter.createUser?.(ADA);
    const write = () => Promise.reject(new Error("the connection broke"));
    await assert.rejects(() => applyWithRecords(storage, { records: { put: [record(kind)] } }, write), /broke/);
    assert.equal(await records.getRecord(record(kind)) !== null, isEarly, kind);
  }
});

test("applyWithRecords() is a conflict if a record is not as the plan expects, and writes nothing", async () => {
  const { rows, records, apply } = open(PLAIN_STORE);
  await records.putRecord(record("pending", { userId: null }));
  const pending = { kind: "pending", id: "pending", version: 1 };
  assert.equal(await apply({ createUser: ADA, expect: { records: [pending] } }), null);
  assert.equal(await apply({ createUser: ADA, records: { put: [record("pending")] } }), null);
  assert.equal(await rows.getUser(ADA.id), null);
});

test("of many plans that use up one record, applyWithRecords() applies one", async () => {
  const { records, apply } = open(PLAIN_STORE);
  const version = await records.putRecord(record("pending", { userId: null }));
  const key = { kind: "pending", id: "pending" };
  const answers = await Promise.all(Array.from({ length: 64 }, (_, caller) =>
    apply({
      createUser: { ...ADA, id: `u${caller}`, email: `${caller}@example.com` },
      expect: { records: [{ ...key, version: version ?? 0 }] },
      records: { remove: [key] },
    })));
  assert.equal(answers.filter((answer) => answer !== null).length, 1);
});
