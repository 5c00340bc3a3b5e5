import { test } from "node:test";
import assert from "node:assert/strict";
import { unreadyProviders } from "../../../src/config/check_ready.ts";
import { testRuntime } from "../../_support/runtime.ts";

const runtime = testRuntime();

test("what a provider lacks is a problem of that provider", async () => {
  const provider = { id: "post", type: "email", lacks: () => Promise.resolve("install the package `post`") };
  const unready = await unreadyProviders({ providers: [provider, { id: "other", type: "email" }] as never }, runtime);
  assert.deepEqual([...unready.keys()], [provider]);
  const problem = unready.get(provider);
  assert.equal(problem?.message, 'Cannot use provider "post": install the package `post`');
  assert.equal(problem?.logCode, "package-missing");
});

test("a provider that is ready, or cannot say what it lacks, has no problem", async () => {
  const answers: (() => unknown)[] = [
    () => null,
    () => undefined,
    () => 7,
    () => Promise.reject(new Error("broken")),
    () => {
      throw new Error("broken");
    },
  ];
  const providers = answers.map((lacks) => ({ id: "post", type: "email", lacks }));
  assert.equal(
    (await unreadyProviders({ providers: [null, "text", () => {}, ...providers] as never }, runtime)).size,
    0,
  );
  assert.equal((await unreadyProviders({ providers: "none" } as never, runtime)).size, 0);
});

test("a provider that never says what it lacks is not waited for", async () => {
  const provider = { id: "post", type: "email", lacks: () => new Promise(() => {}) };
  const impatient = { ...runtime, timer: (_: number, run: () => void) => runtime.timer(0, run) };
  assert.equal((await unreadyProviders({ providers: [provider] as never }, impatient)).size, 0);
});
