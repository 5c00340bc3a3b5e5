import { test } from "node:test";
import assert from "node:assert/strict";
import { signInMail } from "../../src/mail.ts";
import type { Theme } from "../../src/kernel/model.ts";
import { LANGUAGES, type LanguageTag } from "../../src/texts/languages.ts";
import { loadTexts } from "../../src/texts/load.ts";
import { HOSTILE } from "./pages/_hostile.ts";
import { all, only, readMarkup } from "./pages/_markup.ts";

const URL_TEXT =
  "https://app.example.test:8443/auth/callback/email?callbackUrl=https%3A%2F%2Fapp.test%2F&token=0f&email=a%40b.com";
const EXPIRES = new Date(Date.UTC(2031, 4, 6, 12, 10));

function mail(theme: Theme = {}, url = URL_TEXT) {
  return signInMail({ url, expires: EXPIRES, theme });
}

test("signInMail() names the host in the subject", () => {
  assert.equal(mail().subject, "Sign in to app.example.test:8443");
});

test("signInMail() says the same in plain text, with the link on a line of its own", () => {
  assert.deepEqual(mail().text.split("\n").slice(0, 5), [
    "Sign in to app.example.test:8443",
    "",
    URL_TEXT,
    "",
    "The link works once, until Tue, 06 May 2031 12:10:00 GMT.",
  ]);
});

test("signInMail() links the button and the line below it, and nothing else", () => {
  const links = all(mail().html, "a");
  assert.deepEqual(links.map(({ attributes }) => attributes.get("href")), [URL_TEXT, URL_TEXT]);
  assert.deepEqual(links.map(({ text }) => text), ["Sign in", URL_TEXT]);
});

test("signInMail() keeps programs from making a link of the host", () => {
  assert.equal(only(mail().html, "h1").text, "Sign in to app\u200b.example\u200b.test:8443");
});

test("signInMail() begins with what a list of emails shows beside the subject", () => {
  assert.match(all(mail().html, "div")[0]?.text ?? "", /^The link works once, until /);
});

test("signInMail() tells those who listen the language, and that its tables are no tables", () => {
  const { html } = mail();
  assert.equal(only(html, "html").attributes.get("lang"), "en");
  const tables = all(html, "table");
  assert.ok(tables.length > 0 && tables.every(({ attributes }) => attributes.get("role") === "presentation"));
});

test("signInMail() loads nothing", () => {
  const elements = readMarkup(mail({ logo: "https://cdn.test/logo.png" }).html);
  assert.ok(!elements.some(({ attributes }) => ["src", "background", "srcset"].some((name) => attributes.has(name))));
  assert.ok(!elements.some(({ tag }) => ["link", "script", "img", "iframe"].includes(tag)));
  assert.ok(!mail().html.includes("url("));
});

test("signInMail() follows the reader's screen, or the theme", () => {
  const scheme = (theme: Theme) => {
    const { html } = mail(theme);
    const meta = all(html, "meta").find(({ attributes }) => attributes.get("name") === "color-scheme");
    return [meta?.attributes.get("content"), /prefers-color-scheme/.test(html), html.includes("#0e1014")];
  };
  assert.deepEqual(scheme({}), ["light dark", true, true]);
  assert.deepEqual(scheme({ colorScheme: "auto" }), ["light dark", true, true]);
  assert.deepEqual(scheme({ colorScheme: "dark" }), ["dark", false, true]);
  assert.deepEqual(scheme({ colorScheme: "light" }), ["light", false, false]);
});

const COLORS: readonly (readonly [Theme, back: string, ink: string])[] = [
  [{}, "#3553cf", "#fff"],
  [{ brandColor: "#f59e0b" }, "#f59e0b", "#000"],
  [{ brandColor: "#f59e0b", buttonText: "#222" }, "#f59e0b", "#222"],
  [{ buttonText: "rgb(1, 2, 3)" }, "#3553cf", "rgb(1, 2, 3)"],
  [{ brandColor: "teal" }, "teal", "#ffffff"],
  [{ brandColor: "red;background:url(//evil.test)", buttonText: '"><b>' }, "#3553cf", "#fff"],
];

