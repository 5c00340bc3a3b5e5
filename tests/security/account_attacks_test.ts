/** Attacks on the account page: what a thief, a stranger or another site tries, and what does not come of it. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Adapter, OutgoingMail } from "@x/auth";
import { memoryAdapter, memoryRecords } from "@x/auth/adapters/memory";
import { withRecords } from "@x/auth/adapters/records";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { accountPage, accountSection, html } from "../../src/account.ts";
import { password } from "@x/auth/providers/password";
import { ACCOUNT_ACTS } from "../../src/account/table.ts";
import { secondFactor } from "../../src/second_factor.ts";
import { STEP } from "../../src/second_factor/totp.ts";
import { passwordFunctions } from "../../src/service/password_actions.ts";
import { linkTo, NEW, press, proveNew, send } from "../_support/account_mail.ts";
import {
  type AccountJson,
  type AccountSite,
  act,
  ADA,
  byLink,
  look,
  openAccountSite,
  read,
  waysIn,
} from "../_support/account_site.ts";
import { codeOf, enrolAtOnce, prove } from "../_support/enrolling.ts";
import { mailbox } from "../_support/mailbox.ts";
import { cheapHash } from "../_support/passwords.ts";
import { otherAdapter } from "../_support/session_kinds.ts";
import { testRuntime } from "../_support/runtime.ts";
import { teller, type Visitor } from "../_support/visitors.ts";

const ORIGIN = "http://localhost:3000";
const DAY = 24 * 60 * 60;

type Config = Partial<Parameters<typeof openAccountSite>[0]>;

interface Scene {
  readonly site: AccountSite;
  readonly ada: Visitor;
  readonly id: string;
}

async function open(config: Config = {}): Promise<Scene> {
  const site = await openAccountSite({ adapter: memoryAdapter(), ...config });
  const ada = site.service.visitor();
  await byLink(site, ada);
  return { site, ada, id: await ada.inside() ?? assert.fail("nobody is in") };
}

/** Sends JSON, as a script of the site could. */
async function sendJson({ site, ada }: Scene, fields: object): Promise<Response> {
  const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { cookie, origin: ORIGIN, "sec-fetch-site": "same-origin", "content-type": "application/json" };
  const body = JSON.stringify({ csrfToken: site.service.csrfToken, ...fields });
  return await site.service.send(new Request(`${ORIGIN}/auth/account`, { method: "POST", headers, body }));
}

test("no form says that the application has asked before", async () => {
  const scene = await open();
  const answer = await sendJson(scene, { act: "delete", isMeant: true, byApplication: true });
  assert.equal((await read(answer)).problem, "typed");
  assert.ok(await scene.site.adapter.getUser?.(scene.id));
});

test("a place that is never said keeps nobody from signing in", async () => {
  const site = await openAccountSite({
    adapter: memoryAdapter(),
    options: { place: () => new Promise(() => {}) },
    timeouts: { total: 0.4 },
  });
  const ada = site.service.visitor();
  await ada.ask(ADA);
  const entered = await ada.open(site.service.links.get(ADA) ?? assert.fail());
  assert.doesNotMatch(entered.headers.get("location") ?? "error", /error/);
  assert.equal((await look(ada)).view?.sessions?.[0]?.place, null);
});

test("a long place is cut between characters", async () => {
  const { ada } = await open({ options: { place: () => `${"x".repeat(127)}😀` } });
  const place = (await look(ada)).view?.sessions?.[0]?.place;
  assert.ok(place?.isWellFormed());
});

test("a section that is never drawn is left out", async () => {
  const sections = [
    accountSection({ id: "slow", title: "Slow", render: () => new Promise(() => {}) }),
    accountSection({ id: "fast", title: "Fast", render: () => html`<p>Here</p>` }),
  ];
  const { ada } = await open({ options: { sections }, timeouts: { total: 0.4 } });
  assert.deepEqual((await look(ada)).sections.map(({ id }) => id), ["fast"]);
});

test("two sections do not take the forms of each other", () => {
  const section = accountSection({ id: "own", title: "Own", render: () => html`` });
  assert.throws(() => accountPage({ sections: [section, { ...section, title: "Other" }] }), /two of `sections`/);
});

