/** V25, V26: what an impostor prepared before the owner came. Found by histories, and told here by themselves. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { openVisitedService } from "../_support/visitors.ts";

const ADDRESS = "victim@example.com";
const OWNER = { sub: "owner", email: ADDRESS, email_verified: true };
const IMPOSTOR = { sub: "impostor", email: ADDRESS, email_verified: false };

async function open() {
  const adapter = memoryAdapter();
  const service = await openVisitedService({ adapter, session: { strategy: "database" } });
  const prove = async (email = ADDRESS) => {
    const visitor = service.visitor();
    await visitor.ask(email);
    await visitor.open(service.links.get(email) ?? new URL("http://localhost"));
    return visitor;
  };
  return { adapter, prove, ...service };
}

test("a password that was set before the verification and never used opens the user no more", async () => {
  const { visitor, prove, passwords } = await open();
  const mallory = visitor();
  await mallory.register(ADDRESS);
  const id = await mallory.inside() ?? "";
  passwords.set("mallory", { id, email: ADDRESS });
  const victim = await prove();
  assert.equal(await victim.inside(), id);
  await mallory.type("mallory");
  assert.equal(await mallory.inside(), null);
});

test("a password that was set after the first verification opens the user of whoever came by it", async () => {
  for (const way of ["link", "provider"]) {
    const { visitor, prove, passwords } = await open();
    const owner = visitor();
    if (way === "provider") await owner.come("plain", OWNER);
    const id = await (way === "link" ? await prove() : owner).inside() ?? "";
    passwords.set("owner", { id, email: ADDRESS });
    const other = visitor();
    await other.type("owner");
    assert.equal(await other.inside(), id);
  }
});

test("whoever lost an address signs in by a password that still names it, without it", async () => {
  const { visitor, passwords, adapter } = await open();
  const mallory = visitor();
  await mallory.come("plain", IMPOSTOR);
  const id = await mallory.inside() ?? "";
  passwords.set("mallory", { id, email: ADDRESS });
  const owner = visitor();
  await owner.come("plain", OWNER);
  const again = visitor();
  await again.type("mallory");
  assert.equal(await again.inside(), id);
  assert.equal((await adapter.getUser(id))?.email, null);
  assert.equal((await adapter.getUserByEmail(ADDRESS))?.id, await owner.inside());
});

test("a user who verified another address cannot keep an unverified one from its owner", async () => {
  const { visitor, prove, adapter } = await open();
  const mallory = await prove("mallory@example.com");
  const id = await mallory.inside() ?? "";
  await adapter.updateUser({ id, email: ADDRESS, emailVerified: null });
  const owner = visitor();
  await owner.come("plain", OWNER);
  assert.equal((await adapter.getUserByEmail(ADDRESS))?.id, await owner.inside());
  assert.notEqual(await owner.inside(), id);
  assert.equal(await mallory.inside(), id);
});

test("what was added before the application changed the address is gone when the new one is verified", async () => {
  const { visitor, prove, adapter } = await open();
  const mallory = visitor();
  await mallory.come("plain", { sub: "mallory", email: "mallory@example.com", email_verified: true });
  const key = await mallory.register(ADDRESS);
  const id = await mallory.inside() ?? "";
  await adapter.updateUser({ id, email: ADDRESS, emailVerified: null });
  const victim = await prove();
  assert.equal(await victim.inside(), id);
  assert.deepEqual([await adapter.listAccountsByUserId(id), await adapter.listAuthenticatorsByUserId(id)], [[], []]);
  const again = visitor();
  if (key) await again.authenticate(key);
  assert.equal(await again.inside(), null);
});

test("what the owner adds after a provider that links vouched for them stays when they open a link", async () => {
  const { visitor, prove } = await open();
  await visitor().come("plain", IMPOSTOR);
  const owner = visitor();
  await owner.come("linking", OWNER);
  const id = await owner.inside();
  const key = await owner.register(ADDRESS);
  await prove();
  assert.equal(await owner.inside(), id);
  const again = visitor();
  if (key) await again.authenticate(key);
  assert.equal(await again.inside(), id);
});

for (const way of ["passkey", "account"]) {
  test(`the ${way} that is taken away between the decision and the commit signs nobody in`, async () => {
    const rows = memoryAdapter();
    let before: () => unknown = () => {};
    const adapter: typeof rows = {
      ...rows,
      async commit(plan) {
        await before();
        return await rows.commit(plan);
      },
    };
    const { visitor } = await openVisitedService({ adapter, session: { strategy: "database" } });
    const ben = visitor();
    const key = way === "passkey" ? await ben.register(ADDRESS) : null;
    if (!key) await ben.come("plain", IMPOSTOR);
    const id = await ben.inside();
    before = async () => {
      const [credential] = await rows.listAuthenticatorsByUserId(id ?? "");
      await rows.deleteAuthenticator(credential?.credentialID ?? "");
      await rows.unlinkAccount({ provider: "plain", providerAccountId: IMPOSTOR.sub });
    };
    const again = visitor();
    await (key ? again.authenticate(key) : again.come("plain", IMPOSTOR));
    assert.deepEqual([await again.inside(), await ben.inside()], [null, id]);
  });
}
