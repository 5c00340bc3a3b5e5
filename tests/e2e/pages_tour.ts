/** A tour of example pages in a browser. */
import assert from "node:assert/strict";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { type PageExample, renderExample } from "../../scripts/screenshots.ts";
import { type Answer, lookAround, openStage, pageResponse, SITE } from "./pages_stage.ts";

type Options = NonNullable<Parameters<typeof openStage>[2]>;

/** What is looked at on a page. */
export type Visit = (page: Page, example: PageExample) => Promise<void>;

/** Shows each example at its own address, in the language that `lang` asks for. The colour scheme is the visitor's. */
export function answerWith(examples: readonly PageExample[]): Answer {
  return async ({ url }) => {
    const { pathname, searchParams } = new URL(url);
    const example = examples.find(({ name }) => name === pathname.slice(1));
    const language = searchParams.get("lang") ?? undefined;
    return example ? pageResponse(await renderExample(example, "auto", language)) : new Response(null, { status: 204 });
  };
}

/** Opens examples, one after the other. */
export async function tourOf(
  chromium: Browser,
  examples: readonly PageExample[],
  options: Options,
  visit: Visit,
): Promise<void> {
  const stage = await openStage(chromium, answerWith(examples), options);
  try {
    const page = await stage.context.newPage();
    for (const example of examples) {
      await page.goto(`${SITE}/${example.name}`);
      await visit(page, example);
      assert.deepEqual([...await lookAround(page), ...stage.faults], [], example.name);
    }
  } finally {
    await stage.close();
  }
}

const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const AUDIT = `axe.run({ runOnly: ${JSON.stringify(STANDARDS)} }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html + failureSummary).join()))`;

/** Tells what axe finds on a page whose policy the browser ignores. It is loaded once a page. */
export async function audit(page: Page): Promise<unknown> {
  if (!await page.evaluate("'axe' in window")) await page.evaluate(axe.source);
  return await page.evaluate(AUDIT);
}

/** Everything on a page that the keyboard stops at. */
export const STOPS =
  `[...document.querySelectorAll("a[href], button, input:not([type=hidden]), summary")].filter((element) =>
  element.localName === "summary" || !element.closest("details:not([open])"))`;

/** What is too small, too wide, or runs over. */
export const MEASURE = `(() => {
  const found = ${STOPS}.filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    return width < 24 || height < 24;
  }).map((element) => "too small: " + element.outerHTML);
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) found.push("it is " + scrollWidth + " wide");
  for (const element of document.querySelectorAll(".button, .alert, h1, h2, .lead, label, .site, code, summary")) {
    if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline") {
      found.push("runs over: " + element.outerHTML);
    }
  }
  return found;
})()`;
