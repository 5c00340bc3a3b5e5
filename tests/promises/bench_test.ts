import { test } from "node:test";
import assert from "node:assert/strict";
import { type Comparison, othersAsGood, type Table, writeTable } from "../../scripts/bench/comparison.ts";
import { CONCLUSIONS } from "../../scripts/bench/conclusions.ts";
import { connectionsTable } from "../../scripts/bench/connections.ts";
import { limitsTable } from "../../scripts/bench/limits.ts";
import { readOptions } from "../../scripts/bench/main.ts";
import { memoryTable, processesFor } from "../../scripts/bench/memory.ts";
import { gitHubUser } from "../../scripts/bench/network.ts";
import { addressesTable, chanceByAccident, chanceOfLonger } from "../../scripts/bench/passwords.ts";
import { withReport } from "../../scripts/bench/report.ts";
import { textOf } from "../../scripts/bench/runtimes.ts";
import { scenariosFor } from "../../scripts/bench/scenarios.ts";
import { canServe, SERVERS } from "../../scripts/bench/serving.ts";
import { sizeTable } from "../../scripts/bench/size.ts";
import { idOfUser, tokenOfSession } from "../../scripts/bench/size_stores.ts";

function row(name: string, rounds: Readonly<Record<string, readonly number[]>>): Comparison {
  return { name, rounds: new Map(Object.entries(rounds)), notes: [] };
}

function table(rows: readonly Comparison[], moreIsBetter = false): Table {
  return {
    title: "Times",
    rows,
    show: (value) => value.toFixed(0),
    conclusion: "You may conclude this.",
    moreIsBetter,
  };
}

test("a table names the rows in which others are as good, and only those", () => {
  const rows = [
    row("slow", { "@x/auth": [10, 10, 10], "@auth/core": [11, 12, 30], "better-auth": [90, 90, 90] }),
    row("fast", { "@x/auth": [10, 10, 10], "@auth/core": [12.1, 12.1, 1], "floor": [1, 1, 1] }),
  ];
  assert.equal(
    othersAsGood(table(rows)),
    "As good or better (a ratio up to 1.2 counts as equal): @auth/core in “slow”.",
  );
  assert.equal(othersAsGood(table(rows.slice(1))), "No other library is as good in any row.");
});

test("where more is better, a library with more is the better one", () => {
  const rows = [row("requests", { "@x/auth": [100], "@auth/core": [90], "better-auth": [50] })];
  assert.match(othersAsGood(table(rows, true)), /: @auth\/core in “requests”\.$/);
});

