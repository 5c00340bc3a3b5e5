/** Who gets in with a password, and who does not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import bcryptjs from "bcryptjs";
import type { Adapter, AuthConfig, CompleteAdapter } from "@x/auth";
import { denoKvAdapter } from "@x/auth/adapters/deno-kv";
import { memoryAdapter, memoryRecords } from "@x/auth/adapters/memory";
import { withRecords } from "@x/auth/adapters/records";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { Overloaded } from "@x/auth/errors";
import { limits } from "@x/auth/limits";
import { bcrypt } from "@x/auth/passwords";
import { secondFactor } from "@x/auth/second-factor";
import type { PasswordHash, PasswordOptions } from "@x/auth/providers/password";
import { ADA, BOB, cheapHash, hashTable, openPasswordSite, type PasswordSite, SECRET } from "../_support/passwords.ts";
import { makeFeature } from "../../src/contract/feature.ts";
import type { Points } from "../../src/request/points.ts";
import { findPassword, replaceHash } from "../../src/sign_in/stored_password.ts";
import { plainOf } from "../_support/stores.ts";

/** A second proof that is always right. */
const SECOND_PROOF = makeFeature("second-proof", ["records"], () => {
  return Promise.resolve(
    {
      mint: (_, { authentication }) =>
        authentication.level >= 2 ? { act: "enter" } : { act: "challenge", missing: ["mfa"] },
      routes: { "POST challenge": (_, { resume }) => resume(["mfa", "otp"]) },
    } satisfies Points,
  );
});

interface Storage {
  readonly name: string;
  readonly password?: () => PasswordOptions;
  open(): Promise<{ readonly adapter: Adapter; readonly close: () => void }>;
}

const quiet = { logger: { warn: () => {} } };

const STORAGE: readonly Storage[] = [
  { name: "memory", open: () => Promise.resolve({ adapter: memoryAdapter(), close: () => {} }) },
  {
    name: "SQLite",
    open: () => {
      const adapter = sqliteAdapter(":memory:");
      return Promise.resolve({ adapter, close: () => adapter.close() });
    },
  },
  {
    name: "Deno KV",
    open: async () => {
      const kv = await Deno.openKv(":memory:");
      return { adapter: denoKvAdapter(kv), close: () => kv.close() };
    },
  },
  {
    name: "a foreign adapter with records",
    open: () => {
      const adapter = withRecords(plainOf(memoryAdapter() as CompleteAdapter), memoryRecords(), quiet);
      return Promise.resolve({ adapter, close: () => {} });
    },
  },
  {
    name: "a foreign adapter and a table of hashes",
    password: () => ({ store: hashTable(), signUp: "invited" }),
    open: () => Promise.resolve({ adapter: plainOf(memoryAdapter() as CompleteAdapter), close: () => {} }),
  },
];

const WAYS = STORAGE.flatMap((storage) => (["database", "jwt"] as const).map((strategy) => ({ ...storage, strategy })));

/** Runs a test on every storage, with stored and with sealed sessions. */
function everywhere(
  name: string,
  run: (site: PasswordSite) => Promise<void>,
  config: Pick<AuthConfig, "features"> = {},
): void {
  for (const { name: where, open, strategy, password } of WAYS) {
    test(`${name} (${where}, ${strategy})`, async () => {
      const { adapter, close } = await open();
      try {
        await run(openPasswordSite({ adapter, session: { strategy }, password: password?.() ?? {}, ...config }));
      } finally {
        close();
      }
    });
  }
}

async function hashOf({ engine }: PasswordSite, userId: string): Promise<string | undefined> {
  const { config } = await engine.configured(null);
  return (await findPassword(config, userId))?.hash;
}

everywhere("the right password signs its user in, and the session says how", async (site) => {
  const id = await site.join(ADA);
  const browser = site.browser();
  assert.equal(await site.enter(browser, ` ${ADA.toUpperCase()} `, SECRET), null);
  const session = await browser.session() as { user?: { email?: string }; auth?: { methods: string[]; level: number } };
  assert.equal(session?.user?.email, ADA);
  assert.deepEqual(session.auth?.methods, ["pwd"]);
  assert.equal(session.auth?.level, 1);
  assert.equal(await hashOf(site, id), `new:${SECRET}`);
});