for (const [theme, back, ink] of COLORS) {
  test(`signInMail() colours the button ${back} and ${ink} for ${JSON.stringify(theme)}`, () => {
    const style = all(mail(theme).html, "a")[0]?.attributes.get("style") ?? "";
    assert.ok(style.includes(`color:${ink};background:${back};`), style);
  });
}

test("V05: signInMail() is no more than it was meant to be, whatever stands in link and theme", () => {
  const tags = readMarkup(mail().html).map(({ tag }) => tag);
  for (const text of HOSTILE) {
    const theme = { brandColor: text, buttonText: text, colorScheme: text as "auto", logo: text };
    for (
      const url of [
        `https://app.test/?email=${text}`,
        `https://app.test/?x=1&amp;${new URLSearchParams({ email: text })}`,
      ]
    ) {
      const { html, subject } = mail(theme, url);
      assert.deepEqual(readMarkup(html).map(({ tag }) => tag), tags);
      assert.equal(all(html, "a")[0]?.attributes.get("href"), url);
      assert.equal(subject, "Sign in to app.test");
    }
  }
});

async function wordingOf(tag: LanguageTag, name = "Acme") {
  const dir = LANGUAGES.find((language) => language.tag === tag)?.dir ?? "ltr";
  return { ...await loadTexts(tag), dir, name };
}

test("signInMail() without a language takes the name of the theme", () => {
  const { subject, html } = mail({ name: "Acme" });
  assert.equal(subject, "Sign in to Acme");
  assert.equal(only(html, "h1").text, "Sign in to Acme");
  assert.equal(mail({ name: " " }).subject, "Sign in to app.example.test:8443");
});

for (const { tag, dir } of LANGUAGES) {
  test(`signInMail() writes the whole email in ${tag}`, async () => {
    const wording = await wordingOf(tag);
    const { texts } = wording;
    const { subject, text, html } = signInMail({ url: URL_TEXT, expires: EXPIRES, theme: {}, wording });
    assert.equal(subject, texts.mailSubject.replace("{name}", "Acme"));
    assert.ok(text.includes(texts.mailIgnore) && text.includes(`\n${URL_TEXT}\n`));
    assert.match(text, /2031|٢٠٣١/);
    assert.match(text, /UTC|غرينتش|世界標準時|世界时/, "it says which clock");
    assert.doesNotMatch(text + html, /\{\w+\}(?!\.)/, "no word in braces is left");
    const { attributes } = only(html, "html");
    assert.deepEqual([attributes.get("lang"), attributes.get("dir")], [tag, dir]);
    assert.equal(
      all(html, "table")[0]?.attributes.get("dir"),
      dir,
      "programs that drop <html> have the direction, too",
    );
    assert.equal(all(html, "a")[0]?.text, texts.mailButton);
    assert.ok(all(html, "p").map(({ text }) => text).includes(texts.mailLink));
    assert.equal(all(html, "a")[1]?.attributes.get("dir"), "ltr");
  });
}

test("V05: a name and texts of the configuration are text in the email, and one line in its subject", async () => {
  const tags = readMarkup(
    signInMail({ url: URL_TEXT, expires: EXPIRES, theme: {}, wording: await wordingOf("ar") }).html,
  )
    .map(({ tag }) => tag);
  for (const hostile of [...HOSTILE, "a\r\nBcc: eve@evil.test", "a\u2028b", "{time}{name}"]) {
    const texts = { mailSubject: `${hostile} {name}`, mailButton: hostile, mailLink: hostile, mailIgnore: hostile };
    const wording = await wordingOf("ar", hostile);
    const own = { ...wording, texts: { ...wording.texts, ...texts } };
    const { html, subject } = signInMail({ url: URL_TEXT, expires: EXPIRES, theme: {}, wording: own });
    assert.deepEqual(readMarkup(html).map(({ tag }) => tag).filter((tag) => tag !== "bdi"), [
      ...tags.filter((tag) => tag !== "bdi"),
    ]);
    assert.doesNotMatch(subject, /[\p{Cc}\u2028\u2029]/u);
  }
});
