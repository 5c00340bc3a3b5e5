import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthConfig, JWTCallbackParams } from "../../../src/contract/config.ts";
import type { JWT } from "../../../src/kernel/model.ts";
import type { CookieJar } from "../../../src/http/cookies.ts";
import type { RefreshOptions } from "../../../src/session_stores/session_store.ts";
import { createJwtStore } from "../../../src/session_stores/jwt_store.ts";
import { changed, jarWith, keep, START, testConfig, testRuntime } from "../_builders.ts";

const NAME = "authjs.session-token";
const ACCOUNT = { provider: "idp", providerAccountId: "1", type: "oidc" } as const;
const HOW = { methods: ["fed"], provider: "idp" };
const SIGNED_IN = { auth_time: START / 1000, auth_methods: "fed", auth_provider: "idp" };
const ADA = { id: "1", name: "Ada", email: "ada@app.test", image: null };

/** A store, and a browser that talks to it. */
function open(config: AuthConfig = {}) {
  const runtime = testRuntime();
  const resolved = testConfig(config, runtime);
  const store = createJwtStore(resolved);
  let kept: Record<string, string> = {};
  const settle = (jar: CookieJar): void => void (kept = keep(jar.close(), kept));
  return {
    runtime,
    store,
    sealer: resolved.sealer,
    kept: () => kept,
    jar: () => jarWith(kept),
    settle,
    async put(claims: JWT, maxAge = resolved.jwt.maxAge) {
      kept = { [NAME]: await resolved.sealer.seal(claims, { salt: NAME, maxAge }) };
    },
    async signIn() {
      const jar = jarWith(kept);
      store.write(jar, await store.prepare({ user: ADA, account: ACCOUNT, authentication: HOW }, jar));
      settle(jar);
      return jar;
    },
    /** Reads the session as a request does. */
    async read(options: RefreshOptions = { renew: true }) {
      const jar = jarWith(kept);
      const active = await store.find(jar);
      const touched = active && await store.refresh(jar, active, options);
      settle(jar);
      return {
        claims: active?.strategy === "jwt" ? active.claims : undefined,
        touched: touched?.strategy === "jwt" ? touched : null,
        changes: changed(jar),
        jar,
      };
    },
  };
}

test("prepare() seals who signed in, and write() tells the browser for as long as the session lives", async () => {
  const { runtime, signIn, read } = open({ session: { maxAge: 600 } });
  const [cookie] = (await signIn()).close();
  assert.equal(cookie?.name, NAME);
  assert.deepEqual(cookie?.options.expires, new Date(START + 600_000));
  const { claims, touched } = await read();
  const { jti: _, ...rest } = claims ?? {};
  assert.deepEqual(rest, {
    name: "Ada",
    email: "ada@app.test",
    picture: null,
    sub: "1",
    auth_time: START / 1000,
    auth_methods: "fed",
    auth_provider: "idp",
    iat: START / 1000,
    exp: START / 1000 + 600,
  });
  assert.deepEqual(touched?.expires, new Date(START + 600_000));
  assert.equal(runtime.pending(), 0);
});

test("prepare() leaves out what is not known of somebody", async () => {
  const { store, sealer, jar } = open();
  const prepared = await store.prepare({ user: { id: "1" }, account: ACCOUNT, authentication: HOW }, jar());
  const claims = await sealer.open(prepared?.token ?? "", NAME);
  assert.deepEqual(Object.keys(claims ?? {}).toSorted(), [
    "auth_methods",
    "auth_provider",
    "auth_time",
    "exp",
    "iat",
    "jti",
    "sub",
  ]);
});

test("prepare() keeps when somebody signed in, where a session only goes on in another form", async () => {
  const { store, sealer, jar } = open();
  const prepared = await store.prepare({ user: ADA, account: ACCOUNT, authentication: { ...HOW, time: 7 } }, jar());
  assert.equal((await sealer.open(prepared?.token ?? "", NAME))?.auth_time, 7);
});

