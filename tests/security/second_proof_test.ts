/** A feature that asks everybody for a second proof: no way in leads past it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, AuthConfig, FormerSessions, JWT, StoredRecord } from "@x/auth";
import { memoryAdapter, memoryRecords } from "@x/auth/adapters/memory";
import { withRecords } from "@x/auth/adapters/records";
import { encode } from "@x/auth/jwt";
import { makeFeature } from "../../src/contract/feature.ts";
import { redirectTo } from "../../src/request/outcome.ts";
import { pageUrl } from "../../src/request/links.ts";
import type { Points } from "../../src/request/points.ts";
import { recordsIn } from "../../src/storage/stored_records.ts";
import { SECRET } from "../_support/service.ts";
import { START, type TestRuntime, testRuntime } from "../_support/runtime.ts";
import { otherAdapter, sessionKinds } from "../_support/session_kinds.ts";
import { openVisitedService, type VisitedService, type Visitor } from "../_support/visitors.ts";

const ADA = "ada@example.com";
const CODE = "123456";

/** Asks everybody for a code, and takes one code. */
const always = makeFeature("always", ["records"], () => {
  return Promise.resolve(
    {
      mint: (_, { authentication }) => {
        return authentication.level === 2 ? { act: "enter" } : { act: "challenge", missing: ["otp"] };
      },
      routes: {
        "POST challenge": async (ctx, { fields, resume }) => {
          if (fields.code === CODE) return await resume(["mfa", "otp"]);
          return redirectTo(pageUrl(ctx, "signIn", { error: "AccessDenied" }));
        },
      },
    } satisfies Points,
  );
});

/** An adapter of others, with records beside it. */
function foreign(): Adapter {
  return withRecords(otherAdapter(), memoryRecords(), { logger: { warn: () => {} } });
}

const SESSIONS = sessionKinds(foreign);

/** Sessions that began in another library, or in a version that did not keep how: a cookie for each kind. */
const BEGUN_ELSEWHERE: Readonly<Record<string, (adapter: Adapter, userId: string) => Promise<[string, string]>>> = {
  "sealed": async (_, sub) => ["authjs.session-token", await seal({ sub, email: ADA })],
  "sealed by another library": (_, sub) => Promise.resolve(["former", sub]),
  "stored": async (adapter, userId) => {
    await adapter.createSession?.({ sessionToken: "old", userId, expires: new Date(START + 1e9) });
    return ["authjs.session-token", "old"];
  },
};

async function seal(token: JWT): Promise<string> {
  return await encode({ token, secret: SECRET, salt: "authjs.session-token", maxAge: 6 * 365 * 86_400 });
}

/** The sessions of a library whose token is the id of the user. */
const FORMER: FormerSessions = {
  cookies: [{ name: "former" }],
  read: (cookie) => cookie("former") ?? null,
  open: (sub) => ({ sub, email: ADA }),
};

interface Site {
  readonly runtime: TestRuntime;
  readonly service: VisitedService;
  /** The tokens of sessions that were ever stored. */
  readonly rows: string[];
  readonly records: StoredRecord[];
  readonly events: string[];
}

interface SiteOptions extends AuthConfig {
  readonly adapter: Adapter;
}

async function open({ adapter, ...config }: SiteOptions): Promise<Site> {
  const runtime = testRuntime();
  const [rows, records, events]: [string[], StoredRecord[], string[]] = [[], [], []];
  const watched: Adapter = {
    ...adapter,
    createSession: async (session) => {
      rows.push(session.sessionToken);
      return await adapter.createSession?.(session) ?? session;
    },
    putRecord: async (record) => {
      records.push(record);
      return await adapter.putRecord?.(record) ?? null;
    },
    ...(adapter.commit && {
      commit: async (plan) => {
        if (plan.createSession) rows.push(plan.createSession.sessionToken);
        records.push(...plan.records?.put ?? []);
        return await adapter.commit?.(plan) ?? "conflict";
      },
    }),
  };
  const service = await openVisitedService({
    runtime,
    adapter: watched,
    features: [always],
    ...config,
    callbacks: {
      session: ({ session, auth }) => ({ expires: session.expires, user: session.user, auth }),
      ...config.callbacks,
    },
    events: {
      signIn: ({ isNewUser }) => void events.push(`signIn ${isNewUser}`),
      createUser: () => void events.push("createUser"),
    },
  });
  service.passwords.set("ada", { id: "ada", email: ADA });
  return { runtime, service, rows, records, events };
}

