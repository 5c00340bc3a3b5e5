/**
 * Every snapshot of the gate, as `deno task compatible` prints them.
 *
 * @module
 */
import type { Snapshot } from "./_snapshot.ts";
import { CODES } from "./codes.ts";
import { COOKIES } from "./cookies.ts";
import { EXPORTS } from "./exports.ts";
import { PROGRAMS } from "./programs.ts";
import { TYPES } from "./types.ts";

export const SNAPSHOTS: readonly Snapshot[] = [EXPORTS, PROGRAMS, TYPES, COOKIES, CODES];
