/**
 * Warnings about a configuration.
 *
 * @module
 */
import type { LogCode } from "../kernel/log_codes.ts";

/** A warning: its code and its message. */
export type Warning = readonly [code: LogCode, message: string];

/** The most warnings of a code whose text strangers choose in part: by a host, a path or a URL. */
export const MOST_BY_STRANGERS = 4;
