import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { test, type TestContext } from "node:test";
import { type AuthConfig, type AuthConfigSource, createAuth, type Handler } from "@x/auth";
import { ExpressAuth } from "@x/auth/express";
import { encode } from "@x/auth/jwt";
import { nodeListener } from "@x/auth/node";
import { recordLog, testConfig } from "../_support/service.ts";

const SECRET = "a secret for tests of 32 characters or more";
const COOKIE = "authjs.session-token";

async function listen(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Writes text into a connection, and gives what comes back until it is closed. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.setEncoding("latin1").on("data", (chunk) => answer += chunk).on("error", () => {});
  socket.write(text, "latin1");
  await new Promise((resolve) => socket.once("close", resolve));
  return answer;
}

/** What an answer says, without what says how it was sent, and without what is random. */
function read(answer: string): { status: string; headers: string[]; body: string } {
  const [head = "", ...rest] = answer.split("\r\n\r\n");
  const [status = "", ...lines] = head.split("\r\n");
  const body = rest.join("\r\n\r\n");
  const chunked = lines.some((line) => /^transfer-encoding: chunked$/i.test(line));
  const mask = (text: string) => text.replace(/\b[0-9a-f]{64}\b/g, "token").replace(/[\w-]{20,}={0,2}/g, "random");
  return {
    status,
    headers: lines.map((line) => line.replace(/^[^:]*/, (name) => name.toLowerCase()))
      .filter((line) => !/^(?:date|connection|keep-alive|transfer-encoding|content-length):/.test(line))
      .map(mask).sort(),
    body: mask(chunked ? body.replace(/(?:^|\r\n)[0-9a-f]+\r\n/g, "").replace(/\r\n$/, "") : body),
  };
}

/** The service as it is, and behind a function of the application: then each answer is a `Response` first. */
async function bothWays(t: TestContext, source: AuthConfigSource): Promise<{ direct: number; web: number }> {
  const { handler } = createAuth(source);
  const around: Handler = (request, info) => handler(request, info);
  return { direct: await listen(t, nodeListener(handler)), web: await listen(t, nodeListener(around)) };
}

async function sealed(name: string): Promise<string> {
  return `${COOKIE}=${await encode({ token: { name, sub: "1" }, secret: SECRET, salt: COOKIE })}`;
}

const TARGETS = [
  "/auth/session",
  "/auth/session/",
  "/auth/session?a=1&a=2",
  "/auth/session#part",
  "//auth/session",
  "/auth//session",
  "/auth/./session",
  "/other/../auth/session",
  "/auth/%73ession",
  "/auth\\session",
  "/auth/sessi\xf6n",
  "/auth/csrf",
  "/auth/providers",
  "/auth/signin",
  "/auth/signin?callbackUrl=/there&error=AccessDenied",
  "/auth/signin?callbackUrl=/a&callbackUrl=/b",
  "/auth/signout",
  "/auth/error?error=Verification",
  "/auth/callback/credentials",
  "/auth/nothing",
  "/auth",
  "/",
  "*",
  "auth/session",
  "http://site.test/auth/session",
  "http://other.test/auth/session",
  "http://site.test",
  "ftp://site.test/auth/session",
  "HTTP://SITE.TEST/auth/providers?x",
];

const HOSTS = [
  "site.test",
  "site.test:8080",
  "site.test:99999",
  "1.2.3.256",
  "a b",
  "user@site.test",
  "[::1]",
  "[::1",
  "",
];

async function headerSets(): Promise<string[][]> {
  const ada = await sealed("Ada");
  return [
    [],
    [`Cookie: ${ada}`],
    [`cOOkie:   ${ada}  \t`],
    [`Cookie: a=1`, `Cookie: ${ada}`, "Cookie: b=2"],
    [`Cookie: ${ada}`, `Cookie: ${await sealed("Eve")}`],
    [`Cookie: ${COOKIE}=spoiled`],
    [`Cookie: ${COOKIE}.0=a; ${COOKIE}.1=b`],
    [`Cookie: a=${"x".repeat(9000)}; ${ada}`],
    ["X-Forwarded-Host: public.test", "X-Forwarded-Proto: https", `Cookie: ${ada}`],
    ["X-Forwarded-Host: public.test", "X-Forwarded-Host: evil.test"],
    ["X-Forwarded-Host: a b"],
    ["X-Forwarded-Proto: HTTPS"],
    ["X-Forwarded-Proto:"],
    ["X-Auth-Return-Redirect: 1"],
    ["X-Auth-Return-Redirect:"],
    ["Accept-Language: de", "Accept-Language: fr"],
    ["Accept: text/html", "Origin: https://evil.test", "Sec-Fetch-Site: cross-site"],
    ["X-Mark: \xe9\xff"],
    ["Content-Length: 3"],
    ["Authorization: a", "Authorization: b", "Referer: a", "Referer: b"],
  ];
}

const CONFIGS: Readonly<Record<string, AuthConfig>> = {
  "trusted hosts": { trustHost: true },
  "hosts of this machine": {},
  "no host": { trustHost: false },
  "a broken configuration": { secret: "" },
};

