/** What the browser client makes of limits, and what pages of an application can do. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { turnstile } from "@x/auth/challenges/turnstile";
import { TooManyAttempts } from "@x/auth/errors";
import { limits, proofOfWork } from "@x/auth/limits";
import { credentials } from "@x/auth/providers/credentials";
import { clientOf } from "../../client/core/auth_client.ts";
import { solveChallenge } from "../../client/client.ts";
import { open } from "../../client/core/connection.ts";
import { type LimitedOptions, openLimited, PASSWORD, tryPassword } from "../_support/limited.ts";
import { TestBrowser } from "../_support/page.ts";

const ADA = "ada@example.com";
const CHEAP = { challenge: proofOfWork({ hashes: 64 }) };
const KEYS = { siteKey: "a key for pages", secretKey: "a secret key" };
const STAYS = { redirect: false };

async function openSite(options: LimitedOptions = {}) {
  const service = await openLimited({ limits: CHEAP, ...options });
  const openPage = () => {
    const page = new TestBrowser((request) => service.send(request)).tab();
    return { page, client: clientOf(open("/auth", page.browser)) };
  };
  return { ...service, open: openPage };
}

/** Uses up what an account has. */
async function drain({ visitor }: Awaited<ReturnType<typeof openSite>>, name: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) if (await tryPassword(visitor(), name) === "limited") return;
  throw new Error("nothing limits it");
}

test("signIn() solves the built-in challenge by itself, and tries once more", async () => {
  const site = await openSite();
  await drain(site, "ada");
  const { client, page } = site.open();
  const result = await client.signIn("password", { username: "ada", password: PASSWORD, ...STAYS });
  assert.deepEqual(result, { ok: true, url: "http://localhost:3000/" });
  assert.equal((await client.getSession())?.user?.name, "ada");
  assert.equal(page.asked.filter((asked) => asked.startsWith("POST")).length, 2);
});

test("a wrong password after the challenge is a wrong password", async () => {
  const site = await openSite();
  await drain(site, "ada");
  const result = await site.open().client.signIn("password", { username: "ada", password: "x", ...STAYS });
  assert.equal(!result.ok && result.error, "CredentialsSignin");
});

test("signIn() over the limit after a challenge tries no third time, and says how long it takes", async () => {
  const site = await openSite({ limits: { ...CHEAP, guess: { solved: { burst: 1, every: 500 } } } });
  await drain(site, "ada");
  const { client, page } = site.open();
  const fields = { username: "ada", password: "x", ...STAYS };
  await client.signIn("password", fields);
  page.asked.length = 0;
  assert.deepEqual(await client.signIn("password", fields), {
    ok: false,
    error: "TooManyAttempts",
    status: 429,
    retryAfter: 500,
    ways: ["email"],
    challenge: undefined,
  });
  assert.equal(page.asked.filter((asked) => asked.startsWith("POST")).length, 2);
});

test("signIn() tries no third time where a solution is not taken", async () => {
  const { page, client } = (await openSite()).open();
  await client.getProviders();
  const challenge = { id: "proof-of-work", fields: { proofOfWork: "1767225600.1.q83vEjRWeJCrze8SNFZ4kA.digest" } };
  const refusal = { error: "TooManyAttempts", retryAfter: 60, ways: ["challenge"], challenge };
  let posts = 0;
  page.answer = ({ method }) => {
    if (method === "POST") posts++;
    return Promise.resolve(Response.json(posts > 4 ? {} : refusal, { status: 429 }));
  };
  const result = await client.signIn("password", { username: "ada", password: "x", ...STAYS });
  assert.deepEqual(!result.ok && result.challenge, challenge);
  assert.equal(posts, 2);
});

test("signIn() hands on the challenge of a service, and sends what the page got for it", async () => {
  const site = await openSite({ limits: { challenge: turnstile(KEYS) } });
  await drain(site, "ada");
  const { client, page } = site.open();
  const fields = { username: "ada", password: PASSWORD, ...STAYS };
  const result = await client.signIn("password", fields);
  assert.ok(!result.ok && result.error === "TooManyAttempts" && result.challenge?.widget);
  assert.deepEqual(result.ways, ["challenge", "email"]);
  assert.equal(result.challenge.widget.data.sitekey, KEYS.siteKey);
  assert.doesNotMatch(JSON.stringify(result), /a secret key/);
  assert.equal(page.asked.filter((asked) => asked.startsWith("POST")).length, 1);
  const sent: unknown[] = [];
  page.answer = async (request) => {
    if (request.method === "POST") sent.push((await request.clone().json())["cf-turnstile-response"]);
    return await site.send(request);
  };
  await client.signIn("password", { ...fields, "cf-turnstile-response": "solved" });
  assert.deepEqual(sent, ["solved"]);
});

test("signIn() that is aborted while it solves a challenge is Cancelled", async () => {
  const site = await openSite({ limits: { challenge: proofOfWork({ hashes: 2 ** 24 }) } });
  await drain(site, "ada");
  const { client } = site.open();
  const signal = AbortSignal.timeout(200);
  const result = await client.signIn("password", { username: "ada", password: PASSWORD, ...STAYS, signal });
  assert.deepEqual(result, { ok: false, error: "Cancelled", status: 0 });
});

