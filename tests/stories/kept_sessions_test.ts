/** Stored sessions that are kept in memory for a while, in two processes on one database. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createAuth } from "@x/auth";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { Browser } from "../_support/browser.ts";
import { ADA, password, testConfig } from "../_support/service.ts";

const COOKIE = "authjs.session-token";

test("a session that one process ends is over there at once, and elsewhere as soon as anything is decided by it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kept-"));
  const adapters = [0, 1].map(() => sqliteAdapter(join(folder, "auth.db")));
  const [here, elsewhere] = adapters.map((adapter) =>
    createAuth(
      testConfig({ adapter, providers: [password()], session: { strategy: "database", cache: { seconds: 3600 } } }),
    )
  );
  assert.ok(here && elsewhere);
  try {
    const browser = new Browser(here.handler);
    await browser.post("/auth/callback/credentials", { ...ADA, csrfToken: await browser.csrf() });
    const cookie = `${COOKIE}=${browser.cookies.get(COOKIE)?.value}`;
    const request = () => new Request("http://localhost:3000/auth/session", { headers: { cookie } });
    const read = async ({ handler }: typeof here) => await (await handler(request())).json();
    for (const service of [here, elsewhere, here]) assert.equal((await read(service)).user.name, "Ada Lovelace");

    await browser.signOut();
    assert.equal(await read(here), null, "a copy of the cookie is worth nothing");
    assert.equal((await read(elsewhere)).user.name, "Ada Lovelace", "it knows of nothing yet");
    assert.deepEqual(await elsewhere.sessions.list(request()), []);
    assert.equal(await elsewhere.sessions.revokeAll(request()), 0);
  } finally {
    for (const adapter of adapters) adapter.close();
    rmSync(folder, { recursive: true });
  }
});
