import { test } from "node:test";
import assert from "node:assert/strict";
import { ACCOUNT_EXAMPLES } from "../../../scripts/account_examples.ts";
import { renderPage } from "../../../src/pages/render.ts";
import { SIGNALS_SCRIPT } from "../../../src/pages/signals_script.ts";
import type { AccountPage, PasskeySignals } from "../../../src/request/account_views.ts";
import { all, directive, look } from "./_markup.ts";

const OVERVIEW: AccountPage = ACCOUNT_EXAMPLES.account;
const OPTIONS = "https://example.com/auth/webauthn-options/passkey";
const CALLBACK = "https://example.com/auth/callback/passkey";
const SIGNALS: PasskeySignals = { rpId: "example.com", userHandle: "AA", optionsUrl: OPTIONS };

async function pageWith(passkeySignals: PasskeySignals | null, change: Partial<NonNullable<AccountPage["view"]>> = {}) {
  const view = { ...OVERVIEW.view ?? assert.fail(), ...change, passkeySignals };
  const page: AccountPage = { ...OVERVIEW, csrfToken: "token", view };
  const rendered = await renderPage(page, look());
  const part = all(rendered.html, "div").find(({ attributes }) => attributes.has("data-passkeys"));
  return { ...rendered, part, runs: all(rendered.html, "script").some(({ text }) => text === SIGNALS_SCRIPT) };
}

test("the account page tells the device which passkeys there are, and what their owner is called", async () => {
  const { part, runs, ...page } = await pageWith(SIGNALS);
  assert.ok(runs);
  assert.deepEqual(directive(page, "connect-src"), ["'self'"]);
  const { user } = OVERVIEW.view ?? assert.fail();
  const { attributes } = part ?? assert.fail();
  assert.equal(attributes.get("data-options"), OPTIONS);
  assert.equal(attributes.get("data-name"), user.email);
  assert.equal(attributes.get("data-display-name"), user.name);
  assert.ok(attributes.has("hidden"));
  assert.equal(attributes.has("data-upgrade") || attributes.has("data-csrf"), false);
});

test("the account page gives the browser what it needs to make a passkey by itself", async () => {
  const { part } = await pageWith({ ...SIGNALS, upgradeUrl: CALLBACK }, { passkeys: [] });
  const { attributes } = part ?? assert.fail();
  assert.equal(attributes.get("data-upgrade"), CALLBACK);
  assert.equal(attributes.get("data-csrf"), "token");
});

test("the account page runs no script for passkeys where there is nothing to tell of them", async () => {
  for (const page of [await pageWith(null), await pageWith(SIGNALS, { passkeys: [] })]) {
    assert.equal(page.runs || page.part !== undefined, false);
  }
});

test("the account page tells the device that the last passkey was removed", async () => {
  const view = { ...OVERVIEW.view ?? assert.fail(), passkeys: [], passkeySignals: SIGNALS };
  const step = { kind: "overview", done: "removePasskey" } as const;
  const { html } = await renderPage({ ...OVERVIEW, view, step }, look());
  assert.ok(html.includes("data-passkeys") && html.includes(SIGNALS_SCRIPT));
});

test("a step of the account page tells the device nothing", async () => {
  const view = { ...OVERVIEW.view ?? assert.fail(), passkeySignals: SIGNALS };
  const { html } = await renderPage({ ...OVERVIEW, view, step: { kind: "rename" } }, look());
  assert.equal(html.includes("data-passkeys"), false);
});
