import { test } from "node:test";
import assert from "node:assert/strict";
import { type AuthConfigSource, createAuth } from "@x/auth";
import { Browser } from "../_support/browser.ts";
import { ADA, password, recordLog, testConfig } from "../_support/service.ts";

test("the configuration may be chosen for each request, and take its time", async () => {
  const { handler } = createAuth(async (request) => {
    await Promise.resolve();
    const site = new URL(request.url).hostname;
    return testConfig({ providers: [password({ name: site })] });
  });
  for (const origin of ["https://one.test", "https://two.test"]) {
    const browser = new Browser(handler, { origin });
    assert.equal((await browser.providers()).credentials?.name, new URL(origin).hostname);
    await browser.signIn("credentials", ADA);
    assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
  }
});

/** Asks for the session. Gives what the console printed as errors. */
async function printedErrors(source: AuthConfigSource): Promise<string> {
  const { error } = globalThis.console;
  const printed: string[] = [];
  globalThis.console.error = (...parts: unknown[]) => void printed.push(parts.join(" "));
  try {
    const answer = await new Browser(createAuth(source).handler, { mayFail: true }).get("/auth/session");
    assert.equal(answer.status, 500);
    assert.doesNotMatch(await answer.text(), /tenant|an object/);
  } finally {
    globalThis.console.error = error;
  }
  return printed.join("\n");
}

test("a configuration function that fails is answered with 500, without its message", async () => {
  assert.match(await printedErrors(() => Promise.reject(new Error("no tenant 17"))), /tenant 17/);
});

test("a configuration that is not an object is answered with 500, and the log says so", async () => {
  for (const source of [undefined, null, [], "https://a.test", () => undefined, () => Promise.resolve(3)]) {
    assert.match(await printedErrors(source as never), /Cannot use the configuration: it must be an object, not /);
  }
});

test("the service listens below basePath and nowhere else", async () => {
  const browser = new Browser(createAuth(testConfig({ basePath: "/api/auth" })).handler, { basePath: "/api/auth" });
  await browser.signIn("credentials", ADA);
  assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
  for (const path of ["/auth/session", "/api/authsession", "/x/api/auth/session", "/api/auth"]) {
    assert.equal((await browser.get(path)).status, 404, path);
  }
});

test("a file-based router mounts the service by method", async () => {
  const { handlers } = createAuth(testConfig());
  const browser = new Browser((request) => handlers[request.method as "GET" | "POST"](request));
  await browser.signIn("credentials", ADA);
  assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
});

test("a configuration with a problem serves nothing, and the log names the option", async () => {
  const { logger, errors } = recordLog();
  const browser = new Browser(createAuth(testConfig({ secret: [], logger })).handler, { mayFail: true });
  const answer = await browser.get("/auth/session");
  assert.equal(answer.status, 500);
  const { message } = await answer.json();
  assert.equal(typeof message, "string");
  assert.doesNotMatch(message, /secret/i);
  await browser.open("/auth/signin");
  assert.equal(browser.status, 500);
  assert.match(browser.html, /<h1>/);
  assert.deepEqual(browser.cookies.names(), []);
  assert.equal(errors[0]?.name, "MissingSecret");
  assert.match(errors[0]?.message ?? "", /`secret`.*AUTH_SECRET/);
});

test("a problem of the configuration is logged once, however many requests there are", async () => {
  const { logger, errors } = recordLog();
  const config = testConfig({ secret: [], logger });
  for (const source of [config, () => ({ ...config })]) {
    errors.length = 0;
    const { handler, auth } = createAuth(source);
    const browser = new Browser(handler, { mayFail: true });
    for (let round = 0; round < 3; round++) {
      await browser.get("/auth/session");
      assert.equal(await auth(new Request("http://localhost:3000/")), null);
    }
    const messages = errors.map(({ message }) => message);
    assert.deepEqual(messages, [...new Set(messages)]);
    assert.equal(messages.length, 1);
  }
});

test("a service that is misconfigured redirects to a custom error page, and not in a loop", async () => {
  const pages = { error: "/oops" };
  const browser = new Browser(createAuth(testConfig({ secret: [], pages })).handler, { mayFail: true });
  const answer = await browser.get("/auth/signin");
  assert.equal(answer.headers.get("location"), "http://localhost:3000/oops?error=Configuration");
  await browser.open("/auth/signin?callbackUrl=http://localhost:3000/oops");
  assert.equal(browser.status, 500);
  assert.match(browser.html, /<h1>/);
});

test("a warning is logged once, even if the configuration is made for each request", async () => {
  const { logger, warnings } = recordLog();
  const config = testConfig({ secret: "short", logger });
  for (const source of [config, () => ({ ...config })]) {
    const browser = new Browser(createAuth(source).handler);
    for (let round = 0; round < 3; round++) await browser.session();
  }
  assert.deepEqual(warnings, ["weak-secret", "weak-secret"]);
});

test("cookies may have other names and attributes", async () => {
  const cookies = { sessionToken: { name: "sid", options: { sameSite: "strict", path: "/app" } } } as const;
  const browser = new Browser(createAuth(testConfig({ cookies, basePath: "/app/auth" })).handler, {
    basePath: "/app/auth",
  });
  await browser.signIn("credentials", ADA);
  assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
  const { path, sameSite } = browser.cookies.get("sid") ?? {};
  assert.deepEqual({ path, sameSite }, { path: "/app", sameSite: "strict" });
});
