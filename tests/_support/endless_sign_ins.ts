/**
 * Sign-ins without end, for processes that are killed in the middle of them, and what must be true afterwards.
 *
 * @module
 */
import { spawn } from "node:child_process";
import assert from "node:assert/strict";
import { writeSync } from "node:fs";
import process from "node:process";
import type { CompleteAdapter } from "../../src/contract/adapter.ts";

const LATER = new Date(Date.UTC(2100, 0, 1));

/** Signs one visitor after another in, and says of each that it is done. `who` tells those apart who do the same. */
export async function signInWithoutEnd(adapter: CompleteAdapter, who: string): Promise<never> {
  for (let n = 0;; n += 1) {
    const name = `${who}-${n}`;
    const identifier = `${name}@example.com`;
    await adapter.createVerificationToken({ identifier, token: "hash", expires: LATER });
    await adapter.putRecord({ kind: "pending", id: name, version: 0, data: {} });
    const result = await adapter.commit({
      consume: { identifier, tokens: ["hash"], now: new Date() },
      createUser: { id: name, email: identifier, emailVerified: new Date() },
      records: {
        remove: [{ kind: "pending", id: name }],
        put: [{ kind: "password", id: name, userId: name, version: 0, data: { hash: name } }],
      },
      linkAccount: { userId: name, provider: "mock", providerAccountId: name, type: "oidc" },
      createSession: { sessionToken: name, userId: name, expires: LATER },
    });
    if (result !== "done") throw new Error(`${name}: ${result}`);
    // At once, unlike a stream: what was said must be true even if nothing else happens any more.
    writeSync(1, `${name}\n`);
  }
}

/** Runs a script that signs in without end, kills it at some moment, and says which sign-ins it acknowledged by then. */
export async function killed(script: string, path: string, life: number): Promise<readonly string[]> {
  const command = "Deno" in globalThis ? ["run", "--no-check", "--allow-all", script] : [script];
  const child = spawn(process.execPath, [...command, path, `${life}`], { stdio: ["ignore", "pipe", "inherit"] });
  let told = "";
  const ended = new Promise((resolve) => child.on("close", (_, signal) => resolve(signal)));
  const begun = new Promise<void>((resolve) => {
    child.stdout.on("data", (text) => {
      told += text;
      resolve();
    });
  });
  await Promise.race([begun, ended]);
  // Some at once, some after a while, so that every moment of a sign-in is hit.
  await new Promise((resolve) => setTimeout(resolve, (life * 7) % 40));
  child.kill("SIGKILL");
  assert.equal(await ended, "SIGKILL", told);
  return told.split("\n").slice(0, -1);
}

/** Holds an adapter to what it acknowledged. */
export async function assertStored(adapter: CompleteAdapter, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const found = await adapter.getSessionAndUser(name);
    assert.equal(found?.user.id, name, `${name} was acknowledged`);
    assert.equal((await adapter.getAccount(name, "mock"))?.userId, name);
    assert.deepEqual((await adapter.getRecord({ kind: "password", id: name }))?.data, { hash: name });
  }
}

/** Questions about a file of SQLite whose answer must be 0. */
export const FLAWS: Readonly<Record<string, string>> = {
  "accounts without a user": "select count(*) from account where userId not in (select id from user)",
  "sessions without a user": "select count(*) from session where userId not in (select id from user)",
  "users without an account": "select count(*) from user where id not in (select userId from account)",
  "users without a session": "select count(*) from user where id not in (select userId from session)",
  "accounts that are there twice":
    "select count(*) - count(distinct provider || ' ' || providerAccountId) from account",
  "addresses that are there twice": "select count(*) - count(distinct email) from user",
  "records without a user": "select count(*) from authRecord where userId not in (select id from user)",
  "users without a record":
    "select count(*) from user where id not in (select userId from authRecord where userId > '')",
  "records that a plan removes, of users whom it creates":
    "select count(*) from authRecord where kind = 'pending' and id in (select id from user)",
  "tokens of those who are signed in":
    "select count(*) from verificationToken where identifier in (select email from user)",
};
