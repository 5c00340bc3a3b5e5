import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pool } from "../../../../adapters/sql/postgres_driver.ts";
import { CommitUnknown } from "../../../../adapters/sql/retries.ts";
import { transact } from "../../../../adapters/sql/postgres_transaction.ts";
import { systemRuntime } from "../../../../src/kernel/runtime.ts";

const runtime = {
  random: systemRuntime.random,
  timer: (_: number, run: () => void) => {
    run();
    return () => {};
  },
};

function fails(code: string | undefined): Error {
  return Object.assign(new Error(code ?? "no code"), code === undefined ? {} : { code });
}

/** How a server answers when it is asked for the number of a transaction, at a commit, and about a number. */
interface Answers {
  readonly number?: () => unknown;
  readonly commit?: () => void;
  readonly fate?: string;
}

/** A server. `said` lists what it was asked. */
function serverOf({ number = () => "7", commit = () => {}, fate }: Answers) {
  const said: string[] = [];
  const query: Pool["query"] = (sql) => {
    const isNumber = sql.includes("pg_current_xact_id");
    said.push(isNumber ? "number" : sql.includes("pg_xact_status") ? "fate" : sql);
    return Promise.resolve().then(() => [[isNumber ? number() : fate]] as never);
  };
  const pool: Pool = {
    query,
    prepared: query,
    transaction: async (run) => {
      const result = await run(query);
      said.push("commit");
      commit();
      return result;
    },
  };
  const write = () => transact(pool, runtime, (ask) => ask("write", []).then(() => "written"));
  return { said, write };
}

function refusing(code: string | undefined): () => never {
  return () => {
    throw fails(code);
  };
}

for (const code of ["42883", "0A000"]) {
  test(`transact() does without the number of a transaction where the server has none, and asks once (${code})`, async () => {
    const { said, write } = serverOf({ number: refusing(code) });
    assert.deepEqual([await write(), await write()], ["written", "written"]);
    assert.deepEqual(said, ["number", "write", "commit", "write", "commit"]);
  });
}

test("transact() does not take a failed statement for a server without numbers", async () => {
  let writes = 0;
  const { said, write } = serverOf({ commit: () => void (writes += 1) });
  await write();
  assert.deepEqual([said, writes], [["number", "write", "commit"], 1]);
  const failing = serverOf({ number: refusing("40001") });
  await assert.rejects(failing.write, /40001/);
  assert.deepEqual(failing.said, ["number"]);
});

for (const [how, number] of [["fails", refusing("42883")], ["gives none", () => null]] as const) {
  test(`transact() says that it cannot tell of a lost commit where the question for a number ${how}`, async () => {
    const { said, write } = serverOf({ number, commit: refusing("ECONNRESET"), fate: "aborted" });
    await assert.rejects(write, CommitUnknown);
    assert.equal(said.filter((word) => word === "commit").length, 1);
    assert.ok(!said.includes("fate"));
  });
}

for (const code of [undefined, "P2028", "40003", "08007", "EPIPE", "SOMETHING_NEW"]) {
  test(`transact() asks what became of a commit that failed without a refusal of the server: ${code}`, async () => {
    const done = serverOf({ commit: refusing(code), fate: "committed" });
    assert.equal(await done.write(), "written");
    const undone = serverOf({ commit: refusing(code), fate: "aborted" });
    await assert.rejects(undone.write, new RegExp(code ?? "no code"));
    const unknown = serverOf({ commit: refusing(code) });
    await assert.rejects(unknown.write, CommitUnknown);
  });
}

for (const code of ["40001", "40P01", "23503", "P2034"]) {
  test(`transact() believes a server that refuses a commit: ${code}`, async () => {
    const { said, write } = serverOf({ commit: refusing(code), fate: "committed" });
    await assert.rejects(write, new RegExp(code));
    assert.ok(!said.includes("fate"));
  });
}
