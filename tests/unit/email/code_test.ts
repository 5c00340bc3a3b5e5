import { test } from "node:test";
import assert from "node:assert/strict";
import { openLink } from "../../../src/email/callback.ts";
import { startEmail } from "../../../src/email/start.ts";
import { Verification } from "../../../src/kernel/errors.ts";
import { ADDRESS, bench, cookiesAfter, TARGET } from "./_bench.ts";

const CODE = "424242";

/** Sends a code, and gives a function to type one. */
async function sent(seconds = 0) {
  const made = bench({ email: { generateVerificationToken: () => CODE, maxAge: 600 } });
  made.runtime.advance(seconds);
  const ctx = made.context();
  await startEmail(ctx, { provider: made.provider, fields: { email: ADDRESS }, redirectUrl: TARGET });
  const cookies = cookiesAfter(ctx);
  const type = async (code: string) => {
    const url = `https://app.test/auth/callback/email?token=${code}&email=${ADDRESS}`;
    const query = new URL(url).searchParams;
    return await openLink(made.context(url, cookies), { provider: made.provider, query, redirectUrl: TARGET });
  };
  return { ...made, type, cookies };
}

test("guesses are counted until the code expires, to the last millisecond", async () => {
  // Cookies expire on whole seconds: this one expires almost a second before its code.
  const { type, runtime, adapter } = await sent(0.999);
  runtime.advance(599);
  for (let guess = 0; guess < 4; guess++) await assert.rejects(type("000000"), Verification);
  runtime.advance(0.9);
  await assert.rejects(type("000000"), Verification);
  await assert.rejects(type(CODE), Verification);
  assert.equal(await adapter.getUserByEmail(ADDRESS), null);
});

test("the right code does not work after it has expired", async () => {
  for (const [seconds, works] of [[599.9, true], [600, false], [605, false], [700, false]] as const) {
    const { type, runtime } = await sent();
    runtime.advance(seconds);
    if (works) assert.equal((await type(CODE)).kind, "redirect");
    else await assert.rejects(type(CODE), Verification);
  }
});

test("guesses are counted before anything is looked up, one call for each guess so far", async () => {
  const { type, calls } = await sent();
  calls.length = 0;
  for (let guess = 1; guess <= 7; guess++) await assert.rejects(type("000000"), Verification);
  const once = (times: number) => Array.from({ length: times }, () => "once");
  const removed = ["useVerificationToken"];
  assert.deepEqual(calls, [
    ...[1, 2, 3, 4].flatMap(once),
    ...once(5),
    ...removed,
    ...once(5),
    ...removed,
    ...once(5),
    ...removed,
  ]);
});
