import { test } from "node:test";
import assert from "node:assert/strict";
import type { Adapter, AuthConfig, CompleteAdapter, JWTCallbackParams } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { decode } from "@x/auth/jwt";
import { credentials } from "@x/auth/providers/credentials";
import type { Browser } from "../_support/browser.ts";
import { githubWith, signInWithGitHub } from "../_support/github.ts";
import { watchedMemory } from "../_support/watched.ts";
import { leadsTo, type MultiProvider, NOT_LINKED, openMultiProvider } from "../_support/multi_provider.ts";

const ADA = { sub: "ada", name: "Ada", email: "ada@example.com", email_verified: true };
const BOB = { sub: "bob", name: "Bob", email: "bob@example.com", email_verified: true };
const ADA_AT_WORK = { sub: "ada-2", name: "Countess", email: "ada@work.example", email_verified: true };

const STRATEGIES = ["jwt", "database"] as const;

function tokenOf(browser: Browser): string | undefined {
  return browser.cookies.get("authjs.session-token")?.value;
}

async function emailOf(browser: Browser): Promise<string | null | undefined> {
  return (await browser.session())?.user?.email ?? null;
}

async function accountsOf(adapter: CompleteAdapter, email: string): Promise<string[]> {
  const user = await adapter.getUserByEmail(email);
  const accounts = user ? await adapter.listAccountsByUserId(user.id) : [];
  return accounts.map(({ provider, providerAccountId }) => `${provider}/${providerAccountId}`);
}

test("an account of a user who was removed meanwhile is added to nobody", async () => {
  const { visitor, come, leave, comeBack, adapter } = openMultiProvider({ session: { strategy: "jwt" } });
  const browser = visitor();
  await come(browser, "google", ADA);
  const away = await leave(browser, "lax");
  const user = await adapter.getUserByEmail(ADA.email);
  await adapter.deleteUser(user?.id ?? "");
  await comeBack(browser, away, ADA_AT_WORK);
  assert.equal(await emailOf(browser), ADA_AT_WORK.email);
});

test("a session that no longer opens at the end of a flow counts as none, and the sign-in is an ordinary one", async () => {
  let fails = false;
  const jwt: NonNullable<AuthConfig["jwt"]> = {
    decode: (params) => fails ? Promise.reject(new Error("expired")) : decode(params),
  };
  const { visitor, come, leave, comeBack, adapter } = openMultiProvider({ session: { strategy: "jwt" }, jwt });
  const browser = visitor();
  await come(browser, "google", ADA);
  const away = await leave(browser, "lax");
  fails = true;
  assert.equal(leadsTo(await comeBack(browser, away, ADA_AT_WORK)), "/");
  fails = false;
  assert.equal(await emailOf(browser), ADA_AT_WORK.email);
  assert.deepEqual(await accountsOf(adapter, ADA.email), ["google/ada"]);
});

/** An application that keeps its own passwords. */
function password() {
  return credentials({
    id: "password",
    credentials: { name: {} },
    authorize: ({ name }) => ({ id: String(name), name: String(name), email: `${name}@typed.example` }),
  });
}

type SignIn = (service: MultiProvider<CompleteAdapter>, browser: Browser, meanwhile?: () => void) => Promise<unknown>;

/** Ways of signing in; who comes is the same each time. */
const SIGN_INS: Readonly<Record<string, SignIn>> = {
  oauth: (_, browser, meanwhile) => signInWithGitHub(browser, meanwhile),
  oidc: async ({ leave, comeBack }, browser, meanwhile = () => {}) => {
    const away = await leave(browser, "google");
    meanwhile();
    return await comeBack(browser, away, ADA);
  },
  email: async ({ link }, browser, meanwhile = () => {}) => {
    await browser.signIn("email", { email: "reader@example.com" });
    meanwhile();
    return await browser.open(link().href);
  },
  credentials: async (_, browser, meanwhile = () => {}) => {
    await browser.open("/auth/signin");
    meanwhile();
    return await browser.submit({ name: "grace" }, "/password");
  },
};

