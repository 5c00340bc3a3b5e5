/**
 * What the types cost whoever compiles an application or edits one.
 *
 * @module
 */
import { realpath } from "node:fs/promises";
import { buildNpm } from "../../scripts/build_npm.ts";
import { fetchRuntime, nodeOnPath } from "../../scripts/npm/runtimes.ts";
import { countTypes } from "../../scripts/npm/type_cost.ts";
import type { Change, Snapshot, Verdict } from "./_snapshot.ts";

/** How far a cost may move from what is recorded: a tenth. */
const SHARE = 0.1;

async function current(): Promise<string[]> {
  const { tarball } = await buildNpm("npm");
  const node = await nodeOnPath() ?? await fetchRuntime("node-24", "npm/runtimes");
  return await countTypes("npm/type_cost", { tarball: await realpath(tarball), node, progress: () => {} });
}

/** What the application has. */
export function keyOf(line: string): string {
  return line.slice(0, line.lastIndexOf(": "));
}

/** Judges a change: within a tenth nothing has happened. Less is recorded, so that it does not become more again. */
export function judge(change: Change): Verdict {
  if (change.kind === "added") return { level: "minor" };
  const name = keyOf(change.before);
  if (change.kind === "removed") return { level: "major", breaks: `the promise of what "${name}" costs compilers` };
  const [before, after] = [countOf(change.before), countOf(change.after)];
  if (Math.abs(after - before) <= before * SHARE) return { level: "patch" };
  if (after < before) return { level: "minor" };
  const more = Math.round((after / before - 1) * 100);
  return { level: "major", breaks: `the speed of editors and compilers: "${name}" costs ${more} % more` };
}

function countOf(line: string): number {
  return Number(line.slice(line.lastIndexOf(": ") + 2));
}

export const TYPES: Snapshot = { id: "types", unit: "applications", needs: "package", current, keyOf, judge };
