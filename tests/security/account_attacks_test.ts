/** Attacks on the account page: what a thief, a stranger or another site tries, and what does not come of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, AuthConfig } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { accountSection, html } from "../../src/account.ts";
import { secondFactor } from "../../src/second_factor.ts";
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
import { enrolAtOnce, prove } from "../_support/enrolling.ts";
import type { Visitor } from "../_support/visitors.ts";

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
  const scene = await open({ features: [secondFactor()] });
  const { site, ada, id } = scene;
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
  const answer = await act(thief, { act: "undo", token });
  assert.deepEqual([answer.step.kind, "isProven" in answer.step && answer.step.isProven], ["undo", false]);
  await thief.authenticate(key ?? assert.fail());
  assert.equal(await thief.inside(), null);
  assert.equal(await ada.inside(), id);
  await prove(site, thief, app);
  assert.equal((await act(thief, { act: "undo", token })).step.kind, "undone");
});

test("a passkey that was the only second proof comes back without one", async () => {
  const { site, ada, id } = await open({ features: [secondFactor()] });
  await ada.register(ADA);
  const app = await enrolAtOnce(site, ada);
  await site.adapter.removeRecord?.({ kind: "factor", id: app.id });
  site.runtime.advance(2 * DAY);
  const [key] = ada.device.passkeys;
  await ada.authenticate(key ?? assert.fail());
  assert.equal(await ada.inside(), id);
  assert.equal((await removePasskeys(ada)).problem, null);
  const token = undoToken(site) ?? assert.fail("there is no link");
  const elsewhere = site.service.visitor();
  await byLink(site, elsewhere);
  assert.equal((await act(elsewhere, { act: "undo", token })).step.kind, "undone");
});

test("what a thief has added and removed is not offered back to the owner", async () => {
  const { site, ada } = await open();
  site.runtime.advance(300);
  await ada.register(ADA);
  await removePasskeys(ada);
  assert.match(site.mails.at(-1)?.subject ?? "", /passkey/);
  assert.equal(undoToken(site), undefined);
});

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
  await byLink(site, eve, "eve@example.com");
  await ada.come("plain", { sub: "ada" });
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
