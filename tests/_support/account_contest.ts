/** Many who change one account at the same time: what has to be true afterwards. */
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import {
  accountIdOf,
  byMail,
  come,
  enter,
  type Has,
  keptOf,
  linksTo,
  newPerson,
  openWorld,
  passkeyIdOf,
  type Person,
  SECRET,
  send,
  sendAct,
  type Strategy,
  subjectOf,
  tokenTo,
  type World,
} from "./account_people.ts";
import type { OpenedPlace } from "./password_places.ts";
import { testRuntime } from "./runtime.ts";
import type { Visitor } from "./visitors.ts";

const CALLERS = 64;
const OWN = "what the owner has chosen";

/** Storage for accounts. */
export interface Contested extends Pick<OpenedPlace, "adapter"> {
  readonly strategy: Strategy;
  /** Whether a plan is one transaction. Without, of two requests at one moment each may see what the other one removes. */
  readonly isWhole: boolean;
  /** Whether the sessions of a user can be ended. */
  readonly endsSessions: boolean;
}

interface Ring extends Contested {
  readonly world: World;
}

async function openRing(
  { linksSignIn = true, ...contested }: Contested & { readonly linksSignIn?: boolean },
): Promise<Ring> {
  const { adapter, strategy } = contested;
  const runtime = testRuntime({ now: Date.now() });
  return { ...contested, world: await openWorld({ adapter, strategy, runtime, linksSignIn }) };
}

/** Lets everybody begin at the same moment. */
async function atOnce<T>(does: (at: number) => Promise<T>): Promise<T[]> {
  return await Promise.all(Array.from({ length: CALLERS }, (_, at) => does(at)));
}

/** Another tab of a browser. */
function tabOf({ world: { service } }: Ring, { cookies }: Visitor): Visitor {
  const tab = service.visitor();
  for (const [name, value] of cookies) tab.cookies.set(name, value);
  return tab;
}

/** How each way is removed, and how somebody gets in by it. */
const WAYS: Readonly<
  Record<Has, {
    readonly form: (world: World, person: Person) => Promise<{ readonly path: string; readonly fields: Fields }>;
    readonly getIn: (visitor: Visitor, person: Person) => Promise<unknown>;
  }>
> = {
  plain: {
    form: (world, person) => unlinking(world, person, "plain"),
    getIn: (v, { email }) => come(v, "plain", email),
  },
  other: {
    form: (world, person) => unlinking(world, person, "other"),
    getIn: (v, { email }) => come(v, "other", email),
  },
  passkey: {
    form: async (world, { helper }) => {
      return { path: "/auth/account", fields: { act: "removePasskey", id: await passkeyIdOf(world, helper) } };
    },
    getIn: (visitor, { helper, passkey }) => {
      return Object.assign(visitor, { device: helper.device }).authenticate(passkey ?? assert.fail());
    },
  },
  password: {
    form: () => Promise.resolve({ path: "/auth/password", fields: { act: "remove" } }),
    getIn: (visitor, { email }) => enter(visitor, email),
  },
};

type Fields = Readonly<Record<string, string>>;

async function unlinking(world: World, { helper }: Person, provider: string) {
  return { path: "/auth/account", fields: { act: "unlink", id: await accountIdOf(world, helper, provider) } };
}

/** The ways that are stored still. */
async function waysLeft({ adapter }: Ring, { id }: Person): Promise<Has[]> {
  const accounts = (await adapter.listAccountsByUserId?.(id) ?? []).map(({ provider }) => provider);
  const passkeys = await adapter.listAuthenticatorsByUserId?.(id) ?? [];
  // A passkey without its account signs nobody in.
  assert.equal(accounts.includes("passkey"), passkeys.length > 0, "a passkey is whole");
  return [
    ...(["plain", "other"] as const).filter((provider) => accounts.includes(provider)),
    ...passkeys.length > 0 ? ["passkey"] as const : [],
    ...await adapter.getRecord?.({ kind: "password", id }) ? ["password"] as const : [],
  ];
}

/** Milliseconds that the second half begins after the first one: one removal takes longer than the other. */
const LATER = [0, 4, -4];

async function contestOfLastWay(ring: Ring, pair: readonly [Has, Has]): Promise<void> {
  for (const later of LATER) await raceOfLastWay(ring, pair, later);
}

