import assert from "node:assert/strict";
import { test } from "node:test";
import type { PasswordHash } from "../../../src/hashing/password_hash.ts";
import { AdapterError, InvalidConfig, Overloaded } from "../../../src/kernel/errors.ts";
import { comparePassword, passwordHash } from "../../../src/passwords/work.ts";
import type { LegacyHash } from "../../../src/passwords/legacy.ts";
import { testRuntime } from "../_builders.ts";

/** A hash of which a test sees what it was asked. */
function spy(verify: (text: string, stored: string) => unknown = () => "no") {
  const [made, verified]: [string[], string[]] = [[], []];
  const hash: PasswordHash = {
    make: (text) => (made.push(text), `made ${made.length}`),
    verify: (text, stored) => (verified.push(stored), verify(text, stored) as "no"),
  };
  return { hash, made, verified };
}

const OLD: LegacyHash = {
  id: "old",
  matches: (stored) => stored.startsWith("old "),
  verify: (text, stored) => stored === `old ${text}`,
};

function settings(hash: PasswordHash | null, legacy: readonly LegacyHash[] = []) {
  return { hash, legacy, concurrency: 1 };
}

const runtime = testRuntime();

test("comparePassword() compares with a hash that nobody has where there is none", async () => {
  const { hash, made, verified } = spy(() => "yes");
  const given = settings(hash);
  for (let times = 0; times < 3; times++) {
    const { verdict, error } = await comparePassword(given, runtime, { text: "x", stored: null });
    assert.deepEqual([verdict, error], ["no", null]);
  }
  assert.deepEqual(verified, ["made 1", "made 1", "made 1"]);
  assert.match(made.join(), /^[0-9a-f]{64}$/, "of a random text, once");
});

test("comparePassword() compares with the stored hash alone where there is one", async () => {
  for (const verdict of ["no", "yes", "weak"]) {
    const { hash, made, verified } = spy(() => verdict);
    const found = await comparePassword(settings(hash), runtime, { text: "x", stored: "stored" });
    assert.deepEqual(found, { verdict, error: null });
    assert.deepEqual([made.length, verified], [1, ["stored"]], "the hash that nobody has is there for the next one");
  }
});

for (const answer of [true, 1, "YES", { valid: true }, undefined, null]) {
  test(`comparePassword() takes ${JSON.stringify(answer)} for no`, async () => {
    const { hash } = spy(() => answer);
    assert.equal((await comparePassword(settings(hash), runtime, { text: "x", stored: "stored" })).verdict, "no");
  });
}

test("comparePassword() does the work of our own hash for one of other software, too", async () => {
  for (const [stored, verdict] of [["old x", "weak"], ["old y", "no"]]) {
    const { hash, verified } = spy();
    const found = await comparePassword(settings(hash, [OLD]), runtime, { text: "x", stored: String(stored) });
    assert.equal(found.verdict, verdict);
    assert.deepEqual(verified, ["made 1"]);
  }
});

test("comparePassword() gives back what it could not compare, as an error of storage", async () => {
  const cause = new Error("not a hash");
  const broken = spy((_, stored) => {
    if (stored === "poison") throw cause;
    return "no";
  });
  const found = await comparePassword(settings(broken.hash), runtime, { text: "x", stored: "poison" });
  assert.equal(found.verdict, "no");
  assert.ok(found.error instanceof AdapterError);
  assert.equal((found.error.cause as { err?: unknown }).err, cause);
  assert.deepEqual(broken.verified, ["poison", "made 1"]);
});

for (const made of [undefined, "", 1, { hash: "x" }]) {
  test(`passwordHash() refuses ${JSON.stringify(made)} as a hash that was made`, async () => {
    const { make } = passwordHash(settings({ make: () => made as string, verify: () => "no" }), runtime);
    await assert.rejects(async () => await make("x"), (error) => {
      return error instanceof InvalidConfig && error.message.includes("`hash.make`");
    });
  });
}

test("comparePassword() fails where too many others wait", async () => {
  const { hash } = spy(() => {
    throw new Overloaded("Cannot hash a secret: 100 others wait already");
  });
  for (const stored of ["stored", null]) {
    await assert.rejects(comparePassword(settings(hash), runtime, { text: "x", stored }), Overloaded);
  }
});

test("comparePassword() makes the hash that nobody has again where that failed", async () => {
  let fails = true;
  const { hash } = spy();
  const make: PasswordHash["make"] = (text) => fails ? Promise.reject(new Error("not yet")) : hash.make(text);
  const given = settings({ ...hash, make });
  await assert.rejects(comparePassword(given, runtime, { text: "x", stored: null }), /not yet/);
  fails = false;
  assert.equal((await comparePassword(given, runtime, { text: "x", stored: null })).verdict, "no");
});
