/**
 * Runs the programs that `run.ts` has written, one after the other in one process, on Deno, Node or Bun. Servers listen
 * on a free port, and are asked for their pages. Prints one line of JSON for each program that fails.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import process from "node:process";
import { pathToFileURL } from "node:url";
import type { Ask } from "./blocks.ts";

/** A program to run. */
export interface Program {
  /** Where it stands, as `README.md:12`. */
  readonly name: string;
  /** Its file, absolute. */
  readonly file: string;
  /** The folder that it runs in, absolute. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly asks: readonly Ask[];
  /** What its log may say. */
  readonly logs: readonly string[];
  /** Files that lie there. */
  readonly files: readonly string[];
}

/** Something that answers requests. */
interface Site {
  readonly origin: string;
  fetch(request: Request): Response | Promise<Response>;
}

type Listener = { close(callback?: () => void): unknown; address(): { readonly port: number } | string | null };

const sites: (Site | Promise<Site>)[] = [];
const endings: (() => unknown)[] = [];
const complaints: string[] = [];

function atPort(port: number): Site {
  return { origin: `http://localhost:${port}`, fetch: sendAsBrowser };
}

// `fetch` of Node says with `Sec-Fetch-Mode` that a script asks, and this cannot be undone.
async function sendAsBrowser(asked: Request): Promise<Response> {
  const { url, method, headers } = asked;
  const body = await asked.text();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = { method, headers: { ...Object.fromEntries(headers), connection: "close" } };
    request(url, sent, resolve).on("error", reject).end(body);
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const received = new Headers();
  for (let at = 0; at + 1 < answer.rawHeaders.length; at += 2) {
    received.append(answer.rawHeaders[at] ?? "", answer.rawHeaders[at + 1] ?? "");
  }
  const status = answer.statusCode ?? 0;
  return new Response(status === 204 || status === 304 ? null : Buffer.concat(chunks), { status, headers: received });
}

interface DenoServe {
  readonly addr: { readonly port: number };
  shutdown(): Promise<void>;
}

/** Makes servers listen on a free port, not on the one that they ask for. */
function catchServers(): void {
  const host = globalThis as unknown as {
    Deno?: { serve(options: object, handler?: unknown): DenoServe };
    Bun?: { serve(options: object): { readonly port: number; stop(force: boolean): void } };
  };
  if (host.Deno) {
    const serve = host.Deno.serve.bind(host.Deno);
    host.Deno.serve = (...args: readonly unknown[]) => {
      const options = args.filter((arg) => typeof arg === "object");
      const handlers = args.filter((arg) => typeof arg === "function");
      const own = { port: 0, hostname: "localhost", onListen: () => undefined };
      const server = serve(Object.assign({}, ...options, own), ...handlers);
      sites.push(atPort(server.addr.port));
      endings.push(() => server.shutdown());
      return server;
    };
  }
  if (host.Bun) {
    const serve = host.Bun.serve.bind(host.Bun);
    host.Bun.serve = (options) => {
      const server = serve({ ...options, port: 0 });
      sites.push(atPort(server.port));
      endings.push(() => server.stop(true));
      return server;
    };
  }
  const prototype = Object.getPrototypeOf(createServer()) as { listen(...args: readonly unknown[]): Listener };
  const listen = prototype.listen;
  prototype.listen = function (this: Listener, ...args: readonly unknown[]) {
    const callback = args.find((arg) => typeof arg === "function") as (() => void) | undefined;
    const ready = Promise.withResolvers<Site>();
    endings.push(() => new Promise((resolve) => void this.close(() => resolve(undefined))));
    sites.push(ready.promise);
    return listen.call(this, 0, "localhost", () => {
      const address = this.address();
      if (address && typeof address === "object") ready.resolve(atPort(address.port));
      callback?.();
    });
  };
}

/** Has the log of the service count as a failure. */
function catchLog(): void {
  for (const method of ["log", "info", "debug", "warn", "error"] as const) {
    // deno-lint-ignore no-console -- programs print there, and so does the service
    console[method] = (...args: readonly unknown[]) => {
      const text = args.map(String).join(" ");
      if (/\[auth\]\[(?:warn|error)\]/.test(text)) complaints.push(text);
    };
  }
}

/** Finds what answers requests among the exports of a program. */
function exported(module: Readonly<Record<string, unknown>>): Site[] {
  const origin = "http://localhost:3000";
  const members = [module.default, module.app].flatMap((value) => {
    const { fetch } = Object(value) as { readonly fetch?: unknown };
    return typeof fetch === "function" ? [{ origin, fetch: (request: Request) => fetch.call(value, request) }] : [];
  });
  const { handler, auth } = module;
  if (typeof handler !== "function") return members;
  // The program before it on the page serves what `auth` makes.
  const serve = typeof auth === "function" ? auth((request: Request) => handler(request)) : handler;
  return [...members, { origin, fetch: (request) => serve(request) }];
}

