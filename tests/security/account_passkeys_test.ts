/** Passkeys on the account page: what is known of them, their names, and their end. */
import { test } from "node:test";
import assert from "node:assert/strict";
import type { Adapter, StoredRecord } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { passkey } from "@x/auth/providers/passkey";
import {
  type AccountJson,
  type AccountSite,
  act,
  ADA,
  byLink,
  look,
  openAccountSite,
} from "../_support/account_site.ts";
import { Authenticator } from "../_support/authenticator.ts";
import { openPasskeys } from "../_support/passkeys.ts";
import { enrol, resolvedFor } from "../_support/second_factor.ts";
import { FACTOR } from "../../src/second_factor/factors.ts";
import { secondFactor } from "../../src/second_factor.ts";
import { teller, type Visitor } from "../_support/visitors.ts";

const GOOGLE = "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4";

/** Lets a device say which kind it is. */
function say(visitor: Visitor, aaguid: string): void {
  const bytes = Uint8Array.from(aaguid.replaceAll("-", "").match(/../g) ?? [], (hex) => parseInt(hex, 16));
  const authData = (data: Uint8Array<ArrayBuffer>) => (data.set(bytes, 37), data);
  visitor.device.create = (options) => Authenticator.prototype.create.call(visitor.device, options, { authData });
}

interface Opened extends AccountSite {
  readonly ada: Visitor;
  /** A way in besides passkeys: her address. */
  readonly userId: string;
}

/** Ada has proven her address, and is signed in. */
async function open(config: Partial<Parameters<typeof openAccountSite>[0]> = {}): Promise<Opened> {
  const { adapter = memoryAdapter(), ...more } = config;
  const site = await openAccountSite({ adapter, ...more });
  const ada = site.service.visitor();
  await byLink(site, ada);
  return { ...site, ada, userId: await ada.inside() ?? assert.fail() };
}

function passkeysOf({ view }: AccountJson) {
  return view?.passkeys ?? assert.fail("no passkeys are shown");
}

async function onlyPasskey(visitor: Visitor) {
  const [shown, ...others] = passkeysOf(await look(visitor));
  assert.equal(others.length, 0);
  return shown ?? assert.fail("there is no passkey");
}

async function recordsOf(adapter: Adapter, kind: string, userId: string): Promise<readonly StoredRecord[]> {
  return await adapter.listRecords?.({ kind, userId }) ?? assert.fail();
}

test("a new passkey has the name of what it says that it is, and the time at which it was made", async () => {
  const { ada, runtime, adapter, userId } = await open();
  say(ada, GOOGLE);
  await ada.register(ADA);
  const { name, createdAt, usedAt, isSynced, removal } = await onlyPasskey(ada);
  assert.deepEqual({ name, usedAt, isSynced, removal }, {
    name: "Google Password Manager",
    usedAt: null,
    isSynced: true,
    removal: "allowed",
  });
  assert.equal(createdAt, new Date(Math.floor(runtime.now() / 1000) * 1000).toISOString());
  const [record] = await recordsOf(adapter, "passkey-info", userId);
  assert.equal(record?.data.aaguid, GOOGLE);
  assert.match(record?.id ?? "", /^[\w-]{43}$/);
});

test("a passkey that lies about what it is gets another name, and nothing else", async () => {
  for (const aaguid of ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", GOOGLE]) {
    const { ada } = await open();
    say(ada, aaguid);
    const key = await ada.register(ADA) ?? assert.fail();
    assert.equal((await onlyPasskey(ada)).name, aaguid === GOOGLE ? "Google Password Manager" : null);
    await ada.signOut();
    assert.equal((await ada.authenticate(key))?.status, 302);
    assert.notEqual(await ada.inside(), null);
  }
});

