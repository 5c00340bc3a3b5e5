/** Who may see and change second factors: every act, and everybody who may come. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryAdapter, memoryRecords } from "@x/auth/adapters/memory";
import { withRecords } from "@x/auth/adapters/records";
import type { SecondFactorOptions } from "../../src/second_factor.ts";
import {
  ADA,
  type App,
  beginApp,
  byLink,
  enrolAtOnce,
  type FactorSite,
  openFactorSite,
  prove,
  read,
  recordsOf,
} from "../_support/enrolling.ts";
import { otherAdapter, type SessionKind, sessionKinds } from "../_support/session_kinds.ts";
import type { Visitor } from "../_support/visitors.ts";

const SESSIONS = sessionKinds(() => withRecords(otherAdapter(), memoryRecords(), { logger: { warn: () => {} } }));

/** The sessions that are told apart by the rule. */
const KINDS: Readonly<Record<string, () => SessionKind>> = {
  "stored": SESSIONS.stored ?? assert.fail(),
  "sealed": SESSIONS.sealed ?? assert.fail(),
  "sealed, without rows": SESSIONS["sealed, without rows"] ?? assert.fail(),
  "stored by an adapter of others": SESSIONS["stored by an adapter of others"] ?? assert.fail(),
};

/** What everybody gets: their page, the sign-in page, the page for the second proof, or an error. */
type Gets = "page" | "sign-in" | "challenge" | "denied";

interface Comer {
  readonly gets: Gets;
  readonly options?: SecondFactorOptions;
  /** Comes, and gives the id of the user. */
  readonly come: (site: FactorSite, visitor: Visitor) => Promise<string>;
}

async function inside(visitor: Visitor): Promise<string> {
  return await visitor.inside() ?? assert.fail("nobody is signed in");
}

async function userIdOf({ adapter }: FactorSite, email = ADA): Promise<string> {
  return (await adapter.getUserByEmail?.(email))?.id ?? assert.fail("there is no such user");
}

async function freshly(site: FactorSite, visitor: Visitor): Promise<string> {
  await byLink(site, visitor);
  return await inside(visitor);
}

async function enrolled(site: FactorSite, visitor: Visitor): Promise<{ readonly userId: string; readonly app: App }> {
  const userId = await freshly(site, visitor);
  return { userId, app: await enrolAtOnce(site, visitor) };
}

const COMERS: Readonly<Record<string, Comer>> = {
  "nobody": { gets: "sign-in", come: () => Promise.resolve("nobody") },
  "somebody who has just signed in": { gets: "page", come: freshly },
  "somebody who signed in 601 seconds ago": {
    gets: "sign-in",
    come: async (site, visitor) => {
      const userId = await freshly(site, visitor);
      site.runtime.advance(601);
      return userId;
    },
  },
  "an enrolled person whose session is from before": {
    gets: "challenge",
    come: async (site, visitor) => (await enrolled(site, visitor)).userId,
  },
  "an enrolled person who has given both proofs": {
    gets: "page",
    come: async (site, visitor) => {
      const { userId, app } = await enrolled(site, visitor);
      await prove(site, visitor, app);
      return userId;
    },
  },
  "an enrolled person who gave both proofs 601 seconds ago": {
    gets: "sign-in",
    come: async (site, visitor) => {
      const { userId, app } = await enrolled(site, visitor);
      await prove(site, visitor, app);
      site.runtime.advance(601);
      return userId;
    },
  },
  "an enrolled person whose sign-in waits": {
    gets: "challenge",
    come: async (site, visitor) => {
      const { userId } = await enrolled(site, visitor);
      await visitor.signOut();
      await byLink(site, visitor);
      assert.equal(await visitor.inside(), null);
      return userId;
    },
  },
  "somebody whose sign-in waits, and who has no factor": {
    gets: "page",
    options: { require: "always" },
    come: async (site, visitor) => {
      await byLink(site, visitor);
      assert.equal(await visitor.inside(), null);
      return await userIdOf(site);
    },
  },
  "somebody whose sign-in waits, who has no factor, but could prove their mailbox": {
    gets: "challenge",
    options: { require: "always", methods: ["totp", "email-code"] },
    come: async (site, visitor) => {
      await byLink(site, visitor);
      const userId = await userIdOf(site);
      visitor.cookies.delete("authjs.pending");
      await site.adapter.linkAccount?.({ userId, type: "oauth", provider: "plain", providerAccountId: "1" });
      await visitor.come("plain", { sub: "1", email: ADA });
      return userId;
    },
  },
  "somebody whose sign-in waits, and whose address nobody has proven": {
    gets: "denied",
    options: { require: "always" },
    come: async (site, visitor) => {
      await visitor.come("plain", { sub: "1", email: ADA });
      return await userIdOf(site);
    },
  },
};

