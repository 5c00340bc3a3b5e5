/** A session that is raised: a new one takes its place, and whatever breaks off leaves the browser with less. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, AdapterSession, AuthConfig, JWT, StoredRecord } from "@x/auth";
import { memoryAdapter, memoryRecords, memorySessions } from "@x/auth/adapters/memory";
import { withSessions } from "@x/auth/adapters/sessions";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { withRecords } from "@x/auth/adapters/records";
import { encode } from "@x/auth/jwt";
import { makeFeature } from "../../src/contract/feature.ts";
import { createSealer } from "../../src/crypto/seal.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import type { RequestContext } from "../../src/request/context.ts";
import type { AuthEvent } from "../../src/request/happened.ts";
import { refused } from "../../src/request/outcome.ts";
import type { Points } from "../../src/request/points.ts";
import {
  describedRow,
  keptProviderSession,
  openLogoutHint,
  succeedingRow,
} from "../../src/session_stores/provider_session.ts";
import { findRaisable, raiseSession, type StepUpPlan } from "../../src/sign_in/step_up.ts";
import { START, type TestRuntime, testRuntime } from "../_support/runtime.ts";
import { SECRET } from "../_support/service.ts";
import { otherAdapter, type SessionKind, sessionKinds } from "../_support/session_kinds.ts";
import { openVisitedService, type VisitedService, type Visitor } from "../_support/visitors.ts";

const ADA = "ada@example.com";

function foreign(): Adapter {
  return withRecords(otherAdapter(), memoryRecords(), { logger: { warn: () => {} } });
}

const SESSIONS: Readonly<Record<string, () => SessionKind>> = {
  ...sessionKinds(foreign),
  "stored in SQLite": () => ({ adapter: sqliteAdapter(":memory:"), session: { strategy: "database" } }),
  "sealed, with rows in SQLite": () => ({ adapter: sqliteAdapter(":memory:"), session: { strategy: "jwt" } }),
};

/** Sessions that storage can end. */
const ENDABLE = Object.entries(SESSIONS).filter(([sessions]) => hasRows(sessions));

function hasRows(sessions: string): boolean {
  return sessions !== "sealed, without rows" && sessions !== "sealed, with an adapter of others";
}

interface Site {
  readonly adapter: Adapter;
  readonly runtime: TestRuntime;
  readonly service: VisitedService;
  readonly events: AuthEvent[];
  /** Called between the look at the session and the step-up. */
  meanwhile: (ctx: RequestContext) => Promise<unknown>;
  plan: StepUpPlan | undefined;
}

async function open({ adapter, ...config }: SessionKind & AuthConfig): Promise<Site> {
  const events: AuthEvent[] = [];
  const raising = makeFeature("raising", ["records"], () => {
    return Promise.resolve(
      {
        changed: (_, event) => void events.push(event),
        routes: {
          "POST challenge": async (ctx, { fields: { method = "otp mfa" } }) => {
            const found = await findRaisable(ctx);
            if (!found) return refused(401, "nobody");
            await site.meanwhile(ctx);
            const { plan } = site;
            const isRaised = await raiseSession(ctx, { ...found, methods: String(method).split(" "), plan });
            return refused(isRaised ? 404 : 400, "");
          },
        },
      } satisfies Points,
    );
  });
  const runtime = testRuntime();
  const service = await openVisitedService({
    adapter,
    runtime,
    features: [raising],
    ...config,
    callbacks: {
      session: ({ session, auth, token }) => ({
        expires: session.expires,
        user: session.user,
        auth,
        role: token?.role,
      }),
      ...config.callbacks,
    },
  });
  const site: Site = { adapter, runtime, service, events, meanwhile: () => Promise.resolve(), plan: undefined };
  return site;
}

async function enter({ service }: Site): Promise<Visitor> {
  const ada = service.visitor();
  await ada.ask(ADA);
  await ada.open(service.links.get(ADA) ?? assert.fail());
  return ada;
}

interface Read {
  readonly auth?: { readonly time: number; readonly methods: readonly string[]; readonly level: number };
  readonly role?: string;
}

async function read(visitor: Visitor): Promise<Read | null> {
  return await (await visitor.get("/auth/session")).json();
}

async function raise(visitor: Visitor, method?: string): Promise<boolean> {
  return (await visitor.post("/auth/challenge", method === undefined ? {} : { method })).status === 404;
}

function copyOf(site: Site, visitor: Visitor): Visitor {
  const copy = site.service.visitor();
  for (const [name, value] of visitor.cookies) copy.cookies.set(name, value);
  return copy;
}

