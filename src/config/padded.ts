/**
 * Values that were copied together with what stood around them.
 *
 * @module
 */

/** Whether a value has spaces, line breaks or quotes around it. */
export function isPadded(value: string): boolean {
  return /^\s|\s$|^(["']).*\1$/s.test(value);
}
