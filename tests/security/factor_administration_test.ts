/** What the application sees and changes of the second factors of its users. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { passkey } from "@x/auth/providers/passkey";
import { createEngine } from "../../src/service/engine.ts";
import { factorFunctions } from "../../src/service/factor_actions.ts";
import { secondFactor } from "../../src/second_factor.ts";
import {
  ADA,
  beginApp,
  byLink,
  enrolAtOnce,
  isOnFor,
  openFactorSite,
  prove,
  recordsOf,
} from "../_support/enrolling.ts";
import { testConfig } from "../_support/service.ts";
import { teller } from "../_support/visitors.ts";
import { createAuth } from "../../src/auth.ts";

async function open() {
  const adapter = memoryAdapter();
  const site = await openFactorSite({ adapter });
  const ada = site.service.visitor();
  await byLink(site, ada);
  const userId = await ada.inside() ?? assert.fail("Ada is not signed in");
  const config = testConfig({
    adapter,
    features: [secondFactor()],
    theme: { name: "Example" },
    mail: (mail) => void site.mails.push(mail),
  });
  return { site, ada, userId, config, auth: createAuth(config) };
}

test("the application lists the factors that count, and no secret of them", async () => {
  const { site, ada, userId, auth } = await open();
  assert.deepEqual(await auth.factors.list(userId), []);
  const app = await enrolAtOnce(site, ada);
  await prove(site, ada, app);
  await beginApp(ada);
  const listed = await auth.factors.list(userId);
  assert.deepEqual(listed.map(({ type, name }) => [type, name]).toSorted(), [["recovery", null], ["totp", null]]);
  for (const factor of listed) {
    assert.deepEqual(Object.keys(factor), ["id", "type", "name", "createdAt", "usedAt"]);
    assert.ok(factor.createdAt instanceof Date);
  }
  assert.equal(JSON.stringify(listed).includes(app.secret), false);
  assert.deepEqual(await auth.factors.list("nobody"), []);
});

test("the application removes a factor, and its user is told", async () => {
  const { site, ada, userId, auth } = await open();
  const app = await enrolAtOnce(site, ada);
  assert.equal(await auth.factors.remove(userId, "none"), false);
  assert.equal(await auth.factors.remove("nobody", app.id), false);
  assert.equal(await isOnFor(site, userId), true);
  assert.equal(await auth.factors.remove(userId, app.id), true);
  assert.deepEqual(await recordsOf(site, userId), []);
  const [mail, ...others] = site.mails;
  assert.deepEqual([mail?.to, others], [ADA, []]);
  assert.equal(mail?.subject, "A second proof was removed from your account at Example");
  assert.doesNotMatch(mail?.text ?? "", /https?:/);
  assert.equal(await auth.factors.remove(userId, app.id), false);
});

test("without the recovery codes nothing is asked for", async () => {
  const { site, ada, userId, auth } = await open();
  await enrolAtOnce(site, ada);
  const codes = (await auth.factors.list(userId)).find(({ type }) => type === "recovery");
  assert.equal(await auth.factors.remove(userId, codes?.id ?? ""), true);
  assert.deepEqual(await recordsOf(site, userId), []);
});

test("a passkey is removed with its account, unless nothing else signs its user in", async () => {
  const { site, ada, userId, config } = await open();
  await ada.register(ADA);
  const only = createAuth({ ...config, providers: [passkey(), teller("github")] });
  const [found] = await only.factors.list(userId);
  assert.deepEqual([found?.type, found?.createdAt], ["passkey", null]);
  const id = found?.id ?? "";
  await assert.rejects(only.factors.remove(userId, id), /no other way of signing in/);
  assert.equal((await only.factors.list(userId)).length, 1);
  await site.adapter.linkAccount?.({ userId, type: "oauth", provider: "github", providerAccountId: "1" });
  assert.equal(await only.factors.remove(userId, id), true);
  assert.deepEqual(await only.factors.list(userId), []);
  const accounts = await site.adapter.listAccountsByUserId?.(userId) ?? [];
  assert.deepEqual(accounts.map(({ provider }) => provider).filter((provider) => provider === "passkey"), []);
  assert.match(site.mails.at(-1)?.subject ?? "", /^A second proof was removed/);
});

test("a passkey stays if the other way of signing in goes at the same time", async () => {
  const { site, ada, userId, config } = await open();
  await ada.register(ADA);
  const github = { provider: "github", providerAccountId: "1" };
  await site.adapter.linkAccount?.({ ...github, userId, type: "oauth" });
  const listAccountsByUserId = async (id: string) => {
    const accounts = await site.adapter.listAccountsByUserId?.(id) ?? [];
    await site.adapter.unlinkAccount?.(github);
    return accounts;
  };
  const adapter = { ...site.adapter, listAccountsByUserId };
  const only = createAuth({ ...config, adapter, providers: [passkey(), teller("github")] });
  const [found] = await only.factors.list(userId);
  await assert.rejects(only.factors.remove(userId, found?.id ?? ""), /no other way of signing in/);
  assert.equal((await only.factors.list(userId)).length, 1);
  const accounts = await site.adapter.listAccountsByUserId?.(userId) ?? [];
  assert.ok(accounts.some(({ provider }) => provider === "passkey"));
});

test("an error names what has to be done", async () => {
  const without = factorFunctions(createEngine(testConfig({ adapter: memoryAdapter() })));
  const chosen = factorFunctions(createEngine(() => testConfig({ adapter: memoryAdapter() })));
  for (
    const [functions, message] of [[without, /add `secondFactor\(\)`/], [chosen, /function of the request/]] as const
  ) {
    for (const call of [() => functions.list("ada"), () => functions.remove("ada", "1")]) {
      await assert.rejects(call, (error: Error & { type?: string }) => {
        return error.type === "InvalidConfig" && message.test(error.message);
      });
    }
  }
});
