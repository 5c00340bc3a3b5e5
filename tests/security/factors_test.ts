/** Stories of second factors, and attacks on them: adding, keeping codes, naming, removing, undoing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryRecords } from "@x/auth/adapters/memory";
import { withRecords } from "@x/auth/adapters/records";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { DatabaseSync } from "node:sqlite";
import {
  ADA,
  addApp,
  beginApp,
  byLink,
  codeOf,
  endAsked,
  enrol,
  enrolAtOnce,
  type FactorSite,
  isOnFor,
  openFactorSite,
  prove,
  read,
  recordsOf,
  undoLink,
} from "../_support/enrolling.ts";
import { otherAdapter, type SessionKind, sessionKinds } from "../_support/session_kinds.ts";
import type { Visitor } from "../_support/visitors.ts";

const ALL: Readonly<Record<string, () => SessionKind>> = {
  ...sessionKinds(() => withRecords(otherAdapter(), memoryRecords(), { logger: { warn: () => {} } })),
  "stored in SQLite": () => ({
    adapter: sqliteAdapter(new DatabaseSync(":memory:")),
    session: { strategy: "database" },
  }),
  "sealed, with SQLite": () => ({ adapter: sqliteAdapter(new DatabaseSync(":memory:")), session: { strategy: "jwt" } }),
};

/** Hashes take a while, so what makes codes is tried with a few of them. */
const SESSIONS = Object.fromEntries(
  ["sealed", "stored by an adapter of others", "stored in SQLite"].map((name) => {
    return [name, ALL[name] ?? assert.fail(name)];
  }),
);

async function signedIn(site: FactorSite): Promise<{ readonly ada: Visitor; readonly userId: string }> {
  const ada = site.service.visitor();
  await byLink(site, ada);
  return { ada, userId: await ada.inside() ?? assert.fail("Ada is not signed in") };
}

/** Ada, who is enrolled and has given both proofs. */
async function enrolled(site: FactorSite) {
  const { ada, userId } = await signedIn(site);
  const app = await enrolAtOnce(site, ada);
  await prove(site, ada, app);
  assert.equal(await levelOf(ada), 2);
  return { ada, userId, app };
}

async function levelOf(visitor: Visitor): Promise<number | null> {
  return (await (await visitor.get("/auth/session")).json())?.level ?? null;
}

function told({ events }: FactorSite): string[] {
  const all = events.splice(0) as { readonly type: string; readonly factor?: string; readonly by?: string }[];
  return all.flatMap(({ type, factor, by }) =>
    type.startsWith("factor") ? [type, factor, by].filter(Boolean).join(" ") : []
  );
}

function subjectsOf({ mails }: FactorSite): string[] {
  return mails.splice(0).map(({ to, subject }) => `${to}: ${subject}`);
}

