/**
 * Every act of the account page, and everybody who may come: what each gets, as a script and on the page.
 *
 * @module
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter } from "@x/auth";
import { accountSection, html } from "../../src/account.ts";
import { ACCOUNT_ACTS } from "../../src/account/table.ts";
import type { AccountAct } from "../../src/request/account_views.ts";
import { secondFactor } from "../../src/second_factor.ts";
import {
  accountIdOf,
  AS_PAGE,
  AS_SCRIPT,
  enter,
  keptOf,
  linksTo,
  newPerson,
  openWorld,
  ORIGIN,
  passkeyIdOf,
  type Person,
  send,
  sendAct,
  type Sent,
  type Strategy,
  subjectOf,
  subjectsTo,
  tokenTo,
  viewOf,
  type World,
} from "./account_people.ts";
import type { AccountJson } from "./account_site.ts";
import { enrolAtOnce, prove } from "./enrolling.ts";
import { readForms } from "./forms.ts";
import { testRuntime } from "./runtime.ts";
import type { Visitor } from "./visitors.ts";

type Fields = Readonly<Record<string, string>>;

/** An act that is about to be done. */
export interface Ready {
  readonly fields: Fields;
  /** Whether it is done. */
  readonly isDone: () => Promise<boolean> | boolean;
}

/** An act. */
export interface Row {
  /** What it asks for: the link of an email, that and a fresh session of the highest level, any session, or a fresh one. */
  readonly asks: "link" | "link and fresh" | "session" | "fresh";
  /** The field that names something, if there is one: what somebody else has must not be reached by it. */
  readonly names?: "id" | "token" | "section";
  /** Makes everything ready for it. */
  readonly ready: (world: World, person: Person, elsewhere: Visitor) => Promise<Ready>;
}

/** A section of the application, and what was sent to it. */
const taken: string[] = [];
const NEWS = accountSection({
  id: "news",
  title: "News",
  render: () => html`<input name="topic">`,
  submit: (user, { topic = "" }) => void taken.push(`${user.id} ${topic}`),
});

/** Opens a service for every act. */
export async function openActWorld(adapter: Adapter, strategy: Strategy, now?: () => number): Promise<World> {
  const runtime = testRuntime({ now: now?.() ?? Date.now() });
  return await openWorld({ adapter, strategy, runtime, features: [secondFactor()], options: { sections: [NEWS] } });
}

function newAddress(): string {
  return `new-${crypto.randomUUID()}@example.com`;
}

async function ask(world: World, { helper }: Person, fields: Fields): Promise<void> {
  const response = await sendAct(world, helper, fields);
  assert.ok(response.status < 400, `${fields.act} is answered ${response.status} ${await response.text()}`);
}

/** Asks for another address, and proves it. */
async function proveNew(world: World, person: Person, to: string): Promise<string> {
  await ask(world, person, { act: "changeEmail", to });
  await ask(world, person, { act: "takeEmail", token: tokenTo(world, to, "takeEmail") });
  return tokenTo(world, person.email, "allowEmail");
}

async function emailOf({ adapter }: World, { id }: Person): Promise<string | null> {
  return (await adapter.getUser?.(id))?.email ?? null;
}

async function hasAccount({ adapter }: World, { id, email }: Person): Promise<boolean> {
  const found = await adapter.getUserByAccount?.({ provider: "plain", providerAccountId: subjectOf(email) });
  return found?.id === id;
}

async function sessionIdOf(world: World, visitor: Visitor): Promise<string> {
  const { sessions } = await viewOf(world, visitor);
  return sessions?.find(({ isCurrent }) => isCurrent)?.id ?? assert.fail("no session is shown");
}

