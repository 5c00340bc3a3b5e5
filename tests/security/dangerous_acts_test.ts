/** Somebody who finds an old session adds neither an account nor a passkey to its user. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, AuthConfig } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { type TestRuntime, testRuntime } from "../_support/runtime.ts";
import { openVisitedService, type VisitedService, type Visitor } from "../_support/visitors.ts";

const ADA = "ada@example.com";
const PROVEN = { email: ADA, email_verified: true };

/** An adapter of others: no transaction, and no columns of our own. */
function foreign(): Adapter {
  const { commit: _, once: __, getRecord: ___, putRecord: ____, removeRecord: _____, listRecords: ______, ...rest } =
    memoryAdapter();
  return rest as Adapter;
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
  readonly adapter: Adapter;
  readonly ada: Visitor;
  readonly userId: string;
}

/** Ada, whose address is proven by a link, and who has just signed in. */
async function open(config: AuthConfig & { readonly adapter: Adapter }): Promise<Site> {
  const runtime = testRuntime();
  const service = await openVisitedService({ runtime, ...config });
  const ada = service.visitor();
  await ada.ask(ADA);
  await ada.open(service.links.get(ADA) ?? assert.fail());
  const userId = await ada.inside() ?? assert.fail("Ada is not signed in");
  return { runtime, service, adapter: config.adapter, ada, userId };
}

async function waysIn({ adapter, userId }: Pick<Site, "adapter" | "userId">): Promise<string[]> {
  const keys = [
    { provider: "plain", providerAccountId: "thief" },
    { provider: "plain", providerAccountId: "ada" },
  ];
  const owners = await Promise.all(keys.map(async (key) => await adapter.getUserByAccount?.(key)));
  const accounts = keys.filter((_, at) => owners[at]?.id === userId).map((key) => key.providerAccountId);
  const passkeys = await adapter.listAuthenticatorsByUserId?.(userId) ?? [];
  return [...accounts, ...passkeys.map(() => "passkey")];
}

const ON = { account: { freshSignIn: true } };

for (const [name, config] of Object.entries(SESSIONS)) {
  test(`with \`freshSignIn\`, an old session adds nothing, and a fresh one does: ${name}`, async () => {
    const site = await open({ ...config(), ...ON });
    const { runtime, ada, service } = site;
    runtime.advance(601);
    const thief = service.visitor();
    for (const [key, value] of ada.cookies) thief.cookies.set(key, value);

    const refused = await thief.come("plain", { sub: "thief", email: "thief@example.com" });
    assert.match(refused.headers.get("location") ?? "", /\/auth\/signin\?error=SessionRequired/);
    assert.equal(await thief.register(ADA), null);
    assert.deepEqual(await waysIn(site), []);
    assert.equal(await thief.inside(), site.userId, "the session stays as it is, and nobody else is signed in");
    assert.match(String(service.errors.at(-1)), /sign in again/);

    await ada.ask(ADA);
    await ada.open(service.links.get(ADA) ?? assert.fail());
    assert.equal((await ada.come("plain", { sub: "ada" })).headers.get("location"), "http://localhost:3000/");
    assert.ok(await ada.register(ADA));
    assert.deepEqual(await waysIn(site), ["ada", "passkey"]);
  });

  test(`without \`freshSignIn\`, an old session adds an account and no passkey, as before: ${name}`, async () => {
    const site = await open(config());
    site.runtime.advance(601);
    await site.ada.come("plain", { sub: "ada" });
    assert.equal(await site.ada.register(ADA), null);
    assert.deepEqual(await waysIn(site), ["ada"]);
  });

  test(`with \`freshSignIn\`, an old session becomes fresh by a sign-in with a known account: ${name}`, async () => {
    const site = await open({ ...config(), ...ON });
    await site.ada.come("plain", { sub: "ada" });
    site.runtime.advance(601);
    assert.equal(await site.ada.register(ADA), null);
    await site.ada.come("plain", { sub: "ada" });
    assert.ok(await site.ada.register(ADA));
    assert.deepEqual(await waysIn(site), ["ada", "passkey"]);
  });

  test(`with \`freshSignIn\`, what begins in time and ends too late adds nothing: ${name}`, async () => {
    const site = await open({ ...config(), ...ON });
    const { runtime, ada } = site;
    runtime.advance(590);
    const away = await ada.leave("plain");
    const answer = await ada.get("/auth/webauthn-options/passkey?action=register");
    const data = await ada.device.create((await answer.json()).options);
    runtime.advance(11);
    await ada.comeBack(away, { sub: "thief" });
    const refused = await ada.post("/auth/callback/passkey", { action: "register", data });
    assert.match(refused.headers.get("location") ?? "", /\/auth\/signin\?error=SessionRequired/);
    assert.deepEqual(await waysIn(site), []);
  });
}

test("with `freshSignIn`, a session that does not say when it began adds nothing, however new its token is", async () => {
  for (const strategy of ["jwt", "database"] as const) {
    const adapter = memoryAdapter();
    const forgetful: Adapter = {
      ...adapter,
      getSessionAndUser: async (token) => {
        const found = await adapter.getSessionAndUser?.(token) ?? null;
        if (!found) return null;
        const { auth_time: _, ...session } = found.session;
        return { ...found, session };
      },
    };
    const jwt: NonNullable<AuthConfig["jwt"]> = {
      encode: ({ token }) => {
        const { auth_time: _, ...claims } = token ?? {};
        return btoa(JSON.stringify({ ...claims, iat: 2_000_000_000 }));
      },
      decode: ({ token }) => JSON.parse(atob(token ?? "")),
    };
    const site = await open({ adapter: forgetful, session: { strategy, revalidate: false }, jwt, ...ON });
    await site.ada.come("plain", { sub: "ada" });
    assert.equal(await site.ada.register(ADA), null);
    assert.deepEqual(await waysIn(site), [], strategy);
  }
});

test("with `freshSignIn`, an old session does not keep a proven address from linking once it is gone", async () => {
  const site = await open({ ...SESSIONS.stored?.() ?? assert.fail(), ...ON });
  site.runtime.advance(601);
  await site.ada.come("linking", { sub: "1", ...PROVEN });
  await site.ada.signOut();
  await site.ada.come("linking", { sub: "1", ...PROVEN });
  assert.equal(await site.ada.inside(), site.userId);
});
