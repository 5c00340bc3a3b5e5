/** Passkeys of people behind one address that has registered too many, in Chromium. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { turnstile } from "@x/auth/challenges/turnstile";
import { limits, type LimitsOptions, proofOfWork } from "@x/auth/limits";
import { nodeListener } from "@x/auth/node";
import { passkey } from "@x/auth/providers/passkey";
import { findChromium, skipsWithout, startChromium, visitSite } from "../_support/chromium.ts";
import { testConfig } from "../_support/service.ts";
import { offerNothing, plugIn } from "./_passkeys.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of limits of passkeys");

describe("passkeys over the limit of a network, in Chromium", { skip }, () => {
  let chromium: Browser;
  before(async () => {
    chromium = await startChromium(executablePath);
  });
  after(() => chromium?.close());

  /** Opens the sign-in page of a service whose network has registered too many. */
  async function visit(options: LimitsOptions, act: (page: Page, home: string) => Promise<void>): Promise<void> {
    const { handler, auth } = createAuth(testConfig({
      adapter: memoryAdapter(),
      providers: [passkey()],
      features: [limits({ clientAddress: () => "203.0.113.7", ...options })],
    }));
    const site = async (request: Request) => {
      if (new URL(request.url).pathname.startsWith("/auth/")) return await handler(request);
      return new Response((await auth(request))?.user?.email, { headers: { "origin-agent-cluster": "?1" } });
    };
    const server = createServer(nodeListener(site));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const home = `http://localhost:${(server.address() as AddressInfo).port}`;
    try {
      for (let times = 0; times < 20; times++) {
        const query = `action=register&email=user-${times}@example.com`;
        await (await fetch(`${home}/auth/webauthn-options/passkey?${query}`)).body?.cancel();
      }
      await visitSite(chromium, { home, mayRefuse: true }, async (page) => {
        await offerNothing(page);
        await plugIn(page);
        await page.goto(`${home}/auth/signin`);
        await page.getByLabel("Email").fill("ada@example.com");
        await act(page, home);
      });
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  const create = (page: Page) => page.getByRole("button", { name: "Create a passkey" }).click();

  test("somebody new solves the challenge by pressing the button, and is signed in", () =>
    visit({ challenge: proofOfWork({ hashes: 16384 }) }, async (page, home) => {
      const solved = page.waitForRequest(/[?&]proofOfWork=\d+\.16384\./, { timeout: 60_000 });
      const left = page.waitForURL(`${home}/`, { timeout: 60_000 });
      await create(page);
      await solved;
      await left;
      assert.equal(await page.innerText("body"), "ada@example.com");
    }));

  test("while the challenge is solved, the page says so", () =>
    // More than a browser does during a test.
    visit({ challenge: proofOfWork({ hashes: 2 ** 24 }) }, async (page) => {
      await create(page);
      await page.getByText("One moment. The form will be sent by itself.").waitFor();
    }));

  for (
    const [name, challenge] of [
      ["turned off", null],
      ["another service's", turnstile({ siteKey: "a key for pages", secretKey: "a secret key" })],
    ] as const
  ) {
    test(`where the challenge is ${name}, the page says that there were too many attempts`, () =>
      visit({ challenge }, async (page) => {
        await create(page);
        await page.getByText("There were too many attempts. Wait a little, or sign in another way.").waitFor();
      }));
  }
});
