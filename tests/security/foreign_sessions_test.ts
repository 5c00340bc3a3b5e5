/**
 * V26 with adapters for Auth.js: their rows do not say when somebody signed in, and nobody can list the sessions of a user.
 */
import { test } from "node:test";
import assert from "node:assert/strict";
import type { Adapter, CompleteAdapter } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { passkey } from "@x/auth/providers/passkey";
import type { Browser } from "../_support/browser.ts";
import { type MultiProvider, openMultiProvider } from "../_support/multi_provider.ts";
import { passkeyHolder } from "../_support/passkey_holder.ts";
import { strict } from "../_support/strict_adapter.ts";

const ADDRESS = "victim@example.com";
const IMPOSTOR = { sub: "impostor", name: "Victim", email: ADDRESS, email_verified: false };
const MALLORY = { sub: "mallory", name: "Mallory", email: "mallory@example.com", email_verified: true };
const VICTIM = { sub: "victim", name: "Victim", email: ADDRESS, email_verified: true };

const COOKIE = "authjs.session-token";
const SIGNED_IN = "authjs.signed-in";

const DAY = 24 * 60 * 60 * 1000;
const MAX_AGE = 30 * DAY;

interface World extends MultiProvider<Adapter> {
  readonly rows: CompleteAdapter;
  /** A browser with a session that Auth.js stored or renewed some time ago. */
  fromAuthJs(userId: string, renewedAgo: number): Promise<Browser>;
  idOf(email?: string): Promise<string>;
}

function open(change: (adapter: CompleteAdapter) => Partial<Adapter> = () => ({}), idps = {}): World {
  const rows = memoryAdapter();
  const { adapter } = strict({ ...rows, ...change(rows) });
  const service = openMultiProvider<Adapter>({
    adapter,
    providers: [passkey()],
    idps: { google: {}, lax: {}, ...idps },
  });
  let count = 0;
  return {
    ...service,
    rows,
    async fromAuthJs(userId, renewedAgo) {
      const sessionToken = `of-auth-js-${++count}`;
      const expires = new Date(Date.now() - renewedAgo + MAX_AGE);
      await rows.createSession({ sessionToken, userId, expires });
      const browser = service.visitor();
      browser.cookies.store(`${COOKIE}=${sessionToken}; Path=/`, browser.url);
      return browser;
    },
    idOf: async (email = ADDRESS) => (await rows.getUserByEmail(email))?.id ?? "",
  };
}

async function emailOf(browser: Browser): Promise<string | null> {
  return (await browser.session())?.user?.email ?? null;
}

async function accountsOf({ rows, idOf }: World): Promise<string[]> {
  return (await rows.listAccountsByUserId(await idOf())).map(({ provider, providerAccountId }) => {
    return `${provider}/${providerAccountId}`;
  });
}

for (const renewedAgo of [0, 2 * DAY, 29 * DAY]) {
  test(`a session that was renewed before the proof, ${renewedAgo / DAY} days ago, ends with the proof`, async () => {
    const world = open();
    await world.come(world.visitor(), "lax", IMPOSTOR);
    const mallory = await world.fromAuthJs(await world.idOf(), renewedAgo);
    await new Promise((resolve) => setTimeout(resolve, 2));
    const victim = await world.verifyMailbox(world.visitor(), ADDRESS);
    assert.equal(await emailOf(mallory), null);
    assert.equal(mallory.cookies.get(COOKIE), undefined);
    assert.equal(await emailOf(victim), ADDRESS);
    assert.equal((await world.rows.listSessionsByUserId(await world.idOf())).length, 2);
  });
}

test("a session of a sign-in here, from before the proof, ends with the proof", async () => {
  const world = open();
  const mallory = world.visitor();
  await world.come(mallory, "lax", IMPOSTOR);
  assert.equal(await emailOf(mallory), ADDRESS);
  await world.verifyMailbox(world.visitor(), ADDRESS);
  assert.equal(await emailOf(mallory), null);
});

test("a session from before ends when a provider proves the address and is linked", async () => {
  const world = open(undefined, { google: { allowDangerousEmailAccountLinking: true } });
  const mallory = world.visitor();
  await world.come(mallory, "lax", IMPOSTOR);
  const victim = world.visitor();
  await world.come(victim, "google", VICTIM);
  assert.equal(await emailOf(victim), ADDRESS);
  assert.equal(await emailOf(mallory), null);
  assert.deepEqual(await accountsOf(world), ["lax/impostor", "google/victim"]);
});