test("whatever the application answers in place of deleting, the service answers", async () => {
  const read = new Response("read");
  await read.text();
  const given: readonly (readonly [Response, number])[] = [
    [new Response(null, { status: 204 }), 204],
    [new Response(null, { status: 304 }), 304],
    [Response.redirect("https://example.com/bye", 303), 303],
    [Response.json({ open: "invoices" }, { status: 409 }), 409],
    [Response.error(), 302],
    [read, 302],
  ];
  for (const [answer, status] of given) {
    const { site, ada, id } = await open({ options: { delete: () => answer } });
    const response = await ada.post("/auth/account", { act: "delete", typed: ADA });
    assert.equal(response.status, status);
    assert.equal(response.headers.get("cache-control"), "private, no-store");
    assert.ok(await site.adapter.getUser?.(id));
  }
});

test("what the application throws before a deletion deletes nobody, and is its own", async () => {
  const scene = await open({
    options: {
      delete: () => {
        throw new Error("the bank is closed");
      },
    },
  });
  const answer = await send(scene.ada, { act: "delete", typed: ADA });
  assert.equal(answer.error, "Configuration");
  assert.ok(await scene.site.adapter.getUser?.(scene.id));
  assert.equal(scene.site.service.errors.at(-1)?.name, "CallbackRouteError");
});

/** The token of the link in the newest mail that undoes a removal. */
function undoToken({ mails }: AccountSite): string | undefined {
  return mails.flatMap(({ text }) => /act=undo&token=(\S+)/.exec(text ?? "")?.[1] ?? []).at(-1);
}

async function removePasskeys(visitor: Visitor): Promise<AccountJson> {
  const [shown] = (await look(visitor)).view?.passkeys ?? [];
  return await act(visitor, { act: "removePasskey", id: shown?.id ?? assert.fail("there is no passkey") });
}

test("whoever has a lost phone with its mailbox brings no passkey back without the second proof", async () => {
  const { site, ada, id } = await open({ features: [secondFactor()] });
  await ada.register(ADA);
  const app = await enrolAtOnce(site, ada);
  site.runtime.advance(2 * DAY);
  await byLink(site, ada);
  await prove(site, ada, app);
  const [key] = ada.device.passkeys;
  assert.equal((await removePasskeys(ada)).problem, null);
  const token = undoToken(site) ?? assert.fail("there is no link");
  const thief = site.service.visitor();
  Object.assign(thief, { device: ada.device });
  await byLink(site, thief);
  assert.equal(await thief.inside(), null);
  const { step } = await act(thief, { act: "undo", token });
  assert.deepEqual([step.kind, "isProven" in step && step.isProven], ["undo", false]);
  await thief.authenticate(key ?? assert.fail());
  assert.equal(await thief.inside(), null);
  assert.equal(await ada.inside(), id);
  assert.equal((await act(ada, { act: "undo", token })).step.kind, "undone");
});

test("a browser that is trusted brings nothing back without the second proof", async () => {
  // Sessions without rows, which nobody ends: with rows, trust ends with the sessions.
  const session = { strategy: "jwt", revalidate: false } as const;
  const { site, ada, id } = await open({ features: [secondFactor({ trustDevices: { days: 30 } })], session });
  await ada.come("plain", { sub: "ada" });
  const app = await enrolAtOnce(site, ada);
  site.runtime.advance(DAY);
  const thief = site.service.visitor();
  await byLink(site, thief);
  site.runtime.advance(2 * STEP);
  await thief.post("/auth/challenge", { method: "totp", code: await codeOf(site, app.secret), trust: "on" });
  await byLink(site, ada);
  await prove(site, ada, app);
  const [way] = await waysIn(ada);
  await act(ada, { act: "unlink", id: way?.id ?? "" });
  const token = undoToken(site) ?? assert.fail("there is no link");
  thief.token = undefined;
  await byLink(site, thief);
  assert.equal(await thief.inside(), id);
  const { step } = await act(thief, { act: "undo", token });
  assert.ok(step.kind === "undo" && !step.isProven);
  assert.match(step.signInUrl, /\/auth\/challenge\?callbackUrl=/);
  assert.equal((await act(ada, { act: "undo", token })).step.kind, "undone");
});

