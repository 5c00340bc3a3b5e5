/**
 * Cases about records of features: one at a time, lists, and many callers at once.
 *
 * @module
 */
import type { CompleteAdapter, StoredRecord } from "../../src/contract/adapter.ts";
import { type Check, recordCheck } from "./case.ts";
import { absent, equal, fails, holds, oneWins } from "./expect.ts";
import { LATER, SOONER, user } from "./records.ts";

/** Makes a record without an owner, to be created. */
export function record(kind: string, id: string, others: Partial<StoredRecord> = {}): StoredRecord {
  return { kind, id, version: 0, data: {}, ...others };
}

/** Creates a record and gives its version. */
export async function stored(a: CompleteAdapter, given: StoredRecord): Promise<number> {
  const version = await a.putRecord(given);
  if (version === null || version < 1) throw new Error(`putRecord(): expected a version, got ${version}`);
  return version;
}

/** Lists the ids of a page of a group. */
async function page(a: CompleteAdapter, limit: number, after?: string): Promise<string[]> {
  return (await a.listRecords({ kind: "member", group: "g", limit, after })).map(({ id }) => id);
}

/** Ids in the order of code points, which is neither that of a language nor that of UTF-16. */
const SORTED = ["-", "1", "10", "2", "B", "a", "a b", "b", "\u00e9", "\uff5e", "\u{1f600}"];

/** Data whose members no feature knows, with all that JSON can hold. */
const DATA = {
  text: 'caf\u00e9 \u{1f600} \0 "quoted" \ud800',
  number: 1.5e-7,
  flags: [true, false, null],
  nested: { list: [{ deep: [[1]] }], "": "empty", "$date": "2031", toString: {} },
};

