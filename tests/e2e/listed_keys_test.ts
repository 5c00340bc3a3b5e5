/** Security keys that store nothing, in Chromium: refused, unless the browser gets a list of keys by email. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { createAuth, type WebAuthnOptions } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { nodeListener } from "@x/auth/node";
import { webauthn } from "@x/auth/providers/webauthn";
import { findChromium, skipsWithout, startChromium } from "../_support/chromium.ts";
import { testConfig } from "../_support/service.ts";
import { plugIn } from "./_passkeys.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of security keys in a browser");

const EMAIL = "ada@example.com";

const KEYS = { stored: { storesKeys: true }, listed: { storesKeys: false } } as const;

describe("security keys in Chromium", { skip }, () => {
  let chromium: Browser;
  before(async () => {
    chromium = await startChromium(executablePath);
  });
  after(() => chromium?.close());

  /** Opens a service on a free port, and a page with an authenticator. */
  async function visit(
    key: keyof typeof KEYS,
    options: WebAuthnOptions,
    act: (site: Site) => Promise<void>,
  ): Promise<void> {
    const adapter = memoryAdapter();
    const { handler } = createAuth(testConfig({ adapter, providers: [webauthn(options)] }));
    const server = createServer(nodeListener(handler));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
    const context = await chromium.newContext();
    try {
      const page = await context.newPage();
      await plugIn(page, { isUserVerified: true, ...KEYS[key] });
      await act({ page, origin, hasUser: async () => await adapter.getUserByEmail(EMAIL) !== null });
    } finally {
      await context.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  interface Site {
    readonly page: Page;
    readonly origin: string;
    hasUser(): Promise<boolean>;
  }

  async function press({ page, origin }: Site, name: string, email?: string): Promise<void> {
    await page.goto(`${origin}/auth/signin`);
    if (email !== undefined) await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name }).click();
  }

  async function sessionEmail({ page, origin }: Site): Promise<string | undefined> {
    await page.goto(`${origin}/auth/session`);
    return JSON.parse(await page.innerText("body"))?.user?.email;
  }

  async function arrive({ page, origin }: Site): Promise<void> {
    await page.waitForURL(`${origin}/`);
  }

  async function signOut({ page, origin }: Site): Promise<void> {
    await page.goto(`${origin}/auth/signout`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(`${origin}/`);
  }

  test("a key that stores nothing is not registered, and nobody is left who cannot sign in", async () => {
    await visit("listed", { enableConditionalUI: false }, async (site) => {
      await press(site, "Create a passkey", EMAIL);
      await site.page.getByText("It was cancelled, or this device has no passkey for this site.").waitFor();
      assert.equal(await site.hasUser(), false);
    });
  });

  test("a key that is stored registers and signs in without an address", async () => {
    await visit("stored", { enableConditionalUI: false }, async (site) => {
      await press(site, "Create a passkey", EMAIL);
      await arrive(site);
      await signOut(site);
      await press(site, "Sign in with WebAuthn");
      await arrive(site);
      assert.equal(await sessionEmail(site), EMAIL);
    });
  });

  for (const enableConditionalUI of [true, false]) {
    test(`where keys are listed by email, a key that stores nothing signs in, ${enableConditionalUI ? "with" : "without"} offers`, async () => {
      const options = { allowCredentialsByEmail: true, enableConditionalUI };
      await visit("listed", options, async (site) => {
        await press(site, "Create a passkey", EMAIL);
        await arrive(site);
        assert.equal(await sessionEmail(site), EMAIL);
        await signOut(site);
        await press(site, "Sign in with WebAuthn", EMAIL);
        await arrive(site);
        assert.equal(await sessionEmail(site), EMAIL);
        await signOut(site);
        await press(site, "Sign in with WebAuthn", "");
        await site.page.getByText("It was cancelled, or this device has no passkey for this site.").waitFor();
        assert.equal(await sessionEmail(site), undefined);
      });
    });
  }
});
