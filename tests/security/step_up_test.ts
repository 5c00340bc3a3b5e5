/** Nobody gets past what `auth.require` and `protect` ask of a sign-in: by another path, header, session or moment. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, AuthConfig } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { AdapterError, SessionTokenError, StepUpRequired } from "../../src/kernel/errors.ts";
import { authFunction, authorizeRequest } from "../../src/service/guard.ts";
import { requireFor, type RequireOptions } from "../../src/service/require.ts";
import { leadsToMembers } from "../_support/oracle_paths.ts";
import { type TestRuntime, testRuntime } from "../_support/runtime.ts";
import { sessionKinds } from "../_support/session_kinds.ts";
import { openVisitedService, type VisitedService, type Visitor } from "../_support/visitors.ts";

const ORIGIN = "http://localhost:3000";
const ADA = "ada@example.com";
const COOKIE = "authjs.session-token";

const SESSIONS: ReturnType<typeof sessionKinds> = {
  ...sessionKinds(),
  "stored, and cached": () => ({
    adapter: memoryAdapter(),
    session: { strategy: "database", cache: { seconds: 60 } },
  }),
  "sealed, and seldom looked up": () => ({
    adapter: memoryAdapter(),
    session: { strategy: "jwt", revalidate: 600 },
  }),
};

interface Site extends VisitedService {
  readonly runtime: TestRuntime;
  readonly ada: Visitor;
  require(options?: RequireOptions, init?: RequestInit): Promise<unknown>;
  guarded(path: string, init?: RequestInit): Promise<Response>;
}

async function open(config: AuthConfig & { readonly adapter: Adapter }): Promise<Site> {
  const runtime = testRuntime();
  const service = await openVisitedService({ runtime, ...config });
  const ada = service.visitor();
  const request = (path: string, { headers, ...init }: RequestInit = {}) => {
    const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return new Request(ORIGIN + path, { ...init, headers: { cookie, ...headers as Record<string, string> } });
  };
  const guard = authFunction(service.engine)(() => new Response("in"));
  return {
    ...service,
    runtime,
    ada,
    require: (options, init) => requireFor(service.engine, request("/admin", init), options),
    guarded: (path, init) => guard(request(path, init)),
  };
}

/** What is missing, as a promise that was refused says. */
async function missing(refused: Promise<unknown>): Promise<readonly string[]> {
  const error = await refused.then(() => null, (error) => error);
  if (error === null) return [];
  if (!(error instanceof StepUpRequired)) throw error;
  return error.missing;
}

const ADMIN = { protect: ["/*", { routes: ["/members/*"], level: 2, maxAge: "10m" }] } satisfies AuthConfig;

for (const [name, config] of Object.entries(SESSIONS)) {
  test(`a mailbox is level 1 and a passkey is level 2, for so long: ${name}`, async () => {
    const { ada, links, runtime, require, guarded } = await open({ ...config(), ...ADMIN });
    assert.deepEqual(await missing(require()), ["session"]);
    await ada.ask(ADA);
    await ada.open(links.get(ADA) ?? assert.fail());
    assert.deepEqual(await missing(require()), []);
    assert.deepEqual(await missing(require({ maxAge: "10m" })), []);
    assert.deepEqual(await missing(require({ methods: ["mail"] })), []);
    assert.deepEqual(await missing(require({ level: 2, methods: ["user"] })), ["level", "methods"]);
    assert.equal((await guarded("/members")).status, 302);
    assert.equal((await guarded("/x")).status, 200);
    // Whoever adds a passkey has not signed in with it.
    const key = await ada.register(ADA) ?? assert.fail();
    assert.deepEqual(await missing(require({ level: 2 })), ["level"]);
    await ada.authenticate(key);
    assert.deepEqual(await missing(require({ level: 2, maxAge: "10m", methods: ["user"] })), []);
    assert.equal((await guarded("/members")).status, 200);
    runtime.advance(600);
    assert.deepEqual(await missing(require({ level: 2, maxAge: "10m" })), []);
    runtime.advance(1);
    assert.deepEqual(await missing(require({ level: 2, maxAge: "10m" })), ["age"]);
    assert.equal((await guarded("/members")).status, 302);
    assert.deepEqual(await missing(require({ level: 2 })), []);
  });
}

