import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import process from "node:process";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { createAuth } from "@x/auth";
import { PAGE_EXAMPLES, type PageExample, renderExample } from "../../scripts/screenshots.ts";
import { findChromium, skipsWithout, startChromium } from "../_support/chromium.ts";
import { testConfig } from "../_support/service.ts";
import { lookAround, openStage, pageResponse, SITE } from "./pages_stage.ts";

const executablePath = findChromium();
const skip = skipsWithout(executablePath, "The test of the pages in a browser");

const { handler } = createAuth(testConfig());
const SCHEMES = ["light", "dark"] as const;
type Options = NonNullable<Parameters<typeof openStage>[2]>;

/** Shows an example at its own address. The colour scheme is the visitor's. */
async function answer({ url }: Request): Promise<Response> {
  const example = PAGE_EXAMPLES.find(({ name }) => name === new URL(url).pathname.slice(1));
  return example ? pageResponse(await renderExample(example, "auto")) : new Response(null, { status: 204 });
}

describe("the pages in Chromium", { skip }, () => {
  let chromium: Browser;
  before(async () => {
    chromium = await startChromium(executablePath);
  });
  after(() => chromium?.close());

  /** Opens every example page, one after the other. */
  async function tour(options: Options, visit: (page: Page, example: PageExample) => Promise<void>): Promise<void> {
    const stage = await openStage(chromium, answer, options);
    try {
      const page = await stage.context.newPage();
      for (const example of PAGE_EXAMPLES) {
        await page.goto(`${SITE}/${example.name}`);
        await visit(page, example);
        assert.deepEqual([...await lookAround(page), ...stage.faults], [], example.name);
      }
    } finally {
      await stage.close();
    }
  }

  for (const colorScheme of SCHEMES) {
    for (const width of [390, 1280]) {
      test(`axe finds nothing in the ${colorScheme} scheme at ${width} pixels`, async () => {
        let pages = 0;
        await tour({ colorScheme, viewport: { width, height: 844 }, bypassCSP: true }, async (page, { name }) => {
          await page.evaluate(axe.source);
          assert.deepEqual(await page.evaluate(AUDIT), [], name);
          pages += 1;
        });
        process.stderr.write(`${pages} pages without a finding of axe\n`);
      });
    }
  }

  for (const width of [320, 390, 600, 1280, 1920]) {
    test(`every page fits into ${width} pixels, and everything to press is large enough`, () =>
      tour({ viewport: { width, height: 720 } }, async (page, { name }) => {
        assert.deepEqual(await page.evaluate(MEASURE), [], name);
      }));
  }

  for (const options of [{ colorScheme: "light" }, { colorScheme: "dark" }, { forcedColors: "active" }] as const) {
    test(`Tab goes through every page in order and shows where it is: ${JSON.stringify(options)}`, () =>
      tour(options, async (page, { name }) => {
        const count = await page.evaluate(`${STOPS}.length`) as number;
        for (let stop = 0; stop < count; stop++) {
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

  test("a screen reader hears of a button what it signs in with, and nothing of what stands before", () =>
    tour({}, async (page, { name, page: content }) => {
      if (content.name !== "signin") return;
      const expected = content.methods.map((method) => `Sign in with ${method.name}`);
      const session = await page.context().newCDPSession(page);
      const { nodes } = await session.send("Accessibility.getFullAXTree");
      const heard = nodes.filter(({ role, ignored }) => role?.value === "button" && !ignored);
      const images = nodes.filter(({ role, ignored }) => /^(?:image|img|graphics-)/.test(role?.value) && !ignored);
      const names = heard.map((node) => node.name?.value);
      // Not in their order: a form for passkeys appears later.
      assert.deepEqual(names.filter((heard) => heard !== "Create a passkey").toSorted(), expected.toSorted(), name);
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

const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const AUDIT = `axe.run({ runOnly: ${JSON.stringify(STANDARDS)} }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html + failureSummary).join()))`;

const STOPS = `[...document.querySelectorAll("a[href], button, input:not([type=hidden])")]`;

const FOCUS = `(() => {
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(document.activeElement);
  const ring = outlineStyle === "solid" && parseFloat(outlineWidth) >= 2 && !/, 0\\)/.test(outlineColor);
  return { stop: ${STOPS}.indexOf(document.activeElement), ring };
})()`;

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

const MEASURE = `(() => {
  const found = ${STOPS}.filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    return width < 24 || height < 24;
  }).map((element) => "too small: " + element.outerHTML);
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) found.push("it is " + scrollWidth + " wide");
  for (const element of document.querySelectorAll(".button, .alert, h1, .lead, label, .site")) {
    if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline") {
      found.push("runs over: " + element.outerHTML);
    }
  }
  return found;
})()`;
