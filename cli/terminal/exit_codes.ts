/**
 * How the command ends.
 *
 * @module
 */

/** The codes with which the command ends. Notes alone are sound. */
export const EXIT_CODES = { sound: 0, errors: 1, usage: 2, warnings: 3 } as const;
