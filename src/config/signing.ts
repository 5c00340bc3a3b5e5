/**
 * The algorithms that providers sign with, in the terms of RFC 7518.
 *
 * @module
 */

/** Whether an algorithm is one with a shared secret. */
export function isMac(alg: string | undefined): boolean {
  return alg !== undefined && /^HS(?:256|384|512)$/.test(alg);
}
