import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { test, type TestContext } from "node:test";
import { type Auth, type AuthConfig, type AuthConfigSource, createAuth } from "@x/auth";
import { BadRequest } from "@x/auth/errors";
import { nodeListener } from "@x/auth/node";
import { ADA, recordLog, testConfig } from "../_support/service.ts";

/** A request as servers make it of what they cannot read: its URL is a path, or reading it fails. */
function requestWith(url: string | Error, init: RequestInit = {}): Request {
  const get = (): string => {
    if (typeof url === "string") return url;
    throw url;
  };
  return Object.defineProperty(new Request("http://localhost:3000/auth/session", init), "url", { get });
}

const NO_URLS = ["/auth/session", "", "http://a b/auth/session", "http://[::1/", new TypeError("Invalid URL")];

/** A service, and whether the application's own handler was asked. */
function open(config: AuthConfig = {}): { service: Auth; errors: Error[]; page: Auth["handler"]; asked: () => number } {
  const { logger, errors } = recordLog();
  const service = createAuth(testConfig({ ...config, logger }));
  let asked = 0;
  const page = service.auth(() => {
    asked += 1;
    return new Response("asked");
  });
  return { service, errors, page, asked: () => asked };
}

for (const url of NO_URLS) {
  test(`a request whose URL is ${String(url) || "empty"} is answered with 400`, async () => {
    for (const config of [{}, { callbacks: { authorized: () => true } }, { trustHost: false }, { secret: "" }]) {
      const { service, errors, page, asked } = open(config);
      for (const handler of [service.handler, service.handlers.POST, page]) {
        const response = await handler(requestWith(url));
        assert.equal(response.status, 400);
        assert.equal(response.headers.get("cache-control"), "private, no-store");
        assert.deepEqual(await response.json(), { message: "Bad request" });
      }
      assert.equal(await service.auth(requestWith(url)), null);
      await assert.rejects(() => service.signIn(requestWith(url), "credentials"), BadRequest);
      await assert.rejects(() => service.signOut(requestWith(url)), BadRequest);
      assert.deepEqual([asked(), errors], [0, []]);
    }
  });
}

test("an invalid URL that fails the configuration function is answered with 400", async () => {
  const source: AuthConfigSource = (request) => testConfig({ basePath: new URL(request.url).pathname });
  const { error } = globalThis.console;
  const printed: unknown[] = [];
  globalThis.console.error = (...parts: unknown[]) => void printed.push(parts);
  try {
    assert.equal((await createAuth(source).handler(requestWith("/auth/session"))).status, 400);
  } finally {
    globalThis.console.error = error;
  }
  assert.deepEqual(printed, []);
});

interface Listening {
  readonly port: number;
  readonly stop: () => unknown;
}

interface Host {
  readonly Deno?: {
    serve(options: object, handler: Auth["handler"]): { addr: { port: number }; shutdown(): Promise<void> };
  };
  readonly Bun?: { serve(options: object): { port: number; stop(now: boolean): unknown } };
}

/** Opens the runtime's own server, where it has one that takes handlers of the web. */
function serve(handler: Auth["handler"]): Listening | null {
  const { Deno, Bun } = globalThis as unknown as Host;
  if (Deno) {
    const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, handler);
    return { port: server.addr.port, stop: () => server.shutdown() };
  }
  if (!Bun) return null;
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request: Request) => handler(request) });
  return { port: server.port, stop: () => server.stop(true) };
}

async function serveNode(handler: Auth["handler"]): Promise<Listening> {
  const server = createServer(nodeListener(handler));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, stop: () => server.close() };
}

/** Writes into a connection and gives what comes back. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.setEncoding("utf8").on("data", (chunk) => answer += chunk);
  socket.on("error", () => {});
  socket.write(text);
  await new Promise((resolve) => socket.once("close", resolve));
  return answer;
}

const ODD = [
  "GET /auth/session HTTP/1.0\r\n\r\n",
  "GET /auth/session HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
  "GET /auth/session HTTP/1.1\r\nHost: [::1\r\nConnection: close\r\n\r\n",
  "GET /auth/session HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n",
  "GET /auth/session HTTP/1.1\r\nHost: a.test\r\nHost: b.test\r\nConnection: close\r\n\r\n",
  "GET http://a.test/auth/session HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n",
];

async function checkOdd(t: TestContext, listen: (handler: Auth["handler"]) => Listening | null | Promise<Listening>) {
  const { service, errors } = open();
  const thrown: unknown[] = [];
  const watched: Auth["handler"] = async (request, info) => {
    try {
      return await service.handler(request, info);
    } catch (error) {
      thrown.push(error);
      throw error;
    }
  };
  const server = await listen(watched);
  if (!server) return t.skip("there is no other server than that of node:http");
  try {
    for (const text of ODD) {
      const answer = await exchange(server.port, text);
      assert.match(answer, /^HTTP\/1\.[01] (?:[24]\d\d)/, `${text} was answered with ${answer}`);
    }
  } finally {
    await server.stop();
  }
  assert.deepEqual([thrown, errors], [[], []]);
}

test("the runtime's server answers whatever stands for a host, and nothing is thrown", (t) => checkOdd(t, serve));
test("node:http answers whatever stands for a host, and nothing is thrown", (t) => checkOdd(t, serveNode));

/** A form whose body is what a stream gives. */
function formOf(body: ReadableStream<Uint8Array>): Request {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const init = { method: "POST", headers, body, duplex: "half" };
  return new Request("http://localhost:3000/auth/callback/credentials", init as RequestInit);
}

test("a body that breaks off is answered with 400 and not logged", async () => {
  const { service, errors } = open();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode("username=ada&"));
      controller.error(new TypeError("connection closed"));
    },
  });
  const response = await service.handler(formOf(body));
  assert.deepEqual([response.status, errors], [400, []]);
});

test("a body that does not end in time is answered with 408", async () => {
  const { service, errors } = open({ timeouts: { total: 0.1 } });
  let timer: ReturnType<typeof setInterval> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (timer = setInterval(() => controller.enqueue(new Uint8Array(1)), 20)),
    cancel: () => clearInterval(timer),
  });
  const response = await service.handler(formOf(body));
  clearInterval(timer);
  assert.deepEqual([response.status, await response.json()], [408, { message: "Body takes too long" }]);
  assert.deepEqual(errors, []);
});

test("a flow that does not end in time is not answered with 408", async () => {
  const { service, errors } = open({ timeouts: { total: 0.1 }, callbacks: { signIn: () => new Promise(() => {}) } });
  const csrf = await service.handler(new Request("http://localhost:3000/auth/csrf"));
  const { csrfToken } = await csrf.json();
  const cookie = csrf.headers.getSetCookie().map((text) => text.split(";")[0]).join("; ");
  const body = new URLSearchParams({ ...ADA, csrfToken });
  const url = "http://localhost:3000/auth/callback/credentials";
  const response = await service.handler(new Request(url, { method: "POST", headers: { cookie }, body }));
  assert.equal(response.status, 302);
  assert.equal(errors[0]?.name, "Timeout");
});
