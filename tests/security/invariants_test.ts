/** The checker of stored rows sees each thing that can be wrong with them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { brokenRows, brokenSteps, type Dump, type Row } from "../_support/invariants.ts";

const RULES = { now: 1_000_000, maxAge: 1000 };

const SOUND: Dump = {
  users: [
    { id: "u1", email: "ada@example.com", emailVerified: null },
    { id: "u2", email: "bob@example.com", emailVerified: 5 },
    { id: "u3", email: null, emailVerified: null },
  ],
  accounts: [{ provider: "idp", providerAccountId: "a1", userId: "u1" }],
  sessions: [{ sessionToken: "s1", userId: "u2", expires: 2_000_000 }],
  authenticators: [{ credentialID: "c1", userId: "u3", counter: 7 }],
  tokens: [{ identifier: "ada@example.com", token: "t1", expires: 2_000_000 }],
};

function plus(table: keyof Dump, row: Row): Dump {
  return { ...SOUND, [table]: [...SOUND[table], row] };
}

function instead(table: keyof Dump, change: Row): Dump {
  return { ...SOUND, [table]: SOUND[table].map((row) => ({ ...row, ...change })) };
}

const BROKEN: readonly (readonly [invariant: string, dump: Dump])[] = [
  ["I1", plus("accounts", { provider: "idp", providerAccountId: "a2", userId: "nobody" })],
  ["I2", plus("sessions", { sessionToken: "s2", userId: "nobody", expires: 2_000_000 })],
  ["I3", plus("authenticators", { credentialID: "c2", userId: "nobody", counter: 0 })],
  ["I4", plus("users", { id: "u4", email: "eve@example.com", emailVerified: null })],
  ["I6", plus("users", { id: "u1", email: "other@example.com", emailVerified: 5 })],
  ["I6", plus("users", { id: "u4", email: "Ada@Example.com", emailVerified: 5 })],
  ["I6", plus("accounts", { provider: "idp", providerAccountId: "a1", userId: "u2" })],
  ["I6", plus("sessions", { sessionToken: "s1", userId: "u1", expires: 2_000_000 })],
  ["I6", plus("authenticators", { credentialID: "c1", userId: "u1", counter: 0 })],
  ["I6", plus("tokens", { identifier: "ada@example.com", token: "t1", expires: 0 })],
  ["I9", instead("sessions", { expires: 2_000_001 })],
  ["I9", instead("sessions", { expires: "never" })],
  ["I9", instead("sessions", { expires: null })],
];

test("brokenRows() finds nothing in rows that are sound", () => {
  assert.deepEqual(brokenRows(SOUND, RULES), []);
  const plain = plus("accounts", { provider: "other", providerAccountId: "a1", userId: "u1" });
  assert.deepEqual(brokenRows(plain, RULES), []);
});

for (const [at, [invariant, dump]] of BROKEN.entries()) {
  test(`brokenRows() sees row ${at + 1} of the table, which breaks ${invariant}`, () => {
    const found = brokenRows(dump, RULES);
    assert.deepEqual(found.map((line) => line.split(":")[0]), [invariant], found.join());
  });
}

test("brokenRows() lets a user wait for an account, or do without, only where it is told so", () => {
  const dump = plus("users", { id: "u4", email: null, emailVerified: null });
  assert.equal(brokenRows(dump, RULES).length, 1);
  assert.deepEqual(brokenRows(dump, { ...RULES, unfinished: true }), []);
  assert.deepEqual(brokenRows(dump, { ...RULES, exempt: ["u4"] }), []);
});

test("brokenSteps() sees what goes backwards, and nothing else", () => {
  const forward = {
    ...instead("sessions", { expires: 3_000_000 }),
    authenticators: [{ ...SOUND.authenticators[0], counter: 8 }],
    users: SOUND.users.map((user) => ({ ...user, emailVerified: user.emailVerified ?? 9 })),
  };
  assert.deepEqual(brokenSteps(SOUND, forward), []);
  const found = brokenSteps(forward, SOUND).map((line) => line.split(":")[0]);
  assert.deepEqual(found, ["I11", "I11", "I10", "P9"]);
  assert.deepEqual(brokenSteps(SOUND, { ...SOUND, sessions: [], authenticators: [], users: [] }), [], "rows may go");
});
