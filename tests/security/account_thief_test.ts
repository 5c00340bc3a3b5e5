/**
 * Somebody has the session of another person, or a script that posts for them. Twelve things that they try: what is refused,
 * and what the owner can do about the rest, so that nothing of it lasts.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { secondFactor } from "../../src/second_factor.ts";
import {
  accountIdOf,
  byMail,
  come,
  enter,
  keptOf,
  linksTo,
  newPerson,
  openWorld,
  passkeyIdOf,
  type Person,
  SECRET,
  send,
  sendAct,
  subjectOf,
  subjectsTo,
  tokenTo,
  viewOf,
  type World,
  type WorldOptions,
} from "../_support/account_people.ts";
import { type App, beginApp, codeOf, endAsked, enrolAtOnce, prove, read } from "../_support/enrolling.ts";
import type { Visitor } from "../_support/visitors.ts";

const THEIRS = "what the thief has chosen";
const OWN = "another pelican on a bicycle";
const DAY = 24 * 60 * 60;

/** The address of the thief. */
function thiefOf({ id }: Person): string {
  return `thief-${id}@evil.example`;
}

/** Somebody whose session is in other hands. */
interface Scene {
  readonly world: World;
  readonly owner: Person;
  /** The browser of the owner. */
  readonly home: Visitor;
  /** What posts with the stolen session: it may be the same browser. */
  readonly thief: Visitor;
  /** The owner's application, if they give two proofs. */
  readonly app: App | null;
}

interface Thief {
  /** What the session is worth. */
  readonly is: "old" | "too low" | "fresh";
  readonly steal: (world: World, owner: Person) => Promise<Pick<Scene, "home" | "thief" | "app">>;
}

function copyOf({ service }: World, { cookies }: Visitor): Visitor {
  const copy = service.visitor();
  for (const [name, value] of cookies) copy.cookies.set(name, value);
  return copy;
}

async function atHome({ service }: World, { email }: Person): Promise<Visitor> {
  const home = service.visitor();
  await enter(home, email);
  return home;
}

const THIEVES: Readonly<Record<string, Thief>> = {
  "an old cookie": {
    is: "old",
    steal: async (world, owner) => {
      const home = await atHome(world, owner);
      world.runtime.advance(601);
      return { home, thief: copyOf(world, home), app: null };
    },
  },
  "a script on a page of somebody who signed in long ago": {
    is: "old",
    steal: async (world, owner) => {
      const home = await atHome(world, owner);
      world.runtime.advance(601);
      return { home, thief: home, app: null };
    },
  },
  "a fresh cookie of one proof, of somebody who has two": {
    is: "too low",
    steal: async (world, owner) => {
      const home = await atHome(world, owner);
      const app = await enrolAtOnce(world, home);
      return { home, thief: copyOf(world, home), app };
    },
  },
  "a fresh cookie": {
    is: "fresh",
    steal: async (world, owner) => {
      const home = await atHome(world, owner);
      return { home, thief: copyOf(world, home), app: null };
    },
  },
  "a fresh cookie of both proofs": {
    is: "fresh",
    steal: async (world, owner) => {
      const before = await atHome(world, owner);
      const app = await enrolAtOnce(world, before);
      // Only who has two proofs for so long may say that a mailbox is lost.
      world.runtime.advance(8 * DAY);
      const home = await atHome(world, owner);
      await prove(world, home, app);
      return { home, thief: copyOf(world, home), app };
    },
  },
  "a script on a page of somebody who has just signed in": {
    is: "fresh",
    steal: async (world, owner) => {
      const home = await atHome(world, owner);
      return { home, thief: home, app: null };
    },
  },
};

/** Something that a thief tries. */
interface Attempt {
  readonly what: string;
  /** What of it happens with a fresh session. */
  readonly happens: "it does" | "not before the owner allows it";
  /** What the subject of the email to the owner says. `null`: nothing changes that an email could undo. */
  readonly told: RegExp | null;
  readonly tries: (scene: Scene) => Promise<unknown>;
  /** Whether it has happened. */
  readonly hasHappened: (scene: Scene) => Promise<boolean>;
  /** What the owner does about it, in another browser, in which they have given the first proof. */
  readonly owner: (scene: Scene, browser: Visitor) => Promise<unknown>;
}

