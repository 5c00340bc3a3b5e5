import { test } from "node:test";
import assert from "node:assert/strict";
import process from "node:process";
import { type Adapter, type AuthConfig, type CompleteAdapter, createAuth, type EmailOptions } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { AccessDenied, AdapterError, InvalidConfig } from "@x/auth/errors";
import { Browser } from "../_support/browser.ts";
import { type Mailbox, mailbox } from "../_support/mailbox.ts";
import { recordLog, testConfig } from "../_support/service.ts";

const ADDRESS = "ada@example.com";
const SENT = "http://localhost:3000/auth/verify-request?provider=email&type=email";
const STRATEGIES = ["jwt", "database"] as const;

interface Stage extends Mailbox {
  readonly handler: (request: Request) => Promise<Response>;
  readonly signIn: ReturnType<typeof createAuth>["signIn"];
  readonly adapter: ReturnType<typeof memoryAdapter>;
  /** The one who asks for the link. */
  readonly browser: Browser;
  /** A browser that has never been here. */
  stranger(): Browser;
  /** The errors that were logged, by name. */
  readonly errors: Error[];
}

/** What an Auth.js adapter has of what links need: it can look at no token without using it up. */
const PLAIN_OPERATIONS = [
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "updateUser",
  "linkAccount",
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession",
  "createVerificationToken",
  "useVerificationToken",
] as const satisfies readonly (keyof CompleteAdapter)[];

function open(config: AuthConfig = {}, options: EmailOptions = {}, only?: readonly (keyof CompleteAdapter)[]): Stage {
  const box = mailbox(options);
  const adapter = memoryAdapter();
  const given: Adapter = only ? Object.fromEntries(only.map((name) => [name, adapter[name]])) : adapter;
  const { logger, errors } = recordLog();
  const { handler, signIn } = createAuth(testConfig({ providers: [box.provider], adapter: given, logger, ...config }));
  return {
    ...box,
    handler,
    signIn,
    adapter,
    errors,
    browser: new Browser(handler),
    stranger: () => new Browser(handler),
  };
}

for (const strategy of STRATEGIES) {
  test(`a link that is opened where it was asked for signs in at once (${strategy})`, async () => {
    const { browser, link, adapter } = open({ session: { strategy } });
    await browser.signIn("email", { email: ADDRESS }, { callbackUrl: "/cart?item=1" });
    assert.equal(browser.url.href, SENT);
    assert.match(browser.html, /Check your email/);
    await browser.open(link().href);
    assert.equal(browser.url.href, "http://localhost:3000/cart?item=1");
    assert.equal((await browser.session())?.user?.email, ADDRESS);
    const user = await adapter.getUserByEmail(ADDRESS);
    assert.ok(user?.emailVerified instanceof Date);
    assert.deepEqual(browser.cookies.names().filter((name) => /email|callback-url/.test(name)), []);
  });

  test(`a link that is opened elsewhere asks first, and one button signs in (${strategy})`, async () => {
    const { browser, stranger, link } = open({ session: { strategy } });
    await browser.signIn("email", { email: ADDRESS }, { callbackUrl: "/cart" });
    const other = await stranger().open(link().href);
    assert.equal(other.status, 200);
    assert.match(other.html, /ada@example\.com/);
    assert.equal(await other.session(), null);
    await other.submit();
    assert.equal(other.url.href, "http://localhost:3000/cart");
    assert.equal((await other.session())?.user?.email, ADDRESS);
    assert.equal(await browser.session(), null, "whoever only asked is not signed in");
  });

  test(`whoever comes back is the same user, and the first verification of the mailbox stays (${strategy})`, async () => {
    const { browser, stranger, link, adapter } = open({ session: { strategy } });
    await browser.signIn("email", { email: ADDRESS });
    await browser.open(link().href);
    const first = await adapter.getUserByEmail(ADDRESS);
    const other = stranger();
    await other.signIn("email", { email: " ADA@Example.COM " });
    await other.open(link().href);
    assert.deepEqual(await adapter.getUserByEmail(ADDRESS), first);
    assert.equal((await other.session())?.user?.email, ADDRESS);
  });
}

test("a link works once, whichever way it was followed", async () => {
  const { browser, stranger, link, errors } = open();
  await browser.signIn("email", { email: ADDRESS });
  await browser.open(link().href);
  for (const visitor of [browser, stranger()]) {
    await visitor.open(link().href);
    assert.equal(visitor.url.href, "http://localhost:3000/auth/error?error=Verification", "it is not asked first");
    assert.equal(visitor.status, 403);
    assert.match(visitor.html, /This link or sign-in has been used already/);
  }
  assert.deepEqual(errors.map(({ name }) => name), ["Verification", "Verification"]);
});

