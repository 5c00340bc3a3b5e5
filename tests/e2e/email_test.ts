import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { findChromium, HASTE, skipsWithout, startChromium } from "../_support/chromium.ts";
import { mailbox } from "../_support/mailbox.ts";
import { testConfig } from "../_support/service.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of links in mails in a browser");

const ADDRESS = "ada@example.com";
const { provider, link, mails } = mailbox();
const { handler } = createAuth(testConfig({ providers: [provider], adapter: memoryAdapter() }));

/** Another site, where emails are read. */
const webmail = "http://webmail.test";

type ContextOptions = NonNullable<Parameters<Browser["newContext"]>[0]>;

describe("links in mails in Chromium", { skip }, () => {
  let chromium: Browser;
  let server: Server;
  let site: string;

  before(async () => {
    server = createServer((incoming, outgoing) => {
      answer(incoming).then(
        ({ status, headers, body }) => outgoing.writeHead(status, headers).end(body),
        () => outgoing.destroy(), // a browser that is closed leaves requests half-way
      );
    });
    await new Promise<void>((resolve) => void server.listen(0, "localhost", resolve));
    site = `http://localhost:${(server.address() as AddressInfo).port}`;
    chromium = await startChromium(executablePath);
  });
  after(async () => {
    await chromium?.close();
    server.closeAllConnections();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  });

  async function answer(incoming: Parameters<Parameters<typeof createServer>[1] & object>[0]) {
    const { method = "GET", url = "/" } = incoming;
    const chunks: Uint8Array[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = chunks.length > 0 ? await new Blob(chunks as Uint8Array<ArrayBuffer>[]).text() : null;
    if (!url.startsWith("/auth/")) return { status: 200, headers: { "content-type": "text/html" }, body: "<p>Home" };
    const headers = incoming.headers as Record<string, string>;
    const response = await handler(new Request(site + url, { method, headers, ...(body && { body }) }));
    const cookies = response.headers.getSetCookie();
    const fields = Object.fromEntries([...response.headers].filter(([name]) => name !== "set-cookie"));
    const sent = { ...fields, ...(cookies.length > 0 && { "set-cookie": cookies }) };
    return { status: response.status, headers: sent, body: await response.text() };
  }

  /** Gives a visitor a profile of their own; complaints of the browser fail the test. */
  async function visit<T>(act: (page: Page) => Promise<T>, options: ContextOptions = {}): Promise<T> {
    const context = await chromium.newContext(options);
    try {
      const faults = watch(context);
      const result = await act(await context.newPage());
      assert.deepEqual(faults, []);
      return result;
    } finally {
      await context.close();
    }
  }

  function watch(context: BrowserContext): readonly string[] {
    const faults: string[] = [];
    context.on("request", (request) => {
      if (![site, webmail].includes(new URL(request.url()).origin)) faults.push(`asks ${request.url()}`);
    });
    context.on("weberror", (error) => faults.push(String(error.error())));
    context.on("console", (message) => {
      const text = message.text();
      if (!HASTE.test(text) && !text.includes("status of 4")) faults.push(text);
    });
    return faults;
  }

  /** Types the address on the sign-in page, and sends it. */
  async function ask(page: Page): Promise<string> {
    await page.goto(`${site}/auth/signin?callbackUrl=%2Fcart`);
    await page.getByLabel("Email").fill(ADDRESS);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Check your email" }).waitFor();
    return link().href;
  }

  async function addressOf(page: Page): Promise<string | undefined> {
    const answer = await page.request.get(`${site}/auth/session`);
    return (await answer.json())?.user?.email;
  }

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? "with script" : "without script";

    test(`a link that is opened where it was asked for signs in at once, ${how}`, () =>
      visit(async (page) => {
        await page.goto(await ask(page));
        assert.equal(page.url(), `${site}/cart`);
        assert.equal(await addressOf(page), ADDRESS);
      }, { javaScriptEnabled }));

    test(`a link that is opened in another browser asks first, ${how}`, async () => {
      const url = await visit(ask, { javaScriptEnabled });
      await visit(async (page) => {
        await page.goto(url);
        await page.getByText(ADDRESS).waitFor();
        assert.equal(await addressOf(page), undefined);
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.waitForURL(`${site}/cart`);
        assert.equal(await addressOf(page), ADDRESS);
        // It was used: nobody is asked before they hear of it.
        await page.goto(url);
        await page.getByRole("heading", { name: "Please sign in again" }).waitFor();
      }, { javaScriptEnabled });
    });
  }

  test("a link that is opened from a page of another site is good for the browser that asked", () =>
    visit(async (page) => {
      const url = await ask(page);
      await page.route(`${webmail}/`, (route) => {
        const body = `<a href="${url.replaceAll("&", "&amp;")}">Sign in</a>`;
        return route.fulfill({ contentType: "text/html", body });
      });
      await page.goto(webmail);
      await page.getByRole("link", { name: "Sign in" }).click();
      await page.waitForURL(`${site}/cart`);
      assert.equal(await addressOf(page), ADDRESS);
    }));

  test("nobody types what is no address, and the form says so without the server", () =>
    visit(async (page) => {
      const before = mails.length;
      await page.goto(`${site}/auth/signin`);
      await page.getByLabel("Email").fill("ada");
      await page.getByRole("button", { name: "Continue" }).click();
      assert.equal(page.url(), `${site}/auth/signin`);
      await page.getByLabel("Email").fill("ada@localhost");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("alert").waitFor();
      assert.equal(mails.length, before);
    }));

  for (const colorScheme of ["light", "dark"] as const) {
    test(`axe finds nothing on the way of a link in the ${colorScheme} scheme`, () =>
      visit(async (page) => {
        const audit = async () => {
          await page.evaluate(axe.source);
          assert.deepEqual(await page.evaluate(AUDIT), [], page.url());
        };
        await page.goto(`${site}/auth/signin`);
        await audit();
        const url = await ask(page);
        await audit();
        await page.context().clearCookies();
        await page.goto(url);
        await page.getByRole("heading", { name: "Sign in to" }).waitFor();
        await audit();
      }, { colorScheme, bypassCSP: true }));
  }
});

const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const AUDIT = `axe.run({ runOnly: ${JSON.stringify(STANDARDS)} }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html + failureSummary).join()))`;
