import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { createAuth, type OutgoingMail } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { nodeListener } from "@x/auth/node";
import { password } from "@x/auth/providers/password";
import { PAGE_EXAMPLES } from "../../scripts/screenshots.ts";
import { TEXTS } from "../../src/texts/en.ts";
import { findChromium, skipsWithout, startChromium } from "../_support/chromium.ts";
import { freePort } from "../_support/free_port.ts";
import { mailbox } from "../_support/mailbox.ts";
import { cheapHash } from "../_support/passwords.ts";
import { testConfig } from "../_support/service.ts";
import { audit, MEASURE, tourOf } from "./pages_tour.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of passwords in a browser");

const FIRST = "a pelican on a bicycle";
const SECOND = "a bicycle on a pelican";

/** What Chromium says of forms that its password manager does not understand, or whose fields it guesses at. */
const UNCLEAR = /^\[DOM\]/;

/** One example of each kind of page. tests/long/pages_test.ts looks at all. */
const SHOWN = ["signin-own-passwords-wrong", "signup", "reset-expired", "choose-short", "choose-change"];

describe("passwords in Chromium", { skip }, () => {
  let home: string;
  let server: Server;
  let chromium: Browser;
  const letters: OutgoingMail[] = [];
  const mails = mailbox();

  before(async () => {
    const port = await freePort();
    home = `http://localhost:${port}`;
    const { handler, auth } = createAuth(testConfig({
      adapter: memoryAdapter(),
      theme: { name: "Acme" },
      mail: (letter) => void letters.push(letter),
      // The links of mails are another way in, without which a password cannot be removed.
      providers: [password({ hash: cheapHash() }), mails.provider],
    }));
    const site = async (request: Request): Promise<Response> => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/auth/") || pathname.startsWith("/.well-known/")) return await handler(request);
      const who = (await auth(request))?.user?.email ?? "nobody";
      return new Response(`<!DOCTYPE html><link rel=icon href="data:,"><p id=who>${who}`, {
        headers: { "content-type": "text/html" },
      });
    };
    server = createServer(nodeListener(site)).listen(port);
    chromium = await startChromium(executablePath);
  });
  after(async () => {
    await chromium?.close();
    server?.closeAllConnections();
    server?.close();
  });

  type Options = NonNullable<Parameters<Browser["newContext"]>[0]>;

  /** Gives somebody a browser of their own, of which nobody may complain. */
  async function visit(options: Options, act: (page: Page, context: BrowserContext) => Promise<void>): Promise<void> {
    const context = await chromium.newContext(options);
    const faults: string[] = [];
    context.on("weberror", (error) => faults.push(String(error.error())));
    context.on("console", (message) => {
      const text = message.text();
      const isRefusal = text.includes("responded with a status of 4");
      if (UNCLEAR.test(text) || (message.type() === "error" && !isRefusal)) faults.push(text);
    });
    try {
      await act(await context.newPage(), context);
      assert.deepEqual(faults, []);
    } finally {
      await context.close();
    }
  }

  function linkTo(address: string): string {
    const letter = letters.findLast(({ to }) => to === address);
    return /https?:\S+/.exec(letter?.text ?? "")?.[0] ?? assert.fail(`no email to ${address}`);
  }

  async function assertWho(page: Page, who: string): Promise<void> {
    await page.waitForURL(`${home}/`);
    assert.equal(await page.locator("#who").innerText(), who);
  }

  const heading = (page: Page, name: string): Promise<void> => page.getByRole("heading", { name }).waitFor();

  const secretOf = (page: Page): Locator => page.locator("input[name=password]");

  /** The form that has the field for a password. */
  const emailOf = (page: Page): Locator => page.locator("form", { has: secretOf(page) }).locator("input[name=email]");

  async function signUp(page: Page, email: string, text: string): Promise<void> {
    await page.goto(`${home}/auth/signin?callbackUrl=/`);
    await page.getByRole("link", { name: "Create account" }).press("Enter");
    await heading(page, "Create an account at Acme");
    await page.getByLabel("Email").fill(email);
    await secretOf(page).fill(text);
    await page.keyboard.press("Enter");
    await heading(page, "Check your email");
    await page.getByText("Open it in this browser to confirm your address").waitFor();
    await page.getByText(email).waitFor();
  }

  async function signIn(page: Page, email: string, text: string, from = "/auth/signin?callbackUrl=/"): Promise<void> {
    if (from) await page.goto(`${home}${from}`);
    await emailOf(page).fill(email);
    await secretOf(page).fill(text);
    await page.keyboard.press("Enter");
  }

  async function signOut(page: Page): Promise<void> {
    await page.goto(`${home}/auth/signout?callbackUrl=/`);
    await page.getByRole("button", { name: "Sign out" }).press("Enter");
    await assertWho(page, "nobody");
  }

  for (const javaScriptEnabled of [false, true]) {
    test(
      `somebody registers, forgets the password and chooses another one, with the keyboard: ${
        javaScriptEnabled ? "a script runs" : "no script runs"
      }`,
      () =>
        visit({ javaScriptEnabled, colorScheme: "dark" }, async (page) => {
          const email = `ada-${javaScriptEnabled}@example.com`;
          await signUp(page, email, FIRST);
          await page.goto(linkTo(email));
          await assertWho(page, email);

          await signOut(page);
          await signIn(page, email, SECOND);
          await page.getByRole("alert").waitFor();
          // The field has the focus, so that the next password can be typed at once.
          await page.keyboard.type(FIRST);
          await page.keyboard.press("Enter");
          await assertWho(page, email);

          await signOut(page);
          await signIn(page, email, SECOND);
          await page.getByRole("link", { name: "Forgot your password?" }).press("Enter");
          await heading(page, "Forgot your password?");
          assert.equal(await page.getByLabel("Email").inputValue(), email, "the address need not be typed again");
          await page.getByLabel("Email").press("Enter");
          await page.getByText("Open it to choose a new password").waitFor();
          assert.match(
            await page.getByRole("link", { name: "Ask for another link" }).getAttribute("href") ?? "",
            /\/reset\?/,
          );
          const link = linkTo(email);
          await page.goto(link);
          await heading(page, TEXTS.resetTitle);
          assert.equal(await page.getByLabel("Email").getAttribute("readonly"), "");
          await secretOf(page).fill(email.repeat(2));
          await page.keyboard.press("Enter");
          await page.getByRole("alert").filter({ hasText: TEXTS.errorPasswordCommon }).waitFor();
          await page.keyboard.type(SECOND);
          await page.keyboard.press("Enter");
          await assertWho(page, email);

          await page.goto(link);
          await page.getByRole("alert").filter({ hasText: TEXTS.errorResetExpired }).waitFor();
          assert.equal(await page.getByLabel("Email").inputValue(), email);
          assert.equal(await page.locator("[aria-pressed]").count(), 0);
        }),
    );
  }

  test("whoever owns the address decides about an account that was begun in another browser", () =>
    visit({}, (page) =>
      visit({}, async (other) => {
        const email = "mary@example.com";
        await signUp(other, email, "the password of a stranger");
        await page.goto(linkTo(email));
        await heading(page, "Create an account at Acme");
        await page.getByText("was begun in another browser").waitFor();
        await secretOf(page).fill(FIRST);
        await page.getByRole("button", { name: "Create account" }).click();
        await assertWho(page, email);
        await signIn(other, email, "the password of a stranger");
        await other.getByRole("alert").waitFor();
        await other.keyboard.type(FIRST);
        await other.keyboard.press("Enter");
        await assertWho(other, email);
      })));

  test("a password manager leads somebody to the page where they change their password, and then remove it", () =>
    visit({ colorScheme: "light" }, async (page) => {
      const email = "bob@example.com";
      await signUp(page, email, FIRST);
      await page.goto(linkTo(email));
      await signOut(page);

      await page.goto(`${home}/.well-known/change-password`);
      await heading(page, "Sign in to Acme");
      await signIn(page, email, FIRST, "");
      await heading(page, "Change your password");
      await secretOf(page).fill(SECOND);
      await page.getByRole("button", { name: "Save password" }).press("Enter");
      await page.getByRole("status").filter({ hasText: "Your password is saved" }).waitFor();

      const remove = page.getByRole("button", { name: "Remove password" });
      assert.equal(await remove.isVisible(), false);
      await page.locator("summary").press("Enter");
      await remove.press("Enter");
      await page.getByRole("status").filter({ hasText: "Your password is removed" }).waitFor();
      await heading(page, "Set a password");
      await signOut(page);
      await signIn(page, email, SECOND);
      await page.getByRole("alert").waitFor();
    }));

  test("the button in a field shows what was typed until the form is sent, to the mouse and to the keyboard", () =>
    visit({}, async (page) => {
      for (const path of ["signin", "signup"]) {
        await page.goto(`${home}/auth/${path}`);
        const field = secretOf(page);
        const button = page.getByRole("button", { name: "Show password" });
        const state = async () => [await field.getAttribute("type"), await button.getAttribute("aria-pressed")];
        await field.fill(FIRST);
        assert.deepEqual(await state(), ["password", "false"]);
        await button.click();
        assert.deepEqual(await state(), ["text", "true"]);
        assert.equal(await page.evaluate("document.activeElement.name"), "password", "the field keeps the focus");
        assert.equal(await field.getAttribute("spellcheck"), "false", "what is shown is not checked");

        await page.keyboard.press("Tab");
        assert.equal(await page.evaluate("document.activeElement.ariaPressed"), "true");
        await page.keyboard.press("Space");
        assert.deepEqual(await state(), ["password", "false"]);
        await page.keyboard.press("Enter");
        assert.deepEqual(await state(), ["text", "true"]);
        assert.equal(await field.inputValue(), FIRST);
        const { width = 0, height = 0 } = await button.boundingBox() ?? {};
        assert.ok(width >= 24 && height >= 24);

        await page.evaluate(`addEventListener("submit", (event) => {
          event.preventDefault();
          window.sentAs = document.querySelector("input[name=password]").type;
        })`);
        await emailOf(page).fill("ada@example.com");
        await page.keyboard.press("Enter");
        assert.equal(await page.evaluate("window.sentAs"), "password");
      }
    }));

  test("the button is at the end of the field, in both directions of writing", () =>
    visit({}, async (page) => {
      for (const [language, isLeft] of [["en", false], ["ar", true]] as const) {
        await page.setExtraHTTPHeaders({ "accept-language": language });
        await page.goto(`${home}/auth/signup`);
        const field = await secretOf(page).boundingBox() ?? assert.fail();
        const button = await page.locator("[aria-pressed]").boundingBox() ?? assert.fail();
        assert.equal(button.x - field.x < field.width / 2, isLeft, language);
        assert.ok(button.x >= field.x && button.x + button.width <= field.x + field.width, language);
        assert.ok(button.y >= field.y && button.y + button.height <= field.y + field.height, language);
      }
    }));

  for (const colorScheme of ["light", "dark"] as const) {
    test(`axe finds nothing on the pages of passwords, and nothing is too wide: ${colorScheme}`, async () => {
      const examples = PAGE_EXAMPLES.filter(({ name }) => SHOWN.includes(name));
      assert.equal(examples.length, SHOWN.length);
      await tourOf(chromium, examples, { colorScheme, bypassCSP: true }, async (page, { name }) => {
        const summary = page.locator("summary");
        if (await summary.count() > 0) await summary.click();
        for (const width of [320, 1280]) {
          await page.setViewportSize({ width, height: 800 });
          assert.deepEqual(await page.evaluate(MEASURE), [], `${name}, ${width}`);
          assert.deepEqual(await audit(page), [], `${name}, ${width}`);
        }
        if (await page.locator(".secret").count() > 0) assert.equal(await page.locator("[aria-pressed]").count(), 1);
      });
    });
  }
});
