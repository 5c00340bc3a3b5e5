/** Many who use one link, or change one password, at the same time: what has to be true afterwards. */
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { limits } from "@x/auth/limits";
import type { Browser } from "./browser.ts";
import { openVisitedSite, type VisitedSite } from "./password_visits.ts";
import type { OpenedPlace, Strategy } from "./password_places.ts";
import { testRuntime } from "./runtime.ts";

const CALLERS = 64;
/** Times that sign-ins begin a little later than a change. */
const ROUNDS = 8;
const FORMER = "a pelican on a bicycle";
const THEIRS = "the password of the impostor";
const OWN = "what the owner has chosen";

/** Storage for passwords. */
export interface Contested extends Pick<OpenedPlace, "adapter" | "store"> {
  readonly strategy: Strategy;
  /** Whether the sessions of a user can be ended. */
  readonly endsSessions: boolean;
}

interface Ring extends Contested {
  readonly site: VisitedSite;
}

function openRing(contested: Contested): Ring {
  const { adapter, store, strategy } = contested;
  const site = openVisitedSite({
    adapter,
    runtime: testRuntime({ now: Date.now() }),
    session: { strategy },
    ...(store && { password: { store } }),
    features: [limits({ off: "of many at the same time each has to get as far as storage" })],
  });
  return { ...contested, site };
}

function callers<T>(make: (at: number) => T): T[] {
  return Array.from({ length: CALLERS }, (_, at) => make(at));
}

let addresses = 0;

/** An address that nobody has used, whatever the storage. */
function newAddress(): string {
  return `contest-${++addresses}-${crypto.randomUUID()}@example.com`;
}

/** The stored hash of whoever has an address, without its format. */
async function passwordOf({ site, adapter, store }: Ring, email: string): Promise<string | null> {
  const user = await site.adapter.getUserByEmail?.(email);
  if (!user) return null;
  const hash = store
    ? await store.get(user.id)
    : (await adapter.getRecord?.({ kind: "password", id: user.id }))?.data.hash;
  return typeof hash === "string" ? hash.replace(/^new:/, "") : null;
}

async function post(browser: Browser, path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  return await browser.post(path, { csrfToken: await browser.csrf(), ...fields });
}

/** Whether a browser is in as somebody. */
async function isIn({ site }: Ring, browser: Browser, email: string): Promise<boolean> {
  return await site.who(browser) === email;
}

async function countIn(ring: Ring, browsers: readonly Browser[], email: string): Promise<number> {
  const states = await Promise.all(browsers.map((browser) => isIn(ring, browser, email)));
  return states.filter(Boolean).length;
}

// The owner has to get in, whatever happened.
async function assertOpens({ site }: Ring, email: string, text: string): Promise<void> {
  assert.equal(await site.opens(email, text), true, `the password that is stored opens: ${text}`);
}

/** Two people register with one address at the same time, in many browsers, and its owner opens every link at once. */
async function contestOfRegistrations(ring: Ring): Promise<void> {
  const { site } = ring;
  const email = newAddress();
  const people = callers((at) => ({ browser: site.browser(), isOwner: at % 2 === 0, callbackUrl: `/by/${at}` }));
  await Promise.all(people.map(({ browser, isOwner, callbackUrl }) => {
    return post(browser, "/auth/signup", { email, password: isOwner ? OWN : THEIRS, callbackUrl });
  }));
  const texts = site.mails.filter(({ to }) => to === email).map(({ text }) => /https?:\S+/.exec(text)?.[0] ?? "");
  const links = people.map(({ callbackUrl }) => {
    const own = (url: string) => new URL(new URL(url).searchParams.get("callbackUrl") ?? url).pathname === callbackUrl;
    return texts.find(own) ?? assert.fail(`no link for ${callbackUrl}`);
  });
  const opened = await Promise.all(people.map(async ({ browser, isOwner }, at) => {
    const link = new URL(links[at] ?? "");
    const reader = isOwner ? browser : site.browser();
    await reader.get(`${link.pathname}${link.search}`);
    if (isOwner) return reader;
    const { token = "", email: address = "" } = Object.fromEntries(link.searchParams);
    await post(reader, "/auth/signup", { token, email: address, password: OWN });
    return reader;
  }));
  const count = await countIn(ring, opened, email);
  // A table of hashes does not commit together with users: several links of the owner may set a password each.
  assert.ok(ring.store ? count >= 1 : count === 1, `one link creates the user, not ${count}`);
  const impostors = people.filter(({ isOwner }) => !isOwner).map(({ browser }) => browser);
  assert.equal(await countIn(ring, impostors, email), 0, "the impostor is out");
  assert.equal(await passwordOf(ring, email), OWN);
  await assertOpens(ring, email, OWN);
  assert.equal(await site.opens(email, THEIRS), false);
}

function copiesOf(site: VisitedSite, browser: Browser): Browser[] {
  return callers(() => {
    const copy = site.browser();
    for (const { name, value, path } of browser.cookies.all()) {
      copy.cookies.store(`${name}=${value}; Path=${path}; HttpOnly`, new URL(browser.origin));
    }
    return copy;
  });
}

