/** V26, V25, V92, H08: somebody opens a user in another person's name, and waits for that person to come. */
import { test } from "node:test";
import assert from "node:assert/strict";
import type { AdapterAccount, CompleteAdapter } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { credentials } from "@x/auth/providers/credentials";
import type { Browser } from "../_support/browser.ts";
import { githubWith, signInWithGitHub } from "../_support/github.ts";
import { leadsTo, NOT_LINKED, openMultiProvider } from "../_support/multi_provider.ts";

const ADDRESS = "victim@example.com";

/** The victim, at a provider that verifies addresses. */
const VICTIM = { sub: "victim", name: "Victim", email: ADDRESS, email_verified: true };
/** The attacker, at a provider that lets people write any address. */
const IMPOSTOR = { sub: "impostor", name: "Victim", email: ADDRESS, email_verified: false };
/** The attacker, as themselves. */
const MALLORY = { sub: "mallory", name: "Mallory", email: "mallory@example.com", email_verified: true };

async function accountsOf(adapter: CompleteAdapter, email = ADDRESS): Promise<string[]> {
  const user = await adapter.getUserByEmail(email);
  const accounts = user ? await adapter.listAccountsByUserId(user.id) : [];
  return accounts.map(({ provider, providerAccountId }) => `${provider}/${providerAccountId}`);
}

async function signedInAs(browser: Browser): Promise<string | null | undefined> {
  return (await browser.session())?.user?.email ?? null;
}

test("classic-federated merge: a user opened with a password is not merged with the one who comes by a provider", async () => {
  const { visitor, come, adapter } = openMultiProvider({ providers: [registered()] });
  const mallory = visitor();
  await mallory.signIn("password", { email: ADDRESS });
  assert.equal(await signedInAs(mallory), ADDRESS);
  const victim = visitor();
  assert.equal(leadsTo(await come(victim, "google", VICTIM)), NOT_LINKED);
  assert.equal(await victim.session(), null);
  assert.deepEqual(await accountsOf(adapter), ["password/registered victim@example.com"]);
});

test("classic-federated merge: where addresses link, whoever opened the user is out before the victim is in", async () => {
  const idps = { google: { allowDangerousEmailAccountLinking: true } };
  const { visitor, come, adapter } = openMultiProvider({ idps, providers: [registered()] });
  const mallory = visitor();
  await mallory.signIn("password", { email: ADDRESS });
  const victim = visitor();
  assert.equal(leadsTo(await come(victim, "google", VICTIM)), "/");
  assert.equal(await signedInAs(victim), ADDRESS);
  assert.equal(await mallory.session(), null);
  assert.deepEqual(await accountsOf(adapter), ["password/registered victim@example.com", "google/victim"]);
  await mallory.signIn("password", { email: ADDRESS });
  assert.equal(mallory.url.searchParams.get("error"), "AccessDenied");
  assert.equal(await mallory.session(), null);
});

test("unexpired session: every session of an unverified user ends when its mailbox is verified", async () => {
  const { visitor, come, verifyMailbox, adapter } = openMultiProvider();
  const [first, second] = [visitor(), visitor()];
  for (const mallory of [first, second]) await come(mallory, "lax", IMPOSTOR);
  assert.equal(await signedInAs(first), ADDRESS);
  const victim = await verifyMailbox(visitor(), ADDRESS);
  assert.equal(await signedInAs(victim), ADDRESS);
  assert.equal(await first.session(), null);
  assert.equal(await second.session(), null);
  const user = await adapter.getUserByEmail(ADDRESS);
  assert.equal((await adapter.listSessionsByUserId(user?.id ?? "")).length, 1);
});

test("trojan identifier: an account that was added under another address opens the user no more", async () => {
  const { visitor, come, verifyMailbox, adapter } = openMultiProvider();
  const mallory = visitor();
  await come(mallory, "lax", IMPOSTOR);
  await come(mallory, "google", MALLORY);
  assert.deepEqual(await accountsOf(adapter), ["lax/impostor", "google/mallory"]);
  await verifyMailbox(visitor(), ADDRESS);
  assert.deepEqual(await accountsOf(adapter), []);
  await come(mallory, "google", MALLORY);
  assert.equal(await signedInAs(mallory), "mallory@example.com");
});