const GITHUB_USER = { email: "octocat@example.com", verified: true };

/** Who planted a token, and which. */
const PLANTED: Readonly<Record<string, (service: MultiProvider<CompleteAdapter>) => Promise<string>>> = {
  "of nobody": () => Promise.resolve("0f8fad5b-d9cb-469f-a165-70867728950e"),
  "of somebody else": async ({ visitor, come }) => {
    const mallory = visitor();
    await come(mallory, "lax", BOB);
    return tokenOf(mallory) ?? "";
  },
  "of a session that has ended": async ({ visitor, come, adapter }) => {
    const mallory = visitor();
    await come(mallory, "lax", BOB);
    const sessionToken = tokenOf(mallory) ?? "";
    await adapter.updateSession({ sessionToken, expires: new Date(Date.now() - 1000) });
    return sessionToken;
  },
};

for (const [method, signIn] of Object.entries(SIGN_INS)) {
  for (const [whose, plant] of Object.entries(PLANTED)) {
    test(`V51: a planted token ${whose} does not survive a sign-in by ${method}`, async () => {
      const service: MultiProvider<CompleteAdapter> = openMultiProvider({
        providers: [password(), githubWith(GITHUB_USER)],
      });
      const planted = await plant(service);
      const browser = service.visitor();
      const put = () => browser.cookies.store(`authjs.session-token=${planted}; Path=/`, new URL(browser.origin));
      await signIn(service, browser, put);
      assert.ok(tokenOf(browser));
      assert.notEqual(tokenOf(browser), planted);
      assert.notEqual(await emailOf(browser), BOB.email);
      const mallory = service.visitor();
      mallory.cookies.store(`authjs.session-token=${planted}; Path=/`, new URL(mallory.origin));
      assert.equal(await mallory.session(), null);
      const after = tokenOf(browser) ?? "";
      await browser.signOut();
      assert.equal(await service.adapter.getSessionAndUser(after), null);
    });
  }

  const answers: readonly (readonly [what: string, answer: () => unknown, leads: string])[] = [
    ["no", () => false, "/auth/error AccessDenied"],
    ["an empty text", () => "", "/auth/error AccessDenied"],
    ["another place", () => "/banned", "/banned"],
    ["an error", () => assert.fail("down"), "/auth/error AccessDenied"],
  ];
  for (const [what, answer, leads] of answers) {
    test(`H01, V22: an application that answers ${what} to ${method} leaves storage as it was`, async () => {
      const { adapter, dump } = watchedMemory();
      let isOpen = true;
      const service = openMultiProvider({
        adapter,
        providers: [password(), githubWith(GITHUB_USER)],
        callbacks: { signIn: ({ email }) => isOpen || email !== undefined || answer() as boolean },
      });
      const known = service.visitor();
      await signIn(service, known);
      await service.come(service.visitor(), "google", ADA);
      const before = await dump();
      isOpen = false;
      for (const browser of [service.visitor(), known]) {
        const held = tokenOf(browser);
        const answered = await signIn(service, browser);
        const url = answered instanceof Response ? new URL(answered.headers.get("location") ?? "") : browser.url;
        const error = url.searchParams.get("error");
        assert.equal(error ? `${url.pathname} ${error}` : url.pathname, leads);
        assert.equal(tokenOf(browser), held);
        assert.deepEqual(await dump(), before);
      }
    });
  }

  for (const strategy of STRATEGIES) {
    const isRemembered = strategy === "database" || method !== "credentials";
    const where = isRemembered ? "is welcomed once" : "is not known to be new";
    test(`somebody new who comes by ${method} ${where} (${strategy})`, async () => {
      const service: MultiProvider<CompleteAdapter> = openMultiProvider({
        session: { strategy },
        pages: { newUser: "/welcome?from=auth" },
        providers: [password(), githubWith(GITHUB_USER)],
      });
      const browser = service.visitor();
      const leads = async () => {
        const answered = await signIn(service, browser);
        return answered instanceof Response ? answered.headers.get("location") : browser.url.href;
      };
      const home = "http://localhost:3000/";
      const welcome = `${home}welcome?from=auth&callbackUrl=${encodeURIComponent(home)}`;
      assert.equal(await leads(), isRemembered ? welcome : home);
      assert.equal(await leads(), home);
    });
  }
}

