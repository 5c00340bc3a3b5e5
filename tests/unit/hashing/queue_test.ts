import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInHash, defaultConcurrency, hashSecret, queued } from "../../../src/hashing/mod.ts";
import type { PasswordHash } from "../../../src/hashing/password_hash.ts";
import { createQueue } from "../../../src/hashing/queue.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";

/** Lets promises settle. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

/** Jobs that end when told, and which of them have begun. */
function jobs() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    job: (name: string) => () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    },
    end: async (name: string) => {
      ends.get(name)?.();
      await settle();
    },
  };
}

test("jobs run side by side up to the limit, and then in the order in which they came", async () => {
  const inTurn = createQueue();
  const { begun, job, end } = jobs();
  const all = ["a", "b", "c", "d"].map((name) => inTurn(2, job(name)));
  await settle();
  assert.deepEqual(begun, ["a", "b"]);
  await end("b");
  assert.deepEqual(begun, ["a", "b", "c"]);
  await end("a");
  assert.deepEqual(begun, ["a", "b", "c", "d"]);
  await end("c");
  await end("d");
  assert.deepEqual(await Promise.all(all), ["a", "b", "c", "d"]);
});

test("a job that fails makes room for the next, and its error reaches who asked", async () => {
  const inTurn = createQueue();
  const failing = () => Promise.reject(new Error("no"));
  await assert.rejects(inTurn(1, failing), /no/);
  await assert.rejects(
    inTurn(1, () => {
      throw new Error("no, at once");
    }),
    /at once/,
  );
  assert.equal(await inTurn(1, () => "yes"), "yes");
});

test("of jobs with different limits each waits for its own", async () => {
  const inTurn = createQueue();
  const { begun, job, end } = jobs();
  const all = [inTurn(3, job("a")), inTurn(3, job("b")), inTurn(1, job("c")), inTurn(3, job("d"))];
  await settle();
  // Nobody overtakes: a low limit would never have its turn.
  assert.deepEqual(begun, ["a", "b"]);
  await end("a");
  assert.deepEqual(begun, ["a", "b"]);
  await end("b");
  assert.deepEqual(begun, ["a", "b", "c", "d"]);
  await end("c");
  await end("d");
  await Promise.all(all);
});

test("100 jobs may wait, and what comes then is refused at once with a time to come back", async () => {
  const inTurn = createQueue();
  const { begun, job, end } = jobs();
  const kept = Array.from({ length: 102 }, (_, at) => inTurn(2, job(`${at}`)));
  await assert.rejects(inTurn(2, job("late")), { type: "Overloaded", family: "fault", retryAfter: 5 });
  await end("0");
  kept.push(inTurn(2, job("after")));
  await assert.rejects(inTurn(2, job("later")), { type: "Overloaded" });
  for (let at = 1; at < 102; at++) await end(`${at}`);
  await end("after");
  assert.equal((await Promise.all(kept)).length, 103);
  assert.ok(!begun.includes("late") && !begun.includes("later"));
});

test("a job that has waited for more than four seconds is refused, and the next one has its turn", async () => {
  let now = 0;
  const inTurn = createQueue(() => now);
  const { begun, job, end } = jobs();
  const first = inTurn(1, job("first"));
  await settle();
  const late = assert.rejects(inTurn(1, job("late")), { type: "Overloaded", message: /waited for too long/ });
  now = 1;
  const next = inTurn(1, job("next"));
  now = 4001;
  await end("first");
  await late;
  assert.deepEqual(begun, ["first", "next"]);
  await end("next");
  assert.deepEqual([await first, await next], ["first", "next"]);
});

test("of 200 passwords at once each is compared or refused, and none hangs", async () => {
  let atOnce = 0;
  let most = 0;
  const slow = async <T>(result: T): Promise<T> => {
    most = Math.max(most, ++atOnce);
    await settle();
    atOnce--;
    return result;
  };
  const hash: PasswordHash = queued({ make: () => slow("hash"), verify: () => slow("yes" as const) }, 3);
  const all = await Promise.allSettled(
    Array.from({ length: 200 }, (_, at) => at % 2 ? hash.make("x") : hash.verify("x", "y")),
  );
  const refused = all.filter((each) => each.status === "rejected");
  assert.equal(refused.length, 97);
  assert.ok(refused.every(({ reason }) => reason.type === "Overloaded"));
  assert.equal(most, 3);
  assert.equal(await hash.make("x"), "hash");
});

test("all hashes of a process share one queue", async () => {
  const { begun, job, end } = jobs();
  const stub = (name: string): PasswordHash => ({ make: job(name), verify: () => "no" });
  const first = queued(stub("first"), 1).make("x");
  const second = queued(stub("second"), 1).make("x");
  const built = hashSecret("x", systemRuntime);
  await settle();
  assert.deepEqual(begun, ["first"]);
  await end("first");
  assert.deepEqual(begun, ["first", "second"]);
  await end("second");
  assert.deepEqual([await first, await second], ["first", "second"]);
  assert.equal(await builtInHash(systemRuntime).verify("x", await built), "yes");
});

test("as many hashes are computed at once as suits the machine", () => {
  assert.ok([2, 4].includes(defaultConcurrency()));
});
