/**
 * A document with blanks, and the only place outside of the renderer that writes markup.
 *
 * @module
 */
import type { Entries } from "./entries.ts";

/** A document in pieces. */
export interface Template {
  /** What stands before the first blank. */
  readonly start: string;
  /** The blanks in the order of the document: what fills it, and what follows. */
  readonly blanks: readonly Blank[];
}

interface Blank {
  readonly entry: number;
  /** Whether it stands for the whole value of an attribute, with `=` and quotes. */
  readonly isValue: boolean;
  readonly then: string;
}

/** Cuts a document at its entries. They must be words that stand nowhere else in it. */
export function cut(html: string, entries: Entries): Template {
  const places = new Map(entries.flatMap((entry, place) => entry === null ? [] : [[entry, place]]));
  // The longest first: one entry may be a part of another, as a host is of its URL.
  const words = [...places.keys()].sort((one, other) => other.length - one.length);
  const word = words.join("|");
  const [start = "", ...rest] = word ? html.split(new RegExp(`(="(?:${word})"|${word})`)) : [html];
  const blanks = Array.from({ length: rest.length / 2 }, (_, index) => {
    const [found = "", then = ""] = rest.slice(2 * index);
    const isValue = found.startsWith("=");
    return { entry: places.get(isValue ? found.slice(2, -1) : found) ?? -1, isValue, then };
  });
  return { start, blanks };
}

/** Fills every blank with its entry, escaped. */
export function fill({ start, blanks }: Template, entries: Entries): string {
  const escaped = entries.map((entry) => entry === null ? "" : escapeMarkup(entry));
  let html = start;
  for (const { entry, isValue, then } of blanks) {
    const text = escaped[entry];
    // The renderer writes an empty value as the name of its attribute alone, which is the same.
    html += (isValue && text ? `="${text}"` : text) + then;
  }
  return html;
}

const ESCAPES: Readonly<Record<string, string>> = { '"': "&quot;", "&": "&amp;", "<": "&lt;" };

/** Escapes a text for an attribute in double quotes or for the text of an element, as the renderer does. */
export function escapeMarkup(text: string): string {
  return /["&<]/.test(text) ? text.replace(/["&<]/g, (char) => ESCAPES[char] ?? "") : text;
}