for (const name of ["stored", "stored, and cached", "sealed, and seldom looked up"]) {
  test(`a session that another process ended is refused at once, while it may still be shown: ${name}`, async () => {
    const given = SESSIONS[name]?.() ?? assert.fail();
    const { ada, require, guarded } = await open({ ...given, ...ADMIN });
    await ada.register(ADA);
    assert.equal((await guarded("/members")).status, 200);
    const id = await ada.inside() ?? assert.fail();
    for (const { sessionToken } of await given.adapter.listSessionsByUserId?.(id) ?? []) {
      await given.adapter.deleteSession?.(sessionToken);
    }
    assert.equal(await ada.inside(), name === "stored" ? null : id);
    assert.deepEqual(await missing(require()), ["session"]);
    assert.equal((await guarded("/members")).status, 302);
  });
}

test("a guard without levels shows what is cached, and one with levels asks storage on their paths only", async () => {
  let reads = 0;
  const rows = memoryAdapter();
  const adapter: Adapter = { ...rows, getSessionAndUser: (token) => (reads++, rows.getSessionAndUser(token)) };
  const session = { strategy: "database", cache: { seconds: 60 } } as const;
  const { ada, guarded, require, engine } = await open({ adapter, session, ...ADMIN });
  await ada.register(ADA);
  await guarded("/x");
  reads = 0;
  assert.equal((await guarded("/x")).status, 200);
  assert.equal(reads, 0);
  assert.equal((await guarded("/members")).status, 200);
  assert.equal(reads, 1);
  await require({ level: 2 });
  assert.equal(reads, 2);
  const cookie = `${COOKIE}=${ada.token}`;
  const visit = new Request(`${ORIGIN}/members`, { headers: { cookie } });
  await authorizeRequest(engine, visit, { target: "/members", routes: ["/members"] });
  assert.equal(reads, 3);
});

for (const [name, config] of Object.entries(SESSIONS)) {
  if (name.startsWith("sealed") && name !== "sealed, and seldom looked up") continue;
  test(`while storage fails nobody passes, and the error says so: ${name}`, async () => {
    const given = config();
    let fails = false;
    const failing = Object.fromEntries(
      Object.entries(given.adapter).map(([operation, run]) => [
        operation,
        typeof run !== "function" ? run : (...args: unknown[]) => {
          if (fails) throw new AdapterError("down");
          return (run as (...args: unknown[]) => unknown).apply(given.adapter, args);
        },
      ]),
    ) as unknown as Adapter;
    const { ada, require, guarded } = await open({ ...given, adapter: failing, ...ADMIN });
    await ada.register(ADA);
    assert.deepEqual(await missing(require({ level: 2 })), []);
    fails = true;
    await assert.rejects(require(), SessionTokenError);
    assert.equal((await guarded("/members")).status, 503);
  });
}

/** Other spellings of a page that asks for level 2. */
const SPELLINGS: readonly string[] = [
  "/members",
  "/Members/x",
  "/MEMBERS/X",
  "/%6dembers",
  "/%256dembers",
  "//members",
  "/x%2f..%2fmembers",
  "/members%2f..",
  "/members%2f..%2fx",
  "/members/%2e%2e%2fx",
  "/members;a=1",
  "/members%5cx",
  "/members/__data.json",
  "/members.data",
  "/members.rsc",
  "/members.json",
  "/members/index.html",
  "/ｍembers",
  "/%ff/members",
  `/x/%${"25".repeat(40)}2e`,
];

for (const path of SPELLINGS) {
  test(`no spelling gets past the level: ${path.slice(0, 40)}`, async () => {
    const { ada, guarded, links } = await open({ adapter: memoryAdapter(), ...ADMIN });
    await ada.ask(ADA);
    await ada.open(links.get(ADA) ?? assert.fail());
    assert.equal((await guarded("/x")).status, 200, "the session is one");
    assert.notEqual(await (await guarded(path)).text(), "in");
  });
}

test("a path that no router takes for a page of level 2 asks for none", async () => {
  const { ada, guarded, links } = await open({ adapter: memoryAdapter(), ...ADMIN });
  await ada.ask(ADA);
  await ada.open(links.get(ADA) ?? assert.fail());
  for (const path of ["/", "/membership", "/x/members", "/members.css", "/a%20b"]) {
    assert.equal(leadsToMembers(path), false);
    assert.equal((await guarded(path)).status, 200, path);
  }
});

