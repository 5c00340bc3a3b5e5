/** Taking one's data, deleting the account, and keeping it after all. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Adapter, AuthConfig, CompleteAdapter } from "@x/auth";
import { memoryAdapter, memoryRecords } from "@x/auth/adapters/memory";
import { withRecords } from "@x/auth/adapters/records";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { limits } from "@x/auth/limits";
import { passkey } from "@x/auth/providers/passkey";
import { password } from "@x/auth/providers/password";
import type { AccountPageOptions } from "../../src/account.ts";
import { secondFactor } from "../../src/second_factor.ts";
import { accountFunctions } from "../../src/service/account_actions.ts";
import { passwordFunctions } from "../../src/service/password_actions.ts";
import { send, subjectsTo } from "../_support/account_mail.ts";
import { type AccountSite, ADA, byLink, look, openAccountSite } from "../_support/account_site.ts";
import { enrolAtOnce, prove } from "../_support/enrolling.ts";
import { FailingCall } from "../_support/failing_call.ts";
import { cheapHash } from "../_support/passwords.ts";
import { mailbox } from "../_support/mailbox.ts";
import { otherAdapter } from "../_support/session_kinds.ts";
import { teller, type Visitor } from "../_support/visitors.ts";

const DAY = 24 * 60 * 60;

const besides = (adapter: Adapter) => withRecords(adapter, memoryRecords(), { logger: { warn: () => {} } });

interface Scene {
  readonly site: AccountSite;
  readonly ada: Visitor;
  readonly id: string;
}

interface Given extends Partial<AuthConfig> {
  readonly adapter?: Adapter;
  readonly options?: AccountPageOptions;
}

async function open(config: Given = {}): Promise<Scene> {
  const site = await openAccountSite({ adapter: memoryAdapter(), ...config } as Parameters<typeof openAccountSite>[0]);
  const ada = site.service.visitor();
  await byLink(site, ada);
  return { site, ada, id: await ada.inside() ?? assert.fail("nobody is in") };
}

async function isStored({ site, id }: Pick<Scene, "site" | "id">): Promise<boolean> {
  return await site.adapter.getUser?.(id) != null;
}

const leave = (visitor: Visitor, typed = ADA) => send(visitor, { act: "delete", typed });

const KINDS = {
  "memory": () => memoryAdapter(),
  "SQLite": () => sqliteAdapter(new DatabaseSync(":memory:")),
  "an adapter of others": () => otherAdapter(),
  "an adapter of others, with records": () => besides(otherAdapter()),
} satisfies Readonly<Record<string, () => Adapter>>;

for (const [kind, make] of Object.entries(KINDS)) {
  test(`an account is deleted with everything, once its address was typed: ${kind}`, async () => {
    const scene = await open({ adapter: make() });
    const { site, ada, id } = scene;
    const other = site.service.visitor();
    await byLink(site, other);
    await ada.register(ADA);
    const [key] = await site.adapter.listAuthenticatorsByUserId?.(id) ?? [];
    assert.equal((await look(ada, "?act=delete")).step.kind, "delete");
    for (const typed of ["", "delete", "bob@example.com", "ada@example.co"]) {
      assert.equal((await leave(ada, typed)).problem, "typed");
      assert.equal(await isStored(scene), true);
    }
    assert.equal((await leave(ada, " ADA@example.com ")).problem, undefined);
    assert.deepEqual([await isStored(scene), await ada.inside(), await other.inside()], [false, null, null]);
    const adapter = site.adapter as CompleteAdapter;
    const account = { provider: "passkey", providerAccountId: key?.providerAccountId ?? assert.fail("no passkey") };
    assert.equal(await adapter.getUserByAccount(account), null);
    assert.deepEqual(subjectsTo(site, ADA), [
      "A passkey was added to your account at localhost:3000",
      "Your account at localhost:3000 was deleted",
    ]);
    assert.deepEqual(
      site.events.filter(({ type }) => type === "userDeleted").map((event) => "userId" in event && event.userId),
      [id],
    );
    await byLink(site, other);
    // Where users are found by an id that is made from the address, it is a new user all the same.
    assert.equal((await look(other)).view?.passkeys?.length, 0);
  });
}

test("records do not outlive their user", async () => {
  for (const adapter of [memoryAdapter(), besides(otherAdapter())]) {
    const scene = await open({ adapter });
    const { site, ada, id } = scene;
    for (const kind of ["password", "factor", "seen", "email-change"]) {
      await adapter.putRecord?.({ kind, id, userId: id, version: 0, data: {} });
    }
    await leave(ada);
    for (const kind of ["password", "factor", "seen", "email-change", "deletion"]) {
      assert.deepEqual(await site.adapter.listRecords?.({ kind, userId: id }), [], kind);
    }
  }
});

test("a database that refuses to remove a user with rows is left with none of them", async () => {
  const base = besides(otherAdapter()) as CompleteAdapter;
  const left = async (userId: string) => [
    ...await base.listAccountsByUserId(userId),
    ...await base.listSessionsByUserId(userId),
    ...await base.listAuthenticatorsByUserId(userId),
  ];
  const deleteUser = async (userId: string) => {
    if ((await left(userId)).length > 0) throw new Error("FOREIGN KEY constraint failed");
    await base.deleteUser(userId);
  };
  const scene = await open({ adapter: { ...base, deleteUser } });
  await scene.ada.register(ADA);
  assert.ok((await left(scene.id)).length > 1);
  await leave(scene.ada);
  assert.equal(await isStored(scene), false);
});

test("nobody deletes an account without a fresh sign-in, or where the site does not offer it", async () => {
  const stale = await open();
  stale.site.runtime.advance(11 * 60);
  assert.equal((await leave(stale.ada)).error, "SessionRequired");
  assert.equal(await isStored(stale), true);
  const closed = await open({ options: { delete: false } });
  assert.equal((await leave(closed.ada)).error, "AccessDenied");
  assert.equal((await look(closed.ada, "?act=delete")).step.kind, "overview");
  assert.equal(await isStored(closed), true);
});

test("whoever signs in with two proofs gives both before they delete their account", async () => {
  const scene = await open({ features: [secondFactor()] });
  const { site, ada } = scene;
  const app = await enrolAtOnce(site, ada);
  assert.equal((await leave(ada)).error, "StepUpRequired");
  await byLink(site, ada);
  await prove(site, ada, app);
  await leave(ada);
  assert.equal(await isStored(scene), false);
});

test("to delete an account twice at once does no harm", async () => {
  const scene = await open({ session: { strategy: "database" } });
  const answers = await Promise.all(Array.from({ length: 8 }, () => leave(scene.ada)));
  assert.ok(
    answers.every(({ error }) =>
      error === undefined || ["SessionRequired", "AdapterError", "Configuration"].includes(error)
    ),
    JSON.stringify(answers),
  );
  assert.equal(await isStored(scene), false);
});

test("the application may answer in place of deleting, and what it gives otherwise deletes nobody", async () => {
  const answered = await open({ options: { delete: () => new Response("ask us", { status: 202 }) } });
  const response = await answered.ada.post("/auth/account", { act: "delete", typed: ADA });
  assert.deepEqual([response.status, await response.text()], [202, "ask us"]);
  assert.equal(await isStored(answered), true);
  // A framework may replace the global `Response`, so that one is of another class.
  const foreign = new Proxy(new Response("ask them", { status: 202 }), {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
    getPrototypeOf: () => Object.prototype,
  });
  assert.equal(foreign instanceof Response, false);
  const elsewhere = await open({ options: { delete: () => foreign } });
  const other = await elsewhere.ada.post("/auth/account", { act: "delete", typed: ADA });
  assert.deepEqual([other.status, await other.text()], [202, "ask them"]);
  assert.equal(await isStored(elsewhere), true);
  const allowed = await open({ options: { delete: () => "delete" } });
  await leave(allowed.ada);
  assert.equal(await isStored(allowed), false);
  const wrong = await open({ options: { delete: (() => undefined) as unknown as () => "delete" } });
  await leave(wrong.ada).catch(() => null);
  assert.equal(await isStored(wrong), true);
});

test("the application deletes an account for whoever is signed in, without typing", async () => {
  const scene = await open();
  const cookie = [...scene.ada.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { cookie, origin: "http://localhost:3000", "sec-fetch-site": "same-origin" };
  const { engine } = scene.site.service;
  await accountFunctions(engine).delete(new Request("http://localhost:3000/leave", { method: "POST", headers }));
  assert.equal(await isStored(scene), false);
});

// Later

for (
  const [kind, make] of Object.entries({ memory: KINDS.memory, others: KINDS["an adapter of others, with records"] })
) {
  test(`with days to keep it, an account is deleted once they are over, and only then: ${kind}`, async () => {
    const scene = await open({ adapter: make(), options: { delete: { graceDays: 14 } } });
    const { site, ada } = scene;
    const { deleteDue } = accountFunctions(site.service.engine);
    const other = site.service.visitor();
    await byLink(site, other);
    await leave(ada);
    assert.deepEqual([await isStored(scene), await ada.inside(), await other.inside()], [true, null, null]);
    assert.deepEqual(subjectsTo(site, ADA), ["Your account at localhost:3000 is going to be deleted"]);
    site.runtime.advance(14 * DAY - 1);
    assert.equal(await deleteDue(), 0);
    assert.equal(await isStored(scene), true);
    site.runtime.advance(1);
    assert.equal(await deleteDue(), 1);
    assert.equal(await isStored(scene), false);
    assert.equal(await deleteDue(), 0);
    assert.equal(site.events.filter(({ type }) => type === "userDeleted").length, 1);
  });

  test(`whoever signs in within these days keeps the account: ${kind}`, async () => {
    const scene = await open({ adapter: make(), options: { delete: { graceDays: 14 } } });
    const { site, ada } = scene;
    await leave(ada);
    site.runtime.advance(10 * DAY);
    await byLink(site, ada);
    assert.equal(await ada.inside(), scene.id);
    const at = (await look(ada)).view?.deletedAt;
    assert.equal(new Date(at ?? 0).getTime(), site.runtime.now() + 4 * DAY * 1000);
    // To ask again gives no more time, and no less.
    await leave(ada);
    await byLink(site, ada);
    assert.equal((await look(ada)).view?.deletedAt, at);
    site.runtime.advance(60 * 60);
    assert.equal((await send(ada, { act: "keep" })).error, undefined);
    assert.equal((await look(ada)).view?.deletedAt, null);
    assert.equal(subjectsTo(site, ADA).at(-1), "Your account at localhost:3000 is not deleted");
    site.runtime.advance(10 * DAY);
    assert.equal(await accountFunctions(site.service.engine).deleteDue(), 0);
    assert.equal(await isStored(scene), true);
  });

  test(`whoever signs in after these days is not let in, and the account is gone: ${kind}`, async () => {
    const scene = await open({ adapter: make(), options: { delete: { graceDays: 1 } } });
    const { site } = scene;
    await leave(scene.ada);
    site.runtime.advance(DAY);
    const late = site.service.visitor();
    await byLink(site, late);
    assert.equal(await late.inside(), null);
    assert.equal(await isStored(scene), false);
    await byLink(site, late);
    assert.notEqual(await late.inside(), scene.id);
  });
}

test("a session that has outlived the days keeps nothing", async () => {
  const scene = await open({ options: { delete: { graceDays: 1 } } });
  const { site, ada } = scene;
  await leave(ada);
  await byLink(site, ada);
  site.runtime.advance(DAY);
  assert.equal((await send(ada, { act: "keep" })).problem, "expired");
});

test("of an account that is kept and one that is deleted at the same moment, one is so whole", async () => {
  const scene = await open({ options: { delete: { graceDays: 1 } } });
  const { site, ada } = scene;
  await leave(ada);
  await byLink(site, ada);
  const record = await site.adapter.getRecord?.({ kind: "deletion", id: scene.id });
  assert.ok(record);
  await send(ada, { act: "keep" });
  // A process that has read the record before.
  assert.equal(await site.adapter.putRecord?.(record), null);
});

test("whoever signs in again after a deletion that broke off keeps the account, whatever other features ask for", async () => {
  for (const features of [[], [secondFactor()]]) {
    const scene = await open({ features });
    const { adapter, service, runtime } = scene.site;
    const data = { at: new Date(runtime.now()).toISOString() };
    await adapter.putRecord?.({
      kind: "deletion",
      id: scene.id,
      userId: scene.id,
      group: "deletions",
      version: 0,
      data,
    });
    await byLink(scene.site, scene.ada);
    assert.equal(await scene.ada.inside(), scene.id);
    assert.equal(await accountFunctions(service.engine).deleteDue(), 0);
    assert.equal(await isStored(scene), true);
  }
});

test("a record that somebody wrote by hand deletes nobody", async () => {
  const scene = await open({ options: { delete: { graceDays: 1 } } });
  const { adapter } = scene.site;
  const record = { kind: "deletion", id: scene.id, userId: scene.id, group: "deletions", version: 0 };
  await adapter.putRecord?.({ ...record, data: { at: "soon" } });
  assert.equal(await accountFunctions(scene.site.service.engine).deleteDue(), 0);
  assert.equal(await isStored(scene), true);
});

for (
  const [kind, make] of Object.entries({ memory: KINDS.memory, others: KINDS["an adapter of others, with records"] })
) {
  test(`wherever deleting breaks off, it can be finished: ${kind}`, async () => {
    for (let at = 0; at < 60; at++) {
      for (const does of [false, true]) {
        const trap = new FailingCall();
        const scene = await open({ adapter: trap.around(make()) });
        const { site, ada } = scene;
        await ada.register(ADA);
        trap.arm(at, does);
        await leave(ada).catch(() => null);
        const isOver = trap.calls.length <= at;
        const where = `${trap.calls[at]} ${does}`;
        trap.arm(-1, false);
        if (await isStored(scene)) {
          // Either it goes on by itself, or its owner gets in again.
          await accountFunctions(site.service.engine).deleteDue();
          if (await isStored(scene)) {
            const again = site.service.visitor();
            await byLink(site, again);
            assert.equal(await again.inside(), scene.id, where);
            await leave(again);
          }
        }
        assert.equal(await isStored(scene), false, where);
        if (isOver) return assert.ok(at > 3);
      }
    }
    assert.fail("it never ends");
  });
}

// The file

test("the file has what is stored of somebody, and no secret", async () => {
  const adapter = memoryAdapter();
  const canaries: string[] = [];
  const canary = (name: string) => {
    canaries.push(`canary-${name}-${crypto.randomUUID()}`);
    return canaries.at(-1) ?? "";
  };
  const box = mailbox();
  const site = await openAccountSite({
    adapter,
    providers: [teller("plain"), passkey(), password({ hash: cheapHash() }), box.provider],
    features: [secondFactor()],
    options: { export: ({ email }) => ({ orders: [`one of ${email}`] }) },
  });
  const ada = site.service.visitor();
  await ada.come("plain", { sub: "sub-1", email: ADA });
  const id = await ada.inside() ?? assert.fail("nobody is in");
  await adapter.updateUser?.({ id, emailVerified: new Date(site.runtime.now()), securityStamp: canary("stamp") });
  await passwordFunctions(site.service.engine).set(id, `${canary("password")} is long`);
  const tokens = { access_token: canary("access"), refresh_token: canary("refresh"), id_token: canary("id") };
  await adapter.updateAccount?.({ provider: "plain", providerAccountId: "sub-1", ...tokens });
  await adapter.createAuthenticator?.({
    credentialID: "Y3JlZA",
    userId: id,
    providerAccountId: "Y3JlZA",
    credentialPublicKey: canary("key"),
    counter: 7,
    credentialDeviceType: "multiDevice",
    credentialBackedUp: true,
    transports: "internal",
  });
  const data = { type: "totp", name: "Phone", isConfirmed: true, secret: canary("totp"), createdAt: 1, usedAt: null };
  await adapter.putRecord?.({ kind: "factor", id: "totp-1", userId: id, version: 0, data });
  const back = site.service.visitor();
  await back.come("plain", { sub: "sub-1", email: ADA });
  const response = await back.post("/auth/account", { act: "export" });
  const text = await response.text();
  assert.match(response.headers.get("content-disposition") ?? "", /^attachment; filename="?account\.json/);
  assert.match(response.headers.get("cache-control") ?? "", /no-store/);
  const file = JSON.parse(text);
  assert.deepEqual(Object.keys(file), [
    ...["exportedAt", "user", "accounts", "passkeys", "sessions", "secondFactors", "password", "application"],
  ]);
  assert.deepEqual(file.accounts, [{ provider: "plain", providerAccountId: "sub-1", type: "oauth" }]);
  assert.equal(file.user.email, ADA);
  assert.equal(file.passkeys.length, 1);
  assert.deepEqual(file.application, { orders: [`one of ${ADA}`] });
  assert.ok(file.password.setAt);
  assert.ok(canaries.length > 5);
  const secrets = [...canaries, back.token ?? "none", ada.token ?? "none", "new:"];
  for (const secret of secrets) assert.ok(!text.includes(secret), secret);
  const rows = await adapter.listSessionsByUserId?.(id) ?? [];
  for (const { sessionToken } of rows) assert.ok(!text.includes(sessionToken));
  assert.equal(subjectsTo(site, ADA).at(-1), "The data of your account at localhost:3000 were downloaded");
});

test("nobody takes the file without a fresh sign-in", async () => {
  const { site, ada } = await open();
  site.runtime.advance(11 * 60);
  assert.equal((await send(ada, { act: "export" })).error, "SessionRequired");
  assert.equal(site.mails.length, 0);
});

test("what the application adds is an object that JSON can hold, or there is no file", async () => {
  for (const given of [[], "text", null, { big: 1n }]) {
    const { site, ada } = await open({
      options: { export: (() => given) as unknown as () => Record<string, unknown> },
    });
    const response = await ada.post("/auth/account", { act: "export" }).catch(() => null);
    assert.notEqual(
      response?.headers.get("content-type")?.includes("application/json") && response.status === 200,
      true,
    );
    assert.equal(site.mails.length, 0);
  }
});

/** What `export` gives, and what the log says of it. */
const FAILING: Readonly<Record<string, readonly [make: () => unknown, said: RegExp]>> = {
  "a number that JSON does not have": [() => ({ big: 1n }), /gave what JSON cannot hold/],
  "a circle": [() => {
    const circle: Record<string, unknown> = {};
    return Object.assign(circle, { circle });
  }, /gave what JSON cannot hold/],
  "an object that turns into a text": [() => ({ toJSON: () => "a text" }), /gave no object/],
  "an object that is nothing as JSON": [() => ({ toJSON: () => undefined }), /gave what JSON cannot hold/],
  "an object that changes its mind": [() => {
    let times = 0;
    return { toJSON: () => times++ === 0 ? "a text" : {} };
  }, /gave no object/],
  "an error": [() => Promise.reject(new Error("the database is down")), /failed, or gave/],
  "no answer": [() => new Promise(() => {}), /failed, or gave/],
};

