import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import process from "node:process";
import type { Browser } from "playwright-core";
import { createAuth } from "@x/auth";
import { github } from "@x/auth/providers/github";
import { renderPage } from "../../src/pages/render.ts";
import { findChromium, skipsWithout, startChromium } from "../_support/chromium.ts";
import { password, testConfig } from "../_support/service.ts";
import { accountPagesWith } from "../unit/pages/_account_pages.ts";
import { HOSTILE } from "../unit/pages/_hostile.ts";
import {
  confirmPage,
  credentialsMethod,
  emailMethod,
  look,
  oauthMethod,
  passkeyMethod,
  signInPage,
} from "../unit/pages/_markup.ts";
import {
  frameable,
  lookAround,
  lookAroundAll,
  openStage,
  pageResponse,
  showTogether,
  SITE,
} from "../e2e/pages_stage.ts";
import type { Theme } from "../../src/kernel/model.ts";
import type { ErrorPageKind, Page, SignInMethod } from "../../src/request/outcome.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of hostile texts on pages");

const { handler } = createAuth(testConfig({
  providers: [github({ clientId: "id", clientSecret: "secret" }), password({ credentials: { email: {} } })],
}));

async function query(path: string, parameters: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await handler(new Request(`${SITE}/auth/${path}?${new URLSearchParams(parameters)}`, { headers }));
  if (response.headers.get("content-type")?.startsWith("text/html")) return response;
  // A host that is none is refused, with an answer that no browser takes for a page.
  assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  return new Response("", { headers: { "content-type": "text/html" } });
}

async function show(page: Page, theme: Theme = {}): Promise<Response> {
  return pageResponse(await renderPage(page, look({ theme })));
}

/** A header holds bytes, and no control characters. */
function headerText(text: string): string {
  const bytes = [...new TextEncoder().encode(text)].map((byte) => byte < 32 || byte === 127 ? 32 : byte);
  return String.fromCharCode(...bytes).trim();
}

/** A sign-in page with a text wherever a developer can write one. */
function configured(text: string): Promise<Response> {
  const methods = [
    oauthMethod(text, { logo: text, logoDark: text }, text),
    oauthMethod("x", { bg: text, bgDark: text, text, textDark: text, logo: `data:image/svg+xml,${text}` }),
    oauthMethod("y", { border: text, borderDark: text, mark: text }),
    oauthMethod("z", { mark: `M0 0h9${text}` }),
    { ...oauthMethod(), action: text },
    credentialsMethod({ email: {} }, text),
    credentialsMethod({ [text]: { label: text, type: text, placeholder: text, [text]: text } }),
  ];
  const theme = { brandColor: text, buttonText: text, logo: text, colorScheme: text as "auto" };
  return show(signInPage({ methods, csrfToken: text, error: null }), theme);
}

/** Where the script of the account page asks for passkeys. There are none. */
const SIGNALS = `${SITE}/visit/signals`;