async function post({ world }: Scene, visitor: Visitor, path: string, fields: Readonly<Record<string, string>>) {
  const { csrfToken } = world.service;
  return await send(world, visitor, { path, fields: { csrfToken, ...fields } });
}

async function doAct({ world }: Scene, visitor: Visitor, act: string, fields: Readonly<Record<string, string>> = {}) {
  return await sendAct(world, visitor, { act, ...fields });
}

async function accountsOf({ world, owner }: Scene): Promise<string[]> {
  const accounts = await world.adapter.listAccountsByUserId?.(owner.id) ?? assert.fail();
  return accounts.map(({ provider }) => provider).toSorted();
}

async function passkeysOf({ world, owner }: Scene): Promise<number> {
  return (await world.adapter.listAuthenticatorsByUserId?.(owner.id))?.length ?? assert.fail();
}

async function hashOf({ world, owner }: Scene): Promise<unknown> {
  return (await world.adapter.getRecord?.({ kind: "password", id: owner.id }))?.data.hash ?? null;
}

/** The newest link to the owner for an act, pressed. */
async function pressLink(scene: Scene, visitor: Visitor, act: string, link = act): Promise<void> {
  if (act === "undo") await comeIn(scene, visitor);
  const { world, owner } = scene;
  const response = await doAct(scene, visitor, act, { token: tokenTo(world, owner.email, link) });
  assert.equal(response.status, 200, await response.text());
}

/** The owner asks for a new password, and reads the mail. */
async function reset(scene: Scene, browser: Visitor): Promise<void> {
  const { world, app, owner: { email } } = scene;
  await post(scene, browser, "/auth/reset", { email });
  const link = linksTo(world, email).filter(({ pathname }) => pathname === "/auth/reset").at(-1) ?? assert.fail();
  const { token = "" } = Object.fromEntries(link.searchParams);
  await post(scene, browser, "/auth/reset", { token, email, password: OWN });
  if (app) await prove(world, browser, app);
  assert.equal(await hashOf(scene), `new:${OWN}`);
}

/** Signs in with everything that is asked for. */
async function comeIn({ world, owner, app }: Scene, browser: Visitor): Promise<void> {
  await byMail(world, browser, owner.email);
  if (app) await prove(world, browser, app);
  assert.equal(await browser.inside(), owner.id, "the owner gets in");
}

