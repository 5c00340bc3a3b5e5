import { test } from "node:test";
import assert from "node:assert/strict";
import type { AuthConfig } from "../../../src/contract/config.ts";
import { accountPage, type AccountPageOptions } from "../../../src/account.ts";
import { accountOf, accountState, refreshAccount, watchAccountAt } from "../../../client/core/account_client.ts";
import type { AccountClient, AccountFailure, AccountState, OwnAccount } from "../../../client/core/account_results.ts";
import { type AuthClient, clientOf } from "../../../client/core/auth_client.ts";
import { type Connection, open } from "../../../client/core/connection.ts";
import { memoryAdapter } from "../../../adapters/memory.ts";
import { limits } from "../../../src/limits.ts";
import { passkey } from "../../../src/providers/passkey.ts";
import type { AccountView } from "../../../src/request/account_views.ts";
import { secondFactor } from "../../../src/second_factor.ts";
import { fromBase32, STEP, totpAt } from "../../../src/second_factor/totp.ts";
import { createEngine, handlerOf } from "../../../src/service/engine.ts";
import { mailbox } from "../../_support/mailbox.ts";
import { settled, TestBrowser, type TestPage } from "../../_support/page.ts";
import { testRuntime } from "../../_support/runtime.ts";
import { testConfig } from "../../_support/service.ts";

const HOME = "http://localhost:3000/";
const EMAIL = "ada@example.com";
const here = { redirect: false };

interface Tab {
  readonly connection: Connection;
  readonly account: AccountClient;
  readonly client: AuthClient;
  readonly page: TestPage;
  /** What is shown of the account. */
  state(): AccountState;
}

interface Site {
  readonly adapter: ReturnType<typeof memoryAdapter>;
  readonly runtime: ReturnType<typeof testRuntime>;
  /** Emails that are no sign-in. */
  readonly sent: { readonly to: string; readonly text: string }[];
  /** A browser in which Ada has signed in by a link. */
  enter(browser?: TestBrowser): Promise<Tab>;
  /** Another page in the browser of a tab, or in a new one. */
  tab(browser?: TestBrowser, href?: string): Tab;
  readonly browser: TestBrowser;
  /** Makes another browser. */
  another(): TestBrowser;
}

function openSite(options: AccountPageOptions = {}, more: AuthConfig = {}): Site {
  const runtime = testRuntime();
  const adapter = memoryAdapter();
  const mails = mailbox();
  const sent: { readonly to: string; readonly text: string }[] = [];
  const { features = [], ...config } = more;
  const engine = createEngine(
    testConfig({
      adapter,
      session: { strategy: "database" },
      providers: [mails.provider, passkey()],
      mail: ({ to, text }) => void sent.push({ to, text }),
      features: [accountPage(options), ...features],
      ...config,
    }),
    runtime,
  );
  const handler = handlerOf(engine);
  const another = () => new TestBrowser((request) => handler(request));
  const browser = another();
  const tab = (of = browser, href = HOME): Tab => {
    const page = of.tab(href);
    const connection = open("/auth", page.browser);
    return {
      connection,
      page,
      client: clientOf(connection),
      account: accountOf(() => connection),
      state: () => accountState(connection),
    };
  };
  return {
    adapter,
    runtime,
    sent,
    browser,
    tab,
    another,
    async enter(of = browser) {
      const opened = tab(of);
      await opened.client.signIn(mails.provider.id, { email: EMAIL, ...here });
      await opened.page.browser.fetch(mails.link().href);
      return opened;
    },
  };
}

/** The account of an answer. */
function given(result: { readonly ok: boolean; readonly account?: OwnAccount | null | undefined }): OwnAccount {
  return result.ok && result.account ? result.account : assert.fail(JSON.stringify(result));
}

function refused(result: { readonly ok: true } | AccountFailure): AccountFailure {
  return result.ok ? assert.fail(JSON.stringify(result)) : result;
}

function countOf({ page }: Tab, request: string): number {
  return page.asked.filter((asked) => asked === request).length;
}

