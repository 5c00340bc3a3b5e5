import { test } from "node:test";
import assert from "node:assert/strict";
import { type Adapter, type AuthConfig, createAuth, type WebAuthnOptions } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { passkey } from "@x/auth/providers/passkey";
import { Authenticator } from "../_support/authenticator.ts";
import { Browser } from "../_support/browser.ts";
import { readForms } from "../_support/forms.ts";
import { type Mailbox, mailbox } from "../_support/mailbox.ts";
import { password, recordLog, testConfig } from "../_support/service.ts";

const KNOWN = "ada@example.com";
const UNKNOWN = "eve@example.com";
const ORIGIN = "http://localhost:3000";

interface Site {
  readonly adapter: ReturnType<typeof memoryAdapter>;
  readonly box: Mailbox;
  /** Each call of the adapter, by its name. */
  readonly calls: string[];
  readonly log: ReturnType<typeof recordLog>;
  browser(): Browser;
}

/** A service with a user whose address is known. */
async function open(config: AuthConfig = {}, options: WebAuthnOptions = { confirm: true }): Promise<Site> {
  const adapter = memoryAdapter();
  const calls: string[] = [];
  const watched = Object.fromEntries(
    Object.entries(adapter).map(([name, member]) => {
      if (typeof member !== "function") return [name, member];
      return [name, (...args: readonly unknown[]) => (calls.push(name), (member as CallableFunction)(...args))];
    }),
  ) as unknown as Adapter;
  const box = mailbox();
  const log = recordLog();
  const { handler } = createAuth(
    testConfig({ adapter: watched, providers: [box.provider, passkey(options)], logger: log.logger, ...config }),
  );
  await adapter.createUser({ id: "1", email: KNOWN, emailVerified: new Date(0) });
  return { adapter, box, calls, log, browser: () => new Browser(handler, { mayFail: true }) };
}

async function ask(browser: Browser, email: string, more: Readonly<Record<string, string>> = {}): Promise<Response> {
  const csrfToken = await browser.csrf();
  return await browser.post("/auth/signin/passkey", { csrfToken, email, ...more });
}

/** What a stranger sees of an answer: all but what is random or encrypted, of which the length stays. */
async function seen(response: Response): Promise<unknown> {
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => name !== "set-cookie"),
    cookies: response.headers.getSetCookie().map((cookie) => {
      const [pair = "", ...attributes] = cookie.split("; ");
      const [name, value = ""] = pair.split("=");
      return [name, value.length, ...attributes.map((each) => each.replace(/(expires)=.*/i, "$1"))];
    }),
    body: await response.text(),
  };
}

async function register(browser: Browser, device: Authenticator, callbackUrl = "/"): Promise<Response> {
  const { options } = await (await browser.get("/auth/webauthn-options/passkey?action=register")).json();
  const csrfToken = await browser.csrf();
  const data = await device.create(options);
  return await browser.post("/auth/callback/passkey", { csrfToken, action: "register", data, callbackUrl });
}

test("an address that is known and one that is not get the same answer, cookies and work, and one email each", async () => {
  const { box, calls, browser } = await open();
  const answers: unknown[] = [];
  const work: string[][] = [];
  for (const email of [KNOWN, UNKNOWN]) {
    const visitor = browser();
    await visitor.csrf();
    calls.length = 0;
    const answer = await ask(visitor, email);
    assert.equal(answer.headers.get("location"), `${ORIGIN}/auth/verify-request?provider=email&type=email`);
    answers.push(await seen(answer));
    work.push([...calls]);
  }
  assert.deepEqual(answers[0], answers[1]);
  assert.deepEqual(work[0], work[1]);
  const [one, other] = box.mails.map(({ identifier, url, token, expires: _, request: __, ...mail }) => {
    const shape = url.replace(token, "T").replace(encodeURIComponent(identifier), "A");
    return { ...mail, shape, length: token.length };
  });
  assert.equal(box.mails.length, 2);
  assert.deepEqual(one, other);
});

test("a request for options to register gets one answer for all addresses, and sends no email", async () => {
  const { box, calls, browser } = await open();
  const answers: unknown[] = [];
  for (const email of [KNOWN, UNKNOWN, "", "not an address"]) {
    calls.length = 0;
    const query = new URLSearchParams({ action: "register", email });
    const answer = await browser().get(`/auth/webauthn-options/passkey?${query}`);
    answers.push(await seen(answer));
    assert.equal(answer.status, 403);
    assert.deepEqual(calls, []);
  }
  assert.match(JSON.stringify(answers[0]), /EmailRequired.*auth\/signin/);
  for (const other of answers) assert.deepEqual(other, answers[0]);
  assert.equal(box.mails.length, 0);
});

