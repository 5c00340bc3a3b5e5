/** `auth.check()`: all that is wrong, before the first request. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { inspect } from "node:util";
import { createAuth } from "@x/auth";
import { memoryAdapter, memorySessions } from "@x/auth/adapters/memory";
import { withSessions } from "@x/auth/adapters/sessions";
import { AdapterError, AuthError, InvalidConfig } from "@x/auth/errors";
import { limits } from "@x/auth/limits";
import { consoleEmail } from "@x/auth/providers/console-email";
import { credentials } from "@x/auth/providers/credentials";
import { passkey } from "@x/auth/providers/passkey";
import { type Mistake, SECRET, setEnv, tellMistakes } from "./_table.ts";

const password = credentials({ credentials: { name: {} }, authorize: () => null });
const idp = { id: "idp", name: "IdP", type: "oidc", clientId: "c", clientSecret: SECRET } as const;
const OAUTH = {
  ...{ id: "idp", name: "IdP", type: "oauth", clientId: "c", clientSecret: SECRET },
  ...{ authorization: "https://idp.test/authorize", token: "https://idp.test/token", userinfo: "https://idp.test/me" },
} as const;
// Nothing listens on the port of `discard`.
const NOBODY = "http://127.0.0.1:9";

/** A service that JavaScript lets one configure in this way. */
function service(config: object) {
  return createAuth({ secret: SECRET, providers: [password], trustHost: true, logger: QUIET, ...config } as never);
}

const QUIET = { error: () => {}, warn: () => {}, debug: () => {} };

/** The program checks the service at its start, and ends. */
function stopped(name: string, config: () => object, ...says: readonly [string, ...string[]]): Mistake {
  return {
    name: `check(): ${name}`,
    make: async () => {
      const { handler, check } = service(config());
      await check();
      return handler;
    },
    see: null,
    log: /Cannot start: the check found 1 problem\n- /,
    says,
  };
}

tellMistakes([
  stopped("no secret is set", () => ({ secret: [] }), "`secret`", "AUTH_SECRET"),
  stopped("a callback is misspelt", () => ({ callbacks: { signin: () => true } }), "`callbacks.signin`", "`signIn`"),
  stopped("the adapter is not called", () => ({ adapter: memoryAdapter }), "`adapter`", "call it"),
  stopped(
    "the database cannot be opened",
    () => ({
      adapter: { ...memoryAdapter(), getUserByEmail: () => Promise.reject(new Error("unable to open database file")) },
    }),
    "storage",
    "`adapter`",
    "unable to open database file",
  ),
  stopped(
    "a table is missing",
    () => ({
      adapter: { ...memoryAdapter(), getSessionAndUser: () => Promise.reject(new Error("no such table: sessions")) },
    }),
    "`adapter`",
    "no such table: sessions",
  ),
  stopped(
    "the adapter says itself what is wrong",
    () => {
      const locked = new AdapterError("Cannot open the file: the folder does not exist", {
        logCode: "sqlite-unopened",
      });
      return { adapter: { ...memoryAdapter(), getUserByEmail: () => Promise.reject(locked) } };
    },
    "problem\n- Cannot open the file: the folder does not exist",
  ),
  stopped(
    "an issuer cannot be reached",
    () => ({ providers: [password, { ...idp, issuer: NOBODY }] }),
    'the metadata of provider "idp"',
    "127.0.0.1:9",
  ),
  stopped(
    "a provider that has no URL of its own cannot be used",
    () => ({ providers: [password, { ...idp, id: "my idp", issuer: "https://idp.test" }] }),
    "`id`",
    '"my idp"',
  ),
  stopped(
    "a provider has no client id",
    () => ({ providers: [{ ...idp, issuer: "https://idp.test", clientId: "" }] }),
    '"idp"',
    "AUTH_IDP_ID",
  ),
  stopped("an entry of `providers` is no provider", () => ({ providers: [{}] }), "`providers[0]`", "`type`"),
  {
    name: "check(): the configuration is a promise",
    make: async () => await createAuth(Promise.resolve({ providers: [] }) as never).check(),
    see: null,
    log: /Cannot start/,
    besides: [/Cannot use the configuration/],
    says: ["a promise", "`await` it"],
  },
  {
    name: "check(): a function chooses the configuration, and no request is given",
    make: async () => await createAuth(() => ({ providers: [] })).check(),
    see: null,
    log: /Cannot check the configuration/,
    says: ["a function chooses it", "pass a request"],
  },
]);

