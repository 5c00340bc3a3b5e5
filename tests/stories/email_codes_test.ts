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

function open(options: EmailOptions = {}, change: Change = (adapter) => adapter) {
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

type Change = (adapter: Adapter) => Adapter;

/** What storage can do: everything, or what every adapter of Auth.js can. */
const STORAGES: readonly (readonly [string, Change])[] = [
  ["with `once`", (adapter) => adapter],
  ["without `once`", asForAuthJs],
  ["without `once`, in two steps", inTwoSteps],
];

/** An adapter as people have it who come from Auth.js. */
function asForAuthJs({ commit: _, once: __, getVerificationToken: ___, ...adapter }: Adapter): Adapter {
  return adapter;
}

/** An adapter that reads a token and then removes it, as some of Auth.js do. */
function inTwoSteps(adapter: Adapter): Adapter {
  const { getVerificationToken, useVerificationToken } = adapter;
  return {
    ...asForAuthJs(adapter),
    async useVerificationToken(key) {
      const found = await getVerificationToken?.(key) ?? null;
      await useVerificationToken?.(key);
      return found;
    },
  };
}

/** An adapter that also stores a token that exists, as some of Auth.js do. */
function overwriting(adapter: Adapter): Adapter {
  return {
    ...inTwoSteps(adapter),
    async createVerificationToken(row) {
      try {
        return await adapter.createVerificationToken?.(row) ?? null;
      } catch {
        return row;
      }
    },
  };
}

/** Types a code where the application has a field for it. */
function type(browser: Browser, code: string, email = ADDRESS): Promise<Browser> {
  return browser.open(`/auth/callback/email?${new URLSearchParams({ token: code, email })}`);
}

for (const [storage, change] of STORAGES) {
  test(`a code that is typed where it was asked for signs in, once (${storage})`, async () => {
    const { visitor, mails } = open({}, change);
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
}

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

for (const [storage, change] of STORAGES) {
  test(`a code that is guessed elsewhere is nobody's, touches no storage and locks nobody out (${storage})`, async () => {
    const { visitor, calls, errors } = open({}, change);
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
}

for (const [storage, change] of STORAGES) {
  test(`whoever asks for codes in somebody's name and guesses at them does not end the person's own (${storage})`, async () => {
    const { visitor, handler } = open({}, change);
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
}

for (const [storage, change] of STORAGES) {
  for (const wrong of [MOST_GUESSES - 1, MOST_GUESSES]) {
    test(`after ${wrong} wrong guesses the right code is ${wrong < MOST_GUESSES ? "taken" : "refused"} (${storage})`, async () => {
      const { visitor, handler, link, errors } = open({}, change);
      const cookie = await askedBy(visitor());
      for (let at = 0; at < wrong; at++) assert.equal(await guess(handler, { code: "000000", cookie }), "refused");
      assert.equal(await guess(handler, { code: CODE, cookie }), wrong < MOST_GUESSES ? "in" : "refused");
      const other = await visitor().open(link().href);
      // Without `getVerificationToken`, only the button tells whether a link works.
      if (other.url.pathname === "/auth/callback/email") await other.submit();
      assert.equal(other.url.href, REFUSED, "its link has ended with it");
      assert.deepEqual(new Set(errors.map(({ name }) => name)), new Set(["Verification"]));
    });
  }
}

for (const [storage, change] of STORAGES) {
  test(`guesses by GET and by the button are counted together (${storage})`, async () => {
    const { visitor } = open({}, change);
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
}

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

for (const [storage, change] of STORAGES) {
  test(`the newest code that a browser asked for is the one that counts there (${storage})`, async () => {
    let made = 0;
    const { visitor } = open({ generateVerificationToken: () => `00000${++made}` }, change);
    const browser = visitor();
    await browser.signIn("email", { email: ADDRESS });
    await browser.signIn("email", { email: ADDRESS });
    await type(browser, "000001");
    assert.equal(browser.url.href, REFUSED);
    await type(browser, "000002");
    assert.equal((await browser.session())?.user?.email, ADDRESS);
  });
}

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
  const { visitor, mails, errors, calls } = open({}, overwriting);
  for (const _ of ["first", "second"]) {
    calls.length = 0;
    const browser = visitor({ mayFail: true });
    await browser.signIn("email", { email: ADDRESS });
    assert.equal(browser.url.href, "http://localhost:3000/auth/error?error=Configuration");
  }
  assert.deepEqual(mails, []);
  assert.deepEqual(calls, ["getUserByEmail"], "storage is tried once");
  assert.deepEqual(errors.map(({ name }) => name), ["InvalidConfig", "InvalidConfig"]);
  for (
    const word of [
      "`generateVerificationToken`",
      '"email"',
      "16 characters",
      "`adapter`",
      "`once`",
      "`useVerificationToken`",
    ]
  ) {
    assert.ok(errors[0]?.message.includes(word), word);
  }
});

/** A story in which every row beside users and sessions is seen. */
function watchTokens(options: EmailOptions = {}) {
  const rows = new Map<string, Date>();
  const made = open(options, (adapter) => ({
    ...asForAuthJs(adapter),
    createVerificationToken(row) {
      rows.set(`${row.identifier} ${row.token}`, row.expires);
      return adapter.createVerificationToken?.(row) ?? null;
    },
    useVerificationToken(key) {
      rows.delete(`${key.identifier} ${key.token}`);
      return adapter.useVerificationToken?.(key) ?? null;
    },
  }));
  return { ...made, rows };
}

test("what is stored to count guesses expires with the code, and names neither its address nor its code", async () => {
  const { visitor, rows, mails } = watchTokens();
  await visitor().signIn("email", { email: ADDRESS });
  const [code, ...others] = [...rows].toReversed();
  assert.deepEqual([code?.[0].startsWith(`${ADDRESS} `), others.length], [true, MOST_GUESSES]);
  const suffix = new URL(mails[0]?.url ?? "").searchParams.get("token")?.slice(CODE.length + 1) ?? ADDRESS;
  for (const [row, expires] of others) {
    assert.deepEqual(expires, mails[0]?.expires);
    for (const word of [ADDRESS, "@", CODE, suffix]) assert.ok(!row.includes(word), word);
  }
});

for (const way of ["code", "link", "link elsewhere"]) {
  test(`what is stored to count guesses is gone after a sign-in by ${way}`, async () => {
    const { visitor, rows, link } = watchTokens();
    const browser = visitor();
    await browser.signIn("email", { email: ADDRESS });
    const other = way === "link elsewhere" ? visitor() : browser;
    if (way === "code") await type(browser, "000000");
    await (way === "code" ? type(browser, CODE) : other.open(link().href));
    if (way === "link elsewhere") await other.submit();
    assert.equal((await other.session())?.user?.email, ADDRESS);
    assert.deepEqual([...rows], []);
  });
}

test("what is stored to count guesses is gone if the email is not sent", async () => {
  const { visitor, rows } = watchTokens({ sendVerificationRequest: () => assert.fail("down") });
  const browser = visitor({ mayFail: true });
  await browser.signIn("email", { email: ADDRESS });
  assert.equal(browser.url.searchParams.get("error"), "EmailSignin");
  assert.deepEqual([...rows], []);
});

test("somebody stays signed in if what is left of the guesses cannot be removed", async () => {
  let isDown = false;
  const { visitor, errors } = open({}, (adapter) => ({
    ...asForAuthJs(adapter),
    useVerificationToken(key) {
      if (isDown && key.identifier.startsWith("code:")) throw new Error("down");
      return adapter.useVerificationToken?.(key) ?? null;
    },
    createUser(user) {
      isDown = true;
      return adapter.createUser?.(user) ?? assert.fail();
    },
  }));
  const browser = visitor();
  await browser.signIn("email", { email: ADDRESS });
  await type(browser, CODE);
  assert.equal((await browser.session())?.user?.email, ADDRESS);
  assert.deepEqual(errors.map(({ message }) => message), ["Cannot remove the guesses that were left for a code"]);
});

test("a guess that storage fails at is not compared", async () => {
  for (const fails of ["code:", ADDRESS]) {
    let isDown = false;
    const { visitor } = open({}, (adapter) => ({
      ...asForAuthJs(adapter),
      useVerificationToken(key) {
        if (isDown && key.identifier.startsWith(fails)) throw new Error("down");
        return adapter.useVerificationToken?.(key) ?? null;
      },
    }));
    const browser = visitor({ mayFail: true });
    await browser.signIn("email", { email: ADDRESS });
    isDown = true;
    for (let guess = 0; guess < MOST_GUESSES; guess++) await type(browser, CODE);
    assert.equal(await browser.session(), null);
    isDown = false;
    await type(browser, CODE);
    // Guesses that were counted before storage failed stay counted.
    assert.equal((await browser.session())?.user?.email, fails === ADDRESS ? undefined : ADDRESS);
  }
});

test("a code without what counts its guesses is refused, the right one too", async () => {
  let isLosing = false;
  const { visitor } = open({}, (adapter) => ({
    ...asForAuthJs(adapter),
    createVerificationToken(row) {
      const isLost = isLosing && row.identifier.startsWith("code:");
      return isLost ? row : adapter.createVerificationToken?.(row) ?? null;
    },
  }));
  // At the first code, storage is tried, too.
  await visitor().signIn("email", { email: ADDRESS });
  isLosing = true;
  const browser = visitor();
  await browser.signIn("email", { email: ADDRESS });
  await type(browser, CODE);
  assert.deepEqual([browser.url.href, await browser.session()], [REFUSED, null]);
});

test("a longer token is sent where guesses cannot be counted", async () => {
  const token = "0123456789abcdef";
  const { visitor, link } = open({ generateVerificationToken: () => token }, ({ once: _, ...adapter }) => adapter);
  const browser = visitor();
  await browser.signIn("email", { email: ADDRESS });
  await browser.open(link().href);
  assert.equal((await browser.session())?.user?.email, ADDRESS);
});
