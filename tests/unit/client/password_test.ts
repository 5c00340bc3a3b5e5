import { test } from "node:test";
import assert from "node:assert/strict";
import type { AuthConfig } from "../../../src/contract/config.ts";
import { createAuth } from "../../../src/auth.ts";
import { type AuthClient, clientOf } from "../../../client/core/auth_client.ts";
import { open } from "../../../client/core/connection.ts";
import { memoryAdapter } from "../../../adapters/memory.ts";
import { limits } from "../../../src/limits.ts";
import { password, type PasswordOptions } from "../../../src/providers/password.ts";
import { secondFactor } from "../../../src/second_factor.ts";
import { fromBase32, STEP, totpAt } from "../../../src/second_factor/totp.ts";
import { mailbox } from "../../_support/mailbox.ts";
import { testConfig } from "../../_support/service.ts";
import { TestBrowser, type TestPage } from "../../_support/page.ts";

const HOME = "http://localhost:3000/";
const EMAIL = "ada@example.com";
const FIRST = "a pelican on a bicycle";
const SECOND = "a bicycle on a pelican";
const SENT = `${HOME}auth/verify-request?provider=password&type=email`;

const here = { redirect: false };

interface Tab {
  readonly client: AuthClient;
  readonly page: TestPage;
}

interface Site {
  tab(): Tab;
  /** The link of the last email. */
  link(): URL;
}

function openSite(options: PasswordOptions = {}, more: AuthConfig = {}): Site {
  const texts: string[] = [];
  const hash = {
    make: (text: string) => `hash of ${text}`,
    verify: (text: string, stored: string) => stored === `hash of ${text}` ? "yes" as const : "no" as const,
  };
  const { handler } = createAuth(testConfig({
    adapter: memoryAdapter(),
    session: { strategy: "database" },
    providers: [password({ hash, ...options })],
    mail: ({ text }) => void texts.push(text),
    ...more,
  }));
  return {
    tab() {
      const page = new TestBrowser((request) => handler(request)).tab();
      return { page, client: clientOf(open("/auth", page.browser)) };
    },
    link: () => new URL(/https?:\S+/.exec(texts.at(-1) ?? "")?.[0] ?? assert.fail("no link")),
  };
}

/** What the page of a link finds in its address. */
function given({ searchParams }: URL): { readonly email: string; readonly token: string } {
  return { email: searchParams.get("email") ?? "", token: searchParams.get("token") ?? "" };
}

async function who({ client }: Tab): Promise<string | null> {
  return (await client.getSession())?.user?.email ?? null;
}

/** Registers, and opens the link in the same browser. */
async function join(site: Site): Promise<Tab> {
  const tab = site.tab();
  assert.deepEqual(await tab.client.password.signUp({ email: EMAIL, password: FIRST, ...here }), {
    ok: true,
    url: SENT,
  });
  await tab.page.browser.fetch(site.link().href);
  assert.equal(await who(tab), EMAIL);
  return tab;
}

test("somebody registers on a page of its own, and the link signs in the browser that began", async () => {
  const site = openSite();
  const { client, page } = site.tab();
  const options = { email: EMAIL, password: FIRST, name: "Ada", redirectTo: "/welcome" };
  assert.deepEqual(await client.password.signUp(options), { ok: true, url: SENT });
  assert.deepEqual(page.visits, [SENT]);
  assert.equal(await who({ client, page }), null);
  assert.equal(site.link().searchParams.get("callbackUrl"), `${HOME}welcome`);
  await page.browser.fetch(site.link().href);
  assert.equal((await client.getSession())?.user?.name, "Ada");
  await client.signOut(here);
  const wrong = await client.signIn("password", { email: EMAIL, password: SECOND, ...here });
  assert.deepEqual(wrong, { ok: false, error: "CredentialsSignin", status: 200, code: "credentials" });
  assert.deepEqual(await client.signIn("password", { email: EMAIL, password: FIRST, ...here }), {
    ok: true,
    url: HOME,
  });
});

