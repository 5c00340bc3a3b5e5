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

export const SNAPSHOTS: readonly Snapshot[] = [EXPORTS, PROGRAMS, COOKIES, CODES];