/** Every place a text can come in at, and a page that holds it in some of them. */
const PAGES: readonly (readonly [places: readonly string[], answer: (text: string) => Promise<Response>])[] = [
  [
    ["error", "code", "email", "callbackUrl"],
    (text) => query("signin", { error: text, code: text, email: text, callbackUrl: text }),
  ],
  [["error of the error page"], (text) => query("error", { error: text })],
  [["callbackUrl below the site"], (text) => query("signout", { callbackUrl: `${SITE}/${text}` })],
  [["host"], (text) => query("error", { error: "AccessDenied" }, { "x-forwarded-host": headerText(text) })],
  [["host below a name"], (text) => query("signin", {}, { "x-forwarded-host": headerText(`app.test${text}`) })],
  [
    ["links", "site", "error kind"],
    (text) => show({ name: "error", error: text as ErrorPageKind, signInUrl: text, siteUrl: text }),
  ],
  [
    [
      ...["provider name", "provider id", "provider logo", "image of a provider", "provider style", "provider action"],
      ...["field name", "field label", "field type", "field attribute", "credentials id", "token"],
      ...["theme colours", "theme logo", "theme scheme"],
    ],
    configured,
  ],
  [
    ["e-mail provider", "prefilled address"],
    (text) => show(signInPage({ email: text, methods: [emailMethod(text, { logo: text }, text)] })),
  ],
  [["passkey provider", "its field", "its URLs", "the address in it"], (text) => {
    const fields = { email: { label: text, placeholder: text, [text]: text }, [text]: { label: text } };
    const method = { ...passkeyMethod(fields, text, { logo: text }), name: text, action: text, optionsUrl: text };
    return show(signInPage({ email: text, methods: [method as SignInMethod] }));
  }],
  [["address in a link", "target of a link", "form of a link", "site of a link"], (text) => show(confirmPage(text))],
  [
    [
      ...["name of an account", "its address", "its picture", "names of its passkeys and devices", "ids of them"],
      ...["providers of an account", "their styles", "links of the account page", "section of an application"],
    ],
    (text) => show(accountPagesWith(text, SIGNALS)[0] ?? assert.fail()),
  ],
  [["a step of the account page"], (text) => {
    const [, ...steps] = accountPagesWith(text, SIGNALS);
    return show(steps[HOSTILE.indexOf(text) % steps.length] ?? assert.fail());
  }],
  [
    ["many names"],
    (text) =>
      show(signInPage({ methods: Array.from({ length: 9 }, (_, index) => oauthMethod(`p${index}`, {}, text)) })),
  ],
];

const ROWS = PAGES.flatMap(([places]) => places).length * HOSTILE.length;

/** A page, and the texts that led to it. */
interface Visit {
  readonly response: Response;
  readonly because: string[];
}

/** All the pages, each once: many texts lead to the same. */
async function visits(): Promise<readonly Visit[]> {
  const found = new Map<string, Visit>();
  for (const [places, answer] of PAGES) {
    for (const text of HOSTILE) {
      const response = await frameable(await answer(text));
      const page = `${response.headers.get("content-security-policy")} ${await response.clone().text()}`;
      const visit = found.get(page) ?? { response, because: [] };
      visit.because.push(`${places}: ${text}`);
      found.set(page, visit);
    }
  }
  return [...found.values()];
}

/** How many pages are shown at once. */
const TOGETHER = 40;

describe("hostile texts in Chromium", { skip }, () => {
  let chromium: Browser;
  before(async () => {
    chromium = await startChromium(executablePath);
  });
  after(() => chromium?.close());

  for (const bypassCSP of [false, true]) {
    test(`nothing in them runs, loads or leads anywhere, ${bypassCSP ? "without" : "with"} the policy`, async () => {
      const all = await visits();
      const numbers = [...all.keys()];
      const stage = await openStage(chromium, ({ url }) => {
        const [, kind, number = ""] = new URL(url).pathname.split("/");
        if (number === "signals") return Response.json({});
        if (kind === "visit") return all[Number(number)]?.response ?? assert.fail(url);
        return showTogether(numbers.slice(Number(number), Number(number) + TOGETHER).map((visit) => `/visit/${visit}`));
      }, { bypassCSP });
      const page = await stage.context.newPage();
      try {
        for (let first = 0; first < all.length; first += TOGETHER) {
          await page.goto(`${SITE}/together/${first}`);
          const { found, shown } = await lookAroundAll(page);
          const together = all.slice(first, first + TOGETHER);
          const because = together.map((visit, at) => `/visit/${first + at}: ${visit.because[0]}`).join("\n");
          assert.deepEqual([...found, ...stage.faults], [], because);
          assert.equal(shown, together.length);
        }
      } finally {
        await stage.close();
      }
      process.stderr.write(`${ROWS} rows of hostile texts, which make ${all.length} different pages\n`);
    });
  }

  test("the watch sees what runs where nothing is escaped", async () => {
    const open = (text: string): Response => new Response(text, { headers: { "content-type": "text/html" } });
    const stage = await openStage(chromium, () => open("<form><img src=//evil.test onerror=alert(1)></form>"));
    try {
      const page = await stage.context.newPage();
      await page.goto(SITE);
      assert.deepEqual(await lookAround(page), ["/: alert()", "/: img onerror"]);
      assert.match(stage.faults.join(), /asks https:\/\/evil\.test/);
    } finally {
      await stage.close();
    }
  });
});