/** Keeps the next answer about the account under way. @returns What lets it arrive. */
function holdAccount({ browser }: TestPage): () => void {
  const { fetch } = browser;
  const { promise, resolve } = Promise.withResolvers<void>();
  browser.fetch = (async (path: string, init?: RequestInit) => {
    const response = await fetch(path, init);
    if (`${path}` !== "/auth/account" || init?.method) return response;
    browser.fetch = fetch;
    await promise;
    return response;
  }) as typeof fetch;
  return resolve;
}

type Json<T> = T extends Date ? string
  : T extends readonly (infer Each)[] ? readonly Json<Each>[]
  : T extends object ? { [Name in keyof T]: Json<T[Name]> }
  : T;

test("a page gets the account as the service writes it", async () => {
  const toPage: (view: Json<AccountView>) => OwnAccount = (view) => view;
  const toService: (view: OwnAccount) => Json<AccountView> = (view) => view;
  assert.deepEqual([toPage, toService].map(({ length }) => length), [1, 1]);
  const { account } = await openSite().enter();
  const own = given(await account.get());
  assert.deepEqual([own.user.email, own.user.isEmailProven, own.mayRename], [EMAIL, true, true]);
  assert.deepEqual(own.sessions?.map(({ isCurrent }) => isCurrent), [true]);
});

test("components share one request, and show what an act answers without asking again", async () => {
  const site = openSite();
  const tab = await site.enter();
  const { account, connection, state } = tab;
  assert.deepEqual(state(), { account: undefined, error: null, isLoading: true });
  const told: (string | null | undefined)[] = [];
  const stops = [1, 2].map(() => watchAccountAt(connection, () => void told.push(state().account?.user.name)));
  await settled();
  assert.equal(countOf(tab, "GET /auth/account"), 1);
  assert.deepEqual([state().account?.user.name, state().error, state().isLoading], [null, null, false]);
  const renaming = account.rename("Ada  Lovelace");
  assert.equal(state().isLoading, true);
  assert.equal(given(await renaming).user.name, "Ada Lovelace");
  await settled();
  assert.deepEqual([state().account?.user.name, state().isLoading], ["Ada Lovelace", false]);
  assert.equal(told.filter((name) => name === "Ada Lovelace").length, 2);
  assert.deepEqual([countOf(tab, "GET /auth/account"), countOf(tab, "POST /auth/account")], [1, 1]);
  assert.equal(connection.state.session?.user?.name, "Ada Lovelace");
  for (const stop of stops) stop();
  assert.equal(tab.page.open.channels, 0);
});

test("an answer from before an act does not undo what the act has shown", async () => {
  const tab = await openSite().enter();
  const { account, connection, state, page } = tab;
  await refreshAccount(connection);
  const release = holdAccount(page);
  const refreshing = refreshAccount(connection);
  await settled();
  await account.rename("Ada");
  release();
  await refreshing;
  assert.equal(state().account?.user.name, "Ada");
});

test("who signed in too long ago is told which page helps, and comes back to the page that they were on", async () => {
  const site = openSite();
  await site.enter();
  const tab = site.tab(site.browser, `${HOME}settings?tab=2`);
  const { account, connection, state, page } = tab;
  await refreshAccount(connection);
  site.runtime.advance(601);
  const result = refused(await account.endOthers());
  assert.deepEqual([result.error, result.status], ["SessionRequired", 401]);
  const url = new URL(result.url ?? assert.fail("no page helps"));
  assert.deepEqual([url.pathname, url.searchParams.get("callbackUrl")], ["/auth/signin", page.browser.location.href]);
  assert.deepEqual([state().error, state().account?.user.email], [result, EMAIL]);
  const elsewhere = refused(await account.delete(EMAIL, { redirectTo: "/bye" }));
  assert.equal(new URL(elsewhere.url ?? "").searchParams.get("callbackUrl"), `${HOME}bye`);
  assert.equal(given(await account.rename("Ada")).user.name, "Ada");
  assert.equal(state().error, null);
});

