/** What is refused, whoever sends it. */
import assert from "node:assert/strict";
import { secretsIn } from "./_canary.ts";
import { ADA, assertSeen, drain, sessionCookies, signedIn, type Story } from "./_words.ts";

const EVIL = { origin: "https://evil.test", "sec-fetch-site": "cross-site" };

export const refusals: readonly Story[] = [
  ["a form of another site neither signs in nor out, and changes nothing", async (site) => {
    const browser = await signedIn(site);
    for (const path of ["/login/credentials", "/logout", "/name"]) {
      const answer = await drain(await browser.post(site.home + path, { ...ADA, name: "Mallory" }, { headers: EVIL }));
      assert.ok(answer.status >= 400 && answer.status < 500, `${path} ${answer.status}`);
      assert.deepEqual(sessionCookies(answer), [], path);
    }
    await assertSeen(site, browser, "Ada Lovelace");
  }],
  ["a form of another site signs no stranger in", async (site) => {
    const browser = site.browser();
    const answer = await drain(await browser.post(`${site.home}/login/credentials`, ADA, { headers: EVIL }));
    assert.deepEqual(sessionCookies(answer), []);
    await assertSeen(site, browser, null);
  }],
  ["the endpoints of the service refuse what another site posts", async (site) => {
    const browser = await signedIn(site);
    const cookie = browser.cookies.headerFor(new URL(site.home), { sameSite: true, safe: true }) ?? "";
    const body = String(new URLSearchParams(ADA));
    for (const action of ["signout", "signin/demo-id", "callback/credentials", "session"]) {
      // Some frameworks refuse it before the service does: it need not be an answer of the service.
      const headers = { ...EVIL, cookie, "content-type": "application/x-www-form-urlencoded" };
      const url = new URL(`${site.basePath}/${action}`, site.home);
      const answer = await drain(await fetch(url, { method: "POST", redirect: "manual", headers, body }));
      assert.ok(answer.status >= 300 && answer.status < 500, `${action} ${answer.status}`);
      assert.deepEqual(sessionCookies(answer), [], action);
    }
    await assertSeen(site, browser, "Ada Lovelace");
  }],
  ["nobody is led to another site", async (site) => {
    const browser = site.browser();
    await browser.signIn("credentials", ADA, { callbackUrl: "https://evil.test/" });
    assert.ok(browser.url.href.startsWith(site.home), browser.url.href);
    const fields = { ...ADA, redirectTo: "https://evil.test/" };
    const answer = await drain(await browser.post(`${site.home}/login/credentials`, fields));
    assert.doesNotMatch(answer.headers.get("location") ?? "", /evil/);
  }],
  ["the Host header decides on no link", async (site) => {
    const { headers, text } = await site.raw("/members", "GET", { host: "evil.test" });
    assert.doesNotMatch(`${headers.location} ${text}`, /\/\/evil\.test\/(?!members)/);
  }],
  ["what the service does not know is not found", async (site) => {
    for (const path of ["/nothing", "/callback/nobody", "/signin/nobody", "/../x"]) {
      const { status } = await site.raw(site.basePath + path);
      assert.ok(status >= 300 && status < 500, `${path} ${status}`);
    }
  }],
  ["a form that is too large is refused, and the service goes on", async (site) => {
    const browser = site.browser();
    const answer = await drain(
      await browser.post(`${site.basePath}/callback/credentials`, { ...ADA, more: "x".repeat(2_000_000) }),
    );
    assert.ok(answer.status >= 300 && answer.status < 500, `${answer.status}`);
    await assertSeen(site, browser, null);
  }],
  ["no page has a secret of the service", async (site) => {
    for (const browser of [site.browser(), await signedIn(site)]) {
      for (const path of ["/", "/members", "/about", "/api/me", "/api/members"]) {
        const answer = await browser.get(site.home + path);
        assert.deepEqual(secretsIn(await answer.text() + JSON.stringify([...answer.headers])), [], path);
      }
    }
  }],
  ["an error page says nothing of the error but its kind", async (site) => {
    const browser = await site.browser(true).open(`${site.basePath}/error?error=<script>alert(1)</script>`);
    assert.doesNotMatch(browser.html, /<script>alert/);
  }],
];
