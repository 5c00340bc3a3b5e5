/** Who may see and change an account, and what comes of it: every act, and everybody who may come. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { passkey } from "@x/auth/providers/passkey";
import { ACCOUNT_ACTS } from "../../src/account/table.ts";
import { secondFactor } from "../../src/second_factor.ts";
import { type AccountSite, act, ADA, byLink, look, openAccountSite, read, waysIn } from "../_support/account_site.ts";
import { enrolAtOnce, prove } from "../_support/enrolling.ts";
import { sessionKinds } from "../_support/session_kinds.ts";
import { teller, type Visitor } from "../_support/visitors.ts";

const SESSIONS = sessionKinds();

const KINDS = {
  "stored": SESSIONS.stored ?? assert.fail(),
  "sealed": SESSIONS.sealed ?? assert.fail(),
  "sealed, without rows": SESSIONS["sealed, without rows"] ?? assert.fail(),
};

type Gets = "page" | "sign-in" | "challenge";

interface Comer {
  /** What they get for what a session is enough for, and for everything else. */
  readonly gets: readonly [harmless: Gets, dangerous: Gets];
  readonly come: (site: AccountSite, visitor: Visitor) => Promise<void>;
}

/** Ada, with an account at a provider. */
async function enter(site: AccountSite, visitor: Visitor): Promise<void> {
  await byLink(site, visitor);
  await visitor.come("plain", { sub: "ada" });
}

const COMERS: Readonly<Record<string, Comer>> = {
  "nobody": {
    gets: ["sign-in", "sign-in"],
    come: async (site) => await enter(site, site.service.visitor()),
  },
  "somebody who has just signed in": { gets: ["page", "page"], come: enter },
  "somebody who signed in 601 seconds ago": {
    gets: ["page", "sign-in"],
    come: async (site, visitor) => {
      await enter(site, visitor);
      site.runtime.advance(601);
    },
  },
  "an enrolled person whose session is from before": {
    gets: ["page", "challenge"],
    come: async (site, visitor) => {
      await enter(site, visitor);
      await enrolAtOnce(site, visitor);
    },
  },
  "an enrolled person who has given both proofs": {
    gets: ["page", "page"],
    come: async (site, visitor) => {
      await enter(site, visitor);
      await prove(site, visitor, await enrolAtOnce(site, visitor));
    },
  },
  "an enrolled person who gave both proofs 601 seconds ago": {
    gets: ["page", "sign-in"],
    come: async (site, visitor) => {
      await enter(site, visitor);
      await prove(site, visitor, await enrolAtOnce(site, visitor));
      site.runtime.advance(601);
    },
  },
};

const HARMLESS: readonly string[] = ["rename", "renamePasskey", "keep", "section"];

/** What there is of Ada that an act could change. */
async function snapshot({ adapter, mails }: AccountSite): Promise<unknown> {
  const user = await adapter.getUserByEmail?.(ADA) ?? assert.fail("there is no Ada");
  return {
    user,
    accounts: await adapter.listAccountsByUserId?.(user.id),
    passkeys: await adapter.listAuthenticatorsByUserId?.(user.id),
    sessions: (await adapter.listSessionsByUserId?.(user.id))?.length,
    mails: mails.length,
  };
}

for (const [sessions, config] of Object.entries(KINDS)) {
  for (const [who, { gets: [harmless, dangerous], come }] of Object.entries(COMERS)) {
    test(`${who} gets ${harmless} and ${dangerous} for every act: sessions are ${sessions}`, async () => {
      const site = await openAccountSite({ ...config(), features: [secondFactor()] });
      const visitor = site.service.visitor();
      await come(site, visitor);
      const before = await snapshot(site);
      assert.equal(gotten(await look(visitor)), harmless === "page" ? "page" : "sign-in");
      for (const [name, { judged }] of Object.entries(ACCOUNT_ACTS)) {
        if (judged === null) continue;
        const gets = HARMLESS.includes(name) ? harmless : dangerous;
        if (gets === "page") continue;
        assert.equal(gotten(await act(visitor, { act: name, id: "none", name: "x", to: "x@example.com" })), gets, name);
        assert.deepEqual(await snapshot(site), before, name);
      }
      const renamed = await act(visitor, { act: "rename", name: "Ada Lovelace" });
      assert.equal(gotten(renamed), harmless);
      const [way] = (await look(visitor)).view?.ways ?? [];
      const answer = await act(visitor, { act: "unlink", id: way?.id ?? "" });
      assert.equal(gotten(answer), dangerous);
      if (dangerous === "page") assert.deepEqual(answer.view?.ways, []);
    });
  }
}

function gotten({ error, view }: { readonly error?: string; readonly view?: unknown }): Gets {
  if (error === "SessionRequired") return "sign-in";
  if (error === "StepUpRequired") return "challenge";
  assert.ok(view, `neither a page nor somewhere to go: ${error}`);
  return "page";
}