test("a page learns what is wrong with a password, and stays", async () => {
  const site = openSite({ length: { min: 20, max: 64 } });
  const { client, page } = site.tab();
  const refused = { ok: false, error: "BadRequest", status: 400 };
  const length = { min: 20, max: 64 };
  const { signUp, requestReset } = client.password;
  const email = EMAIL;
  assert.deepEqual(await signUp({ email, password: "short" }), { ...refused, problem: "short", length });
  assert.deepEqual(await signUp({ email, password: "x".repeat(65) }), { ...refused, problem: "long", length });
  const password = "password".repeat(3);
  assert.deepEqual(await signUp({ email, password }), { ...refused, problem: "common", length });
  const noAddress = { ok: false, error: "EmailSignInError", status: 400, problem: "email" };
  assert.deepEqual(await requestReset({ email: "ada" }), noAddress);
  assert.deepEqual(await signUp({ email: "ada", password: FIRST }), { ...noAddress, length });
  assert.deepEqual(page.visits, []);
});

test("the link of a registration that another browser began lets its owner choose, on a page of its own", async () => {
  const site = openSite();
  await site.tab().client.password.signUp({ email: EMAIL, password: FIRST, ...here });
  const tab = site.tab();
  const { client } = tab;
  const link = given(site.link());
  const short = await client.password.claim({ ...link, password: "short", ...here });
  assert.deepEqual(!short.ok && [short.problem, short.length?.min], ["short", 15]);
  assert.deepEqual(await client.password.claim({ ...link, password: SECOND, ...here }), { ok: true, url: HOME });
  assert.equal(await who(tab), EMAIL);
  const again = await client.password.claim({ ...link, password: FIRST, ...here });
  assert.deepEqual(again, {
    ok: false,
    error: "Verification",
    status: 200,
    url: `${HOME}auth/error?error=Verification`,
  });
});

test("somebody who forgot a password chooses another one, which ends the other sessions", async () => {
  const site = openSite();
  const first = await join(site);
  const tab = site.tab();
  const { client, page } = tab;
  assert.deepEqual(await client.password.requestReset({ email: EMAIL, ...here }), { ok: true, url: SENT });
  const link = given(site.link());
  const reused = await client.password.reset({ ...link, password: FIRST });
  assert.deepEqual(!reused.ok && [reused.problem, reused.status, reused.url], ["reused", 400, undefined]);
  assert.deepEqual(await client.password.reset({ ...link, password: SECOND, redirectTo: "/in" }), {
    ok: true,
    url: `${HOME}in`,
  });
  assert.deepEqual(page.visits, [`${HOME}in`]);
  assert.equal(await who(tab), EMAIL);
  assert.equal(await who(first), null);
});

test("somebody who is signed in reads, changes and removes their password, and nobody else does", async () => {
  const mails = mailbox();
  const hash = {
    make: (text: string) => text,
    verify: (a: string, b: string) => a === b ? "yes" as const : "no" as const,
  };
  const site = openSite({}, { providers: [password({ hash }), mails.provider] });
  const nobody = await site.tab().client.password.state();
  assert.deepEqual(!nobody.ok && [nobody.error, nobody.status], ["SessionRequired", 401]);
  assert.match(!nobody.ok && nobody.url || "", /\/auth\/signin\?/);

  const { client, page } = await join(site);
  const state = { email: EMAIL, isSet: true, canRemove: true, length: { min: 15, max: 256 } };
  assert.deepEqual(await client.password.state(), { ok: true, state });
  const short = await client.password.set({ password: "short" });
  assert.equal(!short.ok && short.problem, "short");
  const done = { ok: true, url: `${HOME}auth/password` };
  assert.deepEqual(await client.password.set({ password: SECOND }), done);
  assert.deepEqual(await client.password.remove(), done);
  assert.deepEqual(await client.password.state(), { ok: true, state: { ...state, isSet: false, canRemove: false } });
  assert.deepEqual(await client.password.set({ password: FIRST }), done);
  assert.deepEqual(page.visits, []);
});