/** Half of the tabs remove one way, and half the other. */
async function raceOfLastWay(ring: Ring, pair: readonly [Has, Has], later: number): Promise<void> {
  const { world } = ring;
  const person = await newPerson(world, "ada", pair);
  assert.deepEqual((await waysLeft(ring, person)).toSorted(), pair.toSorted());
  const [one, other] = [await WAYS[pair[0]].form(world, person), await WAYS[pair[1]].form(world, person)];
  const answers = await atOnce(async (at) => {
    const isFirst = at % 2 === 0;
    const { path, fields } = isFirst ? one : other;
    const { csrfToken } = world.service;
    await delay(Math.max(0, isFirst ? -later : later));
    const answer = await send(world, tabOf(ring, person.helper), { path, fields: { csrfToken, ...fields } });
    await answer.body?.cancel();
    return answer.status;
  });
  const left = await waysLeft(ring, person);
  assert.equal(left.length, 1, `one way is left, of ${pair.join(" and ")}: ${left} ${answers}`);
  assert.ok(answers.every((status) => status < 500), `no answer is an error: ${answers}`);
  const visitor = world.service.visitor();
  await WAYS[left[0] ?? assert.fail()].getIn(visitor, person);
  assert.equal(await visitor.inside(), person.id, `the owner gets in by ${left}`);
  const again = await WAYS[left[0] ?? assert.fail()].form(world, person);
  const fields = { csrfToken: world.service.csrfToken, ...again.fields };
  const last = await send(world, visitor, { path: again.path, fields });
  await last.body?.cancel();
  assert.deepEqual(await waysLeft(ring, person), left, "the last way stays");
}

/** Asks for another address, and proves it. Gives the token of the link to the former one. */
async function proveNew({ world }: Ring, { helper, email }: Person, to: string): Promise<string> {
  await sendAct(world, helper, { act: "changeEmail", to });
  await sendAct(world, helper, { act: "takeEmail", token: tokenTo(world, to, "takeEmail") });
  return tokenTo(world, email, "allowEmail");
}

async function emailOf({ adapter }: Ring, { id }: Person): Promise<string> {
  return (await adapter.getUser?.(id))?.email ?? assert.fail("there is no address");
}

function newAddress(): string {
  return `new-${crypto.randomUUID()}@example.com`;
}

async function isDone(answer: Response): Promise<boolean> {
  await answer.body?.cancel();
  return answer.status === 200;
}

async function assertGetsInByMail({ world }: Ring, { id }: Person, email: string): Promise<void> {
  const visitor = world.service.visitor();
  await byMail(world, visitor, email);
  assert.equal(await visitor.inside(), id, "the owner gets in with the address that is stored");
}

/** The former mailbox allows one of many addresses in each of many tabs. */
async function contestOfAddresses(ring: Ring): Promise<void> {
  const { world, isWhole } = ring;
  const person = await newPerson(world, "ada", ["plain", "password"]);
  const addresses = Array.from({ length: CALLERS }, newAddress);
  const tokens: string[] = [];
  for (const to of addresses) tokens.push(await proveNew(ring, person, to));
  const done = await atOnce(async (at) => {
    return await isDone(await sendAct(world, world.service.visitor(), { act: "allowEmail", token: tokens[at] ?? "" }));
  });
  const won = addresses.filter((_, at) => done[at]);
  const stored = await emailOf(ring, person);
  if (isWhole) assert.deepEqual(won, [stored], "one address counts");
  assert.ok(won.includes(stored), "somebody allowed the address that is stored");
  await assertGetsInByMail(ring, person, stored);
  for (const token of tokens) {
    const late = await sendAct(world, world.service.visitor(), { act: "allowEmail", token });
    assert.equal(await isDone(late), false, "every link is void");
  }
  assert.equal(await emailOf(ring, person), stored);
  if (isWhole) await assertOpens(ring, person, stored, SECRET);
}

async function assertOpens({ world }: Ring, { id }: Person, email: string, text: string): Promise<void> {
  const visitor = world.service.visitor();
  await enter(visitor, email, text);
  assert.equal(await visitor.inside(), id, `the password opens: ${text}`);
}

