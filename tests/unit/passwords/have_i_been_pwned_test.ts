import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import type { BreachAnswer } from "../../../src/passwords/breach.ts";
import { haveIBeenPwned } from "../../../src/passwords/have_i_been_pwned.ts";

const PASSWORD = "correct horse battery staple";
const DIGEST = createHash("sha1").update(PASSWORD).digest("hex").toUpperCase();
const PREFIX = DIGEST.slice(0, 5);
const REST = DIGEST.slice(5);

const OTHERS = Array.from(
  { length: 800 },
  (_, at) => `${createHash("sha1").update(`${at}`).digest("hex").slice(5).toUpperCase()}:${at % 7}`,
);

/** Asks a server of ours in place of theirs. */
async function ask(answer: RequestListener, { password = PASSWORD, timeout = 1 } = {}): Promise<BreachAnswer> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const check = haveIBeenPwned({
      timeout,
      fetch: (url, init) => fetch(`http://127.0.0.1:${port}${url.pathname}`, init),
    });
    return await check.check(password, systemRuntime);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const lines = (...given: readonly string[]): RequestListener => (_, response) => void response.end(given.join("\r\n"));

test("it is told five digits of the SHA-1, and asked for padding", async () => {
  let seen = "";
  await ask((request, response) => {
    seen = `${request.method} ${request.url} ${request.headers["add-padding"]}`;
    response.end(OTHERS.join("\r\n"));
  });
  assert.equal(seen, `GET /range/${PREFIX} true`);
});

test("the address is that of Have I Been Pwned", async () => {
  let asked = "";
  const fetch = (input: string | URL | Request, init?: RequestInit) => {
    asked = `${input} ${init?.redirect}`;
    return Promise.resolve(new Response(OTHERS.join("\n")));
  };
  await haveIBeenPwned().check(PASSWORD, { ...systemRuntime, fetch });
  assert.equal(asked, `https://api.pwnedpasswords.com/range/${PREFIX} manual`);
});

for (
  const [what, answer] of [
    ["with line ends of two characters", [...OTHERS, `${REST}:1234`].join("\r\n")],
    ["with line ends of one", [`${REST}:1234`, ...OTHERS].join("\n")],
    ["in small letters", [`${REST.toLowerCase()}:1234`, ...OTHERS].join("\n")],
    ["with a line end behind it", [...OTHERS, `${REST}:1234`, ""].join("\r\n")],
  ] as const
) {
  test(`a password in the answer has leaked: ${what}`, async () => {
    assert.deepEqual(await ask(lines(answer)), { kind: "breached", count: 1234 });
  });
}

test("a password that is not in the answer has not leaked", async () => {
  assert.deepEqual(await ask(lines(...OTHERS)), { kind: "clear" });
});

test("a line of the padding counts for nothing", async () => {
  assert.deepEqual(await ask(lines(...OTHERS, `${REST}:0`)), { kind: "clear" });
});

test("a password is asked for in the form NFC, as it is hashed", async () => {
  const digest = createHash("sha1").update("Z\u00fcrich").digest("hex").toUpperCase();
  const answer = await ask(lines(`${digest.slice(5)}:3`), { password: "Zu\u0308rich" });
  assert.deepEqual(answer, { kind: "breached", count: 3 });
});

/** Answers that are none, and what the log says of them. */
const LIES: readonly (readonly [what: string, why: RegExp, answer: RequestListener])[] = [
  ["an empty answer", /not a list/, lines("")],
  ["a page", /not a list/, lines("<!doctype html><title>Sign in to the network</title>", `${REST}:5`)],
  ["JSON", /not a list/, lines(JSON.stringify({ [REST]: 5 }))],
  ["a page with the digest in a line of its own", /not a list/, lines("<pre>", `${REST}:5`, "</pre>")],
  ["a count below zero", /not a list/, lines(`${REST}:-1`)],
  ["a count that is no number", /not a list/, lines(`${REST}:many`)],
  ["a count without end", /not a list/, lines(`${REST}:${"9".repeat(400)}`)],
  ["a line without a count", /not a list/, lines(REST)],
  ["whole digests", /not a list/, lines(`${DIGEST}:5`)],
  ["one wrong line among right ones", /not a list/, lines(...OTHERS, "x", `${REST}:5`)],
  ["a redirect", /status is 302/, (_, response) => void response.writeHead(302, { location: "/other" }).end()],
  ["too many requests", /status is 429/, (_, response) => void response.writeHead(429).end(`${REST}:5`)],
  ["a fault", /status is 503/, (_, response) => void response.writeHead(503).end(`${REST}:5`)],
  ["nothing, with success", /status is 204/, (_, response) => void response.writeHead(204).end()],
  ["an answer that is too long", /too long/, lines(...Array.from({ length: 30 }, () => OTHERS.join("\r\n")))],
  [
    "an answer without end",
    /too long|took longer/,
    (_, response) => {
      const more = () => {
        while (response.write(`${OTHERS.join("\r\n")}\r\n`));
      };
      response.on("drain", more);
      more();
    },
  ],
  ["a connection that breaks off", /Cannot ask/, (request) => void request.socket.destroy()],
  ["silence", /took longer than 0\.2 s/, () => {}],
  ["a beginning and then silence", /took longer than 0\.2 s/, (_, response) => void response.write(`${REST}:5\r\n`)],
];

for (const [what, why, answer] of LIES) {
  test(`${what} is no answer: the password is accepted, and the log is told`, async () => {
    const before = performance.now();
    const given = await ask(answer, { timeout: 0.2 });
    assert.ok(performance.now() - before < 1500);
    assert.equal(given.kind, "unknown");
    if (given.kind !== "unknown") return;
    assert.match(given.error.message, why);
    assert.equal(given.error.logCode, "provider-unreachable");
  });
}

test("whoever reads the log learns nothing of the password", async () => {
  const fetch = (url: URL) => Promise.reject(new TypeError(`error sending request for url (${url})`));
  const answer = await haveIBeenPwned({ fetch }).check(PASSWORD, systemRuntime);
  assert.equal(answer.kind, "unknown");
  if (answer.kind !== "unknown") return;
  const { error } = answer;
  const told = `${error.message} ${error.stack} ${JSON.stringify(error.cause)}`;
  assert.match(told, /error sending request/);
  for (const secret of [PASSWORD, PREFIX, REST]) assert.ok(!told.toUpperCase().includes(secret.toUpperCase()), secret);
});

test("a request that nobody waits for any more is cancelled", async () => {
  let signal: AbortSignal | null | undefined;
  const fetch = (_: URL, init: RequestInit) => {
    signal = init.signal;
    return new Promise<Response>(() => {});
  };
  await haveIBeenPwned({ fetch, timeout: 0.01 }).check(PASSWORD, systemRuntime);
  assert.equal(signal?.aborted, true);
});

test("something else than an error may be thrown", async () => {
  const fetch = () => Promise.reject(null);
  assert.equal((await haveIBeenPwned({ fetch }).check(PASSWORD, systemRuntime)).kind, "unknown");
  const throwing = () => {
    throw new Error("at once");
  };
  assert.equal((await haveIBeenPwned({ fetch: throwing }).check(PASSWORD, systemRuntime)).kind, "unknown");
});

test("the wait is above zero and at most ten seconds", () => {
  for (const timeout of [0, -1, 11, NaN, Infinity]) {
    assert.throws(() => haveIBeenPwned({ timeout }), { type: "InvalidConfig", message: /`timeout`/ }, `${timeout}`);
  }
  assert.equal(haveIBeenPwned({ timeout: 10 }).id, "have-i-been-pwned");
});
