/** Identity providers behind real sockets that break, stall and answer wrongly, which a fake `fetch` cannot show. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, createServer as createRawServer, type Server as RawServer, type Socket } from "node:net";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { Browser, type Site } from "../_support/browser.ts";
import { leakIn, serve, soon, until, watchProcess } from "../_support/faults.ts";
import { createIssuer, type Endpoint, type Issuer } from "../_support/issuer.ts";
import { recordLog, testConfig } from "../_support/service.ts";
import { allOf } from "../unit/oauth/_flow.ts";
import { countRows } from "./_service.ts";

watchProcess();
const rows = countRows("faults of networks");

/** Seconds: short, so that what hangs is over soon, and long enough for an honest answer of a busy machine. */
const LIMITS = { total: 2, request: 0.6, event: 0.2 } as const;

const CANARY = "canary-in-a-faulty-answer-5a6b";
const SECRET = "canary-client-secret-4b1d";

type Fault = (response: ServerResponse, honest: Buffer) => void;

interface Provider {
  readonly issuer: Issuer;
  fault: { readonly endpoint: Endpoint; readonly fault: Fault } | null;
  /** Connections that a fault is using. */
  readonly spoilt: Set<Socket>;
}

const servers: (Server | RawServer)[] = [];
const sockets = new Set<Socket>();

after(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.map((server) =>
    new Promise((resolve) => {
      server.close(resolve);
      if ("closeAllConnections" in server) server.closeAllConnections();
    })
  ));
});

async function listen(server: Server | RawServer): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

let skew = 0;
const now = (): number => Date.now() + skew;
const runtime = { ...systemRuntime, now };

async function startProvider(): Promise<Provider> {
  let provider: Provider | null = null;
  const port = await listen(createServer((request, response) => provider && answer(provider, request, response)));
  const issuer = createIssuer({ url: `http://127.0.0.1:${port}`, now: () => now() / 1000 });
  return provider = { issuer, fault: null, spoilt: new Set() };
}

const PATHS: Readonly<Record<string, Endpoint>> = {
  "/.well-known/openid-configuration": "discovery",
  "/token": "token",
  "/jwks": "jwks",
  "/userinfo": "userinfo",
};

async function answer(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { issuer, fault, spoilt } = provider;
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const { method = "GET", url = "/", socket } = request;
  const asked = new Request(issuer.url + url, {
    method,
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    ...(parts.length > 0 && { body: Buffer.concat(parts) }),
  });
  const said = await issuer.fetch(asked);
  const honest = Buffer.from(await said.arrayBuffer());
  if (fault && PATHS[url] === fault.endpoint) {
    spoilt.add(socket);
    // Of an answer that is complete the connection may be used again.
    for (const emitter of [socket, response]) emitter.on("close", () => spoilt.delete(socket));
    socket.on("error", () => {});
    response.on("error", () => {});
    return fault.fault(response, honest);
  }
  response.writeHead(said.status, Object.fromEntries(said.headers)).end(honest);
}

/** A service with one provider that may be spoilt and one that is not. */
function openWorld(issuer: Issuer, healthy: Issuer) {
  const { logger, errors } = recordLog();
  const facts = { idToken: false, clientSecret: SECRET } as const;
  const handler = serve(
    testConfig({
      providers: [issuer.provider(facts), healthy.provider({ ...facts, id: "other" })],
      logger,
      timeouts: LIMITS,
    }),
    runtime,
  );
  let told = "";
  const site: Site = async (request) => {
    const response = await handler(request);
    told += await response.clone().text();
    return response;
  };
  const agree = ({ consent }: Issuer): Site => async (request) => {
    const { redirectUri, params } = await consent(request.url);
    return new Response(null, { status: 302, headers: { location: `${redirectUri}?${params}` } });
  };
  const browser = () =>
    new Browser(site, { mayFail: true }).allow(issuer.url, agree(issuer)).allow(healthy.url, agree(healthy));
  async function assertSignsIn(provider: string): Promise<void> {
    const ada = await soon(browser().signIn(provider), `a sign-in by ${provider}`);
    assert.equal(ada.url.pathname, "/", errors.map((error) => allOf(error)).join("\n"));
    assert.equal((await ada.session())?.user?.email, "ada@example.com");
  }
  async function assertRefused(): Promise<void> {
    const attempt = browser().signIn("idp");
    await assertSignsIn("other");
    const ada = await soon(attempt, "the answer");
    assert.equal(ada.url.pathname + ada.url.search, "/auth/error?error=Configuration");
    assert.deepEqual([await ada.session(), ada.cookies.names("session-token")], [null, []]);
    assert.equal(errors.length, 1, errors.map((error) => allOf(error)).join("\n"));
    assert.equal(leakIn(told + errors.map((error) => allOf(error)).join(), [CANARY, SECRET]), undefined);
  }
  return { errors, assertSignsIn, assertRefused };
}

