import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { completed, type Icon, markOf, providerFiles, slugOf } from "../../scripts/provider_marks.ts";
import { roundPath, scalePath, sizeOf } from "../../scripts/round_path.ts";
import { sourcesBelow } from "../../scripts/source_files.ts";
import { contrastOf, isColor } from "../../src/kernel/color.ts";
import { isPathData } from "../../src/http/path_data.ts";
import { brandOf } from "../../src/pages/brand.ts";
import { readFileSync } from "node:fs";

/** The most bytes of a provider's file, compressed: what a site loads for a provider that it uses. */
const MOST_BYTES = 3 * 1024;

test("the file of a provider has at most 3 kB compressed, mark and all", () => {
  // What mail services share is not a provider.
  for (const path of sourcesBelow("src/providers").filter((path) => !path.includes("/mail/"))) {
    const { length } = gzipSync(readFileSync(path), { level: 9 });
    assert.ok(length <= MOST_BYTES, `${path} has ${length} bytes`);
  }
});

describe("the button of each identity provider", () => {
  const files = providerFiles();
  assert.ok(files.length >= 8);
  for (const { id, style } of files) {
    test(`${id} has text that can be read in both schemes`, () => {
      const { bg, text, bgDark = bg, textDark = text } = style;
      // Without colours the button has those of the page.
      assert.equal(bg === undefined, text === undefined);
      for (const [back, ink] of [[bg, text], [bgDark, textDark]]) {
        if (back === undefined || ink === undefined) continue;
        const contrast = contrastOf(back, ink) ?? assert.fail(`${back} or ${ink} is no hex colour`);
        assert.ok(contrast >= 4.5, `${ink} on ${back} has a contrast of ${contrast}`);
      }
      for (const border of [style.border, style.borderDark]) assert.ok(border === undefined || isColor(border));
    });

    test(`${id} has a mark or a logo that the page shows and nobody is asked for, or else an initial`, () => {
      const { mark, logo, logoDark } = style;
      assert.ok(mark === undefined || (isPathData(mark) && mark.length <= 2000));
      assert.ok(mark === undefined || logo === undefined, "the logo hides the mark");
      for (const image of [logo, logoDark]) assert.ok(image === undefined || image.startsWith("data:image/svg+xml,"));
      const { badges } = brandOf({}, [{ style, isFilled: false }]);
      assert.equal(badges[0] === null, mark === undefined && logo === undefined);
    });
  }
});