test("two tabs that solve a challenge for one account each sign in", async () => {
  const site = await openSite();
  await drain(site, "ada");
  const browser = new TestBrowser((request) => site.send(request));
  const tabs = [browser.tab(), browser.tab()].map((page) => clientOf(open("/auth", page.browser)));
  await tabs[0]?.getSession();
  const fields = { username: "ada", password: PASSWORD, ...STAYS };
  const results = await Promise.all(tabs.map((client) => client.signIn("password", fields)));
  assert.deepEqual(results.map(({ ok }) => ok), [true, true]);
});

test("whoever asks for an email again sends a solution along, and gets one although strangers have used up theirs", async () => {
  const site = await openSite();
  for (let times = 0; times < 20; times++) await site.visitor().ask(ADA);
  const { client, page } = site.open();
  const before = site.box.mails.length;
  const first = await client.signIn("email", { email: ADA, ...STAYS });
  assert.equal(site.box.mails.length, before);
  assert.deepEqual(await client.signIn("email", { email: ADA, ...STAYS }), first);
  assert.equal(site.box.mails.length, before + 1);
  assert.deepEqual(page.asked.filter((asked) => asked.includes("signin")), [
    "POST /auth/signin/email",
    "GET /auth/signin/email",
    "POST /auth/signin/email",
  ]);
  // Who corrects what they typed does not wait.
  page.asked.length = 0;
  await client.signIn("email", { email: "eve@example.com", ...STAYS });
  assert.deepEqual(page.asked, ["POST /auth/signin/email"]);
});

test("a script learns what to solve for another email, whoever has the address, and nothing of it", async () => {
  const site = await openSite({ config: { pages: { signIn: "/login" } } });
  const known = site.visitor();
  await known.ask(ADA);
  await known.open(site.box.link());
  const answers = [];
  for (const address of [ADA, "nobody@example.com"]) {
    for (let times = 0; times < 20; times++) await site.visitor().ask(address);
    const { page, client } = site.open();
    const ask = async (): Promise<Record<string, unknown>> => {
      const response = await page.browser.fetch("/auth/signin", { headers: { "x-auth-return-redirect": "1" } });
      assert.equal(response.headers.get("cache-control"), "private, no-store");
      return await response.json();
    };
    assert.deepEqual(Object.keys(await ask()), ["url"], "this browser has asked for nothing");
    await client.signIn("email", { email: address, ...STAYS });
    const answer = JSON.stringify(await ask());
    assert.doesNotMatch(answer, /example\.com/);
    answers.push(answer.replace(/\d{10}\.64\.[\w-]+\.[\w-]+/, "token"));
  }
  assert.equal(answers[0], answers[1]);
  assert.match(
    answers[0] ?? "",
    /"url":"http:\/\/localhost:3000\/login\?callbackUrl=[^"]+","challenge":\{"id":"proof-of/,
  );
});

test("the answer over a limit is the same for an account that exists and for one that does not", async () => {
  const site = await openSite();
  const shown = [];
  for (const username of ["ada", "nobody"]) {
    if (username === "ada") assert.equal(await tryPassword(site.visitor(), username, PASSWORD), "in");
    await drain(site, username);
    const response = await site.visitor().post("/auth/callback/password", { username, password: "x" });
    const headers = [...response.headers].filter(([name]) => name !== "set-cookie");
    shown.push(JSON.stringify([headers, await response.text()]).replace(/\d{10}\.\d+\.[\w-]+\.[\w-]+/, "token"));
  }
  assert.equal(shown[0], shown[1]);
});

test("signIn() of a server throws the challenge, and takes its solution with the form", async () => {
  const { signIn } = createAuth({
    secret: "a secret for tests, longer than 32 characters",
    trustHost: true,
    logger: { warn: () => {}, error: () => {} },
    features: [limits(CHEAP)],
    providers: [
      credentials({ authorize: ({ username, password }) => password === PASSWORD ? { id: String(username) } : null }),
    ],
  });
  const attempt = (more: object = {}) => {
    const request = new Request("http://localhost:3000/login", { headers: { origin: "http://localhost:3000" } });
    return signIn(request, "credentials", { username: "ada", password: PASSWORD, ...more });
  };
  for (let tries = 0; tries < 10; tries++) await assert.rejects(attempt({ password: "x" }));
  const error = await attempt().then(() => null, (error: unknown) => error);
  assert.ok(error instanceof TooManyAttempts && error.challenge);
  assert.deepEqual(Object.keys(error.challenge.fields), ["proofOfWork"]);
  const solution = await solveChallenge(error.challenge);
  assert.equal((await attempt({ ...solution })).status, 302);
  await assert.rejects(attempt({ ...solution, password: "x" }), { type: "TooManyAttempts" });
});

test("`events.limited` is told once of what is refused many times, and of whom it is not", async () => {
  const told: object[] = [];
  const site = await openSite({
    adapter: memoryAdapter(),
    config: { events: { limited: (message) => void told.push(message) } },
  });
  await drain(site, "ada");
  for (let tries = 0; tries < 20; tries++) await tryPassword(site.visitor(), "ada");
  assert.deepEqual(told, [{ act: "credentials", by: "account", provider: "password" }]);
});

test("`events.limited` that fails or hangs costs nobody the answer", async () => {
  for (const limited of [() => Promise.reject(new Error("down")), () => new Promise<void>(() => {})]) {
    const site = await openSite({ config: { events: { limited }, timeouts: { event: 0.05 } } });
    // What hangs is left alone after its time.
    const clock = setInterval(() => site.runtime.advance(0.05), 5);
    await drain(site, "ada");
    assert.equal(await tryPassword(site.visitor(), "ada"), "limited");
    clearInterval(clock);
  }
});