/** What each act sends. */
const ACTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  totp: {},
  confirm: { id: "none", code: "123456" },
  recovery: {},
  keep: { code: "ABCD" },
  remove: { id: "none" },
  rename: { id: "none", name: "Phone" },
};

const PATHS = ["/auth/factors", "/auth/factors?act=remove&id=none"];

function leadsTo(gets: Gets, response: Response): void {
  const location = response.headers.get("location") ?? "";
  switch (gets) {
    case "page":
      assert.ok(response.status === 200 || response.status === 400 || response.status === 401, `${response.status}`);
      return assert.equal(location, "");
    case "denied":
      return assert.match(location, /\/auth\/error\?error=AccessDenied/);
    default:
      assert.equal(location === "" ? response.status : 302, location === "" ? 401 : 302);
      if (location !== "") assert.match(location, gets === "challenge" ? /\/auth\/challenge/ : /\/auth\/signin/);
  }
}

for (const [sessions, config] of Object.entries(KINDS)) {
  for (const [who, { gets, options = {}, come }] of Object.entries(COMERS)) {
    test(`${who} gets ${gets} for every act: sessions are ${sessions}`, async () => {
      const site = await openFactorSite({ ...config(), options });
      const visitor = site.service.visitor();
      const userId = await come(site, visitor);
      const before = await recordsOf(site, userId);
      const mails = site.mails.length;
      for (const path of PATHS) leadsTo(gets, await visitor.get(path));
      for (const [act, fields] of Object.entries(ACTS)) {
        leadsTo(gets, await visitor.post("/auth/factors", { act, ...fields }));
        if (gets !== "page") assert.deepEqual(await recordsOf(site, userId), before, act);
      }
      assert.equal(site.mails.length, mails);
    });
  }
}

test("a session that is older than the proof of its address sees and changes nothing", async () => {
  for (const strategy of ["jwt", "database"] as const) {
    const site = await openFactorSite({ adapter: memoryAdapter(), session: { strategy } });
    const thief = site.service.visitor();
    await thief.come("plain", { sub: "thief", email: ADA });
    const stolen = new Map(thief.cookies);
    await beginApp(thief);
    await byLink(site, site.service.visitor());
    const userId = await userIdOf(site);
    assert.deepEqual(await recordsOf(site, userId), [], "the first proof of the address removes what was begun");
    for (const [name, value] of stolen) thief.cookies.set(name, value);
    assert.equal((await thief.post("/auth/factors", { act: "totp" })).status, 401);
    assert.deepEqual(await recordsOf(site, userId), []);
  }
});

test("without the feature there is no such page", async () => {
  const site = await openFactorSite({ adapter: memoryAdapter(), features: [] });
  const ada = site.service.visitor();
  await byLink(site, ada);
  assert.equal((await ada.get("/auth/factors")).status, 404);
  assert.equal((await ada.post("/auth/factors", { act: "totp" })).status, 404);
});

test("a form of another site, or without a token, changes nothing", async () => {
  const site = await openFactorSite({ adapter: memoryAdapter() });
  const ada = site.service.visitor();
  const userId = await freshly(site, ada);
  const wrong = await ada.post("/auth/factors", { act: "totp", csrfToken: "0".repeat(64) });
  assert.match(wrong.headers.get("location") ?? "", /MissingCSRF/);
  assert.deepEqual(await recordsOf(site, userId), []);
});

test("an act that there is not is refused", async () => {
  const site = await openFactorSite({ adapter: memoryAdapter() });
  const ada = site.service.visitor();
  await freshly(site, ada);
  for (const act of ["", "toString", "__proto__", "x".repeat(10_000)]) {
    assert.equal((await ada.post("/auth/factors", { act })).status, 400, act.slice(0, 20));
  }
});

test("who has to sign in, or to give the second proof, comes back", async () => {
  const site = await openFactorSite({ adapter: memoryAdapter() });
  const ada = site.service.visitor();
  const away = await ada.get("/auth/factors");
  const { url = "", error } = await read(away);
  assert.equal(error, "SessionRequired");
  const { pathname, search, searchParams } = new URL(url);
  assert.equal(searchParams.get("callbackUrl"), "http://localhost:3000/auth/factors");
  await ada.get(pathname + search);
  const back = await byLink(site, ada);
  assert.equal(back.headers.get("location"), "http://localhost:3000/auth/factors");
  const app = await enrolAtOnce(site, ada);
  const step = await read(await ada.get("/auth/factors?callbackUrl=/admin"));
  assert.equal(step.error, "StepUpRequired");
  const challenge = new URL(step.url ?? "");
  const list = "http://localhost:3000/auth/factors?callbackUrl=http%3A%2F%2Flocalhost%3A3000%2Fadmin";
  assert.equal(challenge.searchParams.get("callbackUrl"), list);
  await ada.get(challenge.pathname + challenge.search);
  await prove(site, ada, app);
  assert.equal((await read(await ada.get("/auth/factors"))).isOn, true);
});
