/** A mail service on a real network: redirects, connections that are left open, answers without an end. */
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { createAuth, customFetch, type MailFailure } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { resend } from "@x/auth/providers/resend";
import { Browser } from "../_support/browser.ts";
import { recordLog, testConfig } from "../_support/service.ts";

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

let serve: Serve = () => {};
let server: Server;
let thief: Server;
let stolen = 0;

before(async () => {
  server = createServer((request, response) => serve(request, response));
  thief = createServer((_, response) => {
    stolen++;
    response.end("{}");
  });
  for (const each of [server, thief]) await new Promise<void>((resolve) => void each.listen(0, "127.0.0.1", resolve));
});

after(async () => {
  for (const each of [server, thief]) {
    each.closeAllConnections();
    await new Promise<void>((resolve) => void each.close(() => resolve()));
  }
});

function urlOf(of: Server): string {
  return `http://127.0.0.1:${(of.address() as AddressInfo).port}/`;
}

/** Signs in where the service answers so, and returns why that failed. */
async function failureOf(answer: Serve, timeout?: number): Promise<MailFailure> {
  serve = answer;
  const { logger, errors } = recordLog();
  const provider = resend({
    from: "no-reply@example.com",
    apiKey: "a-key-for-tests",
    timeout,
    [customFetch]: (_, init) => fetch(urlOf(server), init),
  });
  const { handler } = createAuth(testConfig({ providers: [provider], adapter: memoryAdapter(), logger }));
  const browser = new Browser(handler);
  await browser.signIn("resend", { email: "ada@example.com" });
  assert.equal(browser.url.search, "?error=EmailSignin");
  const [error, ...more] = errors;
  assert.deepEqual([error?.name, more], ["EmailSignInError", []]);
  return error?.cause as MailFailure;
}

test("a redirect takes neither the key nor the link to another host", async () => {
  for (const status of [302, 307, 308]) {
    const failure = await failureOf((_, response) => {
      response.writeHead(status, { location: urlOf(thief) }).end();
    });
    assert.equal(failure.reason, "unavailable");
  }
  assert.equal(stolen, 0);
});

test("the connection to a service that does not answer is closed at the deadline", async () => {
  let closed: Promise<void> = Promise.reject(new Error("nobody asked"));
  closed.catch(() => {});
  const failure = await failureOf((request) => {
    closed = new Promise((resolve) => void request.socket.on("close", () => resolve()));
  }, 0.2);
  assert.equal(failure.reason, "timeout");
  await closed;
});

test("an answer that never ends is a timeout, and one that is too large is refused before its end", async () => {
  const endless: Serve = (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write("{");
  };
  assert.equal((await failureOf(endless, 0.2)).reason, "timeout");
  const failure = await failureOf((_, response) => {
    response.writeHead(200);
    response.write("x".repeat(200_000));
  });
  assert.deepEqual([failure.reason, failure.status], ["unavailable", 200]);
});

test("a service that closes the connection is not there", async () => {
  assert.equal((await failureOf((request) => void request.socket.destroy())).reason, "unavailable");
});
