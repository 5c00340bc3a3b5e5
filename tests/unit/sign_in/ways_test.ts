import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResolvedConfig } from "../../../src/config/resolve.ts";
import type { AdapterAccount, AdapterAuthenticator } from "../../../src/kernel/model.ts";
import {
  accountWay,
  canRemove,
  type Owned,
  passkeyWay,
  PASSWORD_WAY,
  type Way,
  type WayKey,
  waysOf,
} from "../../../src/sign_in/ways.ts";

const userId = "ada";

const account = (provider: string, type: AdapterAccount["type"] = "oauth"): AdapterAccount => ({
  userId,
  type,
  provider,
  providerAccountId: "1",
});

const passkey: AdapterAuthenticator = {
  userId,
  credentialID: "key",
  providerAccountId: "1",
  credentialPublicKey: "",
  counter: 7,
  credentialDeviceType: "multiDevice",
  credentialBackedUp: true,
};

const way = (key: WayKey): Way => ({ ...key, expect: {} });

const EMAIL: Way = { kind: "email", key: "", expect: {} };

/** One of each kind, and two accounts. */
const ALL: readonly Way[] = [
  EMAIL,
  way(PASSWORD_WAY),
  way(accountWay(account("github"))),
  way(accountWay(account("google"))),
  way(passkeyWay(passkey)),
  { kind: "credentials", key: "legacy", expect: {} },
];

function subsetsOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  return all.reduce<T[][]>((subsets, one) => [...subsets, ...subsets.map((subset) => [...subset, one])], [[]]);
}

test("a way may be removed exactly if another one is left, of every set of ways", () => {
  for (const ways of subsetsOf(ALL)) {
    for (const removed of subsetsOf(ALL)) {
      const left = ways.filter((one) => !removed.includes(one));
      const found = canRemove(ways, removed);
      assert.equal(found !== null, left.length > 0, JSON.stringify({ ways, removed }));
      assert.ok(found === null || left.includes(found), "what is named as left is left");
    }
  }
});

test("of several ways that are left, the one that nobody can take away is named", () => {
  for (const ways of subsetsOf(ALL)) {
    const [first] = ways;
    // `ALL` is in the order that is asked for.
    assert.equal(canRemove(ways.toReversed(), [])?.kind, first?.kind);
  }
});

test("a way of one kind is not taken for one of another with the same key", () => {
  const email: Way = { kind: "email", key: "", expect: {} };
  assert.equal(canRemove([email], [PASSWORD_WAY]), email);
});

const PROVIDERS = new Map([
  ["github", { id: "github", type: "oauth" }],
  ["google", { id: "google", type: "oidc" }],
  ["email", { id: "email", type: "email" }],
  ["passkey", { id: "passkey", type: "webauthn" }],
  ["legacy", { id: "legacy", type: "credentials" }],
  ["password", { id: "password", type: "credentials", passwords: {} }],
]);

function config(...ids: readonly string[]): Pick<ResolvedConfig, "providers"> {
  return { providers: new Map([...PROVIDERS].filter(([id]) => ids.includes(id))) } as unknown as ResolvedConfig;
}

const NOBODY: Owned = {
  user: { id: userId, email: "ada@example.com", emailVerified: null },
  isProven: false,
  accounts: [],
  passkeys: [],
  password: null,
};

interface Case {
  readonly providers: readonly string[];
  readonly owned: Partial<Owned>;
  readonly kinds: readonly string[];
}

const OF_PASSKEY = account("passkey", "webauthn");

const CASES: Readonly<Record<string, Case>> = {
  "nothing": { providers: [...PROVIDERS.keys()], owned: {}, kinds: [] },
  "a proven address": { providers: ["email"], owned: { isProven: true }, kinds: ["email"] },
  "a proven address, and nothing sends links": { providers: ["github"], owned: { isProven: true }, kinds: [] },
  "an address that is not proven": { providers: ["email"], owned: {}, kinds: [] },
  "accounts": {
    providers: ["github", "google"],
    owned: { accounts: [account("github"), account("google", "oidc")] },
    kinds: ["account", "account"],
  },
  "an account whose provider is gone": {
    providers: ["google"],
    owned: { accounts: [account("github")] },
    kinds: [],
  },
  "an account of the application": {
    providers: ["legacy"],
    owned: { accounts: [account("legacy", "credentials")] },
    kinds: ["credentials"],
  },
  "the account of a password without the password": {
    providers: ["password"],
    owned: { accounts: [account("password", "credentials")] },
    kinds: [],
  },
  "a password": {
    providers: ["password"],
    owned: { isProven: true, password: { version: 3, setAt: null } },
    kinds: ["password"],
  },
  "a password for an address that is not proven": {
    providers: ["password"],
    owned: { password: { version: 3, setAt: null } },
    kinds: [],
  },
  "a passkey": {
    providers: ["passkey"],
    owned: { passkeys: [passkey], accounts: [OF_PASSKEY] },
    kinds: ["passkey"],
  },
  "a passkey whose account was removed": {
    providers: ["passkey"],
    owned: { passkeys: [passkey], accounts: [] },
    kinds: [],
  },
  "a passkey whose account is at another provider": {
    providers: ["passkey", "github"],
    owned: { passkeys: [passkey], accounts: [account("github")] },
    kinds: ["account"],
  },
  "a passkey, where accounts cannot be listed": {
    providers: ["passkey"],
    owned: { passkeys: [passkey], accounts: null },
    kinds: ["passkey"],
  },
};

for (const [name, { providers, owned, kinds }] of Object.entries(CASES)) {
  test(`what works now is found: ${name}`, () => {
    assert.deepEqual(waysOf(config(...providers), { ...NOBODY, ...owned }).map(({ kind }) => kind), kinds);
  });
}

test("what has to be true still is said of each way that others may take away", () => {
  const owned: Owned = {
    ...NOBODY,
    isProven: true,
    accounts: [account("github"), OF_PASSKEY],
    passkeys: [passkey],
    password: { version: 3, setAt: null },
  };
  const ways = waysOf(config(...PROVIDERS.keys()), owned);
  assert.deepEqual(Object.fromEntries(ways.map(({ kind, expect }) => [kind, expect])), {
    email: {},
    password: { records: [{ kind: "password", id: userId, version: 3 }] },
    account: { account: { provider: "github", providerAccountId: "1", userId } },
    passkey: { authenticator: { credentialID: "key", counter: 7, userId } },
  });
  const elsewhere = waysOf(config("password"), { ...NOBODY, isProven: true, password: { version: null, setAt: null } });
  assert.deepEqual(elsewhere.map(({ expect }) => expect), [{}], "of a table of the application nothing is known");
});
