/**
 * Warnings about a configuration.
 *
 * @module
 */
import type { LogCode } from "../kernel/log_codes.ts";

/** A warning: its code and its message. */
export type Warning = readonly [code: LogCode, message: string];
