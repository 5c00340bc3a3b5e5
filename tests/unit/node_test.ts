import assert from "node:assert/strict";
import { createServer, type IncomingMessage, request as ask, type RequestListener, type Server } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server, type OutgoingHttpHeaders } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { test, type TestContext } from "node:test";
import { createAuth } from "../../src/auth.ts";
import type { Handler } from "../../src/contract/handler.ts";
import { securityHeaders } from "../../src/http/headers.ts";
import { nodeListener, type NodeRequest, type NodeResponse, webRequest } from "../../src/node.ts";
import { testConfig } from "../_support/service.ts";

/** Opens a server for one test and gives its origin. */
async function serve(t: TestContext, listener: RequestListener, server: Server = createServer(listener)) {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Opens a server whose answers come from a handler. */
async function opened(t: TestContext, handler: Handler): Promise<string> {
  return await serve(t, nodeListener(handler));
}

/** What one writes into a connection, and what comes back. */
async function raw(origin: string, text: string): Promise<string> {
  const { port } = new URL(origin);
  const socket = connect(Number(port), "127.0.0.1");
  let answer = "";
  socket.setEncoding("utf8").on("data", (chunk) => answer += chunk);
  socket.write(text);
  await new Promise((resolve) => socket.once("close", resolve));
  return answer;
}

/** Waits no longer than anything here takes. */
async function inTime<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("It took more than five seconds")), 5000);
  });
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function deferred<T>() {
  let settle = (_value: T): void => {};
  const promise = new Promise<T>((resolve) => settle = resolve);
  return { promise, settle };
}

test("nodeListener() hands over method, address, headers and body", async (t) => {
  const origin = await opened(t, async (request) => {
    const { method, url, headers } = request;
    return Response.json({
      method,
      url,
      mark: headers.get("x-mark"),
      cookie: headers.get("cookie"),
      body: await request.text(),
    });
  });
  const headers = { "x-mark": "1", cookie: "a=1; b=2" };
  const response = await fetch(`${origin}/there/é?a=1&a=2`, { method: "POST", headers, body: "héllo" });
  assert.deepEqual(await response.json(), {
    method: "POST",
    url: `${origin}/there/%C3%A9?a=1&a=2`,
    mark: "1",
    cookie: "a=1; b=2",
    body: "héllo",
  });
});

test("nodeListener() gives status, headers and each cookie in a header of its own", async (t) => {
  const origin = await opened(t, () => {
    const headers = new Headers({ "x-mark": "1", location: "/there" });
    for (const cookie of ["a=1; Path=/", "b=2; Expires=Wed, 21 Oct 2099 07:28:00 GMT"]) {
      headers.append("set-cookie", cookie);
    }
    return Promise.resolve(new Response(null, { status: 302, headers }));
  });
  const { status, headers } = await fetch(origin, { redirect: "manual" });
  assert.equal(status, 302);
  assert.equal(headers.get("location"), "/there");
  assert.equal(headers.get("x-mark"), "1");
  assert.deepEqual(headers.getSetCookie(), ["a=1; Path=/", "b=2; Expires=Wed, 21 Oct 2099 07:28:00 GMT"]);
});

test("nodeListener() joins a header that came twice, cookies as cookies, and leaves the path alone", async (t) => {
  const origin = await opened(t, ({ headers, url }) => {
    return Promise.resolve(Response.json([headers.get("origin"), headers.get("cookie"), url]));
  });
  const lines = [
    "GET //x HTTP/1.1",
    "Host: a.test",
    "Origin: https://a",
    "Origin: https://b",
    "Cookie: a=1",
    "Cookie: b=2",
  ];
  const answer = await raw(origin, [...lines, "Connection: close", "", ""].join("\r\n"));
  assert.ok(answer.includes('["https://a, https://b","a=1; b=2","http://a.test//x"]'), answer);
});

test("nodeListener() lets a body flow piece by piece, out and in", async (t) => {
  const seen = deferred<string>();
  const go = deferred<void>();
  const origin = await opened(t, async ({ body }) => {
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    seen.settle((await reader?.read())?.value ?? "");
    return new Response(
      new ReadableStream({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode("one "));
          await go.promise;
          controller.enqueue(new TextEncoder().encode((await reader?.read())?.value ?? ""));
          controller.close();
        },
      }),
    );
  });
  const sending = ask(origin, { method: "POST" });
  sending.write("first");
  assert.equal(await seen.promise, "first");
  const response = await new Promise<IncomingMessage>((resolve) => sending.on("response", resolve));
  const pieces = response.setEncoding("utf8")[Symbol.asyncIterator]();
  assert.equal((await pieces.next()).value, "one ");
  sending.end("second");
  go.settle();
  assert.equal((await pieces.next()).value, "second");
  assert.equal((await pieces.next()).done, true);
});

