/** Registering with a password, confirming it, resetting and changing it, as people do it in browsers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, CompleteAdapter, Plan } from "@x/auth";
import { memoryAdapter, memoryRecords } from "@x/auth/adapters/memory";
import { withRecords } from "@x/auth/adapters/records";
import { limits } from "@x/auth/limits";
import { password, type PasswordHash, type PasswordOptions } from "@x/auth/providers/password";
import { makeFeature } from "../../src/contract/feature.ts";
import type { Points } from "../../src/request/points.ts";
import { Overloaded } from "../../src/kernel/errors.ts";
import type { Browser } from "../_support/browser.ts";
import { openMultiProvider } from "../_support/multi_provider.ts";
import { ADA, BOB, cheapHash, hashTable } from "../_support/passwords.ts";
import { plainOf } from "../_support/stores.ts";
import { openVisitedSite, type VisitedSite } from "../_support/password_visits.ts";

const FIRST = "a pelican on a bicycle";
const SECOND = "a bicycle on a pelican";

test("whoever registers is nobody until they open the link, and is signed in by it", async () => {
  const site = openVisitedSite();
  const browser = await site.signUp(site.browser(), ADA, FIRST, "Ada");
  assert.equal(browser.url.pathname, "/auth/verify-request");
  assert.match(browser.html, /ada@example\.com/);
  assert.equal(await site.adapter.getUserByEmail?.(ADA), null);
  assert.equal(await site.opens(ADA, FIRST), false);
  assert.deepEqual(site.sent(), [`${ADA}: Confirm your email address for localhost:3000`]);
  await browser.open(site.linkTo(ADA));
  assert.equal(await site.who(browser), ADA);
  assert.equal((await site.adapter.getUserByEmail?.(ADA))?.name, "Ada");
  assert.equal(await site.opens(ADA, FIRST), true);
  assert.equal(await site.opens(ADA, SECOND), false);
});

test("the link of a registration works once", async () => {
  const site = openVisitedSite();
  const browser = await site.arrive(ADA, FIRST);
  await browser.open(site.linkTo(ADA));
  assert.equal(browser.url.pathname, "/auth/error");
});

test("to ask for the head of a link does not use it up", async () => {
  const site = openVisitedSite();
  const browser = await site.signUp(site.browser(), ADA, FIRST);
  const { pathname, search } = new URL(site.linkTo(ADA));
  assert.equal((await browser.head(pathname + search)).status, 200);
  assert.equal(await site.who(browser), null);
  await browser.open(site.linkTo(ADA));
  assert.equal(await site.who(browser), ADA);
});

test("the link of a registration expires after a day", async () => {
  const site = openVisitedSite();
  const browser = await site.signUp(site.browser(), ADA, FIRST);
  site.runtime.advance(24 * 60 * 60);
  await browser.open(site.linkTo(ADA));
  assert.equal(browser.url.pathname, "/auth/error");
  assert.equal(await site.adapter.getUserByEmail?.(ADA), null);
});

test("in another browser the link of a registration lets its owner choose, and drops what a stranger chose", async () => {
  const site = openVisitedSite();
  await site.signUp(site.browser(), ADA, FIRST, "Mallory");
  const owner = await site.browser().open(site.linkTo(ADA));
  assert.equal(await site.who(owner), null);
  assert.match(owner.html, /was begun in another browser/);
  await owner.submit({ password: SECOND }, "/signup");
  assert.equal(await site.who(owner), ADA);
  assert.equal((await site.adapter.getUserByEmail?.(ADA))?.name ?? null, null);
  assert.equal(await site.opens(ADA, FIRST), false);
  assert.equal(await site.opens(ADA, SECOND), true);
});

test("a browser that was given the cookie of a registration is another browser all the same", async () => {
  const site = openVisitedSite();
  const stranger = await site.signUp(site.browser(), ADA, FIRST);
  const owner = site.browser();
  await owner.csrf();
  const planted = stranger.cookies.get("authjs.email")?.value ?? assert.fail();
  owner.cookies.store(`authjs.email=${planted}; Path=/`, owner.url);
  await owner.open(site.linkTo(ADA));
  assert.equal(await site.who(owner), null);
  await owner.submit({ password: SECOND }, "/signup");
  assert.deepEqual([await site.opens(ADA, FIRST), await site.opens(ADA, SECOND)], [false, true]);
});

test("whoever has an account gets an email that says so, with no link that confirms anything", async () => {
  const site = openVisitedSite();
  await site.join(ADA);
  const browser = await site.signUp(site.browser(), ADA, SECOND);
  assert.equal(browser.url.pathname, "/auth/verify-request");
  assert.deepEqual(site.sent(), [`${ADA}: You already have an account at localhost:3000`]);
  assert.doesNotMatch(site.mails[0]?.text ?? "", /token=/);
  assert.equal(await site.opens(ADA, SECOND), false);
});

for (
  const [problem, text] of [
    ["short", "fourteen chars"],
    ["long", "a".repeat(257)],
    ["common", "aaaaaaaaaaaaaaaaaaaa"],
    ["common", "ada@example.com1"],
  ] as const
) {
  test(`a password that is ${problem} is refused where somebody chooses it: ${text.slice(0, 20)}`, async () => {
    const site = openVisitedSite();
    const browser = site.browser();
    const fields = { csrfToken: await browser.csrf(), email: ADA, password: text };
    const answer = await browser.post("/auth/signup", fields);
    assert.equal(answer.status, 400);
    const { problem: told, length } = await answer.json();
    assert.deepEqual([told, length], [problem, { min: 15, max: 256 }]);
    await site.signUp(browser, ADA, text);
    assert.equal(browser.url.pathname, "/auth/signup");
    assert.match(browser.html, /role="alert"/);
    assert.ok(browser.html.includes(`value="${ADA}"`), "what was typed stays");
    assert.ok(!browser.html.includes(text), "but never the password");
    assert.deepEqual(site.mails, []);
  });
}

test("whoever forgot their password chooses a new one, which ends all sessions and says so", async () => {
  const site = openVisitedSite({ session: { strategy: "database" } });
  await site.join(ADA);
  const thief = site.browser();
  assert.equal(await site.enter(thief, ADA, FIRST), null);
  const browser = await site.forget(site.browser(), ADA);
  assert.equal(browser.url.pathname, "/auth/verify-request");
  assert.equal(await site.who(thief), ADA, "to ask for it ends nothing");
  const owner = await site.browser().open(site.linkTo(ADA));
  assert.equal(await site.who(owner), null, "to open the link does nothing");
  assert.equal(await site.who(thief), ADA);
  await owner.submit({ password: SECOND }, "/reset");
  assert.equal(await site.who(owner), ADA);
  assert.equal(await site.who(thief), null);
  assert.equal(await site.opens(ADA, FIRST), false);
  assert.equal(await site.opens(ADA, SECOND), true);
  assert.deepEqual(site.sent(), [
    `${ADA}: Choose a new password for localhost:3000`,
    `${ADA}: The password of your account at localhost:3000 was changed`,
  ]);
});

test("a reset makes every other link void that was sent before", async () => {
  const site = openVisitedSite();
  await site.join(ADA);
  await site.forget(site.browser(), ADA);
  await site.forget(site.browser(), ADA);
  const later = await site.browser().open(site.linkTo(ADA));
  const [first, second] = [site.linkTo(ADA, 1), site.linkTo(ADA)];
  assert.notEqual(first, second);
  const owner = await site.browser().open(first);
  await owner.submit({ password: SECOND }, "/reset");
  assert.equal(await site.who(owner), ADA);
  await later.submit({ password: "yet another password" }, "/reset");
  assert.equal(await site.who(later), null);
  assert.equal(await site.opens(ADA, SECOND), true);
  assert.equal((await site.browser().open(second)).status, 403);
  assert.equal((await site.browser().open(first)).status, 403);
});

test("two links that are used at the same time set one password", async () => {
  const site = openVisitedSite();
  await site.join(ADA);
  await site.forget(site.browser(), ADA);
  await site.forget(site.browser(), ADA);
  const texts = ["the first of the two", "the second of the two"];
  const owners = await Promise.all([0, 1].map((before) => site.browser().open(site.linkTo(ADA, before))));
  await Promise.all(owners.map((owner, at) => owner.submit({ password: texts[at] ?? "" }, "/reset")));
  const inside = await Promise.all(owners.map((owner) => site.who(owner)));
  assert.equal(inside.filter((email) => email === ADA).length, 1);
  assert.equal((await Promise.all(texts.map((text) => site.opens(ADA, text)))).filter(Boolean).length, 1);
});

test("the link of a reset expires after half an hour, and its page asks for another one", async () => {
  const site = openVisitedSite();
  await site.join(ADA);
  await site.forget(site.browser(), ADA);
  const [browser, other] = [site.browser(), site.browser()];
  await other.open(site.linkTo(ADA));
  site.runtime.advance(30 * 60);
  await browser.open(site.linkTo(ADA));
  await other.submit({ password: SECOND }, "/reset");
  for (const each of [browser, other]) {
    assert.deepEqual([each.status, each.url.pathname], [403, "/auth/reset"]);
    assert.match(each.html, /has been used already, or it has expired/);
    assert.doesNotMatch(each.html, /type="password"|name="token"/);
  }
  assert.equal(await site.opens(ADA, SECOND), false);
  await browser.submit({}, "/reset");
  await browser.open(site.linkTo(ADA));
  await browser.submit({ password: SECOND }, "/reset");
  assert.equal(await site.who(browser), ADA);
});

test("a reset refuses the password that somebody has, and tells it only to who has the link", async () => {
  const site = openVisitedSite();
  await site.join(ADA);
  await site.forget(site.browser(), ADA);
  const owner = await site.browser().open(site.linkTo(ADA));
  await owner.submit({ password: FIRST }, "/reset");
  assert.match(owner.html, /the password that you have now/);
  const stranger = site.browser();
  const made = { csrfToken: await stranger.csrf(), email: ADA, token: "0".repeat(64), password: FIRST };
  const compared = site.compared.length;
  const answer = await stranger.post("/auth/reset", made, { headers: { "x-auth-return-redirect": "1" } });
  assert.match(await answer.text(), /error=Verification/);
  assert.equal(site.compared.length, compared, "nothing is compared for a stranger");
});

test("somebody who is not known gets an email that says so, and no link", async () => {
  const site = openVisitedSite();
  const browser = await site.forget(site.browser(), BOB);
  assert.equal(browser.url.pathname, "/auth/verify-request");
  assert.deepEqual(site.sent(), [`${BOB}: No password can be chosen for this address at localhost:3000`]);
  assert.doesNotMatch(site.mails[0]?.text ?? "", /token=/);
});

test("the link of a registration does not replace the password that somebody has got meanwhile", async () => {
  const site = openVisitedSite();
  const [one, other] = [await site.signUp(site.browser(), ADA, FIRST), await site.signUp(site.browser(), ADA, SECOND)];
  await one.open(site.linkTo(ADA, 1));
  assert.equal(await site.who(one), ADA);
  await other.open(site.linkTo(ADA));
  assert.equal(await site.who(other), null);
  assert.deepEqual([await site.opens(ADA, FIRST), await site.opens(ADA, SECOND)], [true, false]);
});

test("a user who is removed during a reset does not come back", async () => {
  const rows = memoryAdapter();
  const site = openVisitedSite({
    adapter: interrupted(rows, async ({ consume }) => {
      const user = consume && await rows.getUserByEmail(ADA);
      if (user) await rows.deleteUser(user.id);
    }),
  });
  await site.join(ADA);
  await site.forget(site.browser(), ADA);
  const owner = await site.browser().open(site.linkTo(ADA));
  await owner.submit({ password: SECOND }, "/reset");
  assert.equal(await rows.getUserByEmail(ADA), null);
  assert.equal(await site.who(owner), null);
});

test("a user who was removed does not come back with the link of a reset", async () => {
  const site = openVisitedSite();
  const id = await site.join(ADA);
  await site.forget(site.browser(), ADA);
  const owner = await site.browser().open(site.linkTo(ADA));
  await site.adapter.deleteUser?.(id);
  await owner.submit({ password: SECOND }, "/reset");
  assert.equal(owner.status, 403);
  assert.equal(await site.adapter.getUserByEmail?.(ADA), null);
});

test("with invitations nobody registers, and whom the application has stored chooses a password", async () => {
  const site = openVisitedSite({ password: { signUp: "invited" } });
  assert.equal((await site.browser().get("/auth/signup")).status, 404);
  await site.join(ADA, null, false);
  await site.forget(site.browser(), BOB);
  await site.forget(site.browser(), ADA);
  const owner = await site.browser().open(site.linkTo(ADA));
  await owner.submit({ password: SECOND }, "/reset");
  assert.equal(await site.who(owner), ADA);
  assert.equal(await site.opens(ADA, SECOND), true);
  assert.doesNotMatch(site.mails[0]?.text ?? "", /signup|token=/);
});

test("without new passwords only who has one gets a link", async () => {
  const site = openVisitedSite({ password: { signUp: false } });
  await site.join(ADA);
  await site.join(BOB, null);
  await site.forget(site.browser(), ADA);
  await site.forget(site.browser(), BOB);
  assert.match(site.mails[0]?.text ?? "", /token=/);
  assert.doesNotMatch(site.mails[1]?.text ?? "", /token=/);
});

test("without new passwords, one for a former address is none: neither by a link nor on the page", async () => {
  const site = openVisitedSite({ password: { signUp: false }, session: { strategy: "database" } });
  const id = await site.join(ADA);
  const owner = site.browser();
  assert.equal(await site.enter(owner, ADA, FIRST), null);
  for (const [address, mayChoose] of [[ADA, true], [BOB, false]] as const) {
    await site.adapter.updateUser?.({ id, email: address });
    await site.forget(site.browser(), address);
    assert.equal(/token=/.test(site.mails.at(-1)?.text ?? ""), mayChoose, address);
    await owner.open("/auth/password");
    assert.equal(owner.status === 200, mayChoose, address);
    if (!mayChoose) assert.equal(owner.url.searchParams.get("error"), "AccessDenied");
  }
  assert.equal(await site.who(owner), BOB, "the session goes on");
});

test("somebody who is signed in changes their password, and others who are in are out", async () => {
  const site = openVisitedSite({ session: { strategy: "database" } });
  await site.join(ADA);
  const [owner, thief] = [site.browser(), site.browser()];
  assert.equal(await site.enter(owner, ADA, FIRST), null);
  assert.equal(await site.enter(thief, ADA, FIRST), null);
  await owner.open("/auth/password");
  assert.equal(owner.status, 200);
  await owner.submit({ password: SECOND }, "/password");
  assert.equal(owner.url.pathname, "/auth/password");
  assert.match(owner.html, /role="status">Your password is saved/);
  await owner.open("/auth/password?done=<b>sold</b>");
  assert.doesNotMatch(owner.html, /role="status"|sold/);
  assert.deepEqual([await site.who(owner), await site.who(thief)], [ADA, null]);
  assert.deepEqual([await site.opens(ADA, FIRST), await site.opens(ADA, SECOND)], [false, true]);
  assert.deepEqual(site.sent(), [`${ADA}: The password of your account at localhost:3000 was changed`]);
});

test("a link does not make the page say that a password was saved or removed where none was", async () => {
  const site = openVisitedSite();
  await site.join(ADA);
  site.runtime.advance(60);
  const owner = site.browser();
  assert.equal(await site.enter(owner, ADA, FIRST), null);
  for (const done of ["saved", "removed"]) {
    await owner.open(`/auth/password?done=${done}`);
    assert.equal(owner.status, 200);
    assert.doesNotMatch(owner.html, /role="status"/, done);
  }
});

test("a sign-in of more than ten minutes ago changes no password", async () => {
  const site = openVisitedSite();
  await site.join(ADA);
  const owner = site.browser();
  assert.equal(await site.enter(owner, ADA, FIRST), null);
  await owner.open("/auth/password");
  site.runtime.advance(10 * 60 + 1);
  await owner.submit({ password: SECOND }, "/password");
  assert.equal(owner.url.pathname, "/auth/signin");
  assert.equal(owner.url.searchParams.get("callbackUrl"), "http://localhost:3000/auth/password");
  assert.equal(await site.opens(ADA, SECOND), false);
});

test("a stranger is sent to the sign-in page, and a script is told", async () => {
  const site = openVisitedSite();
  const browser = await site.browser().open("/auth/password");
  assert.equal(browser.url.pathname, "/auth/signin");
  const answer = await site.browser().get("/auth/password");
  assert.equal(answer.status, 401);
  assert.equal((await answer.json()).error, "SessionRequired");
});

test("a password that is the only way in is not removed", async () => {
  const site = openVisitedSite();
  await site.join(ADA);
  const owner = site.browser();
  assert.equal(await site.enter(owner, ADA, FIRST), null);
  await owner.open("/auth/password");
  assert.doesNotMatch(owner.html, /Remove password/);
  await owner.post("/auth/password", { csrfToken: await owner.csrf(), act: "remove" });
  assert.equal(await site.opens(ADA, FIRST), true);
});

for (const strategy of ["jwt", "database"] as const) {
  test(`who came another way sets a password, and removes it while that way is left (${strategy})`, async () => {
    const site = openMultiProvider({
      adapter: memoryAdapter(),
      session: { strategy },
      idps: { google: {} },
      providers: [password({ hash: cheapHash() })],
      mail: () => {},
      mayFail: true,
    });
    const person = { sub: "1", email: ADA, email_verified: true };
    const opens = async (text: string) => {
      const browser = site.visitor();
      await browser.post("/auth/callback/password", { csrfToken: await browser.csrf(), email: ADA, password: text });
      return await browser.session() !== null;
    };
    const browser = site.visitor();
    await site.come(browser, "google", person);
    await browser.open("/auth/password");
    assert.match(browser.html, /You can sign in with/);
    assert.doesNotMatch(browser.html, /Remove password/);
    await browser.submit({ password: FIRST }, "/password");
    assert.equal(await opens(FIRST), true);
    const forms = /Remove password/.test(browser.html);
    assert.equal(forms, true);
    await browser.post("/auth/password", { csrfToken: await browser.csrf(), act: "remove" });
    assert.equal(await opens(FIRST), false);
    assert.notEqual(await browser.session(), null);
    await site.come(site.visitor(), "google", person);
  });
}

/** An adapter that lets something happen before it writes a plan. */
function interrupted(adapter: CompleteAdapter, before: (plan: Plan) => Promise<unknown>): CompleteAdapter {
  return {
    ...adapter,
    commit: async (plan) => {
      await before(plan);
      return await adapter.commit(plan);
    },
  };
}