/** The twelve. */
const ATTEMPTS: readonly Attempt[] = [
  {
    what: "takes over the address, with a mailbox of their own",
    happens: "not before the owner allows it",
    told: /wants? to|change/i,
    tries: async (scene) => {
      const to = thiefOf(scene.owner);
      await doAct(scene, scene.thief, "changeEmail", { to });
      const [link] = linksTo(scene.world, to);
      if (link) await doAct(scene, scene.thief, "takeEmail", { token: link.searchParams.get("token") ?? "" });
    },
    hasHappened: async ({ world, owner }) => (await world.adapter.getUser?.(owner.id))?.email !== owner.email,
    owner: (scene, browser) => pressLink(scene, browser, "cancelEmail", "allowEmail"),
  },
  {
    what: "says that the mailbox of the owner is lost",
    happens: "not before the owner allows it",
    told: null,
    tries: async (scene) => {
      const { world, thief, owner } = scene;
      const to = thiefOf(owner);
      await doAct(scene, thief, "changeEmail", { to, lost: "1" });
      const [link] = linksTo(world, to);
      if (link) await doAct(scene, thief, "takeEmail", { token: link.searchParams.get("token") ?? "" });
      // What waits is taken over no sooner than after 7 days, and by nobody whose proofs are old.
      await doAct(scene, thief, "takeEmail");
      world.runtime.advance(7 * DAY);
      await doAct(scene, thief, "takeEmail");
    },
    hasHappened: async ({ world, owner }) => (await world.adapter.getUser?.(owner.id))?.email !== owner.email,
    owner: async (scene, browser) => {
      const { world, owner } = scene;
      const isTold = subjectsTo(world, owner.email).some((subject) => /is going to change/.test(subject));
      // Nobody without a second factor is asked.
      assert.equal(isTold, scene.app !== null);
      if (isTold) await pressLink(scene, browser, "cancelEmail");
    },
  },
  {
    what: "removes an account at a provider",
    happens: "it does",
    told: /was removed/,
    tries: async (scene) => {
      await doAct(scene, scene.thief, "unlink", { id: await accountIdOf(scene.world, scene.thief, "plain") });
    },
    hasHappened: async (scene) => !(await accountsOf(scene)).includes("plain"),
    owner: (scene, browser) => pressLink(scene, browser, "undo"),
  },
  {
    what: "removes a passkey",
    happens: "it does",
    told: /passkey was removed/i,
    tries: async (scene) => {
      await doAct(scene, scene.thief, "removePasskey", { id: await passkeyIdOf(scene.world, scene.thief) });
    },
    hasHappened: async (scene) => await passkeysOf(scene) === 0,
    owner: (scene, browser) => pressLink(scene, browser, "undo"),
  },
  {
    what: "changes the password",
    happens: "it does",
    told: /password .* changed/,
    tries: (scene) => post(scene, scene.thief, "/auth/password", { password: THEIRS }),
    hasHappened: async (scene) => await hashOf(scene) === `new:${THEIRS}`,
    owner: reset,
  },
  {
    what: "removes the password",
    happens: "it does",
    told: /password .* removed/,
    tries: (scene) => post(scene, scene.thief, "/auth/password", { act: "remove" }),
    hasHappened: async (scene) => await hashOf(scene) === null,
    owner: reset,
  },
  {
    what: "links an account of their own",
    happens: "it does",
    told: /was added/,
    tries: ({ thief, owner }) => thief.come("other", { sub: subjectOf(thiefOf(owner)) }),
    hasHappened: async (scene) => (await accountsOf(scene)).includes("other"),
    owner: async (scene, browser) => {
      await comeIn(scene, browser);
      await doAct(scene, browser, "unlink", { id: await accountIdOf(scene.world, browser, "other") });
    },
  },
  {
    what: "adds a passkey of their own",
    happens: "it does",
    told: /passkey was added/i,
    tries: ({ thief, owner }) => thief.register(owner.email),
    hasHappened: async (scene) => await passkeysOf(scene) === 2,
    owner: async (scene, browser) => {
      await comeIn(scene, browser);
      const { world, thief } = scene;
      const { passkeys } = await viewOf(world, browser);
      const theirs = thief.device.passkeys.at(-1)?.id ?? assert.fail();
      const added = passkeys?.find(({ credentialId }) => credentialId === Buffer.from(theirs).toString("base64url"));
      await doAct(scene, browser, "removePasskey", { id: added?.id ?? assert.fail() });
    },
  },
  {
    what: "turns on a second factor of their own, or adds one",
    happens: "it does",
    told: /is on|added/,
    tries: async (scene) => {
      const { world, thief } = scene;
      const { step } = await read(await post(scene, thief, "/auth/factors", { act: "totp" }));
      if (!step?.setup) return;
      const { id, secret } = await beginApp(thief);
      const answer = await read(
        await post(scene, thief, "/auth/factors", { act: "confirm", id, code: await codeOf(world, secret) }),
      );
      if (answer.step.codes) await post(scene, thief, "/auth/factors", { act: "keep", code: endAsked(answer) });
    },
    hasHappened: async ({ world, owner, app }) => {
      const factors = await world.adapter.listRecords?.({ kind: "factor", userId: owner.id }) ?? [];
      return factors.some(({ id, data }) => data.type === "totp" && data.isConfirmed === true && id !== app?.id);
    },
    owner: async (scene, browser) => {
      const { world, owner } = scene;
      const link = linksTo(world, owner.email).filter(({ pathname }) => pathname === "/auth/factors").at(-1) ??
        assert.fail("no link undoes it");
      await post(scene, browser, "/auth/factors", Object.fromEntries(link.searchParams) as Record<string, string>);
    },
  },
  {
    what: "ends the other sessions of the owner",
    happens: "it does",
    told: null,
    tries: (scene) => doAct(scene, scene.thief, "endOthers"),
    hasHappened: async ({ owner }) => await owner.helper.inside() === null,
    owner: comeIn,
  },
  {
    what: "takes all data",
    happens: "it does",
    told: /data/,
    tries: async (scene) => {
      const response = await doAct(scene, scene.thief, "export");
      if (response.headers.has("content-disposition")) taken.add(scene.owner.id);
    },
    hasHappened: ({ owner }) => Promise.resolve(taken.has(owner.id)),
    // What was read cannot be taken back: the email says it, and the thief is put out.
    owner: comeIn,
  },
  {
    what: "deletes the account",
    happens: "it does",
    told: /going to be deleted/,
    tries: (scene) => doAct(scene, scene.thief, "delete", { typed: scene.owner.email }),
    hasHappened: async ({ world, owner }) =>
      await world.adapter.getRecord?.({ kind: "deletion", id: owner.id }) !== null,
    owner: async (scene, browser) => {
      await comeIn(scene, browser);
      await doAct(scene, browser, "keep");
    },
  },
];

