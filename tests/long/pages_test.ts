import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import process from "node:process";
import type { Browser } from "playwright-core";
import { createAuth } from "@x/auth";
import { PAGE_EXAMPLES } from "../../scripts/screenshots.ts";
import { findChromium, skipsWithout, startChromium } from "../_support/chromium.ts";
import { testConfig } from "../_support/service.ts";
import { openStage, SITE } from "../e2e/pages_stage.ts";
import { answerWith, audit, MEASURE, STOPS, tourOf, type Visit } from "../e2e/pages_tour.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of the pages in a browser");

const { handler } = createAuth(testConfig());
const answer = answerWith(PAGE_EXAMPLES);
const SCHEMES = ["light", "dark"] as const;
type Options = Parameters<typeof tourOf>[2];

describe("the pages in Chromium", { skip }, () => {
  let chromium: Browser;
  before(async () => {
    chromium = await startChromium(executablePath);
  });
  after(() => chromium?.close());

  /** Opens every example page, one after the other. */
  const tour = (options: Options, visit: Visit): Promise<void> => tourOf(chromium, PAGE_EXAMPLES, options, visit);

  for (const colorScheme of SCHEMES) {
    test(`axe finds nothing in the ${colorScheme} scheme, on a phone and a desktop`, async () => {
      let pages = 0;
      await tour({ colorScheme, bypassCSP: true }, async (page, { name }) => {
        for (const width of [320, 390, 1280]) {
          await page.setViewportSize({ width, height: 844 });
          assert.deepEqual(await audit(page), [], `${name}, ${width}`);
        }
        pages += 1;
      });
      process.stderr.write(`${pages} pages without a finding of axe\n`);
    });
  }

  test("every page fits into 320 to 1920 pixels, and everything to press is large enough", () =>
    tour({}, async (page, { name }) => {
      for (const width of [320, 390, 600, 1280, 1920]) {
        await page.setViewportSize({ width, height: 720 });
        assert.deepEqual(await page.evaluate(MEASURE), [], `${name}, ${width}`);
      }
    }));

  for (const options of [{ colorScheme: "light" }, { colorScheme: "dark" }, { forcedColors: "active" }] as const) {
    test(`Tab goes through every page in order and shows where it is: ${JSON.stringify(options)}`, () =>
      tour(options, async (page, { name }) => {
        const count = await page.evaluate(`${STOPS}.length`) as number;
        // At an error the focus is in a field from the start.
        const start = await page.evaluate(`${STOPS}.indexOf(document.activeElement)`) as number;
        for (let stop = start + 1; stop < count; stop++) {
          await page.keyboard.press("Tab");
          assert.deepEqual(await page.evaluate(FOCUS), { stop, ring: true }, `${name}, stop ${stop}`);
        }
      }));
  }

  test("nothing moves for those who do not want it", () =>
    tour({ reducedMotion: "reduce" }, async (page, { name }) => {
      const moving = `[...document.querySelectorAll("*")].filter((element) => {
        const { transitionDuration, animationName } = getComputedStyle(element);
        return transitionDuration !== "0s" || animationName !== "none";
      }).length`;
      assert.equal(await page.evaluate(moving), 0, name);
    }));

  test("buttons and fields keep their edges in forced colours", () =>
    tour({ forcedColors: "active" }, async (page, { name }) => {
      const bare = `[...document.querySelectorAll(".button, .field input, .card")].filter((element) => {
        const { borderTopColor, borderTopStyle, backgroundColor } = getComputedStyle(element);
        return element.type !== "checkbox" && (borderTopStyle === "none" || borderTopColor === backgroundColor);
      }).length`;
      assert.equal(await page.evaluate(bare), 0, name);
    }));

  for (const tag of ["iframe src", "embed src", "object data"]) {
    test(`no page shows up in another: <${tag}>`, async () => {
      const paths = [
        ...["/open", ...PAGE_EXAMPLES.map(({ name }) => `/${name}`)],
        ...["signin", "signout", "error", "verify-request"].map((name) => `/auth/${name}`),
      ];
      const frames = paths.map((path) => `<${tag}="${path}"></${tag.split(" ")[0]}>`).join("");
      const html = (body: string): Response => new Response(body, { headers: { "content-type": "text/html" } });
      const stage = await openStage(chromium, async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === "/frames") return html(frames);
        if (pathname === "/open") return html("<p class=card>");
        return pathname.startsWith("/auth/") ? await handler(request) : await answer(request);
      });
      try {
        const page = await stage.context.newPage();
        await page.goto(`${SITE}/frames`);
        const shown = page.frames().slice(1).map(async (frame) => {
          // What was refused may vanish while it is asked.
          const cards = await frame.locator(".card").count().catch(() => 0);
          return cards ? [new URL(frame.url()).pathname] : [];
        });
        assert.deepEqual((await Promise.all(shown)).flat(), ["/open"]);
        const refused = stage.faults.filter((fault) => /frame-ancestors|X-Frame-Options/.test(fault));
        assert.equal(refused.length, paths.length - 1);
      } finally {
        await stage.close();
      }
    });
  }
});

const FOCUS = `(() => {
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(document.activeElement);
  const ring = outlineStyle === "solid" && parseFloat(outlineWidth) >= 2 && !/, 0\\)/.test(outlineColor);
  return { stop: ${STOPS}.indexOf(document.activeElement), ring };
})()`;