test("a session that is older than the proof of its address sees and changes nothing", async () => {
  const kinds = [{ strategy: "jwt" }, { strategy: "jwt", revalidate: false }, { strategy: "database" }] as const;
  for (const session of kinds) {
    const site = await openAccountSite({ adapter: memoryAdapter(), session });
    const thief = site.service.visitor();
    await thief.come("plain", { sub: "thief", email: ADA });
    const stolen = new Map(thief.cookies);
    await byLink(site, site.service.visitor());
    for (const [name, value] of stolen) thief.cookies.set(name, value);
    assert.equal((await look(thief)).error, "SessionRequired");
    assert.equal((await act(thief, { act: "rename", name: "Thief" })).error, "SessionRequired");
  }
});

test("nothing of the page lets anybody in, or says what a provider calls somebody", async () => {
  const site = await openAccountSite({ adapter: memoryAdapter() });
  const ada = site.service.visitor();
  await byLink(site, ada);
  await ada.come("plain", { sub: "secret-subject" });
  await ada.register(ADA);
  const text = JSON.stringify(await look(ada));
  const user = await site.adapter.getUserByEmail?.(ADA);
  const [row] = await site.adapter.listSessionsByUserId?.(user?.id ?? "") ?? [];
  const [key] = await site.adapter.listAuthenticatorsByUserId?.(user?.id ?? "") ?? [];
  assert.ok(row && key);
  for (const secret of [row.sessionToken, ada.token ?? "none", key.credentialPublicKey, "secret-subject"]) {
    assert.ok(!text.includes(secret), secret);
  }
});

test("without the feature there is no such page", async () => {
  const site = await openAccountSite({ adapter: memoryAdapter() });
  const without = await openAccountSite({ adapter: memoryAdapter(), bare: true });
  for (const [service, status] of [[site, 401], [without, 404]] as const) {
    const visitor = service.service.visitor();
    assert.equal((await visitor.get("/auth/account")).status, status);
    assert.equal((await visitor.post("/auth/account", { act: "endOthers" })).status, status);
  }
});

test("a form of another site, or without a token, changes nothing", async () => {
  const site = await openAccountSite({ adapter: memoryAdapter() });
  const ada = site.service.visitor();
  await byLink(site, ada);
  const wrong = await ada.post("/auth/account", { act: "rename", name: "X", csrfToken: "0".repeat(64) });
  assert.match(wrong.headers.get("location") ?? "", /MissingCSRF/);
  assert.equal((await look(ada)).view?.user.name, null);
});

test("an act that there is not is refused", async () => {
  const site = await openAccountSite({ adapter: memoryAdapter() });
  const ada = site.service.visitor();
  await byLink(site, ada);
  for (const name of ["", "toString", "__proto__", "x".repeat(10_000)]) {
    assert.equal((await ada.post("/auth/account", { act: name })).status, 400, name.slice(0, 20));
  }
});

/** Ada, who can sign in with two accounts at providers and in no other way. */
async function withAccounts(adapter: Adapter = memoryAdapter()) {
  const site = await openAccountSite({ adapter, providers: [passkey(), teller("plain"), teller("other")] });
  const ada = site.service.visitor();
  await ada.come("plain", { sub: "ada", email: ADA });
  await ada.come("other", { sub: "ada" });
  const ways = (await look(ada)).view?.ways ?? [];
  const [plain, other] = ["plain", "other"].map((name) => ways.find(({ provider }) => provider === name)?.id ?? "");
  return { site, ada, plain: plain ?? "", other: other ?? "" };
}

test("the last way in stays, also if two tabs remove two at once", async () => {
  for (let round = 0; round < 20; round++) {
    const { ada, plain, other } = await withAccounts();
    const answers = await Promise.all([
      ada.post("/auth/account", { act: "unlink", id: plain }),
      ada.post("/auth/account", { act: "unlink", id: other }),
    ]);
    const left = (await waysIn(ada)).length;
    assert.equal(left, 1, "one way in is left");
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    const last = await read(answers.find(({ status }) => status === 409) ?? assert.fail());
    assert.deepEqual([last.error, last.problem], ["LastWayIn", "last-way"]);
    assert.equal(last.view?.ways?.[0]?.removal, "last");
  }
});

test("an account that is linked again before the session of whoever has it ends is removed again", async () => {
  const whole = memoryAdapter();
  let meanwhile: (() => Promise<unknown>) | null = null;
  const adapter: Adapter = {
    ...whole,
    async commit(plan) {
      const result = await whole.commit(plan);
      const run = plan.unlinkAccount ? meanwhile : null;
      if (run) meanwhile = null;
      await run?.();
      return result;
    },
  };
  const site = await openAccountSite({ adapter });
  const [ada, thief] = [site.service.visitor(), site.service.visitor()];
  await enter(site, ada);
  await thief.come("plain", { sub: "ada" });
  assert.equal(await thief.inside(), await ada.inside());
  const [way] = await waysIn(ada);
  meanwhile = () => thief.come("plain", { sub: "ada" });
  const answer = await act(ada, { act: "unlink", id: way?.id ?? "" });
  assert.equal(answer.problem, null);
  assert.equal(meanwhile, null);
  assert.deepEqual(await waysIn(ada), []);
  assert.equal(await thief.inside(), null);
  const told = site.mails.filter(({ to }) => to === ADA).map(({ subject }) => /was (added|removed)/.exec(subject)?.[1]);
  assert.deepEqual(told, ["added", "added", "removed", "removed"]);
});

