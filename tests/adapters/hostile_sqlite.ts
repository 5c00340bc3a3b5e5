/** Sign-ins over libSQL and D1 in hosts that replace what the runtime has: `Response`, `Headers`, `Date`, and `Promise`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "@libsql/client";
import { createAuth } from "../../mod.ts";
import { sqliteAdapter, type SqliteConnection } from "../../adapters/sqlite.ts";
import { Client } from "../_support/both_services.ts";
import { openD1 } from "../_support/d1_double.ts";
import { installHostileGlobals } from "../_support/hostile_globals.ts";
import { SECRET } from "../_support/service.ts";
import { liveIssuer, providerOf, signInAt } from "../_support/sign_in_twice.ts";
import { openAllProviders, visitInTurns } from "../_support/two_visitors.ts";
import { startHrana } from "./hrana_server.ts";
import { startPrimary } from "./replica.ts";
import { temporaryFile } from "./temporary.ts";

const ORIGIN = "http://localhost:3000";
const ADA = { sub: "1", name: "Ada", email: "ada@example.com", email_verified: true };

type Opened = readonly [connection: SqliteConnection, close: () => unknown];

const CONNECTIONS: Readonly<Record<string, () => Opened | Promise<Opened>>> = {
  "libSQL in memory": () => {
    const client = createClient({ url: ":memory:" });
    return [client, () => client.close()];
  },
  "a server of libSQL": async () => {
    const { path, remove } = await temporaryFile("auth.db");
    const server = await startHrana(path);
    return [createClient({ url: server.url }), async () => {
      await server.close();
      await remove();
    }];
  },
  "a replica of libSQL": async () => {
    const primary = await startPrimary();
    return [primary.replica(), primary.close];
  },
  "D1": () => {
    const { d1, database } = openD1();
    return [d1, () => database.close()];
  },
};

/** Replaces `Date` and `Promise`, as frameworks do that watch them; the answer puts back what was there. */
function installWatchedGlobals(): () => void {
  const { Date: OwnDate, Promise: OwnPromise } = globalThis;
  const watched = new Proxy(OwnDate, {});
  globalThis.Date = watched;
  globalThis.Promise = class extends OwnPromise<unknown> {} as PromiseConstructor;
  return () => {
    globalThis.Date = OwnDate;
    globalThis.Promise = OwnPromise;
  };
}

for (const [name, open] of Object.entries(CONNECTIONS)) {
  test(`people sign in over ${name} in a host that replaces globals, and nobody is given what is another's`, async () => {
    const [connection, close] = await open();
    const restore = [installHostileGlobals(), installWatchedGlobals()];
    try {
      const adapter = sqliteAdapter(connection);
      const answer = openAllProviders("database", ORIGIN, adapter);
      const ask = (path: string, init: RequestInit) => answer(new Request(ORIGIN + path, init));
      await visitInTurns(ask, { origin: ORIGIN, seed: 1, steps: 30 });
      const issuer = liveIssuer();
      const errors: unknown[] = [];
      const config = {
        adapter,
        basePath: "/auth",
        logger: { error: (error: unknown) => void errors.push(error) },
        providers: [providerOf(issuer)],
        secret: SECRET,
        session: { strategy: "database" },
        trustHost: true,
      };
      const { handler } = createAuth(config as Parameters<typeof createAuth>[0]);
      const ada = new Client({ name: "here", handler });
      issuer.claim(ADA);
      await signInAt(ada, issuer);
      assert.equal((await ada.json("/auth/session"))?.user?.email, ADA.email);
      assert.equal(await new Client({ name: "here", handler }).json("/auth/session"), null);
      await ada.post("/auth/signout");
      assert.equal(await ada.json("/auth/session"), null);
      assert.deepEqual(errors, []);
    } finally {
      for (const each of restore.reverse()) each();
      await close();
    }
  });
}
