/**
 * Names that people type.
 *
 * @module
 */

/** What no name has: it breaks a line, or turns the direction of what stands beside the name. */
export const UNFIT_IN_NAMES: RegExp = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/u;
