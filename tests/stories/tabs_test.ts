import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { createAuth } from "@x/auth";
import { Browser } from "../_support/browser.ts";
import { type IdentityProvider, logIn, startIdentityProvider } from "../_support/identity_provider.ts";
import { recordLog, testConfig } from "../_support/service.ts";

let idp: IdentityProvider;
before(async () => {
  idp = await startIdentityProvider();
});
after(() => idp.close());

function openTab(): { tab: Browser; errors: Error[] } {
  const { logger, errors } = recordLog();
  // Asked for a login each time, the tabs can sign in different people.
  const provider = idp.provider({ authorization: { params: { scope: "openid profile", prompt: "login" } } });
  const { handler } = createAuth(testConfig({ providers: [provider], logger }));
  return { tab: new Browser(handler).allow(idp.issuer), errors };
}

for (const reversed of [false, true]) {
  test(`two tabs sign in at once and finish in ${reversed ? "the other" : "the same"} order`, async () => {
    const { tab: first, errors } = openTab();
    const second = first.newTab();
    await first.signIn("mock", {}, { callbackUrl: "/first" });
    await second.signIn("mock", {}, { callbackUrl: "/second" });
    const [sooner, later] = reversed ? [second, first] : [first, second];
    await logIn(sooner, "ada");
    await logIn(later, "grace");
    assert.equal(first.url.pathname, "/first");
    assert.equal(second.url.pathname, "/second");
    assert.equal((await first.session())?.user?.name, "Grace Hopper");
    assert.deepEqual(first.cookies.names("state"), []);
    assert.deepEqual(errors, []);
  });
}

test("a sixth sign-in under way drops the oldest and keeps the others", async () => {
  const { tab: oldest } = openTab();
  const tabs = Array.from({ length: 5 }, () => oldest.newTab());
  for (const tab of [oldest, ...tabs]) await tab.signIn("mock");
  assert.equal(oldest.cookies.names("state").length, 5);
  for (const tab of tabs) {
    await logIn(tab);
    assert.equal(tab.url.pathname, "/");
  }
  await logIn(oldest, "grace");
  assert.ok(oldest.url.pathname.startsWith("/auth/"), oldest.url.href);
  assert.equal((await oldest.session())?.user?.name, "Ada Lovelace");
});

test("going back to a callback that was used shows a page and keeps the session", async () => {
  const { tab, errors } = openTab();
  await logIn(await tab.signIn("mock"));
  const callback = tab.history.find(({ pathname }) => pathname.startsWith("/auth/callback/"));
  await tab.open(callback?.href ?? "");
  assert.ok(tab.status < 500, `the page says ${tab.status}`);
  assert.equal((await tab.session())?.user?.name, "Ada Lovelace");
  assert.equal(errors.length, 1);
});

test("a callback without its cookies signs nobody in", async () => {
  const { tab } = openTab();
  await tab.signIn("mock");
  for (const name of tab.cookies.names("state")) tab.cookies.delete(name);
  await logIn(tab);
  assert.ok(tab.url.pathname.startsWith("/auth/"), tab.url.href);
  assert.equal(await tab.session(), null);
});

test("a callback that was started in another browser signs nobody in", async () => {
  const { tab: attacker } = openTab();
  await logIn(await attacker.signIn("mock"));
  const { tab: victim } = openTab();
  const callback = attacker.history.find(({ pathname }) => pathname.startsWith("/auth/callback/"));
  await victim.open(callback?.href ?? "");
  assert.equal(await victim.session(), null);
});