const WAYS: Readonly<Record<string, (site: Site, ada: Visitor) => Promise<unknown>>> = {
  "an OAuth provider": (_, ada) => ada.come("plain", { sub: "1", email: ADA }),
  "an OAuth provider that links": (_, ada) => ada.come("linking", { sub: "1", email: ADA, email_verified: true }),
  "a link by email": async ({ service }, ada) => {
    await ada.ask(ADA);
    await ada.open(service.links.get(ADA) ?? assert.fail());
  },
  "credentials": (_, ada) => ada.post("/auth/callback/password", { name: "ada" }),
};

function isIn(ada: Visitor): Promise<boolean> {
  return ada.get("/auth/session").then(async (response) => (await response.json())?.user !== undefined);
}

for (const [sessions, config] of Object.entries(SESSIONS)) {
  for (const [way, come] of Object.entries(WAYS)) {
    test(`${way} lets nobody in before the second proof: sessions are ${sessions}`, async () => {
      const site = await open(config());
      const { service, rows, events } = site;
      const ada = service.visitor();
      // The application knows the users of credentials, unless they are stored for their sessions.
      const isStored = way !== "credentials" || !sessions.startsWith("sealed");
      // As a new user, and as one who is known.
      for (const isNewUser of [true, false]) {
        await come(site, ada);
        assert.deepEqual(rows.splice(0), [], "a row before the second proof");
        assert.equal(ada.token, undefined, "a cookie before the second proof");
        assert.equal(await isIn(ada), false);
        assert.ok(!events.some((event) => event.startsWith("signIn")), events.join());
        await ada.post("/auth/challenge", { code: "wrong" });
        assert.equal(await isIn(ada), false);
        assert.ok(ada.cookies.has("authjs.pending"));
        const stolen = ada.cookies.get("authjs.pending") ?? "";
        await ada.post("/auth/challenge", { code: CODE });
        assert.equal(await isIn(ada), true, service.errors.join());
        const told = events.splice(0).filter((event) => event.startsWith("signIn"));
        assert.deepEqual(told, [`signIn ${isStored ? isNewUser : undefined}`]);
        assert.equal(ada.cookies.has("authjs.pending"), false);
        const { auth } = await (await ada.get("/auth/session")).json();
        assert.deepEqual([auth.level, auth.methods.includes("otp")], [2, true]);
        rows.splice(0);

        // What went on once is over: a copy of the cookie is worth nothing.
        const thief = service.visitor();
        thief.cookies.set("authjs.pending", stolen);
        await thief.post("/auth/challenge", { code: CODE });
        assert.equal(await isIn(thief), false);
        assert.deepEqual(rows, []);
        await ada.post("/auth/signout");
      }
    });
  }

  test(`what waits for a second proof ends after ten minutes: sessions are ${sessions}`, async () => {
    const site = await open(config());
    const ada = site.service.visitor();
    await ada.come("plain", { sub: "1", email: ADA });
    site.runtime.advance(601);
    await ada.post("/auth/challenge", { code: CODE });
    assert.equal(await isIn(ada), false);
  });

  test(`a passkey that verified the user is both proofs: sessions are ${sessions}`, async () => {
    const { service } = await open(config());
    const ada = service.visitor();
    await ada.register(ADA);
    assert.equal(await isIn(ada), true, service.errors.join());
  });
}

test("of many second proofs at once one goes on", async () => {
  for (const [sessions, config] of Object.entries(SESSIONS)) {
    for (const [way, come] of Object.entries(WAYS)) {
      const site = await open(config());
      const { service } = site;
      const ada = service.visitor();
      await come(site, ada);
      const copies = Array.from({ length: 32 }, () => {
        const copy = service.visitor();
        copy.cookies.set("authjs.pending", ada.cookies.get("authjs.pending") ?? "");
        return copy;
      });
      await Promise.all(copies.map((copy) => copy.post("/auth/challenge", { code: CODE })));
      const inside = await Promise.all(copies.map(isIn));
      assert.equal(inside.filter(Boolean).length, 1, `${sessions}: ${way}`);
      // Whoever is too late learns that it is over, and not that storage is busy.
      assert.deepEqual(service.errors.filter(({ name }) => name !== "AccessDenied"), [], `${sessions}: ${way}`);
    }
  }
});