/** Every act. */
export const ROWS: Readonly<Record<AccountAct, Row>> = {
  rename: {
    asks: "session",
    ready: (world, { id }) =>
      Promise.resolve({
        fields: { name: "Ada Lovelace" },
        isDone: async () => (await world.adapter.getUser?.(id))?.name === "Ada Lovelace",
      }),
  },
  changeEmail: {
    asks: "fresh",
    ready: (world) => {
      const to = newAddress();
      return Promise.resolve({ fields: { to }, isDone: () => linksTo(world, to).length > 0 });
    },
  },
  takeEmail: {
    asks: "fresh",
    names: "token",
    ready: async (world, person) => {
      const to = newAddress();
      await ask(world, person, { act: "changeEmail", to });
      const isAsked = () => {
        return linksTo(world, person.email).some(({ searchParams }) => searchParams.get("act") === "allowEmail");
      };
      return { fields: { token: tokenTo(world, to, "takeEmail") }, isDone: isAsked };
    },
  },
  allowEmail: {
    asks: "link",
    names: "token",
    ready: async (world, person) => {
      const to = newAddress();
      const token = await proveNew(world, person, to);
      return { fields: { token }, isDone: async () => await emailOf(world, person) === to };
    },
  },
  cancelEmail: {
    asks: "link",
    names: "token",
    ready: async (world, person) => {
      const token = await proveNew(world, person, newAddress());
      const isStopped = () => subjectsTo(world, person.email).some((subject) => /stays as it is/.test(subject));
      return { fields: { token }, isDone: isStopped };
    },
  },
  unlink: {
    asks: "fresh",
    names: "id",
    ready: async (world, person) => ({
      fields: { id: await accountIdOf(world, person.helper, "plain") },
      isDone: async () => !await hasAccount(world, person),
    }),
  },
  renamePasskey: {
    asks: "session",
    names: "id",
    ready: async (world, person) => ({
      fields: { id: await passkeyIdOf(world, person.helper), name: "My phone" },
      isDone: async () => {
        const records = await world.adapter.listRecords?.({ kind: "passkey-info", userId: person.id }) ?? [];
        return records.some(({ data }) => data.name === "My phone");
      },
    }),
  },
  removePasskey: {
    asks: "fresh",
    names: "id",
    ready: async (world, person) => ({
      fields: { id: await passkeyIdOf(world, person.helper) },
      isDone: async () => (await world.adapter.listAuthenticatorsByUserId?.(person.id))?.length === 0,
    }),
  },
  endSession: {
    asks: "fresh",
    names: "id",
    ready: async (world, _person, elsewhere) => ({
      fields: { id: await sessionIdOf(world, elsewhere) },
      isDone: async () => await elsewhere.inside() === null,
    }),
  },
  endOthers: {
    asks: "fresh",
    ready: (_world, _person, elsewhere) =>
      Promise.resolve({ fields: {}, isDone: async () => await elsewhere.inside() === null }),
  },
  export: {
    asks: "fresh",
    ready: (world, { email }) =>
      Promise.resolve({ fields: {}, isDone: () => subjectsTo(world, email).some((subject) => /data/i.test(subject)) }),
  },
  delete: {
    asks: "fresh",
    ready: (world, { id, email }) =>
      Promise.resolve({
        fields: { typed: email },
        isDone: async () => await world.adapter.getUser?.(id) === null,
      }),
  },
  keep: {
    asks: "session",
    ready: async ({ adapter, runtime }, { id }) => {
      const key = { kind: "deletion", id };
      const at = new Date(runtime.now() + 24 * 60 * 60 * 1000).toISOString();
      await adapter.putRecord?.({ ...key, userId: id, group: "deletions", version: 0, data: { at } });
      return { fields: {}, isDone: async () => await adapter.getRecord?.(key) === null };
    },
  },
  undo: {
    asks: "link and fresh",
    names: "token",
    ready: async (world, person) => {
      await ask(world, person, { act: "unlink", id: await accountIdOf(world, person.helper, "plain") });
      assert.equal(await hasAccount(world, person), false);
      const token = tokenTo(world, person.email, "undo");
      return { fields: { token }, isDone: () => hasAccount(world, person) };
    },
  },
  section: {
    asks: "session",
    names: "section",
    ready: (_world, { id }) => {
      const topic = crypto.randomUUID();
      return Promise.resolve({ fields: { section: "news", topic }, isDone: () => taken.includes(`${id} ${topic}`) });
    },
  },
};

/** What somebody gets for an act: it is done, they go somewhere first, or something is wrong with it. */
type Gets = "done" | "sign-in" | "challenge" | `problem ${number}` | `error ${string}`;

/** Somebody who comes. */
interface Comer {
  /** What a session of theirs is worth. */
  readonly is: "nobody" | "old" | "fresh" | "too low";
  readonly come: (world: World, person: Person, visitor: Visitor) => Promise<void>;
}

const COMERS: Readonly<Record<string, Comer>> = {
  "nobody": { is: "nobody", come: () => Promise.resolve() },
  "somebody who signed in 601 seconds ago": {
    is: "old",
    come: async ({ runtime }, { email }, visitor) => {
      await enter(visitor, email);
      runtime.advance(601);
    },
  },
  "somebody who has just signed in": {
    is: "fresh",
    come: async (_, { email }, visitor) => await enter(visitor, email),
  },
  "somebody with a second factor who has given one proof": {
    is: "too low",
    come: async (world, { email }, visitor) => {
      await enter(visitor, email);
      await enrolAtOnce(world, visitor);
    },
  },
  "somebody with a second factor who has just given both proofs": { is: "fresh", come: comeWithBoth },
  "somebody with a second factor who gave both proofs 601 seconds ago": {
    is: "old",
    come: async (world, person, visitor) => {
      await comeWithBoth(world, person, visitor);
      world.runtime.advance(601);
    },
  },
};

