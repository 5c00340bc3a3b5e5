/** Whole sign-ins with limits, on every kind of storage that counts, and on two servers at once. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import process from "node:process";
import type { AuthConfig, CompleteAdapter } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { type LimitedService, openLimited, PASSWORD, tryPassword } from "../_support/limited.ts";
import { LIMITED_STORES, type LimitedStore, slowed } from "../_support/limited_stores.ts";
import { START } from "../_support/runtime.ts";
import type { Visitor } from "../_support/visitors.ts";

const ADA = "ada@example.com";
const HERE = "203.0.113.7";

/** Strangers at once. Each has an address of their own. */
const STRANGERS = 64;

/** What one stands before who guesses once at the account of somebody else. */
const RULES = { mail: { address: { burst: STRANGERS, every: 600 } } };

const CODE = { generateVerificationToken: () => "123456" };

function openSite(adapter: CompleteAdapter, config: AuthConfig = {}): Promise<LimitedService> {
  return openLimited({ adapter, email: CODE, limits: RULES, config });
}

/** Two servers of one site. */
type Servers = readonly [LimitedService, LimitedService];

function strangersOf([one, other]: Servers): Visitor[] {
  return Array.from({ length: STRANGERS }, (_, at) => (at % 2 === 0 ? one : other).visitor(`198.51.100.${at}`));
}

/** Types a code. */
async function tryCode(visitor: Visitor, code: string, email = ADA): Promise<"in" | "wrong" | "limited"> {
  const response = await visitor.get(`/auth/callback/email?${new URLSearchParams({ email, token: code })}`);
  if (response.status === 429) return "limited";
  return visitor.token === undefined ? "wrong" : "in";
}

function count(answers: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(answers, (answer) => answer)].map(([answer, all]) => [answer, all.length]));
}

for (const { name, server, takesApart, open } of LIMITED_STORES) {
  const skip = server !== undefined && !server.isInstalled && process.env.CI !== "true";
  if (skip) process.stderr.write(`\n*** The sign-ins with limits on ${name} did not run: it is not installed.\n\n`);

  describe(`on ${name}`, { skip }, () => {
    let store: LimitedStore;
    let sites: Servers;
    before(async () => {
      store = await open(() => START);
      sites = [await openSite(store.connect()), await openSite(store.connect())];
    });
    after(() => store.close());

    test("of 64 wrong passwords at once on two servers ten are compared, and the owner signs in meanwhile", async () => {
      const [first, second] = sites;
      const ada = first.visitor(HERE);
      assert.equal(await tryPassword(ada, "ada", PASSWORD), "in");
      await ada.signOut();
      const [answers, answer] = await Promise.all([
        Promise.all(strangersOf(sites).map((stranger) => tryPassword(stranger, "ada"))),
        tryPassword(ada, "ada", PASSWORD),
      ]);
      assert.deepEqual(count(answers), { wrong: 10, limited: 54 });
      assert.equal(answer, "in");
      const compared = [first, second].map((site) => site.compared.get("ada") ?? 0);
      assert.equal(compared.reduce((sum, each) => sum + each), 12, "ten, and hers");
      // Each of the two servers knows her browser.
      const elsewhere = second.visitor(HERE);
      elsewhere.cookies.set("authjs.device", ada.cookies.get("authjs.device") ?? "");
      assert.equal(await tryPassword(elsewhere, "ada", PASSWORD), "in");
      assert.equal(await tryPassword(second.visitor(HERE), "ada", PASSWORD), "limited");
    });

    test(
      "of 64 callers of four buckets ten get a token of each, and nobody else of any",
      { skip: takesApart },
      async () => {
        const [one, other] = [store.connect(), store.connect()];
        const buckets = ["one", "two", "three", "four"].map((key) => ({ key, every: 1000, burst: 10 }));
        const answers = await Promise.all(Array.from({ length: STRANGERS }, async (_, at) => {
          const answer = await (at % 2 === 0 ? one : other).take(buckets, new Date(START));
          return String(answer.filter((until) => until === null).length);
        }));
        assert.deepEqual(count(answers), { 4: 10, 0: 54 });
      },
    );

    test("of 64 wrong codes at once ten are compared besides the first of each, and the owner gets in", async () => {
      const [first] = sites;
      const ada = first.visitor(HERE);
      await ada.ask(ADA);
      assert.equal(await tryCode(ada, "123456"), "in");
      await ada.signOut();
      // Sixteen codes, and four guesses at each.
      const strangers = strangersOf(sites).slice(0, 16);
      for (const stranger of strangers) await stranger.ask(ADA);
      await ada.ask(ADA);
      const [answers, answer] = await Promise.all([
        Promise.all(
          strangers.flatMap((stranger) => [1, 2, 3, 4].map((guess) => tryCode(stranger, `00000${guess}`))),
        ),
        tryCode(ada, "123456"),
      ]);
      assert.deepEqual(count(answers), { wrong: 16 + 10, limited: 64 - 26 });
      assert.equal(answer, "in");
    });
  });
}

