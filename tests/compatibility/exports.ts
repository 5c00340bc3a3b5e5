/**
 * The public API: every name of every subpath, every function, and every member of every type.
 *
 * @module
 */
import type { Snapshot } from "./_snapshot.ts";
import { readDocs } from "./exports/_doc.ts";
import { judge, keyOf } from "./exports/_judge.ts";
import { linesOf } from "./exports/_lines.ts";

export const EXPORTS: Snapshot = {
  id: "exports",
  unit: "names, functions and members",
  current: async () => linesOf(await readDocs()),
  keyOf,
  judge,
};
