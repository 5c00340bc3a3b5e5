/** Flaws in what an adapter does with records of features. */
import { conformanceCases } from "../../../adapters/conformance.ts";
import type { Plan, StoredRecord } from "../../../src/contract/adapter.ts";
import { answering, type Flaws, LOOKING_BEFORE, over, pause, planning, type Spoil } from "./_flaws.ts";

/** Before this instant the records of the cases have expired. */
const BETWEEN = new Date(Date.UTC(2100, 10, 12));

/** Stores a record whatever is stored. */
const overwriting: Spoil = over("putRecord", async (a, record) => {
  const found = await a.getRecord(record);
  return await a.putRecord({ ...record, version: found?.version ?? 0 });
});

/** Counts versions from one, so that a record which is created again has the former version. */
const counting: Spoil = (a) => {
  const versions = new Map<string, number>();
  const nameOf = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`;
  const give = (record: StoredRecord | null) => record && { ...record, version: versions.get(nameOf(record)) ?? 0 };
  return {
    getRecord: async (key) => give(await a.getRecord(key)),
    putRecord: async (record) => {
      const found = await a.getRecord(record);
      if ((found ? versions.get(nameOf(record)) : 0) !== record.version) return null;
      await a.putRecord({ ...record, version: found?.version ?? 0 });
      versions.set(nameOf(record), record.version + 1);
      return record.version + 1;
    },
  };
};

/** Keeps members that the new record does not have. */
const merging: Spoil = over("putRecord", async (a, record) => {
  const found = await a.getRecord(record);
  return await a.putRecord({ ...record, data: { ...found?.data, ...record.data } });
});

/** Says that records never expire. */
const lasting: Spoil = over("putRecord", (a, record) => a.putRecord({ ...record, expires: null }));

/** Leaves the records of a user who is deleted. */
const leaving: Spoil = over("deleteUser", async (a, id) => {
  const lists = await Promise.all(["password", "factor", "custom", "member"].map((kind) => {
    return a.listRecords({ kind, userId: id });
  }));
  const answer = await a.deleteUser(id);
  for (const record of lists.flat()) await a.putRecord({ ...record, userId: null, version: 0 });
  return answer;
});

/** Removes from what is given what is not of the first kind that was asked for. */
const mixing: Spoil = (a) => ({
  getRecord: async (key) => {
    const found = await a.getRecord(key);
    return found ?? await a.getRecord({ ...key, kind: "factor" });
  },
  putRecord: (record) => a.putRecord({ ...record, kind: "factor" }),
});

const looking: Spoil = over("putRecord", async (a, record) => {
  const found = await a.getRecord(record);
  if ((found?.version ?? 0) !== record.version) return null;
  await pause();
  const latest = await a.getRecord(record);
  return await a.putRecord({ ...record, version: latest?.version ?? 0 });
});

/** Stores the records of a plan before or after everything else, whatever becomes of that. */
const apart = (order: "before" | "after"): Spoil =>
  over("commit", async (a, { records, ...others }) => {
    const parts: Plan[] = [{ records }, others];
    for (const part of order === "before" ? parts : parts.toReversed()) {
      const answer = await a.commit(part);
      if (answer !== "done") return answer;
    }
    return "done";
  });

const unexpected = planning(({ expect }) => ({ expect: { ...expect, records: undefined } }));

/** Puts records back that a plan evicts. */
const keeping = (...kinds: readonly string[]): Spoil =>
  over("commit", async (a, plan) => {
    const { userId = "" } = plan.evict ?? {};
    const lists = await Promise.all(kinds.map((kind) => a.listRecords({ kind, userId })));
    const answer = await a.commit(plan);
    for (const record of lists.flat()) await a.putRecord({ ...record, version: 0 });
    return answer;
  });

/** Removes records that a plan must not evict. */
const taking = (key: { kind: string; id: string }): Spoil =>
  over("commit", async (a, plan) => {
    const answer = await a.commit(plan);
    if (plan.evict) await a.removeRecord(key);
    return answer;
  });

const sortedBy = (compare: (one: string, other: string) => number): Spoil =>
  over("listRecords", async (a, query) => {
    return (await a.listRecords(query)).sort(({ id }, { id: other }) => compare(id, other));
  });

const inLanguage = sortedBy((one, other) => one.localeCompare(other));
const inUtf16 = sortedBy((one, other) => one < other ? -1 : 1);

const REFUSED = "commit() changes no record and returns conflict if ";

function flawsOf(when: string): readonly Spoil[] {
  if (when.includes("expects")) return [unexpected];
  return [apart(when.startsWith("something else") ? "before" : "after")];
}

const REJECTED = conformanceCases(() => ({ adapter: {} })).map(({ name }) => name)
  .filter((name) => name.startsWith(REFUSED))
  .map((name) => [name, flawsOf(name.slice(REFUSED.length))] as const);

const FLAWS: Flaws = {
  "getRecord() returns null for a record that does not exist": over(
    "getRecord",
    async (a, key) => await a.getRecord(key) ?? undefined,
  ),
  "putRecord() stores a record, and getRecord() finds it with all of its members": [
    over("putRecord", (a, record) => a.putRecord({ ...record, group: null })),
    lasting,
  ],
  "putRecord() keeps members of the data that nobody knows": [
    answering((value) => typeof value === "string" ? value.replaceAll("\0", "") : value, ["getRecord"]),
    answering((value) => typeof value === "string" ? value.toWellFormed() : value, ["getRecord"]),
    answering((value, name) => name === "$date" ? new Date(`${value}`) : value, ["getRecord"]),
  ],
  "Records of one id and other kinds are other records": mixing,
  "putRecord() with version 0 returns null if the record exists, and keeps it": overwriting,
  "putRecord() replaces the whole record of its version, and no other": [overwriting, merging],
  "putRecord() returns null for a version if there is no record, and stores none": overwriting,
  "The version of a record that was removed does not come back": counting,
  "removeRecord() removes a record once, and with a version only that one": [
    over("removeRecord", (a, { kind, id }) => a.removeRecord({ kind, id })),
    over("removeRecord", async (a, key) => {
      await a.removeRecord(key);
      return true;
    }),
    over("removeRecord", () => false),
  ],
  "putRecord() rejects a user who does not exist": over(
    "putRecord",
    async (a, record) => await a.putRecord(await a.getUser(record.userId ?? "") ? record : { ...record, userId: null }),
  ),
  "deleteUser() removes the records of the user, and no others": [
    leaving,
    over("deleteUser", async (a, id) => {
      await a.removeRecord({ kind: "member", id: "m-3" });
      return await a.deleteUser(id);
    }),
  ],
  "listRecords() lists what a user has of one kind, by id": [
    inLanguage,
    inUtf16,
    over("listRecords", async (a, query) => [
      ...await a.listRecords(query),
      ...await a.listRecords({ ...query, kind: "factor" }),
    ]),
  ],
  "listRecords() lists a group page by page, by id": [
    inLanguage,
    over("listRecords", (a, query) => a.listRecords("limit" in query ? { ...query, after: undefined } : query)),
    over("listRecords", (a, query) => a.listRecords("limit" in query ? { ...query, limit: 99 } : query)),
    over("listRecords", async (a, query) => {
      const more = "limit" in query ? await a.listRecords({ ...query, group: "h" }) : [];
      return [...await a.listRecords(query), ...more];
    }),
  ],
  "A record that has expired does not exist": lasting,
  "A record that has expired can be created again": over("putRecord", (a, record) => {
    return record.expires && record.expires < BETWEEN ? a.putRecord({ ...record, expires: null }) : a.putRecord(record);
  }),
  "Of many callers who create one record, one succeeds": looking,
  "Of many callers who change one version of a record, one succeeds": looking,
  "Of many callers who remove one record, one succeeds": over("removeRecord", async (a, key) => {
    const found = await a.getRecord(key);
    await pause();
    await a.removeRecord(key);
    return found !== null;
  }),
  "commit() stores and removes records, with those of a user whom it creates": [
    planning(() => ({ records: undefined })),
    planning(({ records }) => ({ records: { put: records?.put } })),
    planning(({ records }) => ({ records: { remove: records?.remove } })),
    apart("before"),
  ],
  "commit() removes a record before it stores one of the same key": over("commit", async (a, plan) => {
    const answer = await a.commit({ ...plan, records: { put: plan.records?.put } });
    return answer === "done" ? a.commit({ records: { remove: plan.records?.remove } }) : answer;
  }),
  "commit() evicts no record of another kind or another user": [
    taking({ kind: "member", id: "1" }),
    taking({ kind: "password", id: "2" }),
    taking({ kind: "key", id: "3" }),
  ],
  "commit() stores a record again that it evicts": apart("before"),
  "Of many plans that change one version of a record, one is done": over("commit", async (a, plan) => {
    await a.commit(plan);
    return "done";
  }),
  "Of many plans that expect one version and change it, one is done": LOOKING_BEFORE,
  ...Object.fromEntries(
    ["password", "factor", "device", "key", "deletion", "removed"].map((kind) => {
      return [`commit() evicts records of kind ${kind}`, keeping(kind)];
    }),
  ),
  ...Object.fromEntries(REJECTED),
};

/** Every case about records with every flaw that it must see. */
export const RECORD_FLAWS: readonly (readonly [name: string, spoil: Spoil])[] = Object.entries(FLAWS).flatMap(
  ([name, spoils]) => [spoils].flat().map((spoil) => [name, spoil] as const),
);