/** One link takes the address elsewhere while another one sets a password for it. */
async function contestOfResets(ring: Ring): Promise<void> {
  const { world, isWhole } = ring;
  const person = await newPerson(world, "ada", ["plain", "password"]);
  const { email } = person;
  const { csrfToken } = world.service;
  const to = newAddress();
  const token = await proveNew(ring, person, to);
  await send(world, world.service.visitor(), { path: "/auth/reset", fields: { csrfToken, email } });
  const link = linksTo(world, email).filter(({ pathname }) => pathname === "/auth/reset").at(-1) ?? assert.fail();
  const { token: ofReset = "" } = Object.fromEntries(link.searchParams);
  const visitors = Array.from({ length: CALLERS }, () => world.service.visitor());
  const done = await atOnce(async (at) => {
    const visitor = visitors[at] ?? assert.fail();
    if (at % 2 === 0) return await isDone(await sendAct(world, visitor, { act: "allowEmail", token }));
    const fields = { csrfToken, token: ofReset, email, password: `${OWN} ${at}` };
    await (await send(world, visitor, { path: "/auth/reset", fields })).body?.cancel();
    return await visitor.inside() === person.id;
  });
  const stored = await emailOf(ring, person);
  const allowed = done.filter((isDone, at) => isDone && at % 2 === 0).length;
  const chosen = done.flatMap((isDone, at) => isDone && at % 2 === 1 ? [`${OWN} ${at}`] : []);
  if (isWhole) {
    assert.equal(allowed + chosen.length, 1, `one of the two counts: ${allowed} ${chosen}`);
    assert.equal(stored, allowed === 1 ? to : email);
    await assertOpens(ring, person, stored, chosen[0] ?? SECRET);
  }
  assert.ok(allowed <= 1 && chosen.length <= (isWhole ? 1 : CALLERS), "each link works once");
  assert.ok(stored === to || stored === email);
  await assertGetsInByMail(ring, person, stored);
  const former = stored === to ? email : to;
  const stranger = world.service.visitor();
  await enter(stranger, former);
  for (const text of chosen) await enter(stranger, former, text);
  assert.equal(await stranger.inside(), null, "no password opens with the other address");
}

type Does = (ring: Ring, person: Person, tab: Visitor, prepared: Prepared) => Promise<unknown>;

interface Prepared {
  readonly allow: string;
  readonly reset: string;
  readonly plain: string | null;
  readonly key: string;
}

/** Everything that somebody does with an account, and that others do at that moment. */
const EVERYTHING: Readonly<Record<string, Does>> = {
  deletes: ({ world }, { email }, tab) => sendAct(world, tab, { act: "delete", typed: email }),
  deletesToo: ({ world }, { email }, tab) => sendAct(world, tab, { act: "delete", typed: email }),
  types: ({ world }, { email }) => enter(world.service.visitor(), email),
  comes: ({ world }, { email }) => come(world.service.visitor(), "plain", email),
  links: (_, { email }, tab) => tab.come("other", { sub: subjectOf(email) }),
  registers: (_, { email }, tab) => tab.register(email),
  allows: ({ world }, _, __, { allow }) => sendAct(world, world.service.visitor(), { act: "allowEmail", token: allow }),
  resets: ({ world }, { email }, _, { reset: token }) => {
    const fields = { csrfToken: world.service.csrfToken, token, email, password: OWN };
    return send(world, world.service.visitor(), { path: "/auth/reset", fields });
  },
  unlinks: ({ world }, _, tab, { plain }) => sendAct(world, tab, { act: "unlink", id: plain ?? "" }),
  removes: ({ world }, _, tab, { key }) => sendAct(world, tab, { act: "removePasskey", id: key }),
  renames: ({ world }, _, tab) => sendAct(world, tab, { act: "rename", name: "Ada Lovelace" }),
  ends: ({ world }, _, tab) => sendAct(world, tab, { act: "endOthers" }),
};

/** An account is deleted while everything else happens to it. */
async function contestOfDeletion(ring: Ring): Promise<void> {
  const { world, adapter, isWhole, endsSessions } = ring;
  const person = await newPerson(world, "ada", ["plain", "passkey", "password"]);
  const { id, email, helper } = person;
  const { csrfToken } = world.service;
  const allow = await proveNew(ring, person, newAddress());
  await send(world, world.service.visitor(), { path: "/auth/reset", fields: { csrfToken, email } });
  const link = linksTo(world, email).filter(({ pathname }) => pathname === "/auth/reset").at(-1) ?? assert.fail();
  const prepared: Prepared = {
    allow,
    reset: link.searchParams.get("token") ?? "",
    plain: adapter.listAccountsByUserId ? await accountIdOf(world, helper, "plain") : null,
    key: await passkeyIdOf(world, helper),
  };
  const all = Object.values(EVERYTHING);
  const tabs = Array.from({ length: CALLERS }, () => tabOf(ring, helper));
  await atOnce(async (at) => {
    const does = all[at % all.length] ?? assert.fail();
    // What a request is answered while its account goes away makes no difference.
    await does(ring, person, tabs[at] ?? assert.fail(), prepared).catch(() => {});
  });
  await leaveAtLast(ring, person);

  assert.equal(await adapter.getUser?.(id) ?? null, null, "the user is gone");
  for (const visitor of [helper, ...tabs]) {
    // A sealed session that nothing ends says whose it is until it expires, and opens nothing.
    if (endsSessions) assert.notEqual(await visitor.inside(), id, "nobody is inside");
    assert.ok(await visitor.inside() !== id || (await visitor.get("/auth/account")).status === 401, "there is no page");
  }
  for (const way of ["plain", "passkey", "password"] as const) {
    const visitor = world.service.visitor();
    await WAYS[way].getIn(visitor, person).catch(() => {});
    assert.notEqual(await visitor.inside(), id, `nobody gets in by ${way}`);
  }
  if (!isWhole) return;
  const { accounts, passkeys, sessions, records } = await keptOf(world, id);
  assert.deepEqual({ accounts, passkeys, sessions, records }, {
    accounts: [],
    passkeys: [],
    sessions: [],
    records: [],
  });
}

