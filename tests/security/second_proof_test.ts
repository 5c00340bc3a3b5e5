/** A feature that asks everybody for a second proof: no way in leads past it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, AuthConfig, StoredRecord } from "@x/auth";
import { memoryAdapter, memoryRecords } from "@x/auth/adapters/memory";
import { withRecords } from "@x/auth/adapters/records";
import { makeFeature } from "../../src/contract/feature.ts";
import { redirectTo } from "../../src/request/outcome.ts";
import { pageUrl } from "../../src/request/links.ts";
import type { Points } from "../../src/request/points.ts";
import { resumeSignIn } from "../../src/sign_in/resume.ts";
import { type TestRuntime, testRuntime } from "../_support/runtime.ts";
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
        "POST challenge": async (ctx, { fields }) => {
          if (fields.code === CODE) return await resumeSignIn(ctx, ["mfa", "otp"]);
          return redirectTo(pageUrl(ctx, "signIn", { error: "AccessDenied" }));
        },
      },
    } satisfies Points,
  );
});

/** An adapter of others: no transaction, no columns of our own, and records beside it. */
function foreign(): Adapter {
  const { commit: _, once: __, getRecord: ___, putRecord: ____, removeRecord: _____, listRecords: ______, ...rest } =
    memoryAdapter();
  return withRecords(rest as Adapter, memoryRecords(), { logger: { warn: () => {} } });
}

const SESSIONS: Readonly<Record<string, () => AuthConfig & { readonly adapter: Adapter }>> = {
  "stored": () => ({ adapter: memoryAdapter(), session: { strategy: "database" } }),
  "sealed": () => ({ adapter: memoryAdapter(), session: { strategy: "jwt" } }),
  "sealed, without rows": () => ({ adapter: memoryAdapter(), session: { strategy: "jwt", revalidate: false } }),
  "stored by an adapter of others": () => ({ adapter: foreign(), session: { strategy: "database" } }),
  "sealed, with an adapter of others": () => ({ adapter: foreign(), session: { strategy: "jwt" } }),
};

interface Site {
  readonly runtime: TestRuntime;
  readonly service: VisitedService;
  /** The tokens of sessions that were ever stored. */
  readonly rows: string[];
  readonly records: StoredRecord[];
  readonly events: string[];
}

async function open({ adapter, ...config }: AuthConfig & { readonly adapter: Adapter }): Promise<Site> {
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
    ...config,
    features: [always],
    callbacks: { session: ({ session, auth }) => ({ expires: session.expires, user: session.user, auth }) },
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
  for (const config of [SESSIONS.stored, SESSIONS.sealed]) {
    const { service } = await open(config?.() ?? assert.fail());
    const ada = service.visitor();
    await ada.come("plain", { sub: "1", email: ADA });
    const copies = Array.from({ length: 32 }, () => {
      const copy = service.visitor();
      copy.cookies.set("authjs.pending", ada.cookies.get("authjs.pending") ?? "");
      return copy;
    });
    await Promise.all(copies.map((copy) => copy.post("/auth/challenge", { code: CODE })));
    const inside = await Promise.all(copies.map(isIn));
    assert.equal(inside.filter(Boolean).length, 1);
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
