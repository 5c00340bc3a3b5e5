/**
 * Cases about records of features in plans.
 *
 * @module
 */
import type { CompleteAdapter, Plan } from "../../src/contract/adapter.ts";
import { type Check, planCheck } from "./case.ts";
import { absent, equal, holds, oneWins, show } from "./expect.ts";
import { account, LATER, session, user } from "./records.ts";
import { record, stored } from "./stored_records.ts";

const ADA = "id-of-ada";
const EMAIL = "ada@example.com";
const FACTOR = { kind: "factor", id: "f" };

/** Plans that must change nothing, made with the version of the factor that is stored. */
const REJECTED: Readonly<Record<string, (version: number) => Plan>> = {
  "a record to create exists": () => ({ records: { put: [record("factor", "f", { data: { changed: true } })] } }),
  "a record to change has another version": (version) => ({
    records: { put: [record("factor", "f", { version: version + 1, data: { changed: true } })] },
  }),
  "a record to change does not exist": (version) => ({ records: { put: [record("factor", "other", { version })] } }),
  "the second of its records conflicts": () => ({
    records: { put: [record("factor", "new"), record("factor", "f", { data: { changed: true } })] },
  }),
  "the user of a record does not exist": () => ({
    records: { put: [record("factor", "new", { userId: "nobody" })], remove: [FACTOR] },
  }),
  "it expects another version of a record": (version) => ({
    expect: { records: [{ ...FACTOR, version: version + 1 }] },
    records: { remove: [FACTOR] },
  }),
  "it expects a record that does not exist": (version) => ({
    expect: { records: [{ kind: "factor", id: "other", version }] },
    records: { remove: [FACTOR] },
  }),
  "it expects that there is no record, and there is one": () => ({
    expect: { records: [{ ...FACTOR, version: 0 }] },
    records: { remove: [FACTOR] },
  }),
  "something else conflicts after its records": (version) => ({
    records: { put: [record("factor", "f", { version, data: { changed: true } }), record("key", "new")] },
    linkAccount: account(ADA, "1"),
  }),
};

async function populate(a: CompleteAdapter): Promise<number> {
  await a.createUser(user("ada"));
  await a.linkAccount(account(ADA, "1"));
  return await stored(a, record("factor", "f", { userId: ADA, data: { changed: false } }));
}

async function read(a: CompleteAdapter): Promise<string> {
  const keys = [FACTOR, { kind: "factor", id: "new" }, { kind: "key", id: "new" }, { kind: "factor", id: "other" }];
  return show(await Promise.all(keys.map((key) => a.getRecord(key))));
}