test("prepare() gives the jwt callback who signed in and with what, and seals what it answers", async () => {
  const seen: JWTCallbackParams[] = [];
  const { store, sealer, jar } = open({
    callbacks: {
      jwt(params) {
        seen.push(params);
        return { sub: params.token.sub, role: "admin" };
      },
    },
  });
  const profile = { sub: "1", locale: "de" };
  const prepared = await store.prepare({ user: ADA, account: ACCOUNT, profile, authentication: HOW }, jar());
  assert.deepEqual(seen, [{
    token: { name: "Ada", email: "ada@app.test", picture: null, sub: "1", ...SIGNED_IN },
    user: ADA,
    account: ACCOUNT,
    profile,
    trigger: "signIn",
  }]);
  assert.equal((await sealer.open(prepared?.token ?? "", NAME))?.role, "admin");
});

test("prepare() writes nothing: the browser is told when everything else has succeeded", async () => {
  const { store, jar } = open();
  const cookies = jar();
  await store.prepare({ user: ADA, account: ACCOUNT, authentication: HOW }, cookies);
  assert.deepEqual(cookies.close(), []);
});

test("a jwt callback that answers null at sign-in makes no session and ends the one there was", async () => {
  const { store, put, jar } = open({ callbacks: { jwt: () => null } });
  await put({ sub: "old" });
  const cookies = jar();
  const prepared = await store.prepare({ user: ADA, account: ACCOUNT, authentication: HOW }, cookies);
  assert.equal(prepared, null);
  store.write(cookies, prepared);
  assert.deepEqual(changed(cookies), { set: [], removed: [NAME] });
});

test("a jwt callback that answers no token at sign-in is a fault, not a session without a user", async () => {
  for (const answer of [undefined, "x", 1, true, [], ["x"]]) {
    const { store, jar } = open({ callbacks: { jwt: (() => answer) as unknown as () => null } });
    const cookies = jar();
    const refusal = { name: "CallbackRouteError", message: /`callbacks\.jwt` returned .+: it must return the token/ };
    await assert.rejects(store.prepare({ user: ADA, account: ACCOUNT, authentication: HOW }, cookies), refusal);
    assert.deepEqual(cookies.close(), []);
  }
});

test("find() never writes, whatever the browser sends", async () => {
  const { store, put, runtime, jar } = open();
  for (const header of ["", `${NAME}=junk`, `${NAME}.0=a; ${NAME}.1=b`, `${NAME}=a; ${NAME}=b`]) {
    const cookies = jarWith(header);
    assert.equal(await store.find(cookies), null);
    assert.deepEqual(cookies.close(), []);
  }
  await put({ sub: "1" }, 60);
  runtime.advance(100);
  const cookies = jar();
  assert.equal(await store.find(cookies), null);
  assert.deepEqual(cookies.close(), []);
});

test("find() takes no other cookie of the service for a session", async () => {
  const { store, sealer } = open();
  for (
    const salt of ["authjs.state", "authjs.nonce", "authjs.challenge", "__Secure-authjs.session-token", "encodedState"]
  ) {
    const sealed = await sealer.seal({ sub: "1" }, { salt, maxAge: 60 });
    assert.equal(await store.find(jarWith({ [NAME]: sealed })), null, salt);
  }
});

test("touch() renews a session after updateAge and not before", async () => {
  const { runtime, signIn, read, kept } = open({ session: { maxAge: 1000, updateAge: 100 } });
  await signIn();
  const first = kept();
  runtime.advance(99);
  assert.deepEqual((await read()).changes, { set: [], removed: [] });
  assert.deepEqual(kept(), first);
  runtime.advance(1);
  const { changes, touched, jar } = await read();
  assert.deepEqual(changes, { set: [NAME], removed: [] });
  assert.deepEqual(touched?.expires, new Date(START + 1_100_000));
  assert.deepEqual(jar.close()[0]?.options.expires, new Date(START + 1_100_000));
  assert.notDeepEqual(kept(), first);
});

