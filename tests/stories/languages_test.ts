import { test } from "node:test";
import assert from "node:assert/strict";
import { type AuthConfig, createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { signInMail } from "@x/auth/mail";
import { passkey } from "@x/auth/providers/passkey";
import { Browser } from "../_support/browser.ts";
import { mailbox } from "../_support/mailbox.ts";
import { password, recordLog, testConfig } from "../_support/service.ts";

/** A browser whose owner prefers these languages. */
function open(languages: string, config: AuthConfig = {}): Browser {
  const { handler } = createAuth(testConfig({ providers: [password()], theme: { name: "Acme" }, ...config }));
  return new Browser((request) => {
    const asked = new Request(request);
    asked.headers.set("accept-language", languages);
    return handler(asked);
  });
}

function languageOf({ html }: Browser): string {
  const [, lang, dir] = /<html lang="([^"]*)" dir="([^"]*)"/.exec(html) ?? [];
  return `${lang} ${dir}`;
}

function headingOf({ html }: Browser): string {
  return /<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1]?.replaceAll(/<[^>]*>/g, "") ?? "";
}

/** Every language, what a browser asks for it with, and the heading of its sign-in page. */
const LANGUAGES: readonly (readonly [asked: string, shown: string, heading: string])[] = [
  ["en-GB", "en ltr", "Sign in to Acme"],
  ["de-CH", "de ltr", "Bei Acme anmelden"],
  ["fr-CA", "fr ltr", "Se connecter à Acme"],
  ["es-MX", "es ltr", "Iniciar sesión en Acme"],
  ["it", "it ltr", "Accedi a Acme"],
  ["pt-PT", "pt-BR ltr", "Entrar em Acme"],
  ["nl-BE", "nl ltr", "Inloggen bij Acme"],
  ["pl", "pl ltr", "Zaloguj się do Acme"],
  ["tr", "tr ltr", "Acme sitesinde oturum açın"],
  ["ja-JP", "ja ltr", "Acme にログイン"],
  ["zh-CN", "zh-Hans ltr", "登录 Acme"],
  ["ko-KR", "ko ltr", "Acme 로그인"],
  ["ar-EG", "ar rtl", "تسجيل الدخول إلى Acme"],
  ["he-IL", "he rtl", "כניסה אל Acme"],
  ["uk-UA", "uk ltr", "Вхід у Acme"],
  ["hi-IN", "hi ltr", "Acme में साइन इन करें"],
];

for (const [asked, shown, heading] of LANGUAGES) {
  test(`whoever prefers ${asked} is asked to sign in in ${shown}`, async () => {
    const browser = await open(`tlh,${asked};q=0.8,en;q=0.1`).open("/auth/signin");
    assert.equal(languageOf(browser), shown);
    assert.equal(headingOf(browser), heading);
    assert.match(browser.html, new RegExp(`<title>${heading}</title>`));
  });
}

test("a whole visit is in one language: the error of a form, signing out, and a page that is not there", async () => {
  const browser = await open("fr").signIn("credentials", { username: "ada", password: "a guess" });
  assert.match(browser.html, /Nous n’avons pas pu vous connecter avec ces informations/);
  await browser.signIn("credentials", { username: "ada", password: "lovelace" });
  assert.match((await browser.open("/auth/signout")).html, /Voulez-vous mettre fin à votre session/);
  assert.match((await browser.open("/auth/error?error=AccessDenied")).html, /Accès refusé/);
  assert.equal(languageOf(browser), "fr ltr");
});

test("`lang` in the address counts more than the browser, and stays for the pages that follow", async () => {
  const browser = await open("fr").open("/auth/signin?lang=he");
  assert.equal(languageOf(browser), "he rtl");
  assert.equal(languageOf(await browser.open("/auth/error")), "he rtl");
  assert.equal(languageOf(await browser.open("/auth/signin?lang=xx")), "he rtl", "there is no such language");
  assert.equal(languageOf(await browser.open("/auth/signin?lang=de-AT")), "de ltr");
  assert.equal(languageOf(await browser.open("/auth/signin")), "de ltr");
});

test("`theme.language` counts more than the browser, and less than the address", async () => {
  const browser = open("fr", { theme: { language: "uk" } });
  assert.equal(languageOf(await browser.open("/auth/signin")), "uk ltr");
  assert.equal(languageOf(await browser.open("/auth/signin?lang=ja")), "ja ltr");
});

test("what the script of passkeys says is in the language of the page", async () => {
  const browser = open("ko", { adapter: memoryAdapter(), providers: [passkey()] });
  const { html } = await browser.open("/auth/signin");
  assert.match(html, /기기에 표시되는 안내를 따르세요/);
  assert.match(html, /시간이 너무 오래 걸렸습니다/);
  assert.doesNotMatch(html, /Follow the steps|That took too long/);
});

test("`pages.texts` replaces texts of one language, and the others stay", async () => {
  const texts = { de: { username: "Spitzname" }, "pt-br": { signInTitle: "Olá, {name}" } };
  const german = await open("de", { pages: { texts } }).open("/auth/signin");
  assert.match(german.html, />Spitzname</);
  assert.equal(headingOf(german), "Bei Acme anmelden");
  assert.equal(headingOf(await open("pt", { pages: { texts } }).open("/auth/signin")), "Olá, Acme");
  assert.equal(headingOf(await open("en", { pages: { texts } }).open("/auth/signin")), "Sign in to Acme");
});

test("a sender of its own gets the language, and writes the email in it", async () => {
  const box = mailbox();
  const browser = open("pl", { adapter: memoryAdapter(), providers: [box.provider] });
  await browser.signIn("email", { email: "ada@example.com" });
  assert.match(browser.html, /Sprawdź pocztę/);
  const [mail] = box.mails;
  assert.ok(mail);
  assert.deepEqual([mail.wording?.tag, mail.wording?.dir, mail.wording?.name], ["pl", "ltr", "Acme"]);
  assert.equal(signInMail(mail).subject, "Zaloguj się do Acme");
  const { identifier: _, url, expires, theme } = mail;
  assert.equal(signInMail({ url, expires, theme }).subject, "Sign in to Acme", "as it was before there were languages");
});

test("nothing that a stranger asks for as a language does harm, or stays", async () => {
  const { logger, errors } = recordLog();
  for (const asked of ["../de", "__proto__", "de\u0000", "<b>", "x".repeat(5000), "constructor", "de;fr", ""]) {
    const browser = open("xx,*;q=0.5,;;,q=1", { logger });
    await browser.open(`/auth/signin?lang=${encodeURIComponent(asked)}`);
    assert.equal(browser.status, 200);
    assert.equal(languageOf(browser), "en ltr", asked);
    assert.deepEqual(browser.cookies.names().filter((name) => name.includes("language")), []);
  }
  const many = open(`${"tlh,".repeat(4000)}de`, { logger });
  assert.equal(languageOf(await many.open("/auth/signin")), "en ltr");
  const twice = await open("fr", { logger }).open("/auth/signin?lang=de&lang=it");
  assert.ok(twice.status < 500);
  assert.deepEqual(errors.filter(({ name }) => name !== "BadRequest"), []);
});
