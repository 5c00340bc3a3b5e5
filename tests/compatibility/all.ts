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
import { SCHEMA } from "./schema.ts";
import { TYPES } from "./types.ts";
import { WIRE } from "./wire.ts";

export const SNAPSHOTS: readonly Snapshot[] = [EXPORTS, PROGRAMS, TYPES, WIRE, COOKIES, SCHEMA, CODES];