/** Whose data were taken. */
const taken = new Set<string>();

async function open(options: Partial<WorldOptions> = {}): Promise<World> {
  return await openWorld({
    adapter: memoryAdapter(),
    features: [secondFactor()],
    options: { delete: { graceDays: 14 } },
    ...options,
  });
}

/** What has to be the owner's still. */
async function possessions(scene: Scene) {
  const { world, owner } = scene;
  const { user, records } = await keptOf(world, owner.id);
  const { name, email, emailVerified } = user as { name: unknown; email: unknown; emailVerified: unknown };
  const factors = records.filter(({ kind, data }) => kind === "factor" && data.isConfirmed === true);
  return {
    user: { name, email, emailVerified },
    accounts: await accountsOf(scene),
    passkeys: (await world.adapter.listAuthenticatorsByUserId?.(owner.id))?.map(({ credentialID }) => credentialID),
    factors: factors.map(({ id }) => id).toSorted(),
    waits: records.filter(({ kind }) => kind === "deletion" || kind === "email-change").length,
  };
}

/** Nobody but the owner gets in, and the owner does in every way that there was. */
async function assertOver(scene: Scene): Promise<void> {
  const { world, owner, app, thief, home } = scene;
  if (thief !== home) assert.equal(await thief.inside(), null, "the thief is out");
  const other = world.service.visitor();
  await other.come("other", { sub: subjectOf(thiefOf(owner)) });
  assert.notEqual(await other.inside(), owner.id, "the account of the thief");
  const mailed = world.service.visitor();
  await byMail(world, mailed, thiefOf(owner));
  assert.notEqual(await mailed.inside(), owner.id, "the mailbox of the thief");
  const typed = world.service.visitor();
  await enter(typed, owner.email, THEIRS);
  assert.equal(await typed.inside(), null, "the password of the thief");
  for (const key of thief.device.passkeys) {
    const visitor = Object.assign(world.service.visitor(), { device: thief.device });
    await visitor.authenticate(key);
    assert.notEqual(await visitor.inside(), owner.id, "the passkey of the thief");
  }
  const ways: readonly ((visitor: Visitor) => Promise<unknown>)[] = [
    (visitor) => byMail(world, visitor, owner.email),
    (visitor) => come(visitor, "plain", owner.email),
    async (visitor) => {
      await enter(visitor, owner.email, await hashOf(scene) === `new:${SECRET}` ? SECRET : OWN);
    },
    async (visitor) => {
      await Object.assign(visitor, { device: owner.helper.device }).authenticate(owner.passkey ?? assert.fail());
    },
  ];
  for (const [at, way] of ways.entries()) {
    const visitor = world.service.visitor();
    await way(visitor);
    if (app && await visitor.inside() === null) await prove(world, visitor, app);
    assert.equal(await visitor.inside(), owner.id, `the owner gets in by way ${at}`);
  }
}