export const RECORD_PLANS: readonly Check[] = [
  planCheck("commit() stores and removes records, with those of a user whom it creates", async (a) => {
    const version = await populate(a);
    await stored(a, record("pending", "p", { expires: LATER }));
    const plan: Plan = {
      expect: { records: [{ ...FACTOR, version }, { kind: "password", id: "eve", version: 0 }] },
      createUser: user("eve"),
      records: {
        remove: [{ kind: "pending", id: "p" }, { kind: "pending", id: "nothing" }],
        put: [
          record("password", "eve", { userId: "id-of-eve", data: { hash: "h" } }),
          record("factor", "f", { userId: ADA, version, data: { changed: true } }),
        ],
      },
      createSession: session("id-of-eve", "s"),
    };
    equal(await a.commit(plan), "done", "commit()");
    holds(await a.getRecord({ kind: "password", id: "eve" }), { data: { hash: "h" } }, "the password");
    equal((await a.listRecords({ kind: "password", userId: "id-of-eve" })).length, 1, "the records of the new user");
    holds(await a.getRecord(FACTOR), { userId: ADA, data: { changed: true } }, "the factor");
    absent(await a.getRecord({ kind: "pending", id: "p" }), "the pending record");
    equal(await a.commit(plan), "conflict", "commit() again");
  }),
  planCheck("commit() removes a record before it stores one of the same key", async (a) => {
    await populate(a);
    const put = [record("factor", "f", { data: { new: true } })];
    equal(await a.commit({ records: { remove: [FACTOR], put } }), "done", "commit()");
    equal((await a.getRecord(FACTOR))?.data, { new: true }, "the record");
  }),
  ...Object.entries(REJECTED).map(([when, planOf]) =>
    planCheck(
      `commit() changes no record and returns conflict if ${when}`,
      async (a) => {
        const version = await populate(a);
        const before = await read(a);
        equal(await a.commit({ ...planOf(version), createUser: user("eve") }), "conflict", "commit()");
        equal(await read(a), before, "the records");
        equal(await a.getUser("id-of-eve"), null, "the new user");
      },
      when.includes("user of a record") ? "guardsRelations" : undefined,
    )
  ),
  ...["password", "factor", "device", "key", "deletion", "removed"].map((kind) =>
    planCheck(`commit() evicts records of kind ${kind}`, async (a) => {
      await a.createUser(user("ada"));
      const version = await stored(a, record(kind, "1", { userId: ADA, group: "g" }));
      equal(await a.commit({ evict: { userId: ADA, email: EMAIL } }), "done", "commit()");
      absent(await a.getRecord({ kind, id: "1" }), "getRecord()");
      equal(await a.listRecords({ kind, userId: ADA }), [], "the records of the user");
      equal(await a.listRecords({ kind, group: "g", limit: 9 }), [], "the records of the group");
      equal(await a.putRecord(record(kind, "1", { userId: ADA, version })), null, "putRecord() of what was removed");
    })
  ),
  planCheck("commit() evicts no record of another kind or another user", async (a) => {
    await a.createUser(user("ada"));
    await a.createUser(user("bob"));
    await stored(a, record("member", "1", { userId: ADA, group: "g" }));
    await stored(a, record("password", "2", { userId: "id-of-bob" }));
    await stored(a, record("key", "3", { group: "g" }));
    equal(await a.commit({ evict: { userId: ADA, email: EMAIL } }), "done", "commit()");
    equal((await a.listRecords({ kind: "member", userId: ADA })).length, 1, "the user's other records");
    equal((await a.listRecords({ kind: "password", userId: "id-of-bob" })).length, 1, "the records of another user");
    holds(await a.getRecord({ kind: "key", id: "3" }), { group: "g" }, "the record without a user");
  }),
  planCheck("commit() stores a record again that it evicts", async (a) => {
    await a.createUser(user("ada"));
    const former = await stored(a, record("password", "p", { userId: ADA, data: { hash: "of somebody else" } }));
    const put = [record("password", "p", { userId: ADA, data: { hash: "own" } })];
    equal(await a.commit({ evict: { userId: ADA, email: EMAIL }, records: { put } }), "done", "commit()");
    const late = record("password", "p", { userId: ADA, version: former, data: { hash: "of somebody else" } });
    equal(await a.putRecord(late), null, "putRecord() of the version before");
    holds(await a.getRecord({ kind: "password", id: "p" }), { data: { hash: "own" } }, "the password");
    equal((await a.listRecords({ kind: "password", userId: ADA })).length, 1, "the records of the user");
  }),
  planCheck("Of many plans that change one version of a record, one is done", async (a) => {
    const version = await populate(a);
    const run = (caller: number) => {
      return a.commit({ records: { put: [record("factor", "f", { userId: ADA, version, data: { caller } })] } });
    };
    await oneWins(run, (answer) => answer === "done", "commit()");
  }, "survivesRaces"),
  planCheck("Of many plans that expect one version and change it, one is done", async (a) => {
    const version = await populate(a);
    const run = (caller: number) => {
      const { kind, id } = FACTOR;
      return a.commit({
        expect: { records: [{ kind, id, version }] },
        records: { remove: [FACTOR], put: [record("key", `${caller}`)] },
      });
    };
    await oneWins(run, (answer) => answer === "done", "commit()");
  }, "survivesRaces"),
];
