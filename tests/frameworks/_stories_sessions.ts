/** Sessions that change, that are renewed, and whose storage is away. */
import assert from "node:assert/strict";
import { assertSeen, drain, sessionCookies, signedIn, type Site, type Story } from "./_words.ts";

/** Older than `session.updateAge`, so that the session is due to be renewed. */
const DUE = 2;

async function whileDown(site: Site, act: () => Promise<void>): Promise<void> {
  site.storage.setDown(true);
  try {
    await act();
  } finally {
    site.storage.setDown(false);
  }
}

export const sessions: readonly Story[] = [
  ["a form of the application changes the session", async (site) => {
    const browser = await signedIn(site);
    await browser.open(`${site.home}/`);
    await browser.submit({ name: "Countess" }, "name");
    await assertSeen(site, browser, "Countess");
  }],
  ["a script changes the session", async (site) => {
    const browser = await signedIn(site);
    const data = { user: { name: "Enchantress" } };
    const body = { csrfToken: await browser.csrf(), data };
    const answer = await browser.postJson(`${site.basePath}/session`, body);
    assert.deepEqual([answer.status, (await answer.json()).user.name], [200, "Enchantress"]);
    await assertSeen(site, browser, "Enchantress");
  }],
  ["a renewal reaches the browser once", async (site) => {
    const browser = await signedIn(site);
    for (const path of ["/", "/members", "/api/me", "/api/members"]) {
      site.storage.age(DUE);
      const renewed = await drain(await browser.get(site.home + path));
      assert.equal(sessionCookies(renewed).length, 1, path);
      assert.match(renewed.headers.get("cache-control") ?? "", /no-store/, path);
      assert.deepEqual(sessionCookies(await drain(await browser.get(site.home + path))), [], path);
    }
    await assertSeen(site, browser, "Ada Lovelace");
  }],
  ["what is loaded in advance renews nothing", async (site) => {
    const browser = await signedIn(site);
    site.storage.age(DUE);
    const own = site.example.hidesPrefetch ? [] : [{ "next-router-prefetch": "1" }];
    for (const headers of [{ "sec-purpose": "prefetch" }, { purpose: "prefetch" }, ...own]) {
      for (const path of ["/", "/members", "/about"]) {
        const answer = await drain(await browser.get(site.home + path, { headers }));
        assert.deepEqual(answer.headers.getSetCookie(), [], `${path} ${Object.keys(headers)}`);
      }
    }
    assert.equal(sessionCookies(await drain(await browser.get(`${site.home}/`))).length, 1);
  }],
  ["an answer that caches share has no cookie", async (site) => {
    const browser = await signedIn(site);
    for (const age of [0, DUE]) {
      site.storage.age(age);
      const { headers } = await drain(await browser.get(`${site.home}/about`));
      const isShared = /public|s-maxage/.test(headers.get("cache-control") ?? "");
      assert.ok(!isShared || headers.getSetCookie().length === 0, `${headers.get("cache-control")}`);
    }
    const stranger = await drain(await site.browser().get(`${site.home}/about`));
    assert.deepEqual(stranger.headers.getSetCookie(), []);
  }],
  ["what is shown to somebody is kept by no cache", async (site) => {
    const browser = await signedIn(site);
    for (const path of ["/", "/members", "/api/me", "/api/members"]) {
      const { headers } = await drain(await browser.get(site.home + path));
      assert.match(headers.get("cache-control") ?? "", /private|no-store/, path);
    }
  }],
  ["a session that has ended is none", async (site) => {
    const browser = await signedIn(site);
    site.storage.age(100);
    await assertSeen(site, browser, null);
    assert.equal((await drain(await browser.get(`${site.home}/api/members`))).ok, false);
  }],
  ["two browsers never see each other's session or cookies", async (site) => {
    const [ada, stranger] = [await signedIn(site), site.browser()];
    const grace = site.browser();
    await grace.signIn("demo-id", {}, { callbackUrl: `${site.home}/` });
    await grace.submit({ login: "grace" });
    for (let round = 0; round < 10; round++) {
      site.storage.age(DUE);
      const answers = await Promise.all([ada, grace, stranger].map((each) => each.get(`${site.home}/api/me`)));
      const users = await Promise.all(answers.map((answer) => answer.json()));
      assert.deepEqual(users.map((user) => user?.email ?? null), ["ada@example.com", "grace@example.com", null]);
      assert.deepEqual(answers[2]?.headers.getSetCookie(), []);
    }
    await ada.open(`${site.home}/`);
    await ada.submit({}, "logout");
    await assertSeen(site, ada, null);
    await assertSeen(site, grace, "Grace Hopper");
  }],
  ["while storage is down guards deny, pages go on, and nobody is signed out", async (site) => {
    const browser = await signedIn(site, true);
    await whileDown(site, async () => {
      for (const path of ["/members", "/api/members"]) {
        const denied = await browser.get(site.home + path);
        assert.equal(denied.status, 503, path);
        assert.doesNotMatch(await denied.text(), /For members only|"name":/);
        assert.deepEqual(sessionCookies(denied), [], path);
      }
      const page = await browser.get(`${site.home}/`);
      assert.deepEqual([page.status, sessionCookies(page)], [200, []]);
      assert.match(await page.text(), /Hello stranger/);
      assert.equal((await drain(await browser.get(`${site.basePath}/session`))).status, 503);
    });
    await assertSeen(site, browser, "Ada Lovelace");
  }],
  ["while storage is down nobody signs in, and nothing of it is shown", async (site) => {
    const browser = site.browser(true);
    const csrfToken = await browser.csrf();
    await whileDown(site, async () => {
      const fields = { username: "ada", password: "lovelace", csrfToken };
      const answer = await browser.post(`${site.basePath}/callback/credentials`, fields);
      assert.deepEqual(sessionCookies(answer), []);
      assert.doesNotMatch(await answer.text() + answer.headers.get("location"), /no such table|sqlite/i);
    });
    await assertSeen(site, browser, null);
  }],
];
