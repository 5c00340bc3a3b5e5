/** What people do with adapters that were written for Auth.js, unchanged. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { AdapterUser } from "@x/auth";
import { conformanceCases } from "@x/auth/adapters/conformance";
import { credentials } from "@x/auth/providers/credentials";
import type { Browser } from "../_support/browser.ts";
import {
  type ConfiguredAdapter,
  FOREIGN_ADAPTERS,
  type ForeignAdapter,
  postgresFamily,
} from "../_support/foreign_adapters.ts";
import { tellPasskeys, tellWays } from "../_support/adapter_ways.ts";
import { findPostgres, type PostgresServer, skipsWithoutPostgres, startPostgres } from "../_support/postgres.ts";
import {
  leadsTo,
  type MultiProvider,
  type MultiProviderOptions,
  NOT_LINKED,
  openMultiProvider,
} from "../_support/multi_provider.ts";

const ADA = { sub: "ada", name: "Ada", email: "ada@example.com", email_verified: true };
const ADA_AT_WORK = { sub: "ada-2", email: "ada@work.example", email_verified: true };

const DAY = 24 * 60 * 60 * 1000;

type Ours = MultiProvider<ConfiguredAdapter>;

async function byEmail({ adapter }: Pick<Ours, "adapter">, email = ADA.email): Promise<AdapterUser | null> {
  return await adapter.getUserByEmail?.(email) ?? null;
}

async function ownerOf({ adapter }: Ours, provider: string, providerAccountId: string): Promise<string | undefined> {
  const user = await adapter.getUserByAccount?.({ provider, providerAccountId });
  return user ? String(user.id) : undefined;
}

async function emailOf(browser: Browser): Promise<string | null | undefined> {
  return (await browser.session())?.user?.email ?? null;
}

function tokenOf(browser: Browser): string {
  return browser.cookies.get("authjs.session-token")?.value ?? "";
}

function stories(foreign: ForeignAdapter): void {
  /** A story in storage of its own. */
  function story(
    name: string,
    tell: (service: Ours) => Promise<void>,
    options: (adapter: ConfiguredAdapter) => MultiProviderOptions<ConfiguredAdapter> = () => ({}),
  ): void {
    test(`${foreign.name}: ${name}`, async () => {
      const { adapter, close } = await foreign.open();
      try {
        await tell(openMultiProvider({ adapter, ...options(adapter) }));
      } finally {
        await close();
      }
    });
  }

  story("somebody new becomes a user with an account and a session, and comes back as the same", async (service) => {
    const { visitor, come, log } = service;
    const browser = visitor();
    assert.equal(leadsTo(await come(browser, "google", ADA)), "/welcome");
    assert.equal(await emailOf(browser), ADA.email);
    const user = await byEmail(service);
    assert.equal(await ownerOf(service, "google", "ada"), String(user?.id));
    assert.equal(user?.emailVerified, null);
    assert.equal(user?.name, "Ada");
    const again = visitor();
    assert.equal(leadsTo(await come(again, "google", { ...ADA, name: "Countess" })), "/");
    assert.equal(await emailOf(again), ADA.email);
    assert.deepEqual(await byEmail(service), user);
    assert.deepEqual(log.errors, []);
  }, () => ({ pages: { newUser: "/welcome" } }));

  story("a sign-in makes a new session and ends the one before", async (service) => {
    const browser = service.visitor();
    await service.come(browser, "google", ADA);
    const before = tokenOf(browser);
    await service.come(browser, "google", ADA);
    assert.notEqual(tokenOf(browser), before);
    assert.equal(await service.adapter.getSessionAndUser?.(before) ?? null, null);
    assert.equal(await emailOf(browser), ADA.email);
  });

  story("whoever is signed in adds an account and keeps the session", async (service) => {
    const { visitor, come } = service;
    const browser = visitor();
    await come(browser, "google", ADA);
    const before = tokenOf(browser);
    await come(browser, "lax", ADA_AT_WORK);
    assert.equal(tokenOf(browser), before);
    assert.equal(await ownerOf(service, "lax", "ada-2"), await ownerOf(service, "google", "ada"));
    const elsewhere = visitor();
    await come(elsewhere, "lax", ADA_AT_WORK);
    assert.equal(await emailOf(elsewhere), ADA.email);
  });

  story("somebody else with the same address is not let in", async (service) => {
    const { visitor, come } = service;
    await come(visitor(), "google", ADA);
    const other = visitor();
    assert.equal(leadsTo(await come(other, "lax", { ...ADA, sub: "not ada" })), NOT_LINKED);
    assert.equal(await other.session(), null);
    assert.equal(await ownerOf(service, "lax", "not ada"), undefined);
  });

  story("whoever signs out has no session any more, here or there", async (service) => {
    const browser = service.visitor();
    await service.come(browser, "google", ADA);
    const token = tokenOf(browser);
    await browser.signOut();
    assert.equal(await browser.session(), null);
    assert.equal(await service.adapter.getSessionAndUser?.(token) ?? null, null);
  });

  story("a session that is read a day later is renewed", async (service) => {
    const browser = service.visitor();
    await service.come(browser, "google", ADA);
    const sessionToken = tokenOf(browser);
    await service.adapter.updateSession?.({ sessionToken, expires: new Date(Date.now() + 28 * DAY) });
    const session = await browser.session();
    const found = await service.adapter.getSessionAndUser?.(sessionToken);
    assert.ok(Date.parse(session?.expires ?? "") > Date.now() + 29 * DAY);
    assert.equal(new Date(found?.session.expires ?? 0).toISOString(), session?.expires);
    assert.equal(tokenOf(browser), sessionToken);
  });

  for (const isGone of [false, true]) {
    const becomes = isGone ? "is over, if it was ended meanwhile" : "goes on";
    story(`a session whose renewal storage does not confirm ${becomes}`, async (service) => {
      const browser = service.visitor();
      await service.come(browser, "google", ADA);
      await service.adapter.updateSession?.({
        sessionToken: tokenOf(browser),
        expires: new Date(Date.now() + 28 * DAY),
      });
      assert.equal(await emailOf(browser), isGone ? null : ADA.email);
    }, (adapter) => ({
      adapter: {
        ...adapter,
        async updateSession(session) {
          const isRenewal = Number(session.expires) > Date.now() + 29 * DAY;
          if (isGone && isRenewal) await adapter.deleteSession?.(session.sessionToken);
          else await adapter.updateSession?.(session);
          return undefined;
        },
      },
    }));
  }

  story("a session that has ended is none, and its row is removed", async (service) => {
    const browser = service.visitor();
    await service.come(browser, "google", ADA);
    const sessionToken = tokenOf(browser);
    await service.adapter.updateSession?.({ sessionToken, expires: new Date(Date.now() - 1) });
    assert.equal(await browser.session(), null);
    assert.equal(await service.adapter.getSessionAndUser?.(sessionToken) ?? null, null);
  });

  story("a link makes a user whose address is verified, works once, and verifies it once", async (service) => {
    const { visitor, verifyMailbox, link } = service;
    const browser = await verifyMailbox(visitor(), "ADA@example.com");
    assert.equal(await emailOf(browser), ADA.email);
    const user = await byEmail(service);
    assert.ok(user?.emailVerified);
    await browser.open(link().href);
    await browser.submit();
    assert.equal(browser.url.searchParams.get("error"), "Verification");
    await verifyMailbox(visitor(), ADA.email);
    assert.deepEqual(await byEmail(service), user);
  });

  story("a link verifies the address of whoever came by a provider, who keeps the account", async (service) => {
    const { visitor, come, verifyMailbox } = service;
    await come(visitor(), "google", ADA);
    await verifyMailbox(visitor(), ADA.email);
    assert.ok((await byEmail(service))?.emailVerified);
    const again = visitor();
    await come(again, "google", ADA);
    assert.equal(await emailOf(again), ADA.email);
  });

  story("with sealed sessions nothing is stored of whoever signs in by credentials", async (service) => {
    const browser = service.visitor();
    await browser.signIn("password", { name: "grace" });
    assert.equal(await emailOf(browser), "grace@typed.example");
    assert.equal(await byEmail(service, "grace@typed.example"), null);
  }, () => ({ session: { strategy: "jwt" }, providers: [password()] }));

  story("with sealed sessions people are remembered all the same", async (service) => {
    const { visitor, come } = service;
    await come(visitor(), "google", ADA);
    const browser = visitor();
    await come(browser, "google", ADA);
    assert.equal((await browser.session())?.["sub"], await ownerOf(service, "google", "ada"));
  }, () => ({
    session: { strategy: "jwt" },
    callbacks: { session: ({ session, token }) => ({ ...session, sub: token?.sub }) },
  }));

  story("V16: a sign-in that broke off before the account was stored is finished by the next", async (service) => {
    const { visitor, come } = service;
    assert.equal(leadsTo(await come(visitor(), "google", ADA)), "/auth/error Configuration");
    const browser = visitor();
    assert.equal(leadsTo(await come(browser, "google", ADA)), "/");
    assert.equal(await emailOf(browser), ADA.email);
    assert.equal(await ownerOf(service, "google", "ada"), String((await byEmail(service))?.id));
  }, (adapter) => ({ adapter: failingOnce(adapter), mayFail: true }));

  test(`${foreign.name}: the cases of conformance succeed, except those that are known not to`, async () => {
    const failed: string[] = [];
    for (const { name, run } of conformanceCases(() => foreign.open({ passkeys: true }), foreign.promises)) {
      await run().catch(() => failed.push(name));
    }
    assert.deepEqual(failed, foreign.fails);
  });

  story("V63: whoever has the address of a user that was not seen does not become that user", async (service) => {
    const { visitor, come, adapter } = service;
    const other = await adapter.createUser?.({ id: "other", name: "Other", email: ADA.email, emailVerified: null });
    const browser = visitor();
    const leads = leadsTo(await come(browser, "google", ADA));
    const isGuarded = foreign.promises.guardsRelations !== false;
    assert.equal(leads, isGuarded ? "/auth/error Configuration" : "/");
    assert.equal(await browser.session() === null, isGuarded);
    assert.notEqual(await ownerOf(service, "google", "ada"), String(other?.id));
  }, (adapter) => ({ adapter: { ...adapter, getUserByEmail: () => null }, mayFail: true }));
}

/** The same adapter, which fails to store an account the first time. */
function failingOnce(adapter: ConfiguredAdapter): ConfiguredAdapter {
  let isFirst = true;
  return {
    ...adapter,
    linkAccount(account) {
      if (!isFirst) return adapter.linkAccount?.(account);
      isFirst = false;
      throw new Error("down");
    },
  };
}

function password() {
  return credentials({
    id: "password",
    credentials: { name: {} },
    authorize: ({ name }) => ({ id: String(name), email: `${name}@typed.example` }),
  });
}

for (const foreign of FOREIGN_ADAPTERS) {
  stories(foreign);
  tellWays(foreign);
  tellPasskeys(foreign);
}

const bin = findPostgres();

describe("with PostgreSQL", { skip: skipsWithoutPostgres(bin, "The stories with the adapter of Auth.js") }, () => {
  let server: PostgresServer;
  before(async () => void (server = await startPostgres(bin)));
  after(async () => await server.stop());
  const foreign = postgresFamily(() => server.url);
  stories(foreign);
  tellWays(foreign);
  tellPasskeys(foreign);
});