test("touch() renews at every read when updateAge is 0", async () => {
  const { signIn, read } = open({ session: { updateAge: 0 } });
  await signIn();
  for (let i = 0; i < 3; i++) assert.deepEqual((await read()).changes.set, [NAME]);
});

test("a session that is used lives on, and one that is not ends", async () => {
  const { runtime, signIn, read } = open({ session: { maxAge: 1000, updateAge: 100 } });
  await signIn();
  for (let i = 0; i < 10; i++) {
    runtime.advance(900);
    assert.equal((await read()).claims?.sub, "1");
  }
  runtime.advance(1016);
  assert.equal((await read()).claims, undefined);
});

test("touch() renews a token without iat whenever it is read", async () => {
  const { put, read } = open({
    jwt: { decode: () => ({ sub: "1", exp: START / 1000 + 500 }), encode: () => "fresh" },
  });
  await put({});
  assert.deepEqual((await read()).changes.set, [NAME]);
  assert.deepEqual((await read()).changes.set, [NAME]);
});

test("touch() never renews for a caller who cannot send it on", async () => {
  const { runtime, signIn, read } = open({
    session: { maxAge: 1000, updateAge: 0 },
    callbacks: { jwt: ({ token }) => ({ ...token, seen: Math.random() }) },
  });
  await signIn();
  runtime.advance(500);
  const { changes, touched } = await read({ renew: false });
  assert.deepEqual(changes, { set: [], removed: [] });
  assert.deepEqual(touched?.expires, new Date(START + 1_000_000));
});

const UNCHANGED: Readonly<Record<string, (params: JWTCallbackParams) => JWT>> = {
  "gives the token back": ({ token }) => token,
  "copies the token": ({ token }) => ({ ...token }),
  "adds what is undefined": ({ token }) => ({ ...token, extra: undefined }),
  "writes the same again": ({ token }) => Object.assign(token, { sub: token.sub }),
};

for (const [name, jwt] of Object.entries(UNCHANGED)) {
  test(`touch() does not renew for a jwt callback that ${name}`, async () => {
    const { signIn, read } = open({ callbacks: { jwt } });
    await signIn();
    assert.deepEqual((await read()).changes.set, []);
  });
}

const CHANGED: Readonly<Record<string, (params: JWTCallbackParams) => JWT>> = {
  "changes the token in place": ({ token }) => Object.assign(token, { count: Number(token.count ?? 0) + 1 }),
  "gives another token": ({ token }) => ({ ...token, count: Number(token.count ?? 0) + 1 }),
  "changes deep inside": ({ token }) => {
    const list = token.list as number[] | undefined ?? [];
    list.push(list.length);
    return Object.assign(token, { list });
  },
  "takes something away": ({ token: { name: _, ...rest }, trigger }) => trigger ? { ...rest, name: "Ada" } : rest,
};

for (const [name, jwt] of Object.entries(CHANGED)) {
  test(`touch() renews for a jwt callback that ${name}`, async () => {
    const { signIn, read, sealer, kept } = open({ callbacks: { jwt } });
    await signIn();
    const { changes, touched } = await read();
    assert.deepEqual(changes.set, [NAME]);
    const claims = await sealer.open(kept()[NAME] ?? "", NAME) as JWT;
    for (const member of ["count", "list", "name"]) assert.deepEqual(claims[member], touched?.claims[member]);
  });
}

test("touch() tells the jwt callback nothing but the token when a session is read", async () => {
  const seen: JWTCallbackParams[] = [];
  const { put, read } = open({
    callbacks: {
      jwt(params) {
        seen.push(params);
        return params.token;
      },
    },
  });
  await put({ sub: "1" });
  await read();
  assert.deepEqual(Object.keys(seen[0] ?? {}), ["token"]);
});

