import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { runTests, type Timer, watch } from "../../scripts/watch_tests.ts";

/** A watched run, with timers that the test lets expire. */
function open(runner: "deno" | "node" | "bun") {
  const hanging: string[] = [];
  const waits: { readonly seconds: number; readonly call: () => void; cancelled: boolean }[] = [];
  const start: Timer = (seconds, call) => {
    const wait = { seconds, call, cancelled: false };
    waits.push(wait);
    return () => wait.cancelled = true;
  };
  const watched = watch(runner, 10, (what) => hanging.push(what), start);
  return {
    ...watched,
    waits,
    /** Lets the running timer expire, and returns the message. */
    expire(): string | undefined {
      const open = waits.filter(({ cancelled }) => !cancelled);
      assert.equal(open.length, 1);
      open[0]?.call();
      return hanging.at(-1);
    },
  };
}

const RUNS: readonly (readonly [runner: "deno" | "node" | "bun", said: string, hangs: string])[] = [
  ["deno", "running 2 tests from ./a_test.ts\na ... ok (2ms)\nb ...", "Hangs: b"],
  ["deno", "a ... ok (2ms)\nb ...\n------- output -------\nc\n----- output end -----\n", "Hangs: b"],
  [
    "deno",
    "\u001b[0mgroup ...\n  a ... \u001b[0m\u001b[32mok\u001b[0m (2ms)\n  b with ... dots ...",
    "Hangs: b with ... dots",
  ],
  ["deno", "a ... FAILED (2ms)\n", "Hangs after: a"],
  ["node", "# Subtest: group\n    # Subtest: a\n    ok 1 - a\n    # Subtest: b\n", "Hangs: b"],
  ["node", "# Subtest: a\nnot ok 1 - a\n  error: 'test timed out after 60000ms'\n", "Hangs after: a"],
  ["bun", "a_test.ts:\n(pass) group > a [1.78ms]\n(fail) b [60000.1ms]\n  ^ this test timed out\n", "Hangs after: b"],
];

for (const [index, [runner, said, hangs]] of RUNS.entries()) {
  // The output looks like the result of a test, so it cannot be part of the name.
  test(`watch() names the test that hangs: ${runner}, row ${index}`, () => {
    const once = open(runner);
    once.read(said);
    assert.equal(once.expire(), `${hangs} (for more than 10 s)`);
    const pieces = open(runner);
    for (const piece of said.match(/[^]{1,7}/g) ?? []) pieces.read(piece);
    assert.equal(pieces.expire(), `${hangs} (for more than 10 s)`);
  });
}

test("watch() gives each test the whole limit, and no more time for what it prints", () => {
  const { read, waits } = open("deno");
  read("a ...");
  read(" ok (1ms)\nb ...\n");
  const before = waits.length;
  read("------- output -------\nstill here\nstill here\n");
  assert.equal(waits.length, before);
  read("b ... ok (1ms)\n");
  assert.equal(waits.length, before + 1);
  assert.deepEqual(waits.slice(1).map(({ seconds }) => seconds), waits.slice(1).map(() => 10));
});

test("watch() gives the run five minutes to fetch and compile before the first test", () => {
  const { waits, expire } = open("deno");
  assert.deepEqual(waits.map(({ seconds }) => seconds), [300]);
  assert.equal(expire(), "Hangs before the first test (for more than 300 s)");
});

test("stop() cancels the timer", () => {
  const { stop, waits } = open("deno");
  stop();
  assert.ok(waits.every(({ cancelled }) => cancelled));
});

async function runOf(t: TestContext, body: string): Promise<Awaited<ReturnType<typeof runTests>>> {
  const folder = await mkdtemp(join(tmpdir(), "watch-"));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, "hanging_test.ts");
  await writeFile(file, `import { test } from "node:test";\ntest("is fine", () => {});\ntest("the last", ${body});\n`);
  const args = ["test", "--no-check", "--allow-all", "--no-config", file];
  return await runTests({ runner: "deno", command: Deno.execPath(), args, limit: 3, env: { NO_COLOR: "1" } });
}

for (
  const [what, body] of [
    ["never ends", "() => new Promise(() => setInterval(() => {}, 1000))"],
    ["blocks the thread", "() => { for (;;); }"],
    ["prints all the time", "() => new Promise(() => setInterval(() => console.log('still here'), 100))"],
  ] as const
) {
  test(`runTests() stops a test that ${what}, and names it`, async (t) => {
    const { success, output } = await runOf(t, body);
    assert.equal(success, false);
    assert.match(output, /\nHangs: the last \(for more than 3 s\)\n$/);
  });
}

test("runTests() returns the result of a run in which no test hangs", async (t) => {
  assert.equal((await runOf(t, "() => {}")).success, true);
  const { success, output } = await runOf(t, "() => { throw new Error('why'); }");
  assert.equal(success, false);
  assert.match(output, /why/);
  assert.doesNotMatch(output, /Hangs/);
});