// Another change may have ended the session of every tab before it deleted anything.
async function leaveAtLast(ring: Ring, person: Person): Promise<void> {
  const { world, adapter } = ring;
  const user = await adapter.getUser?.(person.id);
  if (!user) return;
  const visitor = world.service.visitor();
  await byMail(world, visitor, user.email ?? "");
  assert.equal(await visitor.inside(), person.id, "who is not deleted gets in");
  await sendAct(world, visitor, { act: "delete", typed: user.email ?? "" });
}

/** The owner removes a way in while others, who have it too, come by it. */
async function contestOfRemoval(ring: Ring, way: "plain" | "passkey"): Promise<void> {
  const { world } = ring;
  const person = await newPerson(world, "ada", [way, "password"]);
  const { path, fields } = await WAYS[way].form(world, person);
  const thieves = Array.from({ length: CALLERS - 1 }, () => world.service.visitor());
  const [answer] = await Promise.all([
    comeAndRemove(ring, person, { path, fields }),
    ...thieves.map(async (thief, at) => {
      // Some sign-in is under way at every moment of the removal.
      for (let times = 0; times < 1 + at % 8; times++) await WAYS[way].getIn(thief, person).catch(() => {});
    }),
  ]);
  // Whoever links it again all the time may keep the owner busy, who is told so, but not for longer than their session.
  const last = answer === 200 ? answer : await comeAndRemove(ring, person, { path, fields });
  assert.equal(last, 200, `it is removed: ${answer}`);
  assert.deepEqual(await waysLeft(ring, person), ["password"]);
  const inside = await Promise.all(thieves.map((thief) => thief.inside()));
  assert.equal(inside.filter((id) => id === person.id).length, 0, `nobody stays in by ${way}`);
  assert.equal(await person.helper.inside(), person.id, "the owner does");
}

async function comeAndRemove(
  { world }: Ring,
  { helper }: Person,
  { path, fields }: { readonly path: string; readonly fields: Fields },
): Promise<number> {
  const { csrfToken } = world.service;
  const answer = await send(world, helper, { path, fields: { csrfToken, ...fields } });
  await answer.body?.cancel();
  return answer.status;
}

/** A contest. */
export interface Contest {
  /** Whether it asks for plans that are one transaction. */
  readonly needsWhole: boolean;
  readonly run: (contested: Contested) => Promise<void>;
}

function lastWay(pair: readonly [Has, Has]): Contest {
  return {
    needsWhole: true,
    // Nobody gets in by mail.
    run: async (given) => await contestOfLastWay(await openRing({ ...given, linksSignIn: false }), pair),
  };
}

/** The contests by what they are about. */
export const CONTESTS: Readonly<Record<string, Contest>> = {
  "of two accounts that are removed at once one stays": lastWay(["plain", "other"]),
  "of an account and a passkey that are removed at once one stays": lastWay(["plain", "passkey"]),
  "of a passkey and a password that are removed at once one stays": lastWay(["passkey", "password"]),
  "of a password and an account that are removed at once one stays": lastWay(["password", "plain"]),
  "nobody stays in by an account that is removed": {
    needsWhole: true,
    run: async (given) => await contestOfRemoval(await openRing(given), "plain"),
  },
  "nobody stays in by a passkey that is removed": {
    needsWhole: true,
    run: async (given) => await contestOfRemoval(await openRing(given), "passkey"),
  },
  "of many addresses that are allowed at once one counts": {
    needsWhole: false,
    run: async (given) => await contestOfAddresses(await openRing(given)),
  },
  "an address is changed, or its password is reset": {
    needsWhole: false,
    run: async (given) => await contestOfResets(await openRing(given)),
  },
  "of an account that is deleted nothing is left, whatever happens to it": {
    needsWhole: false,
    run: async (given) => await contestOfDeletion(await openRing(given)),
  },
};
