import assert from "node:assert/strict";
import { test } from "node:test";
import { noticeMail } from "../../../src/mail/notice.ts";
import { LANGUAGES } from "../../../src/texts/languages.ts";
import { loadTexts } from "../../../src/texts/load.ts";

const TIME = new Date("2031-05-06T12:00:00Z");

test("noticeMail() says what was added, where, when and what to do, in every language", async () => {
  for (const { tag, dir } of LANGUAGES) {
    const { texts } = await loadTexts(tag);
    const wording = { texts, tag, dir, name: "app.example.com" };
    for (const what of ["mailAccountAdded", "mailPasskeyAdded"] as const) {
      const mail = noticeMail({ what, provider: "GitHub", time: TIME, wording, theme: {} });
      assert.ok(mail.subject.includes("app.example.com"), `${tag}: ${mail.subject}`);
      assert.equal(mail.subject.includes("GitHub"), what === "mailAccountAdded", `${tag}: ${mail.subject}`);
      const time = new Intl.DateTimeFormat(tag, { year: "numeric", timeZone: "UTC" }).format(TIME);
      assert.ok(mail.text.includes(time), `${tag}: ${mail.text}`);
      assert.ok(!/[{}]/.test(mail.subject + mail.text), `${tag}: ${mail.text}`);
      assert.ok(mail.html.includes(`<html lang="${tag}" dir="${dir}">`), tag);
      assert.ok(!/<(?:a|img|link|script) |https?:/.test(mail.html), `${tag}: it leads nowhere and loads nothing`);
    }
  }
});

test("noticeMail() keeps names in the subject on one line, and as text in HTML", async () => {
  const { texts } = await loadTexts("en");
  const wording = { texts, tag: "en", dir: "ltr" as const, name: "Acme\r\nBcc: <i>eve</i>" };
  const provider = 'Plain\u2028X: "<script>';
  const mail = noticeMail({ what: "mailAccountAdded", provider, time: TIME, wording, theme: {} });
  assert.ok(!/[\p{Cc}\u2028\u2029]/u.test(mail.subject), JSON.stringify(mail.subject));
  assert.ok(!mail.html.includes("<i>") && !mail.html.includes("<script>"), mail.html);
});

const CHANGES = ["mailPasswordSet", "mailPasswordChanged", "mailPasswordRemoved"] as const;

test("noticeMail() does not tell whoever may be locked out to sign in, but to ask for a new password", async () => {
  for (const { tag, dir } of LANGUAGES) {
    const { texts } = await loadTexts(tag);
    const advice = texts.mailPasswordNotYou.replaceAll("{name}", "Acme");
    for (const what of CHANGES) {
      const mail = noticeMail({
        what,
        provider: "Password",
        time: TIME,
        wording: { texts, tag, dir, name: "Acme" },
        theme: {},
      });
      assert.ok(mail.text.includes(advice), `${tag}: ${mail.text}`);
      assert.ok(mail.html.includes(advice.slice(0, 20)), `${tag}: ${mail.html}`);
      assert.ok(!mail.text.includes(texts.mailNotYou.replaceAll("{name}", "Acme")), `${tag}: ${mail.text}`);
    }
  }
});
