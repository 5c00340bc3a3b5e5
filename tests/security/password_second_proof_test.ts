/** Nothing of a password is written before a second proof that is asked for: the first one is the mailbox alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter } from "@x/auth";
import { memoryAdapter, memoryRecords } from "@x/auth/adapters/memory";
import { withRecords } from "@x/auth/adapters/records";
import { makeFeature } from "../../src/contract/feature.ts";
import { pageUrl } from "../../src/request/links.ts";
import { redirectTo } from "../../src/request/outcome.ts";
import type { Points } from "../../src/request/points.ts";
import { openVisitedSite, type VisitedSite } from "../_support/password_visits.ts";
import { ADA } from "../_support/passwords.ts";
import { otherAdapter } from "../_support/session_kinds.ts";
import type { Browser } from "../_support/browser.ts";

const FORMER = "a pelican on a bicycle";
const NEW = "a bicycle on a pelican";

/** Asks everybody for a code, and takes one code. */
const always = makeFeature("always", ["records"], () => {
  return Promise.resolve(
    {
      mint: (_, { authentication }) => {
        return authentication.level === 2 ? { act: "enter" } : { act: "challenge", missing: ["otp"] };
      },
      demands: () => 2,
      routes: {
        "POST challenge": async (ctx, { fields, resume }) => {
          if (fields.code === "123456") return await resume(["mfa", "otp"]);
          return redirectTo(pageUrl(ctx, "signIn", { error: "AccessDenied" }));
        },
      },
    } satisfies Points,
  );
});

const ADAPTERS: Readonly<Record<string, () => Adapter>> = {
  "memory": () => memoryAdapter(),
  "an adapter of others": () => withRecords(otherAdapter(), memoryRecords(), { logger: { warn: () => {} } }),
};

async function prove(browser: Browser): Promise<void> {
  await browser.post("/auth/challenge", { csrfToken: await browser.csrf(), code: "123456" });
}

async function passwordOf({ adapter }: VisitedSite): Promise<string | null> {
  const user = await adapter.getUserByEmail?.(ADA);
  const record = user && await adapter.getRecord?.({ kind: "password", id: user.id });
  return record ? String(record.data.hash) : null;
}

for (const [name, open] of Object.entries(ADAPTERS)) {
  for (const strategy of ["jwt", "database"] as const) {
    test(`a registration sets its password with the second proof, and not before (${name}, ${strategy})`, async () => {
      const site = openVisitedSite({ adapter: open(), features: [always], session: { strategy } });
      const browser = await site.signUp(site.browser(), ADA, NEW);
      await browser.open(site.linkTo(ADA));
      assert.equal(browser.url.pathname, "/auth/challenge");
      assert.deepEqual([await site.who(browser), await passwordOf(site)], [null, null]);
      await prove(browser);
      assert.deepEqual([await site.who(browser), await passwordOf(site)], [ADA, `new:${NEW}`]);
    });

    test(`a reset changes nothing before the second proof (${name}, ${strategy})`, async () => {
      const site = openVisitedSite({ adapter: open(), features: [always], session: { strategy } });
      await site.join(ADA, FORMER);
      const other = site.browser();
      await site.enter(other, ADA, FORMER);
      await prove(other);
      assert.equal(await site.who(other), ADA);
      await site.forget(site.browser(), ADA);
      const owner = await site.browser().open(site.linkTo(ADA));
      await owner.submit({ password: NEW }, "/reset");
      assert.equal(owner.url.pathname, "/auth/challenge");
      assert.equal(await passwordOf(site), `new:${FORMER}`);
      assert.deepEqual([await site.who(owner), await site.who(other)], [null, ADA]);
      assert.equal(site.mails.length, 1, "nothing has happened, so nothing is told");
      const waiting = site.browser();
      await site.enter(waiting, ADA, FORMER);
      await prove(owner);
      assert.equal(await passwordOf(site), `new:${NEW}`);
      assert.equal(await site.who(owner), ADA);
      if (name === "memory" || strategy === "database") assert.equal(await site.who(other), null);
      assert.match(site.mails[1]?.subject ?? "", /was changed/);
      await prove(waiting);
      assert.equal(await site.who(waiting), null, "a sign-in with the former password waited");
    });

    test(`a reset that waits is void once the password was changed (${name}, ${strategy})`, async () => {
      const site = openVisitedSite({ adapter: open(), features: [always], session: { strategy } });
      const id = await site.join(ADA, FORMER);
      await site.forget(site.browser(), ADA);
      const thief = await site.browser().open(site.linkTo(ADA));
      await thief.submit({ password: "the password of a thief" }, "/reset");
      const record = await site.adapter.getRecord?.({ kind: "password", id });
      assert.ok(record);
      await site.adapter.putRecord?.({
        ...record,
        data: { ...record.data, hash: `new:${NEW}`, revision: "another" },
      });
      await prove(thief);
      assert.deepEqual([await site.who(thief), await passwordOf(site)], [null, `new:${NEW}`]);
    });
  }
}

test("whoever lacks the second proof that is asked of them changes no password", async () => {
  const site = openVisitedSite({ adapter: memoryAdapter() });
  await site.join(ADA, FORMER);
  const browser = site.browser();
  await site.enter(browser, ADA, FORMER);
  const later = openVisitedSite({ adapter: site.adapter, runtime: site.runtime, features: [always] });
  const same = later.browser();
  for (const cookie of ["authjs.session-token", "authjs.csrf-token"]) {
    const value = browser.cookies.get(cookie)?.value;
    if (value !== undefined) same.cookies.store(`${cookie}=${value}; Path=/`, same.url);
  }
  assert.equal(await later.who(same), ADA);
  const answer = await same.post("/auth/password", { csrfToken: await same.csrf(), password: NEW });
  assert.deepEqual([answer.status, (await answer.json()).error], [401, "StepUpRequired"]);
  assert.equal(await passwordOf(later), `new:${FORMER}`);
});