const PATCHES: readonly unknown[] = [{ name: "Bob" }, undefined, null, "x", 0];

for (const data of PATCHES) {
  test(`touch() gives the jwt callback an update of ${JSON.stringify(data)}, and renews`, async () => {
    const seen: JWTCallbackParams[] = [];
    const { put, read } = open({
      callbacks: {
        jwt(params) {
          seen.push(params);
          return params.token;
        },
      },
    });
    await put({ sub: "1" });
    assert.deepEqual((await read({ renew: true, patch: { data } })).changes.set, [NAME]);
    assert.deepEqual([seen[0]?.trigger, seen[0]?.session], ["update", data]);
  });
}

test("touch() takes nothing from an update without a jwt callback, and renews", async () => {
  const { put, read } = open();
  await put({ sub: "1", name: "Ada" });
  const { touched, changes } = await read({ renew: true, patch: { data: { sub: "2", name: "Bob" } } });
  assert.deepEqual([touched?.claims.sub, touched?.claims.name], ["1", "Ada"]);
  assert.deepEqual(changes.set, [NAME]);
});

test("touch() gives null when the jwt callback ends the session", async () => {
  const { put, read } = open({ callbacks: { jwt: () => null } });
  await put({ sub: "1" });
  assert.equal((await read()).touched, null);
});

test("touch() names the jwt callback that throws, and changes no cookie", async () => {
  const fault = new Error("x");
  const { store, put, jar } = open({
    callbacks: {
      jwt() {
        throw fault;
      },
    },
  });
  await put({ sub: "1" });
  const cookies = jar();
  const active = await store.find(cookies);
  assert.ok(active);
  const named = { message: "`callbacks.jwt` failed", logCode: "callback-threw", cause: { err: fault } };
  await assert.rejects(store.refresh(cookies, active, { renew: true }), named);
  assert.deepEqual(cookies.close(), []);
});

test("a callback that changes the token it is given does not change what the next request reads", async () => {
  const counts: unknown[] = [];
  const { put, store, kept } = open({
    callbacks: {
      jwt({ token }) {
        counts.push(token.count);
        token.count = 1;
        return token;
      },
    },
  });
  await put({ sub: "1" });
  for (let i = 0; i < 3; i++) {
    const cookies = jarWith(kept());
    const active = await store.find(cookies);
    if (active) await store.refresh(cookies, active, { renew: false });
  }
  assert.deepEqual(counts, [undefined, undefined, undefined]);
});

interface End {
  readonly name: string;
  readonly config: AuthConfig;
  /** Seconds the token in the cookie lives. */
  readonly lives: number;
  readonly options?: RefreshOptions;
  /** Seconds until the session ends, as the browser is told. */
  readonly ends: number;
}

const ENDS: readonly End[] = [
  { name: "as the token says", config: { session: { maxAge: 1000 } }, lives: 300, ends: 300 },
  { name: "no later than a session may live", config: { session: { maxAge: 1000 } }, lives: 5000, ends: 1000 },
  { name: "with a new token", config: { session: { maxAge: 1000, updateAge: 0 } }, lives: 300, ends: 1000 },
  {
    name: "with an updated token",
    config: { session: { maxAge: 1000 } },
    lives: 300,
    options: { renew: true, patch: { data: 1 } },
    ends: 1000,
  },
  {
    name: "with its token, which lives shorter",
    config: { session: { maxAge: 1000, updateAge: 0 }, jwt: { maxAge: 200 } },
    lives: 100,
    ends: 200,
  },
  {
    name: "before its token, which lives longer",
    config: { session: { maxAge: 1000, updateAge: 0 }, jwt: { maxAge: 9999 } },
    lives: 100,
    ends: 1000,
  },
];

