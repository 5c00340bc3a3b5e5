import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryAdapter } from "../../../adapters/memory.ts";
import type { AuthConfig, AuthConfigSource } from "../../../src/contract/config.ts";
import { createSealer } from "../../../src/crypto/seal.ts";
import { createEngine } from "../../../src/service/engine.ts";
import { handlerOf } from "../../../src/service/handler.ts";
import { SECRET, testConfig } from "../../_support/service.ts";
import { testRuntime } from "../_builders.ts";

const NAME = "authjs.session-token";
const ENDPOINT = "http://localhost:3000/auth/session";
const DAY = 86_400;

interface Asking extends RequestInit {
  readonly url?: string;
  readonly cookie?: string;
  readonly headers?: Record<string, string>;
}

function requestOf({ url = ENDPOINT, cookie, headers, ...init }: Asking): Request {
  return new Request(url, { ...init, headers: { ...headers, ...(cookie !== undefined && { cookie }) } });
}

function open(config: AuthConfig = {}, sourceOf: (config: AuthConfig) => AuthConfigSource = (same) => same) {
  const runtime = testRuntime();
  const engine = createEngine(sourceOf(testConfig(config)), runtime);
  const handler = handlerOf(engine);
  const ask = async (asking: Asking) => {
    const isKnown = engine.recall(requestOf(asking)) !== null;
    const response = await handler(requestOf(asking));
    const sets = response.headers.getSetCookie();
    return { response, isKnown, status: response.status, text: await response.text(), sets };
  };
  const cookieOf = async (name: string, maxAge = 30 * DAY, salt = NAME) => {
    return `${salt}=${await createSealer([SECRET], runtime).seal({ sub: "1", name }, { salt, maxAge })}`;
  };
  return { runtime, engine, handler, ask, cookieOf };
}

test("a browser that asks again is known, and another one is not", async () => {
  const { ask, cookieOf } = open();
  const [ada, bob] = [await cookieOf("Ada"), await cookieOf("Bob")];
  const first = await ask({ cookie: ada });
  const second = await ask({ cookie: ada });
  assert.deepEqual([first.isKnown, second.isKnown], [false, true]);
  assert.equal(second.text, first.text);
  assert.equal(JSON.parse(second.text).user.name, "Ada");
  const other = await ask({ cookie: bob });
  assert.equal(other.isKnown, false);
  assert.equal(JSON.parse(other.text).user.name, "Bob");
  assert.equal((await ask({ cookie: `${ada}; ${bob}` })).text, "null", "of two session cookies none is trusted");
});

test("what is known is what the long way answers, whatever is asked", async () => {
  const origins = ["http://localhost:3000", "https://localhost:3000", "http://app.test"];
  const paths = ["/auth/session", "/auth/session/", "/auth/session?a=1", "/session"];
  const headers: Record<string, string>[] = [
    {},
    { "x-forwarded-proto": "https" },
    { "x-forwarded-host": "app.test", "x-forwarded-proto": "https" },
    { "x-forwarded-host": "a, b" },
  ];
  let known = 0;
  for (
    const config of [{}, { trustHost: undefined }, { basePath: "/auth", redirectProxyUrl: "https://app.test/auth" }]
  ) {
    const one = open(config);
    const cookies = [
      undefined,
      "",
      "theme=dark",
      await one.cookieOf("Ada"),
      `theme=dark; ${await one.cookieOf("<Ada & Bob>")}`,
      await one.cookieOf("Secure", DAY, `__Secure-${NAME}`),
      (await one.cookieOf("Forged")).slice(0, -2) + "xx",
      `${NAME}.0=ab; ${NAME}.1=cd`,
    ];
    for (const round of [1, 2]) {
      for (const method of ["GET", "HEAD"]) {
        for (const origin of origins) {
          for (const path of paths) {
            for (const given of headers) {
              for (const cookie of cookies) {
                const asking = { url: origin + path, method, headers: given, ...(cookie !== undefined && { cookie }) };
                const answer = await one.ask(asking);
                known += Number(answer.isKnown);
                if (round === 1 || !answer.isKnown) continue;
                const fresh = await open(config).ask(asking);
                const label = JSON.stringify([config, asking]);
                assert.equal(fresh.isKnown, false);
                assert.deepEqual([answer.status, answer.text, answer.sets], [fresh.status, fresh.text, []], label);
                assert.deepEqual([...answer.response.headers], [...fresh.response.headers], label);
                assert.ok(method === "GET" && path.startsWith("/auth/session") && !path.includes("?"), label);
              }
            }
          }
        }
      }
    }
  }
  assert.ok(known > 200, `${known} answers were known`);
});

test("a session that is due is renewed, however often it was read", async () => {
  const { ask, cookieOf, runtime } = open();
  const cookie = await cookieOf("Ada");
  const { text } = await ask({ cookie });
  runtime.advance(DAY - 1);
  const before = await ask({ cookie });
  assert.deepEqual([before.isKnown, before.text, before.sets], [true, text, []]);
  runtime.advance(1);
  const due = await ask({ cookie });
  assert.equal(due.isKnown, false);
  assert.ok(due.sets.some((set) => set.startsWith(`${NAME}=ey`)));
  assert.ok(Date.parse(JSON.parse(due.text).expires) > Date.parse(JSON.parse(text).expires));
});