const LINKS_BY_ADDRESS = { lax: { allowDangerousEmailAccountLinking: true } };

/** What a provider may say about an address, and whether it then links. */
const SAID: readonly (readonly [emailVerified: unknown, links: boolean])[] = [
  [true, true],
  ["true", true],
  [null, true],
  [undefined, true],
  ...[false, "false", 0, "0", 1, "1", "False", "TRUE", "no", "yes", "", " ", [], {}, [true], { true: true }].map(
    (said) => [said, false] as const,
  ),
];

for (const [said, links] of SAID) {
  test(`V25: an address is ${links ? "" : "not "}linked by where email_verified is ${JSON.stringify(said)}`, async () => {
    const { visitor, come, verifyMailbox, adapter } = openMultiProvider({ idps: LINKS_BY_ADDRESS });
    await verifyMailbox(visitor(), ADA.email);
    const response = await come(visitor(), "lax", { ...ADA, email_verified: said });
    assert.equal(leadsTo(response), links ? "/" : NOT_LINKED);
    assert.deepEqual(await accountsOf(adapter, ADA.email), links ? ["lax/ada"] : []);
  });
}

for (const email of ["", 1, ["ada@example.com"], { toString: "ada@example.com" }]) {
  test(`a user whose provider gives ${JSON.stringify(email)} as the address signs in without one`, async () => {
    const { visitor, come, adapter, log } = openMultiProvider();
    for (const browser of [visitor(), visitor()]) {
      assert.equal(leadsTo(await come(browser, "google", { sub: "ada", name: "Ada", email })), "/");
      assert.deepEqual((await browser.session())?.user, { name: "Ada", email: null });
    }
    assert.equal(leadsTo(await come(visitor(), "lax", { sub: "bob", email })), "/");
    const stored = await adapter.getUserByAccount({ provider: "google", providerAccountId: "ada" });
    assert.equal(stored?.email ?? null, null);
    assert.deepEqual(log.errors, []);
  });
}

test("V64: account ids that differ in case, spaces or composition are different people", async () => {
  const { visitor, come, adapter } = openMultiProvider();
  const ids = ["AbC", "abc", "ABC", "abc ", "\u00e9", "e\u0301", "x".repeat(254), "x".repeat(255)];
  for (const [at, sub] of ids.entries()) await come(visitor(), "google", { sub, email: `${at}@example.com` });
  for (const [at, sub] of ids.entries()) {
    const owner = await adapter.getUserByAccount({ provider: "google", providerAccountId: sub });
    assert.equal(owner?.email, `${at}@example.com`);
  }
});

test("tokens of an account are those of the latest sign-in; what a provider sends only once is kept", async () => {
  const { visitor, come, issuer, adapter } = openMultiProvider();
  issuer.grant({ refresh_token: "first", scope: "openid" });
  await come(visitor(), "google", ADA);
  const first = await adapter.getAccount("ada", "google");
  issuer.grant({ refresh_token: undefined, scope: "openid email" });
  await come(visitor(), "google", ADA);
  const second = await adapter.getAccount("ada", "google");
  assert.equal(first?.refresh_token, "first");
  assert.equal(second?.refresh_token, "first");
  assert.equal(second?.scope, "openid email");
  assert.notEqual(second?.access_token, first?.access_token);
  assert.equal(second?.userId, first?.userId);
  issuer.grant({ refresh_token: "second" });
  await come(visitor(), "google", ADA);
  assert.equal((await adapter.getAccount("ada", "google"))?.refresh_token, "second");
});

