import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import process from "node:process";
import type { Browser, Page } from "playwright-core";
import { ACCOUNT_EXAMPLES } from "../../scripts/account_examples.ts";
import { CHALLENGE_EXAMPLES, FACTORS_EXAMPLES } from "../../scripts/factor_examples.ts";
import { PASSWORD_EXAMPLES } from "../../scripts/password_examples.ts";
import { PAGE_EXAMPLES } from "../../scripts/screenshots.ts";
import { renderPage } from "../../src/pages/render.ts";
import { TEXTS } from "../../src/texts/en.ts";
import { LANGUAGES } from "../../src/texts/languages.ts";
import { findChromium, skipsWithout, startChromium } from "../_support/chromium.ts";
import { lookAround, openStage, SITE } from "../e2e/pages_stage.ts";
import { answerWith, audit, MEASURE } from "../e2e/pages_tour.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of the pages in every language");

/** Pages that show the texts of others. */
const LIKE_OTHERS = [
  "proof-passkey-refused",
  "factors-required",
  "factors-done",
  "factors-totp-wrong",
  "factors-undo",
  "reset-too-many",
  ...["account", "account-kept", "account-waiting", "account-own", "account-own-wrong", "account-rename-wrong"],
  ...["account-email-wrong", "account-allow-expired", "account-unlink"],
];

/** Between them, these show every text. */
const NAMES: ReadonlySet<string> = new Set([
  ...["signin-all", "signin-wrong", "signin-cancelled", "signin-nothing", "signin-email", "signin-error"],
  ...[
    "signin-links",
    "signin-own-passwords",
    "verify-request-confirm",
    "verify-request-reset",
    "verify-request-sent",
    "verify-request-sent-long",
  ],
  ...[
    "signin-challenge",
    "signin-30-passkey",
    "signin-confirm",
    "add-passkey",
    "signout",
    "signed-out",
    "verify-request",
    "confirm-email",
  ],
  ...PAGE_EXAMPLES.map(({ name }) => name).filter((name) => name.startsWith("error-")),
  ...Object.keys({ ...CHALLENGE_EXAMPLES, ...FACTORS_EXAMPLES, ...PASSWORD_EXAMPLES, ...ACCOUNT_EXAMPLES })
    .filter((name) => !LIKE_OTHERS.includes(name)),
]);

/** Texts that stand where others do, of the same length. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...["errorDefault", "errorAnotherWay", "errorSessionRequired", "errorNotLinkedLast", "errorTooManyCheck"],
  ...["createPasskeyHint", "challengeNeedsScript", "accountDeleteWord"],
]);

const EXAMPLES = PAGE_EXAMPLES.filter(({ name }) => NAMES.has(name));
const WIDTHS = [320, 390, 1280];

/** The width at which pages are dark, too: the scheme changes colors alone, whatever the width is. */
const DARK_AT = 390;

/** As many pages at once as a small machine has processors. */
const TABS = 2;

test("between them, the pages that are looked at show every text that is not of an email", async () => {
  assert.equal(EXAMPLES.length, NAMES.size);
  const texts = { "*": Object.fromEntries(Object.entries(TEXTS).map(([key, text]) => [key, `<${key}>${text}`])) };
  const visitor = { request: new Request(SITE), url: new URL(SITE) };
  const shown = await Promise.all(EXAMPLES.map(async ({ page, theme }) => {
    const { html } = await renderPage(page, { theme, formAction: [], https: true, texts, visitor });
    return [...html.matchAll(/&lt;(\w+)>/g)].map(([, key]) => key);
  }));
  const missing = Object.keys(TEXTS).filter((key) => !/^mail[A-Z]/.test(key) && !shown.flat().includes(key));
  assert.deepEqual(new Set(missing), ELSEWHERE);
});

describe("the pages in every language in Chromium", { skip }, () => {
  let chromium: Browser;
  before(async () => {
    chromium = await startChromium(executablePath);
  });
  after(() => chromium?.close());

  test("every page in every language, at every width, light and dark: axe finds nothing, and nothing runs over", async () => {
    const rest = LANGUAGES.flatMap((language) => EXAMPLES.map((example) => ({ ...language, page: example.name })));
    const count = rest.length * (WIDTHS.length + 1);
    const stage = await openStage(chromium, answerWith(EXAMPLES), { bypassCSP: true });
    const work = async (): Promise<void> => {
      const page = await stage.context.newPage();
      for (let next = rest.pop(); next; next = rest.pop()) await look(page, next);
    };
    try {
      await Promise.all(Array.from({ length: TABS }, work));
      assert.deepEqual(stage.faults, []);
    } finally {
      await stage.close();
    }
    process.stderr.write(`${count} views of pages without a finding\n`);
  });
});

interface View {
  readonly tag: string;
  readonly dir: string;
  readonly page: string;
}

async function look(page: Page, { tag, dir, page: name }: View): Promise<void> {
  await page.goto(`${SITE}/${name}?lang=${tag}`);
  const { lang, direction, left } = await page.evaluate(DOCUMENT) as Record<"lang" | "direction" | "left", string>;
  assert.deepEqual([lang, direction], [tag, dir]);
  assert.equal(left, "", `${name} in ${tag}: a word in braces is left`);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    assert.deepEqual(await page.evaluate(MEASURE), [], `${name} in ${tag} at ${width}`);
    for (const colorScheme of width === DARK_AT ? ["light", "dark"] as const : ["light"] as const) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await audit(page), [], `${name} in ${tag} at ${width}, ${colorScheme}`);
    }
  }
  assert.deepEqual(await lookAround(page), [], `${name} in ${tag}`);
}

const DOCUMENT = `({
  lang: document.documentElement.lang,
  direction: getComputedStyle(document.documentElement).direction,
  left: /\\{\\w+\\}/.exec(document.title + document.body.innerText)?.[0] ?? "",
})`;
