/** Codes that are short enough to be typed, and so to be guessed. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { type Adapter, createAuth, type EmailOptions } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { Browser, type BrowserOptions } from "../_support/browser.ts";
import { askedBy, guess, MOST_GUESSES } from "../_support/code_guesses.ts";
import { mailbox } from "../_support/mailbox.ts";
import { recordLog, testConfig } from "../_support/service.ts";

const ADDRESS = "ada@example.com";
const CODE = "424242";
const REFUSED = "http://localhost:3000/auth/error?error=Verification";

function open(options: EmailOptions = {}, change: (adapter: Adapter) => Adapter = (adapter) => adapter) {
  const box = mailbox({ generateVerificationToken: () => CODE, ...options });
  const memory = memoryAdapter();
  const calls: string[] = [];
  const watched = Object.fromEntries(
    Object.entries(change(memory)).map(([name, operation]) => [name, (...args: never[]) => {
      calls.push(name);
      return (operation as (...args: never[]) => unknown)(...args);
    }]),
  );
  const { logger, errors } = recordLog();
  const { handler } = createAuth(testConfig({ adapter: watched, providers: [box.provider], logger }));
  const visitor = (options: BrowserOptions = {}) => new Browser(handler, options);
  return { ...box, memory, calls, errors, handler, visitor };
}

/** Types a code where the application has a field for it. */
function type(browser: Browser, code: string, email = ADDRESS): Promise<Browser> {
  return browser.open(`/auth/callback/email?${new URLSearchParams({ token: code, email })}`);
}

test("a code that is typed where it was asked for signs in, once", async () => {
  const { visitor, mails } = open();
  const browser = visitor();
  await browser.signIn("email", { email: ADDRESS }, { callbackUrl: "/cart" });
  assert.equal(mails[0]?.token, CODE, "what is mailed is what was made");
  const again = browser.cookies.headerFor(new URL(browser.origin), { sameSite: true, safe: true }) ?? "";
  await type(browser, CODE);
  assert.equal((await browser.session())?.user?.email, ADDRESS);
  const other = visitor();
  for (const pair of again.split("; ")) other.cookies.store(`${pair}; Path=/`, new URL(other.origin));
  await type(other, CODE);
  assert.deepEqual([other.url.href, await other.session()], [REFUSED, null]);
});

test("the link in the email of a code is as good as any other, here and elsewhere", async () => {
  for (const elsewhere of [false, true]) {
    const { visitor, link, calls } = open();
    const browser = visitor();
    await browser.signIn("email", { email: ADDRESS }, { callbackUrl: "/cart" });
    const other = elsewhere ? visitor() : browser;
    await other.open(link().href);
    if (elsewhere) await other.submit();
    assert.equal(other.url.href, "http://localhost:3000/cart");
    assert.equal((await other.session())?.user?.email, ADDRESS);
    assert.ok(!calls.includes("once"), "nothing was guessed");
  }
});

test("a code that is guessed elsewhere is nobody's, touches no storage and locks nobody out", async () => {
  const { visitor, calls, errors } = open();
  const browser = visitor();
  await browser.signIn("email", { email: ADDRESS });
  calls.length = 0;
  const stranger = visitor();
  const csrfToken = await stranger.csrf();
  for (const email of [ADDRESS, "nobody@example.com"]) {
    for (const code of ["000000", CODE, "0".repeat(15), " ", "💥"]) {
      await type(stranger, code, email);
      assert.equal(stranger.url.href, REFUSED);
      const path = `/auth/callback/email?${new URLSearchParams({ token: code, email })}`;
      assert.equal((await stranger.post(path, { csrfToken })).headers.get("location"), REFUSED);
    }
  }
  assert.deepEqual(calls, []);
  assert.deepEqual(new Set(errors.map(({ name }) => name)), new Set(["Verification"]));
  await type(browser, CODE);
  assert.equal((await browser.session())?.user?.email, ADDRESS);
});

test("whoever asks for codes in somebody's name and guesses at them does not end the person's own", async () => {
  const { visitor, handler } = open();
  const browser = visitor();
  await browser.signIn("email", { email: ADDRESS });
  for (let round = 0; round < 3; round++) {
    const cookie = await askedBy(visitor());
    for (let at = 0; at < 10; at++) {
      assert.equal(await guess(handler, { code: `00000${at}`, cookie }), "refused");
    }
  }
  await type(browser, CODE);
  assert.equal((await browser.session())?.user?.email, ADDRESS);
});

