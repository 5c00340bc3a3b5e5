/** Telling what happened: to handlers of `events` as before, and to features. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Events } from "../../../src/contract/config.ts";
import { type Feature, makeFeature } from "../../../src/contract/feature.ts";
import { Deadline } from "../../../src/kernel/deadline.ts";
import { EventError } from "../../../src/kernel/errors.ts";
import { type EventSubject, type Happening, tell } from "../../../src/request/events.ts";
import type { AuthEvent } from "../../../src/request/happened.ts";
import type { Points } from "../../../src/request/points.ts";
import { START, testConfig, testLog, testRuntime } from "../_builders.ts";

const never = new Promise<never>(() => {});
const MESSAGE = { token: { sub: "1", secret: "canary" } };

const SIGN_OUT: Happening<"signOut"> = {
  type: "signOut",
  event: () => ({ userId: "1" }),
  message: () => MESSAGE,
};

function feature(id: string, changed: NonNullable<Points["changed"]>): Feature {
  return makeFeature(id, [], () => Promise.resolve({ changed } satisfies Points));
}

function setUp(features: readonly Feature[], events: Events = {}, timeouts: { readonly event?: number } = {}) {
  const [log, runtime] = [testLog(), testRuntime()];
  return { log, runtime, config: testConfig({ features, events, timeouts, logger: log.logger }, runtime) };
}

/** Lets everything run that waits for no timer. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Whether a promise is kept by now. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  void promise.then(() => done = true);
  await settle();
  return done;
}

test("tell() gives features the event and handlers the message, and neither gets what the other gets", async () => {
  const told: unknown[] = [];
  const { config, log, runtime } = setUp(
    [
      feature("one", (_, event) => void told.push(event)),
      makeFeature("silent", [], () => Promise.resolve({})),
      feature("two", (_, event) => void told.push(event)),
    ],
    { signOut: (message) => void told.push(message) },
  );
  await tell(config, SIGN_OUT);
  const event = { type: "signOut", time: new Date(START), userId: "1" };
  assert.deepEqual(told, [MESSAGE, event, event]);
  assert.ok(Object.isFrozen(told[1]));
  assert.deepEqual(log.errors, []);
  assert.equal(runtime.pending(), 0);
});

test("tell() makes nothing and loads nothing if nobody listens", async () => {
  const done: string[] = [];
  const note = (what: string) => (): never => {
    done.push(what);
    throw new Error(what);
  };
  const event = note("an event was made");
  const message = note("a message was made");
  const { config, log } = setUp([], { signIn: note("a handler was called") });
  await tell(config, { type: "signOut", event, message });
  await tell(config, { type: "tokenRefused", event, message: null });
  const listening = setUp([makeFeature("one", [], note("a feature was loaded"))]);
  await tell(listening.config, { type: "signOut", event: null, message });
  await tell(listening.config, { type: "sessionRead", event: null, message });
  assert.deepEqual([done, log.errors, listening.log.errors], [[], [], []]);
});

test("tell() logs what a feature throws, and tells the others", async () => {
  const told: string[] = [];
  const { config, log } = setUp([
    feature("throws", () => {
      throw new Error("x");
    }),
    feature("rejects", () => Promise.reject(new Error("y"))),
    feature("fine", (_, { type }) => void told.push(type)),
  ], { signOut: () => void told.push("handler") });
  await tell(config, SIGN_OUT);
  assert.deepEqual(told, ["handler", "signOut"]);
  assert.deepEqual(log.errors.map((error) => [error instanceof EventError, error.message]), [
    [true, 'Cannot tell a feature of "signOut"'],
    [true, 'Cannot tell a feature of "signOut"'],
  ]);
});

test("tell() logs that a feature cannot be loaded, or that an event cannot be made", async () => {
  const { config, log } = setUp([makeFeature("broken", [], () => Promise.reject(new Error("offline")))]);
  await tell(config, SIGN_OUT);
  const other = setUp([feature("one", () => assert.fail("it was told"))]);
  await tell(other.config, { ...SIGN_OUT, event: (): Promise<never> => Promise.reject(new Error("x")) });
  for (const { errors } of [log, other.log]) assert.equal(errors[0] instanceof EventError, true);
});

test("tell() waits for a feature that hangs three quarters of the time that is left, and logs it when its own time is over", async () => {
  const { config, log, runtime } = setUp([feature("hangs", () => never)], {}, { event: 20 });
  const deadline = new Deadline(runtime, 10);
  const subject: EventSubject = { request: {}, url: null, config, deadline };
  const answer = deadline.wait("the answer", async () => {
    await tell(
      config,
      { type: "userCreated", event: () => ({ userId: "1" }), message: () => ({ user: {} as never }) },
      subject,
    );
    await tell(config, SIGN_OUT, subject);
    return "answered";
  });
  await settle();
  for (const seconds of [7.5, 1.875]) {
    runtime.advance(seconds - 0.001);
    assert.equal(await isDone(answer), false);
    runtime.advance(0.001);
    await settle();
  }
  assert.equal(await answer, "answered");
  assert.deepEqual(log.errors, []);
  runtime.advance(10.625);
  await settle();
  assert.equal(log.errors.length, 1);
  runtime.advance(7.5);
  await settle();
  assert.equal(log.errors.length, 2);
  assert.equal(runtime.pending(), 0);
});

test("tell() waits for features and a handler at the same time", async () => {
  const { config, runtime } = setUp([feature("hangs", () => never)], { signOut: () => never });
  const told = tell(config, SIGN_OUT);
  assert.equal(await isDone(told), false);
  runtime.advance(7.5);
  assert.equal(await isDone(told), true);
});

test("a Deadline says what is left of it", async () => {
  const runtime = testRuntime();
  const deadline = new Deadline(runtime, 10);
  assert.equal(deadline.left, 10);
  const waiting = deadline.wait("it", () => never);
  runtime.advance(4);
  assert.equal(deadline.left, 6);
  runtime.advance(-20);
  assert.equal(deadline.left, 10);
  runtime.advance(16 + 20);
  await assert.rejects(waiting);
  assert.equal(deadline.left, 0);
});

/** The members that events may have. None of them can hold a secret. */
type Allowed =
  | "type"
  | "time"
  | "userId"
  | "provider"
  | "methods"
  | "sessionId"
  | "reason"
  | "count"
  | "isNewUser"
  | "act"
  | "by"
  | "factor";
type Members<Event> = Event extends unknown ? keyof Event : never;
const closed: [Exclude<Members<AuthEvent>, Allowed>] extends [never] ? true : false = true;

test("the list of events is closed, and no member of one can hold a secret", () => assert.ok(closed));