test("a provider's `account` chooses what of the tokens is kept, and not whose account it is", async () => {
  const stolen = { userId: "bob", provider: "lax", providerAccountId: "bob", type: "email" };
  const account = () => ({ scope: "chosen", region: "eu", ...stolen });
  const { visitor, come, adapter } = openMultiProvider({ idps: { google: { account } } });
  for (const _ of ["first", "again"]) {
    await come(visitor(), "google", ADA);
    const { userId, ...kept } = await adapter.getAccount("ada", "google") ?? {};
    assert.equal(userId, (await adapter.getUserByEmail(ADA.email))?.id);
    assert.deepEqual(kept, {
      provider: "google",
      providerAccountId: "ada",
      type: "oidc",
      email_verified: true,
      email: ADA.email,
      scope: "chosen",
      region: "eu",
    });
  }
});

test("a provider's `account` that keeps nothing keeps nothing", async () => {
  const { visitor, come, adapter } = openMultiProvider({ idps: { google: { account: () => {} } } });
  await come(visitor(), "google", ADA);
  const { userId: _, ...kept } = await adapter.getAccount("ada", "google") ?? {};
  assert.deepEqual(kept, {
    provider: "google",
    providerAccountId: "ada",
    type: "oidc",
    email_verified: true,
    email: ADA.email,
  });
});

test("whatever `profile` gives beyond the usual is stored with the user, but neither the id nor `emailVerified`", async () => {
  const profile = () => ({
    id: "ada",
    email: "Ada@Example.com",
    plan: "pro",
    emailVerified: new Date(),
    vouchedEmail: "bob@example.com",
    securityStamp: "chosen",
    image: undefined,
  });
  const { visitor, come, adapter } = openMultiProvider({ idps: { google: { profile } } });
  await come(visitor(), "google", ADA);
  const { id, securityStamp, ...user } = await adapter.getUserByEmail(ADA.email) ?? {};
  assert.notEqual(id, "ada");
  assert.notEqual(securityStamp, "chosen");
  assert.deepEqual(user, { email: ADA.email, emailVerified: null, vouchedEmail: ADA.email, plan: "pro" });
});

test("with sealed sessions the subject is the stored user, and the jwt callback is told who is new", async () => {
  const seen: unknown[] = [];
  const jwt = ({ token, user, trigger, isNewUser, account }: JWTCallbackParams) => {
    if (trigger) seen.push([trigger, isNewUser, token.sub === user?.id, account?.provider]);
    return token;
  };
  const { visitor, come, verifyMailbox, adapter } = openMultiProvider({
    session: { strategy: "jwt" },
    callbacks: { jwt, session: ({ session, token }) => ({ ...session, sub: token?.sub }) },
  });
  const subjectOf = async (browser: Browser) => (await browser.session())?.["sub"];
  const idOf = async (email: string) => (await adapter.getUserByEmail(email))?.id;
  const first = visitor();
  await come(first, "google", ADA);
  assert.equal(await subjectOf(first), await idOf(ADA.email));
  const again = visitor();
  await come(again, "google", ADA);
  assert.equal(await subjectOf(again), await idOf(ADA.email));
  const reader = await verifyMailbox(visitor(), "reader@example.com");
  assert.equal(await subjectOf(reader), await idOf("reader@example.com"));
  await come(reader, "lax", BOB);
  assert.equal(await subjectOf(reader), await idOf("reader@example.com"));
  assert.deepEqual(seen, [
    ["signUp", true, true, "google"],
    ["signIn", false, true, "google"],
    ["signUp", true, true, "email"],
    ["signIn", false, true, "lax"],
  ]);
});

