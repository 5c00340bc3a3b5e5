import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { Browser } from "playwright-core";
import { createAuth } from "@x/auth";
import { accountPage } from "@x/auth/account";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { nodeListener } from "@x/auth/node";
import { passkey } from "@x/auth/providers/passkey";
import { findChromium, skipsWithout, startChromium, visitSite } from "../_support/chromium.ts";
import { freePort } from "../_support/free_port.ts";
import { mailbox } from "../_support/mailbox.ts";
import { testConfig } from "../_support/service.ts";
import { offerNothing } from "./_passkeys.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of passkeys on the account page in a browser");

describe("passkeys of the account page in Chromium", { skip }, () => {
  const adapter = memoryAdapter();
  const mails = mailbox();
  let home: string;
  let server: Server;
  let chromium: Browser;

  before(async () => {
    const port = await freePort();
    home = `http://localhost:${port}`;
    const { handler } = createAuth(testConfig({
      adapter,
      features: [accountPage()],
      // Links of mails are another way in, without which the passkey cannot be removed.
      providers: [passkey(), mails.provider],
    }));
    server = createServer(nodeListener(handler)).listen(port);
    chromium = await startChromium(executablePath);
  });
  after(async () => {
    await chromium?.close();
    server?.close();
  });

  test("a passkey of somebody with another name is renamed on the device, and one that was removed goes from it", () =>
    visitSite(chromium, { home, mayRefuse: true }, async (page, context) => {
      await offerNothing(page);
      const device = await context.newCDPSession(page);
      await device.send("WebAuthn.enable");
      const { authenticatorId } = await device.send("WebAuthn.addVirtualAuthenticator", {
        options: {
          protocol: "ctap2",
          transport: "internal",
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      const held = async () => (await device.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
      const until = async (isDone: () => Promise<boolean>) => {
        for (let tries = 0; !await isDone(); tries++) {
          assert.ok(tries < 100, "the device was not told");
          await page.waitForTimeout(50);
        }
      };
      const { csrfToken } = await (await page.request.get(`${home}/auth/csrf`)).json();
      const form = { csrfToken, email: "ada@example.com" };
      await page.request.post(`${home}/auth/signin/${mails.provider.id}`, { form, headers: { origin: home } });
      await page.goto(mails.link().href);
      await page.goto(`${home}/auth/signin/passkey?callbackUrl=/auth/account`);
      await page.getByRole("button", { name: "Create a passkey" }).click();
      await page.waitForURL(`${home}/auth/account`);
      const [key] = await held();
      assert.deepEqual([key?.userName, key?.userDisplayName], ["ada@example.com", "ada@example.com"]);
      const user = await adapter.getUserByEmail("ada@example.com") ?? assert.fail();
      await adapter.updateUser({ id: user.id, name: "Ada Lovelace" });
      await page.reload();
      await until(async () => (await held())[0]?.userDisplayName === "Ada Lovelace");
      const { view } =
        await (await page.request.get(`${home}/auth/account`, { headers: { accept: "application/json" } })).json();
      await page.goto(`${home}/auth/account?act=removePasskey&id=${view.passkeys[0].id}`);
      await page.locator("form button[type=submit], form button:not([type])").last().click();
      await page.waitForURL(/done=removePasskey/);
      await until(async () => (await held()).length === 0);
    }));
});
