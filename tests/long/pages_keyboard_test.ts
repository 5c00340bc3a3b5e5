import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { Browser, Page } from "playwright-core";
import { createAuth } from "@x/auth";
import { accountPage } from "@x/auth/account";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { nodeListener } from "@x/auth/node";
import { passkey } from "@x/auth/providers/passkey";
import { findChromium, skipsWithout, startChromium, visitSite } from "../_support/chromium.ts";
import { freePort } from "../_support/free_port.ts";
import { mailbox } from "../_support/mailbox.ts";
import { ADA, password, testConfig } from "../_support/service.ts";
import { offerNothing, plugIn } from "../e2e/_passkeys.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of the pages with the keyboard alone");

/** The most stops until something is found. */
const MOST_STOPS = 20;

describe("the keyboard alone, in Chromium", { skip }, () => {
  let home: string;
  let server: Server;
  let chromium: Browser;
  const mails = mailbox();

  before(async () => {
    const port = await freePort();
    home = `http://localhost:${port}`;
    server = createServer(nodeListener(siteAt(home, mails))).listen(port);
    chromium = await startChromium(executablePath);
  });
  after(async () => {
    await chromium?.close();
    server?.closeAllConnections();
    server?.close();
  });

  const visit = (act: (page: Page) => Promise<void>): Promise<void> =>
    visitSite(chromium, { home, mayRefuse: false }, async (page) => {
      await offerNothing(page);
      await act(page);
    });

  async function assertSignedIn(page: Page, email: string): Promise<void> {
    await page.waitForURL(`${home}/`);
    assert.equal(await page.locator("#who").innerText(), email);
  }

  test("a password, after one that was wrong: the form waits for the next one", () =>
    visit(async (page) => {
      await page.goto(`${home}/auth/signin`);
      await tabTo(page, "input[name=username]");
      await page.keyboard.type(ADA.username);
      await tabTo(page, "input[name=password]");
      await page.keyboard.type("guess");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").waitFor();
      assert.equal(await page.evaluate("document.activeElement.name"), "password");
      await page.keyboard.type(ADA.password);
      await page.keyboard.press("Enter");
      await assertSignedIn(page, "ada@example.com");
    }));

  test("a link by email", () =>
    visit(async (page) => {
      await page.goto(`${home}/auth/signin`);
      await tabTo(page, "input[name=email]");
      await page.keyboard.type("lin@example.com");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Check your email" }).waitFor();
      await page.goto(`${home}/mailbox`);
      await tabTo(page, "a");
      await page.keyboard.press("Enter");
      await assertSignedIn(page, "lin@example.com");
    }));

  test("a provider", () =>
    visit(async (page) => {
      await page.goto(`${home}/auth/signin`);
      await tabTo(page, "form[action$='/signin/idp'] button");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Allow" }).waitFor();
      await tabTo(page, "button");
      await page.keyboard.press("Enter");
      await assertSignedIn(page, "mary@example.com");
    }));

  test("a passkey, from its creation to the next sign-in, and signing out between them", () =>
    visit(async (page) => {
      await plugIn(page);
      await page.goto(`${home}/auth/signin`);
      await tabTo(page, "input[name=email]");
      await page.keyboard.type("grace@example.com");
      await tabTo(page, "fieldset button[type=button]");
      await page.keyboard.press("Enter");
      await assertSignedIn(page, "grace@example.com");
      await page.goto(`${home}/auth/signout`);
      await tabTo(page, "#submitButton");
      await page.keyboard.press("Enter");
      await assertSignedIn(page, "nobody");
      await page.goto(`${home}/auth/signin`);
      await tabTo(page, "fieldset button[type=submit]");
      assert.match(await page.evaluate("document.activeElement.innerText") as string, /Last used/);
      await page.keyboard.press("Enter");
      await assertSignedIn(page, "grace@example.com");
    }));

  test("an account, from its name and that of a passkey to its end", () =>
    visit(async (page) => {
      await plugIn(page);
      await page.goto(`${home}/auth/signin?callbackUrl=/auth/account`);
      await tabTo(page, "input[name=email]");
      await page.keyboard.type("hedy@example.com");
      await tabTo(page, "fieldset button[type=button]");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Your account" }).waitFor();

      await press(page, "#profile + .body a");
      await typeOver(page, "name", "Hedy");
      await page.getByText("Your change was saved.").waitFor();
      assert.equal(await page.locator(".owner .who").innerText(), "Hedy");

      await press(page, "#passkeys + .body a[href*=renamePasskey]");
      await typeOver(page, "name", "Blue key");
      await page.getByText("Blue key").waitFor();

      await press(page, "#delete + .body a");
      await typeOver(page, "typed", "hedy@example.com");
      await page.waitForURL(`${home}/auth/signin`);
      await page.goto(home);
      await assertSignedIn(page, "nobody");
    }));

  test("who is not signed in is asked nothing, and goes back", () =>
    visit(async (page) => {
      await page.goto(`${home}/auth/signout?callbackUrl=/`);
      await page.getByRole("heading", { name: "You are signed out" }).waitFor();
      await tabTo(page, ".site");
      await page.keyboard.press("Enter");
      await assertSignedIn(page, "nobody");
    }));
});

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
  }
  assert.fail(`Tab does not lead to ${selector}`);
}

/** Presses a link. */
async function press(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector);
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
}

/** Types into a field, in place of what is there, and sends its form. */
async function typeOver(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, `input[name=${name}]`);
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

/** A site with a mailbox that everybody may read, and a provider where everybody is Mary. */
function siteAt(home: string, mails: ReturnType<typeof mailbox>): (request: Request) => Promise<Response> {
  const idp = {
    id: "idp",
    name: "The Provider",
    type: "oauth",
    clientId: "c",
    clientSecret: "s",
    authorization: `${home}/idp/authorize`,
    token: `${home}/idp/token`,
    userinfo: `${home}/idp/userinfo`,
    profile: () => ({ id: "1", name: "Mary", email: "mary@example.com" }),
  } as const;
  const { handler, auth } = createAuth(testConfig({
    adapter: memoryAdapter(),
    session: { strategy: "jwt" },
    providers: [idp, mails.provider, passkey(), password()],
    features: [accountPage()],
  }));
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.startsWith("/auth/")) return await handler(request);
    switch (pathname) {
      case "/mailbox":
        return html(`<a href="${mails.link().href.replaceAll("&", "&amp;")}">Sign in</a>`);
      case "/idp/authorize": {
        const hidden = `<input type=hidden name=state value="${searchParams.get("state")}">`;
        return html(
          `<form action="${home}/auth/callback/idp">${hidden}<button name=code value=c>Allow</button></form>`,
        );
      }
      case "/idp/token":
        return Response.json({ access_token: "a", token_type: "bearer" });
      case "/idp/userinfo":
        return Response.json({ sub: "1" });
      default:
        return html(`<p id=who>${(await auth(request))?.user?.email ?? "nobody"}`);
    }
  };
}

function html(body: string): Response {
  const page = `<!DOCTYPE html><title>Site</title><link rel=icon href="data:,">${body}`;
  return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } });
}
