import { describe, test } from "node:test";
import assert from "node:assert/strict";
import type { AuthConfig } from "@x/auth";
import { doctor } from "../../../src/doctor.ts";
import { limits } from "../../../src/limits.ts";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { createEngine, handlerOf } from "../../../src/service/engine.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { password, testConfig } from "../../_support/service.ts";

const URL_HERE = "http://localhost:3000/auth/doctor";

/** A service in development, with a clock, and the codes that its log has. */
function service(config: AuthConfig = {}, variables: Readonly<Record<string, string>> = { NODE_ENV: "development" }) {
  const codes: string[] = [];
  const clock = { now: ++started * 1e9 };
  const logger = {
    error() {},
    debug() {},
    warn(code: string, message = "") {
      if (code === "doctor-code") codes.push(/--code (\S+)/.exec(message)?.[1] ?? "");
    },
  };
  const runtime = { ...systemRuntime, now: () => clock.now, env: (name: string) => variables[name] };
  const given = testConfig({ features: [doctor(), limits({ off: "a proxy counts" })], logger, ...config });
  if (config.secret === "") delete given.secret;
  const handler = handlerOf(createEngine(given, runtime));
  const ask = async (code?: string, { url = URL_HERE, method = "POST", headers = {} }: Asked = {}) => {
    const sent = { "content-type": "application/json", ...headers };
    const response = await handler(
      new Request(url, { method, headers: sent, ...(method === "POST" && { body: JSON.stringify({ code }) }) }),
    );
    return { status: response.status, body: await response.json(), headers: [...response.headers] };
  };
  return { ask, codes, clock };
}

// The code is one for the process, so each service begins long after the one before.
let started = 0;

