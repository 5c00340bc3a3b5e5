/**
 * Every snapshot of the gate, as `deno task compatible` prints them.
 *
 * @module
 */
import type { Snapshot } from "./_snapshot.ts";

export const SNAPSHOTS: readonly Snapshot[] = [];
