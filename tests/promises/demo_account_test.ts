import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { Browser } from "../../testing/kit/browser.ts";
import { type Demo, startDemo } from "../_support/demo.ts";

describe("the account page of the demo", () => {
  let demo: Demo;

  before(async () => {
    demo = await startDemo(["--store=memory"]);
  });
  after(async () => {
    await demo?.close();
  });

  /** Opens the newest link of the mailbox that is called so. */
  async function openMail(browser: Browser, name: string): Promise<void> {
    await browser.open("/mailbox");
    const links = [...browser.html.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)];
    const [, href = assert.fail(`no email has a link "${name}"`)] = links.find(([, , text]) => text === name) ?? [];
    await browser.open(href.replaceAll("&amp;", "&"));
  }

  async function signIn(email: string): Promise<Browser> {
    const browser = new Browser((request) => fetch(request), { origin: demo.site });
    await browser.open("/auth/signin");
    await browser.submit({ email }, "/signin/email");
    await openMail(browser, `Sign in as ${email}`);
    return browser;
  }

  async function act(browser: Browser, fields: Readonly<Record<string, string>>): Promise<void> {
    const page = `${demo.site}/auth/account`;
    const csrfToken = await browser.csrf();
    await browser.arrive(page, page, new URLSearchParams({ csrfToken, ...fields }));
  }

  test("the name on the home page leads there, and the section of the demo keeps what was sent to it", async () => {
    const browser = await signIn("hedy@example.com");
    assert.match(browser.html, /<h1>Hello, <a href="\/auth\/account">hedy@example\.com<\/a><\/h1>/);
    await browser.click("/auth/account");
    await act(browser, { act: "section", section: "nickname", nickname: 'Hedy "Frequency" L.' });
    assert.match(browser.html, /value="Hedy &quot;Frequency&quot; L\."/);
    await act(browser, { act: "section", section: "nickname", nickname: "L".repeat(31) });
    assert.match(browser.html, /A nickname has at most 30 characters\./);
    assert.match(browser.html, /value="Hedy &quot;Frequency&quot; L\."/);
  });

  test("an address changes once both links were opened from the mailbox", async () => {
    const browser = await signIn("katherine@example.com");
    await act(browser, { act: "changeEmail", to: "katherine@new.example" });
    await openMail(browser, "Confirm address");
    await act(browser, { act: "takeEmail", token: browser.url.searchParams.get("token") ?? "" });
    await openMail(browser, "Allow it, or stop it");
    await act(browser, { act: "allowEmail", token: browser.url.searchParams.get("token") ?? "" });
    await browser.open("/auth/account");
    assert.match(browser.html, /katherine@new\.example/);
    assert.doesNotMatch(browser.html, /katherine@example\.com/);
  });

  test("somebody who has deleted their account can keep it for a week", async () => {
    const browser = await signIn("rosalind@example.com");
    await act(browser, { act: "delete", typed: "rosalind@example.com" });
    assert.equal(browser.url.pathname, "/auth/signin");
    const again = await signIn("rosalind@example.com");
    await again.open("/auth/account");
    assert.match(again.html, /Your account will be deleted on/);
    await act(again, { act: "keep" });
    assert.equal(again.url.search, "?done=keep");
    assert.doesNotMatch(again.html, /Your account will be deleted on/);
  });
});