for (const wrong of [MOST_GUESSES - 1, MOST_GUESSES]) {
  test(`after ${wrong} wrong guesses the right code is ${wrong < MOST_GUESSES ? "taken" : "refused"}`, async () => {
    const { visitor, handler, link, errors } = open();
    const cookie = await askedBy(visitor());
    for (let at = 0; at < wrong; at++) assert.equal(await guess(handler, { code: "000000", cookie }), "refused");
    assert.equal(await guess(handler, { code: CODE, cookie }), wrong < MOST_GUESSES ? "in" : "refused");
    const other = await visitor().open(link().href);
    assert.equal(other.url.href, REFUSED, "its link has ended with it");
    assert.deepEqual(new Set(errors.map(({ name }) => name)), new Set(["Verification"]));
  });
}

test("guesses by GET and by the button are counted together", async () => {
  const { visitor } = open();
  const browser = visitor();
  await browser.signIn("email", { email: ADDRESS });
  const csrfToken = await browser.csrf();
  const path = (code: string) => `/auth/callback/email?${new URLSearchParams({ token: code, email: ADDRESS })}`;
  for (let at = 0; at < MOST_GUESSES; at++) {
    if (at % 2 === 0) await browser.get(path("000000"));
    else await browser.post(path("000000"), { csrfToken });
  }
  assert.equal(browser.cookies.get("authjs.email"), undefined, "the browser forgets a code that is ended");
  assert.equal((await browser.post(path(CODE), { csrfToken })).headers.get("location"), REFUSED);
});

test("all codes of three digits that are tried in turn find none", async () => {
  const { visitor, handler, calls, mails } = open({ generateVerificationToken: () => "987" });
  const cookie = await askedBy(visitor());
  let marks = 0;
  for (let code = 0; code < 1000; code++) {
    assert.equal(await guess(handler, { code: String(code).padStart(3, "0"), cookie }), "refused");
    if (code === MOST_GUESSES) marks = calls.filter((name) => name === "once").length;
  }
  assert.ok(marks > 0);
  assert.equal(mails.length, 1);
  assert.ok(!calls.includes("commit"));
});

test("the newest code that a browser asked for is the one that counts there", async () => {
  let made = 0;
  const { visitor } = open({ generateVerificationToken: () => `00000${++made}` });
  const browser = visitor();
  await browser.signIn("email", { email: ADDRESS });
  await browser.signIn("email", { email: ADDRESS });
  await type(browser, "000001");
  assert.equal(browser.url.href, REFUSED);
  await type(browser, "000002");
  assert.equal((await browser.session())?.user?.email, ADDRESS);
});

test("fifteen characters are a code, sixteen are a token", async () => {
  for (const length of [15, 16]) {
    const token = "x".repeat(length);
    const { visitor, link } = open({ generateVerificationToken: () => token });
    await visitor().signIn("email", { email: ADDRESS });
    assert.equal(link().searchParams.get("token") === token, length === 16);
    const other = await type(visitor(), token);
    if (length === 16) await other.submit();
    assert.equal((await other.session())?.user?.email, length === 16 ? ADDRESS : undefined);
  }
});

test("a code is not sent where guesses cannot be counted, and the log says what to do", async () => {
  const { visitor, mails, errors, calls } = open({}, ({ once: _, ...adapter }) => adapter);
  const browser = visitor({ mayFail: true });
  await browser.signIn("email", { email: ADDRESS });
  assert.equal(browser.url.href, "http://localhost:3000/auth/error?error=Configuration");
  assert.deepEqual(mails, []);
  assert.ok(!calls.includes("createVerificationToken"));
  assert.deepEqual(errors.map(({ name }) => name), ["InvalidConfig"]);
  for (const word of ["`generateVerificationToken`", '"email"', "16 characters", "`adapter`", "`once`"]) {
    assert.ok(errors[0]?.message.includes(word), word);
  }
});

test("a longer token is sent where guesses cannot be counted", async () => {
  const token = "0123456789abcdef";
  const { visitor, link } = open({ generateVerificationToken: () => token }, ({ once: _, ...adapter }) => adapter);
  const browser = visitor();
  await browser.signIn("email", { email: ADDRESS });
  await browser.open(link().href);
  assert.equal((await browser.session())?.user?.email, ADDRESS);
});
