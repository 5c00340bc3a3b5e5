import { test } from "node:test";
import assert from "node:assert/strict";
import { appearanceOf } from "../../../src/pages/appearance.ts";
import { renderPage } from "../../../src/pages/render.ts";
import { HOSTILE } from "./_hostile.ts";
import { credentialsMethod, look, oauthMethod, signInPage } from "./_markup.ts";
import type { Theme } from "../../../src/kernel/model.ts";
import type { Page, SignInMethod } from "../../../src/request/outcome.ts";
import type { ProviderStyle } from "../../../src/contract/provider.ts";

/** A style as it stands in a configuration that is in use. */
function fixed(style: ProviderStyle): ProviderStyle {
  return Object.freeze({ ...style });
}

const RED = fixed({ bg: "#a00", text: "#fff", logo: "https://red.test/logo" });
const BLUE = fixed({ bg: "#00a", text: "#fff", mark: "M1 1h9z" });

test("appearanceOf() makes the same appearance once for a configuration", async () => {
  const theme = Object.freeze({ buttons: "brand" } as const);
  const methods = () => [oauthMethod("red", RED), oauthMethod("blue", BLUE)];
  const first = await appearanceOf(theme, methods());
  assert.equal(await appearanceOf(theme, methods()), first);
  assert.equal(await appearanceOf(theme, []), await appearanceOf(theme, []));
});

test("appearanceOf() tells lists apart that differ in their order, their length, their forms, or their theme", async () => {
  const theme = Object.freeze({});
  const lists: readonly (readonly [Theme, readonly SignInMethod[]])[] = [
    [theme, [oauthMethod("a", RED), oauthMethod("b", BLUE)]],
    [theme, [oauthMethod("b", BLUE), oauthMethod("a", RED)]],
    [theme, [oauthMethod("a", RED)]],
    [theme, [credentialsMethod({}, "a", RED)]],
    [theme, []],
    [Object.freeze({ buttons: "brand" }), [oauthMethod("a", RED)]],
    [Object.freeze({ colorScheme: "dark" }), [oauthMethod("a", RED)]],
    [Object.freeze({ brandColor: "#123456" }), [oauthMethod("a", RED)]],
  ];
  for (let round = 0; round < 2; round++) {
    const made = await Promise.all(lists.map(([theme, methods]) => appearanceOf(theme, methods)));
    assert.equal(new Set(made).size, lists.length);
    const alone = await Promise.all(lists.map(([theme, methods]) => appearanceOf({ ...theme }, methods)));
    assert.deepEqual(made, alone);
  }
});

test("appearanceOf() reads each time what can still be changed", async () => {
  const style: ProviderStyle = { bg: "#a00" };
  const theme: Theme = { buttons: "brand" };
  const bothOf = async () => String((await appearanceOf(theme, [oauthMethod("a", style)])).styles[1]);
  assert.match(await bothOf(), /#a00/);
  style.bg = "#0a0";
  assert.match(await bothOf(), /#0a0/);
  Object.freeze(theme);
  await bothOf();
  style.bg = "#00a";
  assert.match(await bothOf(), /#00a/);
});

test("appearanceOf() stays right for a configuration with more lists than it remembers", async () => {
  const theme = Object.freeze({ buttons: "brand" } as const);
  const colors = Array.from({ length: 30 }, (_, index) => `#0000${String(index + 10)}`);
  const methods = colors.map((bg) => oauthMethod("a", fixed({ bg })));
  for (let round = 0; round < 2; round++) {
    for (const [index, method] of methods.entries()) {
      const { styles } = await appearanceOf(theme, [method]);
      assert.ok(String(styles[1]).includes(colors[index] ?? assert.fail()));
    }
  }
});

/** The same page of a configuration of which nothing is remembered. */
async function freshly(page: Page, options: Parameters<typeof look>[0] = {}) {
  const methods = page.name === "signin"
    ? page.methods.map((method) => ({ ...method, style: { ...method.style } }))
    : [];
  return await renderPage(
    page.name === "signin" ? { ...page, methods } : page,
    look({ ...options, theme: { ...options.theme } }),
  );
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
    const style = fixed({
      bg: text,
      text,
      bgDark: text,
      border: text,
      logo: text,
      logoDark: `https://${text}`,
      mark: text,
    });
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
