import assert from "node:assert/strict";
import { test } from "node:test";
import type { Events } from "../../../src/contract/config.ts";
import { withDeadline } from "../../../src/kernel/deadline.ts";
import { EventError, Timeout } from "../../../src/kernel/errors.ts";
import { emit } from "../../../src/request/events.ts";
import { testConfig, testLog, testRuntime } from "../_builders.ts";

const never = new Promise<never>(() => {});
const MESSAGE = { token: { sub: "1" } };

test("withDeadline() returns a result that comes in time, and stops its timer", async () => {
  const runtime = testRuntime();
  assert.equal(await withDeadline(runtime, 5, "it", () => 1), 1);
  assert.equal(await withDeadline(runtime, 5, "it", () => Promise.resolve(2)), 2);
  assert.equal(runtime.pending(), 0);
});

test("withDeadline() throws what the function throws, and stops its timer", async () => {
  const runtime = testRuntime();
  const fault = new Error("x");
  await assert.rejects(withDeadline(runtime, 5, "it", () => Promise.reject(fault)), fault);
  await assert.rejects(
    withDeadline(runtime, 5, "it", () => {
      throw fault;
    }),
    fault,
  );
  assert.equal(runtime.pending(), 0);
});

test("withDeadline() throws a Timeout that names what it waited for", async () => {
  const runtime = testRuntime();
  const waiting = withDeadline(runtime, 5, "the mail server", () => never);
  runtime.advance(4.999);
  assert.equal(await Promise.race([waiting, Promise.resolve("waiting")]), "waiting");
  runtime.advance(0.001);
  await assert.rejects(waiting, (error) => {
    assert.ok(error instanceof Timeout);
    assert.equal(error.message, "Cannot wait for the mail server: it took longer than 5 s");
    return true;
  });
});

test("withDeadline() ignores a failure that comes too late", async () => {
  const runtime = testRuntime();
  let fail: (error: Error) => void = () => {};
  const waiting = withDeadline(runtime, 5, "it", () => new Promise((_, reject) => fail = reject));
  runtime.advance(5);
  await assert.rejects(waiting, Timeout);
  fail(new Error("too late")); // an unhandled rejection would fail the run
  await new Promise((resolve) => setTimeout(resolve, 1));
});

function eventsWith(events: Events) {
  const log = testLog();
  const runtime = testRuntime();
  return { log, runtime, config: testConfig({ events, logger: log.logger }, runtime) };
}

test("emit() calls the handler, waits for it and logs nothing", async () => {
  const told: unknown[] = [];
  const { config, log, runtime } = eventsWith({
    async signOut(message) {
      await Promise.resolve();
      told.push(message);
    },
  });
  await emit(config, "signOut", MESSAGE);
  assert.deepEqual(told, [MESSAGE]);
  assert.deepEqual(log.errors, []);
  assert.equal(runtime.pending(), 0);
});

test("emit() does nothing without a handler", async () => {
  const { config, runtime } = eventsWith({});
  await emit(config, "signOut", MESSAGE);
  assert.equal(runtime.pending(), 0);
});

test("emit() calls the handler on the object it came from", async () => {
  class Audit implements Events {
    readonly seen: unknown[] = [];
    signOut(message: unknown) {
      this.seen.push(message);
    }
  }
  const audit = new Audit();
  await emit(eventsWith(audit).config, "signOut", MESSAGE);
  assert.equal(audit.seen.length, 1);
});

const FAULTS: Readonly<Record<string, () => unknown>> = {
  "throws an error": () => {
    throw new Error("x");
  },
  "throws text": () => {
    throw "x";
  },
  "throws nothing": () => {
    throw undefined;
  },
  "throws null": () => {
    throw null;
  },
  "rejects": () => Promise.reject(new Error("x")),
  "rejects with nothing": () => Promise.reject(),
  "gives a thenable that throws": () => ({
    then() {
      throw new Error("x");
    },
  }),
};

for (const [name, fault] of Object.entries(FAULTS)) {
  test(`emit() swallows and logs a handler that ${name}`, async () => {
    const { config, log } = eventsWith({ signOut: fault as () => void });
    await emit(config, "signOut", MESSAGE);
    assert.equal(log.errors.length, 1);
    assert.ok(log.errors[0] instanceof EventError);
    assert.match(log.errors[0].message, /"signOut"/);
  });
}

test("emit() waits no longer than a second for a handler that never ends", async () => {
  const { config, log, runtime } = eventsWith({ signOut: () => never });
  const told = emit(config, "signOut", MESSAGE);
  runtime.advance(1);
  await told;
  assert.equal(log.errors.length, 1);
});

test("emit() logs a handler that is not a function", async () => {
  const { config, log } = eventsWith({ signOut: "x" as unknown as () => void });
  await emit(config, "signOut", MESSAGE);
  assert.equal(log.errors.length, 1);
});
