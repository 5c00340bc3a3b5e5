/** Attacks on second factors that were played once: each ends the same way whatever the sessions are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter } from "@x/auth";
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

test("recovery codes, which cost ten slow hashes, are made within the limit of wrong codes", async () => {
  const site = await enrolling.openFactorSite({ adapter: memoryAdapter(), session: { strategy: "database" } });
  const ada = site.service.visitor();
  await enrolling.byLink(site, ada);
  // These codes are the first of six.
  const { id } = await enrolling.addApp(site, ada);
  const other = await enrolling.beginApp(ada);
  for (let time = 0; time < 5; time++) await ada.post("/auth/factors", { act: "confirm", id: other.id, code: "1" });
  const [again, secondPress] = [{ act: "recovery" }, { act: "confirm", id }];
  for (const fields of [again, secondPress]) {
    const { status, headers } = await ada.post("/auth/factors", fields);
    assert.equal(status, 429);
    assert.ok(headers.get("retry-after"));
  }
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

/** All that a value says, also where a JSON of it would be silent. */
function textOf(thing: unknown, above: readonly unknown[] = []): string {
  if (typeof thing !== "object" || thing === null) return String(thing);
  if (above.includes(thing)) return "";
  const members = Reflect.ownKeys(thing).map((name) => {
    return `${String(name)}: ${textOf((thing as Record<PropertyKey, unknown>)[name], [...above, thing])}`;
  });
  return [thing instanceof Error ? String(thing.stack) : "", ...members].join("\n");
}

/** Notes what storage is given, and fails at one of its calls. */
function leaky(adapter: Adapter): { readonly adapter: Adapter; readonly given: string[]; failAt(call: number): void } {
  const given: string[] = [];
  let left = Infinity;
  const wrapped = Object.entries(adapter).map(([name, operation]) => [name, async (...args: readonly unknown[]) => {
    given.push(textOf(args));
    if (left-- === 0) throw new Error("storage is down");
    return await (operation as (...args: readonly unknown[]) => unknown)(...args);
  }]);
  return { adapter: Object.fromEntries(wrapped), given, failAt: (call) => void (left = call) };
}

test("no secret of a second factor is in the log, in events, in storage or in a session, whatever fails", async () => {
  for (const strategy of STRATEGIES) {
    const storage = leaky(memoryAdapter());
    const { adapter } = storage;
    const site = await enrolling.openFactorSite({ adapter, session: { strategy }, account: { freshSignIn: false } });
    const ada = site.service.visitor();
    await enrolling.byLink(site, ada);
    const { secret, codes } = await enrolling.enrol(site, ada);
    const letters = codes.map((code) => code.slice(code.indexOf("-") + 1).replaceAll("-", ""));
    const canaries = [secret, secret.replaceAll(" ", ""), ...codes, ...letters];
    canaries.push(enrolling.undoLink(site).searchParams.get("token")?.split(".").at(-1) ?? assert.fail());
    for (let call = 0; call < 10; call++) {
      const again = site.service.visitor();
      await enrolling.byLink(site, again);
      canaries.push(again.cookies.get("authjs.pending") ?? assert.fail());
      site.runtime.advance(9 * 60);
      storage.failAt(call);
      await again.post("/auth/challenge", { method: "totp", code: await enrolling.codeOf(site, secret) });
      storage.failAt(Infinity);
      if (call === 0) await again.post("/auth/challenge", { method: "recovery-code", code: codes[0] ?? "" });
    }
    assert.ok(site.service.errors.length > 3, "storage has failed");
    const places = {
      log: site.service.errors.map((error) => textOf(error)),
      events: site.events.map((event) => textOf(event)),
      storage: storage.given,
      session: [JSON.stringify(await ada.session())],
    };
    for (const [place, texts] of Object.entries(places)) {
      for (const canary of canaries) {
        assert.ok(texts.every((text) => !text.includes(canary)), `${strategy}: ${canary.slice(0, 4)}… in ${place}`);
      }
    }
  }
});

async function idOf({ adapter }: Pick<FactorSite, "adapter">): Promise<string> {
  return (await adapter.getUserByEmail?.(ADA))?.id ?? assert.fail();
}
