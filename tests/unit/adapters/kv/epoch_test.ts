import assert from "node:assert/strict";
import { test } from "node:test";
import { type AdapterAccount, isUnverified } from "../../../../src/contract/adapter.ts";
import { endSessions, type Epochs, isEvicted, newLife, revokeUnverified } from "../../../../adapters/kv/epoch.ts";

const EMAILS = ["ada@example.com", "countess@example.com", "mallory@example.com", null];

function account(members: Partial<AdapterAccount>): AdapterAccount {
  return { userId: "1", provider: "idp", providerAccountId: "1", type: "oidc", ...members };
}

const VOUCHED = [undefined, null, ...EMAILS, "nobody@example.com"];
const ACCOUNTS = (["oidc", "webauthn", "credentials"] as const).flatMap((type) =>
  [undefined, null, true, false].flatMap((email_verified) =>
    VOUCHED.map((email) => account({ type, email_verified, email } as Partial<AdapterAccount>))
  )
);

/** All histories of evictions of some length. */
function histories(length: number): (string | null)[][] {
  if (length === 0) return [[]];
  return histories(length - 1).flatMap((history) => EMAILS.map((email) => [...history, email]));
}

test("isEvicted() is true from the first eviction that an account does not outlive, however many follow", () => {
  for (const history of [0, 1, 2, 3, 4].flatMap(histories)) {
    const epochs = history.reduce<Epochs>(revokeUnverified, newLife("life"));
    for (const row of ACCOUNTS) {
      for (let written = 0; written <= history.length; written++) {
        const expected = history.slice(written).some((email) => isUnverified(row, email));
        assert.equal(isEvicted(row, written, epochs), expected, JSON.stringify({ history, written, row }));
      }
    }
  }
});

test("epochs do not grow with each eviction", () => {
  let epochs = newLife("life");
  for (let i = 0; i < 1000; i++) epochs = endSessions(revokeUnverified(epochs, `${i}@example.com`));
  assert.equal(epochs.evictions.length, 2);
  assert.equal(epochs.epoch, 2000);
});

test("endSessions() ends neither accounts nor credentials", () => {
  const epochs = endSessions(newLife("life"));
  assert.deepEqual(epochs, { life: "life", epoch: 1, sessions: 1, credentials: 0, evictions: [] });
});