test("whoever a provider vouches for stays signed in when they first open a link", async () => {
  const world = open();
  const before = world.visitor();
  await world.come(before, "google", VICTIM);
  await world.verifyMailbox(world.visitor(), ADDRESS);
  assert.equal(await emailOf(before), ADDRESS);
});

test("people who switch from Auth.js stay signed in, whether their address was proven or not", async () => {
  for (const emailVerified of [null, new Date(Date.now() - 10 * DAY)]) {
    const world = open();
    await world.rows.createUser({ id: "u1", email: ADDRESS, emailVerified });
    const browser = await world.fromAuthJs("u1", 2 * DAY);
    assert.equal(await emailOf(browser), ADDRESS);
    assert.equal(await emailOf(browser), ADDRESS);
  }
});

test("a session that Auth.js renewed after the proof adds nothing, until somebody signs in anew", async () => {
  const world = open();
  await world.rows.createUser({ id: "u1", email: ADDRESS, emailVerified: new Date(Date.now() - DAY) });
  const mallory = passkeyHolder(await world.fromAuthJs("u1", 1000));
  assert.equal(await emailOf(mallory.browser), ADDRESS);
  assert.equal((await mallory.begin("register")).status, 403);
  await world.come(mallory.browser, "google", MALLORY);
  assert.equal(await emailOf(mallory.browser), MALLORY.email);
  assert.deepEqual(await accountsOf(world), []);

  const victim = passkeyHolder(await world.fromAuthJs("u1", 1000));
  await world.verifyMailbox(victim.browser, ADDRESS);
  assert.equal(await victim.register(), true);
  await world.come(victim.browser, "lax", { sub: "work", email: "victim@work.example" });
  assert.deepEqual((await accountsOf(world)).filter((account) => !account.startsWith("passkey/")), ["lax/work"]);
});

test("a session whose age nobody knows is not recent enough for a passkey, proven or not", async () => {
  const world = open();
  await world.rows.createUser({ id: "u1", email: ADDRESS, emailVerified: null });
  assert.equal((await passkeyHolder(await world.fromAuthJs("u1", 1000)).begin("register")).status, 403);
});

test("the cookie that tells of a sign-in is good for its own session only", async () => {
  const world = open();
  const honest = await world.verifyMailbox(world.visitor(), ADDRESS);
  const told = honest.cookies.get(SIGNED_IN)?.value ?? "";
  assert.notEqual(told, "");
  const other = passkeyHolder(await world.fromAuthJs(await world.idOf(), 0));
  for (const value of [told, `${told.slice(0, -2)}xx`, "", "x"]) {
    other.browser.cookies.store(`${SIGNED_IN}=${value}; Path=/`, other.browser.url);
    assert.equal((await other.begin("register")).status, 403);
  }
  assert.equal((await passkeyHolder(honest).begin("register")).status, 200);
});

test("the cookie goes on with the session, and goes with it", async () => {
  const world = open();
  const browser = await world.verifyMailbox(world.visitor(), ADDRESS);
  const [row] = await world.rows.listSessionsByUserId(await world.idOf());
  const soon = new Date(Date.now() + 2 * DAY);
  await world.rows.updateSession({ sessionToken: row?.sessionToken ?? "", expires: soon });
  const cookie = () => browser.cookies.get(SIGNED_IN);
  const before = cookie()?.value;
  assert.equal(await emailOf(browser), ADDRESS);
  assert.equal(cookie()?.value, before);
  await browser.signOut();
  assert.equal(cookie(), undefined);
});

test("what a sign-in proved is of its address: a session of another address of the user adds nothing", async () => {
  const world = open();
  const mallory = await world.verifyMailbox(world.visitor(), "mallory@example.com");
  const id = await world.idOf("mallory@example.com");
  await world.rows.updateUser({ id, email: ADDRESS, emailVerified: null });
  await new Promise((resolve) => setTimeout(resolve, 2));
  await world.verifyMailbox(world.visitor(), ADDRESS);
  assert.equal(await emailOf(mallory), null);
});

