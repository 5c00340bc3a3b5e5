import { test } from "node:test";
import assert from "node:assert/strict";
import { brandCss } from "../../../src/pages/brand.ts";
import { renderPage } from "../../../src/pages/render.tsx";
import { all, byClass, credentialsMethod, directive, look, oauthMethod, signInPage } from "./_markup.ts";
import type { Theme } from "../../../src/kernel/model.ts";
import type { ProviderStyle } from "../../../src/contract/provider.ts";

test("brandCss() is empty without colours", () => {
  assert.equal(brandCss({}, [{}, { logo: "/x.svg" }]), "");
});

test("brandCss() sets the theme's colours", () => {
  assert.equal(
    brandCss({ brandColor: "teal", buttonText: "#eee" }, []),
    "@supports (color:teal) and (color:#eee){body{--brand-color:teal;--button-text-color:#eee}}",
  );
});

test("brandCss() completes half a pair where it can compute the other half", () => {
  assert.match(brandCss({ brandColor: "#ffff00" }, []), /--brand-color:#ffff00;--button-text-color:#000/);
  assert.match(brandCss({ buttonText: "#fff" }, []), /--brand-color:#000;--button-text-color:#fff/);
  assert.match(
    brandCss({}, [{ bg: "#111" }]),
    /\.provider-0\{--provider-brand-color:#111;--provider-text-color:#fff\}/,
  );
  assert.equal(brandCss({ brandColor: "teal" }, []), "@supports (color:teal){body{--brand-color:teal}}");
});

test("brandCss() names buttons by their place", () => {
  assert.match(brandCss({}, [{}, { bg: "#111" }]), /^@supports [^{]*\{\.provider-1\{/);
});

const STYLE: ProviderStyle = { bg: "#111", text: "#eee", bgDark: "#ddd", textDark: "#222" };
const LIGHT = "{.provider-0{--provider-brand-color:#111;--provider-text-color:#eee}}";
const DARK = "{.provider-0{--provider-brand-color:#ddd;--provider-text-color:#222}}";

for (
  const [colorScheme, light, dark] of [["light", true, false], ["dark", false, true], ["auto", true, true]] as const
) {
  test(`brandCss() writes what the ${colorScheme} scheme needs of a button's colours`, () => {
    const css = brandCss({ colorScheme }, [STYLE]);
    assert.equal(css.includes(LIGHT), light);
    assert.equal(css.includes(DARK), dark);
    assert.equal(css.includes("prefers-color-scheme"), light && dark);
  });
}

test("brandCss() uses the usual colours in the dark scheme unless there are others", () => {
  const usual = brandCss({ colorScheme: "light" }, [{ bg: "#111", text: "#eee" }]);
  assert.equal(brandCss({ colorScheme: "dark" }, [{ bg: "#111", text: "#eee" }]), usual);
  assert.equal(brandCss({ colorScheme: "auto" }, [{ bg: "#111", text: "#eee" }]), usual);
  assert.match(brandCss({ colorScheme: "dark" }, [{ ...STYLE, bgDark: "url(x)" }]), /:#111;--provider-text-color:#222/);
});

test("brandCss() leaves out what is not a colour", () => {
  const theme = { brandColor: "red;background:url(//evil.test)", buttonText: "</style><script>" };
  assert.equal(brandCss(theme, [{ bg: "expression(", text: "\\75rl(" }]), "");
  assert.equal(brandCss({ brandColor: null } as unknown as Theme, [{ bg: null } as unknown as ProviderStyle]), "");
});

async function logosFor(theme: Theme, style: ProviderStyle = {}) {
  const page = await renderPage(signInPage({ methods: [oauthMethod("x", style)] }), look({ theme }));
  const sources = [
    ...all(page.html, "source").map(({ attributes }) => attributes.get("srcset")),
    ...all(page.html, "img").map(({ attributes }) => attributes.get("src")),
  ];
  return { sources, allowed: directive(page, "img-src")?.filter((source) => !["'self'", "data:"].includes(source)) };
}

for (
  const [logo, src, allowed] of [
    ["https://cdn.test/a.svg?x=1", "https://cdn.test/a.svg?x=1", ["https://cdn.test"]],
    ["HTTPS://CDN.test:8443/a b.svg", "https://cdn.test:8443/a%20b.svg", ["https://cdn.test:8443"]],
    ["/logo.svg?v=2", "/logo.svg?v=2", []],
    ["data:image/png;base64,AAAA", "data:image/png;base64,AAAA", []],
    ["data:image/svg+xml,<svg a='b c'/>", "data:image/svg+xml,<svg%20a='b%20c'/>", []],
  ] as const
) {
  test(`renderPage() shows the logo ${logo}`, async () => {
    assert.deepEqual(await logosFor({ logo }), { sources: [src], allowed });
    assert.deepEqual(await logosFor({}, { logo }), { sources: [src], allowed });
  });
}

for (
  const logo of [
    ...[
      "http://cdn.test/a.svg",
      "http://localhost/a.svg",
      "//cdn.test/a.svg",
      "/\\cdn.test/a.svg",
      "/\t/cdn.test/a.svg",
    ],
    ...["/.//cdn.test/a.svg", "a.svg", "../a.svg", "javascript:alert(1)", " javascript:alert(1)", "data:text/html,x"],
    ...["data:,image/png", "blob:https://app.test/x", "file:///etc/passwd", "https://", "https://user:pw@cdn.test/a"],
    ...["https://cdn.test;sandbox/a", "https://cdn.test,x/a", "https://*.test/a", "https://*/a", "https://[::1]/a", ""],
  ]
) {
  test(`renderPage() does not show the logo ${JSON.stringify(logo)}`, async () => {
    assert.deepEqual(await logosFor({ logo }, { logo, logoDark: logo }), { sources: [], allowed: [] });
  });
}

for (
  const [colorScheme, sources] of [["light", ["/l.svg"]], ["dark", ["/d.svg"]], ["auto", ["/d.svg", "/l.svg"]]] as const
) {
  test(`renderPage() shows a button's logo for the ${colorScheme} scheme`, async () => {
    assert.deepEqual((await logosFor({ colorScheme }, { logo: "/l.svg", logoDark: "/d.svg" })).sources, sources);
    assert.deepEqual((await logosFor({ colorScheme }, { logo: "/l.svg" })).sources, ["/l.svg"]);
  });
}

test("renderPage() allows only the image origins that are on the page", async () => {
  const style = { logo: "https://l.test/a", logoDark: "https://d.test/a" };
  assert.deepEqual((await logosFor({ colorScheme: "light" }, style)).allowed, ["https://l.test"]);
  assert.deepEqual((await logosFor({ colorScheme: "dark" }, style)).allowed, ["https://d.test"]);
  assert.deepEqual((await logosFor({ colorScheme: "auto" }, style)).allowed, ["https://l.test", "https://d.test"]);
});

test("renderPage() gives the button of a credentials form its own style too", async () => {
  const methods = [oauthMethod(), credentialsMethod({}, "c", { bg: "#123456", logo: "/c.svg" })];
  const { html } = await renderPage(signInPage({ methods }), look());
  assert.deepEqual(byClass(html, "provider-1").map(({ tag }) => tag), ["button"]);
  assert.match(all(html, "style")[1]?.text ?? "", /\.provider-1\{--provider-brand-color:#123456/);
  assert.deepEqual(all(html, "img").map(({ attributes }) => attributes.get("src")), ["/c.svg"]);
});
