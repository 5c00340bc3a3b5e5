/** Whoever has no proof, or only the first one, learns of second factors what the page shows, and nothing else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CompleteAdapter } from "@x/auth";
import { secondFactor } from "@x/auth/second-factor";
import { type Factor, factorRecords, recordOf, sealSecret } from "../../src/second_factor/factors.ts";
import type { Browser } from "../_support/browser.ts";
import { testRuntime } from "../_support/runtime.ts";
import { ADA, recoveryHashes, resolvedFor, TOTP_SECRET } from "../_support/second_factor.ts";
import { MEMORY } from "../_support/stores.ts";
import { differencesOf, type Place, type Scene, type Sight, sightOf } from "../_support/strangers.ts";
import { teller } from "../_support/visitors.ts";

/** What is stored of the second factors of somebody. */
type Enrolment = (rows: CompleteAdapter) => Promise<unknown>;

const OTHER_SECRET = TOTP_SECRET.toLowerCase().replaceAll("j", "k").toUpperCase();

const COMMON = { userId: "u1", version: 0, createdAt: 1, usedAt: null, isConfirmed: true };

async function store(rows: CompleteAdapter, factor: Factor): Promise<void> {
  await factorRecords(resolvedFor(rows, testRuntime())).putRecord(recordOf(factor));
}

async function app(rows: CompleteAdapter, changes: { id?: string; secret?: string; used?: number } = {}) {
  const { id = "app", secret = TOTP_SECRET, used = null } = changes;
  const sealed = await sealSecret(resolvedFor(rows, testRuntime()), id, secret);
  const name = used === null ? null : "Phone of Ada";
  await store(rows, { ...COMMON, id, type: "totp", name, sealed, lastStep: used, usedAt: used });
}

async function codes(rows: CompleteAdapter, used: readonly string[] = []): Promise<void> {
  const hashes = Object.fromEntries(Object.entries(recoveryHashes()).filter(([number]) => !used.includes(number)));
  await store(rows, { ...COMMON, id: "codes", type: "recovery", hashes });
}

async function user(rows: CompleteAdapter): Promise<void> {
  await rows.createUser({ id: "u1", email: ADA, emailVerified: new Date(1e12) });
  await rows.linkAccount({ userId: "u1", type: "oauth", provider: "plain", providerAccountId: "ada" });
}

/** Whose page is the same: they have an application, and recovery codes. */
const ENROLLED: Readonly<Record<string, Enrolment>> = {
  "one application": (rows) => app(rows).then(() => codes(rows)),
  "an application of another secret": (rows) => app(rows, { secret: OTHER_SECRET }).then(() => codes(rows)),
  "an application that was used a moment ago": (rows) => app(rows, { used: 61_000_000 }).then(() => codes(rows)),
  "two applications": async (rows) => {
    await app(rows);
    await app(rows, { id: "second", secret: OTHER_SECRET });
    await codes(rows);
  },
  "recovery codes of which one was used": (rows) => app(rows).then(() => codes(rows, ["1"])),
  "an application that was begun and counts for nothing": async (rows) => {
    await app(rows);
    await codes(rows);
    const sealed = await sealSecret(resolvedFor(rows, testRuntime()), "draft", OTHER_SECRET);
    const draft = { boundTo: "another browser", expires: testRuntime().now() + 60_000 };
    const begun = { ...COMMON, isConfirmed: false, draft, id: "draft", name: null, sealed, lastStep: null };
    await store(rows, { ...begun, type: "totp" });
  },
  "a browser that is trusted elsewhere": async (rows) => {
    await app(rows);
    await codes(rows);
    await rows.putRecord({
      kind: "trusted-device",
      id: "d1",
      userId: "u1",
      version: 0,
      data: { key: "x", stamp: "y" },
    });
  },
};

/** Who there may be, for a stranger who has no proof at all. */
const ANYBODY: Readonly<Record<string, Enrolment>> = {
  "nobody": () => Promise.resolve(),
  "somebody without a second factor": user,
  ...Object.fromEntries(
    Object.entries(ENROLLED).map(([name, enrol]) => [name, (rows) => user(rows).then(() => enrol(rows))]),
  ),
  "somebody whose sign-in waits": async (rows) => {
    await user(rows);
    const expires = new Date(testRuntime().now() + 600_000);
    await rows.putRecord({ kind: "pending", id: "p1", userId: "u1", version: 0, expires, data: { sealed: "x" } });
  },
};