for (const [name, config] of Object.entries(CONFIGS)) {
  test(`the same is answered with and without a Response: ${name}`, async (t) => {
    const { logger } = recordLog();
    const { direct, web } = await bothWays(t, testConfig({ secret: SECRET, ...config, logger }));
    const compare = async (lines: readonly string[]) => {
      const text = [...lines, "Connection: close", "", ""].join("\r\n");
      const [one, other] = [read(await exchange(direct, text)), read(await exchange(web, text))];
      assert.deepEqual(one, other, text);
    };
    const sets = await headerSets();
    for (const method of ["GET", "HEAD"]) {
      for (const target of TARGETS) await compare([`${method} ${target} HTTP/1.1`, "Host: site.test"]);
      for (const host of HOSTS) await compare([`${method} /auth/session HTTP/1.1`, `Host: ${host}`]);
      for (const headers of sets) {
        for (const target of ["/auth/session", "/auth/signin", "/auth/callback/credentials"]) {
          await compare([`${method} ${target} HTTP/1.1`, "Host: localhost:3000", ...headers]);
        }
      }
      await compare([`${method} /auth/session HTTP/1.0`]);
      await compare([`${method} /auth/session HTTP/1.1`, "Host: site.test", "Host: site.test"]);
    }
    for (const method of ["POST", "PUT", "OPTIONS", "DELETE", "TRACE", "QUERY"]) {
      for (const target of ["/auth/session", "/auth/signin", "/auth/signout", "/auth/nothing"]) {
        await compare([`${method} ${target} HTTP/1.1`, "Host: localhost:3000", "Content-Length: 0"]);
      }
    }
  });
}

test("a configuration function, and every callback, gets a Request, also where none was needed", async (t) => {
  const seen: unknown[] = [];
  const note = (request: Request): void => {
    seen.push([
      request instanceof Request,
      request.url.replace(/:\d+/, ""),
      request.method,
      request.headers.get("x-mark"),
      request.headers.get("cookie"),
      request.signal.aborted,
    ]);
  };
  const { handler } = createAuth((request) => {
    note(request);
    return testConfig({ secret: SECRET });
  });
  const port = await listen(t, nodeListener(handler));
  const answer = await fetch(`http://localhost:${port}/auth/session?a`, { headers: { "x-mark": "1", cookie: "a=1" } });
  assert.equal(await answer.text(), "null");
  assert.deepEqual(seen, [[true, "http://localhost/auth/session?a", "GET", "1", "a=1", false]]);
});

test("a middleware of Express reads a session without a Request, and its callbacks get one", async (t) => {
  let denied = 0;
  const requests: Request[] = [];
  const config: AuthConfig = testConfig({
    secret: SECRET,
    callbacks: {
      authorized: ({ request, auth }) => {
        requests.push(request);
        denied += auth ? 0 : 1;
        return auth !== null;
      },
    },
  });
  const { middleware } = ExpressAuth(config);
  const port = await listen(t, (request, response) => {
    const outgoing = Object.assign(response, { locals: {} as Record<string, { user?: { name?: string } } | null> });
    middleware(request, outgoing, () => void response.end(outgoing.locals.session?.user?.name ?? "stranger"));
  });
  const url = `http://localhost:${port}/members`;
  assert.equal(await (await fetch(url, { headers: { cookie: await sealed("Ada") } })).text(), "Ada");
  assert.equal((await fetch(url, { redirect: "manual" })).status, 302);
  assert.deepEqual([denied, requests.length], [1, 2]);
  assert.ok(requests.every((request) => request instanceof Request && request.url === url));
});

