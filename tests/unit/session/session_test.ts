import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthConfig } from "../../../src/contract/config.ts";
import type { RequestContext } from "../../../src/request/context.ts";
import { JWTSessionError, SignOutError } from "../../../src/kernel/errors.ts";
import { asRedirectUrl } from "../../../src/http/redirect_url.ts";
import { readSession } from "../../../src/session/read.ts";
import { signOut } from "../../../src/session/sign_out.ts";
import { changed, START, testConfig, testContext, type TestLog, testLog, testRuntime } from "../_builders.ts";

const NAME = "__Secure-authjs.session-token";
const found = asRedirectUrl("https://app.test/bye", "https://app.test");
assert.ok(found);
const target = found;

interface Visit {
  readonly ctx: RequestContext;
  readonly log: TestLog;
}

/** A request of somebody who is signed in. */
async function visit(config: AuthConfig = {}, claims: object = { sub: "1", name: "Ada", email: null }): Promise<Visit> {
  const log = testLog();
  const resolved = testConfig({ logger: log.logger, ...config }, testRuntime());
  const token = await resolved.sealer.seal({ ...claims }, { salt: NAME, maxAge: 1000 });
  return { ctx: testContext(undefined, { config: resolved, cookies: { [NAME]: token } }), log };
}

function visitWith(cookies: Readonly<Record<string, string>>, config: AuthConfig = {}): Visit {
  const log = testLog();
  return { ctx: testContext(undefined, { config: testConfig({ logger: log.logger, ...config }), cookies }), log };
}

const fault = () => {
  throw new Error("x");
};

test("readSession() tells name, email, image and the end, and nothing else", async () => {
  const { ctx } = await visit({}, { sub: "1", name: "Ada", email: null, picture: "https://p.test", role: "admin" });
  assert.deepEqual(await readSession(ctx, { renew: true }), {
    user: { name: "Ada", email: null, image: "https://p.test" },
    expires: new Date(START + 1_000_000).toISOString(),
  });
});

test("readSession() leaves out what the token does not say, and keeps what it says is null", async () => {
  const { ctx } = await visit({}, { sub: "1", email: null });
  assert.deepEqual((await readSession(ctx, { renew: true }))?.user, { email: null });
});

test("readSession() gives what the session callback chooses, which is shown the claims", async () => {
  const { ctx } = await visit({
    callbacks: { session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token?.sub } }) },
  });
  assert.deepEqual((await readSession(ctx, { renew: true }))?.user, { name: "Ada", email: null, id: "1" });
});

test("readSession() tells the event of the session that was read", async () => {
  const told: unknown[] = [];
  const { ctx } = await visit({
    events: { session: ({ session, token }) => void told.push([session.user, token?.sub]) },
  });
  await readSession(ctx, { renew: true });
  assert.deepEqual(told, [[{ name: "Ada", email: null }, "1"]]);
});

const NOBODY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "no cookie": {},
  "an empty cookie": { [NAME]: "" },
  "junk": { [NAME]: "junk" },
  "the cookie of http": { "authjs.session-token": "x" },
};

for (const [name, cookies] of Object.entries(NOBODY)) {
  test(`readSession() finds nobody for ${name}, and removes what does not open`, async () => {
    const { ctx, log } = visitWith(cookies);
    assert.equal(await readSession(ctx, { renew: true }), null);
    assert.deepEqual(changed(ctx.cookies), { set: [], removed: Object.hasOwn(cookies, NAME) ? [NAME] : [] });
    assert.deepEqual(log.errors, []);
  });
}

test("readSession() finds nobody and removes the cookie when the jwt callback ends the session", async () => {
  const told: unknown[] = [];
  const { ctx } = await visit({
    callbacks: { jwt: () => null },
    events: { session: (message) => void told.push(message) },
  });
  assert.equal(await readSession(ctx, { renew: true }), null);
  assert.deepEqual([changed(ctx.cookies), told], [{ set: [], removed: [NAME] }, []]);
});

