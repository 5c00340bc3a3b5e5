/** Whatever is done with a password while storage fails is done whole, or not at all. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter } from "@x/auth";
import { memoryAdapter, memoryRecords } from "@x/auth/adapters/memory";
import { withRecords } from "@x/auth/adapters/records";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { password } from "@x/auth/providers/password";
import type { Browser } from "../_support/browser.ts";
import { FailingCall } from "../_support/failing_call.ts";
import { openVisitedSite, type VisitedSite } from "../_support/password_visits.ts";
import { mailbox } from "../_support/mailbox.ts";
import { ADA, cheapHash } from "../_support/passwords.ts";
import { otherAdapter } from "../_support/session_kinds.ts";
import { testRuntime } from "../_support/runtime.ts";

const FORMER = "a pelican on a bicycle";
const NEW = "a bicycle on a pelican";

interface Scene {
  readonly site: VisitedSite;
  readonly trap: FailingCall;
  /** The user with the former password; empty if there is none. */
  readonly id: string;
  /** Somebody who is in with the former password. */
  readonly thief: Browser;
  readonly owner: Browser;
}

interface Flow {
  /** Whether there is a user with the former password. */
  readonly isKnown: boolean;
  /** Whether others are out as soon as the new password counts. @default {false} */
  readonly endsFirst?: boolean;
  /** The password that there is afterwards. @default {NEW} */
  readonly leaves?: string | null;
  readonly prepare: (scene: Scene) => Promise<unknown>;
  readonly act: (scene: Scene) => Promise<unknown>;
}

const FLOWS: Readonly<Record<string, Flow>> = {
  "to open the link of a registration": {
    isKnown: false,
    prepare: ({ site, owner }) => site.signUp(owner, ADA, NEW),
    act: ({ site, owner }) => owner.open(site.linkTo(ADA)),
  },
  "to choose a password in another browser": {
    isKnown: false,
    prepare: async ({ site, owner }) => {
      await site.signUp(site.browser(), ADA, "what a stranger has chosen");
      await owner.open(site.linkTo(ADA));
    },
    act: ({ owner }) => owner.submit({ password: NEW }, "/signup"),
  },
  "to reset a password": {
    isKnown: true,
    endsFirst: true,
    prepare: async ({ site, owner }) => {
      await site.forget(site.browser(), ADA);
      await owner.open(site.linkTo(ADA));
    },
    act: ({ owner }) => owner.submit({ password: NEW }, "/reset"),
  },
  "to change a password": {
    isKnown: true,
    prepare: async ({ site, owner }) => {
      assert.equal(await site.enter(owner, ADA, FORMER), null);
      await owner.open("/auth/password");
    },
    act: async ({ owner }) => await owner.post("/auth/password", { csrfToken: await owner.csrf(), password: NEW }),
  },
  "to register": {
    isKnown: false,
    leaves: null,
    prepare: async () => {},
    act: ({ site, owner }) => site.signUp(owner, ADA, NEW),
  },
  "to sign in with an old hash": {
    isKnown: true,
    leaves: FORMER,
    prepare: async ({ site, id }) => {
      const record = await site.adapter.getRecord?.({ kind: "password", id }) ?? assert.fail();
      await site.adapter.putRecord?.({ ...record, data: { ...record.data, hash: `old:${FORMER}` } });
    },
    act: ({ site, owner }) => site.enter(owner, ADA, FORMER),
  },
  "to remove a password": {
    isKnown: true,
    leaves: null,
    prepare: async ({ site, owner }) => {
      assert.equal(await site.enter(owner, ADA, FORMER), null);
      await owner.open("/auth/password");
    },
    act: async ({ owner }) => {
      await owner.post("/auth/password", { csrfToken: await owner.csrf(), act: "remove" });
    },
  },
  "to set a password as the application": {
    isKnown: true,
    prepare: async () => {},
    act: ({ site, id }) => site.passwords.set(id, NEW).catch(() => {}),
  },
  "to import a password": {
    isKnown: false,
    prepare: ({ site }) => site.join(ADA, null),
    act: async ({ site }) => {
      const user = await Promise.resolve(site.adapter.getUserByEmail?.(ADA)).catch(() => null);
      if (user) await site.passwords.import([{ userId: user.id, hash: `new:${NEW}` }]).catch(() => {});
    },
  },
};