test("an account that links by its address is not linked before the second proof", async () => {
  const adapter = memoryAdapter();
  const { service } = await open({ adapter, session: { strategy: "database" } });
  const owner = service.visitor();
  await owner.ask(ADA);
  await owner.open(service.links.get(ADA) ?? assert.fail());
  const impostor = service.visitor();
  await impostor.come("linking", { sub: "666", email: ADA, email_verified: true });
  const { id = "" } = await adapter.getUserByEmail(ADA) ?? {};
  assert.deepEqual(await adapter.listAccountsByUserId(id), []);
  await impostor.post("/auth/challenge", { code: CODE });
  assert.equal((await adapter.listAccountsByUserId(id)).length, 1);
});

test("the record of a sign-in that waits holds nothing that can be read, and ends with its user", async () => {
  const adapter = memoryAdapter();
  const { service, records } = await open({ adapter, session: { strategy: "database" } });
  const ada = service.visitor();
  await ada.come("plain", { sub: "1", email: ADA });
  const [record] = records;
  assert.ok(record);
  assert.doesNotMatch(JSON.stringify(record), /ada@|access_token|example/);
  assert.notEqual(record.id, ada.cookies.get("authjs.pending"));
  const user = await adapter.getUserByEmail(ADA);
  assert.equal(record.userId, user?.id);
  await adapter.deleteUser(user?.id ?? "");
  assert.equal(await adapter.getRecord({ kind: "pending", id: record.id }), null);
  await ada.post("/auth/challenge", { code: CODE });
  assert.equal(await isIn(ada), false);
});

/** Asks whoever has enrolled a factor, as a feature with factors does. */
const enrolled = makeFeature("enrolled", ["records"], () => {
  return Promise.resolve(
    {
      mint: async ({ config }, { user: { id }, evicts, authentication: { level } }) => {
        if (!id || evicts || level === 2) return { act: "enter" };
        const records = config.storage && recordsIn(config.storage);
        const factors = await records?.listRecords({ kind: "factor", userId: id }) ?? [];
        return factors.length > 0 ? { act: "challenge", missing: ["otp"] } : { act: "enter" };
      },
    } satisfies Points,
  );
});

for (const [kind, begin] of Object.entries(BEGUN_ELSEWHERE)) {
  test(`a session that began elsewhere goes on only while its user needs no second proof: ${kind}`, async () => {
    const strategy = kind === "stored" ? "database" : "jwt";
    const adapters = strategy === "database" ? [memoryAdapter(), foreign()] : [memoryAdapter()];
    for (const adapter of adapters) {
      for (const revalidate of [undefined, false] as const) {
        const { id } = await adapter.createUser?.({ id: "ada", email: ADA, emailVerified: new Date(0) }) ??
          assert.fail();
        const { service } = await open({
          adapter,
          features: [enrolled],
          session: { strategy, revalidate, ...(kind.endsWith("library") && { migrateFrom: FORMER }) },
        });
        const [name, value] = await begin(adapter, id);
        const ada = service.visitor();
        ada.cookies.set(name, value);
        assert.equal(await isIn(ada), true, service.errors.join());
        await adapter.putRecord?.({ kind: "factor", id: "1", userId: id, version: 0, data: {} });
        const thief = service.visitor();
        thief.cookies.set(name, value);
        assert.equal(await isIn(thief), false);
        assert.equal(await isIn(ada), false);
        // Neither does it add an account.
        thief.cookies.set(name, value);
        await thief.come("plain", { sub: "666", email: "666@example.com" });
        const owner = await adapter.getUserByAccount?.({ provider: "plain", providerAccountId: "666" });
        assert.notEqual(owner?.id, id);
        await adapter.deleteUser?.(id);
        await adapter.removeRecord?.({ kind: "factor", id: "1" });
      }
    }
  });
}

test("a session that began here before its user enrolled a factor goes on", async () => {
  for (const [sessions, config] of Object.entries(SESSIONS)) {
    const adapter = config().adapter;
    const { service } = await open({
      ...config(),
      adapter,
      features: [enrolled],
      callbacks: { session: undefined } as object,
    });
    const ada = service.visitor();
    await ada.come("plain", { sub: "1", email: ADA });
    assert.equal(await isIn(ada), true, sessions);
    const { id = "" } = await adapter.getUserByEmail?.(ADA) ?? {};
    await adapter.putRecord?.({ kind: "factor", id: "1", userId: id, version: 0, data: {} });
    assert.equal(await isIn(ada), true, sessions);
  }
});

