/** The account in Vue and Svelte, and without a framework, as one page shows it. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { effectScope, watchEffect } from "vue";
import { createAuth, type OutgoingMail } from "@x/auth";
import { accountPage } from "@x/auth/account";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { createAuthClient } from "@x/auth/client";
import { account, refreshAccountState, watchAccount } from "@x/auth/client/account";
import { accountStore } from "@x/auth/client/account/svelte";
import { useAccount } from "@x/auth/client/account/vue";
import { mailbox } from "../_support/mailbox.ts";
import { settled, TestBrowser, type TestPage } from "../_support/page.ts";
import { testConfig } from "../_support/service.ts";

const EMAIL = "ada@example.com";
const mails = mailbox();
const sent: OutgoingMail[] = [];
let page: TestPage;

/** This process becomes the page of a browser: on Deno each file of tests has globals of its own. */
before(() => {
  const { handler } = createAuth(testConfig({
    adapter: memoryAdapter(),
    session: { strategy: "database" },
    providers: [mails.provider],
    mail: (mail) => void sent.push(mail),
    features: [accountPage()],
  }));
  page = new TestBrowser((request) => handler(request)).tab();
  const { document, location, fetch, BroadcastChannel, addEventListener } = page.browser;
  for (const [name, value] of Object.entries({ document, location, fetch, BroadcastChannel, addEventListener })) {
    Object.defineProperty(globalThis, name, { value, configurable: true });
  }
});

function askedFor(): number {
  return page.asked.filter((asked) => asked === "GET /auth/account").length;
}

test("all who show the account of a page share one request and each change", async () => {
  await createAuthClient().signIn(mails.provider.id, { email: EMAIL, redirect: false });
  await page.browser.fetch(mails.link().href);
  const shown: Record<string, string | null | undefined> = {};
  const scope = effectScope();
  const own = scope.run(() => {
    const own = useAccount();
    watchEffect(() => shown.vue = own.account?.user.name ?? own.account?.user.email, { flush: "sync" });
    return own;
  }) ?? assert.fail();
  const store = accountStore();
  const stops = [
    store.subscribe(({ account }) => shown.svelte = account?.user.name ?? account?.user.email),
    watchAccount(({ account }) => shown.plain = account?.user.name ?? account?.user.email),
  ];
  assert.deepEqual([own.account, own.isLoading, shown.svelte], [undefined, true, undefined]);
  const all = (name: string) => ({ vue: name, svelte: name, plain: name });
  await settled();
  assert.deepEqual(shown, all(EMAIL));
  assert.deepEqual([own.isLoading, askedFor()], [false, 1]);
  await own.rename("Ada");
  await settled();
  assert.deepEqual(shown, all("Ada"));
  await store.rename("Ada Lovelace");
  await settled();
  assert.deepEqual(shown, all("Ada Lovelace"));
  await account.rename("Countess");
  await settled();
  assert.deepEqual([shown, askedFor()], [all("Countess"), 1]);
  await refreshAccountState();
  assert.equal(askedFor(), 2);

  const asked = await own.changeEmail("ada@example.org");
  assert.equal(asked.ok && asked.sentTo, "ada@example.org");
  assert.equal(sent.at(-1)?.to, "ada@example.org");
  assert.equal((await own.changeEmail("ada")).ok, false);
  await settled();
  assert.equal(own.error?.problem, "email");

  assert.equal((await own.delete(EMAIL)).ok, true);
  await settled();
  assert.deepEqual([own.account, shown.vue, shown.svelte], [null, undefined, undefined]);
  scope.stop();
  for (const stop of stops) stop();
  assert.equal(page.open.channels, 0);
});
