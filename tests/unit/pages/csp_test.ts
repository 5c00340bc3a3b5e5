import { test } from "node:test";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { renderPage } from "../../../src/pages/render.ts";
import { chanceOf } from "../../_support/chance.ts";
import { all, directive, look, oauthMethod, only, passkeyMethod, signInPage } from "./_markup.ts";
import type { Theme } from "../../../src/kernel/model.ts";
import type { ProviderStyle } from "../../../src/contract/provider.ts";

test("renderPage() forbids everything that a page without script does not need", async () => {
  const page = await renderPage(signInPage(), look());
  const [style] = all(page.html, "style");
  assert.equal(
    page.csp,
    `default-src 'none'; style-src ${hashOf(style?.text ?? "")}; img-src 'self' data:; ` +
      "form-action 'self'; frame-ancestors 'none'; base-uri 'none'; " +
      "require-trusted-types-for 'script'; trusted-types 'none'; upgrade-insecure-requests",
  );
});

test("renderPage() allows exactly the one script, and requests to its own site, where there are passkeys", async () => {
  const methods = [oauthMethod(), passkeyMethod(), passkeyMethod({ login: {} }, "other")];
  const page = await renderPage(signInPage({ methods }), look());
  assert.deepEqual(directive(page, "script-src"), [hashOf(only(page.html, "script").text)]);
  assert.deepEqual(directive(page, "connect-src"), ["'self'"]);
  assert.deepEqual(directive(page, "require-trusted-types-for"), ["'script'"]);
  assert.deepEqual(directive(page, "trusted-types"), ["'none'"]);
});

test("renderPage() upgrades requests on https only", async () => {
  assert.equal(
    directive(await renderPage(signInPage(), look({ https: false })), "upgrade-insecure-requests"),
    undefined,
  );
  assert.deepEqual(directive(await renderPage(signInPage(), look({ https: true })), "upgrade-insecure-requests"), []);
});

test("renderPage() allows each form target once", async () => {
  const formAction = ["https:", "https://idp.test", "https://idp.test", "http://localhost:4000", "http://127.0.0.1:80"];
  assert.deepEqual(directive(await renderPage(signInPage(), look({ formAction })), "form-action"), [
    ...["'self'", "https:", "https://idp.test", "http://localhost:4000", "http://127.0.0.1:80"],
  ]);
});

test("renderPage() leaves out form targets that would change the policy", async () => {
  const formAction = [
    "*",
    "http:",
    "data:",
    "https://*.test",
    "https://a;sandbox",
    "https://a,b",
    "'unsafe-inline'",
    "",
    "a b",
  ];
  assert.deepEqual(directive(await renderPage(signInPage(), look({ formAction })), "form-action"), ["'self'"]);
});

test("renderPage() allows exactly its own style blocks and script, whatever the theme", async () => {
  const { below: next } = chanceOf(7);
  for (let round = 0; round < 400; round++) {
    const theme = randomTheme(next);
    const methods = Array.from({ length: next(4) }, (_, index) => {
      const style = randomStyle(next);
      return next(3) ? oauthMethod(`p${index}`, style) : passkeyMethod({}, `p${index}`, style);
    });
    const page = await renderPage(signInPage({ methods }), look({ theme }));
    assert.deepEqual(directive(page, "style-src"), [
      ...new Set(all(page.html, "style").map(({ text }) => hashOf(text))),
    ]);
    const scripts = all(page.html, "script").map(({ text }) => hashOf(text));
    assert.deepEqual(directive(page, "script-src"), scripts.length > 0 ? scripts : undefined);
  }
});

test("renderPage() renders the same page to the same bytes", async () => {
  const page = signInPage({ methods: [oauthMethod("x", { bg: "#123" })] });
  assert.deepEqual(await renderPage(page, look()), await renderPage(page, look()));
});

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function randomColor(next: (below: number) => number): string | undefined {
  const part = () => next(256);
  const forms = [
    () => undefined,
    () => `#${[part(), part(), part()].map((value) => value.toString(16).padStart(2, "0")).join("")}`,
    () => `rgb(${part()}, ${part()}, ${part()})`,
    () => `oklch(0.${next(10)} 0.${next(4)} ${next(360)} / ${next(101)}%)`,
    () => ["teal", "tomato", "navy"][next(3)],
    () => ["red;}", "</style>", "url(//x)"][next(3)],
  ];
  return forms[next(forms.length)]?.();
}

function randomTheme(next: (below: number) => number): Theme {
  return {
    brandColor: randomColor(next),
    buttonText: randomColor(next),
    colorScheme: (["auto", "dark", "light", undefined] as const)[next(4)],
  };
}

function randomStyle(next: (below: number) => number): ProviderStyle {
  return { bg: randomColor(next), bgDark: randomColor(next), text: randomColor(next), textDark: randomColor(next) };
}