test("a factor that an impostor enrolled at an unproven address locks nobody out, and ends with the first proof", async () => {
  for (const [sessions, config] of Object.entries(SESSIONS)) {
    const adapter = config().adapter;
    const { service } = await open({ ...config(), adapter, features: [enrolled] });
    const impostor = service.visitor();
    await impostor.come("plain", { sub: "666", email: ADA });
    const { id = "" } = await adapter.getUserByEmail?.(ADA) ?? {};
    await adapter.putRecord?.({ kind: "factor", id: "1", userId: id, version: 0, data: {} });
    const ada = service.visitor();
    await ada.ask(ADA);
    await ada.open(service.links.get(ADA) ?? assert.fail());
    assert.equal(await isIn(ada), true, `${sessions}: ${service.errors.join()}`);
    assert.equal(await adapter.getRecord?.({ kind: "factor", id: "1" }), null, sessions);
    // A sealed session without a row ends by itself only.
    if (!sessions.startsWith("sealed, with")) assert.equal(await isIn(impostor), false, sessions);
  }
});

test("a feature that refuses lets nobody in, and nothing of the sign-in is written", async () => {
  const banning = makeFeature("banning", [], () => {
    return Promise.resolve({ mint: () => ({ act: "refuse", message: "Cannot sign in: banned" }) } satisfies Points);
  });
  for (const [sessions, config] of Object.entries(SESSIONS)) {
    for (const [way, come] of Object.entries(WAYS)) {
      const adapter = config().adapter;
      const site = await open({ ...config(), adapter, features: [banning, always] });
      const ada = site.service.visitor();
      await come(site, ada);
      assert.equal(ada.token, undefined, `${sessions}: ${way}`);
      assert.deepEqual(site.rows, []);
      assert.deepEqual(site.records, []);
      assert.equal(await adapter.getUserByEmail?.(ADA), null, `${sessions}: ${way}`);
    }
  }
});

test("further proofs add up until no feature misses one", async () => {
  const two = makeFeature("two", ["records"], () => {
    return Promise.resolve(
      {
        mint: (_, { authentication: { methods } }) => {
          const missing = ["otp", "pin"].filter((method) => !methods.includes(method));
          return missing.length > 0 ? { act: "challenge", missing } : { act: "enter" };
        },
        routes: {
          "POST challenge": async (_, { fields: { method }, resume }) => await resume(["mfa", String(method)]),
        },
      } satisfies Points,
    );
  });
  for (const [sessions, config] of Object.entries(SESSIONS)) {
    for (const [way, come] of Object.entries(WAYS)) {
      const site = await open({ ...config(), features: [two] });
      const ada = site.service.visitor();
      await come(site, ada);
      const first = ada.cookies.get("authjs.pending") ?? "";
      await ada.post("/auth/challenge", { method: "pin" });
      assert.equal(await isIn(ada), false, `${sessions}: ${way}`);
      // The first key is used up: it begins nothing a second time.
      const copy = site.service.visitor();
      copy.cookies.set("authjs.pending", first);
      await copy.post("/auth/challenge", { method: "otp" });
      assert.equal(await isIn(copy), false);
      await ada.post("/auth/challenge", { method: "otp" });
      assert.equal(await isIn(ada), true, `${sessions}: ${way}: ${site.service.errors.join()}`);
      const { auth } = await (await ada.get("/auth/session")).json();
      assert.ok(["mfa", "otp", "pin"].every((method) => auth.methods.includes(method)));
    }
  }
});

