import { test } from "node:test";
import assert from "node:assert/strict";
import { type AuthConfig, createAuth, type EmailOptions } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { signInMail } from "@x/auth/mail";
import { Browser } from "../_support/browser.ts";
import { mailbox } from "../_support/mailbox.ts";
import { testConfig } from "../_support/service.ts";

const ADDRESS = "ada@example.com";
const PAGE = "/auth/verify-request?provider=email&type=email";

function open(options: EmailOptions = {}, config: AuthConfig = {}) {
  const { provider, mails } = mailbox(options);
  const { handler } = createAuth(testConfig({ providers: [provider], adapter: memoryAdapter(), ...config }));
  return { handler, browser: new Browser(handler), mails };
}

/** What a page says, without its markup. */
function textOf({ html }: Browser): string {
  return html.replace(/<style>.*?<\/style>/gs, "").replace(/<\/p>/g, "\n").replace(/<[^>]+>/g, "");
}

test("after an email was sent, the page shows the address and how long the link works", async () => {
  const { browser } = open();
  await browser.signIn("email", { email: "Ada@Example.com " });
  assert.match(textOf(browser), /Sent to: ada@example\.com\nValid for: 10 minutes/);
});

test("how long it works is what the provider says, in the language of the page and of the email", async () => {
  const { browser, mails } = open({ maxAge: 24 * 60 * 60 }, { theme: { language: "de" } });
  await browser.signIn("email", { email: ADDRESS });
  assert.match(textOf(browser), /Gesendet an: ada@example\.com\nGültig für: 24 Stunden/);
  const [mail] = mails;
  assert.ok(mail);
  const { text, html } = signInMail(mail);
  assert.match(text, /^Gültig für: 24 Stunden$/m);
  assert.match(html, /Gültig für: <bdi>24 Stunden<\/bdi>/);
});

test("an email says how long its link works, also where nobody has set that", async () => {
  const { browser, mails } = open();
  await browser.signIn("email", { email: ADDRESS });
  const [mail] = mails;
  assert.ok(mail);
  assert.match(signInMail(mail).text, /^The link works once, until .+\nValid for: 10 minutes$/m);
});

test("an email in texts that do not have that sentence is written without it", async () => {
  const { browser, mails } = open();
  await browser.signIn("email", { email: ADDRESS });
  const [mail] = mails;
  assert.ok(mail?.wording);
  const { mailSubject, mailButton, mailLink, mailExpires, mailIgnore } = mail.wording.texts;
  const wording = { ...mail.wording, texts: { mailSubject, mailButton, mailLink, mailExpires, mailIgnore } };
  const { text, html } = signInMail({ ...mail, wording });
  assert.doesNotMatch(text + html, /Valid for|undefined/);
});

test("no other browser is shown the address, and no link can put one into the page", async () => {
  const { browser, handler } = open();
  await browser.signIn("email", { email: ADDRESS });
  const links = [PAGE, `${PAGE}&email=eve@example.com&to=eve@example.com&identifier=eve@example.com`];
  for (const link of links) {
    const stranger = await new Browser(handler).open(link);
    assert.match(stranger.html, /Check your email/);
    assert.doesNotMatch(textOf(stranger), /@example|Sent to|Valid for/);
  }
  await browser.open(links[1] ?? "");
  assert.match(textOf(browser), /Sent to: ada@example\.com/);
  assert.doesNotMatch(browser.html, /eve@/);
});

test("the page is the same for an address that has a user and for one that has none", async () => {
  const { handler, mails } = open();
  const first = new Browser(handler);
  await first.signIn("email", { email: ADDRESS });
  await first.open(mails[0]?.url ?? "");
  assert.equal((await first.session())?.user?.email, ADDRESS);
  const pages = await Promise.all([ADDRESS, "bob@example.com"].map(async (email) => {
    const browser = await new Browser(handler).signIn("email", { email });
    return browser.html.replaceAll(email, "…");
  }));
  assert.equal(pages[0], pages[1]);
});

test("once the link was used, the page no longer shows the address", async () => {
  const { browser, mails } = open();
  await browser.signIn("email", { email: ADDRESS });
  await browser.open(mails[0]?.url ?? "");
  await browser.open(PAGE);
  assert.match(browser.html, /Check your email/);
  assert.doesNotMatch(textOf(browser), /@example/);
});

test("an address is text, whatever `normalizeIdentifier` makes of it", async () => {
  const { browser } = open({ normalizeIdentifier: () => "<b>x</b>&\"'@example.com" });
  await browser.signIn("email", { email: ADDRESS });
  assert.match(browser.html, /&lt;b>x&lt;\/b>&amp;/);
  assert.doesNotMatch(browser.html, /<b>/);
});
