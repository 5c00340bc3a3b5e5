import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthConfig } from "../../../src/contract/config.ts";
import { signInWithCredentials } from "../../../src/credentials/sign_in.ts";
import { CallbackRouteError, CredentialsSignin } from "../../../src/kernel/errors.ts";
import { asRedirectUrl } from "../../../src/http/redirect_url.ts";
import type { CredentialsProvider } from "../../../src/contract/provider.ts";
import { credentials } from "../../../src/providers/credentials.ts";
import { changed, testConfig, testContext } from "../_builders.ts";

const NAME = "__Secure-authjs.session-token";
const found = asRedirectUrl("https://app.test/in", "https://app.test");
assert.ok(found);
const target = found;

type Authorize = NonNullable<CredentialsProvider["authorize"]>;

function start(authorize: unknown, config: AuthConfig = {}, fields: Readonly<Record<string, unknown>> = {}) {
  const resolved = testConfig({ providers: [credentials({ authorize: authorize as Authorize })], ...config });
  const ctx = testContext("https://app.test/auth/callback/credentials?x=1", {
    config: resolved,
    init: {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", "content-length": "7", "user-agent": "test" },
    },
  });
  const provider = resolved.providers.get("credentials");
  assert.ok(provider?.type === "credentials");
  return { ctx, run: () => signInWithCredentials(ctx, { provider, fields, redirectUrl: target }) };
}

test("signInWithCredentials() passes the fields to authorize as they were typed", async () => {
  const fields = { csrfToken: "t", callbackUrl: "/", password: "  pass\u0000wörd  " };
  let seen: unknown;
  const { run } = start(
    (given: unknown) => {
      seen = given;
      return { id: "1" };
    },
    {},
    fields,
  );
  await run();
  assert.deepEqual(seen, fields);
});

test("signInWithCredentials() passes authorize a request with the URL, the headers and the fields as JSON", async () => {
  let seen: Request | undefined;
  const { run } = start(
    (_: unknown, request: Request) => {
      seen = request;
      return { id: "1" };
    },
    {},
    { pin: "1234", nested: { a: [1] } },
  );
  await run();
  assert.ok(seen);
  assert.equal(seen.url, "https://app.test/auth/callback/credentials?x=1");
  assert.equal(seen.method, "POST");
  assert.equal(seen.headers.get("user-agent"), "test");
  assert.equal(seen.headers.get("content-type"), "application/json");
  assert.equal(seen.headers.get("content-length"), null);
  assert.deepEqual(await seen.json(), { pin: "1234", nested: { a: [1] } });
});

const IDS: readonly (readonly [id: unknown, used: string | RegExp])[] = [
  ["1", "1"],
  [7, "7"],
  [0, "0"],
  [-1, "-1"],
  [9007199254740991, "9007199254740991"],
  [" ", " "],
  ["", /^[0-9a-f-]{36}$/],
  [undefined, /^[0-9a-f-]{36}$/],
  [null, /^[0-9a-f-]{36}$/],
  [NaN, /^[0-9a-f-]{36}$/],
  [Infinity, /^[0-9a-f-]{36}$/],
  [{}, /^[0-9a-f-]{36}$/],
  [["1"], /^[0-9a-f-]{36}$/],
  [true, /^[0-9a-f-]{36}$/],
];

for (const [id, used] of IDS) {
  test(`signInWithCredentials() signs in as ${used} for the id ${JSON.stringify(id) ?? "undefined"}`, async () => {
    const { ctx, run } = start(() => ({ id, name: "Ada" }), {
      events: {
        signIn: ({ user, account }) => {
          assert.match(user.id ?? "", used instanceof RegExp ? used : new RegExp(`^${used}$`));
          assert.deepEqual(account, { provider: "credentials", providerAccountId: user.id, type: "credentials" });
        },
      },
    });
    assert.deepEqual(await run(), { kind: "redirect", to: target, status: 302 });
    const token = ctx.cookies.close().find(({ name }) => name === NAME)?.value ?? "";
    const claims = await ctx.config.sealer.open(token, NAME);
    assert.match(String(claims?.sub), used instanceof RegExp ? used : new RegExp(`^${used}$`));
  });
}

for (const id of [9007199254740992, -9007199254740992, 1e300]) {
  test(`signInWithCredentials() refuses the id ${id}, which may have been rounded`, async () => {
    const { ctx, run } = start(() => ({ id, name: "Ada" }));
    await assert.rejects(
      run,
      (error) => error instanceof CallbackRouteError && /Read it as a string/.test(error.message),
    );
    assert.deepEqual(changed(ctx.cookies).set, []);
  });
}

test("signInWithCredentials() gives two users without an id different ids", async () => {
  const ids = new Set<unknown>();
  for (let i = 0; i < 2; i++) {
    const { run } = start(() => ({ name: "Ada" }), { events: { signIn: ({ user }) => void ids.add(user.id) } });
    await run();
  }
  assert.equal(ids.size, 2);
});

test("signInWithCredentials() does not change the user that authorize returned", async () => {
  const user = Object.freeze({ id: 7, name: "Ada" });
  await start(() => user).run();
  assert.deepEqual(user, { id: 7, name: "Ada" });
});

for (const nobody of [null, undefined, false, 0, "", "1", 1, true]) {
  test(`signInWithCredentials() refuses when authorize returns ${JSON.stringify(nobody) ?? "undefined"}`, async () => {
    const { ctx, run } = start(() => nobody);
    await assert.rejects(run, CredentialsSignin);
    assert.deepEqual(changed(ctx.cookies).set, []);
  });
}

test("signInWithCredentials() reports any other error of authorize as a failure, not as a refusal", async () => {
  for (const failure of [new Error("the database is down"), "x", undefined, null]) {
    await assert.rejects(start(() => Promise.reject(failure)).run, (error) => {
      assert.ok(error instanceof CallbackRouteError);
      assert.doesNotMatch(error.message, /database/);
      return true;
    });
  }
});