async function send(site: Site, { method, path, form }: Ask, jar: Map<string, string>): Promise<Response> {
  const headers = new Headers({ cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") });
  if (method === "VISIT") {
    headers.set("accept", "text/html");
    headers.set("sec-fetch-mode", "navigate");
    headers.set("sec-fetch-dest", "document");
  }
  const init: RequestInit = { method: method === "POST" ? "POST" : "GET", headers, redirect: "manual" };
  if (method === "POST") {
    headers.set("origin", site.origin);
    init.body = new URLSearchParams(form);
  }
  const response = await site.fetch(new Request(new URL(path, site.origin), init));
  for (const cookie of response.headers.getSetCookie()) {
    const [pair = ""] = cookie.split(";");
    const at = pair.indexOf("=");
    if (/max-age=0/i.test(cookie)) jar.delete(pair.slice(0, at));
    else jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return response;
}

async function ask(site: Site, asked: Ask, jar: Map<string, string>): Promise<void> {
  const [, basePath] = /^(\/.*)\/(?:signin|signout|callback|session)(?:\/|$)/.exec(asked.path) ?? [];
  let { form } = asked;
  if (asked.method === "POST" && basePath && !form?.includes("csrfToken")) {
    // As a page does that posts to the service.
    const path = `${basePath}/csrf`;
    const answer = await send(site, { method: "GET", path, status: 200 }, jar);
    const { csrfToken } = await answer.json() as { readonly csrfToken: string };
    form = new URLSearchParams([...new URLSearchParams(form), ["csrfToken", csrfToken]]).toString();
  }
  const response = await send(site, { ...asked, ...form && { form } }, jar);
  const text = await response.text();
  const what = `${asked.method} ${asked.path}`;
  if (response.status !== asked.status) {
    throw new Error(`${what} is answered with ${response.status}, not ${asked.status}: ${text.slice(0, 300)}`);
  }
  // A name that somebody chose would be markup there.
  if (/^text\/html/.test(response.headers.get("content-type") ?? "") && text && !/^\s*</.test(text)) {
    throw new Error(`${what} sends a text as HTML: ${text.slice(0, 100)}`);
  }
  const all = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n") + text;
  if (asked.text && !all.includes(asked.text)) throw new Error(`${what} lacks "${asked.text}": ${all.slice(0, 2000)}`);
}

/** A program that says nothing of its pages is asked for the sign-in page. */
const SIGN_IN: readonly Ask[] = [{ method: "GET", path: "/auth/signin", status: 200 }];

/** Milliseconds after which a program is taken for one that hangs. */
const PATIENCE = 10_000;

async function inTime<T>(what: string, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${what} takes too long`)), PATIENCE);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function run({ file, folder, env, asks, logs }: Program): Promise<void> {
  process.chdir(folder);
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    const imported: unknown = await inTime("the program", import(pathToFileURL(file).href));
    const module = imported as Readonly<Record<string, unknown>>;
    // Bun makes a server of its own for one of `node:http`: it is the same site.
    const listening = new Map((await inTime("its server", Promise.all(sites))).map((site) => [site.origin, site]));
    const found = [...listening.values(), ...exported(module)];
    if (asks.length > 0 && found.length === 0) throw new Error("nothing answers the requests of its comment");
    for (const site of found) {
      const jar = new Map<string, string>();
      for (const asked of asks.length > 0 ? asks : SIGN_IN) {
        await inTime(`${asked.method} ${asked.path}`, ask(site, asked, jar));
      }
    }
    const unexpected = complaints.filter((text) => !logs.some((expected) => text.includes(expected)));
    if (unexpected.length > 0) throw new Error(unexpected.join("\n"));
  } finally {
    complaints.length = 0;
    sites.length = 0;
    for (const end of endings.splice(0)) await inTime("the end of its server", Promise.resolve(end()));
    for (const name of Object.keys(env)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}

// deno-lint-ignore no-console -- taken before it is replaced
const write = console.log;
let current = "";
process.on("unhandledRejection", (error) => write(JSON.stringify({ name: current, reason: `later: ${error}` })));
const programs = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as readonly Program[];
catchServers();
catchLog();
for (const program of programs) {
  current = program.name;
  try {
    await run(program);
  } catch (error) {
    const reason = error instanceof Error ? error.stack ?? error.message : String(error);
    write(JSON.stringify({ name: program.name, reason }));
  }
}
write(JSON.stringify({ ran: programs.length }));
process.exit(0);
