import assert from "node:assert/strict";
import { test } from "node:test";
import type { Bucket } from "../../../src/contract/adapter.ts";
import { bucketsInMemory } from "../../../src/contract/buckets_in_memory.ts";

const MINUTE = 60 * 1000;
const NOW = Date.UTC(2031, 0, 1);

/** A bucket as of guesses at one account. */
function account(key: string, others: Partial<Bucket> = {}): Bucket {
  return { key, every: 5 * MINUTE, burst: 10, ...others };
}

/** A bucket as of guesses from one network. */
function network(key: string): Bucket {
  return { key, every: 5000, burst: 50 };
}

type Take = ReturnType<typeof bucketsInMemory>;

/** Takes as often as there is room, and counts. */
function drain(take: Take, bucket: Bucket, now: number): number {
  let count = 0;
  while (take([bucket], new Date(now))[0] === null) count += 1;
  return count;
}

/** Gives whole numbers below a limit, the same each time. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}

/** A bucket as a list of when its tokens were taken, counted anew each time: slow, and nothing like one time. */
class Oracle {
  /** Milliseconds that are missing until it is full. */
  #missing = 0;
  #at = 0;

  take({ every, burst, cost = 1 }: Bucket, now: number): Date | null {
    for (; this.#at < now && this.#missing > 0; this.#at += 1) this.#missing -= 1;
    this.#at = now;
    if (cost < 0) {
      this.#missing = Math.max(0, this.#missing + cost * every);
      return null;
    }
    let wait = 0;
    while (this.#missing - wait > (burst - cost) * every) wait += 1;
    if (wait > 0) return new Date(now + wait);
    this.#missing += cost * every;
    return null;
  }
}

test("bucketsInMemory() answers as an oracle does that counts millisecond by millisecond, in 100,000 histories", () => {
  const random = randomNumbers(33);
  const take = bucketsInMemory();
  let refused = 0;
  for (let history = 0; history < 100_000; history += 1) {
    const rule = { key: `history ${history}`, every: 1 + random(9), burst: 1 + random(4) };
    const oracle = new Oracle();
    let now = 1_000_000;
    for (let step = 0; step < 12; step += 1) {
      now += random(3) === 0 ? random(40) : random(4);
      const cost = (random(4) === 0 ? -1 : 1) * (1 + random(rule.burst));
      const bucket = { ...rule, cost };
      const [answer] = take([bucket], new Date(now));
      const expected = oracle.take(bucket, now);
      if (expected) refused += 1;
      if (answer?.getTime() !== expected?.getTime()) {
        assert.deepEqual([history, step, answer], [history, step, expected]);
      }
    }
  }
  assert.ok(refused > 100_000, `${refused} refused`);
});

test("bucketsInMemory() forgets a stranger's million fresh buckets before a bucket that was used twice", () => {
  const take = bucketsInMemory();
  const victims = [account("victim's account"), network("victim's network"), account("other", { every: MINUTE })];
  for (const victim of victims) {
    for (let times = 0; times < 2; times += 1) take([victim], new Date(NOW));
  }
  const rules = [account, network, (key: string) => account(key, { every: MINUTE, burst: 1 })];
  for (let stranger = 0; stranger < 1_000_000; stranger += 1) {
    const rule = rules[stranger % rules.length] ?? account;
    // All of it within the time in which the victims owe more than one token.
    take([rule(`stranger ${stranger}`)], new Date(NOW + stranger / 1000));
  }
  const left = victims.map((victim) => drain(take, victim, NOW + 1000));
  assert.deepEqual(left, [8, 48, 8]);
});

test("bucketsInMemory() keeps those that owe most, whatever their rules are", () => {
  const take = bucketsInMemory(10);
  const keys = Array.from({ length: 30 }, (_, index) => index);
  const rule = (index: number) => account(`b-${index}`, { every: index % 3 === 0 ? MINUTE : 5 * MINUTE });
  for (const index of keys) {
    const tokens = 1 + (index * 7) % 10;
    for (let times = 0; times < tokens; times += 1) take([rule(index)], new Date(NOW));
  }
  for (const index of keys.filter((index) => (index * 7) % 10 === 9)) {
    assert.equal(drain(take, rule(index), NOW), 0, `bucket ${index}, which owes ten`);
  }
});

test("bucketsInMemory() keeps a bucket that owes more than when it came", () => {
  const take = bucketsInMemory(3);
  const [first, ...others] = [account("a"), account("b"), account("c")];
  for (const bucket of [first, ...others]) take([bucket], new Date(NOW));
  drain(take, first, NOW);
  for (let n = 0; n < 5; n += 1) take([account(`new ${n}`)], new Date(NOW));
  assert.equal(drain(take, first, NOW), 0);
});

test("bucketsInMemory() removes buckets a minute after their time: the clock may be set back", () => {
  const take = bucketsInMemory(1000);
  const [kept, ended] = [account("kept"), account("ended")];
  const full = 50 * MINUTE;
  for (const [bucket, time] of [[ended, NOW - MINUTE], [kept, NOW]] as const) drain(take, bucket, time);
  // Each of them looks for one to remove.
  for (let n = 0; n < 100; n += 1) take([network(`new ${n}`)], new Date(NOW + full + 30_000));
  assert.equal(drain(take, kept, NOW), 0);
  assert.equal(drain(take, ended, NOW - MINUTE), 10);
});

test("bucketsInMemory() holds no more buckets than it may, and forgets the oldest of those that owe the same", () => {
  const take = bucketsInMemory(10);
  for (let n = 0; n < 30; n += 1) take([account(`b-${n}`)], new Date(NOW + n));
  assert.equal(drain(take, account("b-29"), NOW + 30), 9);
  assert.equal(drain(take, account("b-20"), NOW + 30), 9);
  assert.equal(drain(take, account("b-19"), NOW + 30), 10);
});

test("bucketsInMemory() moves a bucket whose rule changes", () => {
  const take = bucketsInMemory(3);
  take([account("a", { every: MINUTE, cost: 5 })], new Date(NOW));
  take([account("a")], new Date(NOW));
  for (let n = 0; n < 10; n += 1) take([network(`b-${n}`)], new Date(NOW));
  assert.equal(drain(take, account("a"), NOW), 8);
});