for (const [name, config] of Object.entries(SESSIONS)) {
  test(`enrolling raises the session, ends the others, and is told: sessions are ${name}`, async () => {
    const site = await openFactorSite(config());
    const { ada, userId } = await signedIn(site);
    const thief = site.service.visitor();
    await byLink(site, thief);
    const before = ada.token;
    const { answer } = await enrol(site, ada);
    assert.deepEqual([(await read(answer)).isOn, await isOnFor(site, userId)], [true, true]);
    assert.equal(await levelOf(ada), 2);
    assert.notEqual(ada.token, before);
    site.runtime.advance(61);
    assert.equal(await thief.inside(), null);
    assert.deepEqual(told(site), ["factorAdded totp", "factorAdded recovery"]);
    assert.deepEqual(subjectsOf(site), [`${ADA}: Two-step sign-in is on for your account at localhost:3000`]);
    assert.deepEqual(site.service.errors, []);
    const again = site.service.visitor();
    await byLink(site, again);
    assert.equal(await again.inside(), null, "the second proof is asked for from now on");
  });

  test(`the link of the email undoes what a thief has added: sessions are ${name}`, async () => {
    const site = await openFactorSite(config());
    const thief = site.service.visitor();
    await byLink(site, thief);
    const userId = await thief.inside() ?? assert.fail();
    await enrol(site, thief);
    const link = undoLink(site);
    told(site);
    subjectsOf(site);

    // The owner has the first proof only: the second one is the thief's.
    const owner = site.service.visitor();
    const path = link.pathname + link.search;
    const asked = await read(await owner.get(path));
    assert.deepEqual([asked.step.kind, asked.factors], ["undo", []]);
    await owner.post("/auth/factors", { act: "undo", token: link.searchParams.get("token") ?? "" });
    assert.equal(await isOnFor(site, userId), true, "the link alone undoes nothing");
    await byLink(site, owner);
    assert.equal(await owner.inside(), null);
    const fields = { act: "undo", token: link.searchParams.get("token") ?? "" };
    assert.equal((await read(await owner.post("/auth/factors", fields))).step.kind, "undone");
    assert.deepEqual(await recordsOf(site, userId), []);
    site.runtime.advance(61);
    assert.equal(await thief.inside(), null);
    assert.deepEqual(told(site), ["factorRemoved recovery undo", "factorRemoved totp undo"]);
    assert.equal(subjectsOf(site).length, 1);
    await byLink(site, owner);
    assert.equal(await owner.inside(), userId);

    // A second press does no harm.
    const other = await enrolAtOnce(site, owner);
    const again = await owner.post("/auth/factors", fields);
    assert.match(again.headers.get("location") ?? "", /error=Verification/);
    assert.equal(await owner.inside(), userId, "no session is ended by a link that was used");
    assert.equal((await recordsOf(site, userId)).length, 2, other.id);
  });

  test(`somebody who has to enrol does so while their sign-in waits: sessions are ${name}`, async () => {
    const site = await openFactorSite({ ...config(), options: { require: "always" } });
    const ada = site.service.visitor();
    await byLink(site, ada);
    assert.equal(await ada.inside(), null);
    const list = await read(await ada.get("/auth/factors"));
    assert.deepEqual([list.purpose, list.isOn], ["required", false]);
    const { answer } = await enrol(site, ada);
    assert.equal(answer.status, 302, await answer.text());
    assert.equal(await levelOf(ada), 2, site.service.errors.join());
    assert.equal(site.mails.length, 1);
  });
}

for (const [name, config] of Object.entries(ALL)) {
  test(`with the last application everything is switched off: sessions are ${name}`, async () => {
    const site = await openFactorSite(config());
    const { ada, userId, app } = await enrolled(site);
    assert.equal((await read(await ada.get(`/auth/factors?act=remove&id=${app.id}`))).step.kind, "remove");
    const after = await read(await ada.post("/auth/factors", { act: "remove", id: app.id }));
    assert.deepEqual([after.isOn, after.factors, after.recoveryCodes], [false, [], null]);
    assert.deepEqual(await recordsOf(site, userId), []);
    assert.deepEqual(told(site).toSorted(), ["factorRemoved recovery owner", "factorRemoved totp owner"]);
    assert.deepEqual(subjectsOf(site), [`${ADA}: A second proof was removed from your account at localhost:3000`]);
    const again = site.service.visitor();
    await byLink(site, again);
    assert.equal(await again.inside(), userId);
  });
}

const SITE = () => ALL.stored?.() ?? assert.fail();

test("the other sessions go on if the person says so", async () => {
  const site = await openFactorSite(SITE());
  const { ada, userId } = await signedIn(site);
  const other = site.service.visitor();
  await byLink(site, other);
  await enrol(site, ada, { keepSessions: "on" });
  assert.equal(await other.inside(), userId);
  assert.equal(await levelOf(other), 1);
});

