import assert from "node:assert/strict";
import { test } from "node:test";
import { withDeadline } from "../../../src/kernel/deadline.ts";
import { Timeout } from "../../../src/kernel/errors.ts";
import { systemRuntime, turnWhenDue, yieldToEventLoop } from "../../../src/kernel/runtime.ts";
import { inWorkers } from "../../_support/in_workers.ts";

const MANY = 200;

test("a timer fires unless it is cancelled, at once or later, also after many others", async () => {
  const fired: string[] = [];
  let last = (): void => {};
  const done = new Promise<void>((resolve) => last = resolve);
  const kept: string[] = [];
  for (let at = 0; at < MANY; at += 1) {
    systemRuntime.timer(0, () => fired.push(`at once ${at}`))();
    const cancelSoon = systemRuntime.timer(0, () => fired.push(`soon ${at}`));
    await null;
    cancelSoon();
    const cancelLater = systemRuntime.timer(60, () => fired.push(`later ${at}`));
    if (at % 20 === 0) await yieldToEventLoop();
    cancelLater();
    kept.push(`${at}`);
    systemRuntime.timer(0, () => {
      fired.push(`${at}`);
      if (at === MANY - 1) last();
    });
  }
  await done;
  assert.deepEqual(fired, kept);
});

test("a deadline ends what never answers, also after many that answered at once", async () => {
  for (let at = 0; at < MANY; at += 1) {
    assert.equal(await withDeadline(systemRuntime, 60, "an answer", () => Promise.resolve(at)), at);
  }
  await assert.rejects(withDeadline(systemRuntime, 0.001, "an answer", () => new Promise(() => {})), Timeout);
});

test("a deadline ends what goes on answering itself without an end", async () => {
  let ended = false;
  const endless = async (): Promise<void> => {
    while (!ended) await yieldToEventLoop();
  };
  await assert.rejects(withDeadline(systemRuntime, 0.001, "an answer", endless), Timeout);
  ended = true;
});

test("in Workers nobody waits for the turn that another request has begun", async () => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  const turn = turnWhenDue();
  assert.ok(turn);
  await inWorkers(() => Promise.resolve(assert.equal(turnWhenDue(), null)));
  await turn;
});
