/** What a stranger can make a service hold, and how long it can be kept from others: measured on a process of its own. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import process from "node:process";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { printLine } from "../../scripts/print.ts";
import { PROVIDERS } from "./_strained.ts";

const MIB = 1024 * 1024;

/** The most that the process may hold above what it holds at rest, while it is under strain. */
const MOST = 64 * MIB;

/** What it may hold above that when it rests again: allocators and collectors keep some for the next time. */
const MARGIN = 48 * MIB;

/** Seconds that somebody else may wait for an answer meanwhile. */
const PATIENCE_OF_OTHERS = 3;

/** How often it may be looked at until it rests again. */
const PATIENCE = 30;

const CONNECTIONS = 50;
const PIECES = 65_000;

/** Milliseconds that a long query or form may take longer than an empty one. */
const LONGER = 20;

/** Runs of which the fastest counts: whatever else happens on the machine only adds to them. */
const RUNS = 15;

const FORM = "application/x-www-form-urlencoded";
const SCRIPT = fileURLToPath(new URL("./_strained.ts", import.meta.url));

function argsOfRuntime(): string[] {
  if ("Deno" in globalThis) return ["run", "--no-check", "--allow-all"];
  return "Bun" in globalThis ? ["--max-http-header-size=131072"] : ["--disable-warning=ExperimentalWarning"];
}

/** Providers whose every answer comes in single bytes. */
const crumbs = createServer((_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.flushHeaders();
  const { socket } = response;
  let ready = true;
  socket?.on("drain", () => ready = true);
  const writing = setInterval(() => {
    if (socket && ready) ready = socket.write("1\r\n \r\n".repeat(1000));
  }, 1);
  response.on("close", () => clearInterval(writing));
});
crumbs.listen(0, "127.0.0.1");
await once(crumbs, "listening");

const provider = `http://127.0.0.1:${(crumbs.address() as AddressInfo).port}`;
const service = spawn(process.execPath, [...argsOfRuntime(), SCRIPT, provider], {
  stdio: ["ignore", "pipe", "inherit"],
});
const [printed] = await once(service.stdout, "data");
const port = Number(String(printed));
const origin = `http://127.0.0.1:${port}`;

after(() => {
  service.kill();
  crumbs.closeAllConnections();
  crumbs.close();
});

/** Bytes of memory that the process has. */
function held(): number {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, "utf8")) ?? [];
  return Number(kib) * 1024;
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function post(path: string, body: string): Promise<Response> {
  const headers = { "content-type": FORM };
  return fetch(origin + path, { method: "POST", headers, body, redirect: "manual" });
}

/** What it holds when nobody asks for anything, after it was used. */
async function atRest(): Promise<number> {
  for (let round = 0; round < 200; round++) await (await post("/auth/signin", "a=b")).text();
  await sleep(1000);
  return held();
}

/** Writes a text into a connection of its own, and waits for the answer, or for the end of the connection. */
function write(text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => void socket.write(text));
    socket.on("error", () => resolve());
    socket.on("close", () => resolve());
    socket.on("data", () => socket.destroy());
  });
}

const HEAD = `POST /auth/signin HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: ${FORM}\r\n` +
  "Transfer-Encoding: chunked\r\n\r\n";
const SINGLE_BYTES = "1\r\na\r\n".repeat(PIECES);

