/** What only members see. */
import assert from "node:assert/strict";
import { TARGETS } from "./_targets.ts";
import { ADA, drain, sessionCookies, signedIn, type Story } from "./_words.ts";

/** One page, written in many ways. A router that serves any of them must be guarded for all. */
export const SPELLINGS: readonly string[] = [
  "/members",
  "/MEMBERS",
  "/Members",
  "/members/",
  "//members",
  "/members//",
  "/./members",
  "/x/../members",
  "/%6dembers",
  "/%6D%65mbers",
  "/members%2F",
  "/members%2f..%2fmembers",
  "/%2e/members",
  "/members;a=b",
  "/members/;x",
  "/members?x=1",
  "/members#x",
  "/members.html",
  "/members.data",
  "/members%20",
  "/members%00",
  "/%25%36dembers",
  "\\members",
  "/members\\",
];

export const guards: readonly Story[] = [
  ["a guarded page leads strangers to the sign-in page, and back", async (site) => {
    const { status, headers } = await site.raw("/members?tab=2", "GET", { "sec-fetch-mode": "navigate" });
    assert.ok([302, 303, 307].includes(status), `${status}`);
    const browser = await site.browser().open(String(headers.location));
    assert.equal(browser.url.pathname, `${site.basePath}/signin`);
    await browser.submit(ADA, "/credentials");
    assert.equal(browser.url.href, `${site.home}/members?tab=2`);
    assert.match(browser.html, /For members only: Ada Lovelace/);
  }],
  ["a guarded page is shown to members", async (site) => {
    const browser = await signedIn(site);
    await browser.open(`${site.home}/members`);
    assert.match(browser.html, /For members only: Ada Lovelace/);
  }],
  ["a guarded API denies scripts of strangers", async (site) => {
    const answer = await site.browser().get(`${site.home}/api/members`, { headers: { "sec-fetch-mode": "cors" } });
    assert.equal(answer.status, 401);
    assert.doesNotMatch(await answer.text(), /"name":/);
  }],
  ["a guarded API answers members", async (site) => {
    const answer = await (await signedIn(site)).get(`${site.home}/api/members`);
    assert.deepEqual([answer.status, (await answer.json()).name], [200, "Ada Lovelace"]);
  }],
  ["no method passes a guard", async (site) => {
    for (const method of ["HEAD", "POST", "PUT", "DELETE", "OPTIONS"]) {
      for (const path of ["/members", "/api/members"]) {
        const { status, text } = await site.raw(path, method);
        assert.ok(status >= 300 && status < 500, `${method} ${path} ${status}`);
        assert.doesNotMatch(text, /For members only|"name":/, `${method} ${path}`);
      }
    }
  }],
  [`${SPELLINGS.length} spellings of a guarded path do not pass`, async (site) => {
    for (const path of SPELLINGS.flatMap((path) => [path, path.replace(/members/i, (word) => `api/${word}`)])) {
      const { status, text } = await site.raw(path, "GET", { "sec-fetch-mode": "navigate" });
      assert.doesNotMatch(text, /For members only|"name":/, path);
      assert.ok(status < 500, `${path} ${status}`);
    }
  }],
  [`${TARGETS.length} request targets that no browser sends do not pass`, async (site) => {
    const pages = ["members/1", "members", "api/members", "api/members/1"];
    for (const target of new Set(TARGETS.flatMap((target) => pages.map((page) => target.replace("members/1", page))))) {
      assert.doesNotMatch(await site.target(target), /For members only|"name":/, target);
    }
  }],
  ["a cookie that is none passes no guard, and is no failure", async (site) => {
    for (const value of ["x", "a.b.c.d.e", "%00", "x".repeat(3000), "null", "{}"]) {
      const headers = { cookie: `authjs.session-token=${value}`, "sec-fetch-mode": "cors" };
      const { status, text } = await site.raw("/api/members", "GET", headers);
      assert.equal(status, 401, value.slice(0, 20));
      assert.doesNotMatch(text, /"name":/);
    }
  }],
  ["a denial sets no cookie of a session, and is kept by no cache", async (site) => {
    const denied = await drain(await site.browser().get(`${site.home}/api/members`));
    assert.deepEqual(sessionCookies(denied), []);
    assert.match(denied.headers.get("cache-control") ?? "", /no-store/);
  }],
];
