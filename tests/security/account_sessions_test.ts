/** The sessions of an account: what they say, and who ends them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CompleteAdapter } from "@x/auth";
import { memoryAdapter, memoryRecords } from "@x/auth/adapters/memory";
import { withRecords } from "@x/auth/adapters/records";
import { secondFactor } from "../../src/second_factor.ts";
import { act, byLink, look, openAccountSite } from "../_support/account_site.ts";
import { enrolAtOnce, prove } from "../_support/enrolling.ts";
import { testRuntime } from "../_support/runtime.ts";
import { sessionKinds } from "../_support/session_kinds.ts";
import { plainOf } from "../_support/stores.ts";
import type { Visitor } from "../_support/visitors.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0";

async function sessionsOf(visitor: Visitor) {
  return (await look(visitor)).view?.sessions ?? [];
}

for (const strategy of ["jwt", "database"] as const) {
  test(`a session says in which browser, system and place it began, also after it was raised: ${strategy}`, async () => {
    const site = await openAccountSite({
      adapter: memoryAdapter(),
      session: { strategy },
      features: [secondFactor()],
      options: { place: (request) => `Rome\n (${request.headers.get("user-agent")?.length})` },
    });
    const ada = site.service.visitor();
    ada.userAgent = FIREFOX;
    await byLink(site, ada);
    const shown = async () => (await sessionsOf(ada)).map(({ browser, system, place }) => [browser, system, place]);
    assert.deepEqual(await shown(), [["Firefox", "Linux", `Rome (${FIREFOX.length})`]]);
    const before = ada.token;
    ada.userAgent = "curl/8";
    await prove(site, ada, await enrolAtOnce(site, ada));
    assert.notEqual(ada.token, before);
    assert.deepEqual(await shown(), [["Firefox", "Linux", `Rome (${FIREFOX.length})`]]);
    const userId = await ada.inside() ?? "";
    assert.equal((await site.adapter.listRecords?.({ kind: "seen", userId }))?.length, 1, "the former one is not kept");
  });
}

test("a session says where it began as long as it goes on", async () => {
  const runtime = testRuntime();
  const site = await openAccountSite({ adapter: memoryAdapter({ now: runtime.now }), runtime });
  const ada = site.service.visitor();
  ada.userAgent = FIREFOX;
  await byLink(site, ada);
  ada.userAgent = "curl/8";
  for (let month = 0; month < 4; month++) {
    site.runtime.advance(20 * 24 * 60 * 60);
    assert.ok(await ada.inside());
    assert.deepEqual((await sessionsOf(ada)).map(({ browser }) => browser), ["Firefox"]);
  }
});

test("a place that cannot be said keeps nobody from signing in", async () => {
  const answers: readonly unknown[] = [new Error("it is down"), 7, "x".repeat(500), null];
  for (const answer of answers) {
    const place = () => {
      if (answer instanceof Error) throw answer;
      return answer as string;
    };
    const site = await openAccountSite({ adapter: memoryAdapter(), options: { place } });
    const ada = site.service.visitor();
    await byLink(site, ada);
    const [session] = await sessionsOf(ada);
    assert.equal(session?.place, typeof answer === "string" ? "x".repeat(128) : null);
    assert.equal(site.service.errors.length, answer instanceof Error ? 1 : 0);
  }
});

for (const [name, config] of Object.entries(sessionKinds())) {
  test(`somebody sees at least the session that they have: ${name}`, async () => {
    const site = await openAccountSite(config());
    const ada = site.service.visitor();
    await byLink(site, ada);
    const sessions = await sessionsOf(ada);
    assert.deepEqual(sessions.map(({ isCurrent, provider }) => [isCurrent, provider]), [[true, "Email"]]);
    assert.ok(new Date(String(sessions[0]?.expires)).getTime() > site.runtime.now());
  });
}

test("a session is ended by its owner, and by nobody else", async () => {
  const site = await openAccountSite({ adapter: memoryAdapter() });
  const [ada, elsewhere, eve] = [site.service.visitor(), site.service.visitor(), site.service.visitor()];
  await byLink(site, ada);
  await byLink(site, elsewhere);
  await byLink(site, eve, "eve@example.com");
  const id = (await sessionsOf(ada)).find(({ isCurrent }) => !isCurrent)?.id ?? "";
  assert.equal((await act(eve, { act: "endSession", id })).problem, "not-found");
  assert.ok(await elsewhere.inside());
  assert.deepEqual((await act(ada, { act: "endSession", id })).step, { kind: "overview", done: "endSession" });
  assert.equal(await elsewhere.inside(), null);
  assert.equal((await act(ada, { act: "endSession", id })).problem, "not-found");
});

test("who ends the session that they have is signed out", async () => {
  const site = await openAccountSite({ adapter: memoryAdapter() });
  const ada = site.service.visitor();
  await byLink(site, ada);
  const [session] = await sessionsOf(ada);
  const { url = "" } = await act(ada, { act: "endSession", id: session?.id ?? "" });
  assert.match(url, /\/auth\/signin$/);
  assert.deepEqual([await ada.inside(), ada.token], [null, undefined]);
});

test("all others are ended at once, and the one that asks goes on", async () => {
  for (const strategy of ["jwt", "database"] as const) {
    const site = await openAccountSite({ adapter: memoryAdapter(), session: { strategy } });
    const visitors = Array.from({ length: 4 }, () => site.service.visitor());
    for (const visitor of visitors) await byLink(site, visitor);
    const [ada, ...others] = visitors;
    const shown = await act(ada ?? assert.fail(), { act: "endOthers" });
    assert.deepEqual(shown.view?.sessions?.map(({ isCurrent }) => isCurrent), [true]);
    assert.deepEqual(await Promise.all(others.map((other) => other.inside())), [null, null, null]);
    assert.ok(await ada?.inside());
    assert.equal(site.mails.length, 0);
  }
});

test("a session that was ended ends no others", async () => {
  const site = await openAccountSite({ adapter: memoryAdapter() });
  const [ada, thief] = [site.service.visitor(), site.service.visitor()];
  await byLink(site, ada);
  await byLink(site, thief);
  const stolen = thief.token;
  await act(ada, { act: "endOthers" });
  thief.token = stolen;
  assert.equal((await act(thief, { act: "endOthers" })).error, "SessionRequired");
  assert.ok(await ada.inside());
});

const UNLISTED: Readonly<Record<string, Parameters<typeof openAccountSite>[0]>> = {
  "the adapter cannot list sessions": {
    adapter: withRecords(plainOf(memoryAdapter() as CompleteAdapter), memoryRecords(), { logger: { warn: () => {} } }),
  },
  "sealed sessions have no rows": { adapter: memoryAdapter(), session: { strategy: "jwt", revalidate: false } },
};

for (const [why, config] of Object.entries(UNLISTED)) {
  test(`nobody is told that sessions ended that nothing can end: ${why}`, async () => {
    const site = await openAccountSite(config);
    const [laptop, phone] = [site.service.visitor(), site.service.visitor()];
    await byLink(site, laptop);
    await byLink(site, phone);
    const { error, step, problem, sessionsStay, view } = await act(laptop, { act: "endOthers" });
    assert.deepEqual([error, problem], ["BadRequest", "not-found"]);
    assert.deepEqual(step, { kind: "overview", done: null });
    assert.ok(await phone.inside());
    // So the page has no button for it either.
    assert.deepEqual(view?.sessions?.map(({ isCurrent }) => isCurrent), [true]);
    assert.equal(sessionsStay, true);
  });
}

test("where sessions can be ended, nothing says that they stay", async () => {
  const site = await openAccountSite({ adapter: memoryAdapter() });
  const ada = site.service.visitor();
  await byLink(site, ada);
  assert.ok(!("sessionsStay" in await look(ada)));
});
