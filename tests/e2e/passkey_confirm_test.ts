/** Passkeys whose address is proven first, in Chromium. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { createAuth, type WebAuthnOptions } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { nodeListener } from "@x/auth/node";
import { passkey } from "@x/auth/providers/passkey";
import { findChromium, skipsWithout, startChromium } from "../_support/chromium.ts";
import { type Mailbox, mailbox } from "../_support/mailbox.ts";
import { testConfig } from "../_support/service.ts";
import { offerNothing, plugIn, type VirtualAuthenticator } from "./_passkeys.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of passkeys that wait for an email");

const EMAIL = "ada@example.com";

interface Site {
  readonly page: Page;
  readonly origin: string;
  readonly box: Mailbox;
  readonly device: VirtualAuthenticator;
}

describe("passkeys that wait for an email, in Chromium", { skip }, () => {
  let chromium: Browser;
  before(async () => {
    chromium = await startChromium(executablePath);
  });
  after(() => chromium?.close());

  /** Opens a service on a free port, and a page with an authenticator. */
  async function visit(options: WebAuthnOptions, act: (site: Site) => Promise<void>): Promise<void> {
    const box = mailbox();
    const providers = [box.provider, passkey({ confirm: true, ...options })];
    const { handler } = createAuth(testConfig({ adapter: memoryAdapter(), providers }));
    const server = createServer(nodeListener(handler));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
    const context = await chromium.newContext();
    try {
      const page = await context.newPage();
      await offerNothing(page);
      await act({ page, origin, box, device: await plugIn(page) });
    } finally {
      await context.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  async function signedInAs({ page, origin }: Site): Promise<unknown> {
    await page.goto(`${origin}/auth/session`);
    return JSON.parse(await page.innerText("body"))?.user?.email;
  }

  const FORMS: readonly (readonly [what: string, options: WebAuthnOptions])[] = [
    ["the field of the form for emails", {}],
    ["a field of its own", { formFields: { email: { autocomplete: "webauthn" }, note: {} } }],
  ];

  for (const [what, options] of FORMS) {
    test(`the address in ${what} gets an email, whose link goes on with the passkey`, () =>
      visit(options, async (site) => {
        const { page, origin, box, device } = site;
        await page.goto(`${origin}/auth/signin?callbackUrl=%2F`);
        await page.getByText("you first get an email with a link").waitFor();
        await page.locator("form:has(input[name=email])").last().locator("[name=email]").fill(EMAIL);
        await page.getByRole("button", { name: "Create a passkey" }).click();
        await page.getByRole("heading", { name: "Check your email" }).waitFor();
        assert.equal(await device.count(), 0);
        assert.equal(box.mails.at(-1)?.identifier, EMAIL);
        await page.goto(box.link().href);
        await page.getByRole("heading", { name: "Add a passkey" }).waitFor();
        await page.getByRole("button", { name: "Create a passkey" }).click();
        await page.waitForURL(`${origin}/`);
        assert.equal(await device.count(), 1);
        await page.context().clearCookies();
        await page.goto(`${origin}/auth/signin?callbackUrl=%2F`);
        await page.getByRole("button", { name: "Sign in with a passkey" }).click();
        await page.waitForURL(`${origin}/`);
        assert.equal(await signedInAs(site), EMAIL);
      }));
  }

  test("the field for the address is demanded before the email is asked for", () =>
    visit({}, async ({ page, origin, box }) => {
      await page.goto(`${origin}/auth/signin`);
      await page.getByRole("button", { name: "Create a passkey" }).click();
      assert.equal(await page.locator("input:user-invalid").count(), 1);
      assert.equal(box.mails.length, 0);
    }));

  test("Enter in the field for the address signs in by email, as without passkeys", () =>
    visit({}, async ({ page, origin, box }) => {
      await page.goto(`${origin}/auth/signin?callbackUrl=%2F`);
      await page.getByLabel("Email").fill(EMAIL);
      await page.getByLabel("Email").press("Enter");
      await page.getByRole("heading", { name: "Check your email" }).waitFor();
      await page.goto(box.link().href);
      assert.equal(page.url(), `${origin}/`);
    }));
});