everywhere("wrong passwords, unknown addresses and users without a password are refused alike", async (site) => {
  await site.join(ADA);
  await site.join(BOB, null);
  for (const [email, text] of [[ADA, `${SECRET}!`], ["eve@example.com", SECRET], [BOB, SECRET], ["nobody", SECRET]]) {
    const browser = site.browser();
    assert.equal(await site.enter(browser, String(email), String(text)), "CredentialsSignin");
    assert.equal(await browser.session(), null);
  }
});

everywhere("a password does not count while the address is not proven", async (site) => {
  const id = await site.join(ADA);
  await site.adapter.updateUser?.({ id, emailVerified: null });
  assert.equal(await site.enter(site.browser(), ADA, SECRET), "CredentialsSignin");
  await site.adapter.updateUser?.({ id, emailVerified: new Date() });
  assert.equal(await site.enter(site.browser(), ADA, SECRET), null);
});

for (const { name, open } of STORAGE.slice(0, 4)) {
  test(`a password does not count for another address than it was chosen for (${name})`, async () => {
    const { adapter, close } = await open();
    const site = openPasswordSite({ adapter });
    const id = await site.join(ADA);
    await adapter.updateUser?.({ id, email: "lovelace@example.com", emailVerified: new Date() });
    assert.equal(await site.enter(site.browser(), "lovelace@example.com", SECRET), "CredentialsSignin");
    assert.equal(await site.enter(site.browser(), ADA, SECRET), "CredentialsSignin");
    close();
  });
}

everywhere("a removed password signs nobody in", async (site) => {
  const id = await site.join(ADA);
  assert.equal(await site.passwords.remove(id), true);
  assert.equal(await site.passwords.remove(id), false);
  assert.equal(await site.enter(site.browser(), ADA, SECRET), "CredentialsSignin");
});

everywhere("64 sign-ins at once with an old hash all succeed, and it is made anew", async (site) => {
  const id = await site.join(ADA, null);
  await site.passwords.import([{ userId: id, hash: `old:${SECRET}` }]);
  const browsers = Array.from({ length: 64 }, () => site.browser());
  const answers = await Promise.all(browsers.map((browser) => site.enter(browser, ADA, SECRET)));
  assert.deepEqual(answers.filter((error) => error !== null), []);
  assert.equal(await hashOf(site, id), `new:${SECRET}`);
  assert.deepEqual(site.errors, []);
}, { features: [limits({ off: "a test" })] });

everywhere("a better hash of an old password does not replace a new password", async (site) => {
  const id = await site.join(ADA, null);
  await site.passwords.import([{ userId: id, hash: `old:${SECRET}` }]);
  const { config } = await site.engine.configured(null);
  const before = await findPassword(config, id) ?? assert.fail();
  await site.passwords.set(id, "a walrus on a tricycle");
  await replaceHash(config, before, `new:${SECRET}`);
  assert.equal(await hashOf(site, id), "new:a walrus on a tricycle");
});

for (const { name, open, password } of STORAGE) {
  test(`a password that changes while it is compared does not sign in (${name})`, async () => {
    const { adapter, close } = await open();
    let change: (() => Promise<void>) | null = null;
    const cheap = cheapHash();
    const hash: PasswordHash = {
      make: cheap.make,
      async verify(text, stored) {
        const verdict = await cheap.verify(text, stored);
        await change?.();
        change = null;
        return verdict;
      },
    };
    const site = openPasswordSite({ adapter, password: { ...password?.(), hash } });
    const id = await site.join(ADA);
    change = () => site.passwords.set(id, "a walrus on a tricycle");
    const browser = site.browser();
    assert.equal(await site.enter(browser, ADA, SECRET), "CredentialsSignin");
    assert.equal(await browser.session(), null);
    close();
  });

  test(`what stands in place of a hash is a wrong password and a line of the log (${name})`, async () => {
    const { adapter, close } = await open();
    const table = hashTable();
    const site = openPasswordSite({ adapter, password: password ? { ...password(), store: table } : {} });
    const id = await site.join(ADA);
    const { config } = await site.engine.configured(null);
    await replaceHash(config, await findPassword(config, id) ?? assert.fail(), "$2b$31$poison");
    assert.equal(await site.enter(site.browser(), ADA, SECRET), "CredentialsSignin");
    assert.deepEqual(site.errors.map(({ name }) => name), ["AdapterError", "CredentialsSignin"]);
    assert.equal(site.compared.length, 2, "it costs as much as another");
    assert.ok(!JSON.stringify(site.errors.map(String)).includes(SECRET));
    close();
  });
}

