/**
 * Text of strangers, as a terminal may show it.
 *
 * @module
 */

// Line ends, escape sequences of terminals, and characters that change the writing direction.
// deno-lint-ignore no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Escapes control characters. JSON that is written without spaces stays the same JSON. */
export function visible(text: string): string {
  return text.replace(CONTROL, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