for (const [what, [make, said]] of Object.entries(FAILING)) {
  test(`a file for which the application gives ${what} is a small error, in time and without an email`, async () => {
    const { site, ada } = await open({
      options: { export: make as () => Record<string, unknown> },
      timeouts: { total: 1 },
    });
    const response = await press(site, ada);
    assert.notEqual(response.status, 200);
    assert.ok((await response.text()).length < 10_000);
    assert.match(String(site.service.errors.at(-1)), /`export` of `accountPage\(\)`/);
    assert.match(String(site.service.errors.at(-1)), said);
    assert.equal(site.mails.length, 0);
  });
}

/** Asks for the file, whatever the answer is. */
async function press({ service }: AccountSite, { cookies }: Visitor): Promise<Response> {
  const headers = new Headers({ "sec-fetch-site": "same-origin", "origin": "http://localhost:3000" });
  headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
  const body = new URLSearchParams({ csrfToken: service.csrfToken, act: "export" });
  return await service.send(new Request("http://localhost:3000/auth/account", { method: "POST", headers, body }));
}

test("of files that somebody asks for at the same time, one is made", async () => {
  let made = 0;
  const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>();
  const { site, ada } = await open({ options: { export: () => (made++, promise) } });
  const first = press(site, ada);
  while (made === 0) await new Promise((done) => setTimeout(done, 1));
  const others = await Promise.all(Array.from({ length: 20 }, () => press(site, ada)));
  for (const other of others) {
    assert.equal(other.status, 429);
    assert.equal((await other.json()).error, "TooManyAttempts");
    assert.ok(Number(other.headers.get("retry-after")) > 0);
  }
  const bob = site.service.visitor();
  await byLink(site, bob, "bob@example.com");
  const theirs = press(site, bob);
  while (made === 1) await new Promise((done) => setTimeout(done, 1));
  resolve({});
  assert.deepEqual([(await first).status, (await theirs).status], [200, 200]);
  assert.equal(made, 2);
  assert.equal((await press(site, ada)).status, 200, "after the first one");
});

