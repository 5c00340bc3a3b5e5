import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { findChromium, HASTE, skipsWithout, startChromium } from "../_support/chromium.ts";
import { type Demo, startDemo } from "../_support/demo.ts";
import { plugIn } from "./_passkeys.ts";

/** The password of Ada, as the README of the demo says. */
const PASSWORD = "analytical engine 1843";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of the demo in a browser");

describe("the demo in Chromium", { skip }, () => {
  let demo: Demo;
  let chromium: Browser;

  before(async () => {
    demo = await startDemo();
    chromium = await startChromium(executablePath);
  });
  after(async () => {
    await chromium?.close();
    await demo?.close();
  });

  type ContextOptions = Parameters<Browser["newContext"]>[0];

  /** Lets a visitor begin at the front page. Complaints of the browser and requests to any other place are faults. */
  async function visit(act: (page: Page) => Promise<void>, options: ContextOptions = {}): Promise<void> {
    const context = await chromium.newContext(options);
    try {
      const faults = watch(context);
      const page = await context.newPage();
      await page.goto(demo.site);
      await act(page);
      assert.deepEqual(faults, []);
    } finally {
      await context.close();
    }
  }

  function watch(context: BrowserContext): readonly string[] {
    const faults: string[] = [];
    context.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== "data:" && origin !== demo.site && origin !== demo.idp) faults.push(`asks ${request.url()}`);
    });
    context.on("weberror", (error) => faults.push(String(error.error())));
    context.on("console", (message) => {
      const where = message.location().url || message.page()?.url() || "";
      if (HASTE.test(message.text())) return;
      if (message.type() !== "log" && !where.startsWith(demo.idp)) faults.push(`${where}: ${message.text()}`);
    });
    return faults;
  }

  async function signInAtDemoId(page: Page): Promise<void> {
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Sign in with Demo ID" }).click();
    assert.ok(page.url().startsWith(demo.idp), page.url());
    await page.getByRole("button", { name: "Grace Hopper" }).click();
  }

  async function typePassword(page: Page, password: string, email = "ada@example.com"): Promise<void> {
    const form = page.locator("form", { has: page.getByRole("button", { name: "Sign in with a password" }) });
    await form.getByLabel("Email").fill(email);
    await form.locator("input[type=password]").fill(password);
    await form.getByRole("button", { name: "Sign in with a password" }).click();
  }

  async function choosePassword(page: Page, password: string, button: string): Promise<void> {
    await page.locator("input[type=password]").fill(password);
    await page.getByRole("button", { name: button, exact: true }).click();
  }

  async function askForLink(page: Page, address: string): Promise<void> {
    const form = page.locator("form", { has: page.getByRole("button", { name: "Continue" }) });
    await form.getByLabel("Email").fill(address);
    await form.getByRole("button").click();
  }

  async function heading(page: Page): Promise<string> {
    return await page.getByRole("heading", { level: 1 }).innerText();
  }

  async function signOut(page: Page): Promise<void> {
    await page.getByRole("link", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    assert.equal(page.url(), `${demo.site}/`);
    assert.equal(await heading(page), "Hello, stranger");
  }

  // Presses the button by script: the driver's own command fails now and then when the page changes its process.
  async function goBack(page: Page, to: (url: URL) => boolean): Promise<void> {
    await page.evaluate("setTimeout(() => history.back())");
    await page.waitForURL(to);
  }

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? "" : ", without JavaScript";

    test(`somebody signs in at Demo ID, opens the members' page and signs out${how}`, () =>
      visit(async (page) => {
        await signInAtDemoId(page);
        assert.equal(page.url(), `${demo.site}/`);
        assert.equal(await heading(page), "Hello, Grace Hopper");
        const session = JSON.parse(await page.locator("#session").innerText());
        assert.equal(session.user.email, "grace@example.com");
        await page.getByRole("link", { name: "Members only" }).click();
        assert.equal(await heading(page), "Members only");
        await signOut(page);
      }, { javaScriptEnabled }));

    test(`somebody signs in with a password on the way to the members' page and signs out${how}`, () =>
      visit(async (page) => {
        await page.getByRole("link", { name: "Members only" }).click();
        await typePassword(page, "guess");
        assert.match(await page.getByRole("alert").innerText(), /check them and try again/);
        await typePassword(page, PASSWORD);
        assert.equal(page.url(), `${demo.site}/members`);
        assert.equal(await heading(page), "Members only");
        await signOut(page);
      }, { javaScriptEnabled }));
  }

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? "" : ", without JavaScript";

    test(`somebody asks for a link by email, follows it from the mailbox, and is known again${how}`, () =>
      visit(async (page) => {
        for (let visits = 0; visits < 2; visits++) {
          await page.goto(`${demo.site}/auth/signin?callbackUrl=%2Fmembers`);
          await askForLink(page, `Lin+${javaScriptEnabled}@Example.com`);
          assert.equal(new URL(page.url()).pathname, "/auth/verify-request");
          await page.goto(`${demo.site}/mailbox`);
          await page.getByRole("link", { name: `Sign in as lin+${javaScriptEnabled}@example.com` }).first().click();
          assert.equal(page.url(), `${demo.site}/members`);
          assert.match(await page.locator("#user").innerText(), /Verified\s+\w{3}, \d\d/);
          assert.equal(await page.locator("#sessions li").count(), 1);
        }
        await signOut(page);
      }, { javaScriptEnabled }));
  }

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? "" : ", without JavaScript";

    test(`somebody registers with a password, confirms it from the mailbox, resets and changes it${how}`, () =>
      visit(async (page) => {
        const email = `joan+${javaScriptEnabled}@example.com`;
        await page.getByRole("link", { name: "Create an account" }).click();
        await page.getByLabel("Email").fill(email);
        await choosePassword(page, "sixteen seagulls singing", "Create account");
        await page.goto(`${demo.site}/mailbox`);
        await page.getByRole("link", { name: "Confirm address" }).first().click();
        assert.equal(await heading(page), `Hello, ${email}`);
        await signOut(page);

        await page.goto(`${demo.site}/auth/reset`);
        await page.getByLabel("Email").fill(email);
        await page.getByRole("button", { name: "Send the email" }).click();
        await page.goto(`${demo.site}/mailbox`);
        await page.getByRole("link", { name: "Choose a password" }).first().click();
        await choosePassword(page, "seventeen silent seals", "Save password");
        assert.equal(await heading(page), `Hello, ${email}`);

        await page.getByRole("link", { name: "Members only" }).click();
        await page.getByRole("link", { name: "Password" }).click();
        await choosePassword(page, "eighteen eager elephants", "Save password");
        assert.equal(page.url(), `${demo.site}/members`);
        await signOut(page);
        await page.getByRole("link", { name: "Sign in" }).click();
        await typePassword(page, "eighteen eager elephants", email);
        assert.equal(await heading(page), `Hello, ${email}`);
        await page.goto(`${demo.site}/mailbox`);
        assert.match(await page.locator("#emails").innerText(), /The password of your account at the demo was changed/);
      }, { javaScriptEnabled }));
  }

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? "" : ", without JavaScript";

    test(`somebody looks after their account, and no other site hears of it${how}`, () =>
      visit(async (page) => {
        await signInAtDemoId(page);
        await page.getByRole("link", { name: "Your account" }).click();
        assert.equal(await heading(page), "Your account");
        await page.getByLabel("What others call you").fill("Amazing Grace");
        await page.getByRole("button", { name: "Save the nickname" }).click();
        await page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
        assert.equal(await page.getByLabel("What others call you").inputValue(), "Amazing Grace");
        await page.getByRole("link", { name: "Delete account" }).click();
        assert.equal(await heading(page), "Delete your account?");
        await page.getByRole("link", { name: "Cancel" }).click();
        await page.getByRole("link", { name: /^Back to/ }).click();
        await signOut(page);
      }, { javaScriptEnabled }));
  }

  for (const first of ["the password", "Demo ID"]) {
    test(`somebody with a password and an account at Demo ID is one user, if ${first} comes first`, async () => {
      const own = await startDemo(["--store=memory"]);
      const context = await chromium.newContext();
      try {
        const page = await context.newPage();
        const found = new Set<string>();
        for (const way of first === "Demo ID" ? ["id", "password", "id"] : ["password", "id", "password"]) {
          await page.goto(`${own.site}/auth/signin?callbackUrl=%2Fmembers`);
          if (way === "password") await typePassword(page, PASSWORD);
          else {
            await page.getByRole("button", { name: "Demo ID" }).click();
            await page.getByRole("button", { name: "Ada Lovelace" }).click();
          }
          await page.waitForURL(`${own.site}/members`);
          found.add(await page.locator("#user code").innerText());
          await context.clearCookies();
        }
        assert.equal(found.size, 1);
        assert.match(await page.locator("#accounts").innerText(), /Demo ID of Ada Lovelace/);
      } finally {
        await context.close();
        await own.close();
      }
    });
  }

  test("the demo says what its options are", async () => {
    await assert.rejects(startDemo(["--help"]), /Usage: deno task demo \[options\][^]*--store/);
    await assert.rejects(startDemo(["--stor=kv"]), /Unknown option '--stor'[^]*Usage:/);
  });

  test("the pages of the demo have the style sheet of the sign-in page", () =>
    visit(async (page) => {
      const look =
        "[getComputedStyle(document.body), getComputedStyle(document.querySelector('main'))].map((style) => " +
        "[style.backgroundColor, style.fontFamily, style.maxWidth, style.borderRadius, style.boxShadow])";
      const own = await page.evaluate(look);
      await page.getByRole("link", { name: "Sign in" }).click();
      assert.deepEqual(own, await page.evaluate(look));
    }));

  test("somebody who is signed in opens their account, and gives it a name", () =>
    visit(async (page) => {
      await page.goto(`${demo.site}/auth/signin`);
      await askForLink(page, "lise@example.com");
      await page.goto(`${demo.site}/mailbox`);
      await page.getByRole("link", { name: "Sign in as lise@example.com" }).first().click();
      await page.getByRole("link", { name: "Your account" }).click();
      assert.equal(await heading(page), "Your account");
      const sections = [
        ...["Profile", "Email", "Ways to sign in", "Passkeys", "Password", "Devices", "Your data", "Nickname"],
        "Delete account",
      ];
      assert.deepEqual(await page.locator("h2").allInnerTexts(), sections);
      await page.getByRole("region", { name: "Profile" }).getByRole("link", { name: "Change" }).click();
      await page.getByLabel("Name").fill("Lise Meitner");
      await page.getByRole("button", { name: "Save" }).click();
      assert.equal(await page.getByRole("status").innerText(), "Your change was saved.");
      assert.match(await page.getByRole("region", { name: "Profile" }).innerText(), /Lise Meitner/);
      assert.match(await page.getByRole("region", { name: "Devices" }).innerText(), /Chrome on Linux\s+This device/);
    }));

  test("somebody who is signed in adds an account, and keeps the session", () =>
    visit(async (page) => {
      await page.goto(`${demo.site}/auth/signin`);
      await askForLink(page, "mary@example.com");
      await page.goto(`${demo.site}/mailbox`);
      await page.getByRole("link", { name: "Sign in as mary@example.com" }).first().click();
      await page.goto(`${demo.site}/members`);
      assert.equal(await page.locator("#accounts li").count(), 0);
      await page.getByRole("link", { name: "Add an account" }).click();
      await page.getByRole("button", { name: "Sign in with Demo ID" }).click();
      await page.getByRole("button", { name: "Ada Lovelace" }).click();
      assert.equal(page.url(), `${demo.site}/members`);
      assert.equal(await page.locator("#accounts li").count(), 1);
      assert.match(await page.locator("#user").innerText(), /mary@example\.com/);
      assert.equal(await page.locator("#sessions li").count(), 1);
    }));

  test("somebody who is signed in follows the link to add a passkey, adds one, and keeps the session", () =>
    visit(async (page) => {
      await plugIn(page);
      await page.goto(`${demo.site}/auth/signin`);
      await askForLink(page, "jean@example.com");
      await page.goto(`${demo.site}/mailbox`);
      await page.getByRole("link", { name: "Sign in as jean@example.com" }).first().click();
      await page.goto(`${demo.site}/members`);
      await page.getByRole("link", { name: "Add a passkey" }).click();
      assert.equal(await heading(page), "Add a passkey");
      await page.getByRole("button", { name: "Create a passkey" }).click();
      await page.waitForURL(`${demo.site}/members`);
      assert.equal(await page.locator("#passkeys li").count(), 1);
      assert.equal(await page.locator("#sessions li").count(), 1);
    }));

  test("going back after a sign-in loses nothing", () =>
    visit(async (page) => {
      await signInAtDemoId(page);
      assert.equal(await heading(page), "Hello, Grace Hopper");
      await goBack(page, (url) => url.origin === demo.idp);
      await goBack(page, (url) => url.pathname === "/auth/signin");
      await page.getByRole("button", { name: "Sign in with Demo ID" }).click();
      await page.getByRole("button", { name: "Grace Hopper" }).click();
      assert.equal(await heading(page), "Hello, Grace Hopper");
    }));

  test("somebody who cancels at Demo ID can try again", () =>
    visit(async (page) => {
      await page.getByRole("link", { name: "Sign in" }).click();
      await page.getByRole("button", { name: "Sign in with Demo ID" }).click();
      await page.getByRole("button", { name: "Cancel" }).click();
      assert.ok(page.url().startsWith(`${demo.site}/auth/`), page.url());
      await page.goto(demo.site);
      await signInAtDemoId(page);
      assert.equal(await heading(page), "Hello, Grace Hopper");
    }));

  test("every page fits on a phone", () =>
    visit(async (page) => {
      const assertFits = async () => {
        const width = await page.evaluate("document.documentElement.scrollWidth");
        assert.ok(Number(width) <= 320, `${page.url()} is ${width} wide`);
      };
      await assertFits();
      await page.getByRole("link", { name: "Sign in" }).click();
      await assertFits();
      await page.getByRole("button", { name: "Sign in with Demo ID" }).click();
      await assertFits();
      await page.getByRole("button", { name: "Grace Hopper" }).click();
      await assertFits();
      await page.getByRole("link", { name: "Members only" }).click();
      await assertFits();
      await page.getByRole("link", { name: "Your account" }).click();
      await assertFits();
      await page.goto(`${demo.site}/mailbox`);
      await assertFits();
      await page.goto(`${demo.site}/auth/signout`);
      await assertFits();
    }, { viewport: { width: 320, height: 640 } }));
});