for (const { name, config, lives, options = { renew: true }, ends } of ENDS) {
  test(`a session is told to end ${name}`, async () => {
    const { put, read } = open(config);
    await put({ sub: "1" }, lives);
    const { touched, jar } = await read(options);
    assert.deepEqual(touched?.expires, new Date(START + ends * 1000));
    for (const { options } of jar.close()) assert.deepEqual(options.expires, touched?.expires);
  });
}

test("a new session is told to end with its token", async () => {
  const { signIn } = open({ session: { maxAge: 1000 }, jwt: { maxAge: 200 } });
  assert.deepEqual((await signIn()).close()[0]?.options.expires, new Date(START + 200_000));
});

test("a coder of the developer's is given token, secrets, salt and lifetime, and is asked every time", async () => {
  const asked: unknown[] = [];
  const { signIn, read, kept } = open({
    secret: ["new", "old"],
    jwt: {
      maxAge: 60,
      encode({ encode, decode, ...params }) {
        assert.deepEqual([typeof encode, typeof decode], ["function", "function"]);
        asked.push(["encode", params]);
        return "opaque";
      },
      decode({ encode, decode, ...params }) {
        assert.deepEqual([typeof encode, typeof decode], ["function", "function"]);
        asked.push(["decode", params]);
        return { sub: "1", iat: START / 1000 };
      },
    },
  });
  await signIn();
  assert.deepEqual(kept(), { [NAME]: "opaque" });
  await read();
  await read();
  const decode = ["decode", { token: "opaque", secret: ["new", "old"], salt: NAME, maxAge: 60 }];
  const token = { name: "Ada", email: "ada@app.test", picture: null, sub: "1", ...SIGNED_IN };
  assert.deepEqual(asked, [["encode", { salt: NAME, maxAge: 60, token, secret: ["new", "old"] }], decode, decode]);
});

test("a decoder that answers null finds no session", async () => {
  const { put, read } = open({ jwt: { decode: () => null } });
  await put({ sub: "1" });
  assert.equal((await read()).claims, undefined);
});

test("a decoder that answers an empty object finds no session", async () => {
  const { put, read } = open({ jwt: { decode: () => ({}) } });
  await put({ sub: "1" });
  assert.equal((await read()).claims, undefined);
});

test("a session is kept whole over several cookies, and shrinks without leaving any behind", async () => {
  const { signIn, read, kept } = open({
    callbacks: {
      jwt: ({ token, trigger }) => ({ ...token, text: "x".repeat(trigger === "signIn" ? 9000 : 10) }),
    },
  });
  await signIn();
  assert.ok(Object.keys(kept()).includes(`${NAME}.2`));
  const { claims } = await read();
  assert.equal((claims?.text as string).length, 9000);
  assert.deepEqual(Object.keys(kept()), [NAME]);
  assert.equal((await read()).claims?.text, "x".repeat(10));
});

test("a session too large for cookies is an error that tells the size and the remedy, and keeps the old cookie", async () => {
  const { put, store, jar } = open({ callbacks: { jwt: ({ token }) => ({ ...token, text: "x".repeat(20_000) }) } });
  await put({ sub: "1" });
  const cookies = jar();
  const active = await store.find(cookies);
  assert.ok(active);
  const tooLarge = {
    name: "CallbackRouteError",
    message: /takes \d{5} characters of at most 19680.*`text`.*`callbacks\.jwt`/,
  };
  await assert.rejects(store.refresh(cookies, active, { renew: true }), tooLarge);
  await assert.rejects(store.prepare({ user: ADA, account: ACCOUNT, authentication: HOW }, cookies), tooLarge);
  assert.deepEqual(cookies.close(), []);
});

test("end() removes every cookie of a session that the browser has", async () => {
  const { store } = open();
  const cookies = jarWith({ [`${NAME}.0`]: "a", [`${NAME}.1`]: "b", other: "c" });
  await store.end(cookies);
  assert.deepEqual(changed(cookies), { set: [], removed: [`${NAME}.0`, `${NAME}.1`] });
});
