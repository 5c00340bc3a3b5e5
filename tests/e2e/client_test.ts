import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import type { AuthClient, AuthResult, PasswordClient } from "@x/auth/client";
import { findChromium, skipsWithout, startChromium, visitSite } from "../_support/chromium.ts";
import { type ClientSite, startClientSite } from "./_client_site.ts";
import { offerNothing, plugIn } from "./_passkeys.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of the client in a browser");

const HERE = { username: "ada", password: "lovelace", redirect: false };
const ADA = "authenticated ada@example.com";
const NOBODY = "unauthenticated";

describe("the client in Chromium", { skip }, () => {
  let site: ClientSite;
  let browser: Browser;

  before(async () => {
    site = await startClientSite();
    browser = await startChromium(executablePath);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  async function visit(act: (page: Page, context: BrowserContext) => Promise<void>): Promise<void> {
    try {
      await visitSite(browser, { home: site.origin, mayRefuse: true }, act);
    } finally {
      site.isAway = false;
    }
  }

  /** Calls a function of the client in the page. */
  async function call(page: Page, name: keyof AuthClient, ...args: readonly unknown[]): Promise<AuthResult> {
    return await page.evaluate(`client.${name}(...${JSON.stringify(args)})`);
  }

  /** Calls a function for passwords. */
  async function callPassword(page: Page, name: keyof PasswordClient, options: object): Promise<AuthResult> {
    return await page.evaluate(`client.password.${name}(${JSON.stringify({ redirect: false, ...options })})`);
  }

  async function open(page: Page, path = "/"): Promise<Page> {
    await page.goto(site.origin + path);
    return page;
  }

  async function assertShows(page: Page, text: string, id = "state"): Promise<void> {
    await page.locator(`#${id}`).filter({ hasText: new RegExp(`^${RegExp.escape(text)}$`) }).waitFor({
      state: "attached",
    }).catch(async () => assert.equal(await page.locator(`#${id}`).textContent(), text));
  }

  /** Logs in at the provider and agrees. */
  async function logIn(page: Page): Promise<void> {
    await page.locator("[name=login]").fill("ada");
    await page.locator("[name=password]").fill("any");
    await page.locator("[type=submit]").click();
    await page.locator("[type=submit]").click();
  }

  test("a wrong password signs nobody in, the right one does, and signing out ends it", () =>
    visit(async (page) => {
      await open(page);
      await assertShows(page, NOBODY);
      const wrong = await call(page, "signIn", "credentials", { ...HERE, password: "wrong" });
      assert.deepEqual(wrong, { ok: false, error: "CredentialsSignin", code: "credentials", status: 200 });
      assert.deepEqual(await call(page, "signIn", "credentials", HERE), { ok: true, url: `${site.origin}/` });
      await assertShows(page, ADA);
      assert.equal(await page.evaluate("document.cookie"), "", "no script reads a cookie");
      await call(page, "signOut", { redirect: false });
      await assertShows(page, NOBODY);
    }));

  test("somebody registers with a password, and a link that others have asked for lets its owner choose another", () =>
    visit(async (page) => {
      const email = "mary@example.com";
      const typed = "a pelican on a bicycle";
      await open(page);
      const sent = await callPassword(page, "signUp", { email, password: typed });
      assert.equal(sent.ok && new URL(sent.url).pathname, "/auth/verify-request");
      await visit(async (owner) => {
        await owner.goto(site.linkTo(email));
        const address = new URL(owner.url());
        assert.equal(address.pathname, "/");
        await assertShows(owner, NOBODY);
        const { token } = Object.fromEntries(address.searchParams);
        const chosen = await callPassword(owner, "claim", { email, token, password: "a bicycle on a pelican" });
        assert.deepEqual(chosen, { ok: true, url: `${site.origin}/` });
        await assertShows(owner, `authenticated ${email}`);
      });
      const result = await call(page, "signIn", "password", { email, password: typed, redirect: false });
      assert.equal(!result.ok && result.error, "CredentialsSignin");
    }));

  test("somebody changes and ends their account in an application of React, and every framework shows the same", () =>
    visit(async (page, context) => {
      const email = "joan@example.com";
      const typed = "a pelican on a bicycle";
      await open(page);
      await callPassword(page, "signUp", { email, password: typed, name: "Joan" });
      await page.goto(site.linkTo(email));
      const before = site.askedForAccount();
      await open(page, "/account");
      const frameworks = ["react", "vue", "solid", "svelte"];
      for (const id of frameworks) await assertShows(page, `${email} Joan`, id);
      assert.equal(site.askedForAccount() - before, 1, "all of them share one request");
      await page.locator("[name=name]").fill("Joan Clarke");
      await page.locator("#rename").click();
      for (const id of frameworks) await assertShows(page, `${email} Joan Clarke`, id);
      assert.equal(site.askedForAccount() - before, 1, "the answer has the account");
      await page.locator("[name=name]").fill(" ");
      await page.locator("#rename").click();
      await assertShows(page, "name", "problem");

      const other = await open(await context.newPage(), "/account");
      await assertShows(other, `${email} Joan Clarke`, "react");
      await page.locator("[name=name]").fill("Joan");
      await page.locator("#rename").click();
      await assertShows(other, `${email} Joan`, "react");

      const saving = page.waitForEvent("download");
      await page.locator("#export").click();
      const file = await saving;
      assert.equal(file.suggestedFilename(), "account.json");
      assert.equal(JSON.parse(await readFile(await file.path(), "utf8")).user.email, email);

      await page.locator("#leave").click();
      for (const id of frameworks) await assertShows(page, "nobody", id);
      await assertShows(other, "nobody", "react");
      const result = await call(page, "signIn", "password", { email, password: typed, redirect: false });
      assert.equal(!result.ok && result.error, "CredentialsSignin");
    }));

  test("somebody whose guesses strangers have used up signs in, and the page stays as fast as it was", () =>
    visit(async (page) => {
      await open(page);
      const wrong = { ...HERE, password: "wrong" };
      for (let tries = 0; tries < 10; tries++) await call(page, "signIn", "credentials", wrong);
      await page.evaluate(GAPS);
      assert.deepEqual(await call(page, "signIn", "credentials", HERE), { ok: true, url: `${site.origin}/` });
      const longest = Number(await page.evaluate("longest"));
      assert.ok(longest < 500, `nothing else ran for ${longest} ms`);
    }));

  test("two tabs keep in step", () =>
    visit(async (page, context) => {
      const other = await open(await context.newPage());
      await open(page);
      await call(page, "signIn", "credentials", HERE);
      await assertShows(other, ADA);
      await call(other, "signOut", { redirect: false });
      await assertShows(page, NOBODY);
    }));

  test("somebody creates a passkey, and signs in with it by a button", () =>
    visit(async (page) => {
      const device = await plugIn(page);
      await offerNothing(page);
      await open(page);
      const made = await call(page, "registerPasskey", "passkey", { email: "lin@example.com", redirect: false });
      assert.deepEqual(made, { ok: true, url: `${site.origin}/` });
      assert.equal(await device.count(), 1);
      await assertShows(page, "authenticated lin@example.com");
      await call(page, "signOut", { redirect: false });
      assert.equal((await call(page, "signIn", "passkey", { redirect: false })).ok, true);
      await assertShows(page, "authenticated lin@example.com");
    }));

  test("a passkey that was removed is taken from the device, at once or when somebody tries it", () =>
    visit(async (page) => {
      const device = await plugIn(page);
      await offerNothing(page);
      await open(page);
      for (const email of ["vera@example.com", "rosa@example.com"]) {
        await call(page, "registerPasskey", "passkey", { email, redirect: false });
        assert.equal(await device.count(), 1);
        assert.equal(await call(page, "syncPasskeys"), true as never);
        assert.equal(await device.count(), 1);
        await site.forgetPasskeys(email);
        if (email.startsWith("vera")) await call(page, "syncPasskeys");
        await call(page, "signOut", { redirect: false });
        if (email.startsWith("vera")) assert.equal(await device.count(), 0);
      }
      const refused = { ok: false, error: "WebAuthnVerificationError", code: "unknown_passkey", status: 200 };
      assert.deepEqual(await call(page, "signIn", "passkey", { redirect: false }), refused);
      assert.equal(await device.count(), 0);
    }));

  test("somebody signs in with the passkey that the browser offers in a field", () =>
    visit(async (page) => {
      await plugIn(page);
      await open(page);
      await call(page, "registerPasskey", "passkey", { email: "grace@example.com", redirect: false });
      await call(page, "signOut", { redirect: false });
      assert.equal((await call(page, "signIn", "passkey", { conditional: true, redirect: false })).ok, true);
      await assertShows(page, "authenticated grace@example.com");
    }));

  test("a popup shows the provider, closes itself, and the page stays and is signed in", () =>
    visit(async (page, context) => {
      await open(page);
      const opened = context.waitForEvent("page");
      await page.locator("#popup").click();
      const popup = await opened;
      await popup.waitForURL((url) => url.origin === site.issuer);
      const closed = popup.waitForEvent("close");
      await logIn(popup);
      await assertShows(page, JSON.stringify({ ok: true, url: `${site.origin}/` }), "result");
      await closed;
      assert.match(await page.locator("#state").innerText(), /^authenticated /);
      assert.equal(page.url(), `${site.origin}/`);
    }));

  test("a popup is not lost when the provider cuts it off", () =>
    visit(async (page, context) => {
      await context.route(`${site.issuer}/**`, async (route) => {
        const response = await route.fetch({ maxRedirects: 0 });
        const headers = { ...response.headers(), "cross-origin-opener-policy": "same-origin" };
        await route.fulfill({ response, headers });
      });
      await open(page);
      // Playwright tells every page that it has the focus.
      await page.evaluate("document.hasFocus = () => false");
      const opened = context.waitForEvent("page");
      await page.locator("#popup").click();
      const popup = await opened;
      await popup.waitForURL((url) => url.origin === site.issuer);
      await popup.locator("[name=login]").waitFor();
      assert.equal(await popup.evaluate("opener"), null);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await assertShows(page, "", "result");
      await logIn(popup);
      await assertShows(page, JSON.stringify({ ok: true, url: `${site.origin}/` }), "result");
    }));

  test("a popup that somebody closes says so", () =>
    visit(async (page, context) => {
      await open(page);
      const opened = context.waitForEvent("page");
      await page.locator("#popup").click();
      const popup = await opened;
      await popup.waitForURL((url) => url.origin === site.issuer);
      await popup.close();
      await assertShows(page, JSON.stringify({ ok: false, error: "PopupClosed", status: 0 }), "result");
      await assertShows(page, NOBODY);
    }));

  test("a redirect to the provider comes back signed in", () =>
    visit(async (page) => {
      await open(page);
      await page.evaluate(`void client.signIn("mock")`);
      await page.waitForURL((url) => url.origin === site.issuer);
      await logIn(page);
      await page.waitForURL(`${site.origin}/`);
      await page.locator("#state").filter({ hasText: /^authenticated / }).waitFor();
    }));

  test("a page of another origin cannot make this one ask, whatever it says", () =>
    visit(async (page, context) => {
      await open(page);
      await assertShows(page, NOBODY);
      const asked = site.asked();
      const foreign = await context.newPage();
      await foreign.goto(`${site.issuer}/.well-known/openid-configuration`);
      const opened = context.waitForEvent("page");
      await foreign.evaluate(`globalThis.other = open(${JSON.stringify(site.origin)})`);
      const other = await opened;
      await assertShows(other, NOBODY);
      await foreign.evaluate(`for (const data of ["changed", "#x-auth-popup=1", { session: {} }]) {
        new BroadcastChannel("x-auth:/auth").postMessage(data);
        other.postMessage(data, "*");
      }`);
      await new Promise((resolve) => setTimeout(resolve, 500));
      assert.equal(site.asked(), asked + 1, "for the page that it opened");
      await assertShows(page, NOBODY);
    }));

  test("while the service is away the page knows what it knew", () =>
    visit(async (page) => {
      await open(page);
      await call(page, "signIn", "credentials", HERE);
      await assertShows(page, ADA);
      site.isAway = true;
      await call(page, "refresh");
      await assertShows(page, `${ADA} failed`);
      site.isAway = false;
      await call(page, "refresh");
      await assertShows(page, ADA);
    }));

  test("React, Vue, Solid and Svelte show the session, and the page that a server rendered asks nothing for it", () =>
    visit(async (page, context) => {
      await open(page);
      await call(page, "signIn", "credentials", HERE);
      const asked = site.asked();
      const other = await open(await context.newPage(), "/frameworks");
      assert.equal(await other.locator("#who").innerText(), "ada@example.com light");
      for (const id of ["vue", "solid", "svelte"]) await assertShows(other, "ada@example.com", id);
      assert.equal(site.asked(), asked, "the session was there already");
      await other.locator("#dark").click();
      await assertShows(other, "ada@example.com dark", "who");
      await call(page, "signOut", { redirect: false });
      await assertShows(other, "unauthenticated light", "who");
      for (const id of ["vue", "solid", "svelte"]) await assertShows(other, "unauthenticated", id);
    }));

  test("a page that comes back out of the cache of the browser does not show who has signed out", async () => {
    // Playwright switches the cache off by default.
    const own = await chromium.launch({
      executablePath: `${executablePath}`,
      args: ["--no-sandbox", "--disable-gpu"],
      ignoreDefaultArgs: ["--disable-back-forward-cache"],
    });
    try {
      const context = await own.newContext();
      const page = await open(await context.newPage());
      await call(page, "signIn", "credentials", HERE);
      await assertShows(page, ADA);
      await page.evaluate("globalThis.isOld = true");
      await page.evaluate(`location.assign("/plain")`);
      await page.waitForURL(`${site.origin}/plain`);
      await call(await open(await context.newPage()), "signOut", { redirect: false });
      await page.evaluate("history.back()");
      await page.waitForURL(`${site.origin}/`, { waitUntil: "commit" });
      await assertShows(page, NOBODY);
      assert.equal(await page.evaluate("globalThis.isOld"), true, "it was not loaded again");
    } finally {
      await own.close();
    }
  });
});

/** Measures how long the page does nothing else. */
const GAPS = `
longest = 0;
last = performance.now();
setInterval(() => {
  longest = Math.max(longest, performance.now() - last);
  last = performance.now();
});`;
