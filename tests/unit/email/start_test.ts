import { test } from "node:test";
import assert from "node:assert/strict";
import { startEmail } from "../../../src/email/start.ts";
import { AdapterError, EmailSignInError, InvalidConfig, Timeout } from "../../../src/kernel/errors.ts";
import type { VerificationRequest } from "../../../src/contract/provider.ts";
import { changed, START } from "../_builders.ts";
import { ADDRESS, type Bench, bench, cookiesAfter, TARGET } from "./_bench.ts";

function start({ provider, context }: Bench, email: unknown = ADDRESS, ctx = context()) {
  return startEmail(ctx, { provider, fields: { email, csrfToken: "t" }, redirectUrl: TARGET });
}

/** The stored row of a token, if it is still there. */
async function rowOf({ adapter }: Bench, hash: string) {
  return await adapter.getVerificationToken({ identifier: ADDRESS, token: hash });
}

const VECTOR = { token: "ab".repeat(32), hash: "704f9f1fb0390940de0dd1124afbb7bb41eaa9241a2b58cd49ddecda894937e6" };
const KNOWN = { generateVerificationToken: () => VECTOR.token, secret: "test-secret" };

test("startEmail() looks for the user, stores the token, and only then sends it", async () => {
  const made = bench();
  const outcome = await start(made);
  assert.deepEqual(made.calls, ["getUserByEmail", "createVerificationToken", "send"]);
  assert.deepEqual(outcome, {
    kind: "redirect",
    to: "https://app.test/auth/verify-request?provider=email&type=email",
    status: 302,
  });
});

test("startEmail() stores the hash that Auth.js stores", async () => {
  const made = bench({ email: KNOWN });
  await start(made);
  assert.deepEqual(await rowOf(made, VECTOR.hash), {
    identifier: ADDRESS,
    token: VECTOR.hash,
    expires: new Date(START + 600_000),
  });
});

test("startEmail() lets a link expire after `maxAge`", async () => {
  const made = bench({ email: { ...KNOWN, maxAge: 90 } });
  await start(made);
  assert.deepEqual((await rowOf(made, VECTOR.hash))?.expires, new Date(START + 90_000));
  assert.deepEqual(made.mails[0]?.expires, new Date(START + 90_000));
});

test("startEmail() makes a new token of 32 random bytes each time", async () => {
  const made = bench();
  for (let round = 0; round < 3; round++) await start(made);
  const tokens = made.mails.map(({ token }) => token);
  assert.ok(tokens.every((token) => /^[0-9a-f]{64}$/.test(token)));
  assert.equal(new Set(tokens).size, 3);
});

test("startEmail() writes the link as Auth.js does", async () => {
  const made = bench({ email: { generateVerificationToken: () => "a b&c d e f g hi" } });
  await start(made, " Ada+x@B\u00fccher.de ");
  assert.equal(
    made.mails[0]?.url,
    "https://app.test/auth/callback/email?callbackUrl=https%3A%2F%2Fapp.test%2Fcart&token=a+b%26c+d+e+f+g+hi" +
      "&email=ada%2Bx%40xn--bcher-kva.de",
  );
  assert.equal(made.mails[0]?.identifier, "ada+x@xn--bcher-kva.de");
});

test("startEmail() remembers the link in a cookie that expires with it", async () => {
  const made = bench({ email: { ...KNOWN, maxAge: 90 } });
  const ctx = made.context();
  await start(made, ADDRESS, ctx);
  const [cookie] = ctx.cookies.close();
  assert.equal(cookie?.name, "__Secure-authjs.email");
  assert.deepEqual(cookie.options, { httpOnly: true, sameSite: "lax", path: "/", secure: true, maxAge: 90 });
  const claims = await ctx.config.sealer.open(cookie.value, "__Secure-authjs.email");
  const { provider, identifier, hash, exp } = claims ?? {};
  assert.deepEqual({ provider, identifier, hash, exp }, {
    provider: "email",
    identifier: ADDRESS,
    hash: VECTOR.hash,
    exp: START / 1000 + 90,
  });
});

test("startEmail() passes the fields on as the JSON body of a request", async () => {
  const made = bench();
  await start(made);
  const { request } = made.mails[0] ?? {};
  assert.equal(request?.headers.get("content-type"), "application/json");
  assert.deepEqual(await request?.json(), { email: ADDRESS, csrfToken: "t" });
});

const FAILURES: readonly (readonly [what: string, send: () => void | Promise<void>])[] = [
  ["throws", () => assert.fail("the mail server is down")],
  ["rejects", () => Promise.reject(new Error("the mail server is down"))],
  ["throws something that is not an error", () => Promise.reject("down")],
];

for (const [what, sendVerificationRequest] of FAILURES) {
  test(`startEmail() removes the token of an email whose sender ${what}`, async () => {
    const made = bench({ email: { ...KNOWN, sendVerificationRequest } });
    const ctx = made.context();
    await assert.rejects(start(made, ADDRESS, ctx), EmailSignInError);
    assert.equal(await rowOf(made, VECTOR.hash), null);
    assert.deepEqual(changed(ctx.cookies), { set: [], removed: [] });
    assert.equal(made.runtime.pending(), 0);
  });
}

