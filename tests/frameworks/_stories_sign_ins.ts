/** Signing in and out. */
import assert from "node:assert/strict";
import { ADA, assertSeen, drain, sessionCookies, signedIn, type Story } from "./_words.ts";

export const signIns: readonly Story[] = [
  ["a stranger is greeted as one, and gets no session", async (site) => {
    const browser = site.browser();
    await assertSeen(site, browser, null);
    assert.deepEqual(sessionCookies(await drain(await browser.get(`${site.home}/`))), []);
    assert.equal(await browser.session(), null);
  }],
  ["a password on the page of the service signs in", async (site) => {
    const browser = site.browser();
    await browser.signIn("credentials", ADA, { callbackUrl: `${site.home}/` });
    await assertSeen(site, browser, "Ada Lovelace");
    assert.equal((await browser.session())?.user?.email, "ada@example.com");
  }],
  ["a password in a form of the application signs in", async (site) => {
    const browser = await site.browser().open(`${site.home}/`);
    await browser.submit(ADA, "login/credentials");
    await assertSeen(site, browser, "Ada Lovelace");
  }],
  ["a provider signs in, from the page of the service", async (site) => {
    const browser = site.browser();
    await browser.signIn("demo-id", {}, { callbackUrl: `${site.home}/members` });
    await browser.submit({ login: "grace" });
    assert.equal(browser.url.href, `${site.home}/members`);
    assert.match(browser.html, /For members only: Grace Hopper/);
    await assertSeen(site, browser, "Grace Hopper");
  }],
  ["a provider signs in, from a form of the application", async (site) => {
    const browser = await site.browser().open(`${site.home}/`);
    await browser.submit({}, "login/demo-id");
    await browser.submit({ login: "grace" });
    await assertSeen(site, browser, "Grace Hopper");
  }],
  ["whoever cancels at the provider is told so, and is not signed in", async (site) => {
    const browser = site.browser();
    await browser.signIn("demo-id");
    await browser.submit({ login: "" });
    assert.ok(browser.url.href.startsWith(site.home), browser.url.href);
    assert.match(browser.url.search, /error=/);
    assert.ok(browser.status < 500);
    await assertSeen(site, browser, null);
  }],
  ["a wrong password is shown on the page of the service", async (site) => {
    const browser = site.browser();
    await browser.signIn("credentials", { ...ADA, password: "wrong" });
    assert.match(browser.url.search, /error=CredentialsSignin/);
    assert.equal(browser.url.pathname, `${site.basePath}/signin`);
    assert.match(browser.html, /<form/);
    await assertSeen(site, browser, null);
  }],
  ["a wrong password in a form of the application is an error that it can show", async (site) => {
    // A page sends it, not a script: some frameworks answer scripts with the error in JSON.
    const fields = { ...ADA, password: "wrong" };
    const headers = { accept: "text/html" };
    const answer = await site.browser().post(`${site.home}/login/credentials`, fields, { headers });
    assert.equal(answer.status, 401);
    assert.match(await answer.text(), /CredentialsSignin/);
    assert.deepEqual(sessionCookies(answer), []);
  }],
  ["the page of the service signs out", async (site) => {
    const browser = await signedIn(site);
    await browser.signOut();
    await assertSeen(site, browser, null);
  }],
  ["a form of the application signs out, and a copy of the cookie is worth nothing", async (site) => {
    const browser = await signedIn(site);
    const cookie = browser.cookies.headerFor(new URL(site.home), { sameSite: true, safe: true });
    await browser.open(`${site.home}/`);
    await browser.submit({}, "logout");
    await assertSeen(site, browser, null);
    const copy = await site.raw("/api/me", "GET", { cookie: cookie ?? "" });
    assert.equal(copy.text, "null");
  }],
];