test("when a passkey was last used is kept, also of one from before there were records of it", async () => {
  for (const isKnown of [true, false]) {
    const { ada, runtime, adapter, userId } = await open();
    const key = await ada.register(ADA) ?? assert.fail();
    const [record] = await recordsOf(adapter, "passkey-info", userId);
    if (!isKnown) await adapter.removeRecord?.({ kind: "passkey-info", id: record?.id ?? "" });
    await ada.signOut();
    runtime.advance(60_000);
    await ada.authenticate(key);
    const { createdAt, usedAt } = await onlyPasskey(ada);
    assert.equal(createdAt !== null, isKnown);
    assert.equal(usedAt, new Date(Math.floor(runtime.now() / 1000) * 1000).toISOString());
  }
});

test("nothing is kept of passkeys where there is no account page", async () => {
  const { person, adapter } = openPasskeys();
  await person().register();
  const user = await adapter.getUserByEmail(ADA) ?? assert.fail();
  assert.deepEqual(await recordsOf(adapter, "passkey-info", user.id), []);
});

test("a passkey gets another name, and keeps it when it is used", async () => {
  const { ada } = await open();
  say(ada, GOOGLE);
  const key = await ada.register(ADA) ?? assert.fail();
  const { id } = await onlyPasskey(ada);
  assert.equal((await act(ada, { act: "renamePasskey", id, name: "  My   phone " })).error, undefined);
  assert.equal((await onlyPasskey(ada)).name, "My phone");
  await ada.signOut();
  await ada.authenticate(key);
  assert.equal((await onlyPasskey(ada)).name, "My phone");
});

test("what cannot be the name of a passkey is refused", async () => {
  const { ada } = await open();
  await ada.register(ADA);
  const { id } = await onlyPasskey(ada);
  for (const name of ["", "   ", "x".repeat(65), "a\u0000b", "a\u202eb"]) {
    const { problem, step } = await act(ada, { act: "renamePasskey", id, name });
    assert.deepEqual([problem, step.kind], ["name", "rename-passkey"], JSON.stringify(name));
  }
  assert.equal((await onlyPasskey(ada)).name, null);
});

test("nobody names or removes the passkey of somebody else, or one that they guess", async () => {
  const { ada, service, ...site } = await open();
  const key = await ada.register(ADA) ?? assert.fail();
  const { id, credentialId } = await onlyPasskey(ada);
  const bob = service.visitor();
  await byLink({ service }, bob, "bob@example.com");
  for (const named of [id, credentialId, "0", "", key.userHandle]) {
    for (const [name, more] of [["renamePasskey", { name: "Mine" }], ["removePasskey", {}]] as const) {
      const { problem } = await act(bob, { act: name, id: named, ...more });
      assert.equal(problem, "not-found", `${name} ${named}`);
    }
  }
  assert.equal((await onlyPasskey(ada)).name, null);
  assert.equal(site.mails.filter(({ to }) => to === ADA).length, 1, "only of the passkey that was added");
});

test("a passkey that is removed is gone with its account and what was known of it, and so are other sessions", async () => {
  const { ada, service, adapter, userId, mails, events } = await open();
  const key = await ada.register(ADA) ?? assert.fail();
  const elsewhere = service.visitor();
  Object.assign(elsewhere, { device: ada.device });
  await elsewhere.authenticate(key);
  assert.equal(await elsewhere.inside(), userId);
  const { id } = await onlyPasskey(ada);
  const done = await act(ada, { act: "removePasskey", id });
  assert.deepEqual([done.problem, done.step], [null, { kind: "overview", done: "removePasskey" }]);
  assert.deepEqual(passkeysOf(await look(ada)), []);
  assert.deepEqual(await recordsOf(adapter, "passkey-info", userId), []);
  assert.deepEqual((await adapter.listAccountsByUserId?.(userId))?.filter(({ type }) => type === "webauthn"), []);
  assert.equal(await elsewhere.inside(), null);
  const stranger = service.visitor();
  Object.assign(stranger, { device: ada.device });
  await stranger.authenticate(key);
  assert.equal(await stranger.inside(), null);
  assert.equal(events.filter(({ type }) => type === "passkeyRemoved").length, 1);
  assert.match(mails.at(-1)?.text ?? "", /passkey/i);
  assert.equal((await act(ada, { act: "removePasskey", id })).problem, "not-found");
});

