/**
 * The files of the gate: what is recorded, and what is allowed to change.
 *
 * @module
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type Override, sorted } from "./_snapshot.ts";

const HOME = "tests/compatibility";

/** Where a snapshot is recorded. */
export function pathOf(id: string): string {
  return `${HOME}/${id}.txt`;
}

/** Reads the lines of a snapshot. None if it was never recorded. */
export function readSnapshot(id: string): string[] {
  const path = pathOf(id);
  return existsSync(path) ? linesOf(readFileSync(path, "utf8")) : [];
}

/** Splits the text of a snapshot, such as that of an earlier commit. */
export function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** Records lines. */
export function writeSnapshot(id: string, lines: readonly string[]): void {
  writeFileSync(pathOf(id), `${sorted([...new Set(lines)]).join("\n")}\n`);
}

/** Reads what is allowed to change. @throws {Error} for a file that does not say what, or why. */
export function readOverrides(folder = `${HOME}/overrides`): Override[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")).sort() : [];
  return names.map((name) => asOverride(`${folder}/${name}`, readFileSync(`${folder}/${name}`, "utf8")));
}

/** Parses an override. @throws {Error} if it does not say what, or why. */
export function asOverride(path: string, text: string): Override {
  const { snapshot, removed = [], added = [], reason } = JSON.parse(text) as Partial<Override>;
  if (typeof snapshot !== "string") throw new Error(`${path}: "snapshot" has to be the id of a snapshot`);
  if (![removed, added].every(isLines)) throw new Error(`${path}: "removed" and "added" have to be lists of lines`);
  if (removed.length + added.length === 0) throw new Error(`${path}: "removed" or "added" has to list a line`);
  if (typeof reason !== "string" || !/^[A-Z`].{20,}\.$/s.test(reason)) {
    throw new Error(`${path}: "reason" has to be a sentence for those whose programs break`);
  }
  return { snapshot, removed, added, reason };
}

function isLines(value: unknown): boolean {
  return Array.isArray(value) && value.every((line) => typeof line === "string");
}
