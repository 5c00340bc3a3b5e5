/**
 * The door of the room: pages of a kind that was shown before are assembled from what is known of it.
 *
 * @module
 */
import { BoundedMap } from "../kernel/bounded_map.ts";
import { randomHex } from "../crypto/random.ts";
import { systemRuntime } from "../kernel/runtime.ts";
import { type Look, renderDocument, type RenderedPage } from "./document.tsx";
import { entriesOf, withWords } from "./entries.ts";
import { kindOf } from "./kind.ts";
import { cut, fill, type Template } from "./template.ts";
import type { Page } from "../request/outcome.ts";

export type { Look, RenderedPage } from "./document.tsx";

/** A kind of page, rendered once. */
interface Known {
  readonly template: Template;
  readonly csp: string;
}

/** A site has a dozen kinds of pages; a function configuration may have some more. */
const kinds = new BoundedMap<string, Known>(128);

/** Renders a page, exactly as {@linkcode renderDocument} does: at once where a page of its kind was shown before. */
export function renderPage(page: Page, look: Look): RenderedPage | Promise<RenderedPage> {
  const kind = kindOf(page, look);
  const known = kinds.get(kind);
  return known ? complete(known, page) : learn(kind, page, look);
}

function complete({ template, csp }: Known, page: Page): RenderedPage {
  return { html: fill(template, entriesOf(page)), csp };
}

async function learn(kind: string, page: Page, look: Look): Promise<RenderedPage> {
  // Random, so that no text of a configuration or a visitor can pass for one. The end keeps one from beginning another.
  const stem = randomHex(systemRuntime, 16);
  let count = 0;
  const blank = withWords(page, () => `${stem}-${count++}x`);
  const { html, csp } = await renderDocument(blank, look);
  const known = { template: cut(html, entriesOf(blank)), csp };
  kinds.set(kind, known);
  return complete(known, page);
}