test("startEmail() waits for the sender no longer than `timeouts.request`", async () => {
  const made = bench({ email: { ...KNOWN, sendVerificationRequest: () => new Promise<void>(() => {}) } });
  const started = start(made);
  const failed = assert.rejects(started, (error) => {
    return error instanceof EmailSignInError && error.cause?.err instanceof Timeout;
  });
  while (!made.calls.includes("send")) await new Promise((resolve) => setTimeout(resolve));
  assert.ok(await rowOf(made, VECTOR.hash));
  made.runtime.advance(5);
  assert.equal(made.runtime.pending(), 0, "nobody waits any longer");
  await failed;
  assert.equal(await rowOf(made, VECTOR.hash), null);
  assert.equal(made.runtime.pending(), 0);
});

test("startEmail() waits for the sender as long as `timeout` of the provider says, and tells it", async () => {
  const given: unknown[] = [];
  const sendVerificationRequest = ({ provider }: VerificationRequest) => {
    given.push(provider.timeout);
    return new Promise<void>(() => {});
  };
  for (const [timeout, expected] of [[2, 2], [undefined, 5]] as const) {
    const made = bench({ email: { ...KNOWN, sendVerificationRequest, timeout } });
    const failed = assert.rejects(start(made), (error) => {
      return error instanceof EmailSignInError && error.cause?.err instanceof Timeout;
    });
    while (!made.calls.includes("send")) await new Promise((resolve) => setTimeout(resolve));
    made.runtime.advance(expected - 0.001);
    assert.equal(made.runtime.pending(), 1);
    made.runtime.advance(0.001);
    assert.equal(made.runtime.pending(), 0);
    await failed;
  }
  assert.deepEqual(given, [2, 5]);
});

test("startEmail() reports what a mail service says went wrong as it is", async () => {
  const own = new EmailSignInError("Cannot send email: Post takes no more email", { cause: { reason: "limit" } });
  const made = bench({ email: { ...KNOWN, sendVerificationRequest: () => Promise.reject(own) } });
  await assert.rejects(start(made), (error) => error === own);
  assert.equal(await rowOf(made, VECTOR.hash), null);
});

test("startEmail() reports the email that failed even if its token cannot be removed", async () => {
  const made = bench({
    email: { sendVerificationRequest: () => assert.fail("down") },
    storage: { useVerificationToken: () => Promise.reject(new Error("down too")) },
  });
  await assert.rejects(start(made), /`sendVerificationRequest` failed/);
  assert.deepEqual(made.log.errors.map(({ message }) => message), [
    "Cannot remove the token of an email that was not sent",
  ]);
});

test("startEmail() sends nothing if the token cannot be stored", async () => {
  const made = bench({ storage: { createVerificationToken: () => Promise.reject(new Error("down")) } });
  await assert.rejects(start(made), AdapterError);
  assert.deepEqual(made.mails, []);
});

for (const answer of [undefined, null, "", 7, {}, ["a"], "x".repeat(513), "\ud800"]) {
  test(`startEmail() refuses ${JSON.stringify(answer)?.slice(0, 20)} as a token`, async () => {
    const made = bench({ email: { generateVerificationToken: () => answer as string } });
    await assert.rejects(start(made), InvalidConfig);
    assert.deepEqual(made.calls, ["getUserByEmail"]);
  });
}

for (const answer of [" ada@example.com", "ADA", "\u00e4@example.com"]) {
  test(`startEmail() takes ${JSON.stringify(answer)} for the address if normalizeIdentifier returns it`, async () => {
    const made = bench({ email: { ...KNOWN, normalizeIdentifier: () => answer } });
    const ctx = made.context();
    await start(made, "whatever", ctx);
    const [mail] = made.mails;
    assert.equal(mail?.identifier, answer);
    assert.equal(new URL(mail.url).searchParams.get("email"), answer);
    assert.ok(await made.adapter.getVerificationToken({ identifier: answer, token: VECTOR.hash }));
    const sealed = cookiesAfter(ctx)["__Secure-authjs.email"] ?? "";
    assert.equal((await ctx.config.sealer.open(sealed, "__Secure-authjs.email"))?.identifier, answer);
  });
}

for (
  const [what, normalizeIdentifier] of [
    ["throws", () => assert.fail("only members")],
    ["returns nothing", () => undefined as unknown as string],
    ["returns an empty string", () => ""],
    ["returns an array", () => ["a@b.com"] as unknown as string],
  ] as const
) {
  test(`startEmail() refuses an address if normalizeIdentifier ${what}`, async () => {
    const made = bench({ email: { normalizeIdentifier } });
    await assert.rejects(start(made), EmailSignInError);
    assert.deepEqual(made.calls, []);
  });
}

for (const typed of [undefined, null, 1, true, {}, [ADDRESS], "", "a@b.com,c@d.com"]) {
  test(`startEmail() refuses ${JSON.stringify(typed)} as an address, and does not use storage`, async () => {
    const made = bench();
    // Not `start()`: its default would replace `undefined`.
    const fields = { email: typed };
    const { provider } = made;
    await assert.rejects(startEmail(made.context(), { provider, fields, redirectUrl: TARGET }), EmailSignInError);
    assert.deepEqual(made.calls, []);
  });
}
