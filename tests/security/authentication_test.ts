/** What a session says about the sign-in that it began with. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, AuthConfig, SessionAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { credentials } from "@x/auth/providers/credentials";
import { type TestRuntime, testRuntime } from "../_support/runtime.ts";
import { openVisitedService, type Visitor } from "../_support/visitors.ts";

const ADA = "ada@example.com";

/** An adapter of others: no transaction, and no column that Auth.js does not have. */
function foreign(): Adapter {
  const { commit: _, once: __, ...rest } = memoryAdapter();
  const createSession = ({ sessionToken, userId, expires }: Parameters<typeof rest.createSession>[0]) => {
    return rest.createSession({ sessionToken, userId, expires });
  };
  return { ...rest, createSession };
}

const SESSIONS: Readonly<Record<string, () => AuthConfig & { readonly adapter: Adapter }>> = {
  "stored": () => ({ adapter: memoryAdapter(), session: { strategy: "database", updateAge: 60 } }),
  "sealed": () => ({ adapter: memoryAdapter(), session: { strategy: "jwt", updateAge: 60 } }),
  "sealed, with rows": () => ({ adapter: memoryAdapter(), session: { strategy: "jwt", updateAge: 60, revalidate: 1 } }),
  "sealed, with an adapter of others": () => ({ adapter: foreign(), session: { strategy: "jwt", updateAge: 60 } }),
  "stored by an adapter of others": () => ({
    adapter: foreign(),
    session: { strategy: "database", updateAge: 60 },
  }),
};

interface Site {
  readonly runtime: TestRuntime;
  readonly ada: Visitor;
  readonly links: ReadonlyMap<string, URL>;
  auth(): Promise<SessionAuth>;
}

async function open(config: AuthConfig & { readonly adapter: Adapter }): Promise<Site> {
  const runtime = testRuntime();
  const { visitor, links, passwords } = await openVisitedService({
    runtime,
    ...config,
    callbacks: {
      // As one that lists what it keeps.
      jwt: ({ token: { auth_time: _, auth_methods: __, auth_provider: ___, ...token } }) => token,
      session: ({ session, auth }) => ({ expires: session.expires, user: { email: session.user.email }, auth }),
    },
  });
  passwords.set("ada", { id: "ada", email: ADA });
  const ada = visitor();
  const auth = async () => (await (await ada.get("/auth/session")).json()).auth;
  return { runtime, ada, links, auth };
}

const WAYS: Readonly<Record<string, { sign(site: Site): Promise<unknown>; methods: string[]; level?: 2 }>> = {
  "plain": { sign: ({ ada }) => ada.come("plain", { sub: "1", email: ADA }), methods: ["fed"] },
  "email": {
    async sign({ ada, links }) {
      await ada.ask(ADA);
      await ada.open(links.get(ADA) ?? assert.fail());
    },
    methods: ["mail"],
  },
  "password": { sign: ({ ada }) => ada.post("/auth/callback/password", { name: "ada" }), methods: [] },
  "passkey": { sign: ({ ada }) => ada.register(ADA), methods: ["mfa", "swk", "user"], level: 2 },
};

for (const [sessions, config] of Object.entries(SESSIONS)) {
  for (const [provider, { sign, methods, level = 1 }] of Object.entries(WAYS)) {
    test(`a session that is ${sessions} says that it began with ${provider}, also when it is renewed`, async () => {
      const site = await open(config());
      const time = Math.floor(site.runtime.now() / 1000);
      await sign(site);
      for (const seconds of [0, 90, 90, 3600]) {
        site.runtime.advance(seconds);
        assert.deepEqual(await site.auth(), { time, methods, level, provider });
      }
    });
  }

  test(`a session that is ${sessions} says the same when its user gets another account`, async () => {
    const site = await open(config());
    const time = Math.floor(site.runtime.now() / 1000);
    await WAYS.email?.sign(site);
    site.runtime.advance(90);
    assert.equal((await site.ada.come("plain", { sub: "7", email: "ada@other.example" })).status, 302);
    await site.ada.register(ADA);
    assert.deepEqual(await site.auth(), { time, methods: ["mail"], level: 1, provider: "email" });
  });
}

test("a form with a password is told from one that asks for something else", async () => {
  for (const type of ["password", "text"]) {
    const runtime = testRuntime();
    const { visitor } = await openVisitedService({
      runtime,
      adapter: memoryAdapter(),
      session: { strategy: "jwt" },
      providers: [credentials({ credentials: { word: { type } }, authorize: () => ({ id: "ada", email: ADA }) })],
      callbacks: { session: ({ session, auth }) => ({ ...session, auth }) },
    });
    const ada = visitor();
    await ada.post("/auth/callback/credentials", { word: "lovelace" });
    const { auth } = await (await ada.get("/auth/session")).json();
    assert.deepEqual(auth.methods, type === "password" ? ["pwd"] : []);
  }
});

test("the browser sees nothing of it unless `callbacks.session` returns it", async () => {
  for (const config of Object.values(SESSIONS)) {
    const { visitor } = await openVisitedService({ ...config(), callbacks: { session: ({ session }) => session } });
    const ada = visitor();
    await ada.register(ADA);
    assert.doesNotMatch(JSON.stringify(await ada.session()), /auth_|methods|swk/);
  }
});

test("a callback that takes claims from the client does not let it say how somebody signed in", async () => {
  const lie = { auth_time: 9e9, auth_methods: "mfa", auth_provider: "passkey" };
  const runtime = testRuntime();
  const { visitor } = await openVisitedService({
    runtime,
    adapter: memoryAdapter(),
    session: { strategy: "jwt" },
    callbacks: {
      jwt: ({ token, trigger, session }) => trigger === "update" ? { ...token, ...JSON.parse(session) } : token,
      session: ({ session, auth }) => ({ ...session, auth }),
    },
  });
  const ada = visitor();
  await ada.come("plain", { sub: "1", email: ADA });
  const before = (await (await ada.get("/auth/session")).json()).auth;
  assert.equal(before.level, 1);
  await ada.post("/auth/session", { data: JSON.stringify(lie) });
  assert.deepEqual((await (await ada.get("/auth/session")).json()).auth, before);
});
