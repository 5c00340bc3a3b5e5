/** Tells the stories of the client in Chromium, in the examples that have a page for it. */
import { after, before, describe, test } from "node:test";
import { type Browser, chromium } from "playwright-core";
import { findChromium, skipsWithout, visitSite } from "../_support/chromium.ts";
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

    function visit(tell: ClientStory[1]): Promise<void> {
      return visitSite(browser, { home: site.home, mayRefuse: true }, async (page, context) => {
        let asked = 0;
        context.on("request", (request) => {
          if (new URL(request.url()).pathname === `${site.basePath}/session` && request.method() === "GET") asked++;
        });
        page.setDefaultTimeout(15_000);
        await tell({ site, context, page, asked: () => asked });
      });
    }
  });
}