test("who is not signed in has no account, and learns where to sign in", async () => {
  const site = openSite();
  const { account, connection, state } = site.tab();
  await refreshAccount(connection);
  const cookies = site.browser.cookies.headerFor(new URL(HOME), { sameSite: true, safe: true }) ?? "";
  assert.ok(!cookies.includes("callback-url"), "a sign-in leads where it is begun, and not to the built-in page");
  assert.deepEqual([state().account, state().error?.error, state().isLoading], [null, "SessionRequired", false]);
  assert.match(state().error?.url ?? "", /\/auth\/signin\?/);
  assert.equal(refused(await account.rename("Ada")).error, "SessionRequired");
});

test("while the service is away, the page keeps what it knew", async () => {
  const { connection, state, page } = await openSite().enter();
  await refreshAccount(connection);
  page.answer = () => Promise.resolve(new Response("Bad Gateway", { status: 502 }));
  await refreshAccount(connection);
  assert.deepEqual([state().account?.user.email, state().error?.error], [EMAIL, "Unreachable"]);
});

test("nobody sees the account of somebody who has signed out in another tab, or has become somebody else", async () => {
  const site = openSite();
  const tab = await site.enter();
  const stop = watchAccountAt(tab.connection, () => {});
  await settled();
  assert.equal(tab.state().account?.user.email, EMAIL);
  const other = site.tab();
  await other.account.rename("Ada");
  await settled();
  assert.equal(tab.state().account?.user.name, "Ada", "another tab has changed the name");
  const release = holdAccount(tab.page);
  await other.client.signOut(here);
  await settled();
  assert.equal(tab.state().account, null, "before the service has answered");
  release();
  await settled();
  assert.equal(tab.state().error?.error, "SessionRequired");
  await site.enter();
  await tab.client.refresh();
  await settled();
  assert.equal(tab.state().account?.user.name, "Ada");
  stop();
});

test("what is changed in one tab is shown in the others, also where the session does not say it", async () => {
  const site = openSite({}, { session: { strategy: "jwt" } });
  const tab = await site.enter();
  const other = site.tab();
  const stop = watchAccountAt(tab.connection, () => {});
  await settled();
  const asked = countOf(tab, "GET /auth/account");
  await other.account.rename("Ada");
  await settled();
  assert.equal(tab.state().account?.user.name, "Ada");
  await other.account.rename(" ");
  await other.account.exportData({ save: false });
  await settled();
  assert.equal(countOf(tab, "GET /auth/account"), asked + 1, "nothing else has changed");
  tab.page.dispatch("pagehide");
  assert.equal(tab.page.open.channels, 0);
  await other.account.rename("Countess");
  await settled();
  assert.equal(tab.state().account?.user.name, "Ada");
  tab.page.dispatch("pageshow", { persisted: true });
  await settled();
  assert.equal(tab.state().account?.user.name, "Countess");
  stop();
  assert.equal(tab.page.open.channels, 0);
});

test("what is wrong with an act is in its result, with the account as it is", async () => {
  const { account } = await openSite().enter();
  const named = refused(await account.rename(" "));
  assert.deepEqual([named.problem, named.error, named.status], ["name", "BadRequest", 400]);
  assert.equal(named.account?.user.email, EMAIL);
  assert.equal(refused(await account.unlink("none")).problem, "not-found");
  assert.equal(refused(await account.removePasskey("none")).problem, "not-found");
  assert.equal(refused(await account.endSession("none")).problem, "not-found");
  assert.equal(refused(await account.changeEmail("ada")).problem, "email");
  assert.equal(refused(await account.changeEmail(EMAIL)).problem, "same-email");
  assert.equal(refused(await account.takeEmail()).problem, "expired");
  assert.equal(given(await account.cancelEmail()).waitingEmail, null);
});