test("a password is not removed if the other way in goes at the same time", async () => {
  const rows = memoryAdapter();
  const account = { provider: "idp", providerAccountId: "1" };
  const site = openVisitedSite({
    // The account goes after it was found, and before the password is removed.
    adapter: interrupted(rows, async ({ records }) => {
      if (records?.remove) await rows.unlinkAccount(account);
    }),
    providers: [
      { id: "idp", name: "I", type: "oauth", issuer: "https://idp.test", clientId: "c", clientSecret: "s" },
      password({ hash: cheapHash() }),
    ],
  });
  const userId = await site.join(ADA);
  await rows.linkAccount({ ...account, type: "oauth", userId });
  const browser = site.browser();
  assert.equal(await site.enter(browser, ADA, FIRST), null);
  await browser.post("/auth/password", { csrfToken: await browser.csrf(), act: "remove" });
  assert.equal(await rows.getUserByAccount(account), null, "it went meanwhile");
  assert.equal(await site.opens(ADA, FIRST), true);
});

for (const strategy of ["jwt", "database"] as const) {
  test(`a session that begins with the former password during a reset does not outlive it (${strategy})`, async () => {
    let thief: Browser | undefined;
    const site = openVisitedSite({
      adapter: interrupted(memoryAdapter(), async ({ consume }) => {
        if (!consume || thief) return;
        thief = site.browser();
        assert.equal(await site.enter(thief, ADA, FIRST), null);
        assert.equal(await site.who(thief), ADA);
      }),
      session: { strategy },
    });
    await site.join(ADA);
    await site.forget(site.browser(), ADA);
    const owner = await site.browser().open(site.linkTo(ADA));
    await owner.submit({ password: SECOND }, "/reset");
    assert.equal(await site.who(owner), ADA);
    assert.ok(thief);
    assert.equal(await site.who(thief), null);
  });
}

