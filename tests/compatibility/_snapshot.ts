/**
 * Snapshots of what this package promises, and what may change in them.
 *
 * A snapshot is a file of sorted lines, one line a promise, so that the history of a promise is that of its line. What
 * holds now is compared with what was recorded, and a pure function of each snapshot says what a difference means.
 *
 * @module
 */

/** One promise that is not as it was recorded. `at` is its line in the file of the snapshot. */
export type Change =
  | { readonly kind: "removed"; readonly before: string; readonly at: number }
  | { readonly kind: "changed"; readonly before: string; readonly at: number; readonly after: string }
  | { readonly kind: "added"; readonly after: string };

/**
 * What a change means for those who use the package. A `patch` keeps every promise and need not be recorded. A `minor`
 * change is recorded with `--write`. A `major` one breaks `breaks`: words that go on after "This breaks".
 */
export type Verdict =
  | { readonly level: "patch" | "minor" }
  | { readonly level: "major"; readonly breaks: string };

/** What is recorded and what holds now, by the keys of the lines, for a change whose meaning depends on others. */
export interface Both {
  had(key: string): boolean;
  has(key: string): boolean;
  /** The line that a key has now. The first of several. */
  now(key: string): string | undefined;
}

/** A list of promises. */
export interface Snapshot {
  /** The name of its file, `tests/compatibility/<id>.txt`, and of its line in what `deno task compatible` prints. */
  readonly id: string;
  /** What its lines are, for "2,113 symbols". */
  readonly unit: string;
  /**
   * What it takes to compare it, besides a checkout: the programs of earlier releases out of the history, which are
   * compiled for a minute, or the built npm package. Then it is compared where that is, and not by the quick tests.
   */
  readonly needs?: "history" | "package";
  /** Lists what holds now. The order does not matter. */
  current(): Promise<readonly string[]>;
  /** The part of a line that names the promise, so that a line with the same key is the same promise. The whole line by default. */
  keyOf?(line: string): string;
  /** Says what a change means. Pure: same change, same verdict. */
  judge(change: Change, both: Both): Verdict;
}

/** A change and its meaning. `reason` is that of the override which allows it. */
export interface Finding {
  readonly change: Change;
  readonly verdict: Verdict;
  readonly reason?: string;
}

/** A file that allows a forbidden change, and says why. The changelog repeats the reason. */
export interface Override {
  /** The id of the snapshot. */
  readonly snapshot: string;
  /** The recorded lines that may go or change. */
  readonly removed?: readonly string[];
  /** New lines that are allowed although they break something, such as an option that has to be given. */
  readonly added?: readonly string[];
  /** A sentence for those whose programs break: what changed, why, and what to do. */
  readonly reason: string;
}

const whole = (line: string): string => line;

/** Sorts lines as a snapshot has them: by code units, so that every machine agrees. */
export function sorted(lines: readonly string[]): string[] {
  return [...lines].sort((a, b) => a < b ? -1 : a > b ? 1 : 0);
}

/** Compares recorded lines with those that hold now. Lines with the same key are the same promise. */
export function compare(
  before: readonly string[],
  after: readonly string[],
  keyOf: (line: string) => string = whole,
): Change[] {
  const added = Map.groupBy(sorted(without(after, before)), keyOf);
  const gone = new Set(without(before, after));
  const changes: Change[] = [];
  for (const [index, line] of before.entries()) {
    if (!gone.delete(line)) continue;
    const next = added.get(keyOf(line))?.shift();
    const place = { before: line, at: index + 1 };
    changes.push(next === undefined ? { kind: "removed", ...place } : { kind: "changed", ...place, after: next });
  }
  for (const line of [...added.values()].flat()) changes.push({ kind: "added", after: line });
  return changes;
}

/** Lines of one list that are not in another. A line that is there twice counts once. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return [...new Set(lines)].filter((line) => !known.has(line));
}

/** Judges every change of a snapshot. What needs not be recorded is left out. */
export function weigh(
  { id, keyOf = whole, judge }: Pick<Snapshot, "id" | "keyOf" | "judge">,
  before: readonly string[],
  after: readonly string[],
  overrides: readonly Override[] = [],
): Finding[] {
  const [old, now] = [new Set(before.map(keyOf)), new Map(after.toReversed().map((line) => [keyOf(line), line]))];
  const both: Both = { had: (key) => old.has(key), has: (key) => now.has(key), now: (key) => now.get(key) };
  const own = overrides.filter(({ snapshot }) => snapshot === id);
  return compare(before, after, keyOf).map((change): Finding => {
    const verdict = judge(change, both);
    const allowed = verdict.level === "major" ? own.find((override) => allows(override, change)) : undefined;
    return { change, verdict, ...allowed && { reason: allowed.reason } };
  }).filter(({ verdict }) => verdict.level !== "patch");
}

function allows({ removed = [], added = [] }: Override, change: Change): boolean {
  return change.kind === "added" ? added.includes(change.after) : removed.includes(change.before);
}

/** Whether a finding must not happen without an override. */
export function isForbidden({ verdict, reason }: Finding): boolean {
  return verdict.level === "major" && reason === undefined;
}

/** The version that the findings ask for at least. */
export function levelOf(findings: readonly Finding[]): Verdict["level"] {
  const levels = findings.map(({ verdict }) => verdict.level);
  return levels.includes("major") ? "major" : levels.includes("minor") ? "minor" : "patch";
}
