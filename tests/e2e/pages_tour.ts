/** A tour of example pages in a browser. */
import assert from "node:assert/strict";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { type PageExample, renderExample } from "../../scripts/screenshots.ts";
import { type Answer, lookAround, openStage, pageResponse, SITE } from "./pages_stage.ts";

type Options = NonNullable<Parameters<typeof openStage>[2]>;

/** What is looked at on a page. */
export type Visit = (page: Page, example: PageExample) => Promise<void>;

/** Shows each example at its own address. The colour scheme is the visitor's. */
export function answerWith(examples: readonly PageExample[]): Answer {
  return async ({ url }) => {
    const example = examples.find(({ name }) => name === new URL(url).pathname.slice(1));
    return example ? pageResponse(await renderExample(example, "auto")) : new Response(null, { status: 204 });
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

/** Tells what axe finds on a page whose policy the browser ignores. */
export async function audit(page: Page): Promise<unknown> {
  await page.evaluate(axe.source);
  return await page.evaluate(AUDIT);
}
