/** What is stored over libSQL when processes are killed, statements fail, and connections are lost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "@libsql/client";
import { type LibsqlStatement, sqliteAdapter } from "@x/auth/adapters/sqlite";
import { BOB, changesBetween, expectation, fullPlan, populate, readWorld } from "../../adapters/conformance/world.ts";
import { printLine } from "../../scripts/print.ts";
import type { CompleteAdapter, Plan } from "../../src/contract/adapter.ts";
import { contend, oneEach, prepare } from "../_support/contest.ts";
import { assertStored, FLAWS, killed } from "../_support/endless_sign_ins.ts";
import { type Loss, startHrana } from "./hrana_server.ts";
import { temporaryFile } from "./temporary.ts";

const ROUNDS = 34;
const PROCESSES = 3;
const SCRIPT = fileURLToPath(new URL("./_libsql_sign_ins.ts", import.meta.url));

test(`every acknowledged sign-in is stored after ${ROUNDS * PROCESSES} kills of processes on one file, and none in part`, async () => {
  const { path, remove } = await temporaryFile("auth.db");
  // Nothing else in this process opens it: another copy of SQLite would release the locks of this one.
  const first = createClient({ url: `file:${path}` });
  await sqliteAdapter(first).getUser("nobody");
  assert.equal((await first.execute("pragma journal_mode")).rows[0]?.journal_mode, "wal");
  let acknowledged = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const lives = Array.from({ length: PROCESSES }, (_, index) => round * PROCESSES + index);
    const names = (await Promise.all(lives.map((life) => killed(SCRIPT, path, life)))).flat();
    acknowledged += names.length;
    await assertStored(sqliteAdapter(first), names);
    const count = async (sql: string) => Object.values((await first.execute(sql)).rows[0] ?? {})[0];
    for (const [flaw, sql] of Object.entries(FLAWS)) assert.equal(await count(sql), 0, flaw);
    if (round % 10 === 0) assert.equal(await count("pragma integrity_check"), "ok");
  }
  printLine(`${acknowledged} sign-ins over libSQL were acknowledged before ${ROUNDS * PROCESSES} kills`);
  assert.ok(acknowledged >= ROUNDS);
  first.close();
  await remove();
});

/** What is stored before a plan, and a plan that changes every kind of thing. */
async function populated(adapter: CompleteAdapter): Promise<Plan> {
  await populate(adapter);
  const record = { kind: "k", id: "1", userId: BOB, version: 0, data: {} };
  const version = await adapter.putRecord(record);
  assert.ok(version);
  return {
    ...fullPlan(),
    expect: { ...expectation(), records: [{ kind: "k", id: "1", version }] },
    records: { put: [{ ...record, version }, { ...record, id: "2" }], remove: [{ kind: "k", id: "3" }] },
  };
}

/** What everything is after the plan. */
async function afterwards(): Promise<ReadonlyMap<string, string>> {
  const client = createClient({ url: ":memory:" });
  const adapter = sqliteAdapter(client);
  assert.equal(await adapter.commit(await populated(adapter)), "done");
  const world = await readWorld(adapter);
  client.close();
  return world;
}

/** A plan that failed is done as a whole, or not at all. Whoever repeats it is told which, and then it is done once. */
async function assertWhole(
  adapter: CompleteAdapter,
  { plan, before, done }: { plan: Plan; before: ReadonlyMap<string, string>; done: ReadonlyMap<string, string> },
): Promise<"done" | "not done"> {
  const now = await readWorld(adapter);
  const isDone = changesBetween(now, done).length === 0;
  if (!isDone) assert.deepEqual(changesBetween(now, before), []);
  // What it expects of the token and of the record does not hold a second time.
  assert.equal(await adapter.commit(plan) === "done", !isDone);
  assert.deepEqual(changesBetween(await readWorld(adapter), done), []);
  return isDone ? "done" : "not done";
}

/** More statements than those that remove what has expired. */
const MOST_SWEPT = 20;

/** A client whose call, or a statement of whose batch, fails. */
function faulty(client: Client) {
  const state = { calls: 0, fails: -1, how: "before" as Loss, statements: 0, statement: -1 };
  const call = async <Answer>(run: () => Promise<Answer>): Promise<Answer> => {
    const isFailing = state.calls++ === state.fails;
    if (isFailing && state.how === "before") throw new Error("lost before");
    const answer = await run();
    if (isFailing) throw new Error("lost after");
    return answer;
  };
  const spoiled = (statement: LibsqlStatement): LibsqlStatement =>
    state.statements++ === state.statement ? { sql: "select json('')", args: [] } : statement;
  return {
    state,
    client: {
      execute: (statement: LibsqlStatement) => call(() => client.execute(statement)),
      // Now and then, a short batch removes what has expired. If that fails, the plan is written all the same.
      batch: (statements: LibsqlStatement[]) => {
        const isPlan = statements.length > MOST_SWEPT;
        return call(() => client.batch(isPlan ? statements.map(spoiled) : statements, "write"));
      },
      transaction: () => Promise.reject(new Error("not used")),
    },
  };
}