test("until the end of a code was typed back nothing is asked for, and after 15 minutes all of it is gone", async () => {
  const site = await openFactorSite(SITE());
  const { ada, userId } = await signedIn(site);
  const { shown } = await addApp(site, ada);
  assert.equal(await isOnFor(site, userId), false);
  const other = site.service.visitor();
  await byLink(site, other);
  assert.equal(await other.inside(), userId);
  const wrong = await ada.post("/auth/factors", { act: "keep", code: "2222" });
  const { step, problem } = await read(wrong);
  assert.deepEqual([wrong.status, step.kind, problem], [401, "recovery-codes-again", "wrong"]);
  assert.equal("codes" in step, false, "codes are shown once");
  site.runtime.advance(901);
  await byLink(site, ada);
  const late = await read(await ada.post("/auth/factors", { act: "keep", code: endAsked(shown) }));
  assert.deepEqual([late.problem, late.isOn], ["expired", false]);
});

test("what was begun in one browser is not ended in another", async () => {
  const site = await openFactorSite(SITE());
  const { ada, userId } = await signedIn(site);
  const thief = site.service.visitor();
  await byLink(site, thief);
  const thiefs = await addApp(site, thief);
  // The application of the thief must not become one of Ada's when she enrols.
  const { answer } = await enrol(site, ada, { keepSessions: "on" });
  assert.equal((await read(answer)).factors.length, 1);
  const late = await thief.post("/auth/factors", { act: "keep", code: endAsked(thiefs.shown) });
  assert.notEqual((await late.json()).isOn, true);
  const apps = (await recordsOf(site, userId)).filter(({ data }) => data.type === "totp");
  assert.deepEqual(apps.map(({ id }) => id === thiefs.id), [false]);
});

test("a code of the application is right once, and a wrong one adds nothing", async () => {
  const site = await openFactorSite(SITE());
  const { ada } = await signedIn(site);
  const { id, secret } = await beginApp(ada);
  const wrong = await ada.post("/auth/factors", { act: "confirm", id, code: "000000" });
  const shown = await read(wrong);
  assert.deepEqual([wrong.status, shown.problem, shown.step.setup?.secret], [401, "wrong", secret]);
  const code = await codeOf(site, secret);
  const right = await read(await ada.post("/auth/factors", { act: "confirm", id, code }));
  await ada.post("/auth/factors", { act: "keep", code: endAsked(right) });
  // The code that was typed to enrol does not sign in as well.
  const other = site.service.visitor();
  await byLink(site, other);
  await other.post("/auth/challenge", { method: "totp", code });
  assert.equal(await other.inside(), null);
});

test("the secret is made here: one in the form, or in the address, is not looked at", async () => {
  const site = await openFactorSite(SITE());
  const { ada } = await signedIn(site);
  const planted = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
  const fields = { act: "totp", id: "mine", secret: planted, token: planted, name: "x", code: planted, uri: planted };
  const { step } = await read(await ada.post("/auth/factors", fields));
  const { id = "", secret = "", uri = "" } = step.setup ?? {};
  assert.notEqual(id, "mine");
  assert.equal(uri.includes(planted) || secret.replaceAll(" ", "") === planted, false);
  assert.equal(secret.replaceAll(" ", "").length, 32);
  const wrong = await ada.post("/auth/factors", { act: "confirm", id, code: await codeOf(site, planted) });
  assert.equal(wrong.status, 401);
});

test("no secret and no code lies in storage, in a log or in an event", async () => {
  const site = await openFactorSite(SITE());
  const { ada, userId } = await signedIn(site);
  const { secret, codes } = await enrol(site, ada);
  await ada.post("/auth/factors", { act: "confirm", id: "none", code: "123456" });
  const kept = JSON.stringify([await recordsOf(site, userId), site.events, site.service.errors.map(String)]);
  for (
    const text of [
      secret,
      secret.replaceAll(" ", ""),
      ...codes,
      ...codes.map((code) => code.slice(2).replaceAll("-", "")),
    ]
  ) {
    assert.equal(kept.includes(text), false);
  }
});

