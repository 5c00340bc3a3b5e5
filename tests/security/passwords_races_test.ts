/** Passwords that change at the worst moment, that somebody planted, and what strangers see of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, AdapterUser, CompleteAdapter } from "@x/auth";
import { memoryAdapter, memoryRecords } from "@x/auth/adapters/memory";
import { withRecords } from "@x/auth/adapters/records";
import { password, type PasswordOptions } from "@x/auth/providers/password";
import { recordOf } from "../../src/passwords/stored.ts";
import { mailbox } from "../_support/mailbox.ts";
import { ADA, cheapHash, hashTable, openPasswordSite, SECRET } from "../_support/passwords.ts";
import { testRuntime } from "../_support/runtime.ts";
import { FOREIGN_WITH_RECORDS, MEMORY, plainOf, type StoreKind } from "../_support/stores.ts";
import { differencesOf, type Scene, sightOf } from "../_support/strangers.ts";

const QUIET = { logger: { warn: () => {} } };

test("a password that changes right before the session is written does not sign in", async () => {
  const memory = memoryAdapter();
  let change: (() => Promise<void>) | null = null;
  const adapter: Adapter = {
    ...memory,
    commit: async (plan) => {
      const run = change;
      change = null;
      await run?.();
      return await memory.commit(plan);
    },
  };
  for (const strategy of ["database", "jwt"] as const) {
    const site = openPasswordSite({ adapter, session: { strategy } });
    const email = `${strategy}@example.com`;
    const id = await site.join(email);
    change = () => site.passwords.set(id, "a walrus on a tricycle");
    const browser = site.browser();
    assert.equal(await site.enter(browser, email, SECRET), "CredentialsSignin", strategy);
    assert.equal(await browser.session(), null);
  }
});

test("an address that changes right before the session is written does not sign in", async () => {
  const memory = memoryAdapter();
  let change: (() => unknown) | null = null;
  const adapter: Adapter = {
    ...memory,
    commit: async (plan) => {
      await change?.();
      change = null;
      return await memory.commit(plan);
    },
  };
  const site = openPasswordSite({ adapter });
  const id = await site.join(ADA);
  change = () => memory.updateUser({ id, email: "lovelace@example.com" });
  const browser = site.browser();
  assert.equal(await site.enter(browser, ADA, SECRET), "CredentialsSignin");
  assert.equal(await browser.session(), null);
});

test("where sessions are written apart, none stays that began while a new password ended the others", async () => {
  for (const [name, open] of KEEPERS) {
    const [adapter, options] = open();
    let change: (() => Promise<void>) | null = null;
    const before = <A extends unknown[], R>(run: (...args: A) => R | PromiseLike<R>) => async (...args: A) => {
      const now = change;
      change = null;
      await now?.();
      return await run(...args);
    };
    const { createSession, commit } = adapter;
    const trapped: Adapter = {
      ...adapter,
      ...(createSession && { createSession: before(createSession) }),
      ...(commit && { commit: before(commit) }),
    };
    const site = openPasswordSite({ adapter: trapped, session: { strategy: "database" }, password: options });
    const id = await site.join(ADA);
    change = () => site.passwords.set(id, "a walrus on a tricycle");
    const browser = site.browser();
    assert.equal(await site.enter(browser, ADA, SECRET), "CredentialsSignin", name);
    assert.equal(change, null, name);
    assert.equal(await browser.session(), null, name);
    assert.deepEqual(await adapter.listSessionsByUserId?.(id) ?? [], [], name);
    assert.equal(await site.enter(site.browser(), ADA, "a walrus on a tricycle"), null, name);
  }
});

const KEEPERS: readonly (readonly [name: string, open: () => readonly [Adapter, PasswordOptions]])[] = [
  ["memory", () => [memoryAdapter(), {}]],
  ["a foreign adapter with records", () => {
    return [withRecords(plainOf(memoryAdapter() as CompleteAdapter), memoryRecords(), QUIET), {}];
  }],
  ["memory and a table of hashes", () => [memoryAdapter(), { store: hashTable(), signUp: "invited" }]],
  ["a foreign adapter and a table of hashes", () => {
    return [plainOf(memoryAdapter() as CompleteAdapter), { store: hashTable(), signUp: "invited" }];
  }],
];

for (const [name, open] of KEEPERS) {
  test(`whoever proves an address first removes the password that somebody planted there (${name})`, async () => {
    const [adapter, options] = open();
    const box = mailbox();
    const site = openPasswordSite({
      adapter,
      providers: [password({ hash: cheapHash(), ...options }), box.provider],
    });
    const id = await site.join(ADA, null, false);
    const planted = `new:${SECRET}`;
    if (options.store) await options.store.set(id, planted);
    else await adapter.putRecord?.(recordOf({ userId: id, hash: planted, email: ADA }, testRuntime()));
    assert.equal(await site.enter(site.browser(), ADA, SECRET), "CredentialsSignin", "it does not count before");

    const owner = await site.browser().signIn("email", { email: ADA });
    await owner.open(box.link());
    assert.equal((await owner.session())?.user?.email, ADA);
    assert.equal(await site.enter(site.browser(), ADA, SECRET), "CredentialsSignin", "nor afterwards");
    assert.equal(await site.passwords.remove(id), false);
  });
}

const KINDS: readonly StoreKind[] = [MEMORY, FOREIGN_WITH_RECORDS];

type Fill = (rows: CompleteAdapter) => Promise<unknown>;

function userWith(changes: Partial<AdapterUser>, hash: string | null, email = ADA): Fill {
  return async (rows) => {
    await rows.createUser({ id: "u1", name: "Ada", email: ADA, emailVerified: new Date(1e12), ...changes });
    if (hash !== null) await rows.putRecord(recordOf({ userId: "u1", hash, email }, testRuntime()));
  };
}

const WORLDS: Readonly<Record<string, Fill>> = {
  "a user with a password": userWith({}, "new:something else"),
  "a user without one": userWith({}, null),
  "a user whose address is not proven": userWith({ emailVerified: null }, "new:a guess"),
  "a user who chose it for another address": userWith({}, "new:a guess", "lovelace@example.com"),
  "a user with what is no hash": userWith({}, "poison"),
  "a user with an old hash": userWith({}, "old:something else"),
};

async function guessing({ another }: Parameters<Scene["act"]>[0]): Promise<void> {
  for (const headers of [{}, { "x-auth-return-redirect": "1" }]) {
    for (const text of ["a guess", "", "x".repeat(2000)]) {
      const browser = another();
      const fields = { csrfToken: await browser.csrf(), email: ADA, password: text };
      await browser.follow(await browser.post("/auth/callback/password", fields, { headers }));
    }
  }
}

for (const kind of KINDS) {
  for (const strategy of ["database", "jwt"] as const) {
    for (const [world, fill] of Object.entries(WORLDS)) {
      test(`a stranger cannot tell ${world} from nobody by a guess (${kind.name}, ${strategy})`, async () => {
        const compared: string[][] = [[], []];
        const [nobody, somebody] = await Promise.all([() => Promise.resolve(), fill].map(async (fill, at) => {
          const scene: Scene = {
            config: () => ({ mail: () => {}, providers: [password({ hash: cheapHash(compared[at]) })] }),
            act: guessing,
          };
          return await sightOf(scene, { kind, strategy, fill });
        }));
        assert.ok(nobody && somebody);
        assert.ok(nobody.calls.includes("getRecord"), "the scene gets as far as that");
        assert.deepEqual(differencesOf(nobody, somebody), []);
        const extra = world.includes("no hash") ? 2 : 0;
        assert.equal(compared[1]?.length, (compared[0]?.length ?? 0) + extra, "as many hashes are computed");
      });
    }
  }
}
