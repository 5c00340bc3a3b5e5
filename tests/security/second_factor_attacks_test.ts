/** Attacks on second factors that were played once: each ends the same way whatever the sessions are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { sha256Base64Url } from "../../src/crypto/digest.ts";
import { sessionFunctions } from "../../src/service/session_actions.ts";
import { START } from "../_support/runtime.ts";
import * as enrolling from "../_support/enrolling.ts";
import { ADA, BOB, codeAt, type FactorSite, openFactorSite, proofOf } from "../_support/second_factor.ts";

const STRATEGIES = ["jwt", "database"] as const;

for (const strategy of STRATEGIES) {
  test(`a sign-in that waits ends with all sessions of its user: strategy ${strategy}`, async () => {
    for (const by of ["the application", "another of their sessions"]) {
      const site = await openFactorSite({ session: { strategy } });
      const id = await site.join(ADA);
      const ada = await site.begin(ADA);
      await ada.post("/auth/challenge", { method: "totp", code: await codeAt(site.runtime) });
      const thief = await site.begin(ADA);
      const { revokeAll, revokeOthers } = sessionFunctions(site.service.engine);
      const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      if (by === "the application") await revokeAll(id);
      else await revokeOthers(new Request("http://localhost:3000", { headers: { cookie } }));
      site.runtime.advance(60);
      await thief.post("/auth/challenge", { method: "totp", code: await codeAt(site.runtime) });
      assert.equal(await proofOf(thief), null, by);
      assert.equal(await proofOf(ada) !== null, by !== "the application", by);
    }
  });
}

test("a thief whose sign-in waits adds nothing once the owner has undone what was added", async () => {
  for (const strategy of STRATEGIES) {
    const site = await enrolling.openFactorSite({ adapter: memoryAdapter(), session: { strategy } });
    const [ada, thief] = [site.service.visitor(), site.service.visitor()];
    await enrolling.byLink(site, ada);
    await enrolling.enrol(site, ada);
    const token = enrolling.undoLink(site).searchParams.get("token") ?? "";
    // Both have only the first proof.
    await enrolling.byLink(site, thief);
    const owner = site.service.visitor();
    await enrolling.byLink(site, owner);
    await owner.post("/auth/factors", { act: "undo", token });
    const { step } = await enrolling.read(await thief.post("/auth/factors", { act: "totp" }));
    assert.equal(step, undefined, strategy);
    assert.equal(await ada.inside(), null);
  }
});

test("a passkey that verifies its user stops the wait of whoever says that everything is lost", async () => {
  for (const strategy of STRATEGIES) {
    const site = await openFactorSite({ session: { strategy }, factor: { recoverByEmail: { hours: 24 } } });
    const ada = await site.begin(ADA);
    const key = await ada.register(ADA) ?? assert.fail();
    await site.join(ADA);
    await (await site.begin(ADA)).post("/auth/challenge", { method: "lost" });
    const lost = async () => (await site.adapter.listRecords?.({ kind: "lost", userId: await idOf(site) }))?.length;
    assert.equal(await lost(), 1);
    await ada.signOut();
    await ada.authenticate(key);
    assert.equal((await proofOf(ada))?.level, 2, strategy);
    assert.equal(await lost(), 0, strategy);
  }
});

test("who turns the second factor on again has lost nothing yet", async () => {
  const site = await enrolling.openFactorSite({
    adapter: memoryAdapter(),
    session: { strategy: "database" },
    options: { recoverByEmail: { hours: 24 } },
  });
  const ada = site.service.visitor();
  await enrolling.byLink(site, ada);
  const { id = "" } = await site.adapter.getUserByEmail?.(ADA) ?? {};
  const lost = { kind: "lost", id: await sha256Base64Url(id) };
  await site.adapter.putRecord?.({ ...lost, userId: id, version: 0, expires: new Date(START + 1e9), data: {} });
  await enrolling.enrol(site, ada);
  assert.equal(await site.adapter.getRecord?.(lost), null);
});

test("what waits in a browser is over once somebody else enters there, or signs out", async () => {
  for (const strategy of STRATEGIES) {
    const site = await openFactorSite({ session: { strategy } });
    await site.join(ADA);
    const bob = await site.begin(BOB);
    const key = await bob.register(BOB) ?? assert.fail();
    await bob.signOut();
    await bob.come("linking", { sub: ADA, email: ADA, email_verified: true });
    assert.ok(bob.cookies.has("authjs.pending"));
    await bob.authenticate(key);
    assert.equal((await proofOf(bob))?.level, 2);
    assert.equal(bob.cookies.has("authjs.pending"), false, strategy);
    await bob.signOut();
    await bob.come("linking", { sub: ADA, email: ADA, email_verified: true });
    assert.ok(bob.cookies.has("authjs.pending"));
    await bob.signOut();
    assert.equal(bob.cookies.has("authjs.pending"), false, strategy);
  }
});

test("whoever is signed in makes few recovery codes at once, each of which costs ten slow hashes", async () => {
  const site = await enrolling.openFactorSite({ adapter: memoryAdapter(), session: { strategy: "database" } });
  const ada = site.service.visitor();
  await enrolling.byLink(site, ada);
  const { id } = await enrolling.addApp(site, ada);
  const [again, press] = [{ act: "recovery" }, { act: "confirm", id, code: "1" }];
  const answers = await Promise.all([again, press, again, press, again, press, again, press].map((fields) => {
    return ada.post("/auth/factors", fields);
  }));
  const refused = answers.filter(({ status }) => status === 429);
  assert.ok(refused.length >= 3, answers.map(({ status }) => status).join());
  for (const { headers } of refused) assert.ok(headers.get("retry-after"));
});

test("who adds an account in a browser that is trusted is led to the second proof, and adds it then", async () => {
  for (const strategy of STRATEGIES) {
    const site = await openFactorSite({ session: { strategy }, factor: { trustDevices: { days: 9 } } });
    const id = await site.join(ADA);
    const ada = await site.begin(ADA);
    await ada.post("/auth/challenge", { method: "totp", code: await codeAt(site.runtime), trust: "on" });
    await ada.signOut();
    await ada.come("linking", { sub: ADA, email: ADA, email_verified: true });
    assert.equal((await proofOf(ada))?.level, 1);
    const ownerOf = () => site.adapter.getUserByAccount?.({ provider: "plain", providerAccountId: "1" });
    const { pathname, searchParams } = new URL((await ada.come("plain", { sub: "1" })).headers.get("location") ?? "");
    assert.deepEqual([pathname, searchParams.has("callbackUrl"), await ownerOf()], ["/auth/challenge", true, null]);
    site.runtime.advance(60);
    await ada.post("/auth/challenge", { method: "totp", code: await codeAt(site.runtime) });
    await ada.come("plain", { sub: "1" });
    assert.equal((await ownerOf())?.id, id, strategy);
  }
});

async function idOf({ adapter }: Pick<FactorSite, "adapter">): Promise<string> {
  return (await adapter.getUserByEmail?.(ADA))?.id ?? assert.fail();
}