test("nodeListener() keeps the order of what comes byte by byte", async (t) => {
  const origin = await opened(t, async (request) => new Response(await request.text()));
  const text = Array.from({ length: 10_000 }, (_, at) => at % 10).join("");
  const chunks = [...text].map((byte) => `1\r\n${byte}\r\n`).join("");
  const head = "POST / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
  const answer = await inTime(raw(origin, `${head}${chunks}0\r\n\r\n`));
  assert.ok(answer.includes(text), answer.slice(-200));
});

/** A request of `node:http` whose body a test sends. */
function fakeRequest() {
  const listeners = new Map<string, (chunk: Uint8Array<ArrayBuffer>) => void>();
  const seen = { paused: false, pauses: 0 };
  const request: NodeRequest = {
    method: "POST",
    headers: {},
    rawHeaders: [],
    socket: {},
    readableEnded: false,
    pause: () => (seen.paused = true, seen.pauses++),
    resume: () => seen.paused = false,
    on: (event: string, listener: (chunk: Uint8Array<ArrayBuffer>) => void) => listeners.set(event, listener),
    off: () => {},
  };
  const emit = (event: string, chunk = new Uint8Array()) => listeners.get(event)?.(chunk);
  return { request, seen, emit };
}

test("webRequest() lets a body of single bytes flow, because a paused request keeps an object for each", async () => {
  const { request, seen, emit } = fakeRequest();
  const reader = webRequest(request).body?.getReader();
  const first = reader?.read();
  await Promise.resolve();
  assert.equal(seen.paused, false);
  for (let at = 0; at < 64 * 1024; at++) emit("data", Uint8Array.of(at % 256));
  assert.equal(seen.paused, false);
  emit("data", Uint8Array.of(7));
  assert.equal(seen.paused, true);
  emit("end");
  assert.deepEqual((await first)?.value, Uint8Array.of(0));
  const { value } = await reader?.read() ?? {};
  assert.deepEqual([value?.length, value?.[0], value?.at(-1)], [64 * 1024, 1, 7]);
  assert.equal((await reader?.read())?.done, true);
});

test("nodeListener() waits for a client that reads slowly, instead of keeping everything in memory", async (t) => {
  let made = 0;
  const origin = await opened(t, () => {
    const piece = new Uint8Array(64 * 1024);
    const pull = (controller: ReadableStreamDefaultController): void => {
      made += 1;
      if (made > 2000) controller.close();
      else controller.enqueue(piece);
    };
    return Promise.resolve(new Response(new ReadableStream({ pull })));
  });
  const response = await new Promise<IncomingMessage>((resolve) => ask(origin).on("response", resolve).end());
  response.pause();
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.ok(made < 1000, `${made} of 2000 pieces were made although nobody reads`);
  let length = 0;
  for await (const chunk of response) length += chunk.length;
  assert.equal(length, 2000 * 64 * 1024);
});

test("nodeListener() aborts the signal, and cancels the body, when the client goes away", async (t) => {
  const aborted = deferred<void>();
  const cancelled = deferred<void>();
  const origin = await opened(t, ({ signal }) => {
    signal.addEventListener("abort", () => aborted.settle());
    const start = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(1));
    return Promise.resolve(new Response(new ReadableStream({ start, cancel: () => cancelled.settle() })));
  });
  const asking = ask(origin).end();
  asking.on("error", () => {});
  const response = await new Promise<IncomingMessage>((resolve) => asking.on("response", resolve));
  response.on("error", () => {});
  response.destroy();
  await inTime(aborted.promise);
  await inTime(cancelled.promise);
});

test("nodeListener() leaves the signal alone when the answer arrived", async (t) => {
  const signals: AbortSignal[] = [];
  const origin = await opened(t, ({ signal }) => {
    signals.push(signal);
    return Promise.resolve(new Response("done"));
  });
  await (await fetch(origin)).text();
  await (await fetch(origin, { method: "POST", body: "unread" })).text();
  assert.deepEqual(signals.map(({ aborted }) => aborted), [false, false]);
});

