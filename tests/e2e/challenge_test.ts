import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import process from "node:process";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { limits, proofOfWork } from "@x/auth/limits";
import { nodeListener } from "@x/auth/node";
import { findChromium, HASTE, skipsWithout, startChromium } from "../_support/chromium.ts";
import { freePort } from "../_support/free_port.ts";
import { ADA, password, testConfig } from "../_support/service.ts";
import { audit, MEASURE } from "./pages_tour.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of challenges in a browser");

/** Seconds that browsers without script wait here. */
const WAIT = 4;

/** More than a browser does during a test. */
const MOST_HASHES = 2 ** 24;

type ContextOptions = NonNullable<Parameters<Browser["newContext"]>[0]>;

describe("a challenge in Chromium", { skip }, () => {
  let chromium: Browser;
  const servers: Server[] = [];

  before(async () => {
    chromium = await startChromium(executablePath);
  });
  after(async () => {
    await chromium?.close();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** A site where the second guess at an account takes a challenge. */
  async function openSite(hashes = 65536): Promise<string> {
    const port = await freePort();
    const home = `http://localhost:${port}`;
    const challenge = proofOfWork({ wait: WAIT, hashes });
    const one = { burst: 1, every: 3600 };
    const { handler, auth } = createAuth(testConfig({
      adapter: memoryAdapter(),
      session: { strategy: "jwt" },
      providers: [password()],
      features: [limits({ guess: { account: one, pair: one }, challenge })],
    }));
    const site = async (request: Request) => {
      if (new URL(request.url).pathname.startsWith("/auth/")) return await handler(request);
      const who = (await auth(request))?.user?.email ?? "nobody";
      const page = `<!DOCTYPE html><title>Site</title><link rel=icon href="data:,"><p id=who>${who}`;
      return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } });
    };
    servers.push(createServer(nodeListener(site)).listen(port));
    return home;
  }

  /** Gives a visitor a browser of their own, in which Ada has guessed too often. What the browser complains of fails the test. */
  async function visit(
    home: string,
    act: (page: Page, context: BrowserContext) => Promise<void>,
    options: ContextOptions = {},
  ): Promise<void> {
    const context = await chromium.newContext(options);
    const faults: string[] = [];
    context.on(
      "request",
      ({ url }) => void (url().startsWith(home) || url().startsWith("data:") || faults.push(url())),
    );
    context.on("weberror", (error) => faults.push(String(error.error())));
    context.on("console", (message) => {
      const text = message.text();
      if (!HASTE.test(text) && !text.includes("status of 429")) faults.push(text);
    });
    try {
      const page = await context.newPage();
      await page.goto(`${home}/auth/signin?callbackUrl=%2F`);
      await act(page, context);
      assert.deepEqual(faults, []);
    } finally {
      await context.close();
    }
  }

  async function type(page: Page, { username, password }: typeof ADA): Promise<void> {
    await page.getByLabel("Username").fill(username);
    await page.getByLabel("Password").fill(password);
  }

  async function guess(page: Page, times: number): Promise<void> {
    for (let round = 0; round < times; round++) {
      await type(page, { ...ADA, password: `guess ${round}` });
      await page.getByLabel("Password").press("Enter");
      await page.getByRole("alert").waitFor();
    }
    await page.locator(".challenge").waitFor();
  }

  async function assertSignedIn(page: Page, home: string): Promise<void> {
    await page.waitForURL(`${home}/`, { timeout: 120_000 });
    assert.equal(await page.locator("#who").innerText(), "ada@example.com");
  }

  const solved = (page: Page) => page.getByText("The puzzle is solved. You can go on.").waitFor({ timeout: 60_000 });

  test("with script it is solved while the visitor types", async () => {
    const home = await openSite();
    await visit(home, async (page) => {
      await guess(page, 2);
      const start = performance.now();
      assert.equal(await page.getByLabel("Username").inputValue(), ADA.username);
      assert.equal(await page.getByLabel("Password").inputValue(), "");
      await solved(page);
      process.stderr.write(`a challenge took ${Math.round(performance.now() - start)} ms\n`);
      await type(page, ADA);
      await page.getByRole("button", { name: "Sign in" }).click();
      await assertSignedIn(page, home);
    });
  });

  test("a form that is sent too early is sent by itself once it is solved, with the keyboard alone", async () => {
    const home = await openSite();
    await visit(home, async (page) => {
      await page.addInitScript({ content: HOLD });
      await guess(page, 2);
      assert.equal(await page.evaluate("document.activeElement.name"), "password");
      await page.keyboard.type(ADA.password);
      await page.keyboard.press("Enter");
      const status = page.getByRole("status");
      assert.equal(await status.innerText(), "One moment. The form will be sent by itself.");
      assert.equal(await page.evaluate("document.activeElement.name"), "password");
      await page.keyboard.press("Enter");
      await page.evaluate("release()");
      await assertSignedIn(page, home);
    });
  });

  test("a processor six times as slow solves it, and the page stays usable meanwhile", async () => {
    const home = await openSite();
    await visit(home, async (page, context) => {
      const session = await context.newCDPSession(page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: 6 });
      await guess(page, 2);
      const start = performance.now();
      await solved(page);
      process.stderr.write(`with a processor six times as slow: ${Math.round(performance.now() - start)} ms\n`);
      await type(page, ADA);
      await page.keyboard.press("Enter");
      await assertSignedIn(page, home);
    });
  });

  test("without script the button comes after the wait, and what is typed meanwhile stays", async () => {
    const home = await openSite();
    await visit(home, async (page) => {
      await guess(page, 2);
      const button = page.getByRole("button", { name: "Sign in" });
      await page.getByText(new RegExp(`after a wait: ${WAIT} seconds`)).waitFor();
      assert.equal(await button.isVisible(), false);
      await type(page, ADA);
      await button.waitFor({ timeout: 2000 * WAIT });
      await button.click();
      await assertSignedIn(page, home);
    }, { javaScriptEnabled: false });
  });

  test("who sends the form too early without script waits for the rest, not from the start", async () => {
    const home = await openSite();
    await visit(home, async (page) => {
      await guess(page, 2);
      const token = () => page.locator("input[name=proofOfWork]").getAttribute("value");
      const first = await token();
      await page.waitForTimeout(1500);
      await type(page, ADA);
      await page.getByLabel("Password").press("Enter");
      await page.getByText(/after a wait: [123] seconds?\./).waitFor();
      assert.equal(await token(), first);
      await type(page, ADA);
      await page.getByRole("button", { name: "Sign in" }).click({ timeout: 2000 * WAIT });
      await assertSignedIn(page, home);
    }, { javaScriptEnabled: false });
  });

  test("who guesses wrong after a challenge was solved gets another one", async () => {
    const home = await openSite();
    await visit(home, async (page) => {
      await guess(page, 2);
      await solved(page);
      const token = () => page.locator("input[name=proofOfWork]").inputValue();
      const first = await token();
      await type(page, { ...ADA, password: "another guess" });
      await Promise.all([page.waitForURL(/error=CredentialsSignin/), page.keyboard.press("Enter")]);
      await guess(page, 1);
      await solved(page);
      assert.notEqual(await token(), first);
      await type(page, ADA);
      await page.keyboard.press("Enter");
      await assertSignedIn(page, home);
    });
  });

  for (const colorScheme of ["light", "dark"] as const) {
    test(`axe finds nothing while it is solved and after, in the ${colorScheme} scheme on a phone`, async () => {
      const options = { colorScheme, bypassCSP: true, viewport: { width: 320, height: 700 } };
      const look = (until: (page: Page) => Promise<void>) => async (page: Page) => {
        await guess(page, 2);
        await until(page);
        assert.deepEqual(await audit(page), []);
        assert.deepEqual(await page.evaluate(MEASURE), []);
      };
      await visit(await openSite(MOST_HASHES), look((page) => page.getByRole("progressbar").waitFor()), options);
      await visit(await openSite(), look(solved), options);
    });
  }
});

/** Holds the script of the page after its first slice of work, until it is released. */
const HOLD = `
const wait = self.setTimeout;
let held = [];
self.setTimeout = (run, ...more) => held ? held.push(run) : wait(run, ...more);
self.release = () => {
  const runs = held;
  held = null;
  for (const run of runs) run();
};`;
