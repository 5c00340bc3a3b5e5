/** Where the address of a client is found, and that nobody shares one by mistake. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { limits, type LimitsOptions } from "@x/auth/limits";
import { LazyRequest } from "../../../src/http/request_like.ts";
import { findClient } from "../../../src/limits/client.ts";
import { createEngine } from "../../../src/service/engine.ts";
import { testRuntime } from "../../_support/runtime.ts";
import { mailbox } from "../../_support/mailbox.ts";
import { password, recordLog, testConfig } from "../../_support/service.ts";

type Option = LimitsOptions["clientAddress"];

interface Seen {
  readonly option?: Option;
  readonly headers?: Readonly<Record<string, string>>;
  /** The other end of the connection. */
  readonly from?: unknown;
  readonly trustHost?: boolean;
}

async function found({ option, headers = {}, from, trustHost = false }: Seen) {
  const engine = createEngine(testConfig({ trustHost: trustHost || undefined }), testRuntime());
  const ctx = await engine.open(new Request("http://localhost:3000/auth/signin", { headers }));
  ctx.connection = from;
  return findClient(ctx, option);
}

async function seen(asked: Seen): Promise<string | null> {
  return (await found(asked)).address;
}

const at = (hostname: string) => ({ remoteAddr: { hostname } });
const FORWARDED = { "x-forwarded-for": "192.0.2.66, 203.0.113.7" };

test("the other end of the connection counts where no proxy is in sight", async () => {
  assert.equal(await seen({ from: at("203.0.113.7") }), "203.0.113.7");
});

test("the connection does not count where it may be a proxy's", async () => {
  assert.equal(await seen({ from: at("203.0.113.7"), headers: FORWARDED }), null);
  assert.equal(await seen({ from: at("203.0.113.7"), trustHost: true }), null);
  for (const address of ["127.0.0.1", "::1", "10.0.0.1"]) assert.equal(await seen({ from: at(address) }), null);
});

test("what a host passes that is no connection is ignored", async () => {
  for (const from of [undefined, null, "203.0.113.7", 7, {}, { remoteAddr: "203.0.113.7" }, at("unknown"), []]) {
    assert.equal(await seen({ from }), null);
    assert.equal(await seen({ from, option: "connection" }), null);
  }
});

test("with `connection` it counts in any case", async () => {
  const option = "connection";
  assert.equal(await seen({ option, from: at("10.0.0.1"), headers: FORWARDED, trustHost: true }), "10.0.0.1");
});

test("a header counts only where it was chosen, and then nothing else", async () => {
  const option = { header: "X-Forwarded-For", hops: 1 };
  assert.equal(await seen({ option, headers: FORWARDED, from: at("198.51.100.1") }), "203.0.113.7");
  assert.equal(await seen({ option, from: at("198.51.100.1") }), null);
});

test("a function of the application finds it, and locks nobody out by failing", async () => {
  assert.equal(
    await seen({ option: ({ headers }) => headers.get("x-own"), headers: { "x-own": "::1" } }),
    "0:0:0:0:0:0:0:1",
  );
  assert.equal(await seen({ option: () => undefined }), null);
  assert.equal(await seen({ option: () => "a fingerprint" }), null);
  const broken = () => {
    throw new Error("no such header");
  };
  assert.equal(await seen({ option: broken }), null);
});

test("the connection of a Node server counts, too", async () => {
  const engine = createEngine(testConfig({ trustHost: undefined }), testRuntime());
  const parts = { method: "GET", url: "http://localhost:3000/auth/signin", headers: new Headers() };
  const incoming = new LazyRequest(parts, () => new Request(parts.url), { remoteAddress: "::ffff:203.0.113.7" });
  assert.equal(findClient(await engine.open(incoming), undefined).address, "203.0.113.7");
});

async function warningsOf(config: Parameters<typeof testConfig>[0], request?: Request): Promise<string[]> {
  const { logger, warnings } = recordLog();
  await createAuth(testConfig({ ...config, logger })).check(request);
  return warnings.filter((code) => code.startsWith("limits-"));
}

const REQUEST = new Request("http://localhost:3000/");

test("`check()` says what is not limited", async () => {
  const adapter = memoryAdapter();
  const codes = mailbox({ generateVerificationToken: () => "123456" }).provider;
  assert.deepEqual(await warningsOf({ providers: [password()] }), ["limits-missing"]);
  assert.deepEqual(await warningsOf({ adapter, providers: [mailbox().provider] }), ["limits-missing"]);
  // Guesses at codes are limited, but not how many are sent.
  assert.deepEqual(await warningsOf({ adapter, providers: [codes] }), ["limits-missing"]);
  assert.deepEqual(await warningsOf({ adapter, providers: [password()], features: [limits()] }), []);
  assert.deepEqual(await warningsOf({ providers: [password()], features: [limits({ off: "our proxy counts" })] }), []);
  assert.deepEqual(await warningsOf({ providers: [] }), []);
});

test("`check()` says where each process counts for itself", async () => {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = "production";
  try {
    assert.deepEqual(await warningsOf({ providers: [password()], features: [limits()] }), ["limits-in-memory"]);
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
});

test("`check()` says which address it sees of a request", async () => {
  const adapter = memoryAdapter();
  const features = [limits({ clientAddress: { header: "x-forwarded-for", hops: 1 } })];
  const request = new Request(REQUEST, { headers: FORWARDED });
  const lines: string[] = [];
  const logger = { warn: (_: string, message = "") => void lines.push(message) };
  await createAuth(testConfig({ adapter, features, logger })).check(request);
  assert.ok(
    lines.includes(
      'the address of this client is 203.0.113.7: number 1 from the right in the header "x-forwarded-for"',
    ),
    lines.join("\n"),
  );
});

test("a header that holds a private address says that there may be more proxies", async () => {
  const option = { header: "x-forwarded-for", hops: 1 };
  for (const [last, says] of [["10.0.0.3", true], ["fd00::1", true], ["203.0.113.7", false]] as const) {
    const { how } = await found({ option, headers: { "x-forwarded-for": `198.51.100.1, ${last}` } });
    assert.equal(/, which is on a private network: .* raise `hops`$/.test(how), says, how);
  }
});
