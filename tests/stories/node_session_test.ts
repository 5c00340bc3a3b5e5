import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { test, type TestContext } from "node:test";
import { type AuthConfig, type AuthConfigSource, createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { encode } from "@x/auth/jwt";
import { nodeSession, webRequest } from "@x/auth/node";
import { testConfig } from "../_support/service.ts";

const SECRET = "a secret for tests of 32 characters or more";
const COOKIE = "authjs.session-token";
const STORED = `${COOKIE}=the-token-of-grace`;

/** Opens a server that answers with what `see` gives for a request, as JSON. */
async function open(t: TestContext, see: (request: IncomingMessage) => Promise<unknown>): Promise<number> {
  const server = createServer(async (request, response) => response.end(JSON.stringify(await see(request)) + "\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Writes a request into a connection, and gives what the server saw; `undefined` if node refused it. */
async function ask(port: number, lines: readonly string[], body = ""): Promise<unknown> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.setEncoding("utf8").on("data", (chunk) => answer += chunk).on("error", () => {});
  socket.write([...lines, "Connection: close", "", body].join("\r\n"), "latin1");
  await new Promise((resolve) => socket.once("close", resolve));
  return answer.startsWith("HTTP/1.1 200 ") ? JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) : undefined;
}

async function sealed(name: string): Promise<string> {
  return `${COOKIE}=${await encode({ token: { name, sub: "1" }, secret: SECRET, salt: COOKIE })}`;
}

const config = testConfig({ secret: SECRET });

async function storedSessions(): Promise<AuthConfig> {
  const adapter = memoryAdapter();
  await adapter.createUser({ id: "1", name: "Grace", email: "grace@example.com", emailVerified: null });
  const expires = new Date(Date.now() + 86_400_000);
  await adapter.createSession({ sessionToken: "the-token-of-grace", userId: "1", expires });
  return { ...config, adapter, session: { strategy: "database" } };
}

const fails = (): never => {
  throw new Error("no");
};

const SOURCES: Readonly<Record<string, () => Promise<AuthConfigSource> | AuthConfigSource>> = {
  "sealed sessions": () => config,
  "stored sessions": storedSessions,
  "sessions that a callback changes": () => {
    return { ...config, callbacks: { session: ({ session }) => ({ ...session, role: "owner" }) } };
  },
  "a callback that fails": () => ({ ...config, callbacks: { session: fails } }),
  "a configuration for each request": () => (request) => {
    return { ...config, secret: request?.headers.get("x-tenant") === "1" ? SECRET : `another ${SECRET}` };
  },
  "a configuration that is wrong": () => ({ ...config, secret: "short" }),
  "a host that is not trusted": () => ({ ...config, trustHost: false }),
};

const TARGETS = ["/", "/there?a=1", "//there", "http://site.test/", "http://other.test/", "ftp://site.test/", "*"];

for (const [name, source] of Object.entries(SOURCES)) {
  test(`nodeSession() gives what auth() gives: ${name}`, async (t) => {
    const { auth } = createAuth(await source());
    const sessionOf = nodeSession(auth);
    const port = await open(t, async (request) => {
      const expected = await new Promise((resolve) => resolve(auth(webRequest(request)))).catch(() => null);
      return { given: await sessionOf(request), expected };
    });
    const ada = await sealed("Ada");
    const cookies = ["", ada, STORED, `${COOKIE}=spoiled`, `a=${"x".repeat(9000)}; ${ada}`, `${ada}; ${STORED}`];
    let signedIn = 0;
    for (const target of TARGETS) {
      for (const cookie of cookies) {
        for (const more of [[], ["X-Tenant: 1"], ["Host: other.test"]]) {
          const seen = await ask(port, [`GET ${target} HTTP/1.1`, "Host: site.test", `Cookie: ${cookie}`, ...more]);
          if (seen === undefined) continue;
          const { given, expected } = seen as { given: unknown; expected: unknown };
          assert.deepEqual(given, expected, `${target} ${cookie.slice(0, 40)} ${more}`);
          if (given !== null) signedIn++;
        }
      }
    }
    assert.equal(signedIn > 0, !/fails|wrong|not trusted/.test(name));
  });
}

test("nodeSession() makes no Request, and leaves the body to the application", async (t) => {
  const sessionOf = nodeSession(createAuth(config).auth);
  const { Request } = globalThis;
  t.after(() => void (globalThis.Request = Request));
  const port = await open(t, async (request) => {
    let made = 0;
    globalThis.Request = class extends Request {
      constructor(...args: ConstructorParameters<typeof Request>) {
        super(...args);
        made++;
      }
    };
    const session = await sessionOf(request);
    globalThis.Request = Request;
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    return { name: session?.user?.name, made, body };
  });
  const lines = ["POST / HTTP/1.1", "Host: site.test", `Cookie: ${await sealed("Ada")}`, "Content-Length: 5"];
  assert.deepEqual(await ask(port, lines, "hello"), { name: "Ada", made: 0, body: "hello" });
});

test("nodeSession() leaves the body to the application where the configuration reads the request", async (t) => {
  const urls: string[] = [];
  const { auth } = createAuth((request) => {
    urls.push(`${request?.method} ${request?.url} ${request?.body}`);
    return config;
  });
  const sessionOf = nodeSession(auth);
  const port = await open(t, async (request) => {
    const session = await sessionOf(request);
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    return { name: session?.user?.name, body };
  });
  const lines = ["POST /a HTTP/1.1", "Host: site.test", `Cookie: ${await sealed("Ada")}`, "Content-Length: 5"];
  assert.deepEqual(await ask(port, lines, "hello"), { name: "Ada", body: "hello" });
  assert.deepEqual(urls, ["POST http://site.test/a null"]);
});

test("nodeSession() asks a function around auth, and gives it a Request", async (t) => {
  const { auth } = createAuth(config);
  const around = Object.assign((given: Parameters<typeof auth>[0]) => {
    assert.ok(given instanceof Request);
    return Promise.resolve({ user: { name: `around ${given.method}` }, expires: "" });
  }) as unknown as typeof auth;
  const port = await open(t, nodeSession(around));
  const seen = await ask(port, ["GET / HTTP/1.1", "Host: site.test"]);
  assert.deepEqual(seen, { user: { name: "around GET" }, expires: "" });
});