interface Place {
  readonly open: (now: () => number) => Adapter;
  readonly strategy: "jwt" | "database";
}

async function begin(flow: Flow, { open, strategy }: Place): Promise<Scene> {
  const runtime = testRuntime();
  const trap = new FailingCall();
  const adapter = trap.around(open(runtime.now));
  // Links are another way in for whoever removes a password.
  const providers = [password({ hash: cheapHash() }), mailbox().provider];
  const site = openVisitedSite({ adapter, runtime, session: { strategy }, providers });
  const id = flow.isKnown ? await site.join(ADA, FORMER) : "";
  const scene = { site, trap, id, thief: site.browser(), owner: site.browser() };
  if (flow.isKnown) {
    assert.equal(await site.enter(scene.thief, ADA, FORMER), null);
  }
  await flow.prepare(scene);
  return scene;
}

async function close({ site }: Scene): Promise<void> {
  await (site.adapter as { close?: () => unknown }).close?.();
}

const WRITES = /^(?:commit|(?:put|remove)Record|createVerificationToken)$/;

const QUIET = { logger: { warn: () => {} } };

const PLACES: Readonly<Record<string, Place>> = {
  "memory, jwt": { open: (now) => memoryAdapter({ now }), strategy: "jwt" },
  "memory, database": { open: (now) => memoryAdapter({ now }), strategy: "database" },
  "SQLite, database": { open: (now) => sqliteAdapter(":memory:", { now }), strategy: "database" },
  // Its sealed sessions cannot be ended.
  "an adapter of others, database": {
    open: (now) => withRecords(otherAdapter(), memoryRecords({ now }), QUIET),
    strategy: "database",
  },
};

for (const [name, flow] of Object.entries(FLOWS)) {
  for (const [where, place] of Object.entries(PLACES)) {
    test(`${name} is done whole or not at all, whichever call to storage fails (${where})`, async () => {
      const first = await begin(flow, place);
      first.trap.arm(-1, false);
      await flow.act(first);
      const calls = [...first.trap.calls];
      const { leaves = NEW } = flow;
      for (const text of [FORMER, NEW]) assert.equal(await first.site.opens(ADA, text), text === leaves, text);
      await close(first);
      assert.ok(calls.some((call) => WRITES.test(call)), calls.join());
      for (const [at, call] of calls.entries()) {
        for (const does of [false, true]) {
          const where = `call ${at + 1}, ${call}, ${does ? "done" : "not done"}`;
          const scene = await begin(flow, place);
          const { site, trap, thief, owner } = scene;
          trap.arm(at, does);
          await flow.act(scene);
          trap.disarm();
          const [isOld, isNew] = [await site.opens(ADA, FORMER), await site.opens(ADA, NEW)];
          assert.equal(isOld && isNew, false, `${where}: two passwords`);
          assert.equal(isOld || isNew || !flow.isKnown || leaves === null, true, `${where}: no password is left`);
          if (isNew && flow.endsFirst) assert.equal(await site.who(thief), null, `${where}: the thief is in`);
          if (!flow.isKnown && await site.who(owner) === ADA) assert.ok(isNew, `${where}: in without the password`);
          // Whoever tries again gets what they wanted.
          const again = site.browser();
          await site.forget(again, ADA);
          if (!isNew && !flow.isKnown && await site.adapter.getUserByEmail?.(ADA) === null) {
            await site.signUp(again, ADA, NEW);
            await again.open(site.linkTo(ADA));
          } else {
            await again.open(site.linkTo(ADA));
            await again.submit({ password: "yet another password" }, "/reset");
          }
          assert.equal(await site.who(again), ADA, `${where}: the way back`);
          if (flow.isKnown) assert.equal(await site.who(thief), null, `${where}: the former session`);
          await close(scene);
        }
      }
    });
  }
}