/** A service whose storage needs 100 ms for each call, with one guess for each account. */
function openSlow(adapter: CompleteAdapter) {
  const limits = { guess: { account: { burst: 1, every: 300 } }, challenge: null };
  return openLimited({ adapter: slowed(adapter, 100), limits });
}

test("of two browsers at slow storage one has the last guess, and a known one its own", async () => {
  const adapter = memoryAdapter({ now: () => START });
  const [first, second] = [await openSlow(adapter), await openSlow(adapter)];
  const [ada, one, other] = [first.visitor(HERE), first.visitor(), second.visitor()];
  assert.equal(await tryPassword(ada, "ada", PASSWORD), "in");
  await ada.signOut();
  const answers = Promise.all([tryPassword(one, "ada"), tryPassword(other, "ada")]);
  assert.equal(await tryPassword(ada, "ada", PASSWORD), "in");
  assert.deepEqual(count(await answers), { wrong: 1, limited: 1 });
});

test("two browsers that are right at slow storage are both in, as often as they come", async () => {
  const site = await openSlow(memoryAdapter({ now: () => START }));
  const [one, other] = [site.visitor(HERE), site.visitor()];
  for (const visitor of [one, other]) assert.equal(await tryPassword(visitor, "ada", PASSWORD), "in");
  const again = await Promise.all([one, other].map((visitor) => tryPassword(visitor, "ada", PASSWORD)));
  assert.deepEqual(again, ["in", "in"]);
  assert.deepEqual(count([await tryPassword(site.visitor(), "ada"), await tryPassword(site.visitor(), "ada")]), {
    wrong: 1,
    limited: 1,
  });
});

/** What may be wrong with storage that counts. */
const TROUBLES: Readonly<Record<string, CompleteAdapter["take"]>> = {
  "refuses": () => Promise.reject(new Error("offline")),
  "throws": () => {
    throw new Error("offline");
  },
  "answers nonsense": () => Promise.resolve("OK" as never),
  "never answers": () => new Promise(() => {}),
};

for (const [trouble, take] of Object.entries(TROUBLES)) {
  test(`where storage ${trouble} codes are closed, passwords are counted here, and emails go out`, async () => {
    const adapter = { ...memoryAdapter({ now: () => START }), take };
    const site = await openSite(adapter, { timeouts: { total: 1.2 } });
    const answers = Array.from({ length: 12 }, () => tryPassword(site.visitor(), "ada"));
    assert.deepEqual(count(await Promise.all(answers)), { wrong: 10, limited: 2 });
    const ada = site.visitor(HERE);
    await ada.ask(ADA);
    assert.equal(site.box.mails.length, 1);
    const response = await ada.get(`/auth/callback/email?${new URLSearchParams({ email: ADA, token: "123456" })}`);
    assert.equal(response.status, 302);
    assert.match(response.headers.get("location") ?? "", /error=/);
    assert.equal(ada.token, undefined);
    // The link in the email is no guess.
    await ada.open(site.box.link());
    assert.notEqual(ada.token, undefined);
  });
}

test("while storage is down emails go out to the ceiling of the site, and then ask for the challenge", async () => {
  const adapter = { ...memoryAdapter(), take: () => Promise.reject(new Error("offline")) };
  const site = await openLimited({ adapter, limits: { mail: { site: { burst: 5, every: 60 } } } });
  const answers: number[] = [];
  for (let at = 0; at < 6; at++) answers.push((await site.visitor().ask(`user-${at}@example.com`)).status);
  assert.deepEqual(answers, [302, 302, 302, 302, 302, 429]);
  assert.equal(site.box.mails.length, 5);
});