test("the key of a sign-in that waits is no session, and a session is no such key", async () => {
  for (const [sessions, config] of Object.entries(SESSIONS)) {
    const { service } = await open(config());
    const [ada, other] = [service.visitor(), service.visitor()];
    await ada.come("plain", { sub: "1", email: ADA });
    const key = ada.cookies.get("authjs.pending") ?? assert.fail();
    const roles = ["session-token", "session-token.0", "signed-in", "state", "challenge", "device", "trusted-device"];
    for (const role of roles) {
      const thief = service.visitor();
      thief.cookies.set(`authjs.${role}`, key);
      assert.equal(await isIn(thief), false, `${sessions}: ${role}`);
      await thief.post("/auth/challenge", { code: CODE });
      assert.equal(await isIn(thief), false, `${sessions}: ${role}`);
    }
    await ada.post("/auth/challenge", { code: CODE });
    assert.equal(await isIn(ada), true);
    for (const value of ada.cookies.values()) {
      other.cookies.set("authjs.pending", value);
      await other.post("/auth/challenge", { code: CODE });
      assert.equal(await isIn(other), false, sessions);
    }
  }
});

test("what a feature knows to be proven is in the session, also after a second proof that another asks for", async () => {
  for (const [sessions, config] of Object.entries(SESSIONS)) {
    for (const way of ["an OAuth provider", "credentials"]) {
      const come = WAYS[way] ?? assert.fail();
      for (const features of [["knowing"], ["knowing", "asking"], ["asking", "knowing"]]) {
        const known = [["geo"], []];
        const all: Readonly<Record<string, Points>> = {
          // It says so once: what waits keeps it.
          knowing: { mint: () => ({ act: "enter", methods: known.shift() ?? [] }) },
          asking: {
            mint: (_, { authentication: { methods } }) => {
              return methods.includes("otp") ? { act: "enter" } : { act: "challenge", missing: ["otp"] };
            },
            routes: { "POST challenge": async (_, { resume }) => await resume(["mfa", "otp"]) },
          },
        };
        const made = features.map((id) => makeFeature(id, ["records"], () => Promise.resolve(all[id] ?? {})));
        const site = await open({ ...config(), features: made });
        const ada = site.service.visitor();
        await come(site, ada);
        if (features.length > 1) await ada.post("/auth/challenge");
        const { auth } = await (await ada.get("/auth/session")).json();
        assert.ok(auth?.methods.includes("geo"), `${sessions}: ${way}: ${features}: ${site.service.errors.join()}`);
        assert.equal(auth.level, features.length);
      }
    }
  }
});

test("dates of a user that only a cookie knows are still dates after the second proof", async () => {
  const seen: unknown[] = [];
  const adapter = memoryAdapter();
  const { service } = await open({
    adapter,
    session: { strategy: "jwt" },
    callbacks: {
      jwt: ({ token, user }) => {
        if (user) seen.push((user as { born?: unknown }).born);
        return token;
      },
    },
  });
  service.passwords.set("grace", { id: "grace", born: new Date(5) } as { id: string });
  const grace = service.visitor();
  await grace.post("/auth/callback/password", { name: "grace" });
  await grace.post("/auth/challenge", { code: CODE });
  assert.deepEqual(seen, [new Date(5)], service.errors.join());
});

test("what a provider tells is still what it told after the second proof, whatever it looks like", async () => {
  const seen: unknown[] = [];
  const told = { sub: "1", email: ADA, born: { "$date": 5 }, since: { "$date": "2031-01-01" } };
  const { service } = await open({
    adapter: memoryAdapter(),
    session: { strategy: "jwt" },
    callbacks: {
      jwt: ({ token, profile }) => {
        if (profile) seen.push(profile);
        return token;
      },
    },
  });
  const ada = service.visitor();
  await ada.come("plain", told);
  await ada.post("/auth/challenge", { code: CODE });
  assert.deepEqual(seen, [told]);
});

test("a user that JSON cannot hold gets no challenge, and the log says why", async () => {
  const cyclic: { id: string; self?: unknown } = { id: "cyclic" };
  cyclic.self = cyclic;
  for (const user of [cyclic, { id: "big", age: 5n }]) {
    const { service } = await open({ adapter: memoryAdapter(), session: { strategy: "jwt" } });
    service.passwords.set("grace", user);
    const grace = service.visitor();
    await grace.post("/auth/callback/password", { name: "grace" });
    assert.equal(grace.token, undefined);
    assert.match(service.errors.join(), /JSON cannot hold its user/);
  }
});

test("without a feature there is no challenge", async () => {
  const { service } = await open({ adapter: memoryAdapter(), features: [] });
  const ada = service.visitor();
  assert.equal((await ada.get("/auth/challenge")).status, 404);
  assert.equal((await ada.post("/auth/challenge", { code: CODE })).status, 404);
});
