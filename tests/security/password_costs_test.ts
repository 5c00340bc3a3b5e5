/** Stored hashes that would cost too much, and many who sign in at once: nobody stalls the service. */
import assert from "node:assert/strict";
import { test } from "node:test";
import bcryptjs from "bcryptjs";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { limits } from "@x/auth/limits";
import { bcrypt, betterAuthScrypt, django, firebase, firebaseHash, ssha } from "@x/auth/passwords";
import { password } from "@x/auth/providers/password";
import { recordOf } from "../../src/passwords/stored.ts";
import { ADA, openPasswordSite, SECRET } from "../_support/passwords.ts";
import { testRuntime } from "../_support/runtime.ts";

const SALT = "c29tZXNhbHRvZjE2Ynl0ZQ";
const KEY = "kbKKBhjMgjWpuww50UFB0xPqvVabze1H4IskAnRDaS8";
const LONG = "A".repeat(1_400_000);
const BCRYPT = "a".repeat(53);

/** What somebody may have written into the table. */
const POISONED: Readonly<Record<string, string>> = {
  "Argon2id with 4 GiB": `$argon2id$v=19$m=4194304,t=3,p=1$${SALT}$${KEY}`,
  "Argon2id with a billion passes": `$argon2id$v=19$m=19456,t=1000000000,p=1$${SALT}$${KEY}`,
  "Argon2id with 99 passes over 256 MiB": `$argon2id$v=19$m=262144,t=99,p=1$${SALT}$${KEY}`,
  "Argon2id with a salt of a megabyte": `$argon2id$v=19$m=19456,t=2,p=1$${LONG}$${KEY}`,
  "Argon2id with a key of a megabyte": `$argon2id$v=19$m=19456,t=2,p=1$${SALT}$${LONG}`,
  "scrypt with N = 2^31": `$scrypt$ln=31,r=8,p=5$${SALT}$${KEY}`,
  "scrypt with N = 2^20 and r = 32": `$scrypt$ln=20,r=32,p=16$${SALT}$${KEY}`,
  "PBKDF2 with 10^12 rounds": `pbkdf2_sha256$1000000000000$salt$${KEY}=`,
  "PBKDF2 with ten digits of rounds": `pbkdf2_sha256$9999999999$salt$${KEY}=`,
  "PBKDF2 with a salt of a megabyte": `pbkdf2_sha256$20000$${LONG}$${KEY}=`,
  "bcrypt with cost 31": `$2b$31$${BCRYPT}`,
  "bcrypt with cost 16": `$2y$16$${BCRYPT}`,
  "Firebase with a salt of a megabyte": firebaseHash({ salt: LONG, passwordHash: KEY }),
  "Firebase with its parameters in the text": `$firebase$${SALT}$rounds=99999$${KEY}`,
  "Better Auth with a salt of a megabyte": `${LONG}:${"0".repeat(128)}`,
  "SSHA with a salt of a megabyte": `{SSHA}${LONG}`,
  "a text of a megabyte": LONG,
  "a text of dollars": "$".repeat(100_000),
  "an empty text": "",
};

const LEGACY = [bcrypt(bcryptjs), betterAuthScrypt(), django(), firebase({ signerKey: "jxspr8Ki0RYycVU8" }), ssha()];

for (const [what, hash] of Object.entries(POISONED)) {
  test(`a stored hash that is ${what} is a wrong password within a second, and logged once`, async () => {
    const adapter = memoryAdapter();
    const site = openPasswordSite({ adapter, providers: [password({ legacy: LEGACY })] });
    // The hash that is compared with instead is made beforehand.
    await site.enter(site.browser(), "nobody@example.com", SECRET);
    const id = await site.join(ADA, null);
    await adapter.putRecord(recordOf({ userId: id, hash, email: ADA }, testRuntime()));
    const browser = site.browser();
    await browser.csrf();
    const logged = site.errors.length;
    const began = performance.now();
    assert.equal(await site.enter(browser, ADA, SECRET), "CredentialsSignin");
    const took = performance.now() - began;
    assert.ok(took < 1000, `${Math.round(took)} ms`);
    const lines = site.errors.slice(logged).filter(({ name }) => name === "AdapterError");
    assert.equal(lines.length, 1, site.errors.slice(logged).map((error) => `${error}`.slice(0, 200)).join("; "));
    assert.ok(!`${lines[0]?.stack}`.includes(hash.slice(0, 40) || "\0"), "the hash is not logged");
  });
}

test("of 200 who sign in at once each is signed in, or told when to come again", async () => {
  const site = openPasswordSite({
    adapter: memoryAdapter(),
    providers: [password({ concurrency: 2 })],
    features: [limits({ off: "the queue is what is tested" })],
  });
  await site.join(ADA);
  const browsers = await Promise.all(Array.from({ length: 200 }, async () => {
    const browser = site.browser();
    return { browser, csrfToken: await browser.csrf() };
  }));
  const answers = await Promise.all(browsers.map(async ({ browser, csrfToken }) => {
    const fields = { csrfToken, email: ADA, password: SECRET };
    return { browser, answer: await browser.post("/auth/callback/password", fields) };
  }));
  const statuses = Map.groupBy(answers, ({ answer }) => answer.status);
  assert.deepEqual([...statuses.keys()].toSorted(), [302, 503]);
  for (const { browser } of statuses.get(302) ?? []) assert.equal((await browser.session())?.user?.email, ADA);
  for (const { browser, answer } of statuses.get(503) ?? []) {
    assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
    assert.equal(await browser.session(), null);
  }
  // Two are computed, and a hundred wait.
  assert.ok((statuses.get(302)?.length ?? 0) >= 2, "some are signed in");
});
