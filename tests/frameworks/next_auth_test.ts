/** The browser client of next-auth, unmodified, with this service. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { offerNothing, plugIn } from "../e2e/_passkeys.ts";
import { findChromium, skipsWithout, startChromium, visitSite } from "../_support/chromium.ts";
import { type NextAuthSite, startNextAuthSite } from "./_next_auth_site.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of the client of next-auth");

const HERE = { username: "ada", password: "lovelace", redirect: false };
const ADA = "authenticated Ada Lovelace";
const NOBODY = "unauthenticated";

describe("next-auth/react and next-auth/webauthn in Chromium", { skip }, () => {
  let site: NextAuthSite;
  let browser: Browser;

  before(async () => {
    site = await startNextAuthSite();
    browser = await startChromium(executablePath);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  const visit = (act: (page: Page, context: BrowserContext) => Promise<void>, mayRefuse = false): Promise<void> =>
    visitSite(browser, { home: site.origin, mayRefuse }, act);

  /** Calls a function of next-auth in the page. */
  async function call<T>(page: Page, name: string, ...args: readonly unknown[]): Promise<T> {
    return await page.evaluate(`${name}(...${JSON.stringify(args)})`);
  }

  async function open(page: Page): Promise<Page> {
    await page.goto(`${site.origin}/`);
    return page;
  }

  async function assertShows(page: Page, text: string): Promise<void> {
    const state = page.locator("#state");
    await state.filter({ hasText: new RegExp(`^${RegExp.escape(text)}$`) }).waitFor({ timeout: 10_000 })
      .catch(async () => assert.equal(await state.textContent(), text));
  }

  test("a wrong password is an error, the right one signs in, and signing out ends it", () =>
    visit(async (page) => {
      await open(page);
      await assertShows(page, NOBODY);
      const wrong = await call<object>(page, "signIn", "credentials", { ...HERE, password: "wrong" });
      assert.deepEqual(wrong, { error: "CredentialsSignin", code: "credentials", status: 200, ok: true, url: null });
      await assertShows(page, NOBODY);
      const right = await call<object>(page, "signIn", "credentials", HERE);
      assert.deepEqual({ code: undefined, ...right }, {
        error: undefined,
        code: undefined,
        status: 200,
        ok: true,
        url: `${site.origin}/`,
      });
      await assertShows(page, ADA);
      const session = await call<{ readonly user?: object }>(page, "getSession");
      assert.deepEqual(session.user, {
        name: "Ada Lovelace",
        email: "ada@example.com",
        image: "https://example.com/ada.png",
      });
      assert.deepEqual(await call(page, "signOut", { redirect: false }), { url: `${site.origin}/` });
      await assertShows(page, NOBODY);
    }));

  test("who has tried too often is told so, and who is known in their browser is not", () =>
    visit(async (page) => {
      await open(page);
      await assertShows(page, NOBODY);
      assert.equal((await call<{ error?: string }>(page, "signIn", "credentials", HERE)).error ?? null, null);
      const wrong = { ...HERE, username: "eve" };
      const errors: unknown[] = [];
      for (let tries = 0; tries < 11; tries++) {
        errors.push((await call<{ error?: string }>(page, "signIn", "credentials", wrong)).error);
      }
      assert.deepEqual(errors, [...Array.from({ length: 10 }, () => "CredentialsSignin"), "TooManyAttempts"]);
      const { error, status, ok, url } = await call<Record<string, unknown>>(page, "signIn", "credentials", wrong);
      assert.deepEqual({ error, status, ok, url }, { error: "TooManyAttempts", status: 429, ok: false, url: null });
      await call(page, "signOut", { redirect: false });
      assert.equal((await call<{ error?: string }>(page, "signIn", "credentials", HERE)).error ?? null, null);
      await assertShows(page, ADA);
    }, true));

  test("a sign-in that leaves the page comes back signed in, and so does a sign-out", () =>
    visit(async (page) => {
      await open(page);
      await assertShows(page, NOBODY);
      await page.evaluate(
        `void signIn("credentials", ${JSON.stringify({ ...HERE, redirect: true, redirectTo: "/" })})`,
      );
      await assertShows(page, ADA);
      await page.evaluate("void signOut()");
      await assertShows(page, NOBODY);
    }));

  test("a provider signs in", () =>
    visit(async (page) => {
      await open(page);
      await assertShows(page, NOBODY);
      await page.evaluate(`void signIn("mock")`);
      await page.waitForURL((url) => url.origin === site.issuer);
      await page.locator("[name=login]").fill("ada");
      await page.locator("[name=password]").fill("any");
      await page.locator("[type=submit]").click();
      await page.locator("[type=submit]").click();
      await page.waitForURL(`${site.origin}/`);
      await page.locator("#state").filter({ hasText: /^authenticated / }).waitFor();
    }));

  test("an update changes the session, and lasts", () =>
    visit(async (page) => {
      await open(page);
      await assertShows(page, NOBODY);
      await call(page, "signIn", "credentials", HERE);
      await assertShows(page, ADA);
      await call(page, "update", { name: "Countess" });
      await assertShows(page, "authenticated Countess");
      await page.reload();
      await assertShows(page, "authenticated Countess");
    }));

  // A sign-in it tells nobody: the other tabs see it when somebody comes back to them.
  test("signing out reaches the other tabs", () =>
    visit(async (page, context) => {
      await open(page);
      await assertShows(page, NOBODY);
      await call(page, "signIn", "credentials", HERE);
      const other = await open(await context.newPage());
      await assertShows(other, ADA);
      await call(other, "signOut", { redirect: false });
      await assertShows(page, NOBODY);
    }));

  test("the providers and the CSRF token are what it expects", () =>
    visit(async (page) => {
      await open(page);
      const providers = await call<Record<string, { readonly type: string }>>(page, "getProviders");
      assert.deepEqual(Object.entries(providers).map(([id, { type }]) => [id, type]), [
        ["passkey", "webauthn"],
        ["credentials", "credentials"],
        ["mock", "oidc"],
      ]);
      assert.match(await call(page, "getCsrfToken"), /^[0-9a-f]{64}$/);
    }));

  test("somebody creates a passkey, signs out, and signs in with it", () =>
    visit(async (page) => {
      const device = await plugIn(page);
      await offerNothing(page);
      await open(page);
      await assertShows(page, NOBODY);
      const options = { email: "lin@example.com", action: "register", redirect: false };
      const made = await call<{ readonly error?: string; readonly url: string }>(
        page,
        "signInWithPasskey",
        "passkey",
        options,
      );
      assert.deepEqual([made.error ?? null, made.url, await device.count()], [null, `${site.origin}/`, 1]);
      await assertShows(page, "authenticated lin@example.com");
      await call(page, "signOut", { redirect: false });
      await assertShows(page, NOBODY);
      const back = await call<{ readonly error?: string }>(page, "signInWithPasskey", "passkey", { redirect: false });
      assert.equal(back.error ?? null, null);
      await assertShows(page, "authenticated lin@example.com");
    }));
});
