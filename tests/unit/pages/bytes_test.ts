import { test } from "node:test";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { renderPage } from "../../../src/pages/render.ts";
import { HOSTILE } from "./_hostile.ts";
import {
  confirmPage,
  credentialsMethod,
  emailMethod,
  look,
  oauthMethod,
  passkeyMethod,
  signInPage,
} from "./_markup.ts";
import type { Page } from "../../../src/request/outcome.ts";

/** The body of a page, without its style sheet and its script. */
async function bodyOf(page: Page): Promise<string> {
  const { html } = await renderPage(page, look());
  return html.slice(html.indexOf("<main"), html.indexOf("</main>")).replace(/^<main[^>]*>/, "")
    .replace(/data-texts="[^"]*"/, 'data-texts="…"');
}

/** A document as it is written here: a line break and the spaces after it are none of it. */
function joined(text: string): string {
  return text.replaceAll(/\n\s*/g, "");
}

test("the document around a page is byte for byte what it was", async () => {
  const { html } = await renderPage(signInPage(), look({ theme: { logo: "/logo.svg?a=1&b=2", name: "A & B" } }));
  assert.equal(
    html.replace(/<style>.*<\/style>/, "<style></style>"),
    joined(`
      <!DOCTYPE html>
      <html lang="en" dir="ltr">
        <head>
          <meta charset="utf-8"/>
          <meta name="viewport" content="width=device-width, initial-scale=1"/>
          <meta name="color-scheme" content="light dark"/>
          <meta name="robots" content="noindex"/>
          <title>Sign in to A &amp; B</title>
          <style></style>
        </head>
        <body class="__next-auth-theme-auto">
          <div class="page">
            <main class="card signin neutral">
              <img class="logo" src="/logo.svg?a=1&amp;b=2" alt/>
              <h1>Sign in to <bdi>A &amp; B</bdi></h1>
              <p class="lead">This site has no way to sign in yet.</p>
              <div class="methods"></div>
            </main>
          </div>
        </body>
      </html>
    `),
  );
});

const FIELDS = {
  username: { label: "Your name" },
  code: { type: "number", maxlength: 6, required: true, "aria-label": "x" },
  tick: { type: "checkbox" },
};

test("the sign-in page with providers and a form is byte for byte what it was", async () => {
  const page = signInPage({
    lastUsed: "github",
    methods: [
      oauthMethod("github", { mark: "M1 1h9z", fixed: true }),
      oauthMethod("b", { logo: "/b.svg", logoDark: "/d.svg" }, "<B>"),
      oauthMethod("c", {}, "هيئة"),
      emailMethod(),
    ],
  });
  assert.equal(
    await bodyOf(page),
    joined(`
      <h1>Sign in to <bdi>app.test</bdi></h1>
      <div class="methods">
        <form class="plain" method="post" action="https://app.test/auth/signin/github">
          <input type="hidden" name="csrfToken" value="token"/>
          <input type="hidden" name="callbackUrl" value="https://app.test/next"/>
          <button type="submit" class="button fixed provider-0">
            <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
              <path d="M1 1h9z" fill="currentColor">
              </path>
            </svg>
            <span class="name"><span class="with">Sign in with </span><bdi>GitHub</bdi></span>
            <span class="last">Last used</span>
          </button>
        </form>
        <form class="plain" method="post" action="https://app.test/auth/signin/b">
          <input type="hidden" name="csrfToken" value="token"/>
          <input type="hidden" name="callbackUrl" value="https://app.test/next"/>
          <button type="submit" class="button provider-1">
            <picture>
              <source media="(prefers-color-scheme: dark)" srcset="/d.svg"/>
              <img src="/b.svg" width="20" height="20" alt/>
            </picture>
            <span class="name"><span class="with">Sign in with </span><bdi>&lt;B></bdi></span>
          </button>
        </form>
        <form class="plain" method="post" action="https://app.test/auth/signin/c">
          <input type="hidden" name="csrfToken" value="token"/>
          <input type="hidden" name="callbackUrl" value="https://app.test/next"/>
          <button type="submit" class="button provider-2" data-initial="ه">
            <span class="name"><span class="with">Sign in with </span><bdi>هيئة</bdi></span>
          </button>
        </form>
        <hr data-text="or"/>
        <form class="fields" method="post" action="https://app.test/auth/signin/email">
          <input type="hidden" name="csrfToken" value="token"/>
          <input type="hidden" name="callbackUrl" value="https://app.test/next"/>
          <div class="field">
            <label for="input-email-for-email-provider">Email</label>
            <input autocomplete="email" type="email" placeholder="you@example.com" required aria-describedby="hint-for-input-email-for-email-provider" id="input-email-for-email-provider" name="email"/>
            <p class="hint" id="hint-for-input-email-for-email-provider">We will send you an email to sign in with.</p>
          </div>
          <button type="submit" class="button primary provider-3">
            <span class="name">Continue</span>
          </button>
        </form>
      </div>
    `),
  );
});