test("the only way in is not removed", async () => {
  const { client } = await join(openSite());
  const state = await client.password.state();
  assert.equal(state.ok && state.state.canRemove, false);
  const result = await client.password.remove();
  assert.deepEqual(!result.ok && [result.error, result.status], ["AccessDenied", 200]);
});

test("a sign-in with a password, and a new password, wait for the second proof", async () => {
  const site = openSite({}, { features: [secondFactor()] });
  const { client } = await join(site);
  const added = await client.secondFactor.change({ act: "totp" });
  const step = added.ok && added.factors?.step;
  const { id, secret } = step && step.kind === "totp" ? step.setup : assert.fail("no key");
  const now = Math.floor(Date.now() / 1000 / STEP);
  const code = (later: number) => totpAt(fromBase32(secret) ?? assert.fail(), now + later);
  const confirmed = await client.secondFactor.change({ act: "confirm", id, code: await code(0) });
  const next = confirmed.ok && confirmed.factors?.step;
  const { codes, ask } = next && next.kind === "recovery-codes" ? next : assert.fail("no codes");
  await client.secondFactor.change({ act: "keep", code: (codes[ask - 1] ?? "").slice(-4) });
  await client.signOut(here);

  const challenged = { ok: true, url: `${HOME}auth/challenge`, challenged: true };
  assert.deepEqual(await client.signIn("password", { email: EMAIL, password: FIRST, ...here }), challenged);
  await client.password.requestReset({ email: EMAIL, ...here });
  const link = given(site.link());
  assert.deepEqual(await client.password.reset({ ...link, password: SECOND, ...here }), challenged);
  assert.equal(await client.getSession(), null);
  const [recovery = ""] = codes;
  assert.equal((await client.secondFactor.prove({ method: "recovery-code", code: recovery, ...here })).ok, true);
  await client.signOut(here);
  assert.deepEqual(await client.signIn("password", { email: EMAIL, password: SECOND, ...here }), challenged);
});

test("the built-in challenge is solved by itself", async () => {
  const site = openSite({}, { features: [limits({ mail: { site: { burst: 1, every: 3600 } } })] });
  const { client, page } = site.tab();
  assert.deepEqual(await client.password.requestReset({ email: "bob@example.com", ...here }), { ok: true, url: SENT });
  assert.deepEqual(await client.password.signUp({ email: EMAIL, password: FIRST, ...here }), { ok: true, url: SENT });
  assert.deepEqual(page.asked.filter((asked) => asked === "POST /auth/signup").length, 2);
  assert.equal(given(site.link()).email, EMAIL);
});

test("what a challenge does not help against is told, with the seconds to wait", async () => {
  const site = openSite({}, { features: [limits({ clientAddress: () => "192.0.2.1", challenge: null })] });
  const { client, page } = site.tab();
  let result = await client.password.signUp({ email: EMAIL, password: FIRST, ...here });
  for (let count = 0; result.ok && count < 30; count++) {
    result = await client.password.signUp({ email: EMAIL, password: FIRST, ...here });
  }
  const { retryAfter = 0, ...failure } = result.ok ? assert.fail("there is no limit") : result;
  const length = { min: 15, max: 256 };
  assert.deepEqual({ ...failure, ways: [] }, {
    ...{ ok: false, error: "TooManyAttempts", status: 429, problem: "too-many" },
    ...{ length, ways: [], challenge: undefined },
  });
  assert.ok(Array.isArray(failure.ways));
  assert.ok(retryAfter > 0 && retryAfter <= 60, `${retryAfter}`);
  assert.deepEqual(page.visits, []);
});

test("a page that cannot reach the service, or has lost patience, learns that", async () => {
  const { client, page } = openSite().tab();
  page.answer = () => Promise.reject(new TypeError("no network"));
  const nothing = { ok: false, status: 0 };
  assert.deepEqual(await client.password.state(), { ...nothing, error: "Unreachable" });
  const signal = AbortSignal.abort();
  assert.deepEqual(await client.password.requestReset({ email: EMAIL, signal }), { ...nothing, error: "Cancelled" });
});
