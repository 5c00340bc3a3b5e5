/**
 * Every snapshot of the gate, as `deno task compatible` prints them.
 *
 * @module
 */
import { COOKIES } from "./cookies.ts";
import type { Snapshot } from "./_snapshot.ts";
import { WIRE } from "./wire.ts";

export const SNAPSHOTS: readonly Snapshot[] = [COOKIES, WIRE];
