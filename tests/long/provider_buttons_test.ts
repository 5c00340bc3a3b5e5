import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { CATALOGUE_EXAMPLE, PAGE_EXAMPLES } from "../../scripts/screenshots.ts";
import { findChromium, skipsWithout, startChromium } from "../_support/chromium.ts";
import { audit, tourOf, type Visit } from "../e2e/pages_tour.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of the buttons in a browser");

const EXAMPLES = PAGE_EXAMPLES.filter(({ page }) => page.name === "signin");

describe("the buttons of the sign-in page in Chromium", { skip }, () => {
  let chromium: Browser;
  before(async () => {
    chromium = await startChromium(executablePath);
  });
  after(() => chromium?.close());

  /** Opens every example of the sign-in page. */
  const tour = (options: Parameters<typeof tourOf>[2], visit: Visit): Promise<void> =>
    tourOf(chromium, EXAMPLES, options, visit);

  test("axe finds nothing on a page with every provider, light and dark, on a phone and a desktop", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [390, 1280]) {
        const options = { colorScheme, viewport: { width, height: 844 }, bypassCSP: true };
        await tourOf(chromium, [CATALOGUE_EXAMPLE], options, async (page) => {
          assert.deepEqual(await audit(page), [], `${colorScheme}, ${width}`);
        });
      }
    }
  });

  test("a screen reader hears of a button what it signs in with, and nothing of what stands before", () =>
    tour({}, async (page, { name, page: content }) => {
      if (content.name !== "signin") return;
      const shown = content.purpose === "add-passkey" ? [] : content.methods;
      const expected = shown.map((method) => {
        const { id, name } = method;
        const isPassword = method.type === "credentials" && method.passwords !== undefined;
        const words = isPassword ? "Sign in" : SHORT.get(name) ?? `Sign in with ${name}`;
        return content.lastUsed === id && !content.purpose ? `${words} Last used` : words;
      });
      const session = await page.context().newCDPSession(page);
      const { nodes } = await session.send("Accessibility.getFullAXTree");
      const heard = nodes.filter(({ role, ignored }) => role?.value === "button" && !ignored);
      const images = nodes.filter(({ role, ignored }) => /^(?:image|img|graphics-)/.test(role?.value) && !ignored);
      const names = heard.map((node) => node.name?.value);
      // Not in their order: a form for passkeys appears later.
      assert.deepEqual(names.filter((heard) => !OTHERS.has(heard)).toSorted(), expected.toSorted(), name);
      assert.deepEqual(images, [], name);
    }));

  for (const [width, columns] of [[320, 1], [390, 1], [768, 3], [1280, 3]] as const) {
    test(`many providers are in ${columns} column(s) at ${width} pixels, a few in one, all in their order`, () =>
      tour({ viewport: { width, height: 800 } }, async (page, { name, page: content }) => {
        if (content.name !== "signin") return;
        const places = await page.evaluate(PLACES) as readonly (readonly [left: number, top: number])[];
        const inOrder = places.toSorted(([left, top], [otherLeft, otherTop]) => top - otherTop || left - otherLeft);
        assert.deepEqual(places, inOrder, name);
        const plain = content.methods.filter(({ type }) => type === "oauth").length;
        if (plain > 0) assert.equal(new Set(places.map(([left]) => left)).size, plain > 6 ? columns : 1, name);
      }));
  }

  test("marks and initials have the colours of the system in forced colours", () =>
    tour({ forcedColors: "active" }, async (page, { name }) => {
      assert.deepEqual(await page.evaluate(FORCED), [], name);
    }));
});

/** Buttons that sign nobody in. */
const OTHERS: ReadonlySet<unknown> = new Set(["Create a passkey", "Show password"]);

const PLACES = `[...document.querySelectorAll(".plain")].map((form) => {
  const { left, top } = form.getBoundingClientRect();
  return [Math.round(left), Math.round(top)];
})`;

const FORCED = `[...document.querySelectorAll(".button")].flatMap((button) => {
  const { color, backgroundColor } = getComputedStyle(button);
  const mark = button.querySelector(".mark");
  return [mark && getComputedStyle(mark), button.dataset.initial && getComputedStyle(button, "::before")].filter((style) => {
    if (!style) return false;
    const back = style.backgroundColor;
    return style.color !== color || (back !== backgroundColor && !back.endsWith(", 0)"));
  }).map((style) => button.textContent + ": " + style.color + " on " + style.backgroundColor);
})`;

/** Ways of signing in that need no name. */
const SHORT: ReadonlyMap<string, string> = new Map([["Email", "Continue"], ["Credentials", "Sign in"]]);
