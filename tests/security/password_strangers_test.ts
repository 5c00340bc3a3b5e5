/**
 * What strangers learn of an address from the six endpoints of passwords that take one: nothing. No answer, no cookie, no
 * call to storage and no number of emails depends on who has it.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthConfig, CompleteAdapter } from "@x/auth";
import { limits } from "@x/auth/limits";
import { password } from "@x/auth/providers/password";
import { secondFactor } from "@x/auth/second-factor";
import { recordOf } from "../../src/second_factor/factors.ts";
import type { Browser } from "../_support/browser.ts";
import { cheapHash } from "../_support/passwords.ts";
import { FOREIGN_WITH_RECORDS, MEMORY, SQLITE } from "../_support/stores.ts";
import { differencesOf, type Place, type Sight, sightOf, type Stranger } from "../_support/strangers.ts";

const ADDRESS = "ada@example.com";
const CHOSEN = "a pelican on a bicycle";
const TOKEN = "0123456789abcdef".repeat(4);

type Fill = (rows: CompleteAdapter) => Promise<unknown>;

async function user(rows: CompleteAdapter, { email = ADDRESS, isProven = true } = {}): Promise<void> {
  await rows.createUser({ id: "u1", name: "Ada", email, emailVerified: isProven ? new Date(1e12) : null });
}

async function withPassword(rows: CompleteAdapter, email = ADDRESS, isProven = true): Promise<void> {
  await user(rows, { email, isProven });
  const data = { hash: `new:${CHOSEN}`, email, setAt: 1e9, revision: "x".repeat(43) };
  await rows.putRecord({ kind: "password", id: "u1", userId: "u1", version: 0, data });
}

/** An address, as strangers type it, and who has it. */
interface Case {
  readonly name: string;
  /** @default {ADDRESS} */
  readonly typed?: string;
  readonly fill: Fill;
  readonly config?: () => AuthConfig;
  readonly signUp?: boolean | "invited";
  /** How often a stranger does the same. @default {1} */
  readonly times?: number;
}

const CASES: readonly Case[] = [
  { name: "of nobody", fill: () => Promise.resolve() },
  { name: "of a user with a password", fill: (rows) => withPassword(rows) },
  {
    name: "of a user who comes from a provider",
    fill: async (rows) => {
      await user(rows);
      await rows.linkAccount({ userId: "u1", type: "oauth", provider: "github", providerAccountId: "ada" });
    },
  },
  { name: "that nobody has proven", fill: (rows) => withPassword(rows, ADDRESS, false) },
  { name: "of somebody who is invited", signUp: "invited", fill: (rows) => user(rows, { isProven: false }) },
  {
    name: "that waits to be confirmed",
    fill: async (rows) => {
      const expires = new Date(4e12);
      await rows.createVerificationToken({ identifier: `confirm:${ADDRESS}`, token: "0".repeat(64), expires });
    },
  },
  {
    name: "of a user with a second factor",
    config: () => ({ features: [secondFactor({})] }),
    fill: async (rows) => {
      await withPassword(rows);
      const common = { id: "totp-u1", userId: "u1", version: 0, createdAt: 1, usedAt: null, isConfirmed: true };
      await rows.putRecord(recordOf({ ...common, type: "totp", name: null, sealed: "sealed", lastStep: null }));
    },
  },
  {
    name: "that was asked about too often",
    config: () => ({ features: [limits()] }),
    times: 12,
    fill: (rows) => withPassword(rows),
  },
  { name: "in capital letters", typed: " ADA@Example.COM", fill: (rows) => withPassword(rows) },
  {
    name: "with a plus",
    typed: "ada+news@example.com",
    fill: (rows) => withPassword(rows, "ada+news@example.com"),
  },
  {
    name: "of an international domain",
    typed: "ada@bücher.example",
    fill: (rows) => withPassword(rows, "ada@xn--bcher-kva.example"),
  },
  { name: "that is none", typed: "ada@@example", fill: (rows) => withPassword(rows, "ada@@example") },
];

/** A request for an address. */
type Asking = (browser: Browser, email: string) => Promise<unknown>;

function posting(path: string, fields: Readonly<Record<string, string>>): Asking {
  return async (browser, email) => {
    const csrfToken = await browser.csrf();
    for (const headers of [{}, { "x-auth-return-redirect": "1" }, { accept: "application/json" }]) {
      await browser.post(`/auth/${path}`, { csrfToken, email, ...fields }, { headers });
    }
  };
}

function opening(path: string): Asking {
  return async (browser, email) => {
    await browser.get(`/auth/${path}?${new URLSearchParams({ token: TOKEN, email })}`);
  };
}

const ENDPOINTS: Readonly<Record<string, Asking>> = {
  "registers": posting("signup", { password: CHOSEN, name: "Ada" }),
  "opens a made-up link of a registration": opening("signup"),
  "asks for a new password": posting("reset", {}),
  "opens a made-up link of a reset": opening("reset"),
  "chooses a password with a made-up token": posting("reset", { token: TOKEN, password: CHOSEN }),
  "types a wrong password": posting("callback/password", { password: "a walrus on a tricycle" }),
};

interface Seen extends Sight {
  /** To whom emails went. */
  readonly sent: readonly string[];
  /** Hashes that were compared. */
  readonly compared: number;
}

async function look(asking: Asking, given: Case, place: Place): Promise<Seen> {
  const { typed = ADDRESS, config, signUp = true, times = 1 } = given;
  const [sent, compared]: [string[], string[]] = [[], []];
  const act = async ({ browser, another }: Stranger) => {
    for (let time = 0; time < times; time++) await asking(time % 2 === 0 ? browser : another(), typed);
  };
  const sight = await sightOf({
    config: () => ({
      mail: ({ to }) => void sent.push(to),
      providers: [password({ hash: cheapHash(compared), signUp })],
      ...config?.(),
    }),
    act,
  }, place);
  return { ...sight, sent, compared: compared.length };
}

const PLACES: readonly (readonly [kind: Place["kind"], strategy: Place["strategy"]])[] = [
  [MEMORY, "jwt"],
  [SQLITE, "database"],
  [FOREIGN_WITH_RECORDS, "database"],
];

for (const [kind, strategy] of PLACES) {
  for (const given of CASES) {
    for (const [what, asking] of Object.entries(ENDPOINTS)) {
      test(`a stranger who ${what} learns nothing of an address ${given.name} (${kind.name}, ${strategy})`, async () => {
        const nobody = await look(asking, given, { kind, strategy, fill: () => Promise.resolve() });
        const known = await look(asking, given, { kind, strategy, fill: given.fill });
        assert.ok(nobody.answers.length > 0);
        const isAsked = what === "asks for a new password" || (what === "registers" && given.signUp !== "invited");
        const isMailed = isAsked && given.typed !== "ada@@example";
        assert.equal(nobody.sent.length > 0, isMailed, "emails go to nobody as well");
        assert.deepEqual(differencesOf(nobody, known), []);
        assert.deepEqual(known, nobody);
      });
    }
  }
}
