import { test } from "node:test";
import assert from "node:assert/strict";
import { ACCOUNT_EXAMPLES } from "../../../scripts/account_examples.ts";
import { PASSWORD_EXAMPLES } from "../../../scripts/password_examples.ts";
import { CHALLENGE_EXAMPLES, FACTORS_EXAMPLES } from "../../../scripts/factor_examples.ts";
import { PASSKEY_SCRIPT } from "../../../src/pages/passkey_script.ts";
import { PASSWORD_SCRIPT } from "../../../src/pages/password_script.ts";
import { SIGNALS_SCRIPT } from "../../../src/pages/signals_script.ts";
import { renderPage } from "../../../src/pages/render.ts";
import { TEXTS } from "../../../src/texts/en.ts";
import { accountPagesWith } from "./_account_pages.ts";
import { HOSTILE } from "./_hostile.ts";
import {
  confirmPage,
  credentialsMethod,
  directive,
  emailMethod,
  look,
  oauthMethod,
  passkeyMethod,
  readMarkup,
  signInPage,
} from "./_markup.ts";
import type { ErrorPageKind, Failure, Page, SignInMethod } from "../../../src/request/outcome.ts";
import type { Theme } from "../../../src/kernel/model.ts";
import type { CredentialField, ProviderStyle } from "../../../src/contract/provider.ts";

const TAGS = new Set(
  ("html head meta title style body div main img h1 p hr form fieldset input button picture source span label a bdi svg path script " +
    "h2 ul li nav dl dt dd code details summary section header")
    .split(" "),
);
const ATTRIBUTES = new Set(
  ("lang charset name content class src srcset media alt role method action type value id for href width height " +
    "autocomplete placeholder passwordrules readonly required data-initial viewBox aria-hidden d novalidate hidden disabled data-options " +
    "data-autofill data-form-field fill dir data-text data-texts data-shared aria-describedby aria-invalid autofocus " +
    "data-given aria-label aria-labelledby inputmode pattern maxlength autocapitalize autocorrect spellcheck download " +
    "data-show minlength referrerpolicy data-passkeys data-name data-display-name data-upgrade data-csrf")
    .split(" "),
);