test("the link of the email brings a passkey back that was removed", async () => {
  const opened = await open();
  const { ada, mails, runtime, service, userId } = opened;
  say(ada, GOOGLE);
  const key = await ada.register(ADA) ?? assert.fail();
  const { createdAt } = await onlyPasskey(ada);
  runtime.advance(24 * 60 * 60);
  await byLink(opened, ada);
  await act(ada, { act: "removePasskey", id: (await onlyPasskey(ada)).id });
  const token = new URL(/https?:\S+act=undo\S+/.exec(mails.at(-1)?.text ?? "")?.[0] ?? "").searchParams.get("token") ??
    assert.fail();
  const { step } = await act(ada, { act: "undo", token });
  assert.equal(step.kind, "undone");
  const again = service.visitor();
  Object.assign(again, { device: ada.device });
  await again.authenticate(key);
  assert.equal(await again.inside(), userId);
  const back = await onlyPasskey(again);
  assert.deepEqual([back.name, back.createdAt], ["Google Password Manager", createdAt]);
});

test("the last way in is not removed, and of two passkeys that are removed at once one stays", async () => {
  // Nobody gets in by mail here.
  const adapter = memoryAdapter();
  const site = await openAccountSite({ adapter, providers: [passkey()] });
  const ada = site.service.visitor();
  await ada.register(ADA);
  const only = await onlyPasskey(ada);
  assert.equal(only.removal, "last");
  assert.equal((await act(ada, { act: "removePasskey", id: only.id })).problem, "last-way");
  await ada.register(ADA);
  const ids = passkeysOf(await look(ada)).map(({ id }) => id);
  assert.equal(ids.length, 2);
  const done = await Promise.all(ids.map((id) => act(ada, { act: "removePasskey", id })));
  assert.deepEqual(done.map(({ problem }) => problem).toSorted(), ["last-way", null].toSorted());
  assert.equal(passkeysOf(await look(ada)).length, 1);
});

test("an old sign-in removes no passkey, and names one", async () => {
  const { ada, runtime } = await open();
  await ada.register(ADA);
  const { id } = await onlyPasskey(ada);
  runtime.advance(11 * 60_000);
  const { url } = await act(ada, { act: "removePasskey", id });
  assert.match(url ?? "", /\/auth\/signin/);
  assert.equal((await act(ada, { act: "renamePasskey", id, name: "Phone" })).problem, null);
  assert.equal((await onlyPasskey(ada)).name, "Phone");
});

/** Ada has turned the second factor on, and is signed in with a passkey, which is one. */
async function openFactors(kinds: Parameters<typeof enrol>[2], storage: Adapter = memoryAdapter()) {
  const site = await open({ adapter: storage, features: [secondFactor({ methods: ["totp", "passkey"] })] });
  const { ada, adapter, runtime, userId } = site;
  const key = await ada.register(ADA) ?? assert.fail();
  await enrol(resolvedFor(adapter, runtime), userId, kinds);
  await ada.signOut();
  await ada.authenticate(key);
  const factors = async () => (await recordsOf(adapter, FACTOR, userId)).map(({ data }) => data.type).toSorted();
  return { ...site, factors };
}

test("with the last passkey that was a second factor, the recovery codes go", async () => {
  const { ada, factors, events } = await openFactors(["recovery"]);
  const { problem } = await act(ada, { act: "removePasskey", id: (await onlyPasskey(ada)).id });
  assert.equal(problem, null);
  assert.deepEqual(await factors(), []);
  const told = events.flatMap((event) => event.type === "factorRemoved" ? [event.factor] : []);
  assert.deepEqual(told, ["passkey", "recovery"]);
});

test("with a passkey that was one of several second factors, the others stay", async () => {
  const { ada, factors, events } = await openFactors(["totp", "recovery"]);
  assert.equal((await act(ada, { act: "removePasskey", id: (await onlyPasskey(ada)).id })).problem, null);
  assert.deepEqual(await factors(), ["recovery", "totp"]);
  const told = events.flatMap((event) => event.type === "factorRemoved" ? [event.factor] : []);
  assert.deepEqual(told, ["passkey"]);
});