test("a table that compares with no other library says nothing about others", () => {
  const rows = [row("alone", { "@x/auth": [1], "floor": [1] }), row("absent", { "better-auth": [1] })];
  assert.equal(othersAsGood(table(rows)), "");
  assert.match(writeTable(table(rows)), /^### Times\n\nYou may conclude this\.\n\n\| {2}\| @x\/auth \|/);
});

test("every kind of table has a plain sentence for its reader", () => {
  const texts = Object.values(CONCLUSIONS).flatMap((each) => typeof each === "string" ? [each] : Object.values(each));
  assert.ok(texts.length >= 11);
  for (const text of texts) assert.match(text, /^You may conclude [^|\n]+\.$/);
});

test("callbacks are measured twice with --busy, side by side", () => {
  const names = (busy: boolean) => scenariosFor(new Set(["oauth"]), "node", busy).map(({ name }) => name);
  assert.deepEqual(names(false), ["OAuth start", "OAuth callback", "OpenID Connect callback"]);
  assert.deepEqual(names(true), [
    "OAuth start",
    "OAuth callback",
    "OAuth callback, other cores busy",
    "OpenID Connect callback",
    "OpenID Connect callback, other cores busy",
  ]);
});

test("Deno KV is measured on Deno alone, PostgreSQL everywhere", () => {
  const topics = new Set(["kv", "postgres"]);
  const stores = (kind: "deno" | "bun") => scenariosFor(topics, kind, false).map(({ setup }) => setup.store);
  assert.deepEqual(stores("deno"), ["pg", "kv"]);
  assert.deepEqual(stores("bun"), ["pg"]);
});

test("every server can serve all sides, but node:http not @auth/core", () => {
  for (const server of Object.values(SERVERS).flat()) {
    for (const side of ["@x/auth", "@auth/core", "better-auth", "floor"] as const) {
      assert.equal(canServe(server, side), !(server === "node:http" && side === "@auth/core"));
    }
  }
});

test("what takes long is measured only when it is asked for", () => {
  const { topics, kinds } = readOptions([]);
  assert.deepEqual([...kinds], ["deno", "node", "bun"]);
  assert.ok(topics.has("postgres") && topics.has("kv") && topics.has("http"));
  for (const long of ["passwords", "connections", "size", "memory"]) assert.ok(!topics.has(long));
  const asked = readOptions(["--only=size,memory", "--on=bun", "--busy", "--quick"]);
  assert.deepEqual(asked, {
    topics: new Set(["size", "memory"]),
    kinds: new Set(["bun"]),
    busy: true,
    quick: true,
    write: false,
  });
});

test("a topic or a runtime that does not exist is refused, with those that do", () => {
  assert.throws(() => readOptions(["--only=sessions"]), /no topic "sessions"\. Choose from session, /);
  assert.throws(() => readOptions(["--on=python"]), /no runtime "python"\. Choose from deno, node, bun/);
});

test("a part of a table is not written into the page, which has the rest of it", () => {
  assert.throws(() => readOptions(["--only=session,csrf", "--write"]), /its other topics are postgres, kv, /i);
  assert.equal(readOptions(["--only=http,size", "--write"]).write, true);
  assert.equal(readOptions(["--write"]).write, true);
});

test("a report replaces the tables it has measured again, and leaves the others", () => {
  const page = (report: string) => `# Page\n\n<!-- measured:begin -->\n\n${report}\n\n<!-- measured:end -->\n\nEnd\n`;
  const before = page("old machine\n\n### Answers on Node 24.1.0, in ms\n\n1\n\n### Size\n\n2");
  const after = withReport(before, "machine\n\n### Answers on Node 24.2.0, in ms\n\n3\n\n### Memory\n\n4");
  assert.equal(after, page("machine\n\n### Answers on Node 24.2.0, in ms\n\n3\n\n### Size\n\n2\n\n### Memory\n\n4"));
  assert.throws(() => withReport("# Page", "report"), /has no marks/);
});

test("the table of sizes shows how much slower many users are than few", () => {
  const text = sizeTable([
    { store: "SQLite", operation: "read a session", counts: [1000, 1_000_000], few: [0.1, 0.1], many: [0.12, 0.14] },
  ]);
  assert.match(
    text,
    /\| SQLite: read a session \| 1,000 \| 1,000,000 \| 100 \| 140 \| \*\*1\.40\*\* \(1\.20–1\.40\) \|$/,
  );
});

test("ids in full storage are spread, and PostgreSQL can make the same", () => {
  // select md5('1')::uuid, md5('s1')::uuid
  assert.equal(idOfUser(1), "c4ca4238-a0b9-2382-0dcc-509a6f75849b");
  assert.match(tokenOfSession(1), /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assert.notEqual(tokenOfSession(1), idOfUser(1));
});

test("the table of memory compares every process with the first", () => {
  const mebibyte = 2 ** 20;
  const text = memoryTable("Deno 2.0.0", [
    ["one", { heap: 5 * mebibyte, resident: 60 * mebibyte }],
    ["many", { heap: 7.5 * mebibyte, resident: 59 * mebibyte }],
  ]);
  assert.match(text, /^### Memory of a process on Deno 2\.0\.0 after it served, in MiB\n/);
  assert.match(
    text,
    /\| one \| 5\.0 \| – \| 60\.0 \| – \|\n\| many \| 7\.5 \| \*\*2\.5\*\* \| 59\.0 \| \*\*-1\.0\*\* \|$/,
  );
});

test("the processes whose memory is compared serve each kind alone, and all of them", () => {
  const processes = processesFor({ sessions: 1_000_000, hosts: 10_000, tenants: 1000 });
  assert.deepEqual(processes[0], ["one session, once", { again: 1, sessions: 0, stored: 0, hosts: 0, tenants: 0 }]);
  assert.deepEqual(processes.at(-1)?.[1], {
    again: 1,
    sessions: 1_000_000,
    stored: 1_000_000,
    hosts: 10_000,
    tenants: 1000,
  });
  assert.equal(new Set(processes.map(([name]) => name)).size, processes.length);
});

test("GitHub's double knows the user by the code that was exchanged", async () => {
  const token = "https://github.com/login/oauth/access_token";
  const answer = await gitHubUser(token, () => new Request(token, { method: "POST", body: "code=user-7" }));
  const { access_token } = JSON.parse(answer ?? "") as { readonly access_token: string };
  const url = "https://api.github.com/user";
  const profile = await gitHubUser(
    url,
    () => new Request(url, { headers: { authorization: `Bearer ${access_token}` } }),
  );
  assert.equal((JSON.parse(profile ?? "") as { readonly id: number }).id, 7);
  assert.equal(await gitHubUser("https://api.github.com/user/emails", () => new Request(url)), null);
});

test("the output of a program is told line by line, also when lines arrive in pieces", async () => {
  const lines: string[] = [];
  const stream = ReadableStream.from(["one\ntw", "o\n", "three"].map((text) => new TextEncoder().encode(text)));
  assert.equal(await textOf(stream, (line) => lines.push(line)), "one\ntwo\nthree");
  assert.deepEqual(lines, ["one", "two"]);
});

test("the table of connections compares with Auth.js, and with its adapter under this library", () => {
  const text = connectionsTable([
    { connection: "Drizzle", operation: "GET session", ours: [1, 1, 2], theirs: [2, 3, 4], mixed: [0.5, 1, 1] },
  ]);
  assert.match(
    text,
    /\| Drizzle: GET session \| 1000 \| 3000 \| \*\*2\.00\*\* \(2\.00–3\.00\) \| 1000 \| \*\*0\.50\*\*/,
  );
});

test("the table of limits has the statements of both sides, and a ratio below 1 where limits cost", () => {
  const without = { times: [1, 1, 1], statements: 1 };
  const text = limitsTable([{ name: "sign-in", without, limited: { times: [2, 2, 4], statements: 2 } }]);
  assert.match(text, /\| sign-in \| 1000\.0 \| 1 \| 2000\.0 \| 2 \| \*\*0\.50\*\* \(0\.25–0\.50\) \|/);
});

test("the chance to be slower is 0.5 where times do not differ, and 0 or 1 where each time tells", () => {
  assert.equal(chanceOfLonger([1, 2, 3], [1, 2, 3]), 0.5);
  assert.equal(chanceOfLonger([4, 5], [1, 2, 3]), 1);
  assert.equal(chanceOfLonger([1, 2], [3]), 0);
  assert.equal(chanceOfLonger([1, 3], [2, 2]), 0.5);
  // More answers leave less to accident.
  assert.equal(chanceByAccident(200, 200).toFixed(3), "0.057");
  assert.ok(chanceByAccident(1000, 1000) < chanceByAccident(200, 200));
});

test("the table of known and unknown addresses compares each form with its own unknown addresses", () => {
  const text = addressesTable("Deno 2.0.0", [
    { form: "a", address: "unknown", times: [1, 1, 1] },
    { form: "a", address: "known", times: [2, 2, 3] },
    { form: "b", address: "unknown", times: [5] },
    { form: "b", address: "known", times: [2] },
  ]);
  assert.match(text, /^### Passwords: answers to known and unknown addresses on Deno 2\.0\.0, in milliseconds\n/);
  assert.match(text, /\| a: unknown \| 3 \| 1\.00 \| 1\.00 \| 1\.00 \| – \| – \|\n/);
  assert.match(text, /\| a: known \| 3 \| 2\.00 \| 2\.00 \| 3\.00 \| \*\*1\.00\*\* \| /);
  assert.match(text, /\| b: known \| 1 \| 2\.00 \| 2\.00 \| 2\.00 \| \*\*0\.00\*\* \| /);
});
