import { test } from "node:test";
import assert from "node:assert/strict";
import { contrastOf, isColor, readableOn } from "../../../src/kernel/color.ts";

const COLORS = [
  ...["#fff", "#FFF8", "#1a2b3c", "#1A2B3C80", "red", "RebeccaPurple", "lightgoldenrodyellow", "transparent"],
  ...["rgb(1,2,3)", "rgb(1, 2, 3)", "rgba(1, 2, 3, .5)", "rgb(1 2 3)", "rgb(1 2 3 / 50%)", "RGB(10% 20% 30%)"],
  ...["hsl(210, 50%, 40%)", "hsl(210deg 50% 40%)", "hsla(-30 50% 40% / 0.25)", "hsl(0.5turn 50% 40%)"],
  ...["oklch(0.7 0.15 250)", "oklch(70% 0.15 250deg / .9)"],
];

const OTHERS: readonly unknown[] = [
  ...["", " ", "#", "#ff", "#fffff", "#fffffff", "#ggg", "#fff ", " #fff", "#fff\n", "#fff;", "re", "a".repeat(25)],
  ...["red;background:url(//evil.test)", "</style><script>", "expression(alert(1))", "\\75rl(//evil.test)", "url(x)"],
  ...["rgb(1,2)", "rgb(1,2,3,4,5)", "rgb(1,2 3)", "rgb(1;2;3)", "rgb(1,2,3", "rgb(1,2,3))", "rgb(a,b,c)", "rgb()"],
  ...["rgb(var(--x),1,1)", "rgb(calc(1),2,3)", "rgb(1/**/2 3)", "oklch(1,2,3)", "lab(1 2 3)", "color(srgb 1 1 1)"],
  ...["var(--x)", "attr(x)", "red/**/", "red}", "{", "@import", "'red'", '"red"', "light-gray", "réd", "red\u2028"],
  ...["inherit", "Initial", "unset", "revert", "1e3", "0".repeat(1_000_000), "rgb(" + "1".repeat(1_000_000)],
  ...[null, undefined, 0, 255, true, {}, ["red"], { toString: () => "red" }],
];

for (const color of COLORS) {
  test(`isColor() takes ${color}`, () => assert.equal(isColor(color), true));
}

for (const other of OTHERS) {
  const shown = typeof other === "string" ? JSON.stringify(other.slice(0, 40)) : String(JSON.stringify(other));
  test(`isColor() refuses ${shown}`, () => assert.equal(isColor(other), false));
}

test("readableOn() chooses the text with more contrast", () => {
  const rows = [["#fff", "#000"], ["#000", "#fff"], ["#ff0", "#000"], ["#24292f", "#fff"], ["#1d4ed8", "#fff"], [
    "#FFDD00",
    "#000",
  ]];
  for (const [back = "", text] of rows) assert.equal(readableOn(back), text);
});

test("readableOn() has no answer for colours it cannot compute", () => {
  for (const color of ["red", "rgb(1,2,3)", "#fff8", "#11223344", "", "#ggg"]) {
    assert.equal(readableOn(color), undefined);
  }
});

test("contrastOf() is the contrast ratio of WCAG, in both directions", () => {
  const rows: readonly (readonly [string, string, number])[] = [
    ["#fff", "#000", 21],
    ["#ffffff", "#FFF", 1],
    ["#777", "#fff", 4.48],
    ["#1F1F1F", "#fff", 16.48],
    ["#E3E3E3", "#131314", 14.47],
  ];
  for (const [one, other, ratio] of rows) {
    assert.equal(Math.round((contrastOf(one, other) ?? 0) * 100) / 100, ratio, `${one} ${other}`);
    assert.equal(contrastOf(other, one), contrastOf(one, other));
  }
  for (const other of ["red", "#fff8", "rgb(0,0,0)", ""]) {
    assert.equal(contrastOf("#fff", other), undefined);
    assert.equal(contrastOf(other, "#fff"), undefined);
  }
});