test("each path by which a framework may choose the page counts, and the pages of the service stay open", async () => {
  const protect = [{ routes: ["/*"], level: 2 }, { routes: ["/auth/*"], level: 2 }] as const;
  const { ada, guarded, links } = await open({ adapter: memoryAdapter(), protect });
  await ada.ask(ADA);
  await ada.open(links.get(ADA) ?? assert.fail());
  assert.equal((await guarded("/auth/signin")).status, 200);
  const behind = await open({ adapter: memoryAdapter(), ...ADMIN });
  await behind.ada.ask(ADA);
  await behind.ada.open(behind.links.get(ADA) ?? assert.fail());
  const cookie = `${COOKIE}=${behind.ada.token}`;
  for (const seen of [{ target: "/members", routes: [] }, { target: null, routes: ["/members/x"] }]) {
    const visit = new Request(`${ORIGIN}/x`, { headers: { cookie } });
    assert.equal((await authorizeRequest(behind.engine, visit, seen)).denied?.status, 302);
  }
});

/** What a request may say of itself. None of it is a proof. */
const LIES: Readonly<Record<string, RequestInit>> = {
  "prefetch": { headers: { "sec-purpose": "prefetch" } },
  "an old prefetch": { headers: { purpose: "prefetch" } },
  "a prefetch of Next": { headers: { "next-router-prefetch": "1" } },
  "HEAD": { method: "HEAD" },
  "OPTIONS": { method: "OPTIONS" },
  "POST": { method: "POST", body: "x=1" },
  "a method of its own": { method: "PROPFIND" },
  "a bearer token": { headers: { authorization: "Bearer x" } },
  "its level": { headers: { "x-auth-level": "2", acr: "2", amr: "mfa" } },
  "that it was renewed": { headers: { "x-auth-renewed": "1" } },
  "that it wants JSON": { headers: { "x-auth-return-redirect": "1", accept: "application/json" } },
  "where it comes from": { headers: { referer: `${ORIGIN}/auth/challenge`, origin: ORIGIN } },
  "another URL": { headers: { "x-original-url": "/x", "x-rewrite-url": "/x", "x-forwarded-prefix": "/x" } },
};

for (const [name, init] of Object.entries(LIES)) {
  test(`a request that says ${name} needs its level all the same`, async () => {
    const { ada, guarded, require, links } = await open({ adapter: memoryAdapter(), ...ADMIN });
    await ada.ask(ADA);
    await ada.open(links.get(ADA) ?? assert.fail());
    const answer = await guarded("/members", init);
    assert.ok([302, 303, 401].includes(answer.status), String(answer.status));
    assert.notEqual(await answer.text(), "in");
    assert.match(answer.headers.get("cache-control") ?? "", /no-store/);
    assert.deepEqual(await missing(require({ level: 2 }, init)), ["level"]);
  });
}

test("a form is not sent again: the browser is led back to its page, and to no other site", async () => {
  const { ada, guarded, links } = await open({ adapter: memoryAdapter(), ...ADMIN });
  await ada.ask(ADA);
  await ada.open(links.get(ADA) ?? assert.fail());
  const headers = { "sec-fetch-mode": "navigate", accept: "text/html" };
  const back = async (referer: string) => {
    const answer = await guarded("/members/delete?id=7", {
      method: "POST",
      body: "sure=yes",
      headers: { ...headers, referer },
    });
    assert.equal(answer.status, 303);
    return new URL(answer.headers.get("location") ?? "").searchParams.get("callbackUrl");
  };
  assert.equal(await back(`${ORIGIN}/members/7`), `${ORIGIN}/members/7`);
  for (const other of ["https://evil.test/members/7", "//evil.test", "javascript:alert(1)", `${ORIGIN}.evil.test/x`]) {
    assert.equal(await back(other), `${ORIGIN}/members/delete?id=7`);
  }
});

test("`authorized` is asked only once the level is there, and may refuse all the same", async () => {
  let asked = 0;
  const { ada, guarded, links } = await open({
    adapter: memoryAdapter(),
    ...ADMIN,
    callbacks: { authorized: () => (asked++, false) },
  });
  await ada.ask(ADA);
  await ada.open(links.get(ADA) ?? assert.fail());
  assert.equal((await guarded("/members")).status, 302);
  assert.equal(asked, 0);
  const other = await open({ adapter: memoryAdapter(), ...ADMIN, callbacks: { authorized: () => (asked++, false) } });
  await other.ada.register(ADA);
  assert.equal((await other.guarded("/members")).status, 302);
  assert.equal(asked, 1);
});

test("a callback that fails leaves nobody signed in", async () => {
  const { ada, require } = await open({
    adapter: memoryAdapter(),
    callbacks: {
      session() {
        throw new Error("broken");
      },
    },
  });
  await ada.ask(ADA).catch(() => {});
  await ada.register(ADA).catch(() => {});
  assert.deepEqual(await missing(require({ level: 1 })), ["session"]);
});
