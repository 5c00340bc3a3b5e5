/** Somebody who has lost every second factor: they wait, their address is told, and any proof stops it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { secondFactor } from "@x/auth/second-factor";
import { ADA, codeAt, openFactorSite, proofOf, RECOVERY } from "../_support/second_factor.ts";
import type { Visitor } from "../_support/visitors.ts";

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

for (const strategy of ["jwt", "database"] as const) {
  const open = async () => {
    const site = await openFactorSite({ session: { strategy }, factor: { recoverByEmail: { hours: 24 } } });
    await site.join(ADA);
    return site;
  };

  test(`somebody who has lost everything gets in by email after the wait, once: ${strategy}`, async () => {
    const site = await open();
    const ada = await site.begin(ADA);
    assert.deepEqual((await asked(ada)).lost, { hours: 24, isAsked: false });
    assert.deepEqual((await prove(ada, { method: "lost" })).lost, { hours: 24, isAsked: true });
    assert.deepEqual(site.mails.map(({ to }) => to), [ADA]);
    assert.match(site.mails[0]?.text ?? "", /\/auth\/challenge\?method=email-code/);
    assert.equal((await prove(ada, { method: "email-code" })).problem, "wrong");
    site.runtime.advance(DAY - 60);
    const early = await site.begin(ADA);
    assert.deepEqual((await asked(early)).methods, ["totp", "recovery-code"]);
    site.runtime.advance(60);
    const late = await site.begin(ADA);
    assert.deepEqual((await asked(late)).methods, ["totp", "email-code", "recovery-code"]);
    await prove(late, { method: "email-code" });
    const code = /^\d{6}/.exec(site.mails.at(-1)?.subject ?? "")?.[0] ?? assert.fail();
    await prove(late, { method: "email-code", code });
    assert.equal((await proofOf(late))?.level, 2);
    assert.deepEqual((await asked(await site.begin(ADA))).methods, ["totp", "recovery-code"]);
  });

  test(`each second proof stops it, of a sign-in or of a session: ${strategy}`, async () => {
    const site = await open();
    const owner = await site.begin(ADA);
    await prove(owner, { method: "totp", code: await codeAt(site.runtime) });
    for (const inside of [false, true]) {
      await prove(await site.begin(ADA), { method: "lost" });
      site.runtime.advance(HOUR);
      const ada = inside ? owner : await site.begin(ADA);
      await prove(ada, { method: "totp", code: await codeAt(site.runtime) });
      site.runtime.advance(DAY);
      assert.deepEqual((await asked(await site.begin(ADA))).methods, ["totp", "recovery-code"]);
    }
  });

  test(`a second proof stops it where the sign-in is refused after it: ${strategy}`, async () => {
    let isRefused = false;
    const factor = { recoverByEmail: { hours: 24 } };
    const site = await openFactorSite({ session: { strategy }, factor, callbacks: { signIn: () => !isRefused } });
    await site.join(ADA);
    await prove(await site.begin(ADA), { method: "lost" });
    const ada = await site.begin(ADA);
    isRefused = true;
    await prove(ada, { method: "totp", code: await codeAt(site.runtime) });
    assert.equal(await proofOf(ada), null);
    isRefused = false;
    site.runtime.advance(DAY);
    assert.deepEqual((await asked(await site.begin(ADA))).methods, ["totp", "recovery-code"]);
  });

  test(`who asks again waits no longer, and is sent nothing more: ${strategy}`, async () => {
    const site = await open();
    for (let time = 0; time < 3; time++) {
      await prove(await site.begin(ADA), { method: "lost" });
      site.runtime.advance(7 * HOUR);
    }
    assert.equal(site.mails.length, 1);
    site.runtime.advance(3 * HOUR);
    assert.ok((await asked(await site.begin(ADA))).methods.includes("email-code"));
    site.runtime.advance(7 * DAY);
    assert.deepEqual((await asked(await site.begin(ADA))).methods, ["totp", "recovery-code"]);
  });

  test(`nobody who began by mail gets in by mail, and neither does anybody where the site does not say so: ${strategy}`, async () => {
    const site = await open();
    await prove(await site.begin(ADA), { method: "lost" });
    site.runtime.advance(DAY);
    const ada = site.service.visitor();
    await ada.ask(ADA);
    await ada.open(site.service.links.get(ADA) ?? assert.fail());
    const body = await asked(ada);
    assert.deepEqual([body.methods, body.lost], [["totp", "recovery-code"], undefined]);
    const other = await openFactorSite({ session: { strategy } });
    await other.join(ADA);
    const stuck = await other.begin(ADA);
    assert.equal((await asked(stuck)).lost, undefined);
    assert.equal((await prove(stuck, { method: "lost" })).problem, "wrong");
    assert.equal(other.mails.length, 0);
  });

  test(`the owner is told when a recovery code is used: ${strategy}`, async () => {
    const site = await open();
    await prove(await site.begin(ADA), { method: "recovery-code", code: RECOVERY[0] });
    assert.deepEqual(site.mails.map(({ to, subject }) => [to, subject.slice(0, 24)]), [[
      ADA,
      "A recovery code was used",
    ]]);
  });
}

test("nobody waits of whom the address was not told", async () => {
  const mail = () => Promise.reject(new Error("the mail server is down"));
  const site = await openFactorSite({ factor: { recoverByEmail: { hours: 1 } }, mail });
  await site.join(ADA);
  const ada = await site.begin(ADA);
  await assert.rejects(prove(ada, { method: "lost" }), /is answered 503/);
  site.runtime.advance(DAY);
  assert.deepEqual((await asked(await site.begin(ADA))).methods, ["totp", "recovery-code"]);
});

test("the wait is a whole number of hours", () => {
  for (const hours of [1, 24, 720]) secondFactor({ recoverByEmail: { hours } });
  for (const hours of [0, 0.5, 721, NaN]) {
    assert.throws(() => secondFactor({ recoverByEmail: { hours } }), /`recoverByEmail.hours` must be a whole number/);
  }
});

interface Answer {
  readonly methods: readonly string[];
  readonly problem?: string;
  readonly lost?: { readonly hours: number; readonly isAsked: boolean };
}

async function asked(visitor: Visitor): Promise<Answer> {
  return await (await visitor.get("/auth/challenge")).json();
}

async function prove(visitor: Visitor, fields: Readonly<Record<string, string>>): Promise<Answer> {
  const text = await (await visitor.post("/auth/challenge", fields)).text();
  return text === "" ? { methods: [] } : JSON.parse(text);
}