/** Serves the metadata of an issuer. */
async function startIssuer() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/authorize` }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { issuer, asked, close: () => new Promise((resolve) => server.close(resolve)) };
}

test("check() says nothing where nothing is wrong, and has read the storage and the metadata", async (t) => {
  const { issuer, asked, close } = await startIssuer();
  t.after(close);
  const read: string[] = [];
  const whole = memoryAdapter();
  const adapter = {
    ...whole,
    getUserByEmail: (email: string) => {
      read.push(email);
      return whole.getUserByEmail(email);
    },
  };
  const { check } = service({ adapter, providers: [password, { ...idp, issuer }] });
  assert.equal(await check(), undefined);
  assert.deepEqual(asked, ["/.well-known/openid-configuration"]);
  assert.equal(read.length, 1);
  // The metadata is kept for the first sign-in.
  await check();
  assert.equal(asked.length, 1);
});

test("check() says by which answers strangers learn of an address, and why, once, and nothing else does", async () => {
  const cases: readonly (readonly [config: object, told: readonly string[]])[] = [
    [{ adapter: memoryAdapter(), providers: [passkey()] }, ["registration-tells"]],
    [{ adapter: memoryAdapter(), providers: [passkey({ registration: "signed-in" })] }, []],
    [{ adapter: memoryAdapter(), providers: [consoleEmail(), passkey({ confirm: true })] }, []],
    [{ adapter: memoryAdapter(), providers: [password, OAUTH] }, ["linking-tells"]],
    [{ adapter: memoryAdapter(), providers: [passkey(), OAUTH] }, ["registration-tells", "linking-tells"]],
    [{ providers: [password, OAUTH] }, []],
  ];
  for (const [config, expected] of cases) {
    const told: string[] = [];
    const warn = (code: string, message: string): void => void told.push(`${code}: ${message}`);
    const features = [limits({ off: "it is not what this is about" })];
    const { handler, check } = service({ features, ...config, logger: { ...QUIET, warn } });
    await handler(new Request("http://localhost:3000/auth/session"));
    assert.equal(told.length, 0);
    for (const _ of ["once", "again"]) await check();
    assert.deepEqual(told.map((line) => line.slice(0, line.indexOf(":"))), expected);
    for (const line of told) assert.match(line, /because/);
  }
});

test("check() lists everything at once, with the kind of each problem", async () => {
  const { check } = service({
    session: { maxAge: 2_592_000_000 },
    callbacks: { signin: () => true },
    adapter: { ...memoryAdapter(), getUserByEmail: () => Promise.reject(new Error("database is locked")) },
    providers: [{ ...idp, issuer: NOBODY }, { ...idp, id: "two", issuer: "http://two.test" }, { type: "saml" }],
  });
  const error = await check().then(() => null, (thrown: unknown) => thrown);
  assert.ok(error instanceof InvalidConfig);
  assert.equal(error.logCode, "check-failed");
  const { problems = [] } = error;
  assert.deepEqual(problems.map(({ logCode, type }) => logCode ?? type).toSorted(), [
    "InvalidConfig",
    "issuer-unreachable",
    "option-misspelt",
    "provider-unknown",
    "seconds-too-long",
    "storage-unreadable",
  ]);
  for (const problem of problems) assert.ok(problem instanceof AuthError && Object.isFrozen(problems));
  assert.equal(error.message.split("\n").length, 1 + problems.length);
  assert.ok(!error.message.includes(SECRET));
});

test("check() checks the host of the request that it is given", async () => {
  // Bun sets NODE_ENV for tests, and with that every host is trusted.
  const restore = setEnv({ NODE_ENV: undefined });
  try {
    const { check } = service({ trustHost: undefined });
    await check(new Request("http://localhost:3000/"));
    await assert.rejects(check(new Request("https://app.test/")), /Cannot trust the host "app\.test"/);
    await check();
  } finally {
    restore();
  }
});

test("check() checks the configuration that a function chooses for a request", async () => {
  const { check } = createAuth((request) => ({
    secret: request.url.includes("one") ? SECRET : [],
    providers: [],
    trustHost: true,
    logger: QUIET,
  }));
  await check(new Request("https://one.test/"));
  await assert.rejects(check(new Request("https://two.test/")), /Cannot start without a secret/);
});

test("check() waits for the storage no longer than the whole answer may take", async () => {
  const adapter = { ...memoryAdapter(), getUserByEmail: () => new Promise<never>(() => {}) };
  const { check } = service({ adapter, timeouts: { total: 0.05 } });
  await assert.rejects(check(), /Cannot read the storage/);
});

test("check() asks all issuers at the same time, and none for longer than a request may take", async (t) => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const providers = ["a", "b", "c", "d", "e"].map((id) => ({ ...idp, id, issuer: `${issuer}/${id}` }));
  const started = performance.now();
  await assert.rejects(service({ providers, timeouts: { request: 0.3 } }).check(), /the check found 5 problems/);
  assert.ok(performance.now() - started < 1400);
});

test("check() can be called again after the mistake was mended", async () => {
  const config = { secret: [] as string | string[], providers: [], trustHost: true, logger: QUIET };
  await assert.rejects(createAuth(config).check());
  await createAuth({ ...config, secret: SECRET }).check();
});

test("the error of check() holds no password of a connection that a driver quotes", async () => {
  const url = "postgres://owner:canary@db.test/app";
  const failure = Object.assign(new TypeError(`Invalid URL: '${url}'`), { input: url, parameters: ["canary"] });
  const { check } = service({
    adapter: { ...memoryAdapter(), getUserByEmail: () => Promise.reject(failure) },
    providers: [password],
  });
  const error: unknown = await check().then(() => null, (thrown: unknown) => thrown);
  assert.match(inspect(error, { depth: 20 }), /Invalid URL: 'postgres:\/\/…@db\.test\/app'/);
  assert.doesNotMatch(inspect(error, { depth: 20 }), /canary/);
});

test("check() says what the storage finds wrong with itself, and asks nothing of storage that says nothing", async () => {
  const adapter = withSessions(memoryAdapter(), {
    ...memorySessions(),
    findProblems: () => Promise.resolve(["Cannot keep sessions: there is no room"]),
  });
  const error = await service({ adapter }).check().then(() => null, (thrown: unknown) => thrown);
  assert.ok(error instanceof InvalidConfig);
  assert.deepEqual(error.problems?.map(({ logCode, message }) => [logCode, message]), [
    ["storage-problem", "Cannot keep sessions: there is no room"],
  ]);
  await service({ adapter: withSessions(memoryAdapter(), memorySessions()) }).check();
  await service({ adapter: { ...memoryAdapter(), findProblems: () => "not a list" } as never }).check();
});

test("check() logs what deserves a look, and with `debug` what it has seen, without a secret", async () => {
  const logs = { warn: [] as string[], debug: [] as string[] };
  const logger = {
    error() {},
    warn: (code: string, message?: string) => void logs.warn.push(`${code}: ${message}`),
    debug: (message: string) => void logs.debug.push(message),
  };
  const secret = "canary-canary-canary-canary-canary-";
  const { check } = service({ secret, logger, features: [limits({ off: "a proxy counts" })] });
  const headers = { "x-forwarded-host": "app.test" };
  await check(new Request("http://inner.test/", { headers }));
  assert.deepEqual(logs.warn.map((line) => line.slice(0, line.indexOf(":"))), ["weak-secret", "proxy-disagrees"]);
  const seen = logs.debug.map((line) => line.slice(0, line.indexOf(":")));
  assert.deepEqual(seen, ["secret-seen", "address-seen", "runtime-seen", "permissions-needed"]);
  assert.doesNotMatch(JSON.stringify(logs), /canary/);
});

test("check() warns of a second copy of the package that serves requests", async () => {
  const copies = Symbol.for("@x/auth/copies");
  const traces = globalThis as Record<symbol, Set<string> | undefined>;
  const told: string[] = [];
  const logger = { ...QUIET, warn: (code: string) => void told.push(code) };
  const { check } = service({ logger, features: [limits({ off: "a proxy counts" })] });
  await check();
  assert.deepEqual(told, []);
  assert.equal(traces[copies]?.size, 1);
  traces[copies]?.add("file:///app/node_modules/other/node_modules/@x/auth");
  try {
    await check();
  } finally {
    traces[copies]?.delete("file:///app/node_modules/other/node_modules/@x/auth");
  }
  assert.deepEqual(told, ["package-twice"]);
});