async function comeWithBoth(world: World, { email }: Person, visitor: Visitor): Promise<void> {
  await enter(visitor, email);
  await prove(world, visitor, await enrolAtOnce(world, visitor));
}

function expected({ asks }: Row, { is }: Comer): Gets {
  switch (asks) {
    case "link":
      return "done";
    case "session":
      return is === "nobody" ? "sign-in" : "done";
    case "fresh":
    case "link and fresh":
      return is === "fresh" ? "done" : is === "too low" ? "challenge" : "sign-in";
    default:
      return asks satisfies never;
  }
}

/** What a script gets. */
async function scriptGets(response: Response): Promise<Gets> {
  const location = response.headers.get("location");
  if (location !== null) return leadsTo(location);
  if (response.headers.has("content-disposition")) return "done";
  const { error, step, view, url }: Partial<AccountJson> = await response.json();
  if (error === "SessionRequired") return "sign-in";
  if (error === "StepUpRequired") return "challenge";
  if (error !== undefined) return `problem ${response.status}`;
  if (step?.kind === "undo" && !step.isProven) return step.signInUrl.includes("/challenge?") ? "challenge" : "sign-in";
  assert.ok(step || view || url, "an answer says what was done");
  return "done";
}

/** What the page says. */
async function pageGets(response: Response): Promise<Gets> {
  const location = response.headers.get("location");
  if (location !== null) return leadsTo(location);
  if (response.headers.has("content-disposition")) return "done";
  const text = await response.text();
  assert.match(response.headers.get("content-type") ?? "", /text\/html/);
  assert.match(response.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
  if (response.status >= 400) {
    assert.match(text, /role="alert"/, "a page with a problem says so");
    return `problem ${response.status}`;
  }
  // The page of a link to undo leads there, and has no button yet.
  const [, first] = /href="[^"]*\/(signin|challenge)\?callbackUrl=[^"]*undo/.exec(text) ?? [];
  if (!first || readForms(text).some(({ fields }) => fields.act === "undo")) return "done";
  return first === "challenge" ? "challenge" : "sign-in";
}

function leadsTo(location: string): Gets {
  const { pathname, searchParams } = new URL(location, ORIGIN);
  const error = searchParams.get("error");
  if (pathname === "/auth/challenge") return "challenge";
  // Whoever is gone is led to the sign-in page too, without an error.
  if (pathname === "/auth/signin" && error === "SessionRequired") return "sign-in";
  return error === null ? "done" : `error ${error}`;
}

/** The two ways to send a form. */
const FORMS = {
  script: { headers: AS_SCRIPT, gets: scriptGets },
  page: { headers: AS_PAGE, gets: pageGets },
} as const;

interface Cell {
  readonly act: AccountAct;
  readonly person: Person;
  readonly visitor: Visitor;
  readonly ready: Ready;
}

async function openCell(world: World, act: AccountAct, { come }: Pick<Comer, "come">): Promise<Cell> {
  const person = await newPerson(world);
  const elsewhere = world.service.visitor();
  // What is made ready may end sessions.
  const isOfSession = act === "endSession" || act === "endOthers";
  if (isOfSession) await enter(elsewhere, person.email);
  const ready = await ROWS[act].ready(world, person, elsewhere);
  const visitor = world.service.visitor();
  await come(world, person, visitor);
  return { act, person, visitor, ready };
}

const ACTS = Object.keys(ROWS) as AccountAct[];

/** Registers the tests of one storage. */
export function testActs(open: () => Promise<Adapter> | Adapter, strategy: Strategy): void {
  // One service for all: everybody in it is somebody new.
  let opened: Promise<World> | null = null;
  const worldOf = async () =>
    await (opened ??= Promise.resolve(open()).then((adapter) => openActWorld(adapter, strategy)));

  test(`every act has a row: ${strategy}`, () => {
    assert.deepEqual(ACTS.toSorted(), Object.keys(ACCOUNT_ACTS).toSorted());
    for (const act of ACTS) {
      const isOfLink = ROWS[act].asks.startsWith("link");
      assert.equal(ACCOUNT_ACTS[act]?.judged === null, isOfLink, act);
    }
  });

  for (const [who, comer] of Object.entries(COMERS)) {
    test(`${who} gets the same for each act as a script and on the page: ${strategy}`, async () => {
      const world = await worldOf();
      for (const act of ACTS) await judge(world, act, comer);
    });
  }

  test(`the page shows what a script reads: ${strategy}`, async () => {
    const world = await worldOf();
    await comparePage(world);
  });

  test(`nobody reaches what somebody else has, or what there is not: ${strategy}`, async () => {
    const world = await worldOf();
    for (const act of ACTS) await tryNames(world, act);
  });

  test(`no act is done without the token of the form, or for another site: ${strategy}`, async () => {
    const world = await worldOf();
    for (const act of ACTS) await tryFromElsewhere(world, act);
  });

  test(`nothing but a form does an act: ${strategy}`, async () => {
    const world = await worldOf();
    for (const act of ACTS) await tryOtherMethods(world, act);
  });
}

async function judge(world: World, act: AccountAct, comer: Comer): Promise<void> {
  const wanted = expected(ROWS[act], comer);
  let cell: Cell | null = null;
  for (const [how, { headers, gets }] of Object.entries(FORMS)) {
    // What is refused changes nothing, so the other form is sent by the same person.
    cell = wanted !== "done" && cell ? cell : await openCell(world, act, comer);
    const { person, visitor, ready }: Cell = cell;
    const before = await stateOf(world, person);
    const gotten: Gets = await gets(await sendAct(world, visitor, { act, ...ready.fields }, headers));
    assert.equal(gotten, wanted, `${act}, ${how}`);
    assert.equal(await ready.isDone(), wanted === "done", `${act}, ${how}: whether it is done`);
    if (wanted !== "done") assert.deepEqual(await stateOf(world, person), before, `${act}, ${how}: nothing changed`);
  }
}

/** Everything that an act could change. */
async function stateOf(world: World, { id }: Person): Promise<unknown> {
  return { kept: await keptOf(world, id), mails: world.mails.length, taken: taken.length };
}

async function comparePage(world: World): Promise<void> {
  const { visitor } = await openCell(world, "rename", COMERS["somebody who has just signed in"] ?? assert.fail());
  const view = await viewOf(world, visitor);
  const page = await send(world, visitor, { method: "GET", headers: AS_PAGE });
  const text = await page.text();
  const { user, ways, passkeys, sessions } = view;
  const shown = [
    user.name,
    user.email,
    ...(ways ?? []).flatMap(({ id, name }) => [id, name]),
    ...(passkeys ?? []).map(({ id }) => id),
    ...(sessions ?? []).flatMap(({ id, isCurrent }) => isCurrent ? [] : [id]),
  ];
  assert.ok(shown.length > 6);
  for (const each of shown) assert.ok(each && text.includes(each), `the page shows ${each}`);
  for (const response of [page, await send(world, visitor, { method: "GET" })]) {
    assert.match(response.headers.get("cache-control") ?? "", /no-store/);
  }
}

/** What there is not, whatever the field. */
const MADE_UP = ["", "0", "__proto__", "constructor", crypto.randomUUID(), `${"x".repeat(43)}`, "x".repeat(5000)];

async function tryNames(world: World, act: AccountAct): Promise<void> {
  const { names } = ROWS[act];
  const fresh = COMERS["somebody who has just signed in"] ?? assert.fail();
  const [ada, bob] = [await openCell(world, act, fresh), await openCell(world, act, fresh)];
  const theirs = ada.ready.fields;
  const before = await keptOf(world, ada.person.id);
  // Whatever else a form says of who it is about.
  const claims = { userId: ada.person.id, user: ada.person.id, email: ada.person.email, sub: ada.person.id };
  const named = names === undefined ? [] : [...MADE_UP, theirs[names] ?? "", ...await innerNamesOf(world, ada)];
  for (const name of named) {
    // A section is everybody's.
    if (names === undefined || names === "section" && name === theirs.section) continue;
    // A link of an email is a proof by itself: whoever has it may use it, but for nobody else.
    if (ROWS[act].asks === "link" && name === theirs.token) continue;
    // Without a token, what waits for whoever is signed in is meant.
    if (act === "cancelEmail" && name === "") continue;
    const fields = { ...claims, act, ...bob.ready.fields, [names]: name };
    const gotten = await scriptGets(await sendAct(world, bob.visitor, fields));
    assert.notEqual(gotten, "done", `${act} ${name.slice(0, 50)}`);
    assert.deepEqual(await keptOf(world, ada.person.id), before, `${act} ${name.slice(0, 50)}`);
  }
  assert.equal(await bob.ready.isDone(), false, act);
  const done = await scriptGets(await sendAct(world, bob.visitor, { ...claims, act, ...bob.ready.fields }));
  assert.equal(done, "done", act);
  assert.equal(await ada.ready.isDone(), false, `${act}: for somebody else`);
  assert.deepEqual(await keptOf(world, ada.person.id), before, act);
}

/** What storage calls the things of somebody. */
async function innerNamesOf({ adapter }: World, { person: { id, email } }: Cell): Promise<string[]> {
  const sessions = await adapter.listSessionsByUserId?.(id) ?? [];
  const passkeys = await adapter.listAuthenticatorsByUserId?.(id) ?? [];
  return [
    id,
    "plain",
    subjectOf(email),
    ...sessions.map(({ sessionToken }) => sessionToken),
    ...passkeys.flatMap(({ credentialID, providerAccountId }) => [credentialID, providerAccountId]),
  ];
}

async function tryFromElsewhere(world: World, act: AccountAct): Promise<void> {
  const cell = await openCell(world, act, COMERS["somebody who has just signed in"] ?? assert.fail());
  const { person, visitor, ready } = cell;
  const { csrfToken } = world.service;
  const fields = { act, ...ready.fields };
  const cookie = visitor.cookies.get("authjs.csrf-token") ?? assert.fail();
  const [, hash = ""] = decodeURIComponent(cookie).split("|");
  const hostile: Readonly<Record<string, Sent & { readonly cookie?: string | null }>> = {
    // Of a form that says that it comes from here, the browser's word is enough.
    "no token, and nobody says where it comes from": { fields, headers: {} },
    "another token": { fields: { ...fields, csrfToken: "0".repeat(64) } },
    "a token without its cookie": { fields: { ...fields, csrfToken }, cookie: null },
    "a token with a cookie that nobody made": {
      fields: { ...fields, csrfToken: "0".repeat(64) },
      cookie: encodeURIComponent(`${"0".repeat(64)}|${hash}`),
    },
    "the form of another site": {
      fields,
      headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
    },
    "the form of a neighbour": {
      fields,
      headers: { origin: "http://other.localhost:3000", "sec-fetch-site": "same-site" },
    },
    "a form from nowhere": { fields, headers: { origin: "null" } },
    "a form of another site in an old browser": { fields, headers: { referer: "https://evil.example/" } },
  };
  const before = await stateOf(world, person);
  for (const [what, { cookie: other = cookie, ...sent }] of Object.entries(hostile)) {
    for (const headers of [sent.headers ?? AS_SCRIPT, { ...sent.headers ?? AS_PAGE, accept: "text/html" }]) {
      if (other === null) visitor.cookies.delete("authjs.csrf-token");
      else visitor.cookies.set("authjs.csrf-token", other);
      const gotten = await scriptGets(await send(world, visitor, { ...sent, headers }));
      assert.equal(gotten, "error MissingCSRF", `${act}: ${what}`);
      assert.deepEqual(await stateOf(world, person), before, `${act}: ${what}`);
      assert.equal(await ready.isDone(), false, `${act}: ${what}`);
    }
  }
  visitor.cookies.set("authjs.csrf-token", cookie);
  assert.equal(await scriptGets(await sendAct(world, visitor, fields)), "done", `${act}: the form of this site`);
}

async function tryOtherMethods(world: World, act: AccountAct): Promise<void> {
  const { person, visitor, ready } = await openCell(
    world,
    act,
    COMERS["somebody who has just signed in"] ?? assert.fail(),
  );
  const before = await stateOf(world, person);
  const fields = { csrfToken: world.service.csrfToken, act, ...ready.fields };
  for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    for (const headers of [AS_SCRIPT, AS_PAGE]) {
      const response = await send(world, visitor, { method, fields, headers });
      await response.body?.cancel();
      assert.ok(response.status < 500, `${method} ${act}`);
      if (method !== "GET" && method !== "HEAD") {
        assert.ok(response.status >= 400 || method === "OPTIONS", `${method} ${act}`);
      }
      assert.deepEqual(await stateOf(world, person), before, `${method} ${act}`);
      assert.equal(await ready.isDone(), false, `${method} ${act}`);
    }
  }
  // A query is no form: what it says does nothing, though a form comes with it.
  const query = `/auth/account?${new URLSearchParams(fields)}`;
  await send(world, visitor, { path: query, fields: { csrfToken: world.service.csrfToken } });
  assert.deepEqual(await stateOf(world, person), before, `the query of ${act}`);
}