test("the link goes on with the registration of a new address in the browser that asked", async () => {
  const { adapter, box, browser } = await open();
  const visitor = browser();
  await visitor.follow(await ask(visitor, UNKNOWN, { callbackUrl: "/members" }));
  assert.match(visitor.html, /Check your email/);
  assert.equal(await adapter.getUserByEmail(UNKNOWN), null);
  await visitor.open(box.link().href);
  assert.equal(
    visitor.url.href,
    `${ORIGIN}/auth/signin/passkey?callbackUrl=${encodeURIComponent(`${ORIGIN}/members`)}`,
  );
  assert.match(visitor.html, /Add a passkey|Create a passkey/);
  const device = new Authenticator({ origin: ORIGIN });
  const done = await register(visitor, device, "/members");
  assert.equal(done.headers.get("location"), `${ORIGIN}/members`);
  const user = await adapter.getUserByEmail(UNKNOWN);
  assert.ok(user?.emailVerified instanceof Date);
  const later = browser();
  const { options } = await (await later.get("/auth/webauthn-options/passkey?action=authenticate")).json();
  const data = await device.get(options);
  await later.post("/auth/callback/passkey", { csrfToken: await later.csrf(), action: "authenticate", data });
  assert.equal((await later.session())?.user?.email, UNKNOWN);
});

test("the link lets the owner of a known address sign in, and add the passkey", async () => {
  const { adapter, box, browser } = await open();
  const owner = browser();
  await ask(owner, KNOWN);
  await owner.open(box.link().href);
  assert.equal((await owner.session())?.user?.email, KNOWN);
  await register(owner, new Authenticator({ origin: ORIGIN }));
  assert.equal((await adapter.listAuthenticatorsByUserId("1")).length, 1);
});

test("somebody who asks with the address of another gets nothing, and the owner's link signs in the owner only", async () => {
  const { adapter, box, browser } = await open();
  const stranger = browser();
  await ask(stranger, KNOWN);
  assert.equal(await stranger.session(), null);
  const owner = browser();
  await owner.open(box.link().href);
  assert.match(owner.html, /<button/);
  assert.equal(await owner.session(), null);
  await owner.submit();
  assert.equal((await owner.session())?.user?.email, KNOWN);
  // The registration was the other browser's.
  assert.equal(owner.url.href, `${ORIGIN}/`);
  await stranger.open(box.link().href);
  assert.equal(await stranger.session(), null);
  assert.equal((await adapter.listAuthenticatorsByUserId("1")).length, 0);
});

test("a passkey that was begun before the address had to be proven registers nobody", async () => {
  const adapter = memoryAdapter();
  const box = mailbox();
  const before = createAuth(testConfig({ adapter, providers: [box.provider, passkey()] }));
  const after = createAuth(testConfig({ adapter, providers: [box.provider, passkey({ confirm: true })] }));
  let isAfter = false;
  const browser = new Browser((request) => (isAfter ? after : before).handler(request), { mayFail: true });
  const { options } = await (await browser.get(`/auth/webauthn-options/passkey?action=register&email=${UNKNOWN}`))
    .json();
  isAfter = true;
  const data = await new Authenticator({ origin: ORIGIN }).create(options);
  await browser.post("/auth/callback/passkey", { csrfToken: await browser.csrf(), action: "register", data });
  assert.equal(await browser.session(), null);
  assert.equal(await adapter.getUserByEmail(UNKNOWN), null);
});

test("without the token of the form no email is sent", async () => {
  const { box, browser } = await open();
  for (const fields of [{ email: KNOWN }, { email: KNOWN, csrfToken: "guessed" }]) {
    const answer = await browser().post("/auth/signin/passkey", fields);
    assert.match(answer.headers.get("location") ?? "", /error=MissingCSRF/);
  }
  assert.equal(box.mails.length, 0);
});

test("what is no address, and an email that cannot be sent, are answered alike for all addresses", async () => {
  const failing = { ...mailbox().provider, sendVerificationRequest: () => Promise.reject(new Error("no mail today")) };
  const { browser } = await open({ providers: [failing, passkey({ confirm: true })] });
  const answers: unknown[] = [];
  for (const email of [KNOWN, UNKNOWN]) {
    const answer = await ask(browser(), email);
    assert.match(answer.headers.get("location") ?? "", /error=EmailSignin/);
    answers.push(await seen(answer));
  }
  assert.deepEqual(answers[0], answers[1]);
  const { box, browser: other } = await open();
  for (const email of ["", "not an address", "a@b@c", "ada@example.com,eve@example.com"]) {
    assert.match((await ask(other(), email)).headers.get("location") ?? "", /error=EmailSignin/);
  }
  assert.equal(box.mails.length, 0);
});

