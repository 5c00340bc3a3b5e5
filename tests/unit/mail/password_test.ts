import assert from "node:assert/strict";
import { test } from "node:test";
import { passwordMail, type PasswordMailText } from "../../../src/mail/password.ts";
import { TEXTS as ENGLISH } from "../../../src/texts/en.ts";
import { LANGUAGES } from "../../../src/texts/languages.ts";
import { loadTexts } from "../../../src/texts/load.ts";

const URL_OF_BUTTON = "https://app.example.com/auth/reset?token=1&email=ada%40example.com";
const ALSO = "https://app.example.com/auth/signup";
const MAILS = ["mailConfirm", "mailHasAccount", "mailReset", "mailNoAccount"] as const satisfies PasswordMailText[];

for (const { tag, dir } of LANGUAGES) {
  test(`passwordMail() says what it is for, where its links lead, and how long they work, in ${tag}`, async () => {
    const { texts } = await loadTexts(tag);
    const wording = { texts, tag, dir, name: "Acme" };
    for (const what of MAILS) {
      const also = { url: ALSO, text: what === "mailHasAccount" ? "mailResetButton" : "signUp" } as const;
      const mail = passwordMail({ what, url: URL_OF_BUTTON, also, lasting: 1800, wording, theme: {} });
      assert.ok(mail.subject.includes("Acme"), mail.subject);
      assert.equal(mail.subject === ENGLISH[what].replace("{name}", "Acme"), tag === "en", mail.subject);
      assert.ok(mail.text.includes(`: ${URL_OF_BUTTON}\n`) && mail.text.includes(`: ${ALSO}\n`), mail.text);
      assert.match(mail.text, /30|٣٠/, mail.text);
      assert.doesNotMatch(mail.subject + mail.text, /[{}]/);
      assert.doesNotMatch(mail.text, /[?!.:]\s*: https:/u, "what leads to a link ends with one sign");
      assert.ok(mail.html.includes(`<html lang="${tag}" dir="${dir}">`), mail.html.slice(0, 80));
    }
  });
}
