/**
 * This release and the one before, side by side, as while a site is updated: they share a database, and a browser comes to
 * one of them with each request. And what this release makes, opened by the one before.
 *
 * @module
 */
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { Authenticator } from "../_support/authenticator.ts";
import { type Client, clientOf, type Handler } from "../compatibility/_release/client.ts";
import { consent } from "../compatibility/_release/provider.ts";
import { findPostgres, skipsWithoutPostgres, startPostgres } from "../_support/postgres.ts";
import type { Store } from "../compatibility/_release/databases.ts";
import type { Value } from "../compatibility/_release/values.ts";
import { readOverrides, readSnapshot } from "../compatibility/_files.ts";
import { BEFORE, runIn, takeRelease } from "../compatibility/_history.ts";
import { isForbidden, weigh } from "../compatibility/_snapshot.ts";
import { COOKIES, lineOf, STORES } from "../compatibility/cookies.ts";
import { WIRE } from "../compatibility/wire.ts";

/** Of two services, each person twice. */
const SIGN_INS = 1000;
const SITE = "http://localhost:3000";

const before = takeRelease(BEFORE);
after(() => before.remove());

const RELEASE = "this release";

test("the release before opens what this one makes", () => {
  const made = JSON.parse(runIn(".", "make_values.ts")) as Value[];
  const outcomes = JSON.parse(runIn(before.folder, "open_values.ts", [], JSON.stringify(made))) as string[];
  assert.ok(made.length >= 30);
  assertOpened(made, outcomes);
});

for (const store of STORES) {
  test(`the release before opens databases of this one, in ${store}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "filled-"));
    try {
      assertOpens({ filled: ".", opened: before.folder }, store, join(folder, "database"));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

const postgres = findPostgres();
const skip = skipsWithoutPostgres(postgres, "Opening databases of PostgreSQL with two releases");

test("each of the two opens databases of the other, in PostgreSQL", { skip }, async () => {
  const { url, stop } = await startPostgres(postgres);
  try {
    const at = (name: string): string => String(new URL(`/${name}`, url));
    assertOpens({ filled: ".", opened: before.folder }, "postgres", at("now"));
    assertOpens({ filled: before.folder, opened: "." }, "postgres", at("before"));
  } finally {
    await stop();
  }
});

function assertOpens(folders: { filled: string; opened: string }, store: Store, path: string): void {
  const made = JSON.parse(runIn(folders.filled, "fill_database.ts", [store, path])) as Value[];
  assert.ok(made.length >= 5);
  assertOpened(made, JSON.parse(runIn(folders.opened, "open_database.ts", [store, path], JSON.stringify(made))));
}

function assertOpened(made: readonly Value[], outcomes: readonly string[]): void {
  const expected = made.map((value) => lineOf(RELEASE, value, value.expect));
  const opened = made.map((value, at) => lineOf(RELEASE, value, outcomes[at] ?? ""));
  assert.deepEqual(weigh(COOKIES, expected, opened, readOverrides()).filter(isForbidden), []);
}

test("what the release before answered is answered still", () => {
  const told = JSON.parse(runIn(before.folder, "tell_stories.ts")) as string[];
  assert.ok(told.length > 1000);
  assert.deepEqual(weigh(WIRE, told, readSnapshot(WIRE.id), readOverrides()).filter(isForbidden), []);
});

// The database is made by either of them.
for (const [service, first] of [["stored", "before"], ["stored, sealed", "now"]] as const) {
  test(`browsers come to two releases in turn, with the service "${service}", in a database made by ${first}`, async () => {
    const site = await openSite(service, first);
    try {
      const names = Array.from({ length: SIGN_INS / 4 }, (_, at) => at);
      const lanes = Array.from({ length: 8 }, async () => {
        for (let at = names.pop(); at !== undefined; at = names.pop()) await visit(site, at, service === "stored");
      });
      await Promise.all(lanes);
    } finally {
      await site.close();
    }
  });
}

/** A site that two releases serve. */
interface Site {
  /** Gives a request to each of them in turn, beginning with the first or the second. */
  inTurn(from: number): Handler;
  /** One of them. */
  readonly sides: readonly Handler[];
  close(): Promise<void>;
}

async function openSite(service: string, first: "before" | "now"): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), "side-by-side-"));
  const folders = first === "before" ? [before.folder, "."] : [".", before.folder];
  const servers: { child: ChildProcess; handler: Handler }[] = [];
  const close = async (): Promise<void> => {
    for (const { child } of servers) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill();
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const cwd of folders) servers.push(await startServer(cwd, join(folder, "auth.db"), service));
    // The first request of the first one makes the tables.
    for (const { handler } of servers) await (await handler(new Request(`${SITE}/auth/csrf`))).body?.cancel();
  } catch (error) {
    await close();
    throw error;
  }
  const sides = servers.map(({ handler }) => handler);
  return {
    inTurn: (from) => {
      let turn = from;
      return async (request) => await (sides[turn++ % sides.length] as Handler)(request);
    },
    sides,
    close,
  };
}

async function startServer(
  cwd: string,
  path: string,
  service: string,
): Promise<{ child: ChildProcess; handler: Handler }> {
  const program = "tests/compatibility/_release/serve.ts";
  const args = ["run", "--no-check", "--allow-all", program, path, service];
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout?.once("data", (text) => resolve(Number(text)));
    child.once("exit", (code) => reject(new Error(`The server in ${cwd} ended with ${code}`)));
  });
  const handler: Handler = async (request) => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const body = method === "POST" ? { body: await request.text() } : {};
    return await fetch(`http://127.0.0.1:${port}${pathname}${search}`, {
      method,
      headers,
      redirect: "manual",
      ...body,
    });
  };
  return { child, handler };
}

