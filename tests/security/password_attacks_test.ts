/** Attacks on passwords: what somebody tries who knows the code, and has no right to get in. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipCSRFCheck } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { limits } from "@x/auth/limits";
import type { PasswordStore } from "@x/auth/providers/password";
import { makeFeature } from "../../src/contract/feature.ts";
import type { Points } from "../../src/request/points.ts";
import { ADA, BOB, cheapHash, hashTable } from "../_support/passwords.ts";
import { openVisitedSite } from "../_support/password_visits.ts";
import { plainOf } from "../_support/stores.ts";

const OWN = "a pelican on a bicycle";
const THEIRS = "a bicycle on a pelican";

test("a browser without a CSRF token takes no registration that another one has begun", async () => {
  const site = openVisitedSite({ skipCSRFCheck });
  const stranger = site.browser();
  await stranger.post("/auth/signup", { email: ADA, password: THEIRS });
  const owner = site.browser();
  const planted = stranger.cookies.get("authjs.email")?.value ?? assert.fail();
  owner.cookies.store(`authjs.email=${planted}; Path=/`, owner.url);
  await owner.open(site.linkTo(ADA));
  assert.equal(await site.who(owner), null);
  assert.equal(await site.adapter.getUserByEmail?.(ADA), null);
});

test("without CSRF tokens, too, the browser that began a registration is signed in by its link", async () => {
  const site = openVisitedSite({ skipCSRFCheck });
  const browser = await site.signUp(site.browser(), ADA, OWN);
  await browser.open(site.linkTo(ADA));
  assert.equal(await site.who(browser), ADA);
});

test("a link that somebody made up says nothing about anybody, also where links can only be used up", async () => {
  const { getVerificationToken: _, commit: __, ...adapter } = memoryAdapter();
  const site = openVisitedSite({ adapter, features: [limits({ off: "what is answered is tested" })] });
  const id = await site.join(ADA);
  await adapter.updateUser({ id, name: "Countess of Lovelace" });
  const answers = async (email: string) => {
    const browser = site.browser();
    const token = "0".repeat(64);
    const page = await browser.get(`/auth/reset?${new URLSearchParams({ token, email })}`);
    const csrfToken = await browser.csrf();
    const told: unknown[] = [page.status];
    for (const password of [OWN, "Countess of Lovelace", "short"]) {
      const answer = await browser.post("/auth/reset", { csrfToken, email, token, password });
      told.push(answer.status, (await answer.text()).replaceAll(email, "…").replaceAll(encodeURIComponent(email), "…"));
    }
    return told;
  };
  assert.deepEqual(await answers(ADA), await answers(BOB));
});

test("whoever sets a password on the page gets in with it, or proves their address first", async () => {
  const site = openVisitedSite();
  const browser = await site.arrive(ADA, OWN);
  const user = await site.adapter.getUserByEmail?.(ADA) ?? assert.fail();
  // As the first release stored it: only the account says that a provider has confirmed an address.
  await site.adapter.updateUser?.({ id: user.id, emailVerified: null, securityStamp: null });
  const account = { provider: "github", providerAccountId: "1", type: "oauth", email_verified: true } as const;
  await site.adapter.linkAccount?.({ ...account, userId: user.id });
  const { status } = await browser.post("/auth/password", { csrfToken: await browser.csrf(), password: THEIRS });
  assert.equal(status === 200, await site.opens(ADA, THEIRS), `answered ${status}`);
});

test("an application sets no password that a form would refuse", async () => {
  const site = openVisitedSite();
  const id = await site.join(ADA, null);
  const words = [`${OWN}\ud800`, ADA, "    ".repeat(5), "\u0000".repeat(20)];
  for (const text of words) await assert.rejects(site.passwords.set(id, text), { name: "BadRequest" }, text);
});

for (const [what, former] of [["change", OWN], ["set", null]] as const) {
  test(`a thief whose session ends while they ${what} a password does not replace that of the owner`, async () => {
    const table = hashTable();
    const adapter = memoryAdapter();
    let begins = () => {};
    const store: PasswordStore = { ...table, get: (userId) => (begins(), table.get(userId)) };
    const site = openVisitedSite({ adapter, password: { store }, session: { strategy: "database" } });
    const thief = await site.arrive(ADA, OWN);
    const { id } = await adapter.getUserByEmail(ADA) ?? assert.fail();
    if (former === null) table.rows.delete(id);
    // The owner resets the password after the session of the thief was judged.
    const commit = adapter.commit;
    adapter.commit = async (plan) => {
      const answer = await commit.call(adapter, plan);
      begins = () => void table.rows.set(id, "new:that of the owner");
      await adapter.deleteSessionsByUserId(id);
      return answer;
    };
    await thief.post("/auth/password", { csrfToken: await thief.csrf(), password: THEIRS });
    assert.deepEqual([...table.rows.values()], ["new:that of the owner"]);
  });
}

test("whoever has an old hash gets in, also where the table of hashes takes no better one", async () => {
  const table = hashTable();
  const site = openVisitedSite({ password: { store: { ...table, set: () => {} } } });
  const id = await site.join(ADA, null);
  table.rows.set(id, `old:${OWN}`);
  assert.equal(await site.opens(ADA, OWN), true);
});

test("the first guess at a service costs as many hashes for somebody who is known as for nobody", async () => {
  const costs = [];
  for (const email of [ADA, BOB]) {
    let count = 0;
    const { make, verify } = cheapHash();
    const adapter = memoryAdapter();
    await openVisitedSite({ adapter }).join(ADA);
    const hash = {
      make: (text: string) => (count++, make(text)),
      verify: (...of: [string, string]) => (count++, verify(...of)),
    };
    assert.equal(await openVisitedSite({ adapter, password: { hash } }).opens(email, THEIRS), false);
    costs.push(count);
  }
  assert.equal(costs[0], costs[1]);
});

test("a password of 256 characters is chosen and typed in any form, whatever the keyboard makes of it", async () => {
  const hangul = Array.from({ length: 170 }, (_, at) => String.fromCodePoint(0xac01 + 29 * at)).join("");
  const keys = Array.from({ length: 128 }, (_, at) => `${String.fromCodePoint(0x1f300 + at)}\u00e9`).join("");
  for (const text of [hangul, keys]) {
    const site = openVisitedSite({ password: { hash: undefined } });
    const decomposed = text.normalize("NFD");
    await site.arrive(ADA, decomposed);
    assert.deepEqual([await site.opens(ADA, text), await site.opens(ADA, decomposed)], [true, true]);
  }
});

test("the longest name and address wait in the browser", async () => {
  const site = openVisitedSite();
  const email = `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(57)}.de`;
  const browser = await site.signUp(site.browser(), email, OWN, "字".repeat(300));
  await browser.open(site.linkTo(email));
  assert.equal(await site.who(browser), email);
});

for (const [name, open] of Object.entries({ ours: memoryAdapter, others: () => plainOf(memoryAdapter()) })) {
  for (const strategy of ["database", "jwt"] as const) {
    test(`a page says that other devices are signed out only if they are (${name}, ${strategy})`, async () => {
      const site = openVisitedSite({ adapter: open(), password: { store: hashTable() }, session: { strategy } });
      const other = await site.arrive(ADA, OWN);
      const owner = site.browser();
      await site.enter(owner, ADA, OWN);
      await owner.open("/auth/password");
      const says = [/signed out/.test(owner.html)];
      await owner.submit({ password: THEIRS }, "/password");
      assert.deepEqual(says, [await site.who(other) === null]);
      await site.forget(site.browser(), ADA);
      const resets = await site.browser().open(site.linkTo(ADA));
      assert.deepEqual(says, [/signed out/.test(resets.html)]);
      await resets.submit({ password: OWN }, "/reset");
      assert.deepEqual(says, [await site.who(owner) === null]);
    });
  }
}

test("whoever is over a limit makes the service compute no hash, on any path", async () => {
  const made: string[] = [];
  const { make, verify } = cheapHash(made);
  let isOpen = true;
  const points: Points = { guess: () => ({ act: isOpen ? "compare" : "refuse" }) };
  const site = openVisitedSite({
    password: { hash: { make: (text) => (made.push(text), make(text)), verify } },
    features: [makeFeature("limits", [], () => Promise.resolve(points), ["guess"])],
  });
  const browser = await site.arrive(ADA, OWN);
  await site.signUp(site.browser(), BOB, OWN);
  await site.forget(site.browser(), ADA);
  const [claim, reset] = [BOB, ADA].map((email) => Object.fromEntries(new URL(site.linkTo(email)).searchParams));
  const csrfToken = await browser.csrf();
  [isOpen, made.length] = [false, 0];
  const forms = [["signup", { email: BOB }], ["signup", claim], ["reset", reset], ["password", {}]] as const;
  for (const [path, fields] of [...forms, ["callback/password", { email: ADA }] as const]) {
    await browser.post(`/auth/${path}`, { csrfToken, ...fields, password: THEIRS });
    assert.deepEqual(made, [], path);
  }
});

test("neither a password nor its hash is seen by callbacks, events, emails or the log", async () => {
  const seen: string[] = [];
  const note = (...what: unknown[]) => void seen.push(Deno.inspect(what, { depth: 20, strAbbreviateSize: 1e6 }));
  const site = openVisitedSite({
    events: { signIn: note, createUser: note, updateUser: note, session: note },
    callbacks: {
      signIn: (params) => (note(params), true),
      jwt: (params) => (note(params), params.token),
      session: (params) => (note(params), params.session),
      redirect: (params) => (note(params), params.baseUrl),
    },
  });
  const browser = await site.arrive(ADA, OWN);
  await browser.post("/auth/password", { csrfToken: await browser.csrf(), password: THEIRS });
  for (const text of [OWN, THEIRS]) await site.enter(site.browser(), ADA, text);
  await site.forget(site.browser(), ADA);
  const resets = await site.browser().open(site.linkTo(ADA));
  await resets.submit({ password: OWN }, "/reset");
  const all = [...seen, ...site.errors.map((error) => Deno.inspect(error)), ...site.warnings, Deno.inspect(site.mails)];
  assert.ok(seen.length > 5);
  for (const secret of [OWN, THEIRS, "new:"]) assert.ok(!all.join().includes(secret), secret);
});

test("nothing that somebody types to register is in the email that goes to somebody else", async () => {
  const site = openVisitedSite();
  const callbackUrl = "https://evil.example/";
  const browser = site.browser();
  const fields = { csrfToken: await browser.csrf(), email: ADA, callbackUrl };
  await browser.post("/auth/signup", { ...fields, password: OWN, name: "evil.example\r\nBcc: eve@evil.example" });
  await browser.post("/auth/reset", fields);
  assert.equal(site.mails.length, 2);
  assert.doesNotMatch(JSON.stringify(site.mails), /evil/);
});
