/** What only Qwik City has: forms of `useSignIn` and `useSignOut`, sent by a browser or by its router. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { chosenExamples, installExample } from "./_examples.ts";
import { openSite, type Site } from "./_site.ts";
import { ADA, assertSeen, drain, sessionCookies, type Story } from "./_words.ts";

/** The form of the page for accounts, as a browser without scripts posts it. */
async function formOf(site: Site): Promise<{ readonly action: string; readonly fields: Record<string, string> }> {
  const { html } = await site.browser().open(`${site.home}/account`);
  const [, query = ""] = /<form action="(\?qaction=[^"]*)"/.exec(html) ?? [];
  const fields = { providerId: "credentials", "options.username": ADA.username, "options.password": ADA.password };
  return { action: query, fields };
}

const stories: readonly Story[] = [
  ["a form of useSignIn signs in without scripts, and one of useSignOut signs out", async (site) => {
    const browser = await site.browser().open(`${site.home}/account`);
    await browser.submit({ "options.username": ADA.username, "options.password": ADA.password }, "_in");
    assert.equal(browser.url.href, `${site.home}/account`);
    assert.match(browser.html, /The account of Ada Lovelace</);
    await browser.submit({}, "_out");
    assert.match(browser.html, /options\.username/);
    await assertSeen(site, browser, null);
  }],
  ["an action of the application changes the session that its page shows", async (site) => {
    const browser = await site.browser().open(`${site.home}/account`);
    await browser.submit({ "options.username": ADA.username, "options.password": ADA.password }, "_in");
    const [, action = ""] = /<form action="(\?qaction=(?!id_)[^"]*)"/.exec(browser.html) ?? [];
    await browser.submit({ name: "Countess" }, action);
    assert.match(browser.html, /The account of Countess</);
    await assertSeen(site, browser, "Countess");
  }],
  ["a wrong password is shown in the form, and stands nowhere in the page", async (site) => {
    const browser = await site.browser().open(`${site.home}/account`);
    await browser.submit({ "options.username": "ada", "options.password": "a-wrong-one" }, "_in");
    assert.equal(browser.status, 401);
    assert.match(browser.html, /Cannot sign in: CredentialsSignin</);
    assert.doesNotMatch(browser.html, /a-wrong-one/);
  }],
  ["the router gets the address to go to, and the session", async (site) => {
    const { action, fields } = await formOf(site);
    const browser = site.browser();
    const answer = await browser.post(`${site.home}/account/q-data.json${action}`, fields);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("cache-control") ?? "", /no-store/);
    assert.equal(sessionCookies(answer).length, 1);
    assert.ok((await answer.text()).includes(JSON.stringify(`${site.home}/account`)));
    await assertSeen(site, browser, "Ada Lovelace");
  }],
  ["the router gets no data of a guarded page", async (site) => {
    const { status, headers, text } = await site.raw("/members/q-data.json");
    assert.equal(status, 302);
    assert.match(String(headers.location), /\/auth\/signin\?callbackUrl=[^&]*%2Fmembers$/);
    assert.equal(text, "");
  }],
  ["a form of another site does not sign in", async (site) => {
    const { action, fields } = await formOf(site);
    for (const path of ["/account", "/account/q-data.json", "/about"]) {
      const headers = { origin: "https://evil.test", "sec-fetch-site": "cross-site" };
      const answer = await drain(await site.browser(true).post(site.home + path + action, fields, { headers }));
      assert.deepEqual([answer.status, sessionCookies(answer)], [403, []], path);
    }
  }],
];

for (const example of chosenExamples().filter(({ name }) => name === "qwik")) {
  test("the forms of Qwik City", async (t) => {
    const site = await openSite(example, await installExample(example));
    try {
      for (const [sentence, tell] of stories) await t.test(sentence, () => tell(site));
    } finally {
      await site.close();
    }
  });
}