test("a passkey and an application that are removed at once leave no recovery codes alone", async () => {
  const whole = memoryAdapter();
  let meanwhile: (() => Promise<unknown>) | null = null;
  const adapter: Adapter = {
    ...whole,
    async commit(plan) {
      const run = plan.deleteAuthenticator ? meanwhile : null;
      if (run) meanwhile = null;
      await run?.();
      return await whole.commit(plan);
    },
  };
  const { ada, factors, userId } = await openFactors(["totp", "recovery"], adapter);
  const { id } = await onlyPasskey(ada);
  meanwhile = () => ada.post("/auth/factors", { act: "remove", id: `totp-${userId}` });
  assert.equal((await act(ada, { act: "removePasskey", id })).problem, null);
  assert.deepEqual(passkeysOf(await look(ada)), []);
  assert.deepEqual(await factors(), []);
});

test("a passkey that is given as a second proof was used, and one that fails was not", async () => {
  const { service, ada, runtime } = await openFactors(["recovery"]);
  const { usedAt } = await onlyPasskey(ada);
  for (const [isRight, clear] of [[false, 4], [true, 0]] as const) {
    runtime.advance(60_000);
    const visitor = service.visitor();
    await byLink({ service }, visitor);
    const { passkeyOptions } = await (await visitor.get("/auth/challenge?method=passkey")).json();
    const data = await ada.device.get(passkeyOptions, { clear });
    await visitor.post("/auth/challenge", { method: "passkey", data });
    assert.equal(await visitor.inside() !== null, isRight);
    const now = new Date(Math.floor(runtime.now() / 1000) * 1000).toISOString();
    assert.equal((await onlyPasskey(ada)).usedAt, isRight ? now : usedAt);
  }
});

test("who has not given the second proof removes no passkey", async () => {
  const { service, ada } = await openFactors(["recovery"]);
  const { id } = await onlyPasskey(ada);
  const thief = service.visitor();
  await byLink({ service }, thief);
  assert.equal(await thief.inside(), null);
  const { url } = await act(thief, { act: "removePasskey", id });
  assert.match(url ?? "", /\/auth\/signin/);
  assert.equal((await onlyPasskey(ada)).id, id);
});

test("the page tells the device of passkeys, and lets the browser make one only after a typed sign-in without any", async () => {
  const { ada, service } = await open();
  assert.equal((await look(ada)).view?.passkeySignals?.upgradeUrl, undefined, "it is not chosen");
  assert.ok(service);
  const site = await openAccountSite({ adapter: memoryAdapter(), providers: upgrading() });
  const bob = site.service.visitor();
  await byMail(site, bob);
  const signals = (await look(bob)).view?.passkeySignals;
  assert.equal(signals?.optionsUrl, "http://localhost:3000/auth/webauthn-options/passkey");
  assert.equal(signals?.upgradeUrl, "http://localhost:3000/auth/callback/passkey");
  const key = await bob.register("bob@example.com") ?? assert.fail();
  assert.equal((await look(bob)).view?.passkeySignals?.upgradeUrl, undefined, "there is one");
  await bob.signOut();
  await bob.authenticate(key);
  assert.equal((await look(bob)).view?.passkeySignals?.upgradeUrl, undefined);
  const carol = site.service.visitor();
  await carol.come("linking", { sub: "carol", email: "carol@example.com", email_verified: true });
  assert.equal((await look(carol)).view?.passkeySignals?.upgradeUrl, undefined, "nothing was typed");
});

const links = new Map<string, URL>();

function upgrading() {
  return [passkey({ upgrade: true }), teller("linking"), {
    id: "email",
    name: "Email",
    type: "email" as const,
    sendVerificationRequest: ({ identifier, url }: { identifier: string; url: string }) => {
      links.set(identifier, new URL(url));
    },
  }];
}

async function byMail({ service }: AccountSite, visitor: Visitor): Promise<void> {
  assert.ok(service);
  await visitor.ask("bob@example.com");
  await visitor.open(links.get("bob@example.com") ?? assert.fail());
}