test("somebody whose address is not proven proves it before they set a password", async () => {
  const site = openMultiProvider({
    adapter: memoryAdapter(),
    idps: { other: {} },
    providers: [password({ hash: cheapHash() })],
    mail: () => {},
  });
  const browser = site.visitor();
  await site.come(browser, "other", { sub: "1", email: ADA, email_verified: false });
  const answer = await browser.post("/auth/password", { csrfToken: await browser.csrf(), password: FIRST });
  assert.equal(answer.status, 403);
  assert.match((await answer.json()).url, /\/auth\/reset\?email=ada%40example\.com$/);
  await browser.open("/auth/password");
  assert.equal(browser.url.pathname, "/auth/reset");
});

test("too many emails to one address are refused on the page, which keeps what was typed", async () => {
  const site = openVisitedSite({ features: [limits()] });
  const browser = site.browser();
  const csrfToken = await browser.csrf();
  const statuses = [];
  for (let count = 0; count < 12; count++) {
    const { status } = await browser.post("/auth/signup", { csrfToken, email: ADA, password: FIRST });
    statuses.push(status);
  }
  assert.ok(statuses.every((status) => status === 200 || status === 429), statuses.join());
  assert.ok(site.mails.length < 12, "some were not sent, and the answer is the same");
});

test("where a link can only be used up, whoever makes some up is limited before a hash is made", async () => {
  const { getVerificationToken: _, commit: __, ...adapter } = memoryAdapter();
  const points: Points = { guess: (_, { kind }) => ({ act: kind === "registration" ? "refuse" : "compare" }) };
  const made: string[] = [];
  const site = openVisitedSite({
    adapter,
    features: [makeFeature("limits", [], () => Promise.resolve(points), ["guess"])],
    password: { hash: { ...cheapHash(), make: (text) => (made.push(text), `new:${text}`) } },
  });
  await site.adapter.createUser?.({ id: "u1", email: ADA, emailVerified: new Date(0) });
  const browser = site.browser();
  const fields = { csrfToken: await browser.csrf(), email: ADA, token: "0".repeat(64), password: FIRST };
  for (const path of ["/auth/reset", "/auth/signup"]) await browser.post(path, fields);
  assert.deepEqual(made, []);
});

