/**
 * Comparisons as Markdown.
 *
 * @module
 */
import { ratio, type Rounds, summarize, type Summary } from "./measure.ts";
import { type NoteName, NOTES } from "./notes.ts";
import { NAMES, type SideName } from "./sides/side.ts";

/** One row: what every side took. */
export interface Comparison {
  readonly name: string;
  readonly rounds: Rounds;
  readonly notes: readonly NoteName[];
}

/** A table of rows with the same unit. */
export interface Table {
  readonly title: string;
  readonly rows: readonly Comparison[];
  /** Puts a value into words. */
  readonly show: (value: number) => string;
  /** Whether more is better, as with requests per second. */
  readonly moreIsBetter?: boolean;
}

const OURS: SideName = "@x/auth";

/** Writes a table. Each ratio is the median of all rounds and their range; above 1 we are better. */
export function writeTable(table: Table): string {
  const names = NAMES.filter((name) => table.rows.some(({ rounds }) => rounds.has(name)));
  const head = names.flatMap((name) => name === OURS ? [name] : [name, "ratio"]);
  const used = [...new Set(table.rows.flatMap(({ notes }) => notes))];
  const rows = table.rows.map((row) => {
    const marks = row.notes.map((note) => `[${used.indexOf(note) + 1}]`).join(" ");
    return [`${row.name} ${marks}`.trim(), ...names.flatMap((name) => cells(table, row, name))];
  });
  const notes = used.map((note, index) => `- [${index + 1}] ${NOTES[note]}`);
  return [`### ${table.title}`, "", ...grid(["", ...head], rows), "", ...notes].join("\n").trimEnd();
}

function cells({ show, moreIsBetter }: Table, { rounds }: Comparison, name: SideName): string[] {
  const [ours, theirs] = [rounds.get(OURS), rounds.get(name)];
  if (!ours || !theirs) return ["–", "–"];
  const value = show(summarize(theirs).median);
  if (name === OURS) return [value];
  return [value, showRatio(moreIsBetter ? ratio(ours, theirs) : ratio(theirs, ours))];
}

/** Puts a ratio into words: its median and, when there were several rounds, their range. */
export function showRatio({ median, min, max }: Summary): string {
  const range = min === max ? "" : ` (${digits(min)}–${digits(max)})`;
  return `**${digits(median)}**${range}`;
}

function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** Writes rows under a head; all columns but the first are numbers. */
export function grid(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (parts: readonly string[]): string => `| ${parts.join(" | ")} |`;
  return [line(head), line(head.map((_, column) => column ? "--:" : "---")), ...rows.map(line)];
}
