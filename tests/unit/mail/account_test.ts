import assert from "node:assert/strict";
import { test } from "node:test";
import { accountMail, type AccountMailText } from "../../../src/mail/account.ts";
import { TEXTS as ENGLISH } from "../../../src/texts/en.ts";
import { LANGUAGES } from "../../../src/texts/languages.ts";
import { loadTexts } from "../../../src/texts/load.ts";

const URL_OF_BUTTON = "https://app.example.com/auth/account?act=takeEmail&token=a.b.read.1";
const AT = new Date("2031-05-06T12:00:00Z");

const MAILS = {
  mailEmailNew: { lasting: 24 * 60 * 60 },
  mailEmailTaken: {},
  mailEmailFormer: { email: "ada@new.example", lasting: 24 * 60 * 60 },
  mailEmailWaits: { email: "ada@new.example", at: AT },
  mailEmailStopped: {},
  mailDeletion: { at: AT },
} as const satisfies Record<AccountMailText, object>;

for (const { tag, dir } of LANGUAGES) {
  test(`accountMail() says what it is about, where its button leads, and when, in ${tag}`, async () => {
    const { texts } = await loadTexts(tag);
    const wording = { texts, tag, dir, name: "Acme" };
    for (const [what, about] of Object.entries(MAILS) as [AccountMailText, { at?: Date; email?: string }][]) {
      const mail = accountMail({ what, url: URL_OF_BUTTON, ...about, wording, theme: {} });
      assert.ok(mail.subject.includes("Acme"), mail.subject);
      assert.equal(mail.subject === ENGLISH[what].replace("{name}", "Acme"), tag === "en", mail.subject);
      assert.ok(mail.text.includes(`: ${URL_OF_BUTTON}\n`), mail.text);
      assert.doesNotMatch(mail.subject + mail.text, /[{}]/);
      assert.doesNotMatch(mail.text, /[?!.:]\s*: https:/u, "what leads to a link ends with one sign");
      assert.ok(mail.html.includes(`<html lang="${tag}" dir="${dir}">`), mail.html.slice(0, 80));
      assert.ok(mail.html.includes(URL_OF_BUTTON.replaceAll("&", "&amp;")), mail.html);
      if (about.at) assert.match(mail.text, /2031|٢٠٣١/, mail.text);
      // Programs make a link of what looks like a host.
      if (about.email) assert.ok(!mail.text.includes("new.example") && mail.text.includes("ada@new"), mail.text);
    }
  });
}

test("accountMail() writes no HTML of an address, and no line into a header", () => {
  const wording = { texts: ENGLISH, tag: "en", dir: "ltr", name: "Acme\r\nBcc: eve@example.com" } as const;
  const email = "<script>@new.example";
  const mail = accountMail({ what: "mailEmailFormer", url: URL_OF_BUTTON, email, wording, theme: {} });
  assert.doesNotMatch(mail.html, /<script/);
  assert.doesNotMatch(mail.subject, /[\r\n]/);
});

test("accountMail() says that sessions have ended only where they have", () => {
  const wording = { texts: ENGLISH, tag: "en", dir: "ltr", name: "Acme" } as const;
  const about = { what: "mailEmailStopped", url: URL_OF_BUTTON, wording, theme: {} } as const;
  const [stayed, ended] = [accountMail(about), accountMail({ ...about, endedAll: true })];
  assert.doesNotMatch(stayed.text + stayed.html, /signed out/);
  assert.ok(stayed.text.endsWith(`${URL_OF_BUTTON}\n`));
  assert.ok(ended.text.endsWith(`\n\n${ENGLISH.mailEmailStoppedLead}\n`));
  assert.match(ended.html, /signed out/);
});