test("while too many hashes wait, the page keeps the form and says when to come again", async () => {
  const busy: PasswordHash = {
    make: () => Promise.reject(new Overloaded("Cannot hash a secret: 100 others wait already")),
    verify: () => "no",
  };
  const site = openVisitedSite({ password: { hash: busy } });
  const browser = await site.signUp(site.browser(), ADA, FIRST);
  assert.deepEqual([browser.status, browser.url.pathname], [503, "/auth/signup"]);
  assert.match(browser.html, /too many visitors/);
  const fields = { csrfToken: await browser.csrf(), email: ADA, password: FIRST };
  const answer = await browser.post("/auth/signup", fields);
  assert.equal(answer.status, 503);
  assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/);
  assert.equal((await answer.json()).problem, "busy");
});

test("callbacks.signIn refuses a registration before an email is sent", async () => {
  const asked: unknown[] = [];
  const site = openVisitedSite({
    callbacks: {
      signIn: ({ account, email }) => {
        asked.push([account?.provider, account?.type, email?.verificationRequest]);
        return false;
      },
    },
  });
  const browser = await site.signUp(site.browser(), ADA, FIRST);
  assert.equal(browser.url.pathname, "/auth/error");
  assert.deepEqual(asked, [["password", "email", true]]);
  assert.deepEqual(site.mails, []);
});

