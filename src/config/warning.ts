/**
 * Warnings about a configuration.
 *
 * @module
 */

/** A warning: its code and its message. */
export type Warning = readonly [code: string, message: string];