test("another application is added, named and removed, and the codes are replaced", async () => {
  const site = await openFactorSite(SITE());
  const { ada, userId, app } = await enrolled(site);
  const other = site.service.visitor();
  await byLink(site, other);
  await prove(site, other, app);
  site.runtime.advance(60);
  const more = await addApp(site, ada);
  assert.deepEqual([more.shown.step.kind, more.shown.factors.length], ["list", 2]);
  assert.equal(await other.inside(), null, "sessions elsewhere end");
  assert.deepEqual(subjectsOf(site), [`${ADA}: An authenticator app was added to your account at localhost:3000`]);
  const named = await read(await ada.post("/auth/factors", { act: "rename", id: more.id, name: "  Phone " }));
  assert.equal(named.factors.find(({ id }) => id === more.id)?.name, "Phone");

  const codes = await read(await ada.post("/auth/factors", { act: "recovery" }));
  assert.equal(codes.recoveryCodes, 2, "the codes before count until the new ones are kept");
  const kept = await read(await ada.post("/auth/factors", { act: "keep", code: endAsked(codes) }));
  assert.equal(kept.recoveryCodes, 10);
  assert.deepEqual(subjectsOf(site), [`${ADA}: New recovery codes were made for your account at localhost:3000`]);

  const left = await read(await ada.post("/auth/factors", { act: "remove", id: app.id }));
  assert.deepEqual([left.isOn, left.factors.map(({ id }) => id)], [true, [more.id]]);
  assert.equal((await recordsOf(site, userId)).length, 2);
});

test("new recovery codes end the trust in browsers", async () => {
  const site = await openFactorSite({ ...SITE(), options: { trustDevices: { days: 30 } } });
  const { ada, userId } = await signedIn(site);
  const app = await enrolAtOnce(site, ada);
  const again = async (): Promise<string | null> => {
    await ada.signOut();
    await byLink(site, ada);
    return await ada.inside();
  };
  assert.equal(await again(), null);
  site.runtime.advance(60);
  await ada.post("/auth/challenge", { method: "totp", code: await codeOf(site, app.secret), trust: "on" });
  assert.equal(await again(), userId, "the browser is trusted");
  await prove(site, ada, app);
  const codes = await read(await ada.post("/auth/factors", { act: "recovery" }));
  await ada.post("/auth/factors", { act: "keep", code: endAsked(codes), keepSessions: "on" });
  assert.equal(await again(), null);
});

test("undoing another application leaves what was there before", async () => {
  const site = await openFactorSite(SITE());
  const { ada, userId, app } = await enrolled(site);
  const more = await addApp(site, ada);
  const token = undoLink(site).searchParams.get("token") ?? "";
  await ada.post("/auth/factors", { act: "undo", token });
  assert.equal(await ada.inside(), null, "all sessions end");
  const left = (await recordsOf(site, userId)).map(({ id }) => id);
  assert.deepEqual([left.includes(app.id), left.includes(more.id)], [true, false]);
  assert.equal(await isOnFor(site, userId), true);
});

test("the link that undoes works for 24 hours, for its user and for its purpose", async () => {
  const site = await openFactorSite(SITE());
  const { ada, userId } = await signedIn(site);
  await enrol(site, ada);
  const token = undoLink(site).searchParams.get("token") ?? "";
  const [user = "", ...rest] = token.split(".");
  const mallory = site.service.visitor();
  await byLink(site, mallory, "mallory@example.com");
  const forged = [
    [btoa(await mallory.inside() ?? "").replaceAll("=", ""), ...rest].join("."),
    [user, ...rest.slice(1)].join("."),
    token.slice(0, -1) + (token.endsWith("0") ? "1" : "0"),
    `${token}.${"a".repeat(64)}`,
    "",
    "x".repeat(60_000),
  ];
  for (const each of [token, ...forged]) {
    await mallory.post("/auth/factors", { act: "undo", token: each });
    assert.equal(await isOnFor(site, userId), true, each.slice(0, 100));
  }
  assert.ok(await mallory.inside(), "whose link it is not keeps their session");
  site.runtime.advance(86_401);
  await byLink(site, ada);
  const late = await ada.post("/auth/factors", { act: "undo", token });
  assert.match(late.headers.get("location") ?? "", /error=Verification/);
  assert.equal(await isOnFor(site, userId), true);
});

