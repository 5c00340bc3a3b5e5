/**
 * CSS colours of a configuration: which texts are one, and which text colour is readable on one.
 *
 * @module
 */

const NUMBER = String.raw`[+-]?(?:\d{1,4}(?:\.\d{1,6})?|\.\d{1,6})`;
const PART = `${NUMBER}(?:%|deg|grad|rad|turn)?`;
const COMMAS = `${PART} ?, ?${PART} ?, ?${PART}(?: ?, ?${PART})?`;
const SPACES = `${PART} ${PART} ${PART}(?: ?/ ?${PART})?`;

/** The whole grammar. No quotes, semicolons, braces, escapes or URLs, so a match cannot leave its declaration. */
const GRAMMAR: readonly RegExp[] = [
  /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i,
  new RegExp(`^(?:rgb|hsl)a?\\( ?(?:${COMMAS}|${SPACES}) ?\\)$`, "i"),
  new RegExp(`^oklch\\( ?${SPACES} ?\\)$`, "i"),
  // The words that mean something to every CSS property are no colours.
  /^(?!(?:inherit|initial|revert|unset)$)[a-z]{3,24}$/i,
];

/** Longer than any colour a person writes. */
const LONGEST = 80;

/**
 * Tells whether a text is a CSS colour: hex, `rgb()`, `hsl()` and `oklch()` with numbers, or a word.
 * Such a text is safe to write into a style sheet. A word need not be one that browsers know.
 */
export function isColor(value: unknown): boolean {
  return typeof value === "string" && value.length <= LONGEST && GRAMMAR.some((form) => form.test(value));
}

/** Chooses black or white, whichever has more contrast to an opaque hex colour. `undefined` for any other notation. */
export function readableOn(color: string): "#000" | "#fff" | undefined {
  const light = luminance(color);
  if (light === undefined) return undefined;
  // Contrast to black against contrast to white (WCAG 2.2, "contrast ratio").
  return (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) ? "#000" : "#fff";
}

/** The relative luminance of WCAG 2.2, from 0 for black to 1 for white. */
function luminance(color: string): number | undefined {
  const digits = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(color) ? color.slice(1) : undefined;
  if (digits === undefined) return undefined;
  const wide = digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => linear(parseInt(wide.slice(at, at + 2), 16) / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}
