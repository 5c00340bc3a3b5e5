/**
 * Every snapshot of the gate, as `deno task compatible` prints them.
 *
 * @module
 */
import type { Snapshot } from "./_snapshot.ts";
import { codes } from "./codes.ts";
import { COOKIES } from "./cookies.ts";
import { exports } from "./exports.ts";
import { SCHEMA } from "./schema.ts";
import { WIRE } from "./wire.ts";

export const SNAPSHOTS: readonly Snapshot[] = [exports, WIRE, COOKIES, SCHEMA, codes];
