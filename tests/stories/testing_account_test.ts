/** Visitors of the test kit on the account page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { accountPage, type AccountPageOptions } from "@x/auth/account";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { github } from "@x/auth/providers/github";
import { google } from "@x/auth/providers/google";
import { testAuth, type World } from "@x/auth/testing";

const ADA = { name: "Ada", email: "ada@example.com" };

function open(options: AccountPageOptions = {}): World {
  return testAuth({
    adapter: memoryAdapter(),
    providers: [google(), github()],
    session: { strategy: "database" },
    mail: () => {},
    features: [accountPage(options)],
  });
}

test("a visitor sees and changes their account, and saves its data", async () => {
  const world = open({ export: () => ({ notes: 2 }) });
  const visitor = await world.visitor().signInAs(ADA);
  const { account, error } = await visitor.account();
  assert.deepEqual([account?.user.email, account?.ways?.map(({ provider }) => provider), error], [
    ADA.email,
    ["google"],
    null,
  ]);
  const [session] = account?.sessions ?? [];
  assert.ok(session?.isCurrent && session.expires.getTime() > world.clock.now());
  const renamed = await visitor.changeAccount("rename", { name: "Countess" });
  assert.equal(renamed.account?.user.name, "Countess");
  assert.equal((await visitor.session())?.user?.name, "Countess");
  const { data } = await visitor.changeAccount("export");
  assert.deepEqual(data?.application, { notes: 2 });
});

test("a visitor is told why nothing was changed", async () => {
  const world = open();
  const { account, error, status } = await world.visitor().account();
  assert.deepEqual([account, error, status], [null, "SessionRequired", 401]);
  const visitor = await world.visitor().signInAs(ADA);
  const [way] = (await visitor.account()).account?.ways ?? [];
  const last = await visitor.changeAccount("unlink", { id: way?.id ?? "" });
  assert.deepEqual([last.error, last.problem, last.status], ["LastWayIn", "last-way", 409]);
  assert.equal(last.account?.ways?.length, 1);
  world.clock.advance("11m");
  assert.equal((await visitor.changeAccount("endOthers")).error, "SessionRequired");
});

test("a visitor deletes their account, unless the application answers in place of it", async () => {
  const visitor = await open().visitor().signInAs(ADA);
  assert.equal((await visitor.changeAccount("delete", { typed: "x" })).problem, "typed");
  const gone = await visitor.changeAccount("delete", { typed: ADA.email });
  assert.deepEqual([gone.account, gone.error, await visitor.session()], [null, null, null]);

  const asked = await open({ delete: () => new Response("Write to us", { status: 403 }) }).visitor().signInAs(ADA);
  assert.equal((await asked.changeAccount("delete", { typed: ADA.email })).status, 403);
  assert.ok(await asked.session());
});