test("nodeListener() breaks the body of a request off when the client goes away in its middle", async (t) => {
  const failed = deferred<unknown>();
  const origin = await opened(t, async (request) => {
    await request.text().catch(failed.settle);
    return new Response();
  });
  const sending = ask(origin, { method: "POST", headers: { "content-length": "1000" } });
  sending.on("error", () => {});
  sending.write("begun");
  setTimeout(() => sending.destroy(), 100);
  assert.ok(await inTime(failed.promise) instanceof Error);
});

test("nodeListener() answers somebody whose body nobody wants to read to its end", async (t) => {
  const origin = await opened(t, async ({ body }) => {
    const reader = body?.getReader();
    await reader?.read();
    await reader?.cancel();
    return new Response("too large", { status: 413 });
  });
  const response = await fetch(origin, { method: "POST", body: new Uint8Array(4_000_000) });
  assert.deepEqual([response.status, await response.text()], [413, "too large"]);
});

test("nodeListener() leaves the connection usable when nobody wanted the rest of a body", async (t) => {
  const origin = await opened(t, async ({ method, body }) => {
    const reader = body?.getReader();
    await reader?.read();
    await reader?.cancel();
    return new Response(method);
  });
  const body = "x".repeat(4_000_000);
  const post = `POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const answer = await raw(origin, `${post}GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n`);
  assert.deepEqual(answer.match(/POST|GET/g), ["POST", "GET"]);
});

test("nodeListener() takes no more of a body than the handler reads", async (t) => {
  const [begun, go] = [deferred<void>(), deferred<void>()];
  const origin = await opened(t, async ({ body }) => {
    await body?.getReader().read();
    begun.settle();
    await go.promise;
    return new Response();
  });
  const socket = connect(Number(new URL(origin).port), "127.0.0.1");
  t.after(() => socket.destroy());
  socket.on("error", () => {});
  socket.write("POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 99999999\r\n\r\n");
  let sent = 0;
  const piece = new Uint8Array(64 * 1024);
  const send = (): void =>
    void socket.write(piece, () => {
      sent += piece.length;
      if (sent < 60_000_000) send();
    });
  send();
  await begun.promise;
  await new Promise((resolve) => setTimeout(resolve, 500));
  go.settle();
  assert.ok(sent < 40_000_000, `${sent} bytes went out although nobody reads`);
});

test("nodeListener() tells the address of the visitor, an older one as it is written", async (t) => {
  const told: unknown[] = [];
  const handler: Handler = (_, info) => {
    told.push(info?.remoteAddr?.hostname);
    return Promise.resolve(new Response());
  };
  const server = createServer(nodeListener(handler));
  await serve(t, () => {}, server);
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const mapped = { socket: { remoteAddress: "::ffff:192.0.2.1" } };
  const both = createServer((request, response) => {
    nodeListener(handler)(Object.assign(Object.create(request), mapped), response);
  });
  await fetch(await serve(t, () => {}, both));
  assert.deepEqual(told, ["127.0.0.1", "192.0.2.1"]);
});

test("nodeListener() sees https where the connection is", async (t) => {
  const origin = await serve(t, (request, response) => {
    const secure = Object.assign(Object.create(request), { socket: { encrypted: true } });
    nodeListener(({ url }) => Promise.resolve(new Response(url)))(secure, response);
  });
  assert.equal(await (await fetch(`${origin}/x`)).text(), `${origin.replace("http", "https")}/x`);
});

for (
  const target of [
    "GET http://evil.test/ HTTP/1.1\r\nHost: a.test",
    "GET / HTTP/1.1\r\nHost: a b",
    "GET / HTTP/1.1\r\nHost: a/b",
    "GET / HTTP/1.1\r\nHost: a.test\r\nHost: b.test",
    "GET http://a.test:81/ HTTP/1.1\r\nHost: a.test",
    "GET ftp://a.test/ HTTP/1.1\r\nHost: a.test",
  ]
) {
  test(`nodeListener() refuses ${JSON.stringify(target)} without asking the handler`, async (t) => {
    let asked = 0;
    const origin = await opened(t, () => {
      asked += 1;
      return Promise.resolve(new Response());
    });
    assert.match(await raw(origin, `${target}\r\nConnection: close\r\n\r\n`), /^HTTP\/1\.1 400 /);
    assert.equal(asked, 0);
  });
}

for (
  const [target, url] of [
    ["http://a.test/x?y=1", "http://a.test/x?y=1"],
    ["HTTP://A.test//x", "http://a.test//x"],
    ["http://a.test", "http://a.test/"],
    ["http://a.test?y=1", "http://a.test/?y=1"],
    ["https://a.test/x", "http://a.test/x"],
  ]
) {
  test(`nodeListener() takes the target ${target} for the path of its own host`, async (t) => {
    const origin = await opened(t, (request) => Promise.resolve(new Response(new URL(request.url).href)));
    const answer = await raw(origin, `GET ${target} HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n`);
    assert.ok(answer.includes(`\r\n\r\n`) && answer.includes(`${url}`), answer);
  });
}

/** A response that only notes what it is told. */
function noted(): { response: NodeResponse; headers: Headers; done: Promise<string> } {
  const headers = new Headers();
  const done = deferred<string>();
  const response = {
    statusCode: 0,
    writableFinished: false,
    destroyed: false,
    getHeader: () => undefined,
    setHeader: (name: string, value: string | string[]) => headers.set(name, String(value)),
    write: () => true,
    end: (text: string) => done.settle(text),
    destroy() {},
    once() {},
  };
  return { response, headers, done: done.promise };
}

test("nodeListener() refuses with the headers of every answer, over https those of https", async () => {
  for (const encrypted of [false, true]) {
    const { response, headers, done } = noted();
    nodeListener(() => Promise.reject(new Error("it was asked")))({
      method: "GET",
      url: "/",
      headers: { host: "a b" },
      rawHeaders: ["Host", "a b"],
      socket: { encrypted },
      readableEnded: true,
      pause() {},
      resume() {},
      on() {},
      off() {},
    }, response);
    assert.deepEqual(JSON.parse(await done), { message: "Bad request" });
    assert.equal(response.statusCode, 400);
    assert.deepEqual([...headers].sort(), [...new Headers(securityHeaders("json", encrypted) as [string, string][])]);
  }
});

/** Asks over HTTP/2. */
async function askHttp2(t: TestContext, handler: Handler, headers: OutgoingHttpHeaders): Promise<[unknown, string]> {
  const server = createHttp2Server((request, response) => nodeListener(handler)(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  t.after(() => {
    client.close();
    server.close();
  });
  const stream = client.request(headers);
  const status = new Promise((resolve) => stream.on("response", (found) => resolve(found[":status"])));
  let text = "";
  stream.setEncoding("utf8").on("data", (chunk) => text += chunk).end();
  await new Promise((resolve) => stream.once("end", resolve));
  return [await status, text];
}

test("nodeListener() reads a request of HTTP/2", async (t) => {
  const handler: Handler = ({ url, headers }) => Promise.resolve(Response.json([url, headers.get("cookie")]));
  const [status, text] = await askHttp2(t, handler, { ":authority": "a.test", ":path": "/x", cookie: ["a=1", "b=2"] });
  assert.deepEqual([status, text], [200, '["http://a.test/x","a=1; b=2"]']);
});

test("nodeListener() refuses a request of HTTP/2 that names two hosts", async (t) => {
  const handler: Handler = () => Promise.resolve(new Response("asked"));
  const headers = { ":authority": "a.test", ":path": "/", host: "b.test" };
  assert.deepEqual(await askHttp2(t, handler, headers), [400, '{"message":"Bad request"}']);
});

test("nodeListener() answers 500 where a handler fails, and hands the error on where somebody comes next", async (t) => {
  const failing: Handler = () => Promise.reject(new Error("the handler's own"));
  t.mock.method(console, "error", () => {});
  const { status } = await fetch(await opened(t, failing));
  assert.equal(status, 500);
  const origin = await serve(t, (request, response) => {
    nodeListener(failing)(request, response, (error) => response.end(String(error)));
  });
  assert.equal(await (await fetch(origin)).text(), "Error: the handler's own");
});

test("nodeListener() breaks an answer off whose body fails, so that nobody takes it for whole", async (t) => {
  const origin = await opened(t, () => {
    let pieces = 0;
    const pull = (controller: ReadableStreamDefaultController): void => {
      if (pieces++) controller.error(new Error("the body's own"));
      else controller.enqueue(new Uint8Array(10));
    };
    return Promise.resolve(new Response(new ReadableStream({ pull })));
  });
  await assert.rejects(async () => await (await fetch(origin)).arrayBuffer());
});

test("nodeListener() knows the whole path below a mount point", async (t) => {
  const origin = await serve(t, (request, response) => {
    const mounted = Object.assign(request, { originalUrl: request.url, url: "/session" });
    nodeListener(({ url }) => Promise.resolve(new Response(new URL(url).pathname)))(mounted, response);
  });
  assert.equal(await (await fetch(`${origin}/auth/session`)).text(), "/auth/session");
});

test("webRequest() leaves the body to others, and says so to who wants it after them", async (t) => {
  const origin = await serve(t, async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const late = await webRequest(request).text().catch((error: Error) => error.message);
    response.end(`${text}; ${late}`);
  });
  const response = await fetch(origin, { method: "POST", body: "theirs" });
  assert.equal(await response.text(), "theirs; Cannot read body: something has read it before");
});

/** Opens a server with a middleware that reads the body, as parsers do, and leaves something else in its place. */
async function parsing(t: TestContext, { read, leave }: { read: boolean; leave: (text: string) => unknown }) {
  const listener = nodeListener(async (request) => {
    const { headers } = request;
    return Response.json({
      length: headers.get("content-length"),
      encoding: headers.get("content-encoding"),
      body: await request.text(),
    });
  });
  return await serve(t, async (request, response) => {
    let text = "";
    if (read) { for await (const piece of request.setEncoding("utf8")) text += piece; }
    listener(Object.assign(request, { body: leave(text) }) as unknown as NodeRequest, response);
  });
}

test("nodeListener() writes a body again that was parsed before", async (t) => {
  const origin = await parsing(t, { read: true, leave: (text) => ({ was: JSON.parse(text), deep: { list: [1] } }) });
  const headers = { "content-type": "application/json", "content-encoding": "identity" };
  const response = await fetch(origin, { method: "POST", headers, body: "[1,   2]" });
  assert.deepEqual(await response.json(), {
    length: null,
    encoding: null,
    body: '{"was":[1,2],"deep":{"list":[1]}}',
  });
});

test("nodeListener() reads the body of a request that nobody has read, whatever was written into the request", async (t) => {
  const origin = await parsing(t, { read: false, leave: () => ({}) });
  const headers = { "content-type": "application/json" };
  const response = await fetch(origin, { method: "POST", headers, body: "[1]" });
  assert.equal((await response.json()).body, "[1]");
});

test("nodeListener() answers 400 where a parsed body cannot be written", async (t) => {
  const origin = await parsing(t, { read: true, leave: () => ({ number: 1n }) });
  const headers = { "content-type": "application/json" };
  const response = await fetch(origin, { method: "POST", headers, body: "[1]" });
  assert.equal(response.status, 400);
});

test("nodeListener() sets a cookie once: that of the handler, not one that was set before", async (t) => {
  const listener = nodeListener(() => {
    const headers = new Headers([["set-cookie", "session=; Max-Age=0"], ["set-cookie", "b=2"]]);
    return Promise.resolve(new Response(null, { headers }));
  });
  const origin = await serve(t, (request, response) => {
    response.setHeader("set-cookie", ["a=1", "session.0=new", "session.1=er"]);
    listener(request as unknown as NodeRequest, response);
  });
  const response = await fetch(origin);
  assert.deepEqual(response.headers.getSetCookie(), ["a=1", "session=; Max-Age=0", "b=2"]);
});

test("webRequest() keeps the target for the guard, whose URL does not show it", async () => {
  const { auth } = createAuth(testConfig({ protect: ["/members/*"] }));
  const guard = auth(() => new Response("let in"));
  const headers = { host: "localhost:3000" };
  const incoming = (url: string) => ({
    method: "GET",
    url,
    headers,
    rawHeaders: Object.entries(headers).flat(),
    socket: {},
  });
  assert.equal((await guard(webRequest(incoming("/x") as never))).status, 200);
  for (const url of ["/members/../x", "/members/%2e%2e/x", "http://localhost:3000/members/../x"]) {
    assert.equal((await guard(webRequest(incoming(url) as never))).status, 400, url);
  }
});
