/**
 * Which adapters let one of many win who do the same at the same time.
 *
 * @module
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { createAuth } from "@x/auth";
import type { Guard } from "./adapter_facts.ts";
import { Browser } from "./browser.ts";
import { assertGuessesCounted } from "./code_guesses.ts";
import type { ConfiguredAdapter, ForeignAdapter } from "./foreign_adapters.ts";
import { mailbox } from "./mailbox.ts";
import { recordLog, testConfig } from "./service.ts";

const CALLERS = 16;

const EMAIL = "ada@example.com";

type Call = (adapter: ConfiguredAdapter, caller: number) => unknown;

/** What each of the callers does. Those who get nothing have not won. */
const RACES: Readonly<Record<Guard, { readonly prepare?: Call; readonly call: Call }>> = {
  link: {
    prepare: (adapter) => {
      return adapter.createVerificationToken?.({
        identifier: EMAIL,
        token: "t",
        expires: new Date(Date.now() + 60_000),
      });
    },
    call: (adapter) => adapter.useVerificationToken?.({ identifier: EMAIL, token: "t" }),
  },
  address: { call: (adapter) => createUser(adapter, EMAIL) },
  account: {
    call: async (adapter, caller) => {
      const { id } = await createUser(adapter, `${caller}@example.com`);
      await adapter.linkAccount?.({ userId: id, provider: "google", providerAccountId: "1", type: "oidc" });
      return id;
    },
  },
};

async function createUser(adapter: ConfiguredAdapter, email: string) {
  const user = await adapter.createUser?.({ id: randomUUID(), email, emailVerified: null });
  assert.ok(user);
  return user;
}

/** Holds an adapter to what is known of it: what it guards it guards, and nothing is called a limit that is none. */
export function tellRaces(foreign: ForeignAdapter): void {
  test(`${foreign.name}: one of many wins, except where the documentation says otherwise`, async () => {
    const unguarded: string[] = [];
    for (const [name, { prepare, call }] of Object.entries(RACES)) {
      const { adapter, close } = await foreign.open();
      try {
        await prepare?.(adapter, 0);
        const calls = Array.from({ length: CALLERS }, async (_, caller) => await call(adapter, caller));
        const answers = await Promise.allSettled(calls);
        const winners = answers.filter((answer) => answer.status === "fulfilled" && answer.value);
        if (winners.length !== 1) unguarded.push(name);
      } finally {
        await close();
      }
    }
    assert.deepEqual(unguarded, foreign.facts.unguarded ?? []);
  });
}

/** Holds an adapter to it that of 64 guesses at a code five are compared, or that no code is sent. */
export function tellCodes(foreign: ForeignAdapter): void {
  const { name, facts: { noCodes } } = foreign;
  if (noCodes) test(`${name}: no code is sent, and the log says why`, () => tellNoCode(foreign));
  else {
    test(`${name}: of 64 parallel guesses at a code, five are compared`, async () => {
      const { adapter, close } = await foreign.open();
      try {
        await assertGuessesCounted(adapter);
      } finally {
        await close();
      }
    });
  }
}

async function tellNoCode(foreign: ForeignAdapter): Promise<void> {
  const { adapter, close } = await foreign.open();
  try {
    const { provider, mails } = mailbox({ generateVerificationToken: () => "424242" });
    const { logger, errors } = recordLog();
    const { handler } = createAuth(testConfig({ adapter, providers: [provider], logger }));
    for (const _ of ["first", "second"]) {
      const browser = new Browser(handler, { mayFail: true });
      await browser.signIn("email", { email: EMAIL });
      assert.equal(browser.url.href, "http://localhost:3000/auth/error?error=Configuration");
    }
    assert.deepEqual(mails, []);
    assert.match(errors[0]?.message ?? "", /its `useVerificationToken` gave several callers the same token/);
  } finally {
    await close();
  }
}
