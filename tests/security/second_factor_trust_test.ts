/** Browsers that are trusted for some days: what their cookie is good for, and what ends it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { secondFactor } from "@x/auth/second-factor";
import {
  ADA,
  BOB,
  codeAt,
  enrol,
  type FactorSite,
  openFactorSite,
  proofOf,
  RECOVERY,
} from "../_support/second_factor.ts";
import type { Visitor } from "../_support/visitors.ts";

const TRUSTED = "authjs.trusted-device";
const DAY = 24 * 60 * 60;
const TOLD = { sub: ADA, email: ADA, email_verified: true };

/** A browser whose owner has given a second proof and said that it is theirs. */
async function trusted(site: FactorSite): Promise<Visitor> {
  const ada = await site.begin(ADA);
  await ada.post("/auth/challenge", { method: "totp", code: await codeAt(site.runtime), trust: "on" });
  assert.equal((await proofOf(ada))?.level, 2);
  assert.ok(ada.cookies.has(TRUSTED));
  await ada.signOut();
  return ada;
}

function holder(site: FactorSite, cookie: string): Visitor {
  const visitor = site.service.visitor();
  visitor.cookies.set(TRUSTED, cookie);
  return visitor;
}

async function levelOf(visitor: Visitor): Promise<number | null> {
  return (await proofOf(visitor))?.level ?? null;
}

test("a browser is trusted for whole days that a cookie can last", () => {
  for (const days of [1, 30, 400]) secondFactor({ trustDevices: { days } });
  for (const days of [0, -1, 1.5, 401, NaN, "30" as unknown as number]) {
    assert.throws(() => secondFactor({ trustDevices: { days } }), /`trustDevices.days` must be a whole number/);
  }
});

