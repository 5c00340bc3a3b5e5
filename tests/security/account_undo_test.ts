/** What was removed from an account comes back by the link of an email: once, for a day, and for its owner only. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { type AccountSite, act, ADA, byLink, look, openAccountSite, read, waysIn } from "../_support/account_site.ts";
import type { SessionKind } from "../_support/session_kinds.ts";
import type { Visitor } from "../_support/visitors.ts";

const PLAIN = { provider: "plain", providerAccountId: "ada" };

interface Removed {
  readonly site: AccountSite;
  readonly ada: Visitor;
  readonly userId: string;
  /** The token of the link. */
  readonly token: string;
}

/** Ada, who has removed her account at a provider. */
async function removed(config: Partial<SessionKind> = {}): Promise<Removed> {
  const site = await openAccountSite({ adapter: memoryAdapter(), ...config });
  const ada = site.service.visitor();
  await byLink(site, ada);
  await ada.come("plain", { sub: "ada" });
  const userId = await ada.inside() ?? assert.fail();
  // What was added just now does not come back.
  site.runtime.advance(24 * 60 * 60);
  await byLink(site, ada);
  const [way] = await waysIn(ada);
  await act(ada, { act: "unlink", id: way?.id ?? "" });
  assert.equal(await site.adapter.getUserByAccount?.(PLAIN), null);
  return { site, ada, userId, token: tokenIn(site) };
}

function tokenIn({ mails }: AccountSite): string {
  const [, token] = /act=undo&token=(\S+)/.exec(mails.at(-1)?.text ?? "") ?? assert.fail("the mail has no link");
  return token ?? "";
}

async function ownerOf({ adapter }: AccountSite): Promise<string | null> {
  return (await adapter.getUserByAccount?.(PLAIN))?.id ?? null;
}

const STORES: Readonly<Record<string, () => Partial<SessionKind>>> = {
  "in one storage": () => ({}),
  "with encrypted sessions": () => ({ session: { strategy: "jwt" } }),
};

for (const [name, config] of Object.entries(STORES)) {
  test(`what was removed comes back, all sessions end, and its owner is told: ${name}`, async () => {
    const { site, ada, userId, token } = await removed(config());
    const elsewhere = site.service.visitor();
    await byLink(site, elsewhere);
    const opened = await look(ada, `?act=undo&token=${token}`);
    assert.deepEqual([opened.view, opened.step.kind], [null, "undo"]);
    assert.equal(await ownerOf(site), null, "to open the link undoes nothing");
    assert.equal((await act(ada, { act: "undo", token })).step.kind, "undone");
    assert.equal(await ownerOf(site), userId);
    assert.deepEqual([await ada.inside(), await elsewhere.inside()], [null, null]);
    assert.match(site.mails.at(-1)?.subject ?? "", /is back/);
    await ada.come("plain", { sub: "ada" });
    assert.equal(await ada.inside(), userId);
  });
}

test("a link works once", async () => {
  const { site, ada, token } = await removed();
  await act(ada, { act: "undo", token });
  await byLink(site, ada);
  const [way] = await waysIn(ada);
  await act(ada, { act: "unlink", id: way?.id ?? "" });
  const again = await ada.post("/auth/account", { act: "undo", token });
  assert.match(again.headers.get("location") ?? "", /Verification/);
  assert.equal(await ownerOf(site), null);
});

test("of many presses of the button one undoes it", async () => {
  const { site, ada, userId, token } = await removed();
  const answers = await Promise.all(
    Array.from({ length: 16 }, () => ada.post("/auth/account", { act: "undo", token })),
  );
  assert.equal(await ownerOf(site), userId);
  const bodies = await Promise.all(answers.filter(({ status }) => status === 200).map(read));
  assert.equal(bodies.filter(({ step }) => step.kind === "undone").length, 1);
});

test("after a day nothing comes back", async () => {
  const { site, ada, token } = await removed();
  site.runtime.advance(24 * 60 * 60);
  await byLink(site, ada);
  const late = await ada.post("/auth/account", { act: "undo", token });
  assert.match(late.headers.get("location") ?? "", /Verification/);
  assert.equal(await ownerOf(site), null);
});

test("whoever has only the link is asked to sign in, and so is another user, and whoever signed in long ago", async () => {
  const { site, ada, token } = await removed();
  const finder = site.service.visitor();
  const eve = site.service.visitor();
  await eve.come("plain", { sub: "eve", email: "eve@example.com" });
  site.runtime.advance(601);
  for (const visitor of [finder, eve, ada]) {
    const { step } = await act(visitor, { act: "undo", token });
    assert.deepEqual([step.kind, "isProven" in step && step.isProven], ["undo", false]);
    assert.equal(await ownerOf(site), null);
  }
});

test("what somebody else has meanwhile stays where it is", async () => {
  const { site, ada, token } = await removed();
  const other = site.service.visitor();
  await other.come("plain", { sub: "ada", email: "other@example.com" });
  const answer = await ada.post("/auth/account", { act: "undo", token });
  assert.deepEqual([answer.status, (await read(answer)).problem], [403, "expired"]);
  assert.equal(await ownerOf(site), await other.inside());
  assert.ok(await ada.inside(), "nothing was done, so nobody is signed out");
});

test("a changed link undoes nothing", async () => {
  const { site, ada, token } = await removed();
  const [user = "", record = "", secret = ""] = token.split(".");
  const others = [
    ["", record, secret],
    [user, "other", secret],
    [user, record, "0".repeat(64)],
    [btoa("eve"), record, secret],
    [user, record],
    ["x".repeat(5000), record, secret],
  ];
  for (const parts of others) {
    const changed = parts.join(".");
    const opened = await ada.get(`/auth/account?act=undo&token=${changed}`);
    assert.match(opened.headers.get("location") ?? "", /Verification/, changed.slice(0, 100));
    await ada.post("/auth/account", { act: "undo", token: changed });
  }
  assert.equal(await ownerOf(site), null);
});

test("where nothing can be kept, the mail has no link", async () => {
  const { getRecord: _, putRecord: __, removeRecord: ___, listRecords: ____, ...adapter } = memoryAdapter();
  const site = await openAccountSite({ adapter });
  const ada = site.service.visitor();
  await byLink(site, ada);
  await ada.come("plain", { sub: "ada" });
  const [way] = await waysIn(ada);
  await act(ada, { act: "unlink", id: way?.id ?? "" });
  assert.deepEqual([await ownerOf(site), site.mails.at(-1)?.to], [null, ADA]);
  assert.doesNotMatch(site.mails.at(-1)?.text ?? "", /https?:/);
});

test("the tokens of an account are not kept for the way back", async () => {
  const site = await openAccountSite({ adapter: memoryAdapter() });
  const ada = site.service.visitor();
  await byLink(site, ada);
  const userId = await ada.inside() ?? assert.fail();
  await site.adapter.linkAccount?.({
    ...PLAIN,
    userId,
    type: "oauth",
    access_token: "a-secret",
    refresh_token: "r-secret",
  });
  const [way] = await waysIn(ada);
  await act(ada, { act: "unlink", id: way?.id ?? "" });
  const records = await site.adapter.listRecords?.({ kind: "removed", userId }) ?? [];
  assert.equal(records.length, 1);
  assert.doesNotMatch(JSON.stringify(records), /secret/);
});