test("with a passkey that was the only second proof the owner is told of both, and it comes back without one", async () => {
  const { site, ada, id } = await open({ features: [secondFactor()] });
  await ada.register(ADA);
  const app = await enrolAtOnce(site, ada);
  await site.adapter.removeRecord?.({ kind: "factor", id: app.id });
  site.runtime.advance(2 * DAY);
  const [key] = ada.device.passkeys;
  await ada.authenticate(key ?? assert.fail());
  assert.equal(await ada.inside(), id);
  assert.equal((await removePasskeys(ada)).problem, null);
  const subjects = site.mails.map(({ subject }) => subject).slice(-2).join();
  assert.match(subjects, /A second proof was removed.*A passkey was removed|A passkey was removed.*A second proof was/);
  const token = undoToken(site) ?? assert.fail("there is no link");
  const elsewhere = site.service.visitor();
  await byLink(site, elsewhere);
  assert.equal((await act(elsewhere, { act: "undo", token })).step.kind, "undone");
});

for (
  const [kind, make] of Object.entries({
    "in memory": () => memoryAdapter(),
    "without transactions": () => withRecords(otherAdapter(), memoryRecords(), { logger: { warn: () => {} } }),
  })
) {
  test(`what a thief has added and removed is not offered back to the owner: ${kind}`, async () => {
    const { site, ada, id } = await open({ adapter: make() });
    site.runtime.advance(300);
    await ada.register(ADA);
    await removePasskeys(ada);
    assert.match(site.mails.at(-1)?.subject ?? "", /passkey/);
    for (let time = 0; time < 2; time++) {
      await ada.come("plain", { sub: "thief" });
      const [way] = await waysIn(ada);
      assert.equal((await act(ada, { act: "unlink", id: way?.id ?? "" })).problem, null);
      assert.match(site.mails.at(-1)?.subject ?? "", /removed/);
    }
    assert.equal(undoToken(site), undefined);
    await ada.come("plain", { sub: "ada" });
    site.runtime.advance(DAY);
    await byLink(site, ada);
    assert.equal(await ada.inside(), id);
    const [way] = await waysIn(ada);
    await act(ada, { act: "unlink", id: way?.id ?? "" });
    assert.notEqual(undoToken(site), undefined);
  });
}

// The address

async function openWithFactor(
  config: Config = {},
): Promise<Scene & { readonly enter: (visitor: Visitor) => Promise<void> }> {
  const scene = await open({ features: [secondFactor()], ...config });
  const { site, ada } = scene;
  const app = await enrolAtOnce(site, ada);
  const enter = async (visitor: Visitor) => {
    await byLink(site, visitor);
    await prove(site, visitor, app);
    assert.equal(await visitor.inside(), scene.id);
  };
  site.runtime.advance(30 * DAY);
  await enter(ada);
  return { ...scene, enter };
}

async function lose({ site, ada }: Scene, to: string): Promise<void> {
  await send(ada, { act: "changeEmail", to, lost: "1" });
  await press(ada, linkTo(site, to));
}

test("an older email stops what a thief has asked for since", async () => {
  const scene = await openWithFactor();
  const { site, ada, enter } = scene;
  await lose(scene, "thief@evil.example");
  await lose(scene, "second@evil.example");
  const older = linkTo(site, ADA, 1);
  assert.equal((await press(site.service.visitor(), older, "allowEmail")).error, "Verification");
  const opened = await look(site.service.visitor(), older.search);
  assert.equal(opened.step.kind, "confirm-email");
  assert.deepEqual((await press(site.service.visitor(), older)).step, { kind: "overview", done: "cancelEmail" });
  assert.equal(await ada.inside(), null);
  site.runtime.advance(8 * DAY);
  await enter(ada);
  assert.equal((await look(ada)).view?.waitingEmail, null);
  assert.equal((await send(ada, { act: "takeEmail" })).problem, "expired");
});