test("who has given one proof of two gives the other on the same page, and goes on", async () => {
  const site = openSite({}, { features: [secondFactor()] });
  const tab = await site.enter();
  const enrolling = (await site.enter(site.another())).client.secondFactor;
  const setup = await enrolling.change({ act: "totp" });
  const { id, secret } = setup.ok && setup.factors?.step.kind === "totp" ? setup.factors.step.setup : assert.fail();
  const code = (later: number): Promise<string> =>
    totpAt(fromBase32(secret) ?? assert.fail(), Math.floor(site.runtime.now() / 1000 / STEP) + later);
  const confirmed = await enrolling.change({ act: "confirm", id, code: await code(0), keepSessions: true });
  const step = confirmed.ok && confirmed.factors?.step;
  const { codes, ask } = step && step.kind === "recovery-codes" ? step : assert.fail(JSON.stringify(confirmed));
  await enrolling.change({ act: "keep", code: (codes[ask - 1] ?? "").slice(-4), keepSessions: true });

  const result = refused(await tab.account.endOthers());
  assert.equal(result.error, "StepUpRequired");
  const url = new URL(result.url ?? assert.fail("no page helps"));
  assert.deepEqual([url.pathname, url.searchParams.get("callbackUrl")], ["/auth/challenge", HOME]);
  const proven = await tab.client.secondFactor.prove({ method: "totp", code: await code(1), ...here });
  assert.equal(proven.ok, true, JSON.stringify(proven));
  assert.equal(given(await tab.account.endOthers()).sessions?.length, 1);
});

test("the email for another address is sent, also where a challenge has to be solved first", async () => {
  const site = openSite({}, { features: [limits({ mail: { site: { burst: 1, every: 3600 } } })] });
  const tab = await site.enter();
  const result = await tab.account.changeEmail("ada@example.org");
  assert.ok(result.ok, JSON.stringify(result));
  assert.deepEqual([result.sentTo, result.account.user.email], ["ada@example.org", EMAIL]);
  assert.equal(countOf(tab, "POST /auth/account"), 2, "the first was refused");
  assert.deepEqual(site.sent.map(({ to }) => to), ["ada@example.org"]);
});

test("a site whose emails are limited without a challenge keeps nobody out", async () => {
  const site = openSite({}, { features: [limits({ mail: { site: { burst: 1, every: 3600 } }, challenge: null })] });
  const { account } = await site.enter();
  assert.equal((await account.changeEmail("a@example.org")).ok, true);
});

test("a session ends, and with one's own the account", async () => {
  const site = openSite();
  await site.enter(site.another());
  const { account, connection, state } = await site.enter();
  await refreshAccount(connection);
  const sessions = state().account?.sessions ?? [];
  assert.equal(sessions.length, 2);
  const [mine, other] = [true, false].map((isCurrent) => sessions.find((each) => each.isCurrent === isCurrent)?.id);
  assert.equal(given(await account.endSession(other ?? "")).sessions?.length, 1);
  const ended = await account.endSession(mine ?? "");
  assert.deepEqual(ended, { ok: true, account: null, url: `${HOME}auth/signin` });
  assert.deepEqual([state().account, state().error, connection.state.status], [null, null, "unauthenticated"]);
});

test("somebody deletes their account by typing its address", async () => {
  const site = openSite();
  const { account, connection } = await site.enter();
  const wrong = refused(await account.delete("ada"));
  assert.deepEqual([wrong.problem, wrong.typed], ["typed", EMAIL]);
  assert.deepEqual(await account.delete(EMAIL), { ok: true, account: null, url: `${HOME}auth/signin` });
  assert.equal(connection.state.status, "unauthenticated");
  assert.equal(await site.adapter.getUserByEmail(EMAIL), null);
});

test("an account that is to be deleted can be kept", async () => {
  const site = openSite({ delete: { graceDays: 14 } });
  const first = await site.enter();
  assert.equal((await first.account.delete(EMAIL)).ok, true);
  const { account } = await site.enter();
  assert.match(given(await account.get()).deletedAt ?? "", /^\d{4}-\d\d-\d\dT/);
  assert.equal(given(await account.keep()).deletedAt, null);
});