test("the form of a failed attempt is byte for byte what it was", async () => {
  const page = signInPage({
    error: "CredentialsSignin",
    failure: { provider: "credentials", error: "CredentialsSignin", cancelled: false, values: { username: 'ad"a' } },
    methods: [credentialsMethod(FIELDS)],
  });
  assert.equal(
    await bodyOf(page),
    joined(`
      <h1>Sign in to <bdi>app.test</bdi></h1>
      <div class="methods">
        <form class="fields" method="post" action="https://app.test/auth/callback/credentials">
          <input type="hidden" name="csrfToken" value="token"/>
          <input type="hidden" name="callbackUrl" value="https://app.test/next"/>
          <div class="alert" role="alert" id="error-for-credentials-provider">
            <svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
              <path d="M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 8v4.5M12 15.75v.01">
              </path>
            </svg>
            <p>We could not sign you in with these details. Please check them and try again.</p>
          </div>
          <div class="field">
            <label for="input-username-for-credentials-provider">Your name</label>
            <input autocomplete="username" type="text" value="ad&quot;a" aria-invalid="true" aria-describedby="error-for-credentials-provider" id="input-username-for-credentials-provider" name="username"/>
          </div>
          <div class="field">
            <label for="input-code-for-credentials-provider">code</label>
            <input type="number" maxlength="6" required aria-label="x" aria-invalid="true" aria-describedby="error-for-credentials-provider" autofocus id="input-code-for-credentials-provider" name="code"/>
          </div>
          <div class="field tick">
            <label for="input-tick-for-credentials-provider">tick</label>
            <input type="checkbox" id="input-tick-for-credentials-provider" name="tick"/>
          </div>
          <button type="submit" class="button primary provider-0">
            <span class="name">Sign in</span>
          </button>
        </form>
      </div>
    `),
  );
});

test("the form of passkeys beside that of links is byte for byte what it was", async () => {
  const page = signInPage({ csrfToken: null, email: "a@b.c", methods: [emailMethod(), passkeyMethod()] });
  assert.equal(
    await bodyOf(page),
    joined(`
      <h1>Sign in to <bdi>app.test</bdi></h1>
      <div class="methods">
        <form class="fields" method="post" action="https://app.test/auth/signin/email">
          <input type="hidden" name="callbackUrl" value="https://app.test/next"/>
          <div class="field">
            <label for="input-email-for-email-provider">Email</label>
            <input autocomplete="username webauthn" type="email" placeholder="you@example.com" required aria-describedby="hint-for-input-email-for-email-provider" value="a@b.c" id="input-email-for-email-provider" name="email" data-form-field="register"/>
            <p class="hint" id="hint-for-input-email-for-email-provider">We will send you an email to sign in with.</p>
          </div>
          <button type="submit" class="button primary provider-0">
            <span class="name">Continue</span>
          </button>
        </form>
        <form id="passkey-form" novalidate class="plain" method="post" action="https://app.test/auth/callback/passkey">
          <input type="hidden" name="callbackUrl" value="https://app.test/next"/>
          <fieldset hidden disabled data-options="https://app.test/auth/webauthn-options/passkey" data-autofill data-shared="input-email-for-email-provider" data-texts="…">
            <input type="hidden" name="action"/>
            <input type="hidden" name="data"/>
            <button type="submit" class="button provider-1">
              <span class="name">Sign in with a passkey</span>
            </button>
            <button type="button" class="button quiet">
              <span class="name">Create a passkey</span>
            </button>
          </fieldset>
          <p class="note" role="status">Passkeys need JavaScript and a browser that supports them.</p>
        </form>
      </div>
    `),
  );
});

test("hostile text is escaped byte for byte as it was", async () => {
  const digest = createHash("sha256");
  for (const text of HOSTILE) {
    const texts = { "*": { signInWith: text, or: text } };
    const methods = [oauthMethod(text, {}, text), credentialsMethod({ [text]: { label: text, placeholder: text } })];
    const pages = [signInPage({ csrfToken: text, callbackUrl: text, email: text, methods }), confirmPage(text)];
    for (const page of pages) {
      const { html } = await renderPage(page, look({ texts, theme: { name: text } }));
      digest.update(html.replaceAll(/<style>.*?<\/style>/gs, ""));
    }
  }
  assert.equal(digest.digest("hex"), "69b14bbeb62f1f96dfacb2795a6d6a34f4d9c06104ec7f5eb26f7152e8129c7c");
});