const OF_THEM: readonly Check[] = [
  recordCheck("getRecord() returns null for a record that does not exist", async (a) => {
    absent(await a.getRecord({ kind: "factor", id: "nothing" }), "getRecord()");
  }),
  recordCheck("putRecord() stores a record, and getRecord() finds it with all of its members", async (a) => {
    const { id: userId } = await a.createUser(user("ada"));
    const given = record("member", "m-1", { userId, group: "g", expires: LATER, data: DATA });
    const version = await stored(a, given);
    equal(await a.getRecord({ kind: "member", id: "m-1" }), { ...given, version }, "getRecord()");
  }),
  recordCheck("putRecord() keeps members of the data that nobody knows", async (a) => {
    await stored(a, record("event", "e-1", { data: DATA }));
    const found = await a.getRecord({ kind: "event", id: "e-1" });
    equal(JSON.stringify(found?.data.nested), JSON.stringify(DATA.nested), "the nested data");
    equal(found?.data, DATA, "the data");
  }),
  recordCheck("Records of one id and other kinds are other records", async (a) => {
    await stored(a, record("factor", "1", { data: { name: "one" } }));
    await stored(a, record("device", "1", { data: { name: "other" } }));
    holds(await a.getRecord({ kind: "factor", id: "1" }), { kind: "factor", data: { name: "one" } }, "the factor");
    holds(await a.getRecord({ kind: "device", id: "1" }), { kind: "device", data: { name: "other" } }, "the device");
  }),
  recordCheck("putRecord() with version 0 returns null if the record exists, and keeps it", async (a) => {
    await stored(a, record("key", "k", { data: { name: "first" } }));
    equal(await a.putRecord(record("key", "k", { data: { name: "second" } })), null, "putRecord() again");
    holds(await a.getRecord({ kind: "key", id: "k" }), { data: { name: "first" } }, "getRecord()");
  }),
  recordCheck("putRecord() replaces the whole record of its version, and no other", async (a) => {
    const { id: userId } = await a.createUser(user("ada"));
    const version = await stored(a, record("key", "k", { userId, group: "g", expires: LATER, data: { old: 1 } }));
    equal(await a.putRecord(record("key", "k", { version: version + 1 })), null, "putRecord() of another version");
    const next = await a.putRecord(record("key", "k", { version, data: { replaced: true } }));
    equal(next === version, false, "whether the version stays");
    equal(await a.putRecord(record("key", "k", { version })), null, "putRecord() of the version before");
    const found = await a.getRecord({ kind: "key", id: "k" });
    equal(found, { ...record("key", "k", { data: { replaced: true } }), version: next }, "getRecord()");
    equal((await a.listRecords({ kind: "key", userId })).length, 0, "the records of the former owner");
    equal((await a.listRecords({ kind: "key", group: "g", limit: 9 })).length, 0, "the records of the former group");
  }),
  recordCheck("putRecord() returns null for a version if there is no record, and stores none", async (a) => {
    equal(await a.putRecord(record("key", "k", { version: 1 })), null, "putRecord()");
    absent(await a.getRecord({ kind: "key", id: "k" }), "getRecord()");
  }),
  recordCheck("The version of a record that was removed does not come back", async (a) => {
    const version = await stored(a, record("password", "p", { data: { hash: "former" } }));
    await a.removeRecord({ kind: "password", id: "p" });
    await stored(a, record("password", "p", { data: { hash: "new" } }));
    const late = record("password", "p", { version, data: { hash: "former, again" } });
    equal(await a.putRecord(late), null, "putRecord() of the version before the removal");
    holds(await a.getRecord({ kind: "password", id: "p" }), { data: { hash: "new" } }, "getRecord()");
  }),
  recordCheck("removeRecord() removes a record once, and with a version only that one", async (a) => {
    const version = await stored(a, record("key", "k"));
    equal(await a.removeRecord({ kind: "key", id: "k", version: version + 1 }), false, "another version");
    holds(await a.getRecord({ kind: "key", id: "k" }), { version }, "getRecord()");
    equal(await a.removeRecord({ kind: "key", id: "k", version }), true, "removeRecord()");
    absent(await a.getRecord({ kind: "key", id: "k" }), "getRecord() afterwards");
    equal(await a.removeRecord({ kind: "key", id: "k" }), false, "removeRecord() again");
  }),
  recordCheck("putRecord() rejects a user who does not exist", async (a) => {
    await fails(() => a.putRecord(record("key", "k", { userId: "nobody" })), "putRecord()");
    absent(await a.getRecord({ kind: "key", id: "k" }), "getRecord()");
  }, "guardsRelations"),
  recordCheck("deleteUser() removes the records of the user, and no others", async (a) => {
    const [ada, bob] = [await a.createUser(user("ada")), await a.createUser(user("bob"))];
    const given = record("member", "m-1", { userId: ada.id, group: "g" });
    for (const kind of ["password", "factor", "custom"]) await stored(a, record(kind, "1", { userId: ada.id }));
    await stored(a, given);
    await stored(a, record("member", "m-2", { userId: bob.id, group: "g" }));
    await stored(a, record("member", "m-3", { group: "g" }));
    await a.deleteUser(ada.id);
    for (const kind of ["password", "factor", "custom"]) absent(await a.getRecord({ kind, id: "1" }), kind);
    absent(await a.getRecord({ kind: "member", id: "m-1" }), "the member");
    equal(await page(a, 9), ["m-2", "m-3"], "the records of others");
    await a.createUser(user("ada"));
    equal((await a.listRecords({ kind: "member", userId: ada.id })).length, 0, "the records of a new user of this id");
    await stored(a, { ...given, userId: bob.id });
  }),
];