const TYPE = { "content-type": "application/json" };
const BOMB = gzipSync(Buffer.alloc(32 * 1024 * 1024, 0x20));

/** Writes until nobody listens any more. */
function pour(response: ServerResponse, next: () => string | Uint8Array, milliseconds: number): void {
  const timer = setInterval(() => void response.write(next()), milliseconds);
  response.on("close", () => clearInterval(timer));
}

/** Writes raw bytes to the socket instead of an HTTP response. */
function raw(write: (honest: Buffer) => string | Uint8Array, { stays = false } = {}): Fault {
  return ({ socket }, honest) => {
    socket?.write(write(honest));
    if (!stays) socket?.end();
  };
}

const FAULTS: Readonly<Record<string, Fault>> = {
  "closes instead of answering": ({ socket }) => void socket?.destroy(),
  "resets instead of answering": ({ socket }) => void socket?.resetAndDestroy(),
  "never answers": () => {},
  "sends headers and then nothing": (response) => response.writeHead(200, TYPE).flushHeaders(),
  "sends half of its headers and then nothing": raw(() => "HTTP/1.1 200 OK\r\nContent-Ty", { stays: true }),
  "sends one byte at a time": (response, honest) => {
    let at = 0;
    pour(response.writeHead(200, TYPE), () => honest.subarray(at, ++at), 20);
  },
  "promises more than it sends, and stays": (response, honest) => {
    response.writeHead(200, { ...TYPE, "content-length": honest.length + 1 }).write(honest);
  },
  "promises more than it sends, and closes": raw((honest) =>
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${honest.length + 1}\r\n\r\n${honest}`
  ),
  "sends more than it promises": raw((honest) =>
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${honest.length - 1}\r\n\r\n${honest}`
  ),
  "closes in the middle of its body": (response, honest) => {
    response.writeHead(200, { ...TYPE, "content-length": honest.length });
    response.write(honest.subarray(0, honest.length / 2), () => response.socket?.destroy());
  },
  "closes in the middle of a chunk": raw((honest) =>
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${honest.length.toString(16)}\r\n${honest.subarray(0, 9)}`
  ),
  "closes before its last chunk": raw((honest) =>
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${honest.length.toString(16)}\r\n${honest}\r\n`
  ),
  "sends chunks of no size": raw(() => `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${CANARY}\r\n`),
  "says two lengths": raw((honest) =>
    `HTTP/1.1 200 OK\r\nContent-Length: ${honest.length}\r\nContent-Length: 1\r\n\r\n${honest}`
  ),
  "speaks no HTTP": raw(() => `220 mail.test ESMTP ${CANARY}\r\n`),
  "sends a header of 2 MiB": raw(() => `HTTP/1.1 200 OK\r\nX: ${"x".repeat(2 * 1024 * 1024)}\r\n\r\n{}`),
  "sends interim answers for ever": (response) => {
    const { socket } = response;
    const timer = setInterval(() => void socket?.write("HTTP/1.1 100 Continue\r\n\r\n"), 20);
    socket?.on("close", () => clearInterval(timer));
  },
  "switches to another protocol": raw(() => "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"),
  "sends a gzip bomb": (response) => response.writeHead(200, { ...TYPE, "content-encoding": "gzip" }).end(BOMB),
  "sends a broken gzip": (response) => response.writeHead(200, { ...TYPE, "content-encoding": "gzip" }).end(CANARY),
  "sends half a gzip": (response, honest) => {
    response.writeHead(200, { ...TYPE, "content-encoding": "gzip" }).end(gzipSync(honest).subarray(0, 30));
  },
  "sends white space without end": (response) => {
    pour(response.writeHead(200, TYPE), () => Buffer.alloc(256 * 1024, 0x20), 1);
  },
  "redirects": (response) => response.writeHead(307, { location: `${elsewhere}/x` }).end(),
  "redirects to itself": (response) => response.writeHead(302, { location: response.req.url }).end(),
  "demands a password": (response) => response.writeHead(401, { "www-authenticate": `Basic realm="${CANARY}"` }).end(),
  "is away for maintenance": (response) => response.writeHead(503, { "retry-after": "3600" }).end(CANARY),
};