test("an email that cannot be sent leaves no link, and says so", async () => {
  const site = openVisitedSite({ mail: () => Promise.reject(new Error("no route to host")) });
  const browser = await site.signUp(site.browser(), ADA, FIRST);
  assert.equal(browser.url.searchParams.get("error"), "EmailSignin");
  assert.equal(site.errors.length, 1);
  assert.ok(!String(site.errors[0]).includes(FIRST));
});

const PLACES: Readonly<Record<string, () => readonly [Adapter, PasswordOptions]>> = {
  "records": () => [memoryAdapter(), {}],
  "records beside an adapter of others": () => {
    const quiet = { logger: { warn: () => {} } };
    return [withRecords(plainOf(memoryAdapter()), memoryRecords(), quiet), {}];
  },
  "a table of the application": () => [memoryAdapter(), { store: hashTable() }],
  "a table of the application, beside an adapter of others": () => {
    return [plainOf(memoryAdapter()), { store: hashTable() }];
  },
};

for (const [place, open] of Object.entries(PLACES)) {
  for (const strategy of ["jwt", "database"] as const) {
    test(`people register, reset and change a password that is kept in ${place} (${strategy})`, async () => {
      const [adapter, options] = open();
      const site = openVisitedSite({ adapter, password: options, session: { strategy } });
      const owner = await site.arrive(ADA, FIRST);
      assert.equal(await site.who(owner), ADA);
      assert.deepEqual([await site.opens(ADA, FIRST), await site.opens(ADA, SECOND)], [true, false]);
      await site.forget(site.browser(), ADA);
      const again = await site.browser().open(site.linkTo(ADA));
      await again.submit({ password: SECOND }, "/reset");
      assert.equal(await site.who(again), ADA);
      assert.deepEqual([await site.opens(ADA, FIRST), await site.opens(ADA, SECOND)], [false, true]);
      await again.open("/auth/password");
      await again.submit({ password: FIRST }, "/password");
      assert.deepEqual([await site.opens(ADA, FIRST), await site.opens(ADA, SECOND)], [true, false]);
      // Others hold no links that work: each was used, or is older than the password.
      const link = /https?:\S+token=\S+/;
      for (const { text } of site.mails) {
        const [url] = link.exec(text) ?? [];
        if (url === undefined) continue;
        const late = await site.browser().open(url);
        if (late.html.includes('name="password"')) await late.submit({ password: "too late for a password" });
        assert.equal(await site.who(late), null);
      }
      assert.equal(await site.opens(ADA, FIRST), true);
    });
  }
}