const LISTS: readonly Check[] = [
  recordCheck("listRecords() lists what a user has of one kind, by id", async (a) => {
    const [ada, bob] = [await a.createUser(user("ada")), await a.createUser(user("bob"))];
    for (const id of SORTED.toReversed()) await stored(a, record("device", id, { userId: ada.id }));
    await stored(a, record("factor", "2", { userId: ada.id }));
    await stored(a, record("device", "of bob", { userId: bob.id }));
    await stored(a, record("device", "of nobody"));
    equal((await a.listRecords({ kind: "device", userId: ada.id })).map(({ id }) => id), SORTED, "listRecords()");
    equal(await a.listRecords({ kind: "device", userId: "nobody" }), [], "listRecords() of nobody");
  }),
  recordCheck("listRecords() lists a group page by page, by id", async (a) => {
    for (const id of SORTED.toReversed()) await stored(a, record("member", id, { group: "g", data: { id } }));
    await stored(a, record("invitation", "2", { group: "g" }));
    await stored(a, record("member", "other", { group: "h" }));
    equal(await page(a, 4), SORTED.slice(0, 4), "the first page");
    equal(await page(a, 4, SORTED[3]), SORTED.slice(4, 8), "the second page");
    equal(await page(a, 4, SORTED[7]), SORTED.slice(8), "the last page");
    equal(await page(a, 4, SORTED.at(-1)), [], "the page after it");
    equal(await page(a, 99, "a a"), SORTED.slice(6), "the page after an id that does not exist");
    holds((await a.listRecords({ kind: "member", group: "g", limit: 1 }))[0], { data: { id: "-" } }, "a record of it");
  }),
  recordCheck("listRecords() reads no more rows than a page has", async (a, _, reads) => {
    if (!reads) return;
    const rows = Array.from({ length: 600 }, (_, row) => record("member", `m-${row}`, { group: `g-${row % 2}` }));
    for (const row of rows) await stored(a, row);
    const run = async () => {
      const found = await a.listRecords({ kind: "member", group: "g-1", after: "m-2", limit: 20 });
      equal(found.length, 20, "the rows of the page");
    };
    const count = await reads(run);
    // A store of keys reads a key and its entry.
    if (count > 40) throw new Error(`listRecords(): it read ${count} rows for a page of 20`);
  }),
];

const EXPIRY: readonly Check[] = [
  recordCheck("A record that has expired does not exist", async (a, clock) => {
    if (!clock) return;
    const { id: userId } = await a.createUser(user("ada"));
    const version = await stored(a, record("pending", "p", { userId, group: "g", expires: SOONER }));
    const key = { kind: "pending", id: "p" };
    clock.set(SOONER.getTime() - 1);
    holds(await a.getRecord(key), { version }, "getRecord() before");
    clock.set(SOONER.getTime());
    absent(await a.getRecord(key), "getRecord()");
    equal(await a.listRecords({ kind: "pending", userId }), [], "the records of the user");
    equal(await a.listRecords({ kind: "pending", group: "g", limit: 9 }), [], "the records of the group");
    equal(await a.putRecord(record("pending", "p", { version, userId })), null, "putRecord() of its version");
    equal(await a.removeRecord(key), false, "removeRecord()");
  }),
  recordCheck("A record that has expired can be created again", async (a, clock) => {
    if (!clock) return;
    const version = await stored(a, record("pending", "p", { group: "g", expires: SOONER, data: { old: true } }));
    clock.set(SOONER.getTime());
    const again = record("pending", "p", { expires: LATER, data: { old: false } });
    equal(await stored(a, again) === version, false, "whether the version is the former one");
    holds(await a.getRecord(again), { expires: LATER, data: { old: false } }, "getRecord()");
    equal(await a.putRecord(again), null, "putRecord() once more");
    equal(await a.listRecords({ kind: "pending", group: "g", limit: 9 }), [], "the records of the former group");
  }),
];

const CONTESTS: readonly Check[] = [
  recordCheck("Of many callers who create one record, one succeeds", async (a) => {
    const run = (caller: number) => a.putRecord(record("key", "k", { data: { caller } }));
    await oneWins(run, (version) => version !== null, "putRecord()");
  }, "survivesRaces"),
  recordCheck("Of many callers who change one version of a record, one succeeds", async (a) => {
    const version = await stored(a, record("key", "k"));
    let winner = -1;
    await oneWins(
      async (caller) => {
        const next = await a.putRecord(record("key", "k", { version, data: { caller } }));
        if (next !== null) winner = caller;
        return next;
      },
      (next) => next !== null,
      "putRecord()",
    );
    holds(await a.getRecord({ kind: "key", id: "k" }), { data: { caller: winner } }, "getRecord()");
  }, "survivesRaces"),
  recordCheck("Of many callers who remove one record, one succeeds", async (a) => {
    await stored(a, record("pending", "p"));
    await oneWins(() => a.removeRecord({ kind: "pending", id: "p" }), (removed) => removed, "removeRecord()");
  }, "survivesRaces"),
];

export const STORED_RECORDS: readonly Check[] = [...OF_THEM, ...LISTS, ...EXPIRY, ...CONTESTS];