/** Somebody comes in, is seen by both releases, comes again, and leaves. */
async function visit({ inTurn, sides }: Site, at: number, isStored: boolean): Promise<void> {
  const email = `person-${at}@example.com`;
  const device = new Authenticator({ origin: SITE });
  const enter = WAYS[at % WAYS.length] as Way;
  for (const round of [0, 1]) {
    const client = clientOf(inTurn(at + round), SITE);
    await enter(client, { email, device, round, sides });
    for (const side of sides) assert.equal(await emailAt(side, client), email, `${enter.name} ${at} ${round}`);
    const kept = clientOf(sides[(at + round) % 2] as Handler, SITE, Object.fromEntries(client.cookies));
    await drain(await client.post("/auth/signout"));
    assert.equal(await emailAt(inTurn(at), client), null, "after the sign-out");
    // Encrypted sessions are looked up once a minute.
    if (isStored) assert.equal(await emailAt(inTurn(at + 1), kept), null, "with a copy of the cookie");
  }
}

interface Person {
  readonly email: string;
  readonly device: Authenticator;
  readonly round: number;
  readonly sides: readonly Handler[];
}

type Way = (client: Client, person: Person) => Promise<void>;

async function byProvider(client: Client, { email }: Person): Promise<void> {
  const away = await drain(await client.post(`/auth/signin/openid?login_hint=${email.split("@")[0]}`));
  const { path, params } = consent(away.headers.get("location") ?? "");
  await drain(await client.send(`${path}?${new URLSearchParams(params)}`));
}

async function byEmail(client: Client, { email, sides }: Person): Promise<void> {
  await drain(await client.post("/auth/signin/email", { email }));
  const asked = new Request(`${SITE}/mail?${new URLSearchParams({ email })}`);
  const links = await Promise.all(sides.map(async (side) => await (await side(asked.clone())).text()));
  // One of them has sent the newest.
  for (const link of links.filter((text) => text !== "")) {
    const { pathname, search } = new URL(link);
    await drain(await client.send(pathname + search));
  }
}

async function byPasskey(client: Client, { email, device, round }: Person): Promise<void> {
  const action = round === 0 ? "register" : "authenticate";
  const query = new URLSearchParams({ action, ...(round === 0 && { email }) });
  const { options } = await (await client.send(`/auth/webauthn-options/passkey?${query}`)).json();
  const data = round === 0 ? await device.create(options) : await device.get(options);
  await drain(await client.post("/auth/callback/passkey", { action, data }));
}

const WAYS: readonly Way[] = [byProvider, byEmail, byProvider, byPasskey];

async function emailAt(side: Handler, { cookies }: Client): Promise<string | null> {
  const answer = await clientOf(side, SITE, Object.fromEntries(cookies)).send("/auth/session");
  assert.equal(answer.status, 200);
  return (await answer.json())?.user?.email ?? null;
}

async function drain(response: Response): Promise<Response> {
  const text = await response.text();
  assert.ok(response.status < 400, `${response.status}: ${text}`);
  return response;
}
