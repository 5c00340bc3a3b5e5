/**
 * The release before this one, and what has changed in the promises since.
 *
 * @module
 */
import { linesOf, pathOf, readOverrides, readSnapshot } from "../../tests/compatibility/_files.ts";
import { isForbidden, levelOf, type Override, type Snapshot, weigh } from "../../tests/compatibility/_snapshot.ts";
import { run } from "../npm/run.ts";
import { compareVersions, type Level } from "./version.ts";

/** The release before. */
export interface LastRelease {
  readonly version: string;
  /** Its tag. Absent for a release that was never tagged: nothing is known of it but what the changelog says. */
  readonly tag?: string;
}

/** Chooses the highest version below the one that is released, by the tags, or by the changelog if there are none. */
export function lastOf(tags: readonly string[], changelog: string, releasing?: string): LastRelease {
  const isEarlier = (version: string) => releasing === undefined || compareVersions(version, releasing) < 0;
  const tagged = versionsIn(tags, /^v(\d+\.\d+\.\d+)$/).filter(isEarlier);
  const written = versionsIn(changelog.split("\n"), /^## (\d+\.\d+\.\d+)\b/).filter(isEarlier);
  const [version = written[0]] = tagged;
  if (version === undefined) throw new Error("There is no release before this one, neither a tag nor in CHANGELOG.md");
  return tagged.length > 0 ? { version, tag: `v${version}` } : { version };
}

/** The versions that a pattern finds, the highest first. */
function versionsIn(texts: readonly string[], pattern: RegExp): string[] {
  return texts.flatMap((text) => pattern.exec(text)?.[1] ?? []).sort(compareVersions).reverse();
}

/** A snapshot, as the last release has recorded it and as it is recorded now. */
export interface Recorded {
  readonly snapshot: Pick<Snapshot, "id" | "keyOf" | "judge">;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** What has changed since the last release. */
export interface Changes {
  readonly level: Level;
  /** Why each promise was broken, in the words of the overrides. */
  readonly reasons: readonly string[];
}

/**
 * Weighs what has changed since the last release, and finds the overrides that allow it. An override whose change the
 * last release had already says nothing any more.
 *
 * @throws {Error} for a broken promise that no override allows.
 */
export function changesOf(recorded: readonly Recorded[], overrides: readonly Override[]): Changes {
  // With what the last release did not record nothing can be compared. Somebody said what was broken, or nothing was.
  const compared = recorded.filter(({ before }) => before.length > 0);
  const findings = compared.flatMap(({ snapshot, before, after }) => weigh(snapshot, before, after, overrides));
  const forbidden = findings.filter(isForbidden).length;
  if (forbidden > 0) throw new Error(`${forbidden} promises are broken: \`deno task compatible\` names each of them`);
  const told = overrides.filter(({ snapshot: id }) => !compared.some(({ snapshot }) => snapshot.id === id));
  const reasons = [...findings.flatMap(({ reason = [] }) => reason), ...told.map(({ reason }) => reason)];
  const hasNew = recorded.some(({ before, after }) => before.length === 0 && after.length > 0);
  const level = told.length > 0 ? "major" : levelOf(findings);
  return { level: level === "patch" && hasNew ? "minor" : level, reasons: [...new Set(reasons)] };
}

/** Reads from git and from the tree what has changed since the last release. */
export async function changesSince({ tag }: LastRelease, snapshots: readonly Snapshot[]): Promise<Changes> {
  const recorded: Recorded[] = [];
  for (const snapshot of snapshots) {
    const before = tag === undefined ? "" : await fileAt(tag, pathOf(snapshot.id));
    recorded.push({ snapshot, before: linesOf(before), after: readSnapshot(snapshot.id) });
  }
  return changesOf(recorded, readOverrides());
}

/** The text of a file at a tag. Empty if it was not there. */
async function fileAt(tag: string, path: string): Promise<string> {
  const found = await run("git", ["ls-tree", "--name-only", tag, "--", path]);
  return found ? await run("git", ["show", `${tag}:${path}`]) : "";
}
