import assert from "node:assert/strict";
import { test } from "node:test";
import type { Events } from "../../../src/contract/config.ts";
import { Deadline, withDeadline } from "../../../src/kernel/deadline.ts";
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

const LONGEST_WAITS = { signOut: 7.5, session: 7.5, signIn: 7.5, createUser: 10, updateUser: 10, linkAccount: 10 };

for (const [name, seconds] of Object.entries(LONGEST_WAITS)) {
  test(`emit() waits for a handler of ${name} that never ends no longer than ${seconds} s`, async () => {
    const { config, log, runtime } = eventsWith({ [name]: () => never });
    const told = emit(config, name as "signOut", MESSAGE);
    runtime.advance(seconds - 0.001);
    assert.equal(await Promise.race([told, Promise.resolve("waiting")]), "waiting");
    runtime.advance(0.001);
    await told;
    assert.equal(log.errors.length, 1);
  });
}

test("a Deadline stands still while it is held, and goes on with what is left", async () => {
  const runtime = testRuntime();
  const deadline = new Deadline(runtime, 10);
  let [begin, proceed] = [(): void => {}, (): void => {}];
  const waiting = deadline.wait("it", async () => {
    await new Promise<void>((resolve) => begin = resolve);
    await deadline.hold(() => new Promise<void>((resolve) => proceed = resolve));
    await never;
  });
  runtime.advance(4);
  begin();
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(runtime.pending(), 0);
  runtime.advance(100);
  proceed();
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(runtime.pending(), 1);
  runtime.advance(5.999);
  assert.equal(await Promise.race([waiting, Promise.resolve("waiting")]), "waiting");
  runtime.advance(0.001);
  await assert.rejects(waiting, { name: "Timeout", message: "Cannot wait for it: it took longer than 10 s" });
  assert.equal(runtime.pending(), 0);
});

test("a Deadline leaves no timer behind, whatever comes of what it waits for", async () => {
  const runtime = testRuntime();
  const fault = new Error("x");
  assert.equal(await new Deadline(runtime, 5).wait("it", () => 1), 1);
  assert.equal(await new Deadline(runtime, 5).wait("it", () => Promise.resolve(2)), 2);
  await assert.rejects(new Deadline(runtime, 5).wait("it", () => Promise.reject(fault)), fault);
  const deadline = new Deadline(runtime, 5);
  await assert.rejects(deadline.wait("it", () => deadline.hold(() => Promise.reject(fault))), fault);
  assert.equal(await deadline.hold(() => Promise.resolve(3)), 3);
  assert.equal(runtime.pending(), 0);
});

test("emit() logs a handler that is not a function", async () => {
  const { config, log } = eventsWith({ signOut: "x" as unknown as () => void });
  await emit(config, "signOut", MESSAGE);
  assert.equal(log.errors.length, 1);
});