test("the application may answer in place of deleting, and the account stays", async () => {
  const answer = () => new Response(null, { status: 303, headers: { location: "/goodbye" } });
  const { account } = await openSite({ delete: answer }).enter();
  const result = await account.delete(EMAIL);
  assert.equal(given(result).user.email, EMAIL);
});

test("the data are given, and saved as a file unless the page has another use for them", async () => {
  const { account, page, state, connection } = await openSite({ export: () => ({ notes: ["a note"] }) }).enter();
  await refreshAccount(connection);
  const saved: { readonly href?: string; readonly download?: string }[] = [];
  const files: Blob[] = [];
  const revoked: string[] = [];
  Object.assign(page.browser, {
    Blob,
    URL: {
      createObjectURL: (file: Blob) => `blob:${files.push(file)}`,
      revokeObjectURL: (url: string) => void revoked.push(url),
    },
    setTimeout: (done: () => void) => done(),
  });
  Object.assign(page.browser.document, {
    createElement: () => ({
      click(this: { readonly href?: string; readonly download?: string }) {
        saved.push(this);
      },
    }),
  });
  const own = await account.exportData({ save: false });
  assert.deepEqual(own.ok && own.data.application, { notes: ["a note"] });
  assert.deepEqual(saved, []);
  const result = await account.exportData();
  assert.deepEqual(saved.map(({ href, download }) => [href, download]), [["blob:1", "account.json"]]);
  assert.deepEqual(revoked, ["blob:1"]);
  assert.deepEqual(JSON.parse(await files[0]?.text() ?? ""), result.ok && result.data);
  assert.equal(state().account?.user.email, EMAIL);
});

test("a device is told that a passkey was removed, and what the person is called", async () => {
  const site = openSite();
  const tab = await site.enter();
  const user = await site.adapter.getUserByEmail(EMAIL) ?? assert.fail("there is no Ada");
  for (const credentialID of ["AAAA", "BBBB"]) {
    await site.adapter.createAuthenticator({
      credentialID,
      userId: user.id,
      providerAccountId: credentialID,
      credentialPublicKey: "key",
      counter: 0,
      credentialDeviceType: "multiDevice",
      credentialBackedUp: true,
      transports: null,
    });
  }
  const told: object[] = [];
  const tell = (details: object) => Promise.resolve(void told.push(details));
  Object.assign(tab.page.browser, {
    PublicKeyCredential: {
      signalAllAcceptedCredentials: tell,
      signalUnknownCredential: tell,
      signalCurrentUserDetails: tell,
    },
  });
  await tab.account.rename("Ada Lovelace");
  const [details] = told.splice(0) as { readonly userId: string }[];
  const userId = details?.userId;
  assert.deepEqual(details, { rpId: "localhost", userId, name: EMAIL, displayName: "Ada Lovelace" });
  const [first, second] = given(await tab.account.get()).passkeys ?? [];
  assert.equal(given(await tab.account.renamePasskey(first?.id ?? "", "My key")).passkeys?.[0]?.name, "My key");
  assert.deepEqual(told, []);
  assert.deepEqual(
    given(await tab.account.removePasskey(first?.id ?? "")).passkeys?.map(({ id }) => id),
    [second?.id],
  );
  assert.deepEqual(told, [{ rpId: "localhost", userId, allAcceptedCredentialIds: [second?.credentialId] }]);
});

test("acts come one after the other, so that the last answer is the newest", async () => {
  const tab = await openSite().enter();
  const { account, connection, state, page } = tab;
  await refreshAccount(connection);
  const results = await Promise.all(["A", "B", "C"].map((name) => account.rename(name)));
  assert.deepEqual(results.map((result) => given(result).user.name), ["A", "B", "C"]);
  assert.equal(state().account?.user.name, "C");
  const signal = AbortSignal.abort();
  assert.equal(refused(await account.rename("D", { signal })).error, "Cancelled");
  assert.equal(given(await account.rename("E")).user.name, "E");
  assert.deepEqual(page.visits, []);
});
