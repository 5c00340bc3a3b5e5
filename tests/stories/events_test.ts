import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { type AuthConfig, createAuth, type Events } from "@x/auth";
import { Browser } from "../_support/browser.ts";
import { type IdentityProvider, logIn, startIdentityProvider } from "../_support/identity_provider.ts";
import { ADA, recordLog, testConfig } from "../_support/service.ts";

let idp: IdentityProvider;
before(async () => {
  idp = await startIdentityProvider();
});
after(() => idp.close());

type Message<Name extends keyof Events> = Parameters<NonNullable<Events[Name]>>[0];

interface Seen {
  readonly signIn: Message<"signIn">[];
  readonly signOut: Message<"signOut">[];
  readonly session: Message<"session">[];
}

function open(config: AuthConfig = {}): { browser: Browser; seen: Seen } {
  const seen: Seen = { signIn: [], signOut: [], session: [] };
  const events: Events = {
    signIn: (message) => void seen.signIn.push(message),
    signOut: (message) => void seen.signOut.push(message),
    session: (message) => void seen.session.push(message),
  };
  const browser = new Browser(createAuth(testConfig({ events, ...config })).handler).allow(idp.issuer);
  return { browser, seen };
}

test("a sign-in with credentials is told once: who, and with what", async () => {
  const { browser, seen } = open();
  await browser.signIn("credentials", ADA);
  assert.equal(seen.signIn.length, 1);
  assert.equal(seen.signIn[0]?.user.email, "ada@example.com");
  assert.deepEqual(seen.signIn[0]?.account, {
    provider: "credentials",
    providerAccountId: "1",
    type: "credentials",
  });
  assert.deepEqual([seen.signOut.length, seen.session.length], [0, 0]);
});

test("a sign-in at a provider is told once, with tokens and profile", async () => {
  const { browser, seen } = open({ providers: [idp.provider()] });
  await logIn(await browser.signIn("mock"));
  assert.equal(seen.signIn.length, 1);
  const [{ user, account, profile } = { user: {}, account: null }] = seen.signIn;
  assert.equal(user.name, "Ada Lovelace");
  assert.equal(account?.provider, "mock");
  assert.equal(account?.providerAccountId, "ada");
  assert.equal(account?.type, "oidc");
  assert.equal(account?.token_type, "bearer");
  assert.ok(typeof account?.expires_at === "number" && account.expires_at > Date.now() / 1000);
  assert.equal(profile?.sub, "ada");
});

test("a sign-in that is refused is not told", async () => {
  const { browser, seen } = open({ callbacks: { signIn: () => false } });
  await browser.signIn("credentials", ADA);
  await browser.signIn("credentials", { username: "ada", password: "guess" });
  assert.deepEqual(seen.signIn, []);
});

test("a sign-out is told once, with the claims of the session that ended", async () => {
  const { browser, seen } = open();
  await browser.signIn("credentials", ADA);
  await browser.signOut();
  assert.equal(seen.signOut.length, 1);
  assert.equal(seen.signOut[0]?.token?.name, "Ada Lovelace");
  assert.equal(seen.signOut[0]?.token?.sub, "1");
});

test("a sign-out of nobody is not told", async () => {
  const { browser, seen } = open();
  await browser.signOut();
  assert.deepEqual(seen.signOut, []);
});

test("a session is told when it is read, and not when there is none", async () => {
  const { browser, seen } = open();
  await browser.session();
  assert.equal(seen.session.length, 0);
  await browser.signIn("credentials", ADA);
  const session = await browser.session();
  assert.equal(seen.session.length, 1);
  assert.deepEqual(seen.session[0]?.session, session);
  assert.equal(seen.session[0]?.token?.sub, "1");
});

test("an event handler that fails changes nothing but the log", async () => {
  const { logger, errors } = recordLog();
  const events: Events = {
    signIn() {
      throw new Error("audit log is full");
    },
  };
  const { browser } = open({ events, logger });
  await browser.signIn("credentials", ADA);
  assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
  assert.equal(errors[0]?.name, "EventError");
});