test("nobody is told that a change was stopped which was made at that moment", async () => {
  const adapter: Adapter = memoryAdapter();
  const scene = await openWithFactor({ adapter });
  const { site, ada, enter, id } = scene;
  await lose(scene, NEW);
  const link = linkTo(site, ADA);
  site.runtime.advance(7 * DAY);
  await enter(ada);
  const sent = site.mails.length;
  const list = adapter.listSessionsByUserId ?? assert.fail();
  Object.assign(adapter, {
    listSessionsByUserId: async (userId: string) => {
      Object.assign(adapter, { listSessionsByUserId: list });
      await send(ada, { act: "takeEmail" });
      return await list(userId);
    },
  });
  const { error } = await press(site.service.visitor(), link);
  const { email } = await adapter.getUser?.(id) ?? assert.fail();
  const isStopped = site.mails.slice(sent).some(({ subject }) => /stays as it is/.test(subject));
  assert.deepEqual([email, error, isStopped], [NEW, "Verification", false]);
});

test("a second proof that a thief has just turned on does not make up for the former mailbox", async () => {
  const { site, ada } = await open({ features: [secondFactor()] });
  await ada.register(ADA);
  site.runtime.advance(60 * DAY);
  await byLink(site, ada);
  const app = await enrolAtOnce(site, ada);
  await prove(site, ada, app).catch(() => null);
  await byLink(site, ada);
  await prove(site, ada, app);
  assert.equal("lostDays" in (await look(ada, "?act=changeEmail")).step, false);
  assert.equal((await send(ada, { act: "changeEmail", to: NEW, lost: "1" })).error, "AccessDenied");
  site.runtime.advance(7 * DAY);
  await byLink(site, ada);
  await prove(site, ada, app);
  assert.equal((await send(ada, { act: "changeEmail", to: NEW, lost: "1" })).error, undefined);
});

// What fails

for (const operation of ["deleteSessionsByUserId", "listSessionsByUserId"] as const) {
  test(`the owner is told of what was removed, also where the other sessions cannot be ended: ${operation}`, async () => {
    const adapter: Adapter = memoryAdapter();
    const { site, ada } = await open({ adapter, session: { strategy: "database" } });
    await ada.come("plain", { sub: "ada" });
    const [way] = await waysIn(ada);
    const run = adapter[operation];
    Object.assign(adapter, { [operation]: () => Promise.reject(new Error("storage is down")) });
    await send(ada, { act: "unlink", id: way?.id ?? "" }).catch(() => null);
    Object.assign(adapter, { [operation]: run });
    assert.equal(await adapter.getUserByAccount?.({ provider: "plain", providerAccountId: "ada" }), null);
    assert.match(site.mails.at(-1)?.subject ?? "", /removed/);
    assert.ok(site.events.some(({ type }) => type === "accountUnlinked"));
  });
}

// What the page shows, and to whom

async function asPage(visitor: Visitor, site: AccountSite, path = ""): Promise<Response> {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return await site.service.send(
    new Request(`${ORIGIN}/auth/account${path}`, { headers: { cookie, accept: "text/html" } }),
  );
}

test("nothing of a picture, a name, a place or a browser becomes markup or a policy", async () => {
  const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;
  const sections = [
    accountSection({ id: "own", title: evil, render: ({ name }) => html`<p title="${name}">${name}</p>` }),
  ];
  const pictures = [
    "https://a;script-src'unsafe-inline'/x.png",
    "https://a,default-src/x.png",
    "https://*/x.png",
    "http://example.com/x.png",
    "https://eve:secret@example.com/x.png",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "//evil.example/x.png",
    "/\\evil.example/x.png",
    `https://pictures.example/"onerror="alert(1)`,
    evil,
  ];
  for (const image of pictures) {
    const { site, ada, id } = await open({ options: { sections, place: () => evil } });
    ada.userAgent = evil;
    await byLink(site, ada);
    await site.adapter.updateUser?.({ id, name: evil, image });
    const response = await asPage(ada, site);
    const page = await response.text();
    assert.equal(response.status, 200);
    assert.doesNotMatch(page, /<script>alert|<img src=x|"onerror="/);
    const policy = response.headers.get("content-security-policy") ?? assert.fail("there is no policy");
    const [sources] = /img-src [^;]*/.exec(policy) ?? [];
    const isShown = image.startsWith("https://pictures.example");
    assert.equal(sources, `img-src 'self' data:${isShown ? " https://pictures.example" : ""}`, image);
    assert.equal(policy.match(/script-src/g)?.length ?? 0, 0, policy);
    assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/);
  }
});