test("a hash of other software counts as it was typed and composed, and becomes one of ours", async () => {
  const site = openPasswordSite({
    adapter: memoryAdapter(),
    password: { hash: undefined, legacy: [bcrypt(bcryptjs)] },
  });
  const typed = "Zu\u0308rich is a fine place";
  const [asTyped, composed] = await Promise.all([site.join(ADA, null), site.join(BOB, null)]);
  const hashes = [bcryptjs.hashSync(typed, 4), bcryptjs.hashSync(typed.normalize("NFC"), 4)];
  const rows = [asTyped, composed].map((userId, at) => ({ userId, hash: String(hashes[at]) }));
  assert.deepEqual(await site.passwords.import(rows), { imported: 2, skipped: [] });
  for (const [id, email] of [[asTyped, ADA], [composed, BOB]] as const) {
    assert.equal(await site.enter(site.browser(), email, typed), null);
    assert.match(await hashOf(site, id) ?? "", /^\$(?:argon2id|scrypt)\$/);
    assert.equal(await site.enter(site.browser(), email, typed.normalize("NFC")), null, "in either form from now on");
  }
});

test("unknown people, known ones, and hashes of other software cost a hash of ours", async () => {
  const adapter = memoryAdapter();
  const compared: string[] = [];
  const old = { id: "ssha", matches: (stored: string) => stored.startsWith("ssha:"), verify: () => false };
  const site = openPasswordSite({ adapter, password: { hash: cheapHash(compared), legacy: [old] } });
  await site.join(ADA);
  const id = await site.join(BOB, null);
  await site.passwords.import([{ userId: id, hash: "ssha:hash" }]);
  for (const email of [ADA, BOB, "eve@example.com"]) {
    compared.length = 0;
    await site.enter(site.browser(), email, "wrong");
    assert.equal(compared.length, 1, email);
  }
});

test("guesses are limited by default, by address, whether it has a user or not", async () => {
  const site = openPasswordSite({ adapter: memoryAdapter() });
  await site.join(ADA);
  const answers = await Promise.all([ADA, "eve@example.com"].map(async (email) => {
    const seen: number[] = [];
    for (let times = 0; times < 12; times++) {
      const browser = site.browser();
      const fields = { csrfToken: await browser.csrf(), email, password: "wrong" };
      const headers = { "x-auth-return-redirect": "1" };
      seen.push((await browser.post("/auth/callback/password", fields, { headers })).status);
    }
    return seen;
  }));
  assert.ok(answers[0]?.includes(429), String(answers[0]));
  assert.deepEqual(answers[0], answers[1]);
});

test("strangers who use up the guesses at an address do not keep its owner out of a browser that was there", async () => {
  const site = openPasswordSite({ adapter: memoryAdapter() });
  await site.join(ADA);
  const owner = site.browser();
  assert.equal(await site.enter(owner, ADA, SECRET), null);
  await owner.signOut();
  const answers: (string | null)[] = [];
  for (let times = 0; times < 15; times++) answers.push(await site.enter(site.browser(), ADA, "wrong"));
  assert.equal(answers.at(-1), "TooManyAttempts");
  assert.equal(await site.enter(site.browser(), ADA, SECRET), "TooManyAttempts", "right or wrong: nothing is compared");
  assert.equal(await site.enter(owner, ADA, SECRET), null);
});

test("a table of hashes that cannot be reached is told alike for every address, and signs nobody in", async () => {
  const table = hashTable();
  const site = openPasswordSite({
    adapter: memoryAdapter(),
    password: { store: { ...table, get: () => Promise.reject(new Error("connection refused")) } },
  });
  await site.join(ADA, null);
  const errors = [await site.enter(site.browser(), ADA, SECRET), await site.enter(site.browser(), BOB, SECRET)];
  assert.deepEqual(errors, ["Configuration", "Configuration"]);
  assert.deepEqual(site.errors.map(({ name }) => name), ["AdapterError", "AdapterError"]);
});

test("a queue of hashes that is full is answered 503 with Retry-After", async () => {
  const full: PasswordHash = {
    make: (text) => cheapHash().make(text),
    verify: () => Promise.reject(new Overloaded("Cannot hash a secret: 100 others wait already")),
  };
  const site = openPasswordSite({ adapter: memoryAdapter(), password: { hash: full } });
  await site.join(ADA);
  for (const email of [ADA, "eve@example.com"]) {
    const browser = site.browser();
    const fields = { csrfToken: await browser.csrf(), email, password: SECRET };
    const answer = await browser.post("/auth/callback/password", fields);
    assert.equal(answer.status, 503);
    assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/);
  }
});