test("files are limited like the emails that tell of them", async () => {
  const { site, ada } = await open({ features: [limits()] });
  const statuses = [];
  for (let times = 0; times < 4; times++) statuses.push((await press(site, ada)).status);
  assert.deepEqual(statuses, [200, 200, 200, 429]);
  assert.equal(site.mails.length, 3);
  site.runtime.advance(9 * 60);
  assert.equal((await press(site, ada)).status, 429);
});

const KEEPING: Readonly<Record<string, () => Given>> = {
  "the adapter cannot delete a user": () => {
    const { deleteUser: _, ...keeping } = memoryAdapter();
    return { adapter: keeping as Adapter };
  },
  "there are no records for a wait": () => ({ adapter: otherAdapter(), options: { delete: { graceDays: 14 } } }),
};

for (const [why, config] of Object.entries(KEEPING)) {
  test(`nobody is offered to delete an account that cannot be deleted: ${why}`, async () => {
    const scene = await open(config());
    const { view, step } = await look(scene.ada, "?act=delete");
    assert.equal(view?.mayDelete, false);
    assert.deepEqual(step, { kind: "overview", done: null });
    await leave(scene.ada);
    assert.ok(await isStored(scene));
    assert.ok(await scene.ada.inside());
    assert.match(String(scene.site.service.errors.at(-1)), /Cannot delete the account/);
  });
}