async function idOf({ adapter }: Site): Promise<string> {
  return (await adapter.getUserByEmail?.(ADA))?.id ?? assert.fail();
}

for (const [sessions, config] of Object.entries(SESSIONS)) {
  test(`a session with two factors is as recent as its last proof by both: sessions are ${sessions}`, async () => {
    const site = await open(config());
    const ada = await enter(site);
    const ages: (readonly [method: string, seconds: number])[] = [];
    for (const method of ["otp mfa", "mfa rcv", "mfa swk user", "otp mfa"]) {
      site.runtime.advance(3600);
      assert.equal(await raise(ada, method), true, site.service.errors.join());
      const { time } = (await read(ada))?.auth ?? assert.fail();
      ages.push([method, Math.floor(site.runtime.now() / 1000) - time]);
    }
    assert.deepEqual(ages, [["otp mfa", 0], ["mfa rcv", 3600], ["mfa swk user", 0], ["otp mfa", 3600]]);
  });

  test(`a raised session says what was proven, and has another token: sessions are ${sessions}`, async () => {
    const site = await open(config());
    const ada = await enter(site);
    const before = await read(ada);
    assert.deepEqual([before?.auth?.level, before?.auth?.methods], [1, ["mail"]]);
    const old = copyOf(site, ada);
    site.runtime.advance(3600);
    site.events.splice(0);
    assert.equal(await raise(ada), true, site.service.errors.join());
    assert.notEqual(ada.token, old.token);
    const after = await read(ada);
    const { time, methods, level } = after?.auth ?? assert.fail();
    assert.deepEqual([methods, level], [["mail", "mfa", "otp"], 2]);
    assert.equal(time, Math.floor(START / 1000) + 3600);
    const userId = await idOf(site);
    const [event] = site.events.filter(({ type }) => type !== "signIn");
    assert.partialDeepStrictEqual(event, { type: "sessionRaised", userId, methods: ["mail", "mfa", "otp"] });
    assert.ok(!site.events.some(({ type }) => type === "signIn"));
    const rows = await site.adapter.listSessionsByUserId?.(userId) ?? [];
    if (!hasRows(sessions)) return assert.deepEqual(rows, []);
    assert.equal(rows.length, 1);
    assert.equal(typeof (event as { sessionId?: string }).sessionId, "string");
    assert.equal(await read(old), null);
  });

  test(`a session can be raised again, and ends like any other: sessions are ${sessions}`, async () => {
    const site = await open(config());
    // The address is proven, and the session raised, in one second.
    site.runtime.advance(0.5);
    const ada = await enter(site);
    assert.equal(await raise(ada, "otp mfa"), true);
    assert.equal(await raise(ada, "rcv mfa"), true);
    assert.deepEqual((await read(ada))?.auth?.methods, ["mail", "mfa", "otp", "rcv"]);
    site.runtime.advance(15 * 86_400);
    assert.equal((await read(ada))?.auth?.level, 2);
    const copy = copyOf(site, ada);
    await ada.signOut();
    assert.equal(await read(ada), null);
    if (hasRows(sessions)) assert.equal(await read(copy), null);
  });

  test(`records change with the session, or neither changes: sessions are ${sessions}`, async () => {
    const site = await open(config());
    const ada = await enter(site);
    const { adapter } = site;
    const code: StoredRecord = { kind: "factor", id: "1", userId: await idOf(site), version: 0, data: {} };
    const version = await adapter.putRecord?.(code) ?? assert.fail();
    site.plan = { records: { put: [{ ...code, version, data: { used: true } }] } };
    const [stale, token] = [copyOf(site, ada), ada.token];
    assert.equal(await raise(ada), true, site.service.errors.join());
    assert.deepEqual((await adapter.getRecord?.(code))?.data, { used: true });
    // The same code again, in the session that it has made.
    const raised = ada.token;
    assert.equal(await raise(ada), false);
    assert.equal(ada.token, raised);
    assert.notEqual(raised, token);
    assert.equal((await read(ada))?.auth?.level, 2);
    const expected = [{ kind: "gone", id: "1", version: 7 }];
    site.plan = { expect: { records: expected } };
    assert.equal(await raise(ada), false);
    assert.equal(await raise(stale), false);
  });

  test(`nobody is raised whose user has changed meanwhile: sessions are ${sessions}`, async () => {
    const site = await open(config());
    const ada = await enter(site);
    const [token, id] = [ada.token, await idOf(site)];
    site.meanwhile = async () => await site.adapter.updateUser?.({ id, email: "other@example.com" });
    assert.equal(await raise(ada), false, site.service.errors.join());
    assert.equal(ada.token, token);
    assert.equal((await read(ada))?.auth?.level, 1);
    const rows = await site.adapter.listSessionsByUserId?.(id) ?? [];
    assert.ok(rows.length <= 1);
  });
}