test("trojan identifier: a passkey that was registered before any verification is removed", async () => {
  const { visitor, come, verifyMailbox, adapter } = openMultiProvider();
  await come(visitor(), "lax", IMPOSTOR);
  const { id: userId = "" } = await adapter.getUserByEmail(ADDRESS) ?? {};
  await adapter.linkAccount({ provider: "passkey", providerAccountId: "key", type: "webauthn", userId });
  await adapter.createAuthenticator({
    userId,
    credentialID: "key",
    providerAccountId: "key",
    credentialPublicKey: "",
    counter: 0,
    credentialDeviceType: "singleDevice",
    credentialBackedUp: false,
  });
  await verifyMailbox(visitor(), ADDRESS);
  assert.deepEqual(await adapter.listAuthenticatorsByUserId(userId), []);
  assert.deepEqual(await accountsOf(adapter), []);
});

test("trojan identifier: an account flow that began before the mailbox was verified adds nothing", async () => {
  const { visitor, come, leave, comeBack, verifyMailbox, adapter } = openMultiProvider();
  const mallory = visitor();
  await come(mallory, "lax", IMPOSTOR);
  const away = await leave(mallory, "google");
  await verifyMailbox(visitor(), ADDRESS);
  await comeBack(mallory, away, MALLORY);
  assert.equal(await signedInAs(mallory), "mallory@example.com");
  assert.deepEqual(await accountsOf(adapter), []);
});

test("unexpired email change: a link signs in the owner of the mailbox as themselves, whoever asked for it", async () => {
  const { visitor, come, link, adapter } = openMultiProvider();
  const mallory = visitor();
  await come(mallory, "google", MALLORY);
  await mallory.signIn("email", { email: ADDRESS });
  const victim = await visitor().open(link().href);
  await victim.submit();
  assert.equal(await signedInAs(victim), ADDRESS);
  assert.equal(await signedInAs(mallory), "mallory@example.com");
  assert.deepEqual(await accountsOf(adapter), []);
  assert.deepEqual(await accountsOf(adapter, "mallory@example.com"), ["google/mallory"]);
  await mallory.open(link().href);
  assert.equal(mallory.url.searchParams.get("error"), "Verification");
  assert.equal(await signedInAs(mallory), "mallory@example.com");
});

test("unexpired email change: a link to the address of before opens nothing of the address of now", async () => {
  const { visitor, come, link, verifyMailbox, adapter } = openMultiProvider();
  const mallory = visitor();
  const theirs = { ...IMPOSTOR, email: "mallory@example.com" };
  await come(mallory, "lax", theirs);
  const waiting = visitor();
  await waiting.signIn("email", { email: "mallory@example.com" });
  const old = link().href;
  const { id = "" } = await adapter.getUserByEmail("mallory@example.com") ?? {};
  await adapter.updateUser({ id, email: ADDRESS, emailVerified: null });
  const victim = await verifyMailbox(visitor(), ADDRESS);
  assert.equal(await mallory.session(), null);
  assert.deepEqual(await accountsOf(adapter), []);
  await waiting.open(old);
  assert.equal(await signedInAs(waiting), "mallory@example.com");
  assert.notEqual((await adapter.getUserByEmail("mallory@example.com"))?.id, id);
  assert.equal(await signedInAs(victim), ADDRESS);
});

for (const email_verified of [false, undefined]) {
  const says = email_verified === false ? "no" : "nothing";

  test(`non-verifying provider: an account whose provider says ${says} is gone after the mailbox is verified`, async () => {
    const { visitor, come, verifyMailbox, adapter } = openMultiProvider();
    const mallory = visitor();
    await come(mallory, "lax", { ...IMPOSTOR, email_verified });
    await verifyMailbox(visitor(), ADDRESS);
    assert.equal(await mallory.session(), null);
    assert.deepEqual(await accountsOf(adapter), []);
    assert.equal(leadsTo(await come(mallory, "lax", { ...IMPOSTOR, email_verified })), NOT_LINKED);
    assert.equal(await mallory.session(), null);
  });

  test(`non-verifying provider: an account whose provider says ${says} gives way to one that vouches`, async () => {
    const idps = { google: { allowDangerousEmailAccountLinking: true }, lax: {} };
    const { visitor, come, adapter } = openMultiProvider({ idps });
    const mallory = visitor();
    await come(mallory, "lax", { ...IMPOSTOR, email_verified });
    const victim = visitor();
    await come(victim, "google", VICTIM);
    assert.equal(await signedInAs(victim), ADDRESS);
    assert.equal(await mallory.session(), null);
    assert.deepEqual(await accountsOf(adapter), ["google/victim"]);
    assert.equal(leadsTo(await come(mallory, "lax", { ...IMPOSTOR, email_verified })), NOT_LINKED);
  });
}

