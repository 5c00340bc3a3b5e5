import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import decoder from "jsqr";
import type { Browser, Page } from "playwright-core";
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { nodeListener } from "@x/auth/node";
import { passkey } from "@x/auth/providers/passkey";
import { secondFactor } from "@x/auth/second-factor";
import { fromBase32, STEP, totpAt } from "../../src/second_factor/totp.ts";
import { findChromium, skipsWithout, startChromium, visitSite } from "../_support/chromium.ts";
import { freePort } from "../_support/free_port.ts";
import { mailbox } from "../_support/mailbox.ts";
import { readPng } from "../_support/png.ts";
import { testConfig } from "../_support/service.ts";
import { offerNothing, plugIn } from "./_passkeys.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of second factors in a browser");

// A package of CommonJS, whose types say that it is a module.
const decode = decoder as unknown as typeof decoder.default;

describe("second factors in Chromium", { skip }, () => {
  let home: string;
  let server: Server;
  let chromium: Browser;
  const mails = mailbox();

  before(async () => {
    const port = await freePort();
    home = `http://localhost:${port}`;
    const { handler, auth } = createAuth(testConfig({
      adapter: memoryAdapter(),
      theme: { name: "Acme" },
      providers: [mails.provider, passkey()],
      features: [secondFactor({ trustDevices: { days: 30 } })],
    }));
    const site = async (request: Request): Promise<Response> => {
      if (new URL(request.url).pathname.startsWith("/auth/")) return await handler(request);
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

  async function signInByLink(page: Page, email = "ada@example.com"): Promise<void> {
    await page.goto(`${home}/auth/signin`);
    const field = page.locator('form[action*="/signin/"] input[name=email]').first();
    await field.fill(email);
    await field.press("Enter");
    await page.getByRole("heading", { name: "Check your email" }).waitFor();
    await page.goto(mails.link().href);
  }

  async function signOut(page: Page): Promise<void> {
    await page.goto(`${home}/auth/signout`);
    await page.getByRole("button", { name: "Sign out" }).press("Enter");
    await assertWho(page, "nobody");
  }

  async function assertWho(page: Page, who: string): Promise<void> {
    await page.waitForURL(`${home}/`);
    assert.equal(await page.locator("#who").innerText(), who);
  }

  async function codeOf(secret: string, later = 0): Promise<string> {
    const bytes = fromBase32(secret) ?? assert.fail("no secret");
    return await totpAt(bytes, Math.floor(Date.now() / 1000 / STEP) + later);
  }

  /** Adds an application and keeps the recovery codes. */
  async function addApp(page: Page): Promise<{ readonly secret: string; readonly codes: readonly string[] }> {
    await page.goto(`${home}/auth/factors`);
    await page.getByRole("button", { name: "Add an authenticator app" }).click();
    const secret = await page.locator(".key code").innerText();
    await page.getByLabel("Code that the app shows now").fill(await codeOf(secret));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Keep your recovery codes" }).waitFor();
    const codes = await page.locator(".codes code").allInnerTexts();
    const label = await page.locator("label[for=code]").innerText();
    await page.getByLabel(label).fill((codes[Number(/number (\d+)/.exec(label)?.[1]) - 1] ?? "").slice(-4));
    await page.keyboard.press("Enter");
    await page.getByText("It is on").waitFor();
    return { secret, codes };
  }

  test("somebody adds an app, signs in with it, loses it and gets in: in the dark, with the keyboard, without a script", async () => {
    const context = await chromium.newContext({ javaScriptEnabled: false, colorScheme: "dark" });
    try {
      const page = await context.newPage();
      await signInByLink(page);
      await assertWho(page, "ada@example.com");

      await page.goto(`${home}/auth/factors`);
      await page.getByRole("button", { name: "Add an authenticator app" }).press("Enter");
      const { width, height, pixels } = readPng(await page.locator(".qr").screenshot());
      const uri = decode(pixels, width, height)?.data ?? assert.fail("a camera reads nothing");
      const secret = await page.locator(".key code").innerText();
      assert.equal(new URL(uri).searchParams.get("secret"), secret.replaceAll(" ", ""));
      assert.match(uri, /^otpauth:\/\/totp\/Acme:ada%40example\.com\?/);
      await page.getByLabel("Code that the app shows now").fill(await codeOf(secret));
      await page.keyboard.press("Enter");

      await page.getByRole("heading", { name: "Keep your recovery codes" }).waitFor();
      const codes = await page.locator(".codes code").allInnerTexts();
      assert.equal(codes.length, 10);
      const label = await page.locator("label[for=code]").innerText();
      const asked = codes[Number(/number (\d+)/.exec(label)?.[1]) - 1] ?? assert.fail(label);
      const saved = page.waitForEvent("download");
      await page.getByRole("link", { name: "Save as a file" }).press("Enter");
      assert.equal((await saved).suggestedFilename(), "recovery-codes.txt");
      await page.getByLabel(label).fill(asked.slice(-4).toLowerCase());
      await page.keyboard.press("Enter");
      await page.getByText("It is on").waitFor();
      assert.equal(await page.locator(".factors li").count(), 2);

      await signOut(page);
      await signInByLink(page);
      await page.getByRole("heading", { name: "Confirm it’s you" }).waitFor();
      await page.getByLabel("Code").fill("000000");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").filter({ hasText: "This code is wrong" }).waitFor();
      // The field has the focus, so that the next code can be typed at once.
      await page.keyboard.type(await codeOf(secret, 1));
      await page.keyboard.press("Enter");
      await assertWho(page, "ada@example.com");

      await signOut(page);
      await signInByLink(page);
      await page.getByRole("link", { name: "Use a recovery code" }).press("Enter");
      await page.getByLabel("Recovery code").fill(codes[6] ?? "");
      await page.keyboard.press("Enter");
      await assertWho(page, "ada@example.com");
    } finally {
      await context.close();
    }
  });

  test("somebody adds an app and a passkey, signs in with each, loses the key, recovers, and removes both", async () => {
    const email = "bob@example.com";
    await visitSite(chromium, { home, mayRefuse: true }, async (page) => {
      const device = await plugIn(page, { isUserVerified: true });
      await offerNothing(page);
      await signInByLink(page, email);
      await assertWho(page, email);
      const { secret, codes } = await addApp(page);
      await page.getByRole("link", { name: "Add a passkey" }).click();
      await page.getByRole("button", { name: "Create a passkey" }).click();
      await page.waitForURL(`${home}/auth/factors`);
      assert.equal(await page.locator(".factors li").count(), 3);
      assert.equal(await device.count(), 1);

      await signOut(page);
      await signInByLink(page, email);
      await page.getByRole("button", { name: "Use a passkey" }).click();
      await assertWho(page, email);

      await signOut(page);
      await signInByLink(page, email);
      await page.getByRole("link", { name: "Use an authenticator app" }).click();
      await page.getByLabel("Code").fill(await codeOf(secret, 1));
      await page.keyboard.press("Enter");
      await assertWho(page, email);

      await signOut(page);
      await device.replace();
      await signInByLink(page, email);
      await page.getByRole("button", { name: "Use a passkey" }).click();
      await page.getByRole("status").filter({ hasText: "this device has no passkey for this site" }).waitFor();
      await page.getByRole("link", { name: "Use a recovery code" }).click();
      await page.getByLabel("Recovery code").fill(codes[0] ?? "");
      await page.keyboard.press("Enter");
      await assertWho(page, email);

      await page.goto(`${home}/auth/factors`);
      for (const left of [2, 0]) {
        await page.getByRole("link", { name: "Remove" }).first().click();
        await page.getByRole("button", { name: "Remove" }).click();
        await page.waitForURL(`${home}/auth/factors`);
        assert.equal(await page.locator(".factors li").count(), left);
      }
      await signOut(page);
      await signInByLink(page, email);
      await assertWho(page, email);
    });
  });
});
