import assert from "node:assert/strict";
import { test } from "node:test";
import { encode } from "../../../src/jwt.ts";
import { authorizeRequest, read } from "../../../src/service/guard.ts";
import { createEngine, type Engine } from "../../../src/service/engine.ts";
import { authFunction } from "../../../src/service/guard.ts";
import { isPrefetch } from "../../../src/http/origin.ts";
import type { AuthConfig } from "../../../src/contract/config.ts";
import { recordLog, SECRET } from "../../_support/service.ts";

/** A platform that shows nothing but the URL, and goes by it. */
const BY_URL = { target: null, routes: [] };

const ORIGIN = "http://localhost:3000";
const SALT = "authjs.session-token";

/** A service that counts how often a session is sealed: every reading that may renew it does. */
function open(config: AuthConfig = {}): { readonly engine: Engine; readonly sealed: () => number } {
  let sealed = 0;
  const engine = createEngine({
    secret: SECRET,
    trustHost: true,
    logger: recordLog().logger,
    session: { updateAge: 0 },
    jwt: { encode: (params) => (sealed++, encode({ ...params, secret: SECRET, salt: SALT })) },
    ...config,
  });
  return { engine, sealed: () => sealed };
}

async function visit(headers: Record<string, string> = {}): Promise<Request> {
  const token = await encode({ token: { sub: "1", name: "Ada" }, secret: SECRET, salt: SALT });
  return new Request(`${ORIGIN}/page`, { headers: { cookie: `${SALT}=${token}`, ...headers } });
}

test("read() renews a session where it may, and gives the cookies", async () => {
  const { engine, sealed } = open();
  const renewed = await read(engine, await visit(), true);
  assert.deepEqual([renewed.session?.user?.name, renewed.cookies.length, renewed.failed, sealed()], [
    "Ada",
    1,
    false,
    1,
  ]);
  const kept = await read(engine, await visit(), false);
  assert.deepEqual([kept.session?.user?.name, kept.cookies.length, kept.failed, sealed()], ["Ada", 0, false, 1]);
});

test("read() without renewal removes no cookie either", async () => {
  const request = new Request(ORIGIN, { headers: { cookie: `${SALT}=nonsense` } });
  assert.deepEqual(await read(open().engine, request, false), { session: null, cookies: [], failed: false });
});

for (const [name, value] of [["sec-purpose", "prefetch"], ["purpose", "prefetch"], ["next-router-prefetch", "1"]]) {
  test(`what is loaded in advance seals no session anew: ${name}`, async () => {
    const { engine, sealed } = open();
    const request = () => visit({ [`${name}`]: `${value}` });
    assert.equal((await read(engine, await request(), true)).session?.user?.name, "Ada");
    assert.equal((await authorizeRequest(engine, await request(), BY_URL)).session?.user?.name, "Ada");
    const guarded = authFunction(engine)((_, session) => new Response(session?.user?.name));
    const answer = await guarded(await request());
    assert.deepEqual([await answer.text(), answer.headers.getSetCookie(), sealed()], ["Ada", [], 0]);
  });
}

test("isPrefetch() believes nothing else", () => {
  for (const headers of [{}, { "sec-purpose": "navigate" }, { purpose: "x prefetch" }, { "x-prefetch": "1" }]) {
    assert.equal(isPrefetch(new Headers(headers as Record<string, string>)), false);
  }
  assert.equal(isPrefetch(new Headers({ "sec-purpose": "Prefetch;prerender" })), true);
});

test("authorizeRequest() gives the session, and what to answer instead of a page", async () => {
  const { engine } = open({ protect: ["/page"], callbacks: { authorized: ({ auth }) => auth?.user?.name !== "Ada" } });
  const known = await authorizeRequest(engine, await visit(), BY_URL);
  assert.deepEqual([known.session?.user?.name, known.denied?.status, known.cookies.length], ["Ada", 302, 1]);
  const unknown = await authorizeRequest(engine, new Request(`${ORIGIN}/page`), BY_URL);
  assert.deepEqual([unknown.session, unknown.denied?.status, unknown.cookies.length], [null, 302, 0]);
  const open_ = await authorizeRequest(engine, new Request(`${ORIGIN}/auth/signin`), BY_URL);
  assert.equal(open_.denied, null);
});

test("authorizeRequest() gives the response of authorized as it is", async () => {
  const own = new Response("no", { status: 403 });
  const { engine } = open({ callbacks: { authorized: () => own } });
  assert.equal((await authorizeRequest(engine, await visit(), BY_URL)).denied, own);
});

test("authorizeRequest() denies where the host cannot be trusted", async () => {
  const { engine } = open({ trustHost: false });
  const { denied, failed, cookies } = await authorizeRequest(engine, await visit(), BY_URL);
  assert.deepEqual([denied?.status, failed, cookies], [500, true, []]);
});