test("of 64 who use one link at the same time, one gets in", async () => {
  const site = openVisitedSite();
  await site.signUp(site.browser(), ADA, FIRST);
  const claims = await crowd(site, site.linkTo(ADA), "/auth/signup");
  assert.equal(claims, 1);
  await site.forget(site.browser(), ADA);
  assert.equal(await crowd(site, site.linkTo(ADA), "/auth/reset"), 1);
});

/** Posts a link from 64 browsers at once, each with a password of its own. Gives how many get in. */
async function crowd(site: VisitedSite, link: string, path: string): Promise<number> {
  const { searchParams } = new URL(link);
  const given = { email: ADA, token: searchParams.get("token") ?? "" };
  const browsers = await Promise.all(Array.from({ length: 64 }, async (_, at) => {
    const browser = site.browser();
    return { browser, fields: { ...given, csrfToken: await browser.csrf(), password: `password of number ${at}` } };
  }));
  await Promise.all(browsers.map(({ browser, fields }) => browser.post(path, fields)));
  const inside = [];
  for (const { browser, fields } of browsers) {
    if (await site.who(browser) === ADA) inside.push(fields.password);
  }
  for (const password of inside) assert.equal(await site.opens(ADA, password), true);
  return inside.length;
}

/** The links of a page, by their texts. */
function linksOf({ html }: Browser): Record<string, URL> {
  const found = html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(?:<[^>]*>)*([^<]*)/g);
  return Object.fromEntries([...found].map(([, href = "", text = ""]) => {
    return [text, new URL(href.replaceAll("&amp;", "&"), "http://localhost:3000")];
  }));
}