test("whoever comes first by a provider that vouches for them keeps it when they first open a link", async () => {
  const { visitor, come, verifyMailbox, adapter } = openMultiProvider();
  await come(visitor(), "google", VICTIM);
  const before = await adapter.getUserByEmail(ADDRESS);
  await verifyMailbox(visitor(), ADDRESS);
  const again = visitor();
  assert.equal(leadsTo(await come(again, "google", VICTIM)), "/");
  assert.equal(await signedInAs(again), ADDRESS);
  assert.equal((await adapter.getUserByEmail(ADDRESS))?.id, before?.id);
});

test("a provider that vouches only later is kept as well", async () => {
  const { visitor, come, verifyMailbox, adapter } = openMultiProvider();
  await come(visitor(), "google", { ...VICTIM, email_verified: false });
  await come(visitor(), "google", VICTIM);
  await verifyMailbox(visitor(), ADDRESS);
  assert.deepEqual(await accountsOf(adapter), ["google/victim"]);
});

/** A user as the first release stored one whose provider had confirmed the address: the account says so, and no more. */
async function ofFirstRelease(adapter: CompleteAdapter): Promise<string> {
  const sessionToken = "from-the-first-release";
  await adapter.createUser({ id: "first", email: ADDRESS, emailVerified: null });
  await adapter.linkAccount({
    userId: "first",
    type: "oidc",
    provider: "google",
    providerAccountId: "victim",
    email_verified: true,
  });
  await adapter.createSession({ sessionToken, userId: "first", expires: new Date(Date.now() + 1e9) });
  const key = { userId: "first", credentialID: "key", providerAccountId: "key" };
  await adapter.linkAccount({ userId: "first", type: "webauthn", provider: "passkey", providerAccountId: "key" });
  await adapter.createAuthenticator({
    ...key,
    credentialPublicKey: "",
    counter: 0,
    credentialDeviceType: "singleDevice",
    credentialBackedUp: false,
  });
  return sessionToken;
}

for (const comesBefore of [false, true]) {
  const first = comesBefore ? "after a sign-in here" : "at once";

  test(`whom a provider vouched for in the first release keeps it all when they first open a link, ${first}`, async () => {
    const { visitor, come, verifyMailbox, adapter } = openMultiProvider();
    const sessionToken = await ofFirstRelease(adapter);
    if (comesBefore) await come(visitor(), "google", VICTIM);
    await verifyMailbox(visitor(), ADDRESS);
    assert.notEqual(await adapter.getSessionAndUser(sessionToken), null);
    assert.deepEqual(await accountsOf(adapter), ["google/victim", "passkey/key"]);
    assert.equal((await adapter.listAuthenticatorsByUserId("first")).length, 1);
  });
}

test("whom a provider vouched for in the first release keeps it all when another provider that vouches is linked", async () => {
  const { visitor, come, adapter } = openMultiProvider({
    idps: { linking: { allowDangerousEmailAccountLinking: true } },
  });
  const sessionToken = await ofFirstRelease(adapter);
  await come(visitor(), "linking", VICTIM);
  assert.notEqual(await adapter.getSessionAndUser(sessionToken), null);
  assert.deepEqual((await accountsOf(adapter)).toSorted(), ["google/victim", "linking/victim", "passkey/key"]);
});

test("the mark of the first release is none for a user whom anybody signs in under any address", async () => {
  const { visitor, verifyMailbox, adapter } = openMultiProvider({ providers: [registered()] });
  const sessionToken = await ofFirstRelease(adapter);
  await adapter.linkAccount({ userId: "first", type: "credentials", provider: "password", providerAccountId: "first" });
  await verifyMailbox(visitor(), ADDRESS);
  assert.equal(await adapter.getSessionAndUser(sessionToken), null);
  assert.equal((await adapter.listAuthenticatorsByUserId("first")).length, 0);
});