test("a session that has ended is not known any more", async () => {
  const { ask, cookieOf, runtime } = open();
  const cookie = await cookieOf("Ada", 100);
  await ask({ cookie });
  runtime.advance(114);
  assert.equal((await ask({ cookie })).isKnown, true, "clocks may differ by 15 s");
  runtime.advance(1);
  const ended = await ask({ cookie });
  assert.deepEqual([ended.isKnown, ended.text], [false, "null"]);
  assert.ok(ended.sets.some((set) => set.startsWith(`${NAME}=;`)));
});

test("an end that moves with the clock is told anew each time", async () => {
  const { ask, cookieOf, runtime } = open({ session: { maxAge: DAY, updateAge: DAY } });
  const cookie = await cookieOf("Ada");
  const ends: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const { isKnown, text } = await ask({ cookie });
    assert.equal(isKnown, false);
    ends.push(Date.parse(JSON.parse(text).expires) - runtime.now());
    runtime.advance(10);
  }
  assert.deepEqual(ends, [DAY * 1000, DAY * 1000, DAY * 1000]);
});

test("nothing is known of the future: a clock that was set back makes it read again", async () => {
  const { ask, cookieOf, runtime } = open();
  const cookie = await cookieOf("Ada");
  await ask({ cookie });
  runtime.advance(-1);
  const { isKnown, text } = await ask({ cookie });
  assert.equal(isKnown, false);
  assert.equal(JSON.parse(text).user.name, "Ada");
});

const ALWAYS_READ: Readonly<Record<string, AuthConfig>> = {
  "callbacks.session": { callbacks: { session: ({ session }) => session } },
  "callbacks.jwt": { callbacks: { jwt: ({ token }) => token } },
  "events.session": { events: { session: () => {} } },
  "jwt.decode": { jwt: { decode: () => ({ name: "Ada", exp: 9_999_999_999, iat: 9_999_999_999 }) } },
  "session.updateAge 0": { session: { updateAge: 0 } },
  "session.revalidate": { adapter: memoryAdapter(), session: { strategy: "jwt", revalidate: 60 } },
  "stored sessions": { adapter: memoryAdapter(), session: { strategy: "database" } },
};

for (const [name, config] of Object.entries(ALWAYS_READ)) {
  test(`with ${name} each request reads the session`, async () => {
    const { ask, cookieOf } = open(config);
    const cookie = await cookieOf("Ada");
    for (let turn = 0; turn < 3; turn++) assert.equal((await ask({ cookie })).isKnown, false);
  });
}

test("with a configuration function each request reads the session", async () => {
  const { ask, cookieOf } = open({}, (config) => () => config);
  const cookie = await cookieOf("Ada");
  for (let turn = 0; turn < 3; turn++) assert.equal((await ask({ cookie })).isKnown, false);
});

test("a host that is not trusted is refused, also for a browser that is known", async () => {
  const { ask, cookieOf } = open({ trustHost: undefined });
  const cookie = await cookieOf("Ada");
  await ask({ cookie });
  assert.equal((await ask({ cookie })).isKnown, true);
  const foreign = await ask({ cookie, url: "http://evil.test/auth/session" });
  assert.deepEqual([foreign.isKnown, foreign.status], [false, 500]);
  assert.equal((await ask({ cookie, headers: { "x-forwarded-host": "evil.test" } })).isKnown, false);
});

test("the log is told of each answer, with an id of its own", async () => {
  const told: unknown[][] = [];
  const { ask, cookieOf } = open({ logger: { debug: (...given) => void told.push(given) } });
  const cookie = await cookieOf("Ada");
  for (let turn = 0; turn < 3; turn++) await ask({ cookie });
  // What is asked by the test itself is told, too.
  assert.equal(told.length, 5);
  const shapes = told.map(([message, data]) => JSON.stringify([message, { ...data as object, requestId: 0 }]));
  assert.equal(new Set(shapes).size, 1, shapes.join("\n"));
  assert.equal(new Set(told.map(([, data]) => (data as { requestId: string }).requestId)).size, 5);
});

test("what is done to an answer reaches no other one", async () => {
  const { handler, ask, cookieOf } = open();
  const cookie = await cookieOf("Ada");
  const { text } = await ask({ cookie });
  for (let turn = 0; turn < 3; turn++) {
    const answer = await handler(requestOf({ cookie }));
    answer.headers.set("vary", "spoiled");
    answer.headers.append("set-cookie", "of=another");
    assert.equal(await answer.text(), text);
  }
  const { response, sets } = await ask({ cookie });
  assert.deepEqual([response.headers.get("vary"), sets], ["Cookie", []]);
});

test("whoever is not signed in cannot push out those who are", async () => {
  const { ask, cookieOf } = open();
  const cookie = await cookieOf("Ada");
  await ask({ cookie });
  for (let n = 0; n < 2000; n++) {
    const url = `${ENDPOINT}?n=${n}`;
    await ask(n % 2 ? { cookie: `${NAME}=${n}` } : { url });
  }
  assert.equal((await ask({ cookie })).isKnown, true);
});

test("long cookie headers are not kept", async () => {
  const { ask, cookieOf } = open();
  const cookie = `${await cookieOf("Ada")}; other=${"x".repeat(4096)}`;
  await ask({ cookie });
  const { isKnown, text } = await ask({ cookie });
  assert.equal(isKnown, false);
  assert.equal(JSON.parse(text).user.name, "Ada");
});

test("what is no request is no reason to throw", () => {
  const { engine } = open();
  for (const given of [undefined, null, {}, { method: "GET" }, { method: "GET", headers: {} }]) {
    assert.equal(engine.recall(given as never), null);
  }
});