/** Proofs that are wrong, also by ways that nobody here has. */
const WRONG: readonly Readonly<Record<string, string>>[] = [
  { method: "totp", code: "000000" },
  { method: "totp", code: "12" },
  { method: "recovery-code", code: "1-AAAA-AAAA-AAAA" },
  { method: "recovery-code", code: "9-AAAA-AAAA-AAAA" },
  { method: "recovery-code", code: "no code" },
  { method: "passkey", data: "{}" },
  { method: "email-code" },
  { method: "email-code", code: "000000" },
  { method: "lost" },
  { method: "of no kind" },
  {},
];

const PAGE = { accept: "text/html" };

/** Opens the page and sends wrong proofs, as a form and as a script, until there are too many. */
async function tryProofs(browser: Browser): Promise<void> {
  const csrfToken = await browser.csrf();
  for (const headers of [PAGE, {}, PAGE, {}]) {
    for (const query of ["", "?method=recovery-code", "?method=passkey", "?methods=hwk", "?callbackUrl=/admin"]) {
      await browser.get(`/auth/challenge${query}`, { headers });
    }
    for (const fields of WRONG) await browser.post("/auth/challenge", { csrfToken, ...fields }, { headers });
  }
}

/** Gives the first proof: a provider says who they are. */
async function signIn(browser: Browser): Promise<void> {
  const started = await browser.post("/auth/signin/plain", { csrfToken: await browser.csrf() });
  const state = new URL(started.headers.get("location") ?? "").searchParams.get("state") ?? "";
  const code = btoa(JSON.stringify({ sub: "ada", email: ADA }));
  await browser.get(`/auth/callback/plain?${new URLSearchParams({ code, state })}`);
}

function scene(act: (browser: Browser) => Promise<unknown>): Scene {
  return {
    config: () => ({ providers: [teller("plain")], features: [secondFactor({ methods: ["totp"] })] }),
    act: ({ browser }) => act(browser),
  };
}

const NO_PROOF: Readonly<Record<string, (browser: Browser) => Promise<unknown>>> = {
  "has nothing": tryProofs,
  "makes up the key of a sign-in that waits": async (browser) => {
    browser.cookies.store(`authjs.pending=${"x".repeat(43)}; Path=/`, new URL(browser.origin));
    await tryProofs(browser);
  },
};

for (const strategy of ["jwt", "database"] as const) {
  const see = (act: Scene, fill: Place["fill"]): Promise<Sight> => sightOf(act, { kind: MEMORY, strategy, fill });

  for (const [what, act] of Object.entries(NO_PROOF)) {
    test(`whoever ${what} learns at the second proof nothing of who is enrolled: ${strategy}`, async () => {
      const nobody = await see(scene(act), () => Promise.resolve());
      assert.ok(nobody.answers.every(({ status }) => status < 500));
      for (const [who, fill] of Object.entries(ANYBODY)) assert.deepEqual(await see(scene(act), fill), nobody, who);
    });
  }

  test(`whoever has only the first proof learns which ways there are, and nothing of them: ${strategy}`, async () => {
    const act = scene(async (browser) => {
      await signIn(browser);
      await tryProofs(browser);
    });
    const sights = new Map<string, Sight>();
    for (const [who, enrol] of Object.entries(ENROLLED)) {
      sights.set(who, await see(act, (rows) => user(rows).then(() => enrol(rows))));
    }
    const [first = assert.fail(), ...others] = sights.values();
    assert.ok(first.answers.some(({ body }) => body.includes('"method":"totp"')), "the second proof was asked for");
    assert.ok(first.answers.some(({ status }) => status === 401) && first.answers.some(({ status }) => status === 429));
    for (const other of others) assert.deepEqual(other, first);
    // Without a second factor nothing is asked for: that is what the page shows.
    assert.notDeepEqual(differencesOf(first, await see(act, user)), []);
  });
}
