/** Tells the stories of the client in Chromium, in the examples that have a page for it. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Browser, chromium } from "playwright-core";
import { findChromium, skipsWithout } from "../_support/chromium.ts";
import { CLIENT_STORIES, type ClientStory } from "./_client_stories.ts";
import { chosenExamples, installExample } from "./_examples.ts";
import { openSite, type Site } from "./_site.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of the client in frameworks");

for (const example of chosenExamples().filter(({ client }) => client)) {
  describe(`the client in ${example.name}`, { skip }, () => {
    let site: Site;
    let browser: Browser;

    before(async () => {
      site = await openSite(example, await installExample(example));
      // Playwright switches the back/forward cache off by default.
      const ignoreDefaultArgs = ["--disable-back-forward-cache"];
      const args = ["--no-sandbox", "--disable-gpu"];
      browser = await chromium.launch({ executablePath: `${executablePath}`, args, ignoreDefaultArgs });
    });
    after(async () => {
      await browser?.close();
      await site?.close();
    });

    for (const [name, tell] of CLIENT_STORIES) test(name, () => visit(tell));

    /** Gives a visitor a browser of their own. What it complains of is a fault. */
    async function visit(tell: ClientStory[1]): Promise<void> {
      const context = await browser.newContext();
      const faults: string[] = [];
      let asked = 0;
      context.on("weberror", (error) => faults.push(String(error.error())));
      context.on("console", (message) => {
        const isOurs = message.page()?.url().startsWith(site.home);
        if (!isOurs || !["error", "warning"].includes(message.type())) return;
        if (!/responded with a status of [45]/.test(message.text())) faults.push(message.text());
      });
      context.on("request", (request) => {
        if (new URL(request.url()).pathname === `${site.basePath}/session` && request.method() === "GET") asked++;
      });
      try {
        const page = await context.newPage();
        page.setDefaultTimeout(15_000);
        await tell({ site, context, page, asked: () => asked });
        assert.deepEqual(faults, []);
      } finally {
        await context.close();
      }
    }
  });
}