for (const store of [undefined, hashTable()]) {
  const where = store ? "a table" : "records";
  test(`a second factor is asked for after a password, and a better hash does not get in its way (${where})`, async () => {
    const site = openPasswordSite({
      adapter: memoryAdapter(),
      features: [SECOND_PROOF],
      password: store ? { store } : {},
    });
    const id = await site.join(ADA, null);
    await site.passwords.import([{ userId: id, hash: `old:${SECRET}` }]);
    const browser = site.browser();
    assert.equal(await site.enter(browser, ADA, SECRET), null);
    assert.equal(await browser.session(), null);
    assert.equal(await hashOf(site, id), `new:${SECRET}`);
    await browser.post("/auth/challenge", { csrfToken: await browser.csrf() });
    const { auth } = await browser.session() as { auth?: { methods: string[] } };
    assert.deepEqual(auth?.methods, ["mfa", "otp", "pwd"]);
  });
}

test("whoever types the right password gets in, also where no better hash can be made", async () => {
  const failing: PasswordHash = { ...cheapHash(), make: () => Promise.reject(new Error("out of memory")) };
  const site = openPasswordSite({ adapter: memoryAdapter(), password: { hash: failing } });
  const id = await site.join(ADA, null);
  await site.passwords.import([{ userId: id, hash: `old:${SECRET}` }]);
  assert.equal(await site.enter(site.browser(), ADA, SECRET), null);
  assert.equal(await hashOf(site, id), `old:${SECRET}`);
  assert.deepEqual(site.errors.map(({ name }) => name), ["AdapterError"]);
});

test("a sign-in that waits for a second factor ends where the password is changed", async () => {
  const site = openPasswordSite({ adapter: memoryAdapter(), features: [SECOND_PROOF] });
  const id = await site.join(ADA);
  const browser = site.browser();
  await site.enter(browser, ADA, SECRET);
  await site.passwords.set(id, "a walrus on a tricycle");
  await browser.post("/auth/challenge", { csrfToken: await browser.csrf() });
  assert.equal(await browser.session(), null);
});

test("passwords of 15 characters are asked for, and of 8 where a second factor is asked of everybody", async () => {
  const alone = openPasswordSite({ adapter: memoryAdapter() });
  await assert.rejects(alone.join(ADA, "14 characters!"), /15 characters at least/);
  const beside = openPasswordSite({ adapter: memoryAdapter(), features: [secondFactor({ require: "always" })] });
  await beside.join(ADA, "14 characters!");
  await assert.rejects(beside.join(BOB, "7 chars"), /8 characters at least/);
  const enrolled = openPasswordSite({ adapter: memoryAdapter(), features: [secondFactor()] });
  await assert.rejects(enrolled.join(ADA, "14 characters!"), /15 characters at least/);
});

test("`callbacks.signIn` gets the address and never the password", async () => {
  const seen: unknown[] = [];
  const site = openPasswordSite({
    adapter: memoryAdapter(),
    callbacks: { signIn: (params) => seen.push(params) > 0 },
  });
  await site.join(ADA);
  await site.enter(site.browser(), ADA, SECRET);
  const [{ account, credentials }] = seen as [{ account: object; credentials: object }];
  assert.deepEqual(credentials, { email: ADA });
  assert.equal((account as { provider: string }).provider, "password");
  assert.ok(!JSON.stringify(seen).includes(SECRET));
});

everywhere("an import says what it stores and what it does not, and can be repeated", async (site) => {
  const ids = await Promise.all([site.join(ADA, null), site.join(BOB, null, false), site.join("c@example.com")]);
  const rows = [...ids, "nobody"].map((userId) => ({ userId, hash: "old:an elephant on skates" }));
  const first = await site.passwords.import(rows);
  assert.equal(first.imported, 1);
  assert.deepEqual(first.skipped.map(({ why }) => why), ["unproven", "has-password", "no-user"]);
  assert.equal((await site.passwords.import(rows)).imported, 0);
});

test("an import refuses hashes whose format nobody knows", async () => {
  const site = openPasswordSite({ adapter: memoryAdapter(), password: { hash: undefined } });
  const userId = await site.join(ADA, null);
  const rows = ["", "plain text", "$2b$10$no", null].map((hash) => ({ userId, hash: hash as string }));
  const { imported, skipped } = await site.passwords.import(rows);
  assert.equal(imported, 0);
  assert.deepEqual(new Set(skipped.map(({ why }) => why)), new Set(["unknown-format"]));
});