for (const signUp of [true, "invited", false] as const) {
  test(`the sign-in page leads to the pages that there are, with the address that was typed (signUp: ${signUp})`, async () => {
    const site = openVisitedSite({ password: { signUp } });
    const browser = await site.browser().open("/auth/signin?callbackUrl=/next");
    await browser.submit({ email: ADA, password: SECOND }, "/callback/password");
    const links = linksOf(browser);
    const next = { callbackUrl: "http://localhost:3000/next", email: ADA };
    const reset = links["Forgot your password?"];
    assert.equal(reset?.pathname, "/auth/reset");
    assert.deepEqual(Object.fromEntries(reset.searchParams), next);
    const create = links["Create account"];
    assert.equal(create?.pathname, signUp === true ? "/auth/signup" : undefined);
    for (const link of [reset, ...create ? [create] : []]) {
      await browser.open(link.href);
      assert.match(browser.html, /value="ada@example\.com"/);
      assert.equal(linksOf(browser)["Sign in"]?.pathname, "/auth/signin");
    }
  });
}

test("an address of any length leaves the sign-in page as it is", async () => {
  const site = openVisitedSite();
  const browser = await site.browser().open(`/auth/signin?email=${"a".repeat(2000)}@example.com`);
  assert.equal(browser.status, 200);
  assert.deepEqual([...linksOf(browser)["Forgot your password?"]?.searchParams.keys() ?? []], ["callbackUrl"]);
});

test("the page after an email says which link was sent, and leads back to where it was asked for", async () => {
  const site = openVisitedSite();
  const registered = await site.signUp(site.browser(), ADA, FIRST);
  assert.match(registered.html, /Open it in this browser to confirm your address/);
  assert.equal(
    linksOf(registered)["Ask for another link"]?.href,
    `http://localhost:3000/auth/signup?email=${encodeURIComponent(ADA)}`,
  );
  const forgotten = await site.forget(site.browser(), ADA);
  assert.match(forgotten.html, /Open it to choose a new password/);
  assert.equal(linksOf(forgotten)["Ask for another link"]?.pathname, "/auth/reset");
});

test("password managers are led to the page to change a password", async () => {
  const path = "/.well-known/change-password";
  const answer = await openVisitedSite().browser().get(path);
  assert.deepEqual([answer.status, answer.headers.get("location")], [302, "http://localhost:3000/auth/password"]);
  assert.equal((await openVisitedSite({ providers: [] }).browser().get(path)).status, 404);
});

test("a service without passwords has none of the pages", async () => {
  const site = openVisitedSite({ providers: [] });
  for (const page of ["signup", "reset", "password"]) {
    assert.equal((await site.browser().get(`/auth/${page}`)).status, 404, page);
  }
});