test("a factor of another person is not found, and neither changed nor removed", async () => {
  const site = await openFactorSite(SITE());
  const { userId, app } = await enrolled(site);
  const mallory = site.service.visitor();
  await byLink(site, mallory, "mallory@example.com");
  const before = await recordsOf(site, userId);
  for (const act of ["confirm", "remove", "rename", "keep"]) {
    for (const { id } of before) {
      const answer = await mallory.post("/auth/factors", { act, id, name: "x", code: await codeOf(site, app.secret) });
      assert.equal(JSON.stringify(await answer.json()).includes(app.id), false);
    }
  }
  assert.equal((await read(await mallory.get(`/auth/factors?act=remove&id=${app.id}`))).step.kind, "list");
  assert.deepEqual(await recordsOf(site, userId), before);
});

test("names are short, are one line, and do not turn what stands beside them", async () => {
  const site = await openFactorSite(SITE());
  const { ada, app } = await enrolled(site);
  for (
    const name of ["", "   ", "a\nb", "a\u0000b", "\u202egpj.exe", "x".repeat(101), "x".repeat(60_000), "a\u2028b"]
  ) {
    const answer = await ada.post("/auth/factors", { act: "rename", id: app.id, name });
    assert.equal((await read(answer)).problem, "name", JSON.stringify(name.slice(0, 20)));
  }
  const fine = await read(await ada.post("/auth/factors", { act: "rename", id: app.id, name: "אבג <b>é😀" }));
  assert.equal(fine.factors[0]?.name, "אבג <b>é😀");
});

test("what somebody begins and leaves does not pile up", async () => {
  const site = await openFactorSite(SITE());
  const { ada, userId } = await signedIn(site);
  for (let begun = 0; begun < 20; begun++) await beginApp(ada);
  assert.equal((await recordsOf(site, userId)).length, 1);
});

test("codes alone are no second factor", async () => {
  const site = await openFactorSite(SITE());
  const { ada, userId } = await signedIn(site);
  const { step } = await read(await ada.post("/auth/factors", { act: "recovery" }));
  assert.equal(step.kind, "list");
  assert.deepEqual(await recordsOf(site, userId), []);
});

test("with a passkey, recovery codes are enough to switch it on, and go with it", async () => {
  const site = await openFactorSite(SITE());
  const { ada, userId } = await signedIn(site);
  await ada.register(ADA);
  const { factors } = await read(await ada.get("/auth/factors"));
  assert.deepEqual(factors.map(({ type }) => type), ["passkey"]);
  const codes = await read(await ada.post("/auth/factors", { act: "recovery" }));
  const after = await read(await ada.post("/auth/factors", { act: "keep", code: endAsked(codes) }));
  assert.equal(after.isOn, true);
  assert.equal(await levelOf(ada), 1, "the passkey was not asked for here");
  const [key] = ada.device.passkeys;
  await ada.signOut();
  await ada.authenticate(key ?? assert.fail());
  assert.equal(await levelOf(ada), 2);
  const [passkey] = factors;
  const removed = await read(await ada.post("/auth/factors", { act: "remove", id: passkey?.id ?? "" }));
  assert.deepEqual([removed.isOn, removed.factors], [false, []]);
  assert.deepEqual(await recordsOf(site, userId), []);
  assert.deepEqual(await site.adapter.listAuthenticatorsByUserId?.(userId), []);
});

test("an enrolled person adds neither a passkey nor an account before the second proof", async () => {
  for (const [name, config] of Object.entries(ALL)) {
    const site = await openFactorSite(config());
    const { ada, userId } = await signedIn(site);
    const app = await enrolAtOnce(site, ada);
    assert.equal(await ada.register(ADA), null, name);
    const refused = await ada.come("plain", { sub: "thief" });
    assert.match(refused.headers.get("location") ?? "", /\/auth\/challenge\?callbackUrl=/, name);
    assert.equal(await site.adapter.getUserByAccount?.({ provider: "plain", providerAccountId: "thief" }), null);
    await prove(site, ada, app);
    assert.ok(await ada.register(ADA), name);
    await ada.come("plain", { sub: "ada" });
    assert.equal((await site.adapter.getUserByAccount?.({ provider: "plain", providerAccountId: "ada" }))?.id, userId);
  }
});