const FAULTS: Readonly<Record<string, AuthConfig>> = {
  "the jwt callback throws": { callbacks: { jwt: fault } },
  "the jwt callback rejects with nothing": { callbacks: { jwt: () => Promise.reject() } },
  "the jwt callback gives nothing": { callbacks: { jwt: (() => undefined) as unknown as () => null } },
  "the jwt callback gives text": { callbacks: { jwt: (() => "x") as unknown as () => null } },
  "the jwt callback gives what is cyclic": {
    callbacks: {
      jwt({ token }) {
        token.self = token;
        return token;
      },
    },
  },
  "the jwt callback gives too much": { callbacks: { jwt: ({ token }) => ({ ...token, text: "x".repeat(20_000) }) } },
  "the session callback throws": { callbacks: { session: fault } },
  "the session callback gives nothing": { callbacks: { session: (() => undefined) as never } },
  "the session callback gives null": { callbacks: { session: (() => null) as never } },
  "the session callback gives text": { callbacks: { session: (() => "x") as never } },
  "the decoder throws": { jwt: { decode: fault } },
  "the decoder rejects with text": { jwt: { decode: () => Promise.reject("x") } },
  "the encoder throws": { jwt: { encode: fault }, session: { updateAge: 0 } },
  "the encoder gives nothing": { jwt: { encode: (() => undefined) as never }, session: { updateAge: 0 } },
};

for (const [name, config] of Object.entries(FAULTS)) {
  test(`readSession() finds nobody, logs and keeps the cookie when ${name}`, async () => {
    const { ctx, log } = await visit(config);
    assert.equal(await readSession(ctx, { renew: true }), null);
    assert.deepEqual(changed(ctx.cookies), { set: [], removed: [] });
    assert.equal(log.errors.length, 1);
    assert.ok(log.errors[0] instanceof JWTSessionError);
  });
}

test("readSession() gives the jwt callback the patch, and returns what comes of it", async () => {
  const { ctx } = await visit({
    callbacks: {
      jwt: ({ token, trigger, session }) => trigger === "update" ? { ...token, name: String(session) } : token,
    },
  });
  assert.deepEqual(await readSession(ctx, { renew: true, patch: { data: "Bob" } }), {
    user: { name: "Bob", email: null },
    expires: new Date(START + 2_592_000_000).toISOString(),
  });
  assert.deepEqual(changed(ctx.cookies).set, [NAME]);
});

test("readSession() gives nobody a session for a patch", async () => {
  const { ctx } = visitWith({}, { callbacks: { jwt: () => assert.fail("asked") } });
  assert.equal(await readSession(ctx, { renew: true, patch: { data: { name: "Bob" } } }), null);
  assert.deepEqual(ctx.cookies.close(), []);
});

test("signOut() removes the session, tells of it, and sends the browser on", async () => {
  const told: unknown[] = [];
  const { ctx } = await visit({
    events: { signOut: ({ token }) => void told.push([token?.sub, changed(ctx.cookies).removed]) },
  });
  assert.deepEqual(await signOut(ctx, target), { kind: "redirect", to: target, status: 302 });
  assert.deepEqual(changed(ctx.cookies), { set: [], removed: [NAME] });
  assert.deepEqual(told, [["1", [NAME]]]);
});

test("signOut() does not ask the jwt callback", async () => {
  const { ctx } = await visit({ callbacks: { jwt: () => assert.fail("asked") } });
  await signOut(ctx, target);
});

test("signOut() forgets the remembered target", async () => {
  const { ctx } = visitWith({ "__Secure-authjs.callback-url": "https://app.test/x" });
  await signOut(ctx, target);
  assert.deepEqual(changed(ctx.cookies).removed, ["__Secure-authjs.callback-url"]);
});

test("signOut() tells of nothing and removes nothing where nobody was signed in", async () => {
  const { ctx } = visitWith({}, { events: { signOut: () => assert.fail("told") } });
  assert.equal((await signOut(ctx, target)).kind, "redirect");
  assert.deepEqual(ctx.cookies.close(), []);
});

test("signOut() removes a cookie that does not open, and tells of nothing", async () => {
  const { ctx } = visitWith({ [`${NAME}.0`]: "a", [`${NAME}.1`]: "b" }, {
    events: { signOut: () => assert.fail("told") },
  });
  await signOut(ctx, target);
  assert.deepEqual(changed(ctx.cookies).removed, [`${NAME}.0`, `${NAME}.1`]);
});

test("signOut() ends a session that cannot be read, and logs why", async () => {
  const { ctx, log } = await visit({ jwt: { decode: fault }, events: { signOut: () => assert.fail("told") } });
  assert.equal((await signOut(ctx, target)).kind, "redirect");
  assert.deepEqual(changed(ctx.cookies).removed, [NAME]);
  assert.ok(log.errors[0] instanceof SignOutError);
});
