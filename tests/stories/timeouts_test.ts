import { test } from "node:test";
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type AuthConfig, createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { Browser } from "../_support/browser.ts";
import { leadsTo, openMultiProvider } from "../_support/multi_provider.ts";
import { ADA, password, recordLog, testConfig } from "../_support/service.ts";

/** A promise that nobody keeps. */
const never = <T>(): Promise<T> => new Promise<T>(() => {});

async function signIn(config: AuthConfig): Promise<{ browser: Browser; errors: Error[] }> {
  const { logger, errors } = recordLog();
  const browser = new Browser(createAuth(testConfig({ ...config, logger })).handler, { mayFail: true });
  await browser.open("/auth/signin");
  await browser.submit(ADA);
  return { browser, errors };
}

test("auth(request) with a callback that never answers gives null", async () => {
  const service = createAuth(testConfig({ callbacks: { session: () => never() }, timeouts: { total: 0.2 } }));
  const browser = await new Browser(service.handler).signIn("credentials", ADA);
  const cookie = browser.cookies.headerFor(new URL(browser.origin), { sameSite: true, safe: true }) ?? "";
  assert.equal(await service.auth(new Request(browser.origin, { headers: { cookie } })), null);
});

test("a form that never ends is dropped at the deadline, and nothing more of it is read", async () => {
  for (const pause of [0, 5]) {
    const { handler } = createAuth(testConfig({ timeouts: { total: 0.2 } }));
    let cancelled = false;
    let pieces = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (pause === 0) return await never();
        await new Promise((resolve) => setTimeout(resolve, pause));
        if (cancelled) return;
        pieces++;
        controller.enqueue(Uint8Array.of(0x61));
      },
      cancel: () => void (cancelled = true),
    });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const url = "https://app.test/auth/callback/credentials";
    // A body that streams must say so, though the types do not know that yet.
    const request = new Request(url, { method: "POST", headers, body, ...{ duplex: "half" } });
    assert.notEqual((await handler(request)).status, 200);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok(cancelled);
    const before = pieces;
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(pieces, before);
  }
});

test("a provider that never answers is not waited for", async () => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = { id: "mock", name: "Mock", type: "oidc", issuer, clientId: "c" } as const;
    const { logger, errors } = recordLog();
    const { handler } = createAuth(testConfig({ providers: [provider], logger, timeouts: { request: 0.2 } }));
    const browser = new Browser(handler, { mayFail: true });
    await browser.signIn("mock");
    assert.equal(browser.url.href, "http://localhost:3000/auth/error?error=Configuration");
    assert.equal(errors.length, 1);
  } finally {
    await close(server);
  }
});

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

for (const [name, adapter] of [["no adapter", undefined], ["an adapter", memoryAdapter()]] as const) {
  test(`authorize may take longer than the answer, with ${name}`, async () => {
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1200));
      return { id: "1", name: "Ada" };
    };
    const config = {
      providers: [password({ authorize: slow })],
      timeouts: { total: 1 },
      ...(adapter && { adapter }),
    };
    const { browser, errors } = await signIn(config);
    assert.equal((await browser.session())?.user?.name, "Ada");
    assert.deepEqual(errors, []);
    const service = createAuth(testConfig(config));
    const request = new Request("http://localhost:3000/");
    const { value } = await service.signIn(request, "credentials", { ...ADA, redirect: false });
    assert.equal(new URL(value).searchParams.get("error"), null);
  });
}

test("authorize has a deadline of its own, and the answer still has what is left of its", async () => {
  const hanging = { providers: [password({ authorize: () => never() })], timeouts: { authorize: 0.1 } };
  const late = { callbacks: { signIn: () => never<boolean>() }, timeouts: { total: 0.1 } };
  for (const [config, what] of [[hanging, "`authorize`"], [late, "the answer"]] as const) {
    const { browser, errors } = await signIn(config);
    assert.equal(browser.url.href, "http://localhost:3000/auth/error?error=Configuration");
    assert.deepEqual(errors.map(({ message }) => message), [`Cannot wait for ${what}: it took longer than 0.1 s`]);
  }
});

test("the handlers of a new user have ended before callbacks.jwt is called, however slow they are", async () => {
  const told: string[] = [];
  const slow = (name: string) => async () => {
    await new Promise((resolve) => setTimeout(resolve, 1100));
    told.push(name);
  };
  const { visitor, come, log } = openMultiProvider({
    session: { strategy: "jwt" },
    events: { createUser: slow("createUser"), linkAccount: slow("linkAccount") },
    callbacks: { jwt: ({ token }) => (told.push("jwt"), token) },
  });
  assert.equal(leadsTo(await come(visitor(), "google", { sub: "ada", email: "ada@example.com" })), "/");
  assert.deepEqual(told, ["createUser", "linkAccount", "jwt"]);
  assert.deepEqual(log.errors, []);
});

test("a sign-in that timed out is not announced when callbacks.signIn answers after all", async () => {
  const announced: string[] = [];
  let answer = (_: boolean): void => {};
  const { browser } = await signIn({
    callbacks: { signIn: () => new Promise<boolean>((resolve) => answer = resolve) },
    events: { signIn: () => void announced.push("signIn") },
    timeouts: { total: 0.1 },
  });
  assert.equal(browser.url.pathname, "/auth/error");
  answer(true);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(announced, []);
});

test("a sign-in that timed out before its commit is not committed", async () => {
  const adapter = memoryAdapter();
  const told: string[] = [];
  let answer = (): void => {};
  const getUser = async (id: string) => {
    await new Promise<void>((resolve) => answer = resolve);
    return await adapter.getUser(id);
  };
  const { browser } = await signIn({
    adapter: { ...adapter, getUser },
    session: { strategy: "database" },
    events: { createUser: () => void told.push("createUser"), signIn: () => void told.push("signIn") },
    timeouts: { total: 0.1 },
  });
  assert.equal(browser.url.pathname, "/auth/error");
  answer();
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.equal(await adapter.getUserByEmail("ada@example.com"), null);
  assert.deepEqual(told, []);
});

test("a sign-in that timed out during its commit is announced, and sets no cookie", async () => {
  const adapter = memoryAdapter();
  const told: string[] = [];
  let answer = (): void => {};
  const commit: typeof adapter.commit = async (plan) => {
    await new Promise<void>((resolve) => answer = resolve);
    return await adapter.commit(plan);
  };
  const { browser } = await signIn({
    adapter: { ...adapter, commit },
    session: { strategy: "database" },
    events: { createUser: () => void told.push("createUser"), signIn: () => void told.push("signIn") },
    timeouts: { total: 0.1 },
  });
  assert.equal(browser.url.pathname, "/auth/error");
  answer();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.notEqual(await adapter.getUserByEmail("ada@example.com"), null);
  assert.deepEqual(told, ["createUser", "signIn"]);
  assert.deepEqual(browser.cookies.names("session-token"), []);
});
