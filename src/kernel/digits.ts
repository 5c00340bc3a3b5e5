/**
 * Digits as keyboards of several languages write them.
 *
 * @module
 */

/** The zero of each script, after which its other digits follow: ours, Arabic, Persian, Devanagari and full width. */
const ZEROS = [0x30, 0x660, 0x6f0, 0x966, 0xff10];

/** The digits, as a class of a regular expression and of the attribute `pattern`. */
export const ANY_DIGIT: string = `[${ZEROS.map((zero) => String.fromCharCode(zero, 0x2d, zero + 9)).join("")}]`;

const ANY = new RegExp(ANY_DIGIT, "g");

/** Reads a code of digits, also with spaces and in digits of another script. `null` if it has not so many, or anything else. */
export function readDigits(typed: string, length: number): string | null {
  const code = typed.replace(/\s/g, "");
  const plain = code.length === length ? code.replaceAll(ANY, plainDigit) : "";
  return /^\d+$/.test(plain) ? plain : null;
}

function plainDigit(digit: string): string {
  const code = digit.charCodeAt(0);
  return String(code - (ZEROS.findLast((zero) => zero <= code) ?? 0));
}
