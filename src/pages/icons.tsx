/**
 * Icons. They repeat the text beside them, so they are hidden from screen readers.
 *
 * @module
 */
import type { VNode } from "preact";

/** Paths in a square of 24 by 24. */
const PATHS = {
  envelope: "M4 6h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM3.5 7l8.5 6.5L20.5 7",
  padlock: "M6 11h12a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1zM8 11V8a4 4 0 0 1 8 0v3M12 15v1.5",
  clock: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 7.5V12l3 2",
  notice: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 8v4.5M12 15.75v.01",
} as const;

/** The icons. */
export type IconName = keyof typeof PATHS;

/** Renders an icon in the colour of the text. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** Renders the mark of a provider in the colour of the text. */
export function Mark({ path }: { readonly path: string }): VNode {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} fill="currentColor" />
    </svg>
  );
}

/** Renders the large icon at the top of a page. */
export function Emblem({ name }: { readonly name: IconName }): VNode {
  return (
    <div class="emblem">
      <Icon name={name} />
    </div>
  );
}
