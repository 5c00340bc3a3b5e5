import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryAdapter } from "../../../adapters/memory.ts";
import { ADA_ID, openWorld } from "../../_support/refreshes.ts";

test("an access token that is valid for more than a minute is given as it is stored", async () => {
  const adapter = memoryAdapter();
  const { ask, runtime, family, issuer } = await openWorld({ adapter });
  const expires_at = runtime.now() / 1000 + 61;
  await adapter.updateAccount({ provider: "idp", providerAccountId: "ada-1", expires_at });
  assert.deepEqual(await ask(), {
    accessToken: "access-0",
    tokenType: "bearer",
    expiresAt: new Date(expires_at * 1000),
    scope: "openid calendar",
    provider: "idp",
    providerAccountId: "ada-1",
  });
  assert.deepEqual([family.given, issuer.requests.length], [0, 0]);
});

test("an access token that expires within a minute is refreshed, and stored with the new refresh token", async () => {
  const { ask, row, family, runtime } = await openWorld({ adapter: memoryAdapter() });
  const given = await ask();
  assert.equal(given.accessToken, "family-access-1");
  assert.equal(given.expiresAt?.getTime(), runtime.now() + 3600_000);
  const stored = await row();
  assert.equal(stored.access_token, "family-access-1");
  assert.equal(stored.refresh_token, family.current);
  assert.equal(stored.scope, "openid calendar");
  assert.equal((await ask()).accessToken, "family-access-1");
  assert.equal(family.given, 1);
});

test("500 callers in four processes lead to one refresh", async () => {
  const { another, family } = await openWorld({ adapter: memoryAdapter() });
  const asks = [another(), another(), another(), another()];
  const all = await Promise.all(Array.from({ length: 500 }, (_, n) => asks[n % 4]?.()));
  assert.deepEqual([...new Set(all.map((token) => token?.accessToken))], ["family-access-1"]);
  assert.deepEqual([family.given, family.refusals], [1, 0]);
});

test("a refresh token that the provider refuses is RefreshRequired, and is not sent again", async () => {
  const { ask, another, family, log } = await openWorld({
    adapter: memoryAdapter(),
    account: { refresh_token: "stolen" },
  });
  for (const one of [ask, ask, another(), another()]) {
    await assert.rejects(() => one({ userId: ADA_ID }), { type: "RefreshRequired", reason: "refused" });
  }
  assert.equal(family.refusals, 1);
  assert.deepEqual(log.errors, []);
});