test("a renewal that began before the proof brings no session over it", async () => {
  let meanwhile: (() => Promise<unknown>) | null = null;
  const world = open((rows) => ({
    async updateSession(changes) {
      const act = meanwhile;
      meanwhile = null;
      await act?.();
      return await rows.updateSession(changes);
    },
  }));
  await world.come(world.visitor(), "lax", IMPOSTOR);
  const mallory = await world.fromAuthJs(await world.idOf(), 2 * DAY);
  meanwhile = () => world.verifyMailbox(world.visitor(), ADDRESS);
  await mallory.session();
  assert.equal(meanwhile, null);
  assert.equal(await emailOf(mallory), null);
});

test("a renewal that runs while the proof is written brings no session over it", async () => {
  let mallory: Browser | null = null;
  const world = open((rows) => ({
    async updateUser(changes) {
      // The proof is decided on, and not stored yet.
      await new Promise((resolve) => setTimeout(resolve, 2));
      const browser = mallory;
      mallory = null;
      await browser?.session();
      if (browser) await new Promise((resolve) => setTimeout(resolve, 2));
      return await rows.updateUser(changes);
    },
  }));
  await world.come(world.visitor(), "lax", IMPOSTOR);
  const renewing = mallory = await world.fromAuthJs(await world.idOf(), 2 * DAY);
  await world.verifyMailbox(world.visitor(), ADDRESS);
  assert.equal(await emailOf(renewing), null);
});

test("a session that was read before the proof, and is renewed after it, ends", async () => {
  let meanwhile: (() => Promise<unknown>) | null = null;
  const world = open((rows) => ({
    async getSessionAndUser(token) {
      const found = await rows.getSessionAndUser(token);
      const act = meanwhile;
      meanwhile = null;
      await act?.();
      return found;
    },
  }));
  await world.come(world.visitor(), "lax", IMPOSTOR);
  const mallory = await world.fromAuthJs(await world.idOf(), 2 * DAY);
  meanwhile = async () => {
    await world.verifyMailbox(world.visitor(), ADDRESS);
    await new Promise((resolve) => setTimeout(resolve, 2));
  };
  await mallory.session();
  assert.equal(meanwhile, null);
  assert.equal(await emailOf(mallory), null);
});

test("a sign-in by a passkey that was decided on before the proof leaves no session after it", async () => {
  let meanwhile: (() => Promise<unknown>) | null = null;
  const world = open((rows) => ({
    async updateAuthenticatorCounter(id, counter) {
      const act = meanwhile;
      meanwhile = null;
      await act?.();
      return await rows.updateAuthenticatorCounter(id, counter);
    },
  }));
  const mallory = passkeyHolder(world.visitor());
  assert.equal(await mallory.register(ADDRESS), true);
  assert.equal(await emailOf(mallory.browser), ADDRESS);
  await new Promise((resolve) => setTimeout(resolve, 2));
  meanwhile = async () => {
    await world.verifyMailbox(world.visitor(), ADDRESS);
    await new Promise((resolve) => setTimeout(resolve, 2));
  };
  await mallory.authenticate();
  assert.equal(meanwhile, null);
  assert.equal(await emailOf(mallory.browser), null);
  assert.equal(await mallory.authenticate(), false);
});

test("an account whose addition was decided on before the proof is not there after it", async () => {
  let meanwhile: (() => Promise<unknown>) | null = null;
  const world = open((rows) => ({
    async linkAccount(account) {
      const act = meanwhile;
      meanwhile = null;
      await act?.();
      return await rows.linkAccount(account);
    },
  }));
  const mallory = world.visitor();
  await world.come(mallory, "lax", IMPOSTOR);
  meanwhile = () => world.verifyMailbox(world.visitor(), ADDRESS);
  await world.come(mallory, "google", MALLORY);
  assert.deepEqual(await accountsOf(world), ["lax/impostor"]);
  assert.equal(await emailOf(mallory), MALLORY.email);
});

test("a passkey whose addition began before the proof is not there after it", async () => {
  const world = open();
  const mallory = passkeyHolder(world.visitor());
  await world.come(mallory.browser, "lax", IMPOSTOR);
  const begun = await mallory.begin("register");
  assert.equal(begun.status, 200);
  await world.verifyMailbox(world.visitor(), ADDRESS);
  assert.equal(await begun.finish(), false);
  assert.deepEqual(await accountsOf(world), ["lax/impostor"]);
});