test("nothing is written to a client that went away before the answer", async (t) => {
  let go = (): void => {};
  let came = (): void => {};
  const waiting = new Promise<void>((resolve) => go = resolve);
  const arrived = new Promise<void>((resolve) => came = resolve);
  let signal: AbortSignal | undefined;
  const { handler } = createAuth(async (request) => {
    signal = request.signal;
    came();
    await waiting;
    return testConfig({ secret: SECRET });
  });
  const errors: unknown[] = [];
  let closed = (): void => {};
  const isClosed = new Promise<void>((resolve) => closed = resolve);
  const port = await listen(t, (request, response) => {
    response.on("error", (error) => errors.push(error)).on("close", closed);
    nodeListener(handler)(request, response, (error) => errors.push(error));
  });
  const socket = connect(port, "127.0.0.1");
  socket.write("GET /auth/session HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await arrived;
  socket.destroy();
  await isClosed;
  assert.equal(signal?.aborted, true);
  go();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(errors, []);
});

test("cookies and headers that were set before stay, and each cookie has a header of its own", async (t) => {
  const { handler } = createAuth(testConfig({ secret: SECRET }));
  const port = await listen(t, (request, response) => {
    response.setHeader("x-powered-by", "the application");
    response.setHeader("set-cookie", ["theirs=1", "authjs.csrf-token=old"]);
    nodeListener(handler)(request, response);
  });
  const { headers } = await fetch(`http://localhost:${port}/auth/csrf`);
  assert.equal(headers.get("x-powered-by"), "the application");
  assert.deepEqual(headers.getSetCookie().map((line) => line.split("=")[0]), ["theirs", "authjs.csrf-token"]);
  assert.notEqual(headers.getSetCookie()[1], "authjs.csrf-token=old");
  assert.ok(Number(headers.get("content-length")) > 0);
});

test("a replaced Request or Response gets nothing of an answer that needs none", async (t) => {
  const { handler } = createAuth(testConfig({ secret: SECRET }));
  const port = await listen(t, nodeListener(handler));
  const ask = async () =>
    read(await exchange(port, `GET /auth/session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`));
  const before = await ask();
  const { Request, Response } = globalThis;
  class Forbidden {
    constructor() {
      throw new Error("This needs none");
    }
  }
  Object.assign(globalThis, { Request: Forbidden, Response: Forbidden });
  try {
    assert.deepEqual(await ask(), before);
  } finally {
    Object.assign(globalThis, { Request, Response });
  }
});

/** Sends a request by `GET` and reads the answer. */
async function get(port: number, path: string, ...lines: string[]): Promise<string> {
  const head = [`GET ${path} HTTP/1.1`, "Host: localhost", ...lines, "Connection: close", "", ""];
  return await exchange(port, head.join("\r\n"));
}

test("an answer has its length in bytes, whatever its characters are; one without a body has none to HEAD", async (t) => {
  const { handler } = createAuth(testConfig({ secret: SECRET }));
  const port = await listen(t, nodeListener(handler));
  for (const name of ["Ada", "Zo\xeb", "Gr\u00e6\u0142\u4e2d\u{1f600}", "\ud800"]) {
    const answer = await get(port, "/auth/session", `Cookie: ${await sealed(name)}`);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    assert.match(head, new RegExp(`^content-length: ${body.length}$`, "im"), head);
    assert.equal(
      JSON.parse(new TextDecoder().decode(Uint8Array.from(body, (char) => char.charCodeAt(0)))).user.name,
      name,
    );
  }
  const told = await exchange(port, "HEAD /auth/session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  assert.match(told, /^HTTP\/1\.1 200 /);
  assert.doesNotMatch(told, /^(?:content-length|transfer-encoding):/im);
  const moved = await get(port, "/auth/callback/credentials");
  assert.match(moved, /^content-length: \d+$/im);
});

test("a middleware that waits for the headers sees all of them, and may change them", async (t) => {
  const { handler } = createAuth(testConfig({ secret: SECRET }));
  const port = await listen(t, (request, response) => {
    const { writeHead } = response;
    // As the package on-headers has done it for long.
    response.writeHead = (status: number, given?: unknown) => {
      for (const [name, value] of Object.entries(given ?? {})) response.setHeader(name, value);
      response.setHeader("x-seen", response.getHeaderNames().length);
      response.removeHeader("x-robots-tag");
      response.writeHead = writeHead;
      return response.writeHead(status);
    };
    nodeListener(handler)(request, response);
  });
  const plain = await listen(t, nodeListener(handler));
  const [seen, usual] = [read(await get(port, "/auth/csrf")), read(await get(plain, "/auth/csrf"))];
  const isOwn = (line: string): boolean => !/^(?:x-seen|x-robots-tag):/.test(line);
  assert.deepEqual(seen.headers.filter(isOwn), usual.headers.filter(isOwn));
  assert.ok(seen.headers.includes(`x-seen: ${usual.headers.length}`), seen.headers.join("\n"));
  assert.ok(!seen.headers.some((line) => line.startsWith("x-robots-tag")));
});

test("a response with a `setHeader` of its own gets each header there", async (t) => {
  const { handler } = createAuth(testConfig({ secret: SECRET }));
  const port = await listen(t, (request, response) => {
    const { setHeader } = response;
    response.setHeader = (name, value) => setHeader.call(response, name === "x-robots-tag" ? "x-robots" : name, value);
    nodeListener(handler)(request, response);
  });
  const answer = await get(port, "/auth/session");
  assert.match(answer, /^x-robots: noindex$/im);
  assert.doesNotMatch(answer, /^x-robots-tag/im);
});

test("a proxy of the handler is called, not the handler behind it", async (t) => {
  const { handler } = createAuth(testConfig({ secret: SECRET }));
  const closed = new Proxy(handler, { apply: () => Promise.resolve(new Response("closed", { status: 403 })) });
  const port = await listen(t, nodeListener(closed));
  assert.match(await get(port, "/auth/session"), /^HTTP\/1\.1 403 /);
});

test("where somebody else has answered before, nothing is added, and the server goes on", async (t) => {
  const errors: string[] = [];
  t.mock.method(console, "error", (line: string) => errors.push(line));
  for (
    const handler of [createAuth(testConfig({ secret: SECRET })).handler, () => Promise.resolve(new Response("ours"))]
  ) {
    const port = await listen(t, (request, response) => {
      response.write("theirs");
      nodeListener(handler)(request, response);
      setTimeout(() => response.end(" to the end"), 20);
    });
    assert.equal(await (await fetch(`http://localhost:${port}/auth/session`)).text(), "theirs to the end");
  }
  assert.equal(errors.filter((line) => line.includes("the handler failed")).length, 2);
});
