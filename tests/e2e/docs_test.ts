import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { Browser } from "playwright-core";
import { createAuth } from "@x/auth";
import { nodeListener } from "@x/auth/node";
import { bundleBlock, pages, writeForDeno } from "../../scripts/docs/run.ts";
import { findChromium, skipsWithout, startChromium } from "../_support/chromium.ts";
import { freePort } from "../_support/free_port.ts";
import { password, testConfig } from "../_support/service.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of the guides in a browser");

const HOME = "npm/docs_in_browsers";

/** Says in its title how the program has run. */
const PAGE = `<!DOCTYPE html><title>runs</title><button id="github">GitHub</button><script type="module">
  import("/program.js").then(() => document.title = "done", (error) => document.title = String(error));
</script>`;

describe("the programs of the guides for browsers, in Chromium", { skip }, () => {
  let browser: Browser;
  let server: Server;
  let origin = "";
  let script = "";

  before(async () => {
    const { handler } = createAuth(testConfig({ providers: [password()] }));
    const port = await freePort();
    origin = `http://localhost:${port}`;
    server = createServer(nodeListener(async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/auth/")) return await handler(request);
      if (pathname === "/program.js") return new Response(script, { headers: { "content-type": "text/javascript" } });
      return new Response(pathname === "/" ? PAGE : null, { headers: { "content-type": "text/html" } });
    }));
    await new Promise((resolve) => void server.listen(port, "localhost", () => resolve(undefined)));
    browser = await startChromium(executablePath);
  });
  after(async () => {
    await browser?.close();
    await new Promise((resolve) => void server?.close(resolve));
  });

  const written = skip ? [] : writeForDeno(pages(), HOME).filter(({ block }) => block.runsOn.includes("browser"));

  for (const each of written) {
    test(`${each.block.page}:${each.block.line} runs`, async () => {
      script = await bundleBlock(each, HOME);
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      await page.goto(origin);
      await page.waitForFunction(() => document.title !== "runs");
      assert.equal(await page.title(), "done");
      assert.deepEqual(errors, []);
      await page.close();
    });
  }
});