test("with sealed sessions nothing is stored of whoever signs in by credentials, and of others a row that signs nobody in", async () => {
  const { adapter, dump } = watchedMemory();
  const { visitor, come } = openMultiProvider({ adapter, session: { strategy: "jwt" }, providers: [password()] });
  const browser = visitor();
  await browser.signIn("password", { name: "grace" });
  assert.equal(await emailOf(browser), "grace@typed.example");
  assert.deepEqual(await dump(), { users: [], accounts: [], sessions: [], authenticators: [] });
  await come(browser, "google", ADA);
  const { sessions } = await dump();
  assert.equal(sessions.length, 1);
  assert.match(JSON.stringify(sessions), /"sessionToken":"sealed:/);
});

/** Storage in which somebody else is faster, once. */
function overtaken(faster: (adapter: CompleteAdapter) => Promise<void>): CompleteAdapter {
  const memory = memoryAdapter();
  let isFirst = true;
  return {
    ...memory,
    async commit(plan) {
      if (isFirst) {
        isFirst = false;
        await faster(memory);
      }
      return await memory.commit(plan);
    },
  };
}

test("V63: whoever finds the address taken meanwhile is refused and not linked", async () => {
  const adapter = overtaken(async ({ createUser }) => {
    await createUser({ id: "faster", email: ADA.email, emailVerified: null });
  });
  const { visitor, come } = openMultiProvider({ adapter });
  const browser = visitor();
  assert.equal(leadsTo(await come(browser, "google", ADA)), NOT_LINKED);
  assert.equal(await browser.session(), null);
  assert.deepEqual(await accountsOf(adapter, ADA.email), []);
});

test("two first sign-ins at once make one user, and callbacks.signIn sees the right id", async () => {
  const adapter = overtaken(async ({ createUser, linkAccount }) => {
    await createUser({ id: "faster", email: ADA.email, emailVerified: null });
    await linkAccount({ userId: "faster", provider: "google", providerAccountId: "ada", type: "oidc" });
  });
  const asked: (string | undefined)[] = [];
  const signIn = ({ user }: { user: { id?: string | undefined } }) => asked.push(user.id) > 0;
  const { visitor, come } = openMultiProvider({ adapter, callbacks: { signIn } });
  const browser = visitor();
  assert.equal(leadsTo(await come(browser, "google", ADA)), "/");
  assert.equal(asked.length, 2);
  assert.equal(asked[1], "faster");
  assert.equal((await adapter.listSessionsByUserId("faster")).length, 1);
});

test("V22: whoever turns out to be somebody else meanwhile needs a permission of their own", async () => {
  const adapter = overtaken(async ({ createUser, linkAccount }) => {
    await createUser({ id: "banned", email: ADA.email, emailVerified: null });
    await linkAccount({ userId: "banned", provider: "google", providerAccountId: "ada", type: "oidc" });
  });
  const { visitor, come } = openMultiProvider({ adapter, callbacks: { signIn: ({ user }) => user.id !== "banned" } });
  const browser = visitor();
  assert.equal(leadsTo(await come(browser, "google", ADA)), "/auth/error AccessDenied");
  assert.equal(await browser.session(), null);
  assert.deepEqual(await adapter.listSessionsByUserId("banned"), []);
});

test("a link that somebody else used meanwhile signs in nobody", async () => {
  const memory = memoryAdapter();
  const adapter: CompleteAdapter = { ...memory, commit: (plan) => plan.consume ? "consumed" : memory.commit(plan) };
  const { visitor, verifyMailbox } = openMultiProvider({ adapter });
  const browser = await verifyMailbox(visitor(), ADA.email);
  assert.equal(browser.url.searchParams.get("error"), "Verification");
  assert.equal(await browser.session(), null);
});

/** Storage that cannot write a sign-in as a whole. */
function stepwise(): { readonly adapter: Adapter; readonly memory: CompleteAdapter } {
  const memory = memoryAdapter();
  const { commit: _, ...adapter } = memory;
  return { memory, adapter };
}

test("LNK-2: whoever has verified the address since, and has no such account any more, is not continued by others", async () => {
  const { adapter, memory } = stepwise();
  const { visitor, come, verifyMailbox } = openMultiProvider({ adapter });
  await come(visitor(), "google", ADA);
  await verifyMailbox(visitor(), ADA.email);
  await memory.unlinkAccount({ provider: "google", providerAccountId: "ada" });
  const browser = visitor();
  assert.equal(leadsTo(await come(browser, "google", ADA)), NOT_LINKED);
  assert.equal(await browser.session(), null);
});