test("Google's button and Apple's have the colours of their branding rules, and keep them among many", () => {
  const styles = new Map(providerFiles().map(({ id, style }) => [id, style]));
  const { logo, ...google } = styles.get("google") ?? assert.fail();
  assert.deepEqual(google, {
    ...{ bg: "#fff", border: "#747775", text: "#1F1F1F" },
    ...{ bgDark: "#131314", borderDark: "#8E918F", textDark: "#E3E3E3" },
    fixed: true,
  });
  assert.deepEqual(decodeURIComponent(logo ?? "").match(/#\w{6}/g), ["#EA4335", "#4285F4", "#FBBC05", "#34A853"]);
  const { mark, ...apple } = styles.get("apple") ?? assert.fail();
  assert.ok(mark);
  assert.deepEqual(apple, { bg: "#000", text: "#fff", bgDark: "#fff", textDark: "#000", fixed: true });
});

const ICON: Icon = { path: "M0 0h24v24H0z", hex: "123456", license: null };

function fileWith(style: string): { readonly text: string; readonly path: string } {
  return { path: "x.ts", text: `  return oauthProvider({\n    id: "x",\n    name: "X",\n${style}  }, options);\n` };
}

const STYLES: readonly (readonly [what: string, before: string, icon: Icon | undefined, after: string])[] = [
  [
    "adds the mark",
    `    style: { bg: "#123456", text: "#fff" },\n`,
    ICON,
    `    style: { bg: "#123456", text: "#fff", mark: "M0 0h24v24H0z" },\n`,
  ],
  ["replaces another mark", `    style: { mark: "M1 1h9z", bg: "#fff", text: "#000" },\n`, {
    ...ICON,
    path: "M2 2h20v20H2z",
  }, `    style: { bg: "#fff", text: "#000", mark: "M2 2h20v20H2z" },\n`],
  [
    "removes a mark that is not in the package",
    `    style: { bg: "#fff", text: "#000", mark: "M1 1h9z" },\n`,
    undefined,
    `    style: { bg: "#fff", text: "#000" },\n`,
  ],
  [
    "takes the colour of the icon where there is none",
    "",
    ICON,
    `    style: { bg: "#123456", text: "#fff", mark: "M0 0h24v24H0z" },\n`,
  ],
  ["leaves a file without colours and icon alone", "", undefined, ""],
  [
    "makes text readable",
    `    style: { bg: "#FC6D26", text: "#fff" },\n`,
    undefined,
    `    style: { bg: "#FC6D26", text: "#000" },\n`,
  ],
  [
    "makes text readable in the dark scheme",
    `    style: { bg: "#fff", bgDark: "#111", text: "#000" },\n`,
    undefined,
    `    style: { bg: "#fff", bgDark: "#111", text: "#000", textDark: "#fff" },\n`,
  ],
  [
    "adds no mark to a logo",
    `    style: { bg: "#fff", logo: "/x{1}.svg", text: "#000" },\n`,
    undefined,
    `    style: { bg: "#fff", logo: "/x{1}.svg", text: "#000" },\n`,
  ],
];

for (const [what, before, icon, after] of STYLES) {
  test(`the script of the marks ${what}, once`, () => {
    const written = completed(fileWith(before), icon);
    assert.equal(written, fileWith(after).text);
    assert.equal(completed({ ...fileWith(before), text: written }, icon), written);
  });
}

test("the script of the marks refuses a style that it cannot read", () => {
  for (const style of ["STYLE", "{ ...STYLE }", "{ bg }", `{ bg: pick("#fff") }`, "`x`"]) {
    assert.throws(() => completed(fileWith(`    style: ${style},\n`), ICON), SyntaxError, style);
  }
});

test("a mark is of a slug that may differ from the id, free, short and no line of text", () => {
  assert.deepEqual(["github", "click-up"].map(slugOf), ["github", "clickup"]);
  assert.equal(markOf(ICON), ICON.path);
  assert.equal(markOf(undefined), null);
  for (const license of ["CC-BY-4.0", "MIT", "GPL-3.0-only"]) assert.equal(markOf({ ...ICON, license }), null);
  for (const license of ["CC0-1.0", "custom"]) assert.ok(markOf({ ...ICON, license }));
  assert.equal(markOf({ ...ICON, path: "M0 9h24v6H0z" }), null);
  const points = (count: number) => `M0 0${"l.123 8.456-.123-8.456".repeat(count)}h24v24H0z`;
  assert.equal(markOf({ ...ICON, path: points(40) }), roundPath(points(40), 2));
  assert.equal(markOf({ ...ICON, path: points(90) }), roundPath(points(90), 1));
  assert.equal(markOf({ ...ICON, path: points(200) }), null);
});

test("scalePath() changes lengths, and neither the angles nor the flags of arcs", () => {
  assert.equal(scalePath("M4 8h-2.4V8zm2,2c1 2 3 4 5 6", 0.5), "M2 4h-1.2V4zm1 1c0.5 1 1.5 2 2.5 3");
  assert.equal(scalePath("M8 8a4 2 30 0120 1", 0.75), "M6 6a3 1.5 30 0 1 15 0.75");
});

test("scalePath() moves places, and not what is relative to them", () => {
  assert.equal(scalePath("m4 8h2V8H6a2 2 0 012 2", 0.5, { x: 1, y: 3 }), "m3 7h1V7H4a1 1 0 0 1 1 1");
});

test("popular providers have a mark and no initial", () => {
  const styles = new Map(providerFiles().map(({ id, style }) => [id, style]));
  for (const id of ["microsoft-entra-id", "linkedin", "slack", "salesforce", "yahoo", "cognito"]) {
    assert.ok(styles.get(id)?.mark, id);
  }
});

test("roundPath() rounds where the points are, so that errors do not add up", () => {
  const rows: readonly (readonly [path: string, decimals: number, rounded: string])[] = [
    ["M1.26 2.74h3.333v4.444z", 1, "m1.3 2.7h3.3v4.5z"],
    ["M0 0l.04 0 .04 0 .04 0 .04 0", 1, "m0 0 0 0 .1 0 0 0 .1 0"],
    ["M10 10L12.23 9.77 8 8", 1, "m10 10 2.2-.2-4.2-1.8"],
    ["m1 1 2 2 3 3z", 0, "m1 1 2 2 3 3z"],
    ["M5 5H1V1h2v2zm2 2h1z", 0, "m5 5h-4v-4h2v2zm2 2h1z"],
    ["M0 0c.11.22.33.44.55.66s.77.88.99 1.1q1 2 3 4t5 6", 1, "m0 0c.1.2.3.4.6.7s.7.8.9 1.1q1 2 3 4t5 6"],
    ["M8 1a7 7 0 01.4 7.4A7 7 0 108 1", 0, "m8 1a7 7 0 0 1 0 7 7 7 0 1 0 0-7"],
    ["M1e1 1.5E-1,-3+4", 2, "m10 .15-13 3.85"],
  ];
  for (const [path, decimals, rounded] of rows) {
    assert.equal(roundPath(path, decimals), rounded, path);
    assert.ok(isPathData(rounded));
  }
  for (const wrong of ["0 0", "M0", "M0 0 x", "M0 0a1 1 0 2 1 3 3", "M0 0z1", "M0 0l1 NaN"]) {
    assert.throws(() => roundPath(wrong, 1), SyntaxError, wrong);
  }
});

test("sizeOf() measures a path between the ends of its commands", () => {
  assert.deepEqual(sizeOf("M2 3h10v4H2zm20 1l-1 1"), { width: 20, height: 4 });
});
