/** A passkey is removed at the page of second factors as it is on the account page, and who is told of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { passkey } from "@x/auth/providers/passkey";
import { secondFactor } from "../../src/second_factor.ts";
import { act, ADA, byLink, look, openAccountSite } from "../_support/account_site.ts";
import { enrol, resolvedFor } from "../_support/second_factor.ts";
import type { Visitor } from "../_support/visitors.ts";

const DAY = 24 * 60 * 60;

interface Given {
  readonly bare?: boolean;
  /** Second factors besides the passkey. */
  readonly kinds?: Parameters<typeof enrol>[2];
  readonly adapter?: Adapter;
}

/** Ada has a passkey of more than a day, which is a second factor, and is signed in with it in two browsers. */
async function open({ bare = false, kinds = ["recovery"], adapter = memoryAdapter() }: Given = {}) {
  const told: string[] = [];
  const site = await openAccountSite({
    adapter,
    bare,
    features: [secondFactor({ methods: ["totp", "passkey"] })],
    events: { unlinkAccount: ({ user, account }) => void told.push(`${user.email} ${JSON.stringify(account)}`) },
  });
  const ada = site.service.visitor();
  await byLink(site, ada);
  const userId = await ada.inside() ?? assert.fail();
  const key = await ada.register(ADA) ?? assert.fail();
  site.runtime.advance(DAY);
  await enrol(resolvedFor(adapter, site.runtime), userId, kinds);
  const elsewhere = site.service.visitor();
  Object.assign(elsewhere, { device: ada.device });
  for (const visitor of [ada, elsewhere]) {
    await visitor.signOut();
    await visitor.authenticate(key);
    assert.equal(await visitor.inside(), userId);
  }
  site.mails.length = 0;
  site.events.length = 0;
  return { ...site, ada, elsewhere, userId, key, told };
}

type Opened = Awaited<ReturnType<typeof open>>;

const PLACES: Readonly<Record<string, (opened: Pick<Opened, "ada">) => Promise<void>>> = {
  "the account page": async ({ ada }) => {
    const [shown] = (await look(ada)).view?.passkeys ?? [];
    assert.equal((await act(ada, { act: "removePasskey", id: shown?.id ?? "" })).problem, null);
  },
  "the page of second factors": async ({ ada }) => {
    const { factors } = await (await ada.get("/auth/factors")).json();
    const { id } = factors.find(({ type }: { readonly type: string }) => type === "passkey");
    const { problem, factors: left } = await (await ada.post("/auth/factors", { act: "remove", id })).json();
    assert.equal(problem, null);
    assert.ok(!left.some((factor: { readonly id: string }) => factor.id === id));
  },
};

/** What has come of it, without what differs from one to the next. */
async function outcomeOf({ ada, elsewhere, adapter, userId, mails, events, told }: Opened) {
  const records = async (kind: string) => (await adapter.listRecords?.({ kind, userId }) ?? []).length;
  const undo = /https?:\S+act=undo\S+/;
  return {
    sessions: [await ada.inside(), await elsewhere.inside()].map((inside) => inside === userId),
    passkeys: (await adapter.listAuthenticatorsByUserId?.(userId))?.length,
    accounts: (await adapter.listAccountsByUserId?.(userId))?.length,
    records: [await records("passkey-info"), await records("factor"), await records("removed")],
    mails: mails.map(({ to, subject, text }) => `${to} ${subject} ${undo.test(text) ? "with" : "without"} undo`).sort(),
    events: events.map((event) => "factor" in event ? `${event.type} ${event.factor}` : event.type),
    told: told.map((text) => text.replaceAll(/"providerAccountId":"[^"]+"/g, "")),
  };
}

for (const kinds of [["recovery"], ["totp", "recovery"]] as const) {
  test(`both pages remove a passkey in the same way, also with ${kinds.length} other factors`, async () => {
    const outcomes = await Promise.all(
      Object.values(PLACES).map(async (remove) => {
        const opened = await open({ kinds: [...kinds] });
        await remove(opened);
        return await outcomeOf(opened);
      }),
    );
    assert.deepEqual(outcomes[1], outcomes[0]);
    const [{ sessions, passkeys, mails, told } = assert.fail()] = outcomes;
    assert.deepEqual([sessions, passkeys], [[true, false], 0]);
    assert.ok(mails.some((mail) => /passkey .*removed.* with undo$/.test(mail)), mails.join());
    assert.deepEqual(told, [`${ADA} {"provider":"passkey",,"type":"webauthn"}`]);
  });
}

test("without an account page a passkey is removed with all that has to end, and nothing brings it back", async () => {
  const opened = await open({ bare: true });
  await PLACES["the page of second factors"]?.(opened);
  const { sessions, passkeys, records, mails, events, told } = await outcomeOf(opened);
  assert.deepEqual([sessions, passkeys, records], [[true, false], 0, [0, 0, 0]]);
  assert.equal(mails.filter((mail) => /passkey .*removed.* without undo$/.test(mail)).length, 1, mails.join());
  assert.ok(events.includes("passkeyRemoved"));
  assert.equal(told.length, 1);
});

test("the link of the email brings back a passkey that was removed at the page of second factors", async () => {
  const opened = await open({ kinds: ["totp", "recovery"] });
  const { ada, mails, service, key, userId, runtime } = opened;
  await PLACES["the page of second factors"]?.(opened);
  const [link = ""] = mails.flatMap(({ text }) => /https?:\S+act=undo\S+/.exec(text) ?? []);
  const token = new URL(link).searchParams.get("token") ?? assert.fail();
  runtime.advance(5);
  assert.equal((await act(ada, { act: "undo", token })).step.kind, "undone");
  const again: Visitor = service.visitor();
  Object.assign(again, { device: ada.device });
  await again.authenticate(key);
  assert.equal(await again.inside(), userId);
});

test("a last way in is removed at neither page", async () => {
  const site = await openAccountSite({
    adapter: memoryAdapter(),
    providers: [passkey()],
    features: [secondFactor({ methods: ["totp", "passkey"] })],
  });
  const ada = site.service.visitor();
  await ada.register(ADA);
  const { factors } = await (await ada.get("/auth/factors")).json();
  const refused = await ada.post("/auth/factors", { act: "remove", id: factors[0].id });
  assert.equal(refused.status >= 400 || /error=/.test(refused.headers.get("location") ?? ""), true);
  const [shown] = (await look(ada)).view?.passkeys ?? [];
  assert.equal((await act(ada, { act: "removePasskey", id: shown?.id ?? "" })).problem, "last-way");
});