test("a plan is done or not done if any of its calls fails, before or after it took effect", async () => {
  const done = await afterwards();
  const outcomes = { done: 0, "not done": 0 };
  for (const how of ["before", "after"] as const) {
    for (let fails = 0;; fails += 1) {
      const real = createClient({ url: ":memory:" });
      const { client, state } = faulty(real);
      const adapter = sqliteAdapter(client as never);
      const plan = await populated(adapter);
      const before = await readWorld(adapter);
      Object.assign(state, { calls: 0, fails, how });
      const result = await Promise.resolve(adapter.commit(plan)).catch((error: Error) => error.message);
      state.fails = -1;
      const isOver = state.calls <= fails;
      // Now and then, it removes what has expired first. If that fails, the plan is written all the same.
      if (result !== "done") assert.equal(result, `lost ${how}`);
      const outcome = await assertWhole(adapter, { plan, before, done });
      if (result !== "done") outcomes[outcome] += 1;
      else assert.equal(outcome, "done");
      real.close();
      if (isOver) {
        assert.ok(fails > 3, `${fails} calls`);
        break;
      }
    }
  }
  printLine(`calls to libSQL that fail: ${JSON.stringify(outcomes)}`);
  assert.equal(outcomes.done, 1, "the batch took effect once");
});

test("a plan is undone if any statement of its batch fails", async () => {
  const done = await afterwards();
  let statement = 0;
  for (;; statement += 1) {
    const real = createClient({ url: ":memory:" });
    const { client, state } = faulty(real);
    const adapter = sqliteAdapter(client as never);
    const plan = await populated(adapter);
    const before = await readWorld(adapter);
    Object.assign(state, { statements: 0, statement });
    const result = await Promise.resolve(adapter.commit(plan)).catch((error: Error) => error.message);
    state.statement = -1;
    if (result === "done") {
      real.close();
      break;
    }
    assert.match(result, /malformed JSON/);
    assert.equal(await assertWhole(adapter, { plan, before, done }), "not done");
    real.close();
  }
  printLine(`statements of a batch of libSQL that fail: ${statement}`);
  assert.ok(statement > 25, `${statement} statements`);
});

test("a plan is done or not done if the connection to a server of libSQL is lost at any request", async () => {
  const done = await afterwards();
  const outcomes = { done: 0, "not done": 0 };
  for (const how of ["before", "after"] as const) {
    for (let fails = 0;; fails += 1) {
      const { path, remove } = await temporaryFile("auth.db");
      let loses: (index: number) => Loss | null = () => null;
      let requests = 0;
      const server = await startHrana(path, () => loses(requests++));
      const client = createClient({ url: server.url });
      const adapter = sqliteAdapter(client);
      const plan = await populated(adapter);
      const before = await readWorld(adapter);
      requests = 0;
      // All from then on: a runtime may send a request once more.
      loses = (index) => index >= fails ? how : null;
      const result = await Promise.resolve(adapter.commit(plan)).catch(() => "lost");
      loses = () => null;
      if (result === "lost") outcomes[await assertWhole(adapter, { plan, before, done })] += 1;
      else assert.equal(result, "done");
      client.close();
      await server.close();
      await remove();
      if (result === "done") {
        assert.ok(fails > 3, `${fails} requests`);
        break;
      }
    }
  }
  printLine(`lost connections to a server of libSQL: ${JSON.stringify(outcomes)}`);
  assert.ok(outcomes.done > 0);
});

test("of callers whose connections are lost at random at most one wins each contest, and one if nobody is lost", async () => {
  const { path, remove } = await temporaryFile("auth.db");
  let requests = 0;
  let isLossy = false;
  const server = await startHrana(path, () => {
    requests += 1;
    if (!isLossy || requests % 12 < 6) return null;
    return requests % 24 < 12 ? "before" : "after";
  });
  const client = createClient({ url: server.url });
  const adapter = sqliteAdapter(client);
  await prepare(adapter, 2);
  assert.deepEqual(await contend(adapter, { rounds: 1, callers: 8 }), oneEach(1));
  isLossy = true;
  let wins = 0;
  let lost = 0;
  const callers = Array.from({ length: 32 }, async () => {
    const consume = { identifier: "plan 1", tokens: ["hash"], now: new Date() };
    const result = await Promise.resolve(adapter.commit({ consume })).catch(() => "lost");
    if (result === "done") wins += 1;
    if (result === "lost") lost += 1;
  });
  await Promise.all(callers);
  isLossy = false;
  const left = await adapter.getVerificationToken({ identifier: "plan 1", token: "hash" });
  printLine(`of 32 callers ${lost} lost their connection, and ${wins} won`);
  assert.ok(lost > 0);
  assert.ok(wins <= 1);
  // Somebody who was not told may have used it, too.
  if (wins === 1) assert.equal(left, null);
  client.close();
  await server.close();
  await remove();
});