/** Asks for a page again and again. Returns a function that stops, and gives the longest wait in seconds. */
function asOthers(): () => Promise<number> {
  let [isOver, longest] = [false, 0];
  const asking = (async () => {
    while (!isOver) {
      const begun = performance.now();
      await (await fetch(`${origin}/auth/csrf`)).text();
      longest = Math.max(longest, (performance.now() - begun) / 1000);
      await sleep(5);
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    return longest;
  };
}

interface Strain {
  readonly name: string;
  readonly count: number;
  readonly exert: (at: number) => Promise<unknown>;
}

const STRAINS: readonly Strain[] = [
  {
    name: "forms of 65,000 pieces of one byte",
    count: CONNECTIONS,
    exert: () => write(`${HEAD}${SINGLE_BYTES}0\r\n\r\n`),
  },
  {
    name: "forms of 65,000 pieces of one byte that never end",
    count: CONNECTIONS,
    exert: () => write(`${HEAD}${SINGLE_BYTES}`),
  },
  {
    name: "forms of two bytes that never end",
    count: CONNECTIONS,
    exert: () => write(`${HEAD}1\r\na\r\n1\r\nb\r\n`),
  },
  {
    name: "answer of a provider that comes byte by byte without an end",
    count: PROVIDERS,
    exert: (at) => post(`/auth/signin/oidc${at}`, "a=b"),
  },
];

// Only there a process can be looked at from without.
const onLinux = process.platform === "linux" ? test : test.skip;

for (const { name, count, exert } of STRAINS) {
  onLinux(`at most 64 MiB more, which are given back, are held for ${count} ${name}`, async () => {
    const rest = await atRest();
    let peak = rest;
    const watching = setInterval(() => peak = Math.max(peak, held()), 20);
    const others = asOthers();
    const begun = performance.now();
    await Promise.all(Array.from({ length: count }, (_, at) => exert(at)));
    const seconds = (performance.now() - begun) / 1000;
    const waited = await others();
    clearInterval(watching);
    // Compared with what it held at rest: a collector that nobody gives anything to do collects nothing.
    let left = await atRest() - rest;
    for (let look = 0; look < PATIENCE && left > MARGIN; look++) left = await atRest() - rest;
    const mib = [rest, peak - rest, left].map((bytes) => (bytes / MIB).toFixed(0));
    printLine(`${count} ${name}: ${seconds.toFixed(1)} s; MiB at rest ${mib[0]}, at most +${mib[1]}, later +${mib[2]}`);
    assert.ok(waited <= PATIENCE_OF_OTHERS, `others waited ${waited.toFixed(1)} s`);
    assert.ok(peak - rest <= MOST, `it held ${mib[1]} MiB more than at rest`);
    assert.ok(left <= MARGIN, `it kept ${mib[2]} MiB`);
  });
}

/** 60 kB of `a&b&…`, all different. */
function many(): string {
  const names: string[] = [];
  for (let length = 0, at = 10; length < 60_000; at++) {
    const name = at.toString(36);
    names.push(name);
    length += name.length + 1;
  }
  return names.join("&");
}

const ENDPOINTS: readonly (readonly [method: "GET" | "POST", path: string, form?: string])[] = [
  ["GET", "csrf"],
  ["GET", "providers"],
  ["GET", "session"],
  ["GET", "signin"],
  ["GET", "signin/idp"],
  ["GET", "signout"],
  ["GET", "error"],
  ["GET", "verify-request"],
  ["GET", "callback/idp"],
  ["GET", "callback/email"],
  ["GET", "callback/email?token=x&email=ada@example.com"],
  ["GET", "webauthn-options/passkey"],
  ["GET", "webauthn-options/passkey?action=register&email=ada@example.com"],
  ["GET", "nothing"],
  ["POST", "session"],
  ["POST", "signin"],
  ["POST", "signin/idp"],
  ["POST", "signin/email", "email=ada@example.com"],
  ["POST", "signin/credentials"],
  ["POST", "callback/credentials", "username=ada&password=x"],
  ["POST", "callback/email", "token=x&email=ada@example.com"],
  ["POST", "callback/passkey", "action=authenticate&data=%7B%7D"],
  ["POST", "callback/posting", "code=x&state=x"],
  ["POST", "signout"],
];

const MANY = many();

interface Asked {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly form: string;
}

async function timed({ method, path, form }: Asked): Promise<number> {
  const begun = performance.now();
  const response = method === "GET" ? await fetch(`${origin}${path}`, { redirect: "manual" }) : await post(path, form);
  await response.text();
  // What the server refuses by itself never comes to us.
  assert.notEqual(response.status, 431);
  assert.notEqual(response.status, 414);
  return performance.now() - begun;
}

/** Milliseconds that one takes longer than the other, in turns, so that whatever else happens here disturbs both. */
async function longer(one: Asked, other: Asked): Promise<number> {
  await timed(one);
  const times: { readonly one: number; readonly other: number }[] = [];
  for (let run = 0; run < RUNS; run++) times.push({ one: await timed(one), other: await timed(other) });
  return Math.min(...times.map(({ one }) => one)) - Math.min(...times.map(({ other }) => other));
}

function lengthened({ method, path, form }: Asked): readonly Asked[] {
  const asked = { method, path: `${path}${path.includes("?") ? "&" : "?"}${MANY}`, form };
  return method === "GET" ? [asked] : [asked, { method, path, form: `${form}&${MANY}` }];
}

test(`a query or a form of 60 kB takes less than ${LONGER} ms longer, wherever it goes`, async () => {
  // What the server takes by itself, and the client.
  const own = new Map<string, number>();
  for (const method of ["GET", "POST"] as const) {
    const base = { method, path: "/static", form: "a=b" };
    for (const [at, asked] of lengthened(base).entries()) own.set(`${method} ${at}`, await longer(asked, base));
  }
  const found: string[] = [];
  let most = 0;
  for (const [method, to, form = "a=b"] of ENDPOINTS) {
    const path = `/auth/${to}`;
    const base = { method, path, form };
    for (const [at, asked] of lengthened(base).entries()) {
      const more = await longer(asked, base) - (own.get(`${method} ${at}`) ?? 0);
      most = Math.max(most, more);
      if (more >= LONGER) found.push(`${method} ${to}, ${at === 0 ? "query" : "form"}: ${more.toFixed(1)} ms`);
    }
  }
  const alone = [...own].map(([what, more]) => `${what}: ${more.toFixed(1)}`).join(", ");
  printLine(`60 kB take at most ${most.toFixed(1)} ms longer, besides what any page takes (${alone})`);
  assert.deepEqual(found, []);
});