test("what is not theirs, or not for them to remove, is not found", async () => {
  const { site, ada, plain } = await withAccounts();
  const eve = site.service.visitor();
  await eve.come("plain", { sub: "eve", email: "eve@example.com" });
  await eve.come("other", { sub: "eve" });
  for (const id of [plain, "0", "plain", "00000000-0000-8000-8000-000000000000"]) {
    const answer = await eve.post("/auth/account", { act: "unlink", id });
    assert.deepEqual([answer.status, (await read(answer)).problem], [404, "not-found"]);
  }
  assert.equal((await waysIn(ada)).length, 2);
});

test("an id that was shown before the secret changed is still the same account", async () => {
  const adapter = memoryAdapter();
  const providers = [passkey(), teller("plain"), teller("other")];
  const [former, next] = ["former secret of 32 characters....", "newer secret of 32 characters....."];
  const before = await openAccountSite({ adapter, providers, secret: former });
  const ada = before.service.visitor();
  await ada.come("plain", { sub: "ada", email: ADA });
  await ada.come("other", { sub: "ada" });
  const id = (await look(ada)).view?.ways?.[0]?.id ?? "";
  const after = await openAccountSite({ adapter, providers, secret: [next, former] });
  const again = after.service.visitor();
  await again.come("plain", { sub: "ada", email: ADA });
  assert.notEqual((await look(again)).view?.ways?.[0]?.id, id);
  assert.equal((await act(again, { act: "unlink", id })).step.kind, "overview");
  assert.equal((await waysIn(again)).length, 1);
});

test("who removes an account is alone afterwards, is told by mail, and features are told", async () => {
  const site = await openAccountSite({ adapter: memoryAdapter() });
  const [ada, elsewhere] = [site.service.visitor(), site.service.visitor()];
  await enter(site, ada);
  await elsewhere.come("plain", { sub: "ada" });
  assert.ok(await elsewhere.inside());
  const [way] = (await look(ada)).view?.ways ?? [];
  await act(ada, { act: "unlink", id: way?.id ?? "" });
  assert.equal(await elsewhere.inside(), null);
  assert.ok(await ada.inside());
  assert.ok(site.events.some((event) => event.type === "accountUnlinked" && event.provider === "plain"));
  assert.deepEqual([site.mails.at(-1)?.to, site.mails.at(-1)?.subject.includes("removed")], [ADA, true]);
  await elsewhere.come("plain", { sub: "ada" });
  assert.notEqual(await elsewhere.inside(), await ada.inside(), "the account signs somebody new in");
});

test("events tell the application of what was removed, and of the end of an account, once each", async () => {
  const told: unknown[] = [];
  const site = await openAccountSite({
    adapter: memoryAdapter(),
    events: {
      unlinkAccount: ({ user, account }) => void told.push(["unlinkAccount", user.id, account]),
      deleteUser: ({ user }) => void told.push(["deleteUser", user.id, user.email]),
    },
  });
  const ada = site.service.visitor();
  await enter(site, ada);
  const id = await ada.inside();
  const [way] = await waysIn(ada);
  await act(ada, { act: "unlink", id: way?.id ?? "" });
  await act(ada, { act: "unlink", id: way?.id ?? "" });
  const account = { provider: "plain", providerAccountId: "ada", type: "oauth" };
  assert.deepEqual(told, [["unlinkAccount", id, account]]);
  await act(ada, { act: "delete", typed: ADA });
  assert.equal(await ada.inside(), null);
  assert.deepEqual(told.slice(1), [["deleteUser", id, ADA]]);
});

test("an event that hangs or fails keeps nobody from removing an account, or from leaving", async () => {
  const hangs = () => new Promise<void>(() => {});
  const fails = () => Promise.reject(new Error("it is down"));
  for (const handler of [hangs, fails]) {
    const site = await openAccountSite({
      adapter: memoryAdapter(),
      events: { unlinkAccount: handler, deleteUser: handler },
      timeouts: { total: 1, event: 0.2 },
    });
    const ada = site.service.visitor();
    await enter(site, ada);
    const [way] = await waysIn(ada);
    assert.equal((await act(ada, { act: "unlink", id: way?.id ?? "" })).problem, null);
    assert.deepEqual(await waysIn(ada), []);
    assert.ok((await act(ada, { act: "delete", typed: ADA })).url);
    assert.equal(await ada.inside(), null);
    assert.equal(site.service.errors.length, 2);
  }
});