test("a link that was used is confirmed first where storage cannot look it up, and then refused", async () => {
  const { browser, stranger, link } = open({}, {}, PLAIN_OPERATIONS);
  await browser.signIn("email", { email: ADDRESS });
  await browser.open(link().href);
  const other = await stranger().open(link().href);
  assert.match(other.html, /You are about to sign in as/);
  await other.submit();
  assert.equal(other.url.href, "http://localhost:3000/auth/error?error=Verification");
});

test("programs that open a link again and again do not use it up", async () => {
  const { browser, stranger, link } = open();
  await browser.signIn("email", { email: ADDRESS });
  for (let visit = 0; visit < 20; visit++) {
    const scanner = stranger();
    const seen = await scanner.get(link().href, { headers: { "user-agent": `scanner ${visit}` } });
    assert.equal(seen.status, 200);
    assert.equal(await scanner.session(), null);
    const head = await scanner.head(link().href);
    assert.equal(head.status, 405);
    assert.equal(head.headers.get("allow"), "GET, POST");
  }
  await browser.open(link().href);
  assert.equal((await browser.session())?.user?.email, ADDRESS);
});

test("the page that asks first has no effect until its own button is pressed", async () => {
  const { browser, stranger, link } = open();
  await browser.signIn("email", { email: ADDRESS });
  const { pathname, search } = link();
  const other = stranger();
  await other.open(link().href);
  const csrfToken = await other.csrf();
  const refused = [
    await other.post(pathname + search, {}),
    await other.post(pathname + search, { csrfToken: "0".repeat(64) }),
    await other.post(pathname + search, { csrfToken }, { headers: { origin: "https://evil.test" } }),
    await other.post(pathname + search, { csrfToken }, { headers: { "sec-fetch-site": "cross-site" } }),
  ];
  for (const { headers } of refused) assert.match(headers.get("location") ?? "", /error=MissingCSRF$/);
  assert.equal(await other.session(), null);
  await other.submit();
  assert.equal((await other.session())?.user?.email, ADDRESS);
});

test("only the newest link that a browser asked for signs in at once", async () => {
  const { browser, mails } = open();
  await browser.signIn("email", { email: ADDRESS });
  await browser.signIn("email", { email: ADDRESS });
  await browser.open(mails[0]?.url ?? "");
  assert.match(browser.html, /You are about to sign in as/);
  await browser.open(mails[1]?.url ?? "");
  assert.equal((await browser.session())?.user?.email, ADDRESS);
});

test("a browser that asked for one address does not vouch for the link to another", async () => {
  const { browser, stranger, link, mails } = open();
  await stranger().signIn("email", { email: "mallory@example.com" });
  const theirs = link();
  await browser.signIn("email", { email: ADDRESS });
  await browser.open(theirs.href);
  assert.match(browser.html, /mallory@example\.com/);
  assert.equal(await browser.session(), null);
  assert.equal(mails.length, 2);
});

test("V01, V08: a token of one address opens no other, and neither try burns the real link", async () => {
  const { browser, stranger, link } = open();
  await browser.signIn("email", { email: "mallory@example.com" });
  const real = link();
  const wrongAddress = new URL(real);
  wrongAddress.searchParams.set("email", ADDRESS);
  const wrongToken = new URL(real);
  wrongToken.searchParams.set("token", "0".repeat(64));
  for (const { href } of [wrongAddress, wrongToken]) {
    const other = stranger();
    await other.open(href);
    assert.equal(other.url.href, "http://localhost:3000/auth/error?error=Verification");
    const pressed = await other.post(href, { csrfToken: await other.csrf() });
    assert.equal(pressed.headers.get("location"), "http://localhost:3000/auth/error?error=Verification");
    assert.equal(await other.session(), null);
  }
  await browser.open(real.href);
  assert.equal((await browser.session())?.user?.email, "mallory@example.com");
});

test("a link whose address an email client wrote in capitals still works", async () => {
  const { browser, link } = open();
  await browser.signIn("email", { email: ADDRESS });
  const url = link();
  url.searchParams.set("email", "ADA@EXAMPLE.COM");
  await browser.open(url.href);
  assert.equal((await browser.session())?.user?.email, ADDRESS);
});

test("known and unknown addresses get the same answer", async () => {
  const { browser, stranger, link, mails } = open();
  await browser.signIn("email", { email: ADDRESS });
  await browser.open(link().href);
  const answers = await Promise.all([ADDRESS, "nobody@example.com"].map(async (email) => {
    const visitor = stranger();
    const { status, headers } = await visitor.post("/auth/signin/email", { csrfToken: await visitor.csrf(), email });
    const names = headers.getSetCookie().map((cookie) => cookie.split("=")[0]);
    return { status, location: headers.get("location"), names };
  }));
  assert.deepEqual(answers[0], answers[1]);
  assert.equal(answers[0]?.location, SENT);
  assert.equal(mails.length, 3);
});

