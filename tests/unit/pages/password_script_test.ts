import { test } from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { embedded, SCRIPTS } from "../../../scripts/embed_client.ts";
import { PASSWORD_EXAMPLES } from "../../../scripts/password_examples.ts";
import { PASSWORD_SCRIPT } from "../../../src/pages/password_script.ts";
import { renderPage } from "../../../src/pages/render.ts";
import { all, credentialsMethod, directive, emailMethod, look, oauthMethod, only, signInPage } from "./_markup.ts";
import type { Page } from "../../../src/request/outcome.ts";

const source = await readFile(new URL(`../../../${SCRIPTS.password.source}`, import.meta.url), "utf8");

const PASSWORD = { password: { type: "password" } };

test("the embedded script is the one that is written", () => {
  assert.equal(PASSWORD_SCRIPT, embedded(source), "run scripts/embed_client.ts");
});

test("a page with a field for a password has the script, and may send nothing", async () => {
  const { signup, "choose-reset": choose } = PASSWORD_EXAMPLES;
  const pages = [signup, choose, signInPage({ methods: [oauthMethod(), credentialsMethod(PASSWORD)] })];
  for (const page of pages) {
    const rendered = await renderPage(page as Page, look());
    assert.equal(only(rendered.html, "script").text, PASSWORD_SCRIPT);
    assert.equal(directive(rendered, "script-src")?.length, 1);
    assert.equal(directive(rendered, "connect-src"), undefined);
    assert.deepEqual(directive(rendered, "trusted-types"), ["'none'"]);
  }
});

test("a page without such a field has no script", async () => {
  const methods = [oauthMethod(), emailMethod(), credentialsMethod({ password: {}, pin: { type: "number" } })];
  for (const page of [PASSWORD_EXAMPLES.reset, signInPage({ methods })]) {
    const rendered = await renderPage(page as Page, look());
    assert.deepEqual(all(rendered.html, "script"), []);
    assert.equal(directive(rendered, "script-src"), undefined);
  }
});

test("without the script there is no button that shows a password", async () => {
  const { html } = await renderPage(PASSWORD_EXAMPLES.signup as Page, look());
  assert.deepEqual(all(html, "button").map(({ attributes }) => attributes.get("type")), ["submit"]);
});

test("the script takes less than 1.5 kB", () => {
  assert.ok(new TextEncoder().encode(PASSWORD_SCRIPT).length < 1536);
});

test("the script makes neither markup nor code of text, keeps nothing and asks nobody for anything", () => {
  assert.doesNotMatch(
    PASSWORD_SCRIPT.replace('"http://www.w3.org/2000/svg"', ""),
    /innerHTML|outerHTML|insertAdjacent|document\.write|eval|Function\(|import|https?:|fetch|XMLHttp|cookie|Storage|\.value/,
  );
});
