import { test } from "node:test";
import assert from "node:assert/strict";
import { type AuthConfig, createAuth, type Theme } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { github } from "@x/auth/providers/github";
import { Browser } from "../_support/browser.ts";
import { mailbox } from "../_support/mailbox.ts";
import { testConfig } from "../_support/service.ts";

const LINKS = { signUp: "/join", help: "https://help.example.com/?a=1&b=2#c", terms: "/terms", privacy: "/privacy" };

function open(theme: Theme = {}, config: AuthConfig = {}) {
  const providers = [github({ clientId: "id", clientSecret: "canary" })];
  return new Browser(createAuth(testConfig({ providers, theme, ...config })).handler);
}

/** The links of a page, as `text -> address`. */
function linksOf({ html }: Browser): Record<string, string> {
  const links = [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)];
  return Object.fromEntries(links.map(([, href = "", text = ""]) => [text.replace(/<[^>]+>/g, ""), href]));
}

test("the sign-in page links to where one signs up and finds help, to the terms and the privacy policy", async () => {
  assert.deepEqual(linksOf(await open({ links: LINKS }).open("/auth/signin")), {
    "Create an account": "/join",
    "Trouble signing in?": "https://help.example.com/?a=1&amp;b=2#c",
    "Terms of service": "/terms",
    "Privacy policy": "/privacy",
  });
});

test("each link is there alone, and without links the page has none", async () => {
  for (const [name, link] of Object.entries(LINKS)) {
    const links = linksOf(await open({ links: { [name]: link } }).open("/auth/signin"));
    assert.deepEqual(Object.values(links), [link.replace("&", "&amp;")]);
  }
  const pages = await Promise.all([{}, { links: {} }, { links: undefined }].map(async (theme) => {
    return (await open(theme).open("/auth/signin")).html.replace(/name="csrfToken" value="[^"]*"/, "");
  }));
  assert.doesNotMatch(pages[0] ?? "", /<a /);
  assert.equal(new Set(pages).size, 1);
});

test("the words of the links are in the language of the page, and can be replaced", async () => {
  const german = open({ links: LINKS, language: "de" }, { pages: { texts: { de: { help: "Hilfe" } } } });
  assert.deepEqual(Object.keys(linksOf(await german.open("/auth/signin"))), [
    "Konto erstellen",
    "Hilfe",
    "Nutzungsbedingungen",
    "Datenschutz",
  ]);
});

test("somebody who cannot go on finds help on the error page and after an email was sent", async () => {
  const browser = open({ links: LINKS }, { adapter: memoryAdapter(), providers: [mailbox().provider] });
  await browser.open("/auth/error?error=AccessDenied");
  assert.equal(linksOf(browser)["Trouble signing in?"], "https://help.example.com/?a=1&amp;b=2#c");
  assert.equal(linksOf(browser)["Create an account"], undefined);
  await browser.signIn("email", { email: "ada@example.com" });
  assert.match(browser.url.pathname, /verify-request$/);
  assert.equal(linksOf(browser)["Trouble signing in?"], "https://help.example.com/?a=1&amp;b=2#c");
});

test("a link that leads to a script or is not an address is left out, and the log says which", async () => {
  const lines: string[] = [];
  const logger = { warn: (_code: string, message = "") => void lines.push(message) };
  const links = { signUp: "javascript:alert(1)", help: "//evil.test", terms: "terms", privacy: "/privacy" };
  const browser = await open({ links }, { logger }).open("/auth/signin");
  assert.deepEqual(linksOf(browser), { "Privacy policy": "/privacy" });
  for (const name of ["signUp", "help", "terms"]) assert.match(lines.join("\n"), new RegExp(`theme\\.links\\.${name}`));
});

test("the code of an email cannot change where the links lead", async () => {
  const box = mailbox();
  const sendVerificationRequest = ({ theme }: { theme: Theme }) => {
    try {
      if (theme.links) theme.links.help = "/stolen";
    } catch {
      // It is frozen.
    }
  };
  const provider = { ...box.provider, sendVerificationRequest };
  const browser = open({ links: { ...LINKS } }, { adapter: memoryAdapter(), providers: [provider] });
  await browser.signIn("email", { email: "ada@example.com" });
  assert.doesNotMatch((await browser.open("/auth/signin")).html, /stolen/);
});