for (const [sessions, config] of ENDABLE) {
  test(`a session that was ended meanwhile is not raised: sessions are ${sessions}`, async () => {
    const ends: Readonly<Record<string, (site: Site, other: Visitor) => Promise<unknown>>> = {
      "signed out in another tab": (_, other) => other.signOut(),
      "all sessions revoked": async (site) => await site.adapter.deleteSessionsByUserId?.(await idOf(site)),
    };
    for (const [how, end] of Object.entries(ends)) {
      const site = await open(config());
      const ada = await enter(site);
      const other = copyOf(site, ada);
      const token = ada.token;
      site.meanwhile = () => end(site, other);
      assert.equal(await raise(ada), false, how);
      assert.equal(ada.token, token, how);
      site.meanwhile = () => Promise.resolve();
      site.runtime.advance(3600);
      assert.equal(await read(ada), null, how);
      assert.deepEqual(await site.adapter.listSessionsByUserId?.(await idOf(site)), [], how);
    }
  });

  test(`of many step-ups at once one makes a session: sessions are ${sessions}`, async () => {
    const site = await open(config());
    const ada = await enter(site);
    const copies = Array.from({ length: 16 }, () => copyOf(site, ada));
    const raised = await Promise.all(copies.map((copy) => raise(copy)));
    assert.equal(raised.filter(Boolean).length, 1, site.service.errors.join());
    const inside = await Promise.all(copies.map(async (copy) => (await read(copy)) !== null));
    assert.equal(inside.filter(Boolean).length, 1);
    assert.equal(await read(ada), null);
    assert.equal((await site.adapter.listSessionsByUserId?.(await idOf(site)))?.length, 1);
  });

  test(`what storage does not do leaves the browser with less: sessions are ${sessions}`, async () => {
    const steps = config().adapter.commit ? ["commit"] as const : ["createSession", "deleteSession"] as const;
    for (const broken of [...steps, "putRecord", "removeRecord"] as const) {
      const { adapter, ...rest } = config();
      let isBroken = false;
      const run = adapter[broken]?.bind(adapter) as (...args: unknown[]) => unknown;
      const lost = async (...args: unknown[]) => {
        if (isBroken) throw new Error("lost");
        return await run(...args);
      };
      const site = await open({ ...rest, adapter: { ...adapter, [broken]: lost } as Adapter });
      const ada = await enter(site);
      const token = ada.token;
      site.meanwhile = () => Promise.resolve(isBroken = true);
      const response = await ada.post("/auth/challenge");
      isBroken = false;
      if (broken === "removeRecord") {
        assert.equal((await read(ada))?.auth?.level, 2);
        continue;
      }
      assert.notEqual(response.status, 404, broken);
      assert.equal(ada.token, token, broken);
      const seen = await read(ada);
      assert.ok(seen === null || seen.auth?.level === 1, broken);
    }
  });
}

test("all that a stored session holds is kept, and a table with a number for each row gives it another", async () => {
  for (const adapter of [memoryAdapter(), foreign()]) {
    const site = await open({ adapter, session: { strategy: "database" } });
    const ada = await enter(site);
    const { adapter: { getSessionAndUser, createSession } } = site;
    const created: object[] = [];
    adapter.getSessionAndUser = async (token) => {
      const found = await getSessionAndUser?.call(adapter, token) ?? null;
      return found && { ...found, session: { ...found.session, id: "row-1", organization: "acme" } as never };
    };
    adapter.createSession = async (row) => {
      created.push(row);
      return await createSession?.call(adapter, row) ?? row;
    };
    const commit = adapter.commit;
    if (commit) {
      adapter.commit = async (plan) => {
        if (plan.createSession) created.push(plan.createSession);
        return await commit.call(adapter, plan);
      };
    }
    assert.equal(await raise(ada), true, site.service.errors.join());
    const [row] = created;
    assert.partialDeepStrictEqual(row, { organization: "acme" });
    assert.ok(row && !("id" in row));
  }
});