interface Asked {
  readonly url?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

describe("doctor()", () => {
  test("gives what the check finds for a code of the log, and once", async () => {
    const { ask, codes } = service();
    assert.equal((await ask()).status, 404);
    assert.equal(codes.length, 1);
    const { status, body } = await ask(codes[0]);
    assert.deepEqual([status, body.version], [200, 1]);
    const findings: { id: string; level: string; fix: string }[] = body.findings;
    // Where one process runs all tests, some of them are of the package and others of the sources.
    const found = findings.filter(({ id }) => id !== "package-twice");
    assert.deepEqual(found.map(({ id }) => id), ["secret-seen", "address-seen", "runtime-seen", "permissions-needed"]);
    for (const { level, fix } of found) assert.ok(level === "note" && fix.length > 0);
    // Nothing of what it names is taken for a secret.
    assert.match(found[3]?.fix ?? "", /--allow-env=AUTH_URL,[A-Z0-9_,]+,NODE_ENV$/);
    assert.equal((await ask(codes[0])).status, 404);
  });

  test("tells problems of a configuration that is wrong, warnings, and what strangers are told", async () => {
    const { ask, codes } = service({
      adapter: { ...memoryAdapter(), getUserByEmail: () => Promise.reject(new Error("postgres://u:canary-pw@db/x")) },
      debug: true,
      providers: [password(), { id: "id", name: "ID", type: "oauth" }],
      session: { strategy: "nonsense" as "jwt" },
    });
    await ask();
    const { status, body } = await ask(codes[0]);
    assert.equal(status, 200);
    assert.deepEqual([...new Set(body.findings.map(({ level }: { level: string }) => level))], [
      "error",
      "warning",
      "note",
    ]);
    const text = JSON.stringify(body);
    assert.match(text, /session\.strategy/);
    assert.match(text, /debug-enabled/);
    assert.match(text, /provider \\"id\\"/);
    assert.doesNotMatch(text, /provider-left-out/);
    assert.doesNotMatch(text, /canary/);
  });

  test("notes which address of the client limits see, and where", async () => {
    const seen: readonly (readonly [Parameters<typeof limits>[0], RegExp])[] = [
      [{}, /^the address of this client is unknown: a proxy has set the header "x-forwarded-for": set `clientAddress`/],
      [
        { clientAddress: { header: "x-forwarded-for" } },
        /^the address of this client is 127\.0\.0\.1: number 1 from the right in the header "x-forwarded-for", which is on a private/,
      ],
      [
        { clientAddress: { header: "x-real-ip" } },
        /^the address of this client is unknown: number 1 from the right in/,
      ],
    ];
    for (const [options, says] of seen) {
      const { ask, codes } = service({ features: [doctor(), limits(options)] });
      await ask();
      const { body } = await ask(codes[0], { headers: { "x-forwarded-for": "::1, 127.0.0.1" } });
      const found: { id: string; level: string; says: string }[] = body.findings;
      const [address, ...more] = found.filter(({ id }) => id === "limits-address");
      assert.deepEqual([address?.level, more.length], ["note", 0]);
      assert.match(address?.says ?? "", says);
    }
  });

  test("is not there without the feature, in production, for another path or method", async () => {
    const closed: readonly (readonly [ReturnType<typeof service>, Asked?])[] = [
      [service({ features: [] })],
      [service({}, { NODE_ENV: "production" })],
      [service({}, {})],
      [service(), { url: `${URL_HERE}s` }],
      [service(), { method: "GET" }],
    ];
    const bodies = new Set<string>();
    for (const [{ ask, codes }, asked] of closed) {
      const { status, body } = await ask(undefined, asked);
      assert.deepEqual([status, codes], [404, []]);
      bodies.add(JSON.stringify(body));
    }
    assert.equal(bodies.size, 1);
  });

  test("neither answers nor writes a code for a request from elsewhere", async () => {
    const elsewhere: readonly Asked[] = [
      { url: "http://192.168.1.2:3000/auth/doctor" },
      { url: "http://localhost.example.com/auth/doctor" },
      { headers: { origin: "https://evil.example" } },
      { headers: { origin: "http://localhost:3000" } },
      { headers: { "sec-fetch-site": "none" } },
      { headers: { "x-forwarded-for": "203.0.113.5" } },
      { headers: { "x-forwarded-for": "127.0.0.1, 203.0.113.5" } },
      { headers: { "x-forwarded-host": "tunnel.example" } },
      { headers: { "x-real-ip": "10.0.0.1" } },
      { headers: { forwarded: "for=127.0.0.1" } },
      { headers: { via: "1.1 proxy" } },
    ];
    for (const asked of elsewhere) {
      const { ask, codes } = service();
      await ask();
      assert.equal(codes.length, 1);
      const [code] = codes;
      assert.equal((await ask(code, asked)).status, 404, JSON.stringify(asked));
      assert.equal((await ask(code)).status, 200, "the code was used up");
      await ask(undefined, asked);
      assert.equal(codes.length, 1);
    }
  });

  test("answers what development servers pass on from this machine", async () => {
    const headers = { "x-forwarded-for": "::ffff:127.0.0.1", "x-forwarded-host": "localhost:3000", "x-real-ip": "::1" };
    const { ask, codes } = service();
    await ask(undefined, { headers });
    assert.equal((await ask(codes[0], { headers })).status, 200);
  });

  test("has one code at a time, which ends after ten minutes and survives wrong ones", async () => {
    const { ask, codes, clock } = service();
    await ask();
    for (const wrong of ["", "a", `${codes[0]}a`, codes[0]?.slice(1)]) assert.equal((await ask(wrong)).status, 404);
    assert.equal(codes.length, 1);
    clock.now += 10 * 60_000;
    assert.equal((await ask(codes[0])).status, 404);
    assert.equal(codes.length, 2);
    assert.notEqual(codes[0], codes[1]);
    assert.match(codes[1] ?? "", /^[\w-]{22}$/);
    assert.equal((await ask(codes[1])).status, 200);
  });

  test("refuses a body that is no form as if the path did not exist", async () => {
    const { ask, codes } = service();
    await ask();
    for (const type of ["text/plain", "application/xml"]) {
      assert.equal((await ask(codes[0], { headers: { "content-type": type } })).status, 404);
    }
    assert.equal((await ask(codes[0])).status, 200);
  });
});
