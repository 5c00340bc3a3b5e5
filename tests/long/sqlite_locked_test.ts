/** A service whose SQLite file another process has locked. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import type { Browser } from "../_support/browser.ts";
import { openMultiProvider } from "../_support/multi_provider.ts";

/** Milliseconds within which a page answers that needs nothing of the file; one in twenty may be disturbed. */
const PROMPT = 50;

/** Seconds after which the service gives up a request, and those that its answer may take beyond that. */
const DEADLINE = 1;
const MARGIN = 0.5;

const VISITORS = 7;

const SCRIPT = fileURLToPath(new URL("./_sqlite_lock.ts", import.meta.url));
const COMMAND = "Deno" in globalThis ? ["run", "--no-check", "--allow-all", SCRIPT] : [SCRIPT];

async function lock(path: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [...COMMAND, path], { stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return async () => {
    const ended = once(child, "close");
    child.stdin.end("go");
    await ended;
  };
}

async function serve(): Promise<{ url: string; close: () => void }> {
  const server = createServer((_, response) => response.end("static"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

async function signOut(browser: Browser): Promise<Response> {
  const { csrfToken } = await (await browser.get("/auth/csrf")).json();
  return await browser.post("/auth/signout", { csrfToken });
}

test("other requests are answered promptly while another process holds the lock of the file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sqlite-"));
  const path = join(folder, "auth.db");
  const adapter = sqliteAdapter(path, { busyTimeout: 30_000 });
  // Every read renews the session, which is a write.
  const session = { updateAge: 0 };
  const { come, visitor } = openMultiProvider({ adapter, session, timeouts: { total: DEADLINE }, mayFail: true });
  const visitors: Browser[] = [];
  for (let n = 0; n < VISITORS; n += 1) {
    const browser = visitor();
    await come(browser, "google", { sub: `${n}`, email: `${n}@example.com`, email_verified: true });
    visitors.push(browser);
  }
  const page = await serve();
  await timed(async () => await (await fetch(page.url)).text());
  const letGo = await lock(path);

  let waiting = true;
  const [reader, ...leavers] = visitors;
  const requests = [
    timed(async () => await reader?.get("/auth/session")),
    ...leavers.map((browser) => timed(() => signOut(browser))),
  ];
  const answered = Promise.all(requests).finally(() => waiting = false);
  const pages: number[] = [];
  while (waiting) {
    pages.push(await timed(async () => await (await fetch(page.url)).text()));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  for (const took of await answered) assert.ok(took < (DEADLINE + MARGIN) * 1000, `an answer took ${took} ms`);
  pages.sort((a, b) => a - b);
  const slow = pages[Math.floor(pages.length * 0.95)] ?? Infinity;
  assert.ok(pages.length > 20 && slow < PROMPT, `of ${pages.length} pages one in twenty took ${slow} ms or more`);
  assert.ok((pages.at(-1) ?? 0) < 5 * PROMPT, `a page took ${pages.at(-1)} ms`);

  await letGo();
  const browser = visitor();
  await come(browser, "google", { sub: "later", email: "later@example.com", email_verified: true });
  assert.equal((await browser.session())?.user?.email, "later@example.com");
  const { id = "" } = await adapter.getUserByEmail("later@example.com") ?? {};
  assert.equal((await adapter.listSessionsByUserId(id)).length, 1);
  await signOut(browser);
  assert.equal((await adapter.listSessionsByUserId(id)).length, 0);
  page.close();
  adapter.close();
  await rm(folder, { recursive: true });
});
