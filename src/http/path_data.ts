/**
 * The shapes of marks in the configuration.
 *
 * @module
 */

/** The most characters of a shape: several times what a mark needs. */
const LONGEST = 8192;

/** Commands, numbers, and what may stand between them. No character of it can end an attribute or begin an element. */
const GRAMMAR = /^[ \t\n\f\r]*[Mm][\d \t\n\f\r.,+\-AaCcEeHhLlMmQqSsTtVvZz]+$/;

/**
 * Whether a text is made of what path data of SVG is made of. What the commands draw is not checked: browsers draw path
 * data up to its first error.
 *
 * @see {@link https://www.w3.org/TR/SVG2/paths.html#PathDataBNF | Path data in SVG 2}
 */
export function isPathData(value: unknown): value is string {
  return typeof value === "string" && value.length <= LONGEST && GRAMMAR.test(value);
}
