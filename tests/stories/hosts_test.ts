import { afterEach, beforeEach, test } from "node:test";
import assert from "node:assert/strict";
import process from "node:process";
import { type AuthConfig, createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { Browser } from "../_support/browser.ts";
import { type Mailbox, mailbox } from "../_support/mailbox.ts";
import { recordLog, testConfig } from "../_support/service.ts";

/** What decides whether a host is believed. */
const VARIABLES = ["AUTH_URL", "NEXTAUTH_URL", "AUTH_TRUST_HOST", "VERCEL", "CF_PAGES", "NODE_ENV"];
const before = new Map<string, string | undefined>();

beforeEach(() => {
  for (const name of VARIABLES) {
    before.set(name, process.env[name]);
    delete process.env[name];
  }
});

afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

interface Stage extends Mailbox {
  readonly handler: (request: Request) => Promise<Response>;
  readonly auth: ReturnType<typeof createAuth>["auth"];
  readonly errors: Error[];
  readonly warnings: string[];
  visit(origin: string): Browser;
}

function open(config: AuthConfig = {}): Stage {
  const box = mailbox();
  const { logger, errors, warnings } = recordLog();
  const { handler, auth } = createAuth(
    testConfig({ trustHost: undefined, providers: [box.provider], adapter: memoryAdapter(), logger, ...config }),
  );
  return {
    ...box,
    handler,
    auth,
    errors,
    warnings,
    visit: (origin) => new Browser(handler, { origin, mayFail: true }),
  };
}

const STRANGERS = [
  "https://evil.test",
  "http://evil.test:8000",
  "http://localhost.evil.test",
  "http://10.0.0.1:3000",
  "http://0.0.0.0:8000",
  "http://127.0.0.1.nip.io",
];

for (const environment of [undefined, "", "production", "staging"]) {
  for (const origin of STRANGERS) {
    test(`with NODE_ENV ${JSON.stringify(environment)} nothing is served at ${origin}, and the log says what to set`, async () => {
      if (environment !== undefined) process.env.NODE_ENV = environment;
      const { visit, mails, errors } = open();
      const browser = await visit(origin).open("/auth/signin");
      assert.equal(browser.status, 500);
      assert.match(browser.html, /<h1>/);
      const answer = await browser.post("/auth/signin/email", { email: "ada@example.com" });
      assert.equal(answer.status, 500);
      assert.deepEqual(mails, []);
      assert.deepEqual(browser.cookies.names(), []);
      assert.equal(errors[0]?.name, "UntrustedHost");
      assert.match(errors[0]?.message ?? "", /AUTH_URL.*AUTH_TRUST_HOST/);
    });
  }

  for (
    const origin of ["http://localhost:3000", "http://app.localhost", "http://127.0.0.1:8000", "http://[::1]:8000"]
  ) {
    test(`with NODE_ENV ${JSON.stringify(environment)} a link by email leads back to ${origin}`, async () => {
      if (environment !== undefined) process.env.NODE_ENV = environment;
      const { visit, link } = open();
      await visit(origin).signIn("email", { email: "ada@example.com" });
      assert.equal(link().origin, origin);
    });
  }
}

test("the headers of a proxy are ignored by default, and the log says so once", async () => {
  const { handler, link, warnings, visit } = open();
  const headers = { "x-forwarded-host": "evil.test", "x-forwarded-proto": "https" };
  const spoof = (request: Request) => {
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    return handler(request);
  };
  await new Browser(spoof).signIn("email", { email: "ada@example.com" });
  assert.equal(link().origin, "http://localhost:3000");
  assert.deepEqual(warnings, ["proxy-unheard"]);
  assert.equal((await visit("https://evil.test").open("/auth/signin")).status, 500);
});

for (
  const [name, value] of [
    ["NODE_ENV", "development"],
    ["NODE_ENV", "test"],
    ["AUTH_TRUST_HOST", "true"],
    ["VERCEL", "1"],
    ["CF_PAGES", "1"],
  ] as const
) {
  test(`with ${name} ${value} the host of a request is trusted`, async () => {
    process.env[name] = value;
    const { visit, link } = open();
    await visit("https://app.test").signIn("email", { email: "ada@example.com" });
    assert.equal(link().origin, "https://app.test");
  });
}

test("with AUTH_URL every link leads there, whatever host is asked for", async () => {
  process.env.AUTH_URL = "https://app.test";
  const { handler, link } = open();
  const behind = (request: Request) => {
    const inner = new Request(request.url.replace("https://app.test", "http://evil.test"), request);
    inner.headers.set("x-forwarded-host", "evil.test");
    return handler(inner);
  };
  await new Browser(behind, { origin: "https://app.test" }).signIn("email", { email: "ada@example.com" });
  assert.equal(link().origin, "https://app.test");
});

test("at a stranger's host nobody is signed in, and a guard lets nobody pass", async () => {
  const { auth, errors } = open();
  assert.equal(await auth(new Request("https://evil.test/")), null);
  const answer = await auth(() => assert.fail("the handler ran"))(new Request("https://evil.test/members"));
  assert.equal(answer.status, 500);
  assert.deepEqual(errors.map(({ name }) => name), ["UntrustedHost"]);
});
