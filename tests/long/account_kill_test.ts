/**
 * Each call to storage fails, before its effect or after it, in every act of the account page: what is left is whole, its
 * owner gets in and can do it again, and of what was done they are told.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter } from "@x/auth";
import { memoryAdapter, memoryRecords } from "@x/auth/adapters/memory";
import { withRecords } from "@x/auth/adapters/records";
import { openActWorld, type Ready, type Row, ROWS } from "../_support/account_acts.ts";
import {
  byMail,
  come,
  enter,
  newPerson,
  passkeyIdOf,
  type Person,
  send,
  sendAct,
  subjectsTo,
  tokenTo,
  type World,
} from "../_support/account_people.ts";
import { type App, enrolAtOnce, prove } from "../_support/enrolling.ts";
import { otherAdapter } from "../_support/session_kinds.ts";
import type { Visitor } from "../_support/visitors.ts";

const DAY = 24 * 60 * 60;

/** Storage of which one call fails. */
class Trap {
  calls: string[] = [];
  #failing = -1;
  #does = false;

  arm(at: number, does: boolean): void {
    [this.#failing, this.#does, this.calls] = [at, does, []];
  }

  disarm(): readonly string[] {
    const { calls } = this;
    this.arm(-1, false);
    return calls;
  }

  around(adapter: Adapter): Adapter {
    return Object.fromEntries(
      Object.entries(adapter).map(([name, run]) => [name, async (...args: unknown[]) => {
        const fails = this.calls.push(name) - 1 === this.#failing;
        if (fails && !this.#does) throw new Error("storage is down");
        const result = await (run as (...args: unknown[]) => unknown)(...args);
        if (fails) throw new Error("the connection broke");
        return result;
      }]),
    );
  }
}

const STORES: Readonly<Record<string, () => Adapter>> = {
  "in transactions": () => memoryAdapter(),
  "in steps": () => withRecords(otherAdapter(), memoryRecords(), { logger: { warn: () => {} } }),
};

/** What the email about it says to its owner. */
const TOLD: Readonly<Record<string, RegExp>> = {
  allowEmail: /was changed/,
  unlink: /was removed/,
  removePasskey: /passkey was removed/i,
  delete: /was deleted/,
  undo: /is back/,
  changePassword: /password .* changed/,
  removePassword: /password .* removed/,
};

/** What writes the change itself: if its answer is lost, nobody knows whether it was done. */
const WRITES: readonly string[] = [
  ...[
    "commit",
    "updateUser",
    "unlinkAccount",
    "deleteAuthenticator",
    "linkAccount",
    "deleteUser",
    "removeRecord",
    "putRecord",
  ],
];

/** What is done. */
interface Case {
  readonly act: string;
  /** @default that of the account page */
  readonly path?: string;
  /** What the email about it says. @default by the act */
  readonly told?: RegExp;
  readonly ready: Row["ready"];
}

const CASES: Readonly<Record<string, Case>> = {
  ...Object.fromEntries(Object.entries(ROWS).map(([act, { ready }]) => [act, { act, ready }])),
  changePassword: {
    act: "changePassword",
    path: "/auth/password",
    ready: ({ adapter }, { id }) =>
      Promise.resolve({
        fields: { act: "", password: "another pelican on a bicycle" },
        isDone: async () => {
          const record = await adapter.getRecord?.({ kind: "password", id });
          return record?.data.hash === "new:another pelican on a bicycle";
        },
      }),
  },
  removePassword: {
    act: "removePassword",
    path: "/auth/password",
    ready: ({ adapter }, { id }) =>
      Promise.resolve({
        fields: { act: "remove" },
        isDone: async () => await adapter.getRecord?.({ kind: "password", id }) === null,
      }),
  },
  "takeEmail that begins to wait": {
    act: "takeEmail",
    ready: async (world, person) => {
      const { fields } = await askForLost(world, person);
      const isWaiting = async () => await world.adapter.getRecord?.({ kind: "email-change", id: person.id }) !== null;
      return { fields, isDone: isWaiting };
    },
  },
  "takeEmail of what has waited": {
    act: "takeEmail",
    told: /was changed/,
    ready: async (world, person) => {
      const { to, fields } = await askForLost(world, person);
      await sendAct(world, person.helper, { act: "takeEmail", ...fields });
      world.runtime.advance(7 * DAY);
      return { fields: {}, isDone: async () => await addressOf(world, person) === to };
    },
  },
  "undo of a passkey": {
    act: "undo",
    ready: async (world, person) => {
      // One that was made just now is not offered back.
      world.runtime.advance(2 * DAY);
      await enter(person.helper, person.email);
      await sendAct(world, person.helper, { act: "removePasskey", id: await passkeyIdOf(world, person.helper) });
      return {
        fields: { token: tokenTo(world, person.email, "undo") },
        isDone: async () => {
          const passkeys = await world.adapter.listAuthenticatorsByUserId?.(person.id) ?? [];
          const accounts = await world.adapter.listAccountsByUserId?.(person.id) ?? [];
          return passkeys.length === 1 && accounts.some(({ provider }) => provider === "passkey");
        },
      };
    },
  },
};

/** The applications of those who have a second factor. */
const apps = new Map<string, App>();

/** Somebody with a second factor says that their mailbox is lost. */
async function askForLost(world: World, person: Person) {
  const { id, helper } = person;
  if (!apps.has(id)) {
    apps.set(id, await enrolAtOnce(world, helper));
    world.runtime.advance(8 * DAY);
  }
  await comeIn(world, person, helper);
  const to = `new-${crypto.randomUUID()}@example.com`;
  await sendAct(world, helper, { act: "changeEmail", to, lost: "1" });
  return { to, fields: { token: tokenTo(world, to, "takeEmail") } };
}

/** Signs in with every proof that is asked for. */
async function comeIn(world: World, person: Person, visitor: Visitor): Promise<void> {
  await byMail(world, visitor, await addressOf(world, person) ?? assert.fail("there is no user any more"));
  await proveToo(world, person, visitor);
}

async function proveToo(world: World, { id }: Person, visitor: Visitor): Promise<void> {
  const app = apps.get(id);
  if (app) await prove(world, visitor, app);
}

interface Point extends Case {
  readonly at: number;
  readonly does: boolean;
}

for (const [kind, make] of Object.entries(STORES)) {
  for (const [what, each] of Object.entries(CASES)) {
    test(`${what} is done whole, or not at all, and can be done again: ${kind}`, async () => {
      const trap = new Trap();
      const world = await openActWorld(trap.around(make()), "database");
      for (let at = 0; at < 60; at++) {
        for (const does of [false, true]) {
          const isOver = await onePoint(world, trap, { ...each, at, does });
          if (isOver) return assert.ok(at > 2, "storage was asked");
        }
      }
      assert.fail("it never ends");
    });
  }
}

/** @returns Whether there are fewer calls than this. */
async function onePoint(
  world: World,
  trap: Trap,
  { act, path, told = TOLD[act], ready: prepare, at, does }: Point,
): Promise<boolean> {
  const person = await newPerson(world);
  const elsewhere = world.service.visitor();
  if (act === "endSession" || act === "endOthers") await enter(elsewhere, person.email);
  const ready = await prepare(world, person, elsewhere);
  const visitor = world.service.visitor();
  await comeIn(world, person, visitor);
  const mails = world.mails.length;

  trap.arm(at, does);
  const answer = await sendTo(world, visitor, { path, fields: { act, ...ready.fields } });
  const calls = trap.disarm();
  const where = `call ${at} of ${act}, ${calls[at]}, ${does ? "after" : "before"} its effect`;
  const isDone = await ready.isDone();
  if (calls.length <= at) {
    assert.ok(isDone, `${act} is done where nothing fails`);
    return true;
  }
  const saysDone = answer.status === 200 && !/error=/.test(answer.headers.get("location") ?? "");
  await answer.body?.cancel();
  if (saysDone) assert.ok(isDone, `${where}: it is said to be done`);
  // Of a link that works still, its owner is told once it was used.
  if (act === "undo" && isDone && !saysDone) await tryAgain(world, person, { fields: { act, ...ready.fields } });
  if (isDone && told && !(does && WRITES.includes(calls[at] ?? ""))) {
    const subjects = subjectsTo({ mails: world.mails.slice(mails) }, person.email);
    assert.ok(subjects.some((subject) => told.test(subject)), `${where}: its owner is told, not ${subjects}`);
  }
  await assertWhole(world, person, where);
  if (!isDone) await doAgain(world, { act, path, prepare, person, ready, elsewhere, where });
  return false;
}

async function addressOf({ adapter }: World, { id }: Person): Promise<string | null> {
  return (await adapter.getUser?.(id))?.email ?? null;
}

/** Whatever is stored works. */
async function assertWhole(world: World, person: Person, where: string): Promise<void> {
  const { adapter, service } = world;
  const { id, email, helper, passkey } = person;
  const address = await addressOf(world, person);
  // Somebody who is deleted in part cannot get in any more, or gets in and deletes the rest.
  if (address === null) return;
  const accounts = (await adapter.listAccountsByUserId?.(id) ?? []).map(({ provider }) => provider);
  const passkeys = await adapter.listAuthenticatorsByUserId?.(id) ?? [];
  const visitor = service.visitor();
  await comeIn(world, person, visitor);
  assert.equal(await visitor.inside(), id, `${where}: the owner gets in by mail`);
  if (accounts.includes("plain")) {
    const other = service.visitor();
    await come(other, "plain", email);
    await proveToo(world, person, other);
    assert.equal(await other.inside(), id, `${where}: the account works`);
  }
  if (passkeys.length > 0 && accounts.includes("passkey")) {
    const other = Object.assign(service.visitor(), { device: helper.device });
    await other.authenticate(passkey ?? assert.fail());
    assert.equal(await other.inside(), id, `${where}: the passkey works`);
  }
}

interface Again {
  readonly act: string;
  readonly path: string | undefined;
  readonly prepare: Row["ready"];
  readonly person: Person;
  readonly ready: Ready;
  readonly elsewhere: Visitor;
  readonly where: string;
}

/** Its owner signs in, and tries it again: with the same link, and then from the beginning. */
async function doAgain(world: World, { act, path, prepare, person, ready, elsewhere, where }: Again): Promise<void> {
  await tryAgain(world, person, { path, fields: { act, ...ready.fields } });
  if (await ready.isDone()) return;
  // What was removed is nowhere but behind its link. If the answer is lost that it was used up, nobody knows of it.
  if (act === "undo") return assert.match(where, /useVerificationToken, after/, `${where}: the link works again`);
  const helper = Object.assign(world.service.visitor(), { device: person.helper.device });
  await comeIn(world, person, helper);
  if (act === "endSession" || act === "endOthers") await enter(elsewhere, person.email);
  const again = await prepare(world, { ...person, helper }, elsewhere);
  await tryAgain(world, person, { path, fields: { act, ...again.fields } });
  assert.ok(await again.isDone(), `${where}: it can be done again`);
}

interface Form {
  readonly path?: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
}

async function sendTo(world: World, visitor: Visitor, { path, fields }: Form): Promise<Response> {
  const { csrfToken } = world.service;
  return await send(world, visitor, { ...(path !== undefined && { path }), fields: { csrfToken, ...fields } });
}

async function tryAgain(world: World, person: Person, form: Form): Promise<void> {
  const visitor = world.service.visitor();
  await comeIn(world, person, visitor);
  await (await sendTo(world, visitor, form)).body?.cancel();
}
