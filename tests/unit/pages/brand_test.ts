import { test } from "node:test";
import assert from "node:assert/strict";
import { brandCss as cssOf } from "../../../src/pages/brand.ts";
import { renderPage } from "../../../src/pages/render.ts";
import { all, byClass, credentialsMethod, directive, emailMethod, look, oauthMethod, signInPage } from "./_markup.ts";
import type { Theme } from "../../../src/kernel/model.ts";
import type { ProviderStyle } from "../../../src/contract/provider.ts";

/** The rules for buttons in full colours. */
function brandCss(theme: Theme, styles: readonly ProviderStyle[]): string {
  return cssOf({ buttons: "brand", ...theme }, styles.map((style) => ({ style, isFilled: false })));
}

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

test("brandCss() sets the border of a button where there is one", () => {
  const border = { border: "#747775", borderDark: "#8E918F" };
  assert.equal(
    brandCss({ colorScheme: "light" }, [border]),
    "@supports (color:#747775){.provider-0{--provider-border-color:#747775}}",
  );
  assert.match(brandCss({ colorScheme: "dark" }, [border]), /\{--provider-border-color:#8E918F\}/);
  assert.match(brandCss({ colorScheme: "dark" }, [{ border: "#747775" }]), /\{--provider-border-color:#747775\}/);
  assert.match(brandCss({}, [{ ...border, bg: "#fff" }]), /-text-color:#000;--provider-border-color:#747775\}\}@media/);
  assert.equal(brandCss({}, [{ border: "url(//evil.test)", borderDark: "}" }]), "");
});

test("brandCss() leaves out what is not a colour", () => {
  const theme = { brandColor: "red;background:url(//evil.test)", buttonText: "</style><script>" };
  assert.equal(brandCss(theme, [{ bg: "expression(", text: "\\75rl(" }]), "");
  assert.equal(brandCss({ brandColor: null } as unknown as Theme, [{ bg: null } as unknown as ProviderStyle]), "");
});

/** What a neutral button says of its mark, light and dark. */
function marksOf(style: ProviderStyle): readonly string[] {
  return (["light", "dark"] as const).map((colorScheme) => {
    const css = cssOf({ colorScheme }, [{ style: { mark: "M1 1h22v22H1z", ...style }, isFilled: false }]);
    return css.replace(/^@supports [^{]*\{\.provider-0\{(.*)\}\}$/, "$1");
  });
}

for (
  const [what, style, light, dark] of [
    [
      "a colour that can be seen on both",
      { bg: "#1877f2", text: "#fff" },
      "--mark-color:#1877f2",
      "--mark-color:#1877f2",
    ],
    [
      "a bright colour that is known by it",
      { bg: "#1db954", text: "#000" },
      "--mark-color:#1db954",
      "--mark-color:#1db954",
    ],
    ["a dark colour", { bg: "#24292f", text: "#fff" }, "--mark-color:#24292f", ""],
    ["white, with a colour on it", { bg: "#fff", text: "#ea4335" }, "--mark-color:#ea4335", "--mark-color:#ea4335"],
    ["a pale colour", { bg: "#f5c518", text: "#000" }, "--mark-color:#000;--mark-back:#f5c518", "--mark-color:#f5c518"],
    ["no mark", { mark: "", bg: "#611f69", text: "#fff" }, ...twice("--mark-color:#fff;--mark-back:#611f69")],
    ["no colour", {}, "", ""],
    ["a colour of its own in the dark", { bg: "#111", bgDark: "#eee" }, "--mark-color:#111", ""],
  ] as const
) {
  test(`brandCss() draws the mark of a neutral button: ${what}`, () => {
    assert.deepEqual(marksOf(style), [light, dark]);
  });
}

function twice(text: string): readonly [string, string] {
  return [text, text];
}

test("brandCss() leaves neutral buttons without colours of their own, and keeps those of forms and fixed ones", () => {
  const style = { bg: "#111", text: "#fff", fixed: false };
  assert.doesNotMatch(cssOf({}, [{ style, isFilled: false }]), /brand-color/);
  assert.match(cssOf({}, [{ style, isFilled: true }]), /--provider-brand-color:#111/);
  assert.match(cssOf({}, [{ style: { ...style, fixed: true }, isFilled: false }]), /--provider-brand-color:#111/);
});

test("brandCss() undoes the colour of a mark where it could not be seen in the dark", () => {
  const css = cssOf({}, [{ style: { mark: "M1 1z", bg: "#24292f", text: "#fff" }, isFilled: false }]);
  assert.match(css, /@media \(prefers-color-scheme:dark\)\{\.provider-0\{--mark-color:currentcolor;/);
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

const MARK = "M1 1h22v22H1z";

test("renderPage() draws a mark in the colour of the text, and loads nothing for it", async () => {
  const page = await renderPage(signInPage({ methods: [oauthMethod("x", { mark: MARK })] }), look());
  const [svg] = all(page.html, "svg");
  assert.deepEqual([svg?.path.at(-1)?.tag, Object.fromEntries(svg?.attributes ?? [])], [
    "button",
    { class: "mark", viewBox: "0 0 24 24", "aria-hidden": "true" },
  ]);
  assert.deepEqual(all(page.html, "path").map(({ attributes }) => Object.fromEntries(attributes)), [
    { d: MARK, fill: "currentColor" },
  ]);
  assert.deepEqual(all(page.html, "button").map(({ text }) => text), ["Sign in with GitHub"]);
  const { csp } = await renderPage(signInPage({ methods: [oauthMethod()] }), look());
  assert.equal(page.csp, csp);
});

test("renderPage() shows a logo in the place of a mark, and a mark in the place of a logo that it cannot show", async () => {
  const style = { logo: "/l.svg", mark: MARK };
  const { html } = await renderPage(signInPage({ methods: [oauthMethod("x", style)] }), look());
  assert.deepEqual([all(html, "img").length, all(html, "svg").length], [1, 0]);
  const bad = await renderPage(
    signInPage({ methods: [oauthMethod("x", { ...style, logo: "http://l.test/" })] }),
    look(),
  );
  assert.deepEqual([all(bad.html, "img").length, all(bad.html, "svg").length], [0, 1]);
});

test("renderPage() shows an initial in the place of a mark that is none", async () => {
  for (const mark of ['M0 0"', "M0 0<script>", "", `M${"0".repeat(8192)}`, null, 1]) {
    const style = { mark } as unknown as ProviderStyle;
    const { html } = await renderPage(signInPage({ methods: [oauthMethod("x", style)] }), look());
    assert.deepEqual(all(html, "svg"), []);
    assert.equal(all(html, "button")[0]?.attributes.get("data-initial"), "G");
  }
});

test("renderPage() has the same page for a style that is frozen, at every time and in every scheme", async () => {
  const style = { logo: "https://l.test/a", logoDark: "https://d.test/a", mark: MARK };
  const frozen = Object.freeze({ ...style });
  for (const colorScheme of ["light", "dark", "auto", "light", "dark", "auto"] as const) {
    assert.deepEqual(await logosFor({ colorScheme }, frozen), await logosFor({ colorScheme }, style));
  }
  const changing = { mark: MARK };
  const marks = async () => {
    const { html } = await renderPage(signInPage({ methods: [oauthMethod("x", changing)] }), look());
    return all(html, "path").map(({ attributes }) => attributes.get("d"));
  };
  assert.deepEqual(await marks(), [MARK]);
  changing.mark = "M2 2z";
  assert.deepEqual(await marks(), ["M2 2z"]);
});

test("renderPage() keeps the look of a button that the rules of its brand fix", async () => {
  const methods = [oauthMethod("a", { fixed: true }), oauthMethod("b"), emailMethod("c", { fixed: true })];
  const { html } = await renderPage(signInPage({ methods }), look());
  assert.deepEqual(all(html, "button").map(({ attributes }) => attributes.get("class")), [
    "button fixed provider-0",
    "button provider-1",
    "button primary provider-2",
  ]);
});