test("a registration that only the application knows how to read takes the address from it", async () => {
  const options: WebAuthnOptions = {
    confirm: true,
    formFields: { nick: { autocomplete: "username webauthn" } },
    getUserInfo: async ({ adapter }, { query }) => {
      const email = `${query.nick}@example.com`;
      const user = await adapter.getUserByEmail(email);
      return user ? { user, exists: true } : { user: { email, name: "Eve" } };
    },
  };
  const { box, browser } = await open({}, options);
  const answers: unknown[] = [];
  for (const nick of ["ada", "eve"]) {
    const visitor = browser();
    const answer = await visitor.post("/auth/signin/passkey", { csrfToken: await visitor.csrf(), nick });
    answers.push(await seen(answer));
  }
  assert.deepEqual(box.mails.map(({ identifier }) => identifier), [KNOWN, UNKNOWN]);
  assert.deepEqual(answers[0], answers[1]);
});

test("callbacks.signIn refuses a registration as it refuses an email", async () => {
  const { box, browser } = await open({ callbacks: { signIn: ({ user }) => user.email === KNOWN } });
  assert.match((await ask(browser(), UNKNOWN)).headers.get("location") ?? "", /error=AccessDenied/);
  assert.equal(box.mails.length, 0);
});

test("the page sends the field for the address to where the email is asked for, and says what comes", async () => {
  const { box, browser } = await open();
  const visitor = await browser().open("/auth/signin");
  assert.match(visitor.html, /To create a passkey, you first get an email with a link\./);
  const [, formaction = "", form = ""] =
    /<button type="submit"[^>]* formaction="([^"]+)" form="([^"]+)"/.exec(visitor.html) ??
      [];
  assert.equal(formaction, `${ORIGIN}/auth/signin/passkey`);
  const shared = new RegExp(`<form id="${form}"[^>]*action="${ORIGIN}/auth/signin/email"`);
  assert.match(visitor.html, shared);
  const { fields } = readForms(visitor.html).find(({ action }) => action.endsWith("/signin/email")) ?? { fields: {} };
  const answer = await visitor.post("/auth/signin/passkey", { ...fields, email: UNKNOWN });
  assert.match(answer.headers.get("location") ?? "", /verify-request/);
  assert.equal(box.mails.length, 1);
});

test("a form of passkeys with fields of its own sends them to where the email is asked for", async () => {
  const { browser } = await open({}, { confirm: true, formFields: { nick: {}, email: { autocomplete: "webauthn" } } });
  const { html } = await browser().open("/auth/signin");
  assert.match(html, /<button type="submit"[^>]* formaction="http:\/\/localhost:3000\/auth\/signin\/passkey" aria/);
});

test("who is signed in adds a passkey without an email", async () => {
  const { box, browser } = await open();
  const owner = await browser().signIn("email", { email: KNOWN });
  await owner.open(box.link().href);
  await owner.open("/auth/signin/passkey");
  assert.doesNotMatch(owner.html, / formaction=|you first get an email/);
  const done = await register(owner, new Authenticator({ origin: ORIGIN }));
  assert.equal(done.status, 302);
  assert.equal(box.mails.length, 1);
});

test("a sign-in page of one's own is where the link leads back to by its `callbackUrl`", async () => {
  const { box, browser } = await open({ pages: { signIn: "/login" } });
  const visitor = browser();
  await ask(visitor, UNKNOWN, { callbackUrl: "/passkeys/new" });
  const opened = await visitor.get(box.link().href.slice(ORIGIN.length));
  assert.equal(opened.headers.get("location"), `${ORIGIN}/passkeys/new`);
});

test("by default nothing changes: a stranger registers at once, and a form that leads to the page sends no email", async () => {
  const { adapter, box, browser } = await open({}, {});
  const visitor = browser();
  assert.equal((await ask(visitor, KNOWN)).headers.get("location"), `${ORIGIN}/auth/signin`);
  const offered = await visitor.get(`/auth/webauthn-options/passkey?action=register&email=${UNKNOWN}`);
  const data = await new Authenticator({ origin: ORIGIN }).create((await offered.json()).options);
  await visitor.post("/auth/callback/passkey", { csrfToken: await visitor.csrf(), action: "register", data });
  assert.equal((await visitor.session())?.user?.email, UNKNOWN);
  assert.equal((await adapter.getUserByEmail(UNKNOWN))?.emailVerified, null);
  assert.equal(box.mails.length, 0);
  assert.doesNotMatch((await browser().open("/auth/signin")).html, / formaction=/);
});

test("a service that sends no email cannot confirm, and says so", async () => {
  const { check } = createAuth(testConfig({
    adapter: memoryAdapter(),
    providers: [password(), passkey({ confirm: true })],
  }));
  await assert.rejects(check(), /provider "passkey": `confirm` needs a provider of type `email`/);
});
