/** What the log says of what people and providers do: one line each. */
// deno-lint-ignore-file no-console -- the console is the log
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { type AuthConfig, createAuth, type LogDetails } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { Browser } from "../_support/browser.ts";
import { ADA, password, testConfig } from "../_support/service.ts";

/** What the console is told while something runs. */
async function printed(run: () => Promise<unknown>): Promise<readonly string[]> {
  const lines: string[] = [];
  const { error, warn } = console;
  console.error = console.warn = (line: unknown) => void lines.push(String(line));
  try {
    await run();
  } finally {
    Object.assign(console, { error, warn });
  }
  return lines;
}

function open(config: AuthConfig = {}): Browser {
  return new Browser(createAuth(testConfig({ logger: undefined, ...config })).handler, { mayFail: true });
}

const mails: NonNullable<AuthConfig["providers"]>[number] = {
  id: "mail",
  type: "email",
  name: "Email",
  sendVerificationRequest: () => {
    throw new Error("the mail service is down");
  },
};

const CASES: readonly {
  readonly name: string;
  readonly config?: AuthConfig;
  readonly act: (browser: Browser) => Promise<unknown>;
  readonly line: RegExp;
}[] = [
  {
    name: "a wrong password",
    act: (browser) => browser.signIn("credentials", { ...ADA, password: "wrong" }),
    line: /^\[auth\]\[warn\] credentials-signin: .* \(action callback, provider credentials, request [0-9a-f]{8}\)$/,
  },
  {
    name: "an address that is none",
    config: { adapter: memoryAdapter(), providers: [mails] },
    act: (browser) => browser.signIn("mail", { email: "nobody" }),
    line: /^\[auth\]\[warn\] email-address: .* \(action signin, provider mail, request [0-9a-f]{8}\)$/,
  },
  {
    name: "a link that was never sent",
    config: { adapter: memoryAdapter(), providers: [mails] },
    act: (browser) => browser.get(`/auth/callback/mail?email=a@b.test&token=${"a1".repeat(32)}`),
    line: /^\[auth\]\[warn\] verification: [^\n]* \(action callback, provider mail, request [0-9a-f]{8}\)$/,
  },
  {
    name: "a sign-in that `callbacks.signIn` refuses",
    config: { callbacks: { signIn: () => false } },
    act: (browser) => browser.signIn("credentials", ADA),
    line: /^\[auth\]\[warn\] sign-in-denied: /,
  },
];

for (const { name, config, act, line } of CASES) {
  test(`${name} is one line in the log, without a stack`, async () => {
    const browser = open(config);
    const lines = await printed(() => act(browser));
    const own = lines.filter((each) => !/adapter-without-commit|sign-in-time-unknown/.test(each));
    assert.equal(own.length, 1, own.join("\n"));
    assert.match(own[0] ?? "", line);
  });
}

test("a function that throws is one line with its sentence, and its stack once", async () => {
  const authorize = () => {
    throw new Error("no such column: passwort");
  };
  const browser = open({ providers: [password({ authorize })] });
  const [line = "", stack = "", ...others] = await printed(() => browser.signIn("credentials", ADA));
  assert.match(line, /^\[auth\]\[error\] callback-threw: .*`authorize` failed: no such column: passwort \(/);
  assert.match(stack, /^Error: no such column: passwort\n\s+at .*authorize .*log_test/);
  assert.deepEqual(others, []);
});

test("an email that cannot be sent is an error, with the sentence of the mail service", async () => {
  const browser = open({ adapter: memoryAdapter(), providers: [mails] });
  const lines = await printed(() => browser.signIn("mail", { email: "ada@example.com" }));
  const found = lines.filter((line) => line.startsWith("[auth][error]"));
  assert.equal(found.length, 1);
  assert.match(found[0] ?? "", /email-not-sent: .*: the mail service is down \(action signin, provider mail, /);
});

test("all lines about one request have the same id, wherever they are written, and those about another have another", async () => {
  const seen: LogDetails[] = [];
  const note = (details?: LogDetails) => void (details?.requestId && seen.push(details));
  const { handler, signIn } = createAuth(testConfig({
    adapter: {
      ...memoryAdapter(),
      updateSession: () => Promise.reject(new Error("storage is full")),
    },
    session: { strategy: "database", updateAge: 0 },
    events: {
      session: () => {
        throw new Error("an event");
      },
    },
    logger: { error: (_error, details) => note(details), warn: (_code, _message, details) => note(details) },
  }));
  const browser = new Browser(handler, { mayFail: true });
  await browser.signIn("credentials", ADA);
  // A session is renewed only if it lasts longer then: not in the millisecond that created it.
  const signedIn = Date.now();
  while (Date.now() <= signedIn) await setTimeout(1);
  await browser.session();
  assert.deepEqual(seen.map(({ code }) => code).toSorted(), ["event-error", "session-token-error"]);
  assert.deepEqual(seen.map(({ action }) => action), ["session", "session"]);
  assert.equal(new Set(seen.map(({ requestId }) => requestId)).size, 1);
  await browser.session();
  assert.equal(new Set(seen.map(({ requestId }) => requestId)).size, 2);
  seen.length = 0;
  const request = new Request("http://localhost:3000/login", { method: "POST" });
  await assert.rejects(async () => await signIn(request, "credentials", { ...ADA, password: "wrong" }));
  assert.deepEqual(seen.map(({ code, provider, action }) => [code, provider, action]), [
    ["credentials-signin", "credentials", undefined],
  ]);
});

test("a logger that was written for Auth.js works", async () => {
  const told: unknown[][] = [];
  const logger = {
    error: (error: Error) => void told.push(["error", error.message]),
    warn: (code: string) => void told.push(["warn", code]),
    debug: () => {},
  };
  const browser = open({ logger });
  await browser.signIn("credentials", { ...ADA, password: "wrong" });
  assert.deepEqual(told, [["warn", "credentials-signin"]]);
});