/** Fails unless every element and attribute is one that the pages write. */
function assertHarmless(html: string): void {
  for (const { tag, attributes, text } of readMarkup(html)) {
    assert.ok(TAGS.has(tag), `<${tag}>`);
    for (const [name, value] of attributes) {
      assert.ok(ATTRIBUTES.has(name), `${name} of <${tag}>`);
      if (["href", "action", "data-options", "data-upgrade"].includes(name)) {
        const { protocol } = new URL(value, "https://app.test");
        const isFile = attributes.has("download") && value.startsWith("data:text/plain;charset=utf-8,");
        assert.ok(isFile || /^(?:https?|otpauth):$/.test(protocol), value);
      }
      if (name === "src" || name === "srcset") {
        assert.match(new URL(value, "https://app.test").href, /^https:|^data:image\//);
      }
    }
    // Nothing takes the focus but a field at an error.
    if (attributes.has("autofocus")) assert.ok(tag === "input" && attributes.has("aria-invalid"));
    if (tag === "meta") assert.ok(!attributes.has("http-equiv"));
    if (tag === "script") assert.ok([PASSKEY_SCRIPT, PASSWORD_SCRIPT, SIGNALS_SCRIPT].includes(text));
  }
}

const CLEAN = { signInUrl: "https://app.test/auth/signin", siteUrl: "https://app.test" };

/** One page for each place a text can come in at. */
function pagesWith(text: string): Record<string, readonly [Page, Theme?]> {
  const colors: ProviderStyle = { bg: text, bgDark: text, border: text, borderDark: text, text, textDark: text };
  const style: ProviderStyle = { ...colors, logo: text, logoDark: text, mark: text };
  const field = Object.fromEntries([["placeholder", text], ["label", text], ["type", text], [
    text,
    text,
  ]]);
  const methods = [oauthMethod(), credentialsMethod({ email: {} })];
  const failure: Failure = { provider: "credentials", error: "CredentialsSignin", cancelled: false, values: {} };
  const out = { name: "signout", csrfToken: "t", action: "/", callbackUrl: "/" } as const;
  return {
    "error": [signInPage({ error: text, methods })],
    "what was typed": [
      signInPage({ error: "CredentialsSignin", failure: { ...failure, values: { email: text, code: text } }, methods }),
    ],
    "who cancelled": [
      signInPage({
        error: "OAuthCallbackError",
        failure: { ...failure, provider: "x", cancelled: true },
        methods: [oauthMethod("x", {}, text)],
      }),
    ],
    "last used": [signInPage({ lastUsed: text, methods: [oauthMethod(text), oauthMethod()] })],
    "name of the site": [signInPage({ methods }), { name: text }],
    "name of the site elsewhere": [{ name: "signed-out", ...CLEAN }, { name: text }],
    "language": [signInPage({ methods }), { language: text }],
    "email": [signInPage({ email: text, methods })],
    "callbackUrl": [signInPage({ callbackUrl: text, methods })],
    "csrfToken": [signInPage({ csrfToken: text, methods })],
    "provider name": [signInPage({ methods: [oauthMethod("x", {}, text)] })],
    "provider id": [signInPage({ methods: [oauthMethod(text), credentialsMethod({ email: {} }, text)] })],
    "provider style": [signInPage({ methods: [oauthMethod("x", style), credentialsMethod({}, "c", style)] })],
    "mark": [signInPage({ methods: [oauthMethod("x", { mark: `M0 0${text}` }), emailMethod("e", { mark: text })] })],
    "provider action": [signInPage({ methods: [{ ...oauthMethod(), action: text }] })],
    "passkey field": [signInPage({ email: text, methods: [passkeyMethod({ email: field as CredentialField })] })],
    "passkey field name": [signInPage({ methods: [passkeyMethod(Object.fromEntries([[text, {}]]))] })],
    "passkey provider": [signInPage({ methods: [{ ...passkeyMethod({}, text, style), name: text }] })],
    "passkey URLs": [signInPage({ methods: [{ ...passkeyMethod(), action: text, optionsUrl: text } as SignInMethod] })],
    "field": [signInPage({ methods: [credentialsMethod({ code: field as CredentialField })] })],
    "field name": [signInPage({ methods: [credentialsMethod(Object.fromEntries([[text, {}]]))] })],
    "theme": [
      signInPage({ methods }),
      { brandColor: text, buttonText: text, logo: text, colorScheme: text as "auto" },
    ],
    "links of the theme": [
      signInPage({ methods }),
      { links: { signUp: text, help: `https://help.test/${text}`, terms: `/${text}`, privacy: `https://${text}/` } },
    ],
    "the email that was sent": [{ name: "verify-request", ...CLEAN, sent: { to: text, seconds: 600 } }],
    "logo URL": [signInPage({ methods }), { logo: `https://cdn.test/${text}` }],
    "logo host": [signInPage({ methods }), { logo: `https://cdn.test${text}/` }],
    "data logo": [signInPage({ methods: [oauthMethod("x", { logo: `data:image/svg+xml,${text}` })] })],
    "sign-out": [{ ...out, action: text, callbackUrl: text, csrfToken: text }],
    "error kind": [{ name: "error", error: text as ErrorPageKind, ...CLEAN }],
    "links": [{ name: "error", error: "AccessDenied", signInUrl: text, siteUrl: text }],
    "site": [{ name: "verify-request", signInUrl: text, siteUrl: text }],
    "site host": [{ name: "verify-request", ...CLEAN, siteUrl: `https://${text}/` }],
    "e-mail provider": [signInPage({ email: text, methods: [emailMethod(text, style, text)] })],
    "link in a mail": [confirmPage(text)],
    ...Object.fromEntries(factorPagesWith(text).map((page, index) => [`second factors, ${index + 1}`, [page]])),
    ...Object.fromEntries(passwordPagesWith(text).map((page, index) => [`passwords, ${index + 1}`, [page]])),
    ...Object.fromEntries(accountPagesWith(text).map((page, index) => [`account, ${index + 1}`, [page]])),
  };
}

/** The pages of second factors, with a text wherever one can come in. */
function factorPagesWith(text: string): readonly Page[] {
  const state = { csrfToken: text, action: text, callbackUrl: text };
  const shown = { ...state, others: [{ method: "totp" as const, url: text }], undoUrl: text, cancelUrl: text };
  const factor = { id: text, type: "totp" as const, name: text, createdAt: null, usedAt: null };
  const setup = { id: text, secret: text, uri: text, qr: { size: 21, path: "M0 0h1v1h-1z" } };
  const steps: readonly Extract<Page, { name: "factors" }>["step"][] = [
    { kind: "list" },
    { kind: "totp", setup },
    { kind: "totp", setup: { ...setup, uri: `otpauth://totp/${text}` } },
    { kind: "recovery-codes", codes: [text, text], ask: 1 },
    { kind: "remove", factor },
    { kind: "undo", token: text, isProven: true, signInUrl: text },
    { kind: "undo", token: text, isProven: false, signInUrl: text },
  ];
  return [
    { ...CHALLENGE_EXAMPLES["proof-passkey"], ...shown, passkeyOptions: { challenge: text, [text]: text } },
    { ...CHALLENGE_EXAMPLES["proof-email-sent"], ...shown, sentTo: text },
    ...steps.map((step) => {
      return { ...FACTORS_EXAMPLES.factors, ...state, step, factors: [factor], passkeyUrl: text, siteUrl: text };
    }),
  ];
}

/** The pages of passwords, with a text wherever one can come in. */
function passwordPagesWith(text: string): readonly Page[] {
  const state = { csrfToken: text, action: text, callbackUrl: text, signInUrl: text, siteUrl: text };
  const given = { email: text, typedName: text, token: text };
  return ["signup", "reset", "choose-change"].map((name) => {
    return { ...PASSWORD_EXAMPLES[name], ...state, ...given } as Page;
  });
}

for (const place of Object.keys(pagesWith(""))) {
  test(`renderPage() keeps hostile text harmless: ${place}`, async () => {
    for (const text of HOSTILE) {
      const [page, theme = {}] = pagesWith(text)[place] ?? assert.fail();
      const { html, csp } = await renderPage(page, look({ theme }));
      assertHarmless(html);
      for (const { tag, text: css } of readMarkup(html)) {
        if (tag === "style") assert.doesNotMatch(css, /url|@import|expression|\\|</i);
      }
      assert.match(csp, /^[\x20-\x2b\x2d-\x7e]+$/);
      assert.equal(
        csp.split("; ").length,
        9 + ["script-src", "connect-src"].filter((name) => csp.includes(name)).length,
      );
      const images = directive({ csp }, "img-src")?.slice(2) ?? assert.fail();
      assert.ok(images.every((source) => /^https:\/\/[a-z0-9.:-]+$/.test(source)));
    }
  });
}

/** Examples of the account page that show nearly all of its texts. */
const SAYING_MUCH = [
  ...["account-new", "account-due", "account-email", "account-allow", "account-take", "account-sent-former"],
  ...["account-delete-later", "account-unlink", "account-undo-sign-in"],
] as readonly (keyof typeof ACCOUNT_EXAMPLES)[];

test("renderPage() keeps texts of the configuration harmless", async () => {
  for (const text of HOSTILE) {
    const texts = { "*": Object.fromEntries(Object.keys(TEXTS).map((key) => [key, text])) };
    const pages: Page[] = [
      signInPage({ methods: [emailMethod(), passkeyMethod(), credentialsMethod({ email: {} })], error: "EmailSignin" }),
      { name: "signout", csrfToken: "t", action: "/", callbackUrl: "/" },
      confirmPage("a"),
      ...Object.values({ ...CHALLENGE_EXAMPLES, ...FACTORS_EXAMPLES }),
      ...SAYING_MUCH.map((name) => ACCOUNT_EXAMPLES[name]),
    ];
    for (const page of pages) assertHarmless((await renderPage(page, look({ texts }))).html);
  }
});

test("renderPage() sends back exactly the text it was given", async () => {
  for (const text of HOSTILE) {
    const { html } = await renderPage(signInPage({ callbackUrl: text, methods: [oauthMethod("x", {}, text)] }), look());
    const elements = readMarkup(html);
    const field = elements.find(({ attributes }) => attributes.get("name") === "callbackUrl");
    assert.equal(field?.attributes.get("value"), text);
    assert.equal(elements.find(({ tag }) => tag === "button")?.text, `Sign in with ${text}`);
  }
});