test("the page is kept nowhere, framed nowhere, and read by no other site", async () => {
  const { site, ada } = await open();
  const pages = [
    await asPage(ada, site),
    await ada.get("/auth/account"),
    await ada.post("/auth/account", { act: "export" }),
  ];
  for (const { headers } of pages) {
    assert.equal(headers.get("cache-control"), "private, no-store");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("cross-origin-resource-policy"), "same-origin");
    assert.equal(headers.get("access-control-allow-origin"), null);
    assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
  }
  assert.match(pages[2]?.headers.get("content-disposition") ?? "", /^attachment;/);
});

test("no link leads away from the site, whatever it names", async () => {
  const { site, ada } = await open();
  const away = [
    "//evil.example",
    "https://evil.example/",
    "/\\evil.example",
    "javascript:alert(1)",
    `${ORIGIN}@evil.example`,
  ];
  for (const callbackUrl of away) {
    const query = `?${new URLSearchParams({ act: "rename", callbackUrl })}`;
    assert.doesNotMatch(await (await asPage(ada, site, query)).text(), /evil\.example/);
    const body = new URLSearchParams({
      csrfToken: site.service.csrfToken,
      act: "rename",
      name: `Ada ${away.indexOf(callbackUrl)}`,
      callbackUrl,
    });
    const headers = {
      cookie: [...ada.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      origin: ORIGIN,
      accept: "text/html",
      "sec-fetch-site": "same-origin",
    };
    const done = await site.service.send(new Request(`${ORIGIN}/auth/account`, { method: "POST", headers, body }));
    assert.equal(new URL(done.headers.get("location") ?? "", ORIGIN).origin, ORIGIN, callbackUrl);
  }
});

test("nobody learns from a change of address who has it: answers, cookies and the length of what is stored", async () => {
  const seen: string[] = [];
  for (const to of ["bob@example.com", "eve@example.com"]) {
    const { site, ada } = await open();
    await byLink(site, site.service.visitor(), "bob@example.com");
    const response = await ada.post("/auth/account", { act: "changeEmail", to });
    const body = (await response.text()).replaceAll(to, "they@example.com");
    const heads = [...response.headers].map(([name, value]) => `${name}: ${value.replace(/=[^;]+/, "=")}`);
    const stable = JSON.parse(body);
    delete stable.view;
    seen.push(JSON.stringify([response.status, heads, stable]));
    assert.equal(site.mails.length, 1);
  }
  assert.equal(seen[0], seen[1]);
});

test("a link that was never sent says nothing of who has an address, in answers or in what storage is asked", async () => {
  const encode = (text: string) => btoa(text).replaceAll("=", "");
  const bare = { providers: [teller("plain"), mailbox().provider] };
  for (const act of ["allowEmail", "takeEmail"]) {
    const seen: string[] = [];
    for (const to of ["bob@example.com", "eve@example.com"]) {
      const calls: string[] = [];
      const entries = Object.entries(memoryAdapter()).map(([name, run]) => {
        return [name, (...args: unknown[]) => (calls.push(name), (run as (...args: unknown[]) => unknown)(...args))];
      });
      const adapter = Object.fromEntries(entries) as Adapter;
      const site = await openAccountSite({ adapter, ...bare });
      await adapter.createUser?.({ id: "bob", name: null, email: "bob@example.com", emailVerified: null });
      const ada = site.service.visitor();
      await ada.come("plain", { sub: "ada" });
      const id = await ada.inside() ?? assert.fail();
      calls.length = 0;
      const token = [encode(id), encode(to), "read", "0".repeat(64)].join(".");
      const { error, problem } = await send(ada, { act, token });
      seen.push(JSON.stringify([error, problem, calls]));
    }
    assert.equal(seen[0], seen[1], act);
  }
});

test("what a stranger sends as an address is one mailbox, or none", async () => {
  const { site, ada } = await open();
  for (
    const to of [
      "a@b.example,c@d.example",
      "a@b.example c@d.example",
      "<a@b.example>",
      `"a@evil.example"@b.example`,
      "a@evil.example＠b.example",
      "a@b.example\r\nBcc: c@d.example",
      "a@b",
      "",
    ]
  ) {
    const { problem } = await send(ada, { act: "changeEmail", to });
    assert.equal(problem, "email", to);
  }
  assert.equal(site.mails.length, 0);
  for (const to of ["ADA@example.com", " ada@EXAMPLE.com ", "ada@example.com"]) {
    assert.equal((await send(ada, { act: "changeEmail", to })).problem, "same-email", to);
  }
});

test("a link for one purpose or one person is nothing to another", async () => {
  const { site, ada, id } = await open();
  const eve = site.service.visitor();
  await ada.come("plain", { sub: "ada" });
  site.runtime.advance(DAY);
  await byLink(site, eve, "eve@example.com");
  await byLink(site, ada);
  await send(ada, { act: "changeEmail", to: NEW });
  const first = linkTo(site, NEW);
  for (const act of ["allowEmail", "cancelEmail", "undo"]) {
    assert.equal((await press(ada, first, act)).error, "Verification", act);
  }
  assert.equal((await press(eve, first)).problem, "expired");
  await press(ada, first);
  const second = linkTo(site, ADA);
  assert.equal((await press(ada, second, "takeEmail")).problem, "expired");
  assert.equal((await press(ada, second, "undo")).error, "Verification");
  const [user, to, kind, secret] = (second.searchParams.get("token") ?? "").split(".");
  const others = [
    [btoa(await eve.inside() ?? "").replaceAll("=", ""), to, kind, secret],
    [user, btoa("eve@evil.example").replaceAll("=", ""), kind, secret],
    [user, to, "lost", secret],
    [user, btoa("ADA@new.example").replaceAll("=", ""), kind, secret],
  ];
  for (const parts of others) {
    const token = parts.join(".");
    assert.equal((await send(ada, { act: "allowEmail", token })).error, "Verification", token);
  }
  const [way] = await waysIn(ada);
  await act(ada, { act: "unlink", id: way?.id ?? "" });
  const token = undoToken(site) ?? assert.fail();
  assert.equal((await send(ada, { act: "takeEmail", token })).problem, "expired");
  assert.equal((await send(ada, { act: "allowEmail", token })).error, "Verification");
  assert.equal((await site.adapter.getUser?.(id))?.email, ADA);
});

test("emails that are slow do not make a change look as if it had failed", async () => {
  const mails: OutgoingMail[] = [];
  let wait = 0;
  const mail = async (one: OutgoingMail) => {
    mails.push(one);
    await new Promise((resolve) => setTimeout(resolve, wait));
  };
  const { site, ada, id } = await open({ mail, timeouts: { total: 1.2 }, session: { strategy: "database" } });
  const link = await proveNew({ ...site, mails }, ada, ADA);
  wait = 700;
  assert.equal((await press(ada, link)).error, undefined);
  assert.equal((await site.adapter.getUser?.(id))?.email, NEW);
  assert.equal(mails.length, 4);
});

// Whoever had the address before its owner

for (
  const [kind, make] of Object.entries({
    "in memory": () => memoryAdapter(),
    "in SQLite": () => sqliteAdapter(new DatabaseSync(":memory:")),
    "in records beside an adapter": () => {
      const { getRecord: _, putRecord: __, removeRecord: ___, listRecords: ____, ...adapter } = memoryAdapter();
      return withRecords(adapter, memoryRecords(), { logger: { warn: () => {} } });
    },
  })
) {
  test(`a deletion that a squatter has asked for does not hit the owner of the address: ${kind}`, async () => {
    for (const days of [1, 8]) {
      const runtime = testRuntime();
      const site = await openAccountSite({ adapter: make(), options: { delete: { graceDays: 7 } }, runtime });
      const squatter = site.service.visitor();
      await squatter.register(ADA);
      const id = await squatter.inside() ?? assert.fail();
      await act(squatter, { act: "delete", typed: ADA });
      assert.equal(await squatter.inside(), null);
      runtime.advance(days * DAY);
      const ada = site.service.visitor();
      await byLink(site, ada);
      assert.equal(await ada.inside(), id);
      assert.equal((await look(ada)).view?.deletedAt, null);
      runtime.advance(8 * DAY);
      await byLink(site, ada);
      assert.equal(await ada.inside(), id);
    }
  });
}

test("nothing that is sent in the place of a field breaks an act, or does one", async () => {
  const odd: readonly unknown[] = [
    null,
    true,
    0,
    -1,
    1e400,
    "",
    " ",
    "__proto__",
    "constructor",
    [],
    ["x"],
    {},
    { toString: "x" },
    "x".repeat(9000),
  ];
  const acts = [...Object.keys(ACCOUNT_ACTS), "__proto__", "constructor", "toString", ""];
  const scene = await open({
    options: { sections: [accountSection({ id: "own", title: "Own", render: () => html`` })] },
  });
  const { site, ada, id } = scene;
  await ada.register(ADA);
  await ada.come("plain", { sub: "ada" });
  const before = await site.adapter.getUser?.(id);
  for (const act of acts.filter((act) => act !== "endOthers" && act !== "export")) {
    for (const value of odd) {
      const fields = {
        act,
        id: value,
        name: act === "rename" ? "" : value,
        to: value,
        token: value,
        typed: value,
        section: value,
      };
      const { status } = await sendJson(scene, { ...fields, lost: value });
      assert.ok(status < 500, `${act}: ${JSON.stringify(value)} is answered ${status}`);
    }
  }
  assert.deepEqual(await site.adapter.getUser?.(id), before);
  const { view } = await look(ada);
  assert.deepEqual([view?.passkeys?.length, view?.ways?.length], [1, 1]);
});

test("a link that was sent to the former address before sets no password after the change", async () => {
  const providers = [password({ hash: cheapHash() }), mailbox().provider];
  const site = await openAccountSite({ adapter: memoryAdapter(), providers });
  const emailVerified = new Date(site.runtime.now());
  const user = await site.adapter.createUser?.({ id: crypto.randomUUID(), name: null, email: ADA, emailVerified });
  const id = user?.id ?? assert.fail();
  await passwordFunctions(site.service.engine).set(id, "a pelican on a bicycle");
  const [ada, thief] = [site.service.visitor(), site.service.visitor()];
  const enter = (visitor: Visitor, email: string, password: string) =>
    visitor.post("/auth/callback/password", { email, password });
  await enter(ada, ADA, "a pelican on a bicycle");
  await thief.post("/auth/reset", { email: ADA });
  const reset = linkTo(site, ADA);
  await press(ada, await proveNew(site, ada, ADA));
  const fields = { token: reset.searchParams.get("token") ?? assert.fail(), password: "a bicycle on a pelican" };
  for (const email of [ADA, NEW]) {
    await thief.post("/auth/reset", { ...fields, email });
    assert.equal(await thief.inside(), null, email);
  }
  for (const email of [ADA, NEW]) await enter(thief, email, fields.password);
  assert.equal(await thief.inside(), null);
  await enter(ada, NEW, "a pelican on a bicycle");
  assert.equal(await ada.inside(), id);
});

test("a passkey that is removed with the second factors leaves nothing behind, either", async () => {
  const { site, ada, id } = await open({ features: [secondFactor()] });
  await ada.register(ADA);
  assert.equal((await site.adapter.listRecords?.({ kind: "passkey-info", userId: id }))?.length, 1);
  const [stored] = await site.adapter.listAuthenticatorsByUserId?.(id) ?? [];
  await ada.post("/auth/factors", { act: "remove", id: stored?.credentialID ?? "" });
  assert.deepEqual(await site.adapter.listAuthenticatorsByUserId?.(id), []);
  assert.deepEqual(await site.adapter.listRecords?.({ kind: "passkey-info", userId: id }), []);
});

test("the other sessions end, also if the user changes at that moment", async () => {
  const adapter: Adapter = memoryAdapter();
  const { site, ada, id } = await open({ adapter, session: { strategy: "database" } });
  await ada.come("plain", { sub: "ada" });
  const thief = site.service.visitor();
  await byLink(site, thief);
  const [way] = await waysIn(ada);
  const list = adapter.listSessionsByUserId ?? assert.fail();
  Object.assign(adapter, {
    listSessionsByUserId: async (userId: string) => {
      Object.assign(adapter, { listSessionsByUserId: list });
      const rows = await list(userId);
      await adapter.updateUser?.({ id, emailVerified: new Date(site.runtime.now() + 1) });
      return rows;
    },
  });
  await send(ada, { act: "unlink", id: way?.id ?? "" });
  assert.equal(await thief.inside(), null);
});

for (
  const [kind, make] of Object.entries({
    "in memory": () => memoryAdapter(),
    "in SQLite": () => sqliteAdapter(new DatabaseSync(":memory:")),
    "without transactions": () => withRecords(otherAdapter(), memoryRecords(), { logger: { warn: () => {} } }),
  })
) {
  test(`a change that is allowed and stopped at the same moment is one of both: ${kind}`, async () => {
    for (let round = 0; round < 12; round++) {
      const { site, ada, id } = await open({ adapter: make() });
      const link = await proveNew(site, ada, ADA);
      const order = Array.from({ length: 16 }, (_, at) => (at + round) % 2 === 0 ? "allowEmail" : "cancelEmail");
      const answers = await Promise.all(order.map((act) => press(site.service.visitor(), link, act)));
      const won = order.filter((_, at) => answers[at]?.error === undefined && answers[at]?.problem === null);
      assert.equal(won.length, 1, JSON.stringify(won));
      assert.equal((await site.adapter.getUser?.(id))?.email, won[0] === "allowEmail" ? NEW : ADA);
    }
  });

  test(`what comes back at the moment in which somebody else gets it has one owner: ${kind}`, async () => {
    for (let round = 0; round < 6; round++) {
      const { site, ada, id } = await open({ adapter: make() });
      await ada.come("plain", { sub: "ada" });
      site.runtime.advance(DAY);
      await byLink(site, ada);
      const [way] = await waysIn(ada);
      await act(ada, { act: "unlink", id: way?.id ?? "" });
      const token = undoToken(site) ?? assert.fail();
      const eve = site.service.visitor();
      const away = await eve.leave("plain");
      await Promise.all([
        round % 2 === 0 ? send(ada, { act: "undo", token }).catch(() => null) : null,
        eve.comeBack(away, { sub: "ada", email: "eve@example.com" }).catch(() => null),
        round % 2 === 1 ? send(ada, { act: "undo", token }).catch(() => null) : null,
      ]);
      const owner = (await site.adapter.getUserByAccount?.({ provider: "plain", providerAccountId: "ada" }))?.id;
      const inside = await eve.inside();
      assert.ok(owner === id || owner === inside, `${owner}`);
      if (inside !== null) assert.equal(inside, owner);
    }
  });
}

// A session that is not fresh

test("an old session does not become a fresh one by an account that its thief adds", async () => {
  const { site, ada, id } = await open();
  await ada.come("plain", { sub: "ada" });
  site.runtime.advance(601);
  const thief = site.service.visitor();
  for (const [name, value] of ada.cookies) thief.cookies.set(name, value);
  await thief.come("plain", { sub: "thief" }).catch(() => null);
  const fresh = site.service.visitor();
  await fresh.come("plain", { sub: "thief" });
  assert.notEqual(await fresh.inside(), id);
  await byLink(site, ada);
  await ada.come("linking", { sub: "ada" });
  assert.equal((await waysIn(ada)).length, 2);
});

test("where storage cannot say whether an address is proven, its mailbox has to allow the change", async () => {
  const other = otherAdapter();
  for (const adapter of [other, withRecords(other, memoryRecords(), { logger: { warn: () => {} } })]) {
    const site = await openAccountSite({ adapter });
    const ada = site.service.visitor();
    const email = `${crypto.randomUUID()}@example.com`;
    await ada.come("plain", { sub: email, email, email_verified: true });
    const id = await ada.inside() ?? assert.fail();
    await send(ada, { act: "changeEmail", to: `new-${email}` });
    const { step } = await press(ada, linkTo(site, `new-${email}`));
    assert.deepEqual(step, { kind: "email-sent", to: email, waitsFor: "former" });
    assert.equal((await adapter.getUser?.(id))?.email, email);
    await press(site.service.visitor(), linkTo(site, email));
    assert.equal((await adapter.getUser?.(id))?.email, `new-${email}`);
  }
});
