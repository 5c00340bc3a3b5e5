/** Server actions of Next, in Chromium with and without scripts. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { findChromium, skipsWithout, startChromium } from "../_support/chromium.ts";
import { chosenExamples, installExample } from "./_examples.ts";
import { openSite, type Site } from "./_site.ts";
import { ADA } from "./_words.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of server actions in Next");

for (const example of chosenExamples().filter(({ name }) => name === "next")) {
  describe("server actions in Next", { skip }, () => {
    let site: Site;
    let browser: Browser;

    before(async () => {
      site = await openSite(example, await installExample(example));
      browser = await startChromium(executablePath);
    });
    after(async () => {
      await browser?.close();
      await site?.close();
    });

    async function visit(javaScriptEnabled: boolean, act: (page: Page) => Promise<void>): Promise<void> {
      const context = await browser.newContext({ javaScriptEnabled });
      try {
        const page = await context.newPage();
        page.setDefaultTimeout(15_000);
        await page.goto(`${site.home}/actions`);
        await act(page);
      } finally {
        await context.close();
      }
    }

    async function enter(page: Page, password = ADA.password): Promise<void> {
      await page.locator("#enter [name=username]").fill(ADA.username);
      await page.locator("#enter [name=password]").fill(password);
      await page.locator("#enter button").click();
    }

    async function assertIs(page: Page, name: string): Promise<void> {
      await page.locator("#who").filter({ hasText: new RegExp(`^${name}$`) }).waitFor();
    }

    for (const [how, scripts] of [["with scripts", true], ["without scripts", false]] as const) {
      test(`${how} a wrong password is told, the right one signs in, the name changes, and signing out ends it`, () =>
        visit(scripts, async (page) => {
          await enter(page, "wrong");
          await page.getByText("Cannot sign in: CredentialsSignin").waitFor();
          await enter(page);
          await assertIs(page, "Ada Lovelace");
          assert.equal(page.url(), `${site.home}/actions`);
          await page.locator("#rename [name=name]").fill("Countess");
          await page.locator("#rename button").click();
          await assertIs(page, "Countess");
          await page.reload();
          await assertIs(page, "Countess");
          await page.locator("#leave button").click();
          await assertIs(page, "nobody");
          await page.reload();
          await assertIs(page, "nobody");
        }));

      test(`${how} a provider signs in`, () =>
        visit(scripts, async (page) => {
          await page.locator("#provider button").click();
          await page.locator("[name=login]").fill("grace");
          await page.locator("form button").click();
          await assertIs(page, "Grace Hopper");
          assert.equal(page.url(), `${site.home}/actions`);
        }));
    }
  });
}
