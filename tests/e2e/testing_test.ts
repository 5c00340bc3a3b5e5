/** The test kit beside Playwright: cookies of a visitor, and the page of a fake provider. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { createAuth } from "@x/auth";
import { nodeListener } from "@x/auth/node";
import { apple } from "@x/auth/providers/apple";
import { github } from "@x/auth/providers/github";
import { google } from "@x/auth/providers/google";
import { testAuth, withFakeProviders } from "@x/auth/testing";
import type { Browser } from "playwright-core";
import { findChromium, skipsWithout, startChromium } from "../_support/chromium.ts";

const CHROMIUM = findChromium();

/** Starts an application on this machine, and stops it. */
async function serve(
  config: object,
  run: (origin: string) => Promise<void>,
): Promise<void> {
  const { handler, auth } = createAuth({ providers: [google(), github(), apple()], ...config });
  const page = auth((_request, session) => new Response(`Hello ${session?.user?.name ?? "stranger"}`));
  const server = createServer(nodeListener(async (request) => {
    return new URL(request.url).pathname.startsWith("/auth/") ? await handler(request) : await page(request);
  }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await run(`http://localhost:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe("the test kit in Chromium", { skip: skipsWithout(CHROMIUM, "the test kit in Chromium") }, () => {
  let browser: Browser;
  before(async () => void (browser = await startChromium(CHROMIUM)));
  after(() => browser.close());

  test("the page of a fake provider is reached by the button, and signs in whoever is named there", async () => {
    const secret = "the secret of an application, which is long enough";
    const config = { providers: [google(), github(), apple()], secret };
    await serve(withFakeProviders(config, { allow: true }), async (origin) => {
      for (const name of ["Google", "GitHub", "Apple"]) {
        const context = await browser.newContext();
        const page = await context.newPage();
        await page.goto(`${origin}/auth/signin`);
        await page.getByRole("button", { name: new RegExp(name) }).click();
        await page.getByLabel("Name").fill("Bob");
        await page.getByRole("button", { name: "Sign in" }).click();
        if (name === "Apple") await page.getByRole("button", { name: "Continue" }).click();
        await page.waitForURL(`${origin}/`);
        assert.equal(await page.locator("body").textContent(), "Hello Bob");
        await context.close();
      }
    });
  });

  test("the cookies of a visitor sign in a browser", async () => {
    const world = testAuth((test) => {
      const { auth } = createAuth({ providers: [google()], ...test });
      return auth((_request, session) => new Response(`Hello ${session?.user?.name ?? "stranger"}`));
    });
    const server = createServer(nodeListener(world.handler));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const ada = await world.visitor().signInAs({ name: "Ada" });
      const context = await browser.newContext({ storageState: ada.cookies({ for: "playwright" }) });
      const page = await context.newPage();
      await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
      assert.equal(await page.locator("body").textContent(), "Hello Ada");
      await context.close();
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