test("a sealed session keeps the claims of the application, and no callback is called to raise it", async () => {
  for (const [sessions, config] of Object.entries(SESSIONS)) {
    if (!sessions.startsWith("sealed")) continue;
    const triggers: unknown[] = [];
    const site = await open({
      ...config(),
      callbacks: {
        jwt: ({ token, trigger }) => {
          triggers.push(trigger);
          return trigger === "signIn" || trigger === "signUp" ? { ...token, role: "admin" } : token;
        },
      },
    });
    const ada = await enter(site);
    triggers.splice(0);
    assert.equal(await raise(ada), true, site.service.errors.join());
    assert.deepEqual(triggers, []);
    assert.partialDeepStrictEqual(await read(ada), { role: "admin", auth: { level: 2 } });
    assert.deepEqual(triggers, [undefined]);
  }
});

/** A cookie of Auth.js. */
async function seal(token: JWT): Promise<string> {
  return await encode({ token, secret: SECRET, salt: "authjs.session-token", maxAge: 6 * 365 * 86_400 });
}

test("a copy of the cookie of another library is worth nothing once its session was raised", async () => {
  // As it came, and after it was renewed here.
  for (const isRenewed of [false, true]) {
    for (const adapter of [memoryAdapter(), withSessions(memoryAdapter(), memorySessions())]) {
      await adapter.createUser?.({ id: "ada", email: ADA, emailVerified: null });
      const site = await open({ adapter, session: { strategy: "jwt", updateAge: 0 } });
      const ada = site.service.visitor();
      ada.token = await seal({ sub: "ada", email: ADA });
      const former = copyOf(site, ada);
      if (isRenewed) assert.ok(await read(ada));
      const old = copyOf(site, ada);
      const copies = Array.from({ length: 4 }, () => copyOf(site, ada));
      const raised = await Promise.all(copies.map((copy) => raise(copy)));
      assert.equal(raised.filter(Boolean).length, 1, site.service.errors.join());
      const [winner] = copies.filter((_, index) => raised[index]);
      assert.equal((await read(winner ?? assert.fail()))?.auth?.level, 2);
      // Another process does not remember what this one has ended.
      const elsewhere = await open({ adapter: { ...adapter }, session: { strategy: "jwt", updateAge: 0 } });
      for (const where of [site, elsewhere]) {
        assert.equal(await read(copyOf(where, former)), null);
        assert.equal(await read(copyOf(where, old)), null);
      }
    }
  }
});

test("a session that is older than the proof of the address is not raised", async () => {
  const adapter = memoryAdapter();
  const site = await open({ adapter, session: { strategy: "jwt", revalidate: false } });
  const impostor = site.service.visitor();
  await impostor.come("plain", { sub: "666", email: ADA });
  assert.equal(await raise(copyOf(site, impostor)), true, site.service.errors.join());
  site.runtime.advance(60);
  await enter(site);
  assert.equal(await raise(impostor), false);
});

test("the provider can be told of the sign-out after a session was raised, and no other row has that id_token", async () => {
  const sealer = createSealer([SECRET], systemRuntime);
  const core = { sessionToken: "old", userId: "ada", expires: new Date(START) };
  const authentication = { time: 5, methods: ["fed"], provider: "idp" };
  const providerSession = { sid: "s1", idToken: "a.b.c" };
  const before = await describedRow(sealer, core, { authentication, providerSession }, START);
  const raised = { ...authentication, time: 9, methods: ["fed", "mfa", "otp"] };
  const fresh = { sessionToken: "new", expires: new Date(START + 1) };
  const after = await succeedingRow(sealer, before, fresh, raised);
  const { logoutHint: _, ...members } = after;
  assert.deepEqual(members, {
    sessionToken: "new",
    userId: "ada",
    expires: new Date(START + 1),
    auth_time: 9,
    auth_methods: "fed mfa otp",
    provider: "idp",
    providerSid: "s1",
  });
  const hintOf = async (session: AdapterSession) => {
    const kept = keptProviderSession({ session });
    return kept && await openLogoutHint(sealer, kept);
  };
  assert.equal(await hintOf(after), "a.b.c");
  assert.equal(await hintOf({ ...after, sessionToken: "old" }), null);
  assert.equal(await hintOf({ ...after, logoutHint: before.logoutHint }), null);
  // Sealed with a secret that is gone: nothing is kept that nobody can open.
  const other = createSealer(["another secret, longer than 32 characters"], systemRuntime);
  assert.ok(!("logoutHint" in await succeedingRow(other, before, fresh, raised)));
});