async function openScene(world: World, { steal }: Thief): Promise<Scene> {
  const owner = await newPerson(world, "ada", ["plain", "passkey", "password"]);
  // What was made just now is not offered back once it is removed: it may be the thief's.
  world.runtime.advance(2 * DAY);
  await enter(owner.helper, owner.email);
  return { world, owner, ...await steal(world, owner) };
}

test("there are twelve attempts", () => {
  assert.equal(ATTEMPTS.length, 12);
});

for (const strategy of ["database", "jwt"] as const) {
  for (const [what, stolen] of Object.entries(THIEVES)) {
    test(`nothing lasts of what a thief does with ${what}: ${strategy}`, async (context) => {
      const world = await open({ strategy });
      for (const attempt of ATTEMPTS) {
        await context.test(attempt.what, async () => await withstand(await openScene(world, stolen), attempt, stolen));
      }
    });
  }
}

async function withstand(scene: Scene, attempt: Attempt, { is }: Thief): Promise<void> {
  const { world, owner } = scene;
  const before = await possessions(scene);
  const kept = await keptOf(world, owner.id);
  const mails = subjectsTo(world, owner.email).length;
  await attempt.tries(scene);

  const isAllowed = is === "fresh";
  const happens = isAllowed && attempt.happens === "it does";
  assert.equal(await attempt.hasHappened(scene), happens, "whether it happens");
  const told = subjectsTo(world, owner.email).slice(mails);
  if (!isAllowed) {
    assert.deepEqual(await keptOf(world, owner.id), kept, "nothing has changed");
    assert.deepEqual(told, []);
    return;
  }
  if (attempt.told) assert.ok(told.some((subject) => attempt.told?.test(subject)), `the owner is told: ${told}`);

  // The owner acts in another browser. The first proof is enough for a link, and everything else asks for both.
  const browser = world.service.visitor();
  await byMail(world, browser, owner.email);
  await attempt.owner(scene, browser);
  await comeIn(scene, browser);
  await doAct(scene, browser, "endOthers");
  assert.deepEqual(await possessions(scene), before, "everything is as it was");
  await assertOver(scene);
}

test("only where `account.freshSignIn` is switched off, an old session links an account", async () => {
  const world = await open({ account: { freshSignIn: false } });
  const scene = await openScene(world, THIEVES["an old cookie"] ?? assert.fail());
  await scene.thief.come("other", { sub: subjectOf(thiefOf(scene.owner)) });
  assert.ok((await accountsOf(scene)).includes("other"));
});

test("a script reads no session, and no cookie that holds one", async () => {
  const world = await open();
  const { home, owner } = await openScene(world, THIEVES["a fresh cookie"] ?? assert.fail());
  const again = world.service.visitor();
  const response = await send(world, again, {
    path: "/auth/callback/password",
    fields: { csrfToken: world.service.csrfToken, email: owner.email, password: SECRET },
  });
  const cookies = response.headers.getSetCookie().filter((cookie) => cookie.startsWith("authjs.session-token="));
  assert.equal(cookies.length, 1);
  for (const cookie of cookies) assert.match(cookie, /; HttpOnly/i);
  const sessions = await world.adapter.listSessionsByUserId?.(owner.id) ?? [];
  assert.ok(sessions.length > 1);
  for (const path of ["/auth/account", "/auth/session"]) {
    const text = await (await send(world, home, { method: "GET", path })).text();
    for (const { sessionToken } of sessions) assert.ok(!text.includes(sessionToken), path);
    assert.ok(!text.includes(home.token ?? "none"), path);
  }
});
