/** Changing the address of an account: nothing changes before both mailboxes have proven it. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Adapter, AuthConfig } from "@x/auth";
import { memoryAdapter, memoryRecords } from "@x/auth/adapters/memory";
import { withRecords } from "@x/auth/adapters/records";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { handlerOf } from "../../src/service/engine.ts";
import { Browser } from "../_support/browser.ts";
import { limits } from "@x/auth/limits";
import { password } from "@x/auth/providers/password";
import { secondFactor } from "../../src/second_factor.ts";
import { passwordFunctions } from "../../src/service/password_actions.ts";
import { FailingCall } from "../_support/failing_call.ts";
import { readForms } from "../_support/forms.ts";
import { linkTo, NEW, press, proveNew, send, subjectsTo } from "../_support/account_mail.ts";
import { type AccountSite, ADA, byLink, look, openAccountSite } from "../_support/account_site.ts";
import { enrolAtOnce, prove } from "../_support/enrolling.ts";
import { mailbox } from "../_support/mailbox.ts";
import { FOREIGN_ADAPTERS } from "../_support/foreign_adapters.ts";
import { cheapHash } from "../_support/passwords.ts";
import { otherAdapter } from "../_support/session_kinds.ts";
import { teller, type Visitor } from "../_support/visitors.ts";

const BOB = "bob@example.com";
const SECRET = "a pelican on a bicycle";
const DAY = 24 * 60 * 60;

const besides = (adapter: Adapter) => withRecords(adapter, memoryRecords(), { logger: { warn: () => {} } });

const CHANGED = "The email address of your account at localhost:3000 was changed";

interface Scene {
  readonly site: AccountSite;
  readonly ada: Visitor;
  readonly id: string;
}

async function open(config: Partial<AuthConfig> & { readonly adapter?: Adapter } = {}): Promise<Scene> {
  const site = await openAccountSite({ adapter: memoryAdapter(), ...config } as Parameters<typeof openAccountSite>[0]);
  const ada = site.service.visitor();
  await byLink(site, ada);
  return { site, ada, id: await ada.inside() ?? assert.fail("nobody is in") };
}

async function addressOf({ site, id }: Pick<Scene, "site" | "id">): Promise<string | null> {
  return (await site.adapter.getUser?.(id))?.email ?? null;
}

for (const strategy of ["database", "jwt"] as const) {
  test(`with both proofs the address is another one, the others are out, and both mailboxes know: ${strategy}`, async () => {
    const scene = await open({ session: { strategy } });
    const { site, ada } = scene;
    const other = site.service.visitor();
    await byLink(site, other);
    const asked = await send(ada, { act: "changeEmail", to: " Ada@NEW.example " });
    assert.deepEqual(asked.step, { kind: "email-sent", to: NEW, waitsFor: "new" });
    assert.equal(await addressOf(scene), ADA);
    const taken = await press(ada, linkTo(site, NEW));
    assert.deepEqual(taken.step, { kind: "email-sent", to: ADA, waitsFor: "former" });
    assert.equal(await addressOf(scene), ADA);
    assert.equal((await press(site.service.visitor(), linkTo(site, ADA))).error, undefined);
    assert.equal(await addressOf(scene), NEW);
    assert.deepEqual([subjectsTo(site, ADA).at(-1), subjectsTo(site, NEW).at(-1)], [CHANGED, CHANGED]);
    assert.deepEqual([await other.inside(), await ada.inside()], [null, null]);
    await byLink(site, ada, NEW);
    assert.equal(await ada.inside(), scene.id);
    await byLink(site, other, ADA);
    assert.notEqual(await other.inside(), scene.id);
  });
}

test("the browser that allows it stays signed in, and only that one", async () => {
  const { site, ada, id } = await open({ session: { strategy: "database" } });
  const other = site.service.visitor();
  await byLink(site, other);
  await press(ada, await proveNew(site, ada, ADA));
  assert.deepEqual([await ada.inside(), await other.inside()], [id, null]);
});

test("a sealed session, which names the former address, ends in every browser", async () => {
  for (const revalidate of [60, false] as const) {
    const { site, ada } = await open({ session: { strategy: "jwt", revalidate } });
    await press(ada, await proveNew(site, ada, ADA));
    assert.equal(await ada.inside(), null);
  }
});

test("an address that was mistyped changes nothing, whoever reads its mail", async () => {
  const scene = await open();
  const { site, ada } = scene;
  const before = await site.adapter.getUser?.(scene.id);
  for (const to of ["", "ada", "ada@", "@new.example", "a b@new.example", ADA]) {
    const { step, error } = await send(ada, { act: "changeEmail", to });
    assert.ok(error && step.kind === "email", to);
  }
  assert.equal(site.mails.length, 0);
  await send(ada, { act: "changeEmail", to: "adda@new.example" });
  const stranger = site.service.visitor();
  await byLink(site, stranger, "adda@new.example");
  await press(stranger, linkTo(site, "adda@new.example"));
  assert.deepEqual(await site.adapter.getUser?.(scene.id), before);
  assert.deepEqual(subjectsTo(site, ADA), []);
});

test("to open a link, or to ask for its head, changes nothing", async () => {
  const scene = await open();
  const { site, ada } = scene;
  await send(ada, { act: "changeEmail", to: NEW });
  for (const step of ["new", "former"] as const) {
    const link = linkTo(site, step === "new" ? NEW : ADA);
    for (let times = 0; times < 2; times++) {
      const shown = await look(ada, link.search);
      assert.ok(shown.step.kind === "confirm-email" && shown.step.at === step && shown.step.to === NEW);
    }
    assert.equal(await addressOf(scene), ADA);
    await press(ada, link);
  }
  assert.equal(await addressOf(scene), NEW);
});

test("each link works once, and for what it was sent", async () => {
  const scene = await open();
  const { site, ada } = scene;
  await send(ada, { act: "changeEmail", to: NEW });
  const first = linkTo(site, NEW);
  assert.equal((await press(site.service.visitor(), first, "allowEmail")).error, "Verification");
  assert.equal((await press(site.service.visitor(), first, "cancelEmail")).error, "Verification");
  await press(ada, first);
  const count = site.mails.length;
  assert.equal((await press(ada, first)).problem, "expired");
  assert.equal(site.mails.length, count);
  const second = linkTo(site, ADA);
  assert.equal((await press(ada, second, "takeEmail")).problem, "expired");
  await press(ada, second);
  assert.equal(await addressOf(scene), NEW);
  assert.equal((await press(ada, second)).error, "Verification");
});

test("a link says which address it is for, and no other", async () => {
  const scene = await open();
  const { site, ada } = scene;
  const link = await proveNew(site, ada, ADA);
  const [user, , ...rest] = (link.searchParams.get("token") ?? "").split(".");
  link.searchParams.set("token", [user, btoa("thief@example.com").replaceAll("=", ""), ...rest].join("."));
  assert.equal((await press(ada, link)).error, "Verification");
  assert.equal(await addressOf(scene), ADA);
});

test("of two changes in two tabs one counts, and the other link is void", async () => {
  const scene = await open();
  const { site, ada } = scene;
  const one = await proveNew(site, ada, ADA, NEW);
  const other = await proveNew(site, ada, ADA, "ada@other.example");
  await press(ada, one);
  assert.equal((await press(ada, other)).error, "Verification");
  assert.equal(await addressOf(scene), NEW);
});

test("the links of a change expire after a day", async () => {
  const scene = await open();
  const { site, ada } = scene;
  await send(ada, { act: "changeEmail", to: NEW });
  site.runtime.advance(DAY);
  await byLink(site, ada);
  assert.equal((await press(ada, linkTo(site, NEW))).problem, "expired");
  const link = await proveNew(site, ada, ADA);
  site.runtime.advance(DAY);
  assert.equal((await press(ada, link)).error, "Verification");
  assert.equal(await addressOf(scene), ADA);
});

test("the link to the new address does nothing without a fresh session of whoever asked", async () => {
  const scene = await open();
  const { site, ada } = scene;
  await send(ada, { act: "changeEmail", to: NEW });
  const link = linkTo(site, NEW);
  assert.equal((await press(site.service.visitor(), link)).error, "SessionRequired");
  const bob = site.service.visitor();
  await byLink(site, bob, BOB);
  assert.equal((await press(bob, link)).problem, "expired");
  site.runtime.advance(11 * 60);
  assert.equal((await press(ada, link)).error, "SessionRequired");
  assert.deepEqual(subjectsTo(site, ADA), []);
  await byLink(site, ada);
  assert.equal((await press(ada, link)).error, undefined);
});

test("a thief with a session that is not fresh begins nothing", async () => {
  const scene = await open();
  scene.site.runtime.advance(11 * 60);
  assert.equal((await send(scene.ada, { act: "changeEmail", to: NEW })).error, "SessionRequired");
  assert.equal(scene.site.mails.length, 0);
});

test("a thief with a fresh session is stopped by the former mailbox, and is out", async () => {
  const scene = await open();
  const { site, ada } = scene;
  const thief = site.service.visitor();
  thief.token = ada.token;
  const link = await proveNew(site, thief, ADA, "thief@example.com");
  const owner = site.service.visitor();
  assert.equal((await press(owner, link, "cancelEmail")).error, undefined);
  assert.deepEqual([await thief.inside(), await ada.inside(), await addressOf(scene)], [null, null, ADA]);
  assert.equal((await press(owner, link)).error, "Verification");
  assert.equal(subjectsTo(site, ADA).at(-1), "The email address of your account at localhost:3000 stays as it is");
  assert.ok(!subjectsTo(site, "thief@example.com").some((subject) => /stays as it is/.test(subject)));
});

test("once all sessions have ended, the link to the new address waits for a new sign-in", async () => {
  const scene = await open({ session: { strategy: "database" } });
  const { site, ada } = scene;
  await send(ada, { act: "changeEmail", to: NEW });
  await site.adapter.deleteSessionsByUserId?.(scene.id);
  assert.equal((await press(ada, linkTo(site, NEW))).error, "SessionRequired");
  assert.equal(await addressOf(scene), ADA);
});

test("an address that has a user is told so, and whoever asks sees no difference", async () => {
  const scene = await open();
  const { site, ada } = scene;
  await byLink(site, site.service.visitor(), BOB);
  const known = await send(ada, { act: "changeEmail", to: BOB });
  const unknown = await send(ada, { act: "changeEmail", to: NEW });
  const masked = (answer: unknown) => JSON.stringify(answer).replaceAll(BOB, "X").replaceAll(NEW, "X");
  assert.equal(masked(known), masked(unknown));
  assert.deepEqual(subjectsTo(site, BOB), ["Somebody wanted to use your email address at localhost:3000"]);
  assert.ok(!site.mails.some(({ to, text }) => to === BOB && /token=/.test(text ?? "")));
});

test("storage is asked the same whether or not an address has a user", async () => {
  const calls: string[] = [];
  const adapter = recording(memoryAdapter(), calls);
  const { site, ada } = await open({ adapter });
  await byLink(site, site.service.visitor(), BOB);
  const asked = async (to: string) => {
    calls.length = 0;
    await send(ada, { act: "changeEmail", to });
    return calls.join();
  };
  await asked("first@example.com");
  assert.equal(await asked(BOB), await asked(NEW));
});

function recording(adapter: Adapter, calls: string[]): Adapter {
  return Object.fromEntries(
    Object.entries(adapter).map(([name, run]) => [name, (...args: unknown[]) => {
      calls.push(name);
      return (run as (...args: unknown[]) => unknown)(...args);
    }]),
  );
}

test("an address that somebody else gets meanwhile is not taken over", async () => {
  const scene = await open();
  const { site, ada } = scene;
  const link = await proveNew(site, ada, ADA);
  const bob = site.service.visitor();
  await byLink(site, bob, NEW);
  assert.equal((await press(ada, link)).error, "Verification");
  assert.equal(await addressOf(scene), ADA);
  assert.equal(await addressOf({ site, id: await bob.inside() ?? "" }), NEW);
});

test("a provider that vouches for the former address later gets nobody into the account", async () => {
  const confirming = teller("confirming", { allowDangerousEmailAccountLinking: true });
  const box = mailbox();
  const site = await openAccountSite({ adapter: memoryAdapter(), providers: [confirming, box.provider] });
  const ada = site.service.visitor();
  await ada.come("confirming", { sub: "1", email: ADA, email_verified: true });
  const id = await ada.inside() ?? assert.fail("nobody is in");
  const user = await site.adapter.getUser?.(id);
  // As after a link.
  await site.adapter.updateUser?.({ id, emailVerified: user?.emailVerified ?? new Date(site.runtime.now()) });
  await ada.come("confirming", { sub: "1", email: ADA, email_verified: true });
  await press(ada, await proveNew(site, ada, ADA));
  assert.equal(await addressOf({ site, id }), NEW);
  const stranger = site.service.visitor();
  await stranger.come("confirming", { sub: "2", email: ADA, email_verified: true });
  assert.notEqual(await stranger.inside(), id);
  // The account itself still is theirs, and changes nothing.
  const back = site.service.visitor();
  await back.come("confirming", { sub: "1", email: ADA, email_verified: true });
  assert.equal(await back.inside(), id);
  assert.equal(await addressOf({ site, id }), NEW);
});

test("without a proven address the proof of the new one is enough", async () => {
  const site = await openAccountSite({ adapter: memoryAdapter(), providers: [teller("plain"), mailbox().provider] });
  const ada = site.service.visitor();
  await ada.come("plain", { sub: "1" });
  const id = await ada.inside() ?? assert.fail("nobody is in");
  await send(ada, { act: "changeEmail", to: NEW });
  await press(ada, linkTo(site, NEW));
  assert.equal(await addressOf({ site, id }), NEW);
  assert.notEqual((await site.adapter.getUser?.(id))?.emailVerified, null);
});

async function openWithPassword(adapter: Adapter = memoryAdapter()): Promise<Scene & { readonly opens: Opens }> {
  const providers = [password({ hash: cheapHash() }), mailbox().provider];
  const site = await openAccountSite({ adapter, providers });
  const email = ADA;
  const emailVerified = new Date(site.runtime.now());
  const user = await adapter.createUser?.({ id: crypto.randomUUID(), name: null, email, emailVerified });
  const id = user?.id ?? assert.fail("the user was not stored");
  await passwordFunctions(site.service.engine).set(id, SECRET);
  const enter = async (visitor: Visitor, email: string) => {
    await visitor.post("/auth/callback/password", { email, password: SECRET });
    return await visitor.inside();
  };
  const ada = site.service.visitor();
  assert.equal(await enter(ada, ADA), id);
  return { site, ada, id, opens: async (email) => await enter(site.service.visitor(), email) === id };
}

type Opens = (email: string) => Promise<boolean>;

for (
  const [kind, make] of Object.entries({
    "memory": () => memoryAdapter(),
    "SQLite": () => sqliteAdapter(new DatabaseSync(":memory:")),
    "an adapter without transactions": () => besides(otherAdapter()),
  })
) {
  test(`the password works with the new address, and not with the former one: ${kind}`, async () => {
    const scene = await openWithPassword(make());
    const { site, ada, opens } = scene;
    await press(ada, await proveNew(site, ada, ADA));
    assert.equal(await addressOf(scene), NEW);
    assert.deepEqual([await opens(NEW), await opens(ADA)], [true, false]);
  });
}

test("a password that is changed makes the links void", async () => {
  const scene = await openWithPassword();
  const { site, ada } = scene;
  await send(ada, { act: "changeEmail", to: "later@new.example" });
  const link = await proveNew(site, ada, ADA);
  await passwordFunctions(site.service.engine).set(scene.id, "a bicycle on a pelican");
  assert.equal((await press(ada, link)).error, "Verification");
  assert.notEqual((await press(ada, linkTo(site, "later@new.example"))).error, undefined);
  assert.equal(await addressOf(scene), ADA);
});

for (
  const [kind, make] of Object.entries({
    memory: () => memoryAdapter(),
    SQLite: () => sqliteAdapter(new DatabaseSync(":memory:")),
  })
) {
  test(`of 64 people who take one address at once, one has it: ${kind}`, async () => {
    const adapter = make();
    const site = await openAccountSite({ adapter });
    const links: URL[] = [];
    for (let at = 0; at < 64; at++) {
      const visitor = site.service.visitor();
      const former = `person${at}@example.com`;
      await byLink(site, visitor, former);
      links.push(await proveNew(site, visitor, former));
    }
    const answers = await Promise.all(links.map((link) => press(site.service.visitor(), link)));
    assert.equal(answers.filter(({ error }) => error === undefined).length, 1);
    assert.ok(answers.every(({ error }) => error === undefined || error === "Verification"));
    assert.ok(await adapter.getUserByEmail?.(NEW));
  });

  test(`of 64 presses of one link at once, one counts: ${kind}`, async () => {
    const scene = await open({ adapter: make() });
    const { site, ada } = scene;
    const link = await proveNew(site, ada, ADA);
    const presses = Array.from({ length: 64 }, () => press(site.service.visitor(), link));
    const answers = await Promise.all(presses);
    assert.equal(answers.filter(({ error }) => error === undefined).length, 1);
    assert.equal(subjectsTo(site, NEW).filter((subject) => subject === CHANGED).length, 1);
    assert.equal(await addressOf(scene), NEW);
  });
}

const PAGE = { headers: { accept: "text/html" } };

test("all of it works on the pages, without a script", async () => {
  const scene = await open({ session: { strategy: "database" } });
  const { site, ada } = scene;
  const browser = new Browser(handlerOf(site.service.engine));
  await browser.csrf();
  browser.cookies.store(`authjs.session-token=${ada.token}; Path=/`, browser.url);
  await browser.open("/auth/account?act=changeEmail");
  await browser.submit({ to: NEW }, "/account");
  assert.match(browser.html, /Check your email|sent/i);
  const first = linkTo(site, NEW);
  await browser.open(first.pathname + first.search);
  await browser.submit({}, "/account");
  const mailbox = new Browser(handlerOf(site.service.engine));
  const second = linkTo(site, ADA);
  await mailbox.open(second.pathname + second.search);
  assert.ok(mailbox.html.includes(NEW));
  const form = readForms(mailbox.html).find(({ fields }) => fields.act === "allowEmail");
  const answer = await mailbox.post("/auth/account", form?.fields ?? assert.fail("there is no button"), PAGE);
  assert.match(await answer.text(), /Your email address is changed/);
  assert.equal(await addressOf(scene), NEW);
  await mailbox.open(second.pathname + second.search);
  assert.equal(mailbox.url.pathname, "/auth/error");
});

test("emails that somebody has sent to an address are limited", async () => {
  const { site, ada } = await open({ features: [limits()] });
  for (let times = 0; times < 40; times++) await send(ada, { act: "changeEmail", to: NEW });
  assert.ok(site.mails.length > 0 && site.mails.length < 20, String(site.mails.length));
});

test("of 16 presses of the link to the new address at once, one sends an email", async () => {
  const { site, ada } = await open();
  await send(ada, { act: "changeEmail", to: NEW });
  const link = linkTo(site, NEW);
  await Promise.all(Array.from({ length: 16 }, () => press(ada, link)));
  assert.equal(subjectsTo(site, ADA).length, 1);
});

test("where an email cannot be sent, the link to the new address still works", async () => {
  let isDown = false;
  const { site, ada } = await open({
    mail: (mail) => {
      if (isDown) throw new Error("the mail service is down");
      site.mails.push(mail);
    },
  });
  await send(ada, { act: "changeEmail", to: NEW });
  isDown = true;
  await assert.rejects(send(ada, { act: "changeEmail", to: "other@new.example" }), /answered 503/);
  await assert.rejects(press(ada, linkTo(site, NEW)), /answered 503/);
  isDown = false;
  assert.equal((await press(ada, linkTo(site, NEW))).error, undefined);
  assert.equal(subjectsTo(site, ADA).length, 1);
});

for (const { name, open: openAdapter } of FOREIGN_ADAPTERS) {
  test(`an address is changed, and an account deleted, with an adapter from npm: ${name}`, async () => {
    const { adapter, close } = await openAdapter();
    try {
      const scene = await open({ adapter: adapter as Adapter, session: { strategy: "database" } });
      const { site, ada } = scene;
      await press(ada, await proveNew(site, ada, ADA));
      assert.equal(await addressOf(scene), NEW);
      await byLink(site, ada, NEW);
      assert.equal(await ada.inside(), scene.id);
      await send(ada, { act: "delete", typed: NEW });
      assert.equal(await addressOf(scene), null);
      assert.equal(await ada.inside(), null);
    } finally {
      await close();
    }
  });
}

test("of many addresses that one person takes at once, one counts", async () => {
  const scene = await open();
  const { site, ada } = scene;
  const links: URL[] = [];
  for (let at = 0; at < 32; at++) links.push(await proveNew(site, ada, ADA, `ada${at}@new.example`));
  const answers = await Promise.all(links.map((link) => press(site.service.visitor(), link)));
  const won = answers.findIndex(({ error }) => error === undefined);
  assert.equal(answers.filter(({ error }) => error === undefined).length, 1);
  assert.equal(await addressOf(scene), `ada${won}@new.example`);
});

// The former mailbox is lost

async function openWithFactor(): Promise<Scene & { readonly enter: (visitor: Visitor) => Promise<void> }> {
  const scene = await open({ features: [secondFactor()] });
  const { site, ada } = scene;
  const app = await enrolAtOnce(site, ada);
  site.runtime.advance(7 * DAY);
  const enter = async (visitor: Visitor) => {
    await byLink(site, visitor);
    await prove(site, visitor, app);
    assert.equal(await visitor.inside(), scene.id);
  };
  await enter(ada);
  return { ...scene, enter };
}

async function lose({ site, ada }: Scene): Promise<void> {
  await send(ada, { act: "changeEmail", to: NEW, lost: "1" });
  await press(ada, linkTo(site, NEW));
}

test("whoever has lost the former mailbox, and signs in with two proofs, waits for 7 days", async () => {
  const scene = await openWithFactor();
  const { site, ada, enter } = scene;
  await lose(scene);
  assert.equal((await look(ada)).view?.waitingEmail?.to, NEW);
  assert.match(subjectsTo(site, ADA).at(-1) ?? "", /is going to change/);
  assert.match(subjectsTo(site, NEW).at(-1) ?? "", /is going to change/);
  assert.equal((await send(ada, { act: "takeEmail" })).problem, "expired");
  site.runtime.advance(7 * DAY - 120);
  await enter(ada);
  assert.equal((await send(ada, { act: "takeEmail" })).problem, "expired");
  assert.equal(await addressOf(scene), ADA);
  site.runtime.advance(120);
  assert.equal((await send(ada, { act: "takeEmail" })).error, undefined);
  assert.equal(await addressOf(scene), NEW);
  const back = site.service.visitor();
  await byLink(site, back, NEW);
  assert.equal(await back.inside(), null, "the second factor stays");
});

test("what waits is stopped by the former mailbox, and by its owner", async () => {
  for (const by of ["mail", "page"] as const) {
    const scene = await openWithFactor();
    const { site, ada, enter } = scene;
    await lose(scene);
    if (by === "mail") await press(site.service.visitor(), linkTo(site, ADA));
    else await send(ada, { act: "cancelEmail" });
    assert.equal(await ada.inside(), by === "mail" ? null : scene.id);
    site.runtime.advance(7 * DAY);
    await enter(ada);
    assert.equal((await look(ada)).view?.waitingEmail, null);
    assert.equal((await send(ada, { act: "takeEmail" })).problem, "expired");
    assert.equal(await addressOf(scene), ADA);
  }
});

test("the former mailbox may allow what waits, but not what was stopped", async () => {
  const scene = await openWithFactor();
  const { site, ada } = scene;
  await lose(scene);
  const link = linkTo(site, ADA);
  await send(ada, { act: "cancelEmail" });
  assert.equal((await press(ada, link, "allowEmail")).error, "Verification");
  await lose(scene);
  await press(ada, linkTo(site, ADA), "allowEmail");
  assert.equal(await addressOf(scene), NEW);
});

test("without a second factor nobody is told that they may lose a mailbox, or may", async () => {
  const { site, ada } = await open();
  const { step } = await look(ada, "?act=changeEmail");
  assert.deepEqual(step, { kind: "email", to: null });
  assert.equal((await send(ada, { act: "changeEmail", to: NEW, lost: "1" })).error, "AccessDenied");
  assert.equal(site.mails.length, 0);
});

// Storage that fails

for (
  const [kind, make] of Object.entries({
    "transactions": () => memoryAdapter(),
    "steps": () => otherAdapter(),
  })
) {
  test(`where storage fails, the address is the former one or the new one, and nobody is left without a way in: ${kind}`, async () => {
    for (let at = 0; at < 40; at++) {
      for (const does of [false, true]) {
        const trap = new FailingCall();
        const base = make();
        const scene = await open({ adapter: trap.around(besides(base)) });
        const { site, ada } = scene;
        const link = await proveNew(site, ada, ADA);
        trap.arm(at, does);
        await press(ada, link).catch(() => null);
        const isOver = trap.calls.length <= at;
        trap.arm(-1, false);
        // As often as somebody would try it.
        await press(ada, link).catch(() => null);
        const address = await addressOf(scene);
        assert.ok(address === NEW || address === ADA, `${trap.calls[at]} ${does}`);
        const back = site.service.visitor();
        await byLink(site, back, address);
        assert.equal(await back.inside(), scene.id);
        if (isOver) return assert.ok(at > 3);
      }
    }
    assert.fail("it never ends");
  });
}