test("the mark of the first release is none beside an account that was not confirmed: it may have been there first", async () => {
  const { visitor, verifyMailbox, adapter } = openMultiProvider();
  const sessionToken = await ofFirstRelease(adapter);
  const account = { userId: "first", type: "oidc", provider: "lax", providerAccountId: "impostor" } as const;
  await adapter.linkAccount({ ...account, email_verified: false });
  await verifyMailbox(visitor(), ADDRESS);
  assert.equal(await adapter.getSessionAndUser(sessionToken), null);
  assert.deepEqual(await accountsOf(adapter), ["google/victim"]);
});

test("an account that confirms another address is no mark of the first release", async () => {
  const { visitor, come, verifyMailbox, adapter } = openMultiProvider();
  await come(visitor(), "lax", IMPOSTOR);
  const { id = "" } = await adapter.getUserByEmail(ADDRESS) ?? {};
  await adapter.updateAccount({
    provider: "lax",
    providerAccountId: "impostor",
    email_verified: true,
    email: "m@x.example",
  });
  await adapter.createSession({ sessionToken: "s", userId: id, expires: new Date(Date.now() + 1e9) });
  await verifyMailbox(visitor(), ADDRESS);
  assert.equal(await adapter.getSessionAndUser("s"), null);
  assert.deepEqual(await accountsOf(adapter), []);
});

test("a provider that vouches for another address than the user's is no verification of the user's", async () => {
  const { visitor, come, verifyMailbox, adapter } = openMultiProvider();
  const mallory = visitor();
  await come(mallory, "lax", IMPOSTOR);
  await come(mallory, "google", MALLORY);
  await come(visitor(), "google", MALLORY);
  await verifyMailbox(visitor(), ADDRESS);
  assert.deepEqual(await accountsOf(adapter), []);
});

test("a provider that lists verified addresses beside the profile is kept as well", async () => {
  const { visitor, verifyMailbox, adapter } = openMultiProvider({
    providers: [githubWith({ email: ADDRESS, verified: true })],
  });
  const browser = visitor();
  await signInWithGitHub(browser);
  const user = await adapter.getUserByEmail(ADDRESS);
  await verifyMailbox(visitor(), ADDRESS);
  assert.deepEqual(await accountsOf(adapter), ["github/583231"]);
  await signInWithGitHub(browser);
  assert.equal((await adapter.listSessionsByUserId(user?.id ?? "")).length, 2);
});

test("a provider that lists an address as unverified loses its account", async () => {
  const { visitor, verifyMailbox, adapter } = openMultiProvider({
    providers: [githubWith({ email: ADDRESS, verified: false })],
  });
  await signInWithGitHub(visitor());
  await verifyMailbox(visitor(), ADDRESS);
  assert.deepEqual(await accountsOf(adapter), []);
});

test("accounts of which nothing is known stay: they may be all that somebody has", async () => {
  const { visitor, verifyMailbox, adapter } = openMultiProvider({ adapter: memoryAdapter() });
  await adapter.createUser({ id: "1", email: ADDRESS, emailVerified: null });
  const kept: AdapterAccount = { provider: "google", providerAccountId: "victim", type: "oidc", userId: "1" };
  await adapter.linkAccount(kept);
  await adapter.linkAccount({ ...kept, provider: "lax", email_verified: null });
  await verifyMailbox(visitor(), ADDRESS);
  assert.deepEqual(await accountsOf(adapter), ["google/victim", "lax/victim"]);
});

test("whoever has verified the mailbox before loses nothing by the next link", async () => {
  const { visitor, come, verifyMailbox, adapter } = openMultiProvider();
  const browser = await verifyMailbox(visitor(), ADDRESS);
  await come(browser, "lax", { sub: "work", email: "victim@work.example", email_verified: false });
  const other = await verifyMailbox(visitor(), ADDRESS);
  assert.equal(await signedInAs(browser), ADDRESS);
  assert.equal(await signedInAs(other), ADDRESS);
  assert.deepEqual(await accountsOf(adapter), ["lax/work"]);
});

/** An application where anybody can register with any address. */
function registered() {
  return credentials({
    id: "password",
    credentials: { email: {} },
    authorize: ({ email }) => ({ id: `registered ${email}`, email: String(email) }),
  });
}