/** Many open one link of a registration. */
async function contestOfConfirmations(ring: Ring): Promise<void> {
  const { site } = ring;
  const email = newAddress();
  const copies = copiesOf(site, await site.signUp(site.browser(), email, OWN));
  const { pathname, search } = new URL(site.linkTo(email));
  await Promise.all(copies.map((copy) => copy.get(`${pathname}${search}`)));
  assert.equal(await countIn(ring, copies, email), 1, "a registration is confirmed once");
  await assertOpens(ring, email, OWN);
}

/** Many choose a password each with one link of a reset. */
async function contestOfResets(ring: Ring): Promise<void> {
  const { site } = ring;
  const email = newAddress();
  await site.join(email, FORMER);
  const thief = site.browser();
  assert.equal(await site.enter(thief, email, FORMER), null);
  await site.forget(site.browser(), email);
  const fields = fieldsOf(site.linkTo(email));
  const browsers = callers(() => site.browser());
  await Promise.all(
    browsers.map((browser, at) => post(browser, "/auth/reset", { ...fields, password: `${OWN} ${at}` })),
  );
  const entered = await Promise.all(browsers.map((browser) => isIn(ring, browser, email)));
  assert.equal(entered.filter(Boolean).length, 1, "one password is chosen");
  const chosen = `${OWN} ${entered.indexOf(true)}`;
  assert.equal(await passwordOf(ring, email), chosen);
  await assertOpens(ring, email, chosen);
  assert.equal(await isIn(ring, thief, email), !ring.endsSessions, "the former session");
}

function fieldsOf(link: string): { token: string; email: string } {
  const { token = "", email = "" } = Object.fromEntries(new URL(link).searchParams);
  return { token, email };
}

const ACTS = ["sign-in", "reset", "change"] as const;

/** The owner resets and changes their password while a thief signs in with the former one. */
async function contestOfEverything(ring: Ring): Promise<void> {
  const { site, adapter } = ring;
  const email = newAddress();
  await site.join(email, FORMER);
  // Without transactions, a change whose own session a reset ends at that moment ends no others.
  const acts = ACTS.filter((act) => adapter.commit || act !== "change");
  const crowd = callers((at) => ({ browser: site.browser(), does: acts[at % acts.length], text: `${OWN} ${at}` }));
  const changing = crowd.filter(({ does }) => does === "change");
  for (const { browser } of changing) assert.equal(await site.enter(browser, email, FORMER), null);
  await site.forget(site.browser(), email);
  const fields = fieldsOf(site.linkTo(email));
  await Promise.all(crowd.map(async ({ browser, does, text }) => {
    if (does === "sign-in") return await enterWhilePossible(ring, browser, email);
    const [path, given] = does === "change" ? ["/auth/password", {}] : ["/auth/reset", fields];
    return await post(browser, String(path), { ...given, password: text });
  }));
  const stored = await passwordOf(ring, email);
  assert.ok(
    crowd.some(({ text, does }) => does !== "sign-in" && text === stored),
    `a password that was chosen, not ${stored}`,
  );
  await assertOpens(ring, email, String(stored));
  assert.equal(await site.opens(email, FORMER), false);
  if (!ring.endsSessions) return;
  const thieves = crowd.filter(({ does }) => does === "sign-in").map(({ browser }) => browser);
  assert.equal(await countIn(ring, thieves, email), 0, "no session stands on the former password");
}

// Some sign-in is under way at every moment of the others.
async function enterWhilePossible({ site }: Ring, browser: Browser, email: string): Promise<void> {
  for (let times = 0; times < 20; times++) if (await site.enter(browser, email, FORMER) !== null) return;
}

/** A hash is made anew by many sign-ins while its owner chooses another password. */
async function contestOfHashes(ring: Ring): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) await raceOfHashes(ring, round);
}

async function raceOfHashes(ring: Ring, milliseconds: number): Promise<void> {
  const { site, adapter, store } = ring;
  const email = newAddress();
  const id = await site.join(email, FORMER);
  const owner = site.browser();
  assert.equal(await site.enter(owner, email, FORMER), null);
  if (store) await store.set(id, `old:${FORMER}`);
  else {
    const record = await adapter.getRecord?.({ kind: "password", id }) ?? assert.fail();
    await adapter.putRecord?.({ ...record, data: { ...record.data, hash: `old:${FORMER}` } });
  }
  const browsers = Array.from({ length: CALLERS / ROUNDS }, () => site.browser());
  const [answer] = await Promise.all([
    post(owner, "/auth/password", { password: OWN }),
    ...browsers.map(async (browser) => {
      await delay(milliseconds);
      await site.enter(browser, email, FORMER);
    }),
  ]);
  const isChanged = answer.status < 400;
  assert.equal(await passwordOf(ring, email), isChanged ? OWN : FORMER, "no better hash replaces a new password");
  await assertOpens(ring, email, isChanged ? OWN : FORMER);
}

/** The contests by what they are about. */
export const CONTESTS: Readonly<Record<string, (contested: Contested) => Promise<void>>> = {
  "of many registrations of two people, the owner's alone counts": (given) => contestOfRegistrations(openRing(given)),
  "the link of a registration is used once": (given) => contestOfConfirmations(openRing(given)),
  "the link of a reset sets one password": (given) => contestOfResets(openRing(given)),
  "a reset, a change and a sign-in at once leave one password, and nobody with the former one": (given) => {
    return contestOfEverything(openRing(given));
  },
  "a better hash never replaces a password that was chosen meanwhile": (given) => contestOfHashes(openRing(given)),
};