for (const strategy of ["jwt", "database"] as const) {
  const open = async () => {
    const site = await openFactorSite({ session: { strategy }, factor: { trustDevices: { days: 30 } } });
    await site.join(ADA);
    return site;
  };

  test(`a browser that is trusted enters at level 1, and its key changes: ${strategy}`, async () => {
    const site = await open();
    const ada = await trusted(site);
    for (let time = 0; time < 3; time++) {
      const before = ada.cookies.get(TRUSTED);
      await ada.come("linking", TOLD);
      assert.equal(await levelOf(ada), 1);
      assert.notEqual(ada.cookies.get(TRUSTED), before);
      await ada.signOut();
    }
  });

  test(`nobody is trusted who did not say so, or where the site does not offer it: ${strategy}`, async () => {
    const site = await open();
    const ada = await site.begin(ADA);
    await ada.post("/auth/challenge", { method: "totp", code: await codeAt(site.runtime) });
    assert.equal(ada.cookies.has(TRUSTED), false);
    const other = await openFactorSite({ session: { strategy } });
    await other.join(ADA);
    const bob = await other.begin(ADA);
    await bob.post("/auth/challenge", { method: "totp", code: await codeAt(other.runtime), trust: "on" });
    assert.equal(bob.cookies.has(TRUSTED), false);
  });

  test(`whoever uses a recovery code has lost something, so no browser is trusted then: ${strategy}`, async () => {
    const site = await open();
    const ada = await site.begin(ADA);
    const days = async (method: string) => {
      return (await (await ada.get(`/auth/challenge?method=${method}`)).json()).trustDays;
    };
    assert.deepEqual([await days("totp"), await days("recovery-code")], [30, null]);
    await ada.post("/auth/challenge", { method: "recovery-code", code: RECOVERY[0], trust: "on" });
    assert.equal(await levelOf(ada), 2);
    assert.equal(ada.cookies.has(TRUSTED), false);
    await ada.post("/auth/challenge", { method: "recovery-code", code: RECOVERY[1], trust: "on" });
    assert.equal(ada.cookies.has(TRUSTED), false);
  });

  test(`where everybody is asked, no browser is trusted: ${strategy}`, async () => {
    const factor = { trustDevices: { days: 30 }, require: "always" } as const;
    const site = await openFactorSite({ session: { strategy }, factor });
    await site.begin(ADA);
    const user = await site.adapter.getUserByEmail?.(ADA);
    await enrol(site.config, user?.id ?? assert.fail());
    const ada = await site.begin(ADA);
    await ada.post("/auth/challenge", { method: "totp", code: await codeAt(site.runtime), trust: "on" });
    assert.equal(ada.cookies.has(TRUSTED), false);
  });

  test(`a copy that is used later is refused, and ends the trust: ${strategy}`, async () => {
    const site = await open();
    const ada = await trusted(site);
    const copy = ada.cookies.get(TRUSTED) ?? "";
    await ada.come("linking", TOLD);
    await ada.signOut();
    const thief = holder(site, copy);
    await thief.come("linking", TOLD);
    assert.equal(await levelOf(thief), null);
    await ada.come("linking", TOLD);
    assert.equal(await levelOf(ada), null);
  });

  test(`a copy that is used first is found out when its owner comes: ${strategy}`, async () => {
    const site = await open();
    const ada = await trusted(site);
    const thief = holder(site, ada.cookies.get(TRUSTED) ?? "");
    await thief.come("linking", TOLD);
    await thief.signOut();
    await ada.come("linking", TOLD);
    assert.equal(await levelOf(ada), null);
    await thief.come("linking", TOLD);
    assert.equal(await levelOf(thief), null);
  });

  test(`a browser is trusted for one user, and so many days: ${strategy}`, async () => {
    const site = await open();
    await site.join(BOB);
    const ada = await trusted(site);
    const copy = ada.cookies.get(TRUSTED) ?? "";
    const bob = holder(site, copy);
    await bob.come("linking", { sub: BOB, email: BOB, email_verified: true });
    assert.equal(await levelOf(bob), null);
    site.runtime.advance(30 * DAY - 60);
    await ada.come("linking", TOLD);
    assert.equal(await levelOf(ada), 1);
    const last = ada.cookies.get(TRUSTED) ?? "";
    site.runtime.advance(60);
    const late = holder(site, last);
    await late.come("linking", TOLD);
    assert.equal(await levelOf(late), null);
  });

  test(`another factor, and the end of one, end the trust: ${strategy}`, async () => {
    for (const change of ["add", "remove"]) {
      const site = await open();
      const ada = await trusted(site);
      const user = await site.adapter.getUserByEmail?.(ADA) ?? assert.fail();
      if (change === "remove") await site.adapter.removeRecord?.({ kind: "factor", id: `totp-${user.id}` });
      else {
        const data = { type: "totp", sealed: "", createdAt: 1, isConfirmed: true };
        await site.adapter.putRecord?.({ kind: "factor", id: "new", userId: user.id, version: 0, data });
      }
      await ada.come("linking", TOLD);
      assert.equal(await levelOf(ada), null, change);
    }
  });

  test(`a passkey that is added ends the trust: ${strategy}`, async () => {
    const site = await open();
    const ada = await trusted(site);
    site.runtime.advance(60);
    await ada.come("linking", TOLD);
    assert.equal(await levelOf(ada), 1);
    await ada.post("/auth/challenge", { method: "totp", code: await codeAt(site.runtime) });
    assert.ok(await ada.register(ADA));
    await ada.signOut();
    await ada.come("linking", TOLD);
    assert.equal(await levelOf(ada), null);
  });

  test(`an end of all sessions ends the trust: ${strategy}`, async () => {
    const site = await open();
    const ada = await trusted(site);
    const user = await site.adapter.getUserByEmail?.(ADA) ?? assert.fail();
    const sessionsEndedAt = new Date(site.runtime.now());
    await site.adapter.updateUser?.(
      { id: user.id, sessionsEndedAt } as Parameters<
        NonNullable<typeof site.adapter.updateUser>
      >[0],
    );
    await ada.come("linking", TOLD);
    assert.equal(await levelOf(ada), null);
  });

  test(`a cookie that was made elsewhere is trusted by nobody: ${strategy}`, async () => {
    const site = await open();
    for (const cookie of ["", "x", "a.b.c.d.e"]) {
      const thief = holder(site, cookie);
      await thief.come("linking", TOLD);
      assert.equal(await levelOf(thief), null);
    }
  });
}
