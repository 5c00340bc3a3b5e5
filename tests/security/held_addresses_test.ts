/** V26, LNK-2: users are made in other people's names, to keep these people out. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { leadsTo, NOT_LINKED, openMultiProvider } from "../_support/multi_provider.ts";

const ADDRESS = "owner@example.com";
const OWNER = { sub: "owner", name: "Owner", email: ADDRESS, email_verified: true };
const IMPOSTOR = { sub: "impostor", name: "Owner", email: ADDRESS, email_verified: false };

function withoutCommit() {
  const { commit: _, ...adapter } = memoryAdapter();
  return adapter;
}

test("an unverified address goes to whoever a provider vouches for, as a new user", async () => {
  const { visitor, come, adapter, verifyMailbox } = openMultiProvider();
  const [mallory, owner] = [visitor(), visitor()];
  await come(mallory, "lax", IMPOSTOR);
  const before = await adapter.getUserByEmail(ADDRESS);
  assert.equal(leadsTo(await come(owner, "google", OWNER)), "/");
  const after = await adapter.getUserByEmail(ADDRESS);
  assert.notEqual(after?.id, before?.id);
  assert.equal((await adapter.getUser(before?.id ?? ""))?.email, null);
  assert.equal((await owner.session())?.user?.email, ADDRESS);
  assert.equal((await mallory.session())?.user?.email, null);
  await verifyMailbox(visitor(), ADDRESS);
  assert.equal((await adapter.getUserByEmail(ADDRESS))?.id, after?.id);
  assert.equal((await owner.session())?.user?.email, ADDRESS);
});

test("a user made by a passkey in somebody's name loses the address when its owner comes", async () => {
  const { visitor, come, adapter } = openMultiProvider();
  await adapter.createUser({ id: "held", email: ADDRESS, emailVerified: null });
  await adapter.linkAccount({ provider: "passkey", providerAccountId: "key", type: "webauthn", userId: "held" });
  assert.equal(leadsTo(await come(visitor(), "google", OWNER)), "/");
  assert.notEqual((await adapter.getUserByEmail(ADDRESS))?.id, "held");
  assert.equal((await adapter.listAccountsByUserId("held")).length, 1);
});

test("a user who lost the address signs in as before, without it", async () => {
  const { visitor, come, adapter } = openMultiProvider();
  await come(visitor(), "lax", IMPOSTOR);
  const { id } = await adapter.getUserByEmail(ADDRESS) ?? {};
  await come(visitor(), "google", OWNER);
  const mallory = visitor();
  assert.equal(leadsTo(await come(mallory, "lax", IMPOSTOR)), "/");
  assert.equal((await mallory.session())?.user?.email, null);
  assert.equal((await adapter.getUserByAccount({ provider: "lax", providerAccountId: "impostor" }))?.id, id);
});

test("the application is told of the user who lost the address, and of the one who has it now", async () => {
  const events: string[] = [];
  const { visitor, come } = openMultiProvider({
    events: {
      createUser: ({ user }) => void events.push(`createUser ${user.email}`),
      updateUser: ({ user }) => void events.push(`updateUser ${user.email}`),
    },
  });
  await come(visitor(), "lax", IMPOSTOR);
  await come(visitor(), "google", OWNER);
  assert.deepEqual(events, [`createUser ${ADDRESS}`, "updateUser null", `createUser ${ADDRESS}`]);
});

for (const email_verified of [false, undefined]) {
  test(`a provider that says ${email_verified === false ? "no" : "nothing"} takes no address from anybody`, async () => {
    const { visitor, come, adapter } = openMultiProvider();
    await come(visitor(), "lax", IMPOSTOR);
    const before = await adapter.getUserByEmail(ADDRESS);
    assert.equal(leadsTo(await come(visitor(), "google", { ...OWNER, email_verified })), NOT_LINKED);
    assert.deepEqual(await adapter.getUserByEmail(ADDRESS), before);
  });
}

test("a verified address is never taken away, whether a link or a provider verified it", async () => {
  for (const founder of ["email", "google"]) {
    const { visitor, come, adapter, verifyMailbox } = openMultiProvider();
    const first = visitor();
    if (founder === "email") await verifyMailbox(first, ADDRESS);
    else await come(first, "google", { ...OWNER, sub: "other" });
    const before = await adapter.getUserByEmail(ADDRESS);
    assert.equal(leadsTo(await come(visitor(), "google", OWNER)), NOT_LINKED);
    assert.equal((await adapter.getUserByEmail(ADDRESS))?.id, before?.id);
  }
});

test("an address verified by a link stays when an account is added that verifies nothing", async () => {
  const { visitor, come, adapter, verifyMailbox } = openMultiProvider();
  const first = await verifyMailbox(visitor(), ADDRESS);
  await come(first, "lax", IMPOSTOR);
  const before = await adapter.getUserByEmail(ADDRESS);
  assert.equal(leadsTo(await come(visitor(), "google", OWNER)), NOT_LINKED);
  assert.equal((await adapter.getUserByEmail(ADDRESS))?.id, before?.id);
});

test("an address stays with a user whose accounts say nothing, or who has none", async () => {
  for (const account of [true, false]) {
    const { visitor, come, adapter } = openMultiProvider();
    await adapter.createUser({ id: "older", email: ADDRESS, emailVerified: null });
    const row = { provider: "google", providerAccountId: "older", type: "oidc", userId: "older" } as const;
    if (account) await adapter.linkAccount(row);
    assert.equal(leadsTo(await come(visitor(), "google", OWNER)), NOT_LINKED);
    assert.equal((await adapter.getUserByEmail(ADDRESS))?.id, "older");
  }
});

test("an address that is verified between the decision and the commit stays with whoever verified it", async () => {
  const rows = memoryAdapter();
  let before: () => unknown = () => {};
  const adapter = {
    ...rows,
    commit: async (plan: Parameters<typeof rows.commit>[0]) => {
      if (plan.updateUser?.email === null) await before();
      return await rows.commit(plan);
    },
  };
  const { visitor, come, verifyMailbox } = openMultiProvider({ adapter });
  await come(visitor(), "lax", IMPOSTOR);
  const { id } = await rows.getUserByEmail(ADDRESS) ?? {};
  before = () => verifyMailbox(visitor(), ADDRESS);
  assert.equal(leadsTo(await come(visitor(), "google", OWNER)), NOT_LINKED);
  assert.equal((await rows.getUserByEmail(ADDRESS))?.id, id);
});

test("an adapter without `commit` gives the address away in steps, if it can list accounts", async () => {
  const { visitor, come, adapter } = openMultiProvider({ adapter: withoutCommit() });
  await adapter.createUser?.({ id: "held", email: ADDRESS, emailVerified: null });
  await adapter.linkAccount?.({ provider: "passkey", providerAccountId: "key", type: "webauthn", userId: "held" });
  assert.equal(leadsTo(await come(visitor(), "google", OWNER)), "/");
  assert.notEqual((await adapter.getUserByEmail?.(ADDRESS))?.id, "held");
});

test("an adapter that can neither commit nor list accounts gives no address away", async () => {
  const { listAccountsByUserId: _, ...adapter } = withoutCommit();
  const { visitor, come } = openMultiProvider({ adapter });
  await adapter.createUser({ id: "held", email: ADDRESS, emailVerified: null });
  await adapter.linkAccount({ provider: "passkey", providerAccountId: "key", type: "webauthn", userId: "held" });
  assert.equal(leadsTo(await come(visitor(), "google", OWNER)), NOT_LINKED);
});