test("V37: nobody gets an email for a form of another site or one without its token", async () => {
  const { browser, mails } = open();
  const csrfToken = await browser.csrf();
  const fields = { csrfToken, email: ADDRESS };
  const refused = [
    await browser.post("/auth/signin/email", { email: ADDRESS }),
    await browser.post("/auth/signin/email", fields, { headers: { origin: "https://evil.test" } }),
    await browser.post("/auth/signin/email", fields, { headers: { "sec-fetch-site": "cross-site" } }),
  ];
  for (const { headers } of refused) assert.match(headers.get("location") ?? "", /error=MissingCSRF$/);
  assert.equal(mails.length, 0);
});

test("V07: an address that is given twice, or as a list, emails nobody", async () => {
  const { browser, mails, adapter } = open();
  const csrfToken = await browser.csrf();
  const twice = await browser.send("POST", "/auth/signin/email", `csrfToken=${csrfToken}&email=a@b.com&email=c@d.com`, {
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  assert.equal(twice.status, 400);
  for (const email of [["a@b.com", "c@d.com"], ["a@b.com"], {}, 1, true, null]) {
    const answer = await browser.postJson("/auth/signin/email", { csrfToken, email });
    assert.equal(answer.headers.get("location"), "http://localhost:3000/auth/signin?error=EmailSignin");
  }
  assert.equal(mails.length, 0);
  assert.equal(await adapter.getUserByEmail("a@b.com"), null);
});

test("V65: a request with a made-up host does not change where the link leads", async () => {
  const { adapter, provider, mails } = open();
  const { handler } = createAuth(testConfig({ providers: [provider], adapter }));
  const before = process.env.AUTH_URL;
  process.env.AUTH_URL = "https://app.example/auth";
  try {
    const poisoned = {
      host: "evil.test",
      "x-forwarded-host": "evil.test",
      "x-forwarded-proto": "http",
      forwarded: "host=evil.test",
      "x-host": "evil.test",
      "x-original-url": "https://evil.test/",
    };
    const csrf = await handler(new Request("http://evil.test/auth/csrf", { headers: poisoned }));
    const { csrfToken } = await csrf.json();
    const cookie = csrf.headers.getSetCookie().map((text) => text.split(";")[0]).join("; ");
    const answer = await handler(
      new Request("http://evil.test/auth/signin/email", {
        method: "POST",
        headers: { ...poisoned, cookie, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ csrfToken, email: ADDRESS, callbackUrl: "https://evil.test/" }),
      }),
    );
    assert.equal(
      answer.headers.get("location"),
      "https://app.example/auth/verify-request?provider=email&type=email",
    );
    const url = new URL(mails[0]?.url ?? "");
    assert.equal(url.origin, "https://app.example");
    assert.equal(url.searchParams.get("callbackUrl"), "https://app.example/");
  } finally {
    if (before === undefined) delete process.env.AUTH_URL;
    else process.env.AUTH_URL = before;
  }
});

test("the target of a link is checked again when it is followed", async () => {
  const { browser, link } = open();
  await browser.signIn("email", { email: ADDRESS }, { callbackUrl: "/cart" });
  const url = link();
  url.searchParams.set("callbackUrl", "https://evil.test/");
  await browser.open(url.href);
  assert.equal(browser.url.href, "http://localhost:3000/");
});

test("the application is asked before the email and again before the sign-in", async () => {
  const asked: unknown[] = [];
  const { browser, link } = open({
    callbacks: {
      signIn: ({ user, account, email }) => {
        asked.push([user.email, account?.type, account?.providerAccountId, email]);
        return true;
      },
    },
  });
  await browser.signIn("email", { email: ADDRESS });
  await browser.open(link().href);
  assert.deepEqual(asked, [
    [ADDRESS, "email", ADDRESS, { verificationRequest: true }],
    [ADDRESS, "email", ADDRESS, undefined],
  ]);
});

const ANSWERS: readonly (readonly [what: string, answer: () => unknown, leads: string])[] = [
  ["no", () => false, "http://localhost:3000/auth/error?error=AccessDenied"],
  ["nothing", () => undefined, "http://localhost:3000/auth/error?error=AccessDenied"],
  ["an error", () => assert.fail("down"), "http://localhost:3000/auth/error?error=AccessDenied"],
  ["another place", () => "/waiting-list", "http://localhost:3000/waiting-list"],
];

for (const [what, answer, leads] of ANSWERS) {
  test(`an application that answers ${what} when the email is asked for: nothing is sent`, async () => {
    const { browser, mails } = open({ callbacks: { signIn: () => answer() as boolean } });
    await browser.signIn("email", { email: ADDRESS });
    assert.equal(browser.url.href, leads);
    assert.equal(mails.length, 0);
  });

  test(`an application that answers ${what} when the link is followed: nobody gets in, and the link is good`, async () => {
    let isOpen = false;
    const { browser, link, adapter } = open({
      callbacks: { signIn: ({ email }) => email !== undefined || isOpen || answer() as boolean },
    });
    await browser.signIn("email", { email: ADDRESS });
    await browser.open(link().href);
    assert.equal(browser.url.href, leads);
    assert.equal(await browser.session(), null);
    assert.equal(await adapter.getUserByEmail(ADDRESS), null);
    isOpen = true;
    await browser.open(link().href);
    if (/You are about to sign in as/.test(browser.html)) await browser.submit();
    assert.equal((await browser.session())?.user?.email, ADDRESS);
  });
}

test("signIn() sends the email without a form", async () => {
  const { signIn, link, mails, browser } = open();
  const request = new Request("http://localhost:3000/welcome");
  const { value, cookies } = await signIn(request, "email", {
    email: " Ada@Example.com",
    redirectTo: "/cart",
    redirect: false,
  });
  assert.equal(value, SENT);
  assert.deepEqual(cookies.map(({ name }) => name), ["authjs.email"]);
  assert.equal(mails[0]?.identifier, ADDRESS);
  assert.equal(link().searchParams.get("callbackUrl"), "http://localhost:3000/cart");
  await browser.open(link().href);
  await browser.submit();
  assert.equal(browser.url.href, "http://localhost:3000/cart");
});

test("sendVerificationRequest is told everything about the email", async () => {
  const { browser, mails, provider } = open({ theme: { brandColor: "#0f766e" } }, { from: "no-reply@example.com" });
  await browser.signIn("email", { email: ADDRESS });
  const [mail] = mails;
  assert.ok(mail);
  assert.equal(mail.identifier, ADDRESS);
  assert.match(mail.token, /^[0-9a-f]{64}$/);
  assert.equal(
    mail.url,
    `http://localhost:3000/auth/callback/email?callbackUrl=http%3A%2F%2Flocalhost%3A3000%2F&token=${mail.token}` +
      "&email=ada%40example.com",
  );
  assert.equal(mail.theme.brandColor, "#0f766e");
  assert.equal(mail.provider.id, provider.id);
  assert.equal(mail.provider.from, "no-reply@example.com");
  assert.equal((await mail.request.json()).email, ADDRESS);
});

const REFUSALS: readonly (readonly [what: string, refuse: () => unknown, leads: string])[] = [
  ["an error", () => assert.fail("members only"), "signin?error=EmailSignin"],
  ["what is no error", () => Promise.reject("members only"), "signin?error=EmailSignin"],
  ["an error later", () => Promise.reject(new Error("members only")), "signin?error=EmailSignin"],
  ["an error of storage", () => Promise.reject(new AdapterError("gone")), "signin?error=EmailSignin"],
  ["an error of the configuration", () => Promise.reject(new InvalidConfig("no")), "signin?error=EmailSignin"],
  ["a refusal", () => Promise.reject(new AccessDenied("no")), "error?error=AccessDenied"],
];

for (const [what, refuse, leads] of REFUSALS) {
  test(`a normalizeIdentifier that throws ${what} refuses, and breaks nothing`, async () => {
    const escaped: unknown[] = [];
    const note = (error: unknown) => void escaped.push(error);
    process.on("unhandledRejection", note);
    try {
      let isClosed = true;
      const normalizeIdentifier = (text: string) => isClosed ? refuse() as string : text;
      const { browser, stranger, link, mails, errors } = open({}, { normalizeIdentifier });
      await browser.signIn("email", { email: ADDRESS });
      assert.equal(browser.url.href, `http://localhost:3000/auth/${leads}`);
      assert.equal(mails.length, 0);
      isClosed = false;
      await browser.signIn("email", { email: ADDRESS });
      isClosed = true;
      for (const visitor of [browser, stranger()]) {
        await visitor.open(link().href);
        assert.equal(visitor.url.href, "http://localhost:3000/auth/error?error=Verification");
        assert.equal(await visitor.session(), null);
      }
      const first = leads.includes("AccessDenied") ? "AccessDenied" : "EmailSignInError";
      assert.deepEqual(errors.map(({ name }) => name), [first, "Verification", "Verification"]);
      await new Promise((resolve) => setTimeout(resolve));
      assert.deepEqual(escaped, [], "no rejection is left alone");
    } finally {
      process.off("unhandledRejection", note);
    }
  });
}
