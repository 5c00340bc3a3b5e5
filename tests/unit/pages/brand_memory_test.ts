import { test } from "node:test";
import assert from "node:assert/strict";
import { brandOf, type Button } from "../../../src/pages/brand.ts";
import { renderPage } from "../../../src/pages/render.ts";
import { HOSTILE } from "./_hostile.ts";
import { credentialsMethod, look, oauthMethod, signInPage } from "./_markup.ts";
import type { Theme } from "../../../src/kernel/model.ts";
import type { Page } from "../../../src/request/outcome.ts";
import type { ProviderStyle } from "../../../src/contract/provider.ts";

const RED: ProviderStyle = { bg: "#a00", text: "#fff", logo: "https://red.test/logo" };
const BLUE: ProviderStyle = { bg: "#00a", text: "#fff", mark: "M1 1h9z" };

function buttonsOf(...styles: readonly ProviderStyle[]): Button[] {
  return styles.map((style) => ({ style, isFilled: false }));
}

test("brandOf() makes the brand of a page once", () => {
  const first = brandOf({ buttons: "brand" }, buttonsOf(RED, BLUE));
  assert.equal(brandOf({ buttons: "brand", name: "Other" }, buttonsOf({ ...RED }, { ...BLUE })), first);
});

test("brandOf() tells pages apart that differ in their theme, or in the order, the number or the forms of their buttons", () => {
  const pages: readonly (readonly [Theme, readonly Button[]])[] = [
    [{}, buttonsOf(RED, BLUE)],
    [{}, buttonsOf(BLUE, RED)],
    [{}, buttonsOf(RED)],
    [{}, [{ style: RED, isFilled: true }]],
    [{}, []],
    [{ buttons: "brand" }, buttonsOf(BLUE)],
    [{ colorScheme: "dark" }, buttonsOf(RED)],
    [{ brandColor: "#123456" }, buttonsOf(RED)],
    [{ brandColor: "#123456", buttonText: "#fedcba" }, buttonsOf(RED)],
    [{ logo: "/logo.svg" }, buttonsOf(RED)],
    [{ links: { help: "/help" } }, buttonsOf(RED)],
    [{ links: { help: "/other" } }, buttonsOf(RED)],
  ];
  const made = pages.map(([theme, buttons]) => brandOf(theme, buttons));
  assert.equal(new Set(made.map((brand) => JSON.stringify(brand))).size, pages.length);
  assert.deepEqual(pages.map(([theme, buttons]) => brandOf(theme, buttons)), made);
});

test("brandOf() sees each time what was changed in a theme or a style", () => {
  const style: ProviderStyle = { bg: "#a00", mark: "M1 1h9z" };
  const theme: Theme = { buttons: "brand" };
  const brand = () => brandOf(theme, buttonsOf(style));
  assert.match(brand().css, /#a00/);
  style.bg = "#0a0";
  style.mark = "M2 2h9z";
  theme.logo = "/logo.svg";
  assert.match(brand().css, /#0a0/);
  assert.deepEqual([brand().badges, brand().logo?.src], [[{ mark: "M2 2h9z" }], "/logo.svg"]);
});

test("brandOf() stays right for more pages than it remembers", () => {
  const colors = Array.from({ length: 30 }, (_, index) => `#0000${String(index + 10)}`);
  for (const bg of [...colors, ...colors]) {
    assert.ok(brandOf({ buttons: "brand" }, buttonsOf({ bg })).css.includes(bg));
  }
});

let unused = 0;

/** The same page, of which nothing is remembered: nothing else has the same brand. */
async function freshly(page: Page, options: Parameters<typeof look>[0] = {}) {
  if (page.name !== "signin") return await renderPage(page, look(options));
  const methods = page.methods.map((method) => ({ ...method, style: { ...method.style, [`x${unused++}`]: true } }));
  return await renderPage({ ...page, methods }, look(options));
}

test("renderPage() remembers nothing of a visitor: tokens, addresses, hosts, languages and texts do not mix", async () => {
  const theme = Object.freeze({ buttons: "brand", logo: "https://cdn.test/logo" } as const);
  const methods = [oauthMethod("red", RED, "Red"), oauthMethod("blue", BLUE, "Blue"), credentialsMethod({ email: {} })];
  const visits = ["ada", "bob", "eve"].flatMap((who) =>
    [["en", "Welcome {name}"], ["ar", undefined], ["ja", "<{name}>"]].map(([language, signInTitle]) => {
      const url = new URL(`https://${who}.test/auth/signin?lang=${language}`);
      const page = signInPage({
        csrfToken: `token-of-${who}`,
        callbackUrl: `https://${who}.test/private`,
        email: `${who}@example.com`,
        error: who === "eve" ? "CredentialsSignin" : null,
        lastUsed: who === "ada" ? "red" : "blue",
        methods: methods.map((method) => ({ ...method, action: `https://${who}.test/auth/signin/${method.id}` })),
      });
      const options = {
        theme,
        visitor: { request: new Request(url), url },
        texts: { "*": signInTitle ? { signInTitle } : {} },
      };
      return { who, page, options };
    })
  );
  const together = await Promise.all(
    [...visits, ...visits].map(({ page, options }) => renderPage(page, look(options))),
  );
  for (const [index, { who, page, options }] of [...visits, ...visits].entries()) {
    assert.deepEqual(together[index], await freshly(page, options));
    for (const other of ["ada", "bob", "eve"]) {
      assert.equal(new RegExp(`${other}[.@]|-${other}`).test(together[index]?.html ?? ""), other === who);
    }
  }
});

test("renderPage() gives the same bytes for hostile colours, logos, marks and names, remembered or not", async () => {
  for (const text of HOSTILE) {
    const style = {
      bg: text,
      text,
      bgDark: text,
      border: text,
      logo: text,
      logoDark: `https://${text}`,
      mark: text,
    };
    const theme = Object.freeze({
      brandColor: text,
      buttonText: text,
      logo: text,
      name: text,
      colorScheme: text as "auto",
    });
    const page = signInPage({ methods: [oauthMethod("x", style, text), credentialsMethod({}, "c", style)] });
    const first = await renderPage(page, look({ theme }));
    assert.deepEqual(await renderPage(page, look({ theme })), first);
    assert.deepEqual(await freshly(page, { theme }), first);
  }
});