let visits = 0;
const elsewhere = `http://127.0.0.1:${await listen(
  createServer((_request, response) => {
    visits++;
    response.end("{}");
  }),
)}`;
const healthy = await startProvider();
const provider = await startProvider();

/** One fault of each kind: no answer, a broken one, one that is too long, one from elsewhere, an error. */
const EVERYWHERE = [
  "never answers",
  "closes in the middle of its body",
  "sends a gzip bomb",
  "redirects",
  "is away for maintenance",
];

for (const [name, fault] of Object.entries(FAULTS)) {
  // One function sends all requests. What a document and a POST show of a fault, the other two need not show again.
  const endpoints = [
    "discovery",
    "token",
    ...(EVERYWHERE.includes(name) ? ["jwks", "userinfo"] as const : []),
  ] as const;
  for (const endpoint of endpoints) {
    test(`a provider whose ${endpoint} ${name} is refused, and its socket is freed`, async () => {
      const { issuer, spoilt } = provider;
      skew += 3600 * 1000; // nothing is remembered from the row before
      const world = openWorld(issuer, healthy.issuer);
      provider.fault = { endpoint, fault };
      await world.assertRefused();
      await until(() => spoilt.size === 0, "freeing the socket");
      provider.fault = null;
      skew += 6000;
      await world.assertSignsIn("idp");
      assert.deepEqual([world.errors.length, visits], [1, 0]);
      rows();
    });
  }
}

// Connections that fail before a request is sent.

/** A self-signed certificate for another host. */
const TLS = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgB8ReLYaxAhtHpLyv
uZ6ZddtLtge7BClKidyufoDcXhOhRANCAAS5nCK6fvqiKQt17VxiWtY6O/KLG54c
5S91NoXgG1d8+qAb0acchyskkJvAU2TgXBekrxNIWvwNgPeST88hr5eu
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBfDCCASOgAwIBAgIUOUNMMudv8k3Za3JMC6eEfP9FqfQwCgYIKoZIzj0EAwIw
EzERMA8GA1UEAwwIaWRwLnRlc3QwIBcNMjYxMTIxMTA1NDU0WhgPMjEyNjEwMjgx
MDU0NTRaMBMxETAPBgNVBAMMCGlkcC50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAEuZwiun76oikLde1cYlrWOjvyixueHOUvdTaF4BtXfPqgG9GnHIcrJJCb
wFNk4FwXpK8TSFr8DYD3kk/PIa+XrqNTMFEwHQYDVR0OBBYEFPolcaufUTnF30yf
cfmJCq3h3Q50MB8GA1UdIwQYMBaAFPolcaufUTnF30yfcfmJCq3h3Q50MA8GA1Ud
EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgLDkXI3CoTxWJSigVuNg6H/kA
FqGRQDxPLhxYpPBkz6QCID1wACl9IDDtNWPVacvk2uKd3GeJx8vBIWpc0cnF20XO
-----END CERTIFICATE-----`,
};

let reached = 0;
const reach: RequestListener = (_request, response) => {
  reached++;
  response.end("{}");
};

const CONNECTIONS: Readonly<Record<string, () => Promise<string>>> = {
  "refuses connections": async () => {
    const server = createRawServer();
    const port = await listen(server);
    servers.splice(servers.indexOf(server), 1);
    await new Promise((resolve) => server.close(resolve));
    return `http://127.0.0.1:${port}`;
  },
  "has a name that does not exist": () => Promise.resolve("https://idp.invalid"),
  "has a certificate that it signed itself": async () => {
    return `https://127.0.0.1:${await listen(createSecureServer(TLS, reach) as unknown as Server)}`;
  },
  "speaks plain text where TLS was expected": async () => {
    return `https://127.0.0.1:${await listen(createServer(reach))}`;
  },
  "closes during the handshake": async () => {
    return `https://127.0.0.1:${await listen(createRawServer((socket) => void socket.destroy()))}`;
  },
  "never shakes hands": async () => {
    const server = createRawServer((socket) => void sockets.add(socket.on("error", () => {})));
    return `https://127.0.0.1:${await listen(server)}`;
  },
};

for (const [name, connect] of Object.entries(CONNECTIONS)) {
  test(`a provider that ${name} is refused`, async () => {
    const issuer = createIssuer({ url: await connect(), now: () => now() / 1000 });
    const world = openWorld(issuer, healthy.issuer);
    await world.assertRefused();
    assert.equal(reached, 0);
    rows();
  });
}
