/**
 * CSS colours in the configuration: which texts are valid, and which text colour is readable on a background.
 *
 * @module
 */

const NUMBER = String.raw`[+-]?(?:\d{1,4}(?:\.\d{1,6})?|\.\d{1,6})`;
const PART = `${NUMBER}(?:%|deg|grad|rad|turn)?`;
const COMMAS = `${PART} ?, ?${PART} ?, ?${PART}(?: ?, ?${PART})?`;
const SPACES = `${PART} ${PART} ${PART}(?: ?/ ?${PART})?`;

/** The accepted notations. They have no quotes, semicolons, braces, escapes or URLs, so a match cannot end its declaration. */
const GRAMMAR: readonly RegExp[] = [
  /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i,
  new RegExp(`^(?:rgb|hsl)a?\\( ?(?:${COMMAS}|${SPACES}) ?\\)$`, "i"),
  new RegExp(`^oklch\\( ?${SPACES} ?\\)$`, "i"),
  // Keywords such as `inherit` are valid for every CSS property, but they are not colours.
  /^(?!(?:inherit|initial|revert|unset)$)[a-z]{3,24}$/i,
];

/** The most characters of a colour, which is more than anybody writes. */
const LONGEST = 80;

/**
 * Whether a value is a CSS colour that is safe in a style sheet: hex, `rgb()`, `hsl()` or `oklch()` with numbers, or a
 * word. The word need not be a colour that browsers know.
 */
export function isColor(value: unknown): boolean {
  return typeof value === "string" && value.length <= LONGEST && GRAMMAR.some((form) => form.test(value));
}

/** Chooses the text colour with more contrast on a background. `undefined` unless that is an opaque hex colour. */
export function readableOn(color: string): "#000" | "#fff" | undefined {
  const [black, white] = [contrastOf(color, "#000"), contrastOf(color, "#fff")];
  if (black === undefined || white === undefined) return undefined;
  return black >= white ? "#000" : "#fff";
}

/** The contrast ratio of WCAG 2.2, from 1 to 21. `undefined` unless both are opaque hex colours. */
export function contrastOf(one: string, other: string): number | undefined {
  const [first, second] = [luminance(one), luminance(other)];
  if (first === undefined || second === undefined) return undefined;
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
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
