/**
 * Icons. They repeat the text beside them, so they are hidden from screen readers.
 *
 * @module
 */
import { type Markup, markup } from "./markup.ts";

/** Paths in a square of 24 by 24. */
const PATHS = {
  envelope: "M4 6h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM3.5 7l8.5 6.5L20.5 7",
  padlock: "M6 11h12a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1zM8 11V8a4 4 0 0 1 8 0v3M12 15v1.5",
  clock: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 7.5V12l3 2",
  notice: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 8v4.5M12 15.75v.01",
} as const;

/** The icons. */
export type IconName = keyof typeof PATHS;

/** Draws an icon in the colour of the text. */
export function icon(name: IconName): Markup {
  return markup`
    <svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d="${PATHS[name]}"></path>
    </svg>
  `;
}

/** Draws the mark of a provider in the colour of the text. */
export function mark(path: string): Markup {
  return markup`
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d="${path}" fill="currentColor"></path>
    </svg>
  `;
}

/** Draws the large icon at the top of a page. */
export function emblem(name: IconName): Markup {
  return markup`<div class="emblem">${icon(name)}</div>`;
}
