import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { printLine } from "../../scripts/print.ts";
import { postgresAdapter } from "../../adapters/postgres.ts";
import { sqliteAdapter } from "../../adapters/sqlite.ts";
import { findPostgres, skipsWithoutPostgres, startPostgres } from "../_support/postgres.ts";
import { addPerson, startRefreshServer } from "../_support/refresh_server.ts";
import type { RefreshTask } from "./_refreshing.ts";

const SCRIPT = fileURLToPath(new URL("./_refreshing.ts", import.meta.url));
const COMMAND = "Deno" in globalThis ? ["run", "--no-check", "--allow-all", SCRIPT] : [SCRIPT];

/** Starts a process. `heard` is called with each line that it says. */
function start(task: RefreshTask, heard: (line: string) => void) {
  const child = spawn(process.execPath, [...COMMAND, JSON.stringify(task)], { stdio: ["pipe", "pipe", "inherit"] });
  let rest = "";
  child.stdout.on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(heard);
  });
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  return { child, ended };
}

const PROCESSES = 4;
const CALLERS = 500;

/** Lets 500 callers in four processes ask at the same moment, and gives what they got. */
async function askInProcesses(task: Omit<RefreshTask, "callers">): Promise<string[]> {
  const got: string[] = [];
  const started = Array.from({ length: PROCESSES }, () => {
    let ready = () => {};
    const isReady = new Promise<void>((resolve) => void (ready = resolve));
    const { child, ended } = start({ ...task, callers: CALLERS / PROCESSES }, (line) => {
      if (line === "ready") ready();
      else got.push(...JSON.parse(line));
    });
    return { child, ended, isReady };
  });
  await Promise.all(started.map(({ isReady }) => isReady));
  for (const { child } of started) child.stdin.end("go\n");
  await Promise.all(started.map(({ ended }) => ended));
  return got;
}

/** Ten rounds: 500 callers each, who all get the one token of one refresh. */
async function assertOneEach(
  storage: Pick<RefreshTask, "kind" | "at">,
  add: (person: string, server: Awaited<ReturnType<typeof startRefreshServer>>) => Promise<void>,
): Promise<void> {
  const server = await startRefreshServer({}, () => new Promise((resolve) => setTimeout(resolve, 30)));
  try {
    for (let round = 0; round < 5; round++) {
      const person = `ada${round}`;
      await add(person, server);
      const got = await askInProcesses({ ...storage, url: server.url, person, request: 5 });
      assert.equal(got.length, CALLERS);
      assert.deepEqual([...new Set(got)], [`${person}-access-1`]);
      const { given, refusals, hasEnded } = server.familyOf(person);
      assert.deepEqual({ given, refusals, hasEnded }, { given: 1, refusals: 0, hasEnded: false });
    }
  } finally {
    await server.close();
  }
}

test("500 callers in four processes over a file of SQLite lead to one refresh, and nobody fails", async () => {
  const folder = await mkdtemp(join(tmpdir(), "refreshes-"));
  const at = join(folder, "auth.db");
  await assertOneEach({ kind: "sqlite", at }, async (person, server) => {
    const adapter = sqliteAdapter(at);
    await addPerson(adapter, person, server.familyOf(person));
    adapter.close();
  });
  await rm(folder, { recursive: true });
});

const bin = findPostgres();
const skip = skipsWithoutPostgres(bin, "The refreshes over PostgreSQL");

test("500 callers in four processes over PostgreSQL lead to one refresh, and nobody fails", { skip }, async () => {
  const postgres = await startPostgres(bin);
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2 });
  const adapter = postgresAdapter(pool);
  await adapter.migrate();
  try {
    await assertOneEach({ kind: "postgres", at: postgres.url }, async (person, server) => {
      await addPerson(adapter, person, server.familyOf(person));
    });
  } finally {
    await pool.end();
    await postgres.stop();
  }
});

const LANES = 8;
const KILLS = 200;

/** The longest that a caller may wait, in milliseconds: `timeouts.total`, and the start of a process. */
const LONGEST = 20_000;

test(`${KILLS} kills between refresh and write lock nobody out, and no caller hangs`, async () => {
  const folder = await mkdtemp(join(tmpdir(), "kills-"));
  const at = join(folder, "auth.db");
  const kill = new Map<string, () => void>();
  let turn = 0;
  const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  // Half of the processes never see the answer. The others die when they have it, before or while they write it.
  const server = await startRefreshServer({ grace: 3600 }, (person) => {
    const end = kill.get(person);
    if (!end) return Promise.resolve();
    if (turn++ % 2 === 0) end();
    else later(turn % 7).then(end);
    return Promise.resolve();
  });
  const people = Array.from({ length: LANES }, (_, lane) => `ada${lane}`);
  const adapter = sqliteAdapter(at, { busyTimeout: 30_000 });
  for (const person of people) await addPerson(adapter, person, server.familyOf(person));
  const said: string[] = [];

  async function live(person: string, isKilled: boolean): Promise<string[]> {
    const lines: string[] = [];
    let answered = () => {};
    const first = new Promise<void>((resolve) => void (answered = resolve));
    const task = { kind: "sqlite", at, url: server.url, person, callers: 0, request: 0.3 } as const;
    const { child, ended } = start(task, (line) => {
      lines.push(line);
      if (lines.length === 2) answered();
    });
    if (isKilled) kill.set(person, () => child.kill("SIGKILL"));
    const timer = setTimeout(() => {
      lines.push("error: it hangs");
      child.kill("SIGKILL");
    }, LONGEST);
    await (isKilled ? ended : Promise.race([first, ended]));
    clearTimeout(timer);
    kill.delete(person);
    child.kill("SIGKILL");
    await ended;
    return lines.slice(1);
  }

  await Promise.all(people.map(async (person) => {
    for (let life = 0; life < KILLS / LANES; life++) said.push(...await live(person, true));
    const last = await live(person, false);
    assert.match(last[0] ?? "", /^ada\d-access-\d+$/, `${person} at the end`);
  }));
  assert.deepEqual(said.filter((line) => line.startsWith("error")), []);
  const families = people.map((person) => server.familyOf(person));
  assert.deepEqual(families.map(({ refusals }) => refusals), families.map(() => 0));
  printLine(`${families.reduce((sum, { given }) => sum + given, 0)} refreshes, ${KILLS} kills`);
  adapter.close();
  await server.close();
  await rm(folder, { recursive: true });
});
