import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { findChromium, HASTE, skipsWithout, startChromium } from "../_support/chromium.ts";
import { type Demo, startDemo } from "../_support/demo.ts";
import { offerNothing, plugIn } from "./_passkeys.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of passkeys in a browser");

type ContextOptions = NonNullable<Parameters<Browser["newContext"]>[0]>;

/** Tells what people do with passkeys, and what others try, in the demo with one of its stores. */
export function tellPasskeyStories(store: "sqlite" | "kv"): void {
  describe(`passkeys in Chromium, kept in ${store}`, { skip }, () => {
    let demo: Demo;
    let chromium: Browser;

    before(async () => {
      demo = await startDemo([`--store=${store}`]);
      chromium = await startChromium(executablePath);
    });
    after(async () => {
      await chromium?.close();
      await demo?.close();
    });

    /** Gives a visitor a browser of their own. What it complains of, violations of a policy among it, are faults. */
    async function visit(act: (page: Page) => Promise<void>, options: ContextOptions = {}): Promise<void> {
      const context = await chromium.newContext(options);
      try {
        const faults = watch(context);
        await act(await context.newPage());
        assert.deepEqual(faults, []);
      } finally {
        await context.close();
      }
    }

    function watch(context: BrowserContext): readonly string[] {
      const faults: string[] = [];
      context.on("request", (request) => {
        const { origin } = new URL(request.url());
        if (origin !== demo.site && origin !== demo.idp) faults.push(`asks ${request.url()}`);
      });
      context.on("weberror", (error) => faults.push(String(error.error())));
      context.on("console", (message) => {
        // What the site refuses has such a status, and is looked at by the test.
        const text = message.text();
        if (!HASTE.test(text) && !text.includes("responded with a status of 4")) faults.push(text);
      });
      return faults;
    }

    async function open(page: Page, query: Readonly<Record<string, string>> = {}): Promise<void> {
      await page.goto(`${demo.site}/auth/signin?${new URLSearchParams({ callbackUrl: "/members", ...query })}`);
    }

    async function create(page: Page, email: string): Promise<void> {
      await open(page, { email });
      await page.getByRole("button", { name: "Create a passkey" }).click();
    }

    async function register(page: Page, email: string): Promise<void> {
      await create(page, email);
      await page.waitForURL(`${demo.site}/members`);
    }

    async function signIn(page: Page): Promise<void> {
      await open(page);
      await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    }

    async function signOut(page: Page): Promise<void> {
      await page.goto(`${demo.site}/auth/signout?callbackUrl=%2F`);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL(`${demo.site}/`);
    }

    async function assertSignedInAs(page: Page, email: string): Promise<void> {
      await page.waitForURL(`${demo.site}/members`);
      assert.ok((await page.locator("#user").innerText()).includes(email));
    }

    async function assertRefused(page: Page): Promise<void> {
      await page.getByRole("heading", { name: "This passkey cannot be used" }).waitFor();
      await assertNobody(page);
    }

    async function assertNobody(page: Page): Promise<void> {
      const answer = await page.request.get(`${demo.site}/auth/session`);
      assert.equal(await answer.json(), null);
    }

    const passkeys = (page: Page) => page.locator("#passkeys li");
    const note = (page: Page) => page.getByRole("status");

    test("somebody creates a passkey, signs out, and signs in with it by the button", () =>
      visit(async (page) => {
        await offerNothing(page);
        const device = await plugIn(page);
        await register(page, "annie@example.com");
        assert.equal(await device.count(), 1);
        assert.equal(await passkeys(page).count(), 1);
        await signOut(page);
        await signIn(page);
        await assertSignedInAs(page, "annie@example.com");
        assert.match(await passkeys(page).innerText(), /counter 2/);
      }));

    test("somebody signs in with what the browser offers where the address is typed", () =>
      visit(async (page) => {
        await plugIn(page);
        await register(page, "lin@example.com");
        await signOut(page);
        await open(page);
        await assertSignedInAs(page, "lin@example.com");
      }));

    test("the keyboard is enough, and an address is demanded only to create a passkey", () =>
      visit(async (page) => {
        await offerNothing(page);
        const device = await plugIn(page);
        await open(page);
        await page.getByRole("button", { name: "Create a passkey" }).click();
        assert.equal(await device.count(), 0);
        await register(page, "edith@example.com");
        await signOut(page);
        await open(page);
        await page.getByRole("button", { name: "Sign in with a passkey" }).press("Enter");
        await assertSignedInAs(page, "edith@example.com");
      }));

    test("somebody who is signed in adds a second passkey, names it, and removes the first", () =>
      visit(async (page) => {
        await offerNothing(page);
        const device = await plugIn(page);
        await register(page, "mary@example.com");
        await page.getByRole("link", { name: "Add a passkey" }).click();
        await page.getByRole("button", { name: "Create a passkey" }).click();
        await note(page).filter({ hasText: "This device already has a passkey here" }).waitFor();
        await device.replace();
        await register(page, "mary@example.com");
        assert.equal(await passkeys(page).count(), 2);
        assert.equal(await page.locator("#sessions li").count(), 1, "the session is kept");
        const second = passkeys(page).last();
        await second.getByLabel("Name of the passkey").fill("<b>Key</b> of Mary");
        await second.getByRole("button", { name: "Rename" }).click();
        const named = passkeys(page).filter({ hasText: "<b>Key</b> of Mary" });
        await named.waitFor();
        const first = passkeys(page).filter({ hasNotText: "of Mary" });
        await first.getByRole("button", { name: "Remove" }).click();
        await first.waitFor({ state: "detached" });
        assert.equal(await passkeys(page).count(), 1);
      }));

    test("the last way in cannot be removed, neither by the page nor by a form of one's own", () =>
      visit(async (page) => {
        await offerNothing(page);
        await plugIn(page);
        await register(page, "jean@example.com");
        assert.equal(await page.getByRole("button", { name: "Remove" }).count(), 0);
        const passkey = await passkeys(page).locator("[name=passkey]").inputValue();
        const answer = await page.request.post(`${demo.site}/passkeys`, {
          headers: { origin: demo.site },
          form: { passkey, remove: "yes" },
        });
        assert.equal(answer.status(), 409);
        await page.reload();
        assert.equal(await passkeys(page).count(), 1);
        await signOut(page);
        await signIn(page);
        await assertSignedInAs(page, "jean@example.com");
      }));

    test("two passkeys that are removed at once are not both the other's last way in", () =>
      visit(async (page) => {
        await offerNothing(page);
        const device = await plugIn(page);
        await register(page, "betty@example.com");
        await device.replace();
        await register(page, "betty@example.com");
        const forms = await passkeys(page).locator("[name=passkey]").all();
        const answers = await Promise.all(forms.map(async (form) => {
          const removal = { passkey: await form.inputValue(), remove: "yes" };
          return await page.request.post(`${demo.site}/passkeys`, {
            headers: { origin: demo.site },
            form: removal,
            maxRedirects: 0,
          });
        }));
        assert.deepEqual(answers.map((answer) => answer.status()).sort(), [303, 409]);
        await page.reload();
        assert.equal(await passkeys(page).count(), 1);
      }));

    test("nobody changes a passkey of somebody else, or from another site", () =>
      visit(async (page) => {
        await offerNothing(page);
        await plugIn(page);
        await register(page, "joan@example.com");
        const passkey = await passkeys(page).locator("[name=passkey]").inputValue();
        const post = async (by: Page, origin: string, form: Record<string, string>) => {
          const answer = await by.request.post(`${demo.site}/passkeys`, { headers: { origin }, form });
          return { status: answer.status(), text: await answer.text() };
        };
        assert.equal((await post(page, "https://evil.test", { passkey, name: "Evil" })).status, 404);
        await visit(async (other) => {
          await plugIn(other);
          await register(other, "eve@example.com");
          const unknown = await post(other, demo.site, { passkey: "AAAA", name: "Evil" });
          for (const form of [{ name: "Evil" }, { remove: "yes" }]) {
            assert.deepEqual(await post(other, demo.site, { passkey, ...form }), unknown);
          }
          assert.equal(unknown.status, 404);
        });
        await page.reload();
        assert.doesNotMatch(await passkeys(page).innerText(), /Evil/);
      }));

    test("an address that somebody has gets no second user and nobody in", () =>
      visit(async (page) => {
        await offerNothing(page);
        await plugIn(page);
        await register(page, "anne@example.com");
        await visit(async (other) => {
          await offerNothing(other);
          const device = await plugIn(other);
          await create(other, "Anne@Example.com");
          await assertRefused(other);
          assert.equal(await device.count(), 1, "nothing told whether the address is known");
          await signIn(other);
          await assertRefused(other);
        });
      }));

    test("a passkey that was removed opens nothing", () =>
      visit(async (page) => {
        await offerNothing(page);
        const device = await plugIn(page);
        await register(page, "barbara@example.com");
        const other = await passkeys(page).locator("[name=passkey]").inputValue();
        await device.replace();
        await register(page, "barbara@example.com");
        const here = passkeys(page).filter({ hasNot: page.locator(`[value="${other}"]`) });
        await here.getByRole("button", { name: "Remove" }).click();
        await here.waitFor({ state: "detached" });
        await signOut(page);
        assert.equal(await device.count(), 1);
        await signIn(page);
        await assertRefused(page);
        assert.equal(await device.count(), 0, "the device offers it no more");
      }));

    test("a passkey is not taken from a device by an address that says that it is unknown", () =>
      visit(async (page) => {
        await offerNothing(page);
        const device = await plugIn(page);
        await register(page, "ruth@example.com");
        await signOut(page);
        await open(page, { callbackUrl: "/members?error=WebAuthnVerificationError&code=unknown_passkey" });
        await page.getByRole("button", { name: "Sign in with a passkey" }).click();
        await page.waitForURL(`${demo.site}/members?**`);
        assert.equal(await device.count(), 1);
      }));

    test("a device cannot be told in an older browser, and passkeys work", () =>
      visit(async (page) => {
        await offerNothing(page);
        await page.addInitScript({ content: CANNOT_TELL });
        const device = await plugIn(page);
        await register(page, "ivy@example.com");
        await signOut(page);
        await signIn(page);
        await assertSignedInAs(page, "ivy@example.com");
        assert.equal(await device.count(), 1);
      }));

    test("a device that cannot make sure who uses it is refused, by the browser and by us", () =>
      visit(async (page) => {
        await offerNothing(page);
        const device = await plugIn(page);
        await register(page, "karen@example.com");
        await signOut(page);
        await device.verifiesUser(false);
        await signIn(page);
        await note(page).filter({ hasText: "It was cancelled" }).waitFor();
        await page.addInitScript({ content: ASKS_FOR_LESS });
        await signIn(page);
        await assertRefused(page);
      }));

    test("without JavaScript a sentence stands for passkeys, and the other ways work", () =>
      visit(async (page) => {
        await open(page);
        assert.match(await note(page).innerText(), /Passkeys need JavaScript/);
        assert.equal(await page.getByRole("button", { name: /passkey/ }).count(), 0);
        await page.getByRole("button", { name: "Sign in with Demo ID" }).click();
        await page.getByRole("button", { name: "Grace Hopper" }).click();
        await page.waitForURL(`${demo.site}/members`);
      }, { javaScriptEnabled: false }));

    for (const colorScheme of ["light", "dark"] as const) {
      test(`axe finds nothing on the way of a passkey in the ${colorScheme} scheme, and all fits on a phone`, () =>
        visit(async (page) => {
          const audit = async () => {
            await page.evaluate(axe.source);
            assert.deepEqual(await page.evaluate(AUDIT), [], page.url());
            const width = await page.evaluate("document.documentElement.scrollWidth");
            assert.ok(Number(width) <= 320, `${page.url()} is ${width} wide`);
          };
          await offerNothing(page);
          const device = await plugIn(page);
          await open(page);
          await audit();
          await signIn(page);
          await note(page).filter({ hasText: "It was cancelled" }).waitFor();
          await audit();
          await register(page, `${colorScheme}@example.com`);
          await device.replace();
          await register(page, `${colorScheme}@example.com`);
          await audit();
        }, { colorScheme, viewport: { width: 320, height: 640 }, bypassCSP: true }));
    }
  });
}

const CANNOT_TELL = "for (const name of ['signalUnknownCredential', 'signalAllAcceptedCredentials']) " +
  "if (self.PublicKeyCredential) delete PublicKeyCredential[name];";

/** A browser that asks the device for less than it was told to. */
const ASKS_FOR_LESS = `const { get } = CredentialsContainer.prototype;
CredentialsContainer.prototype.get = function ({ publicKey, ...others }) {
  return get.call(this, { ...others, publicKey: { ...publicKey, userVerification: "discouraged" } });
};`;

const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const AUDIT = `axe.run({ runOnly: ${JSON.stringify(STANDARDS)} }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html + failureSummary).join()))`;
