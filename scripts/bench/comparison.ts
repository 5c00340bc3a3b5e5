/**
 * Writes comparisons as Markdown tables.
 *
 * @module
 */
import { ratio, type Rounds, summarize, type Summary } from "./measure.ts";
import { type FootnoteName, FOOTNOTES } from "./footnotes.ts";
import { NAMES, type SideName } from "./sides/side.ts";

/** One row: the measurements of every side. */
export interface Comparison {
  readonly name: string;
  readonly rounds: Rounds;
  readonly notes: readonly FootnoteName[];
}

/** A table whose rows have the same unit. */
export interface Table {
  readonly title: string;
  readonly rows: readonly Comparison[];
  /** What a reader may conclude, in a plain sentence. */
  readonly conclusion: string;
  /** Formats a value. */
  readonly show: (value: number) => string;
  /** Whether more is better, as with requests per second. */
  readonly moreIsBetter?: boolean;
}

const OURS: SideName = "@x/auth";

/** Writes a table. Each ratio is the median and the range of all rounds. Above 1, `@x/auth` is better. */
export function writeTable(table: Table): string {
  const names = NAMES.filter((name) => table.rows.some(({ rounds }) => rounds.has(name)));
  const head = names.flatMap((name) => name === OURS ? [name] : [name, "ratio"]);
  const used = [...new Set(table.rows.flatMap(({ notes }) => notes))];
  const rows = table.rows.map((row) => {
    const marks = row.notes.map((note) => `[${used.indexOf(note) + 1}]`).join(" ");
    return [`${row.name} ${marks}`.trim(), ...names.flatMap((name) => cells(table, row, name))];
  });
  const notes = used.map((note, index) => `- [${index + 1}] ${FOOTNOTES[note]}`);
  const text = [table.conclusion, othersAsGood(table)].join(" ").trimEnd();
  return [`### ${table.title}`, "", text, "", ...markdownTable(["", ...head], rows), "", ...notes].join("\n").trimEnd();
}

/** The largest ratio at which another library counts as good as this one. */
const AS_GOOD = 1.2;

/** Says in which rows another library is as good, or better. Empty if the table compares with none. */
export function othersAsGood(table: Table): string {
  const others = NAMES.filter((name) => name !== OURS && name !== "floor");
  const compared = others.filter((name) => table.rows.some(({ rounds }) => rounds.has(OURS) && rounds.has(name)));
  if (compared.length === 0) return "";
  const found = compared.flatMap((name) => {
    const rows = table.rows.filter((row) => (ratioTo(table, row, name)?.median ?? Infinity) <= AS_GOOD);
    return rows.length > 0 ? [`${name} in ${rows.map((row) => `“${row.name}”`).join(", ")}`] : [];
  });
  if (found.length === 0) return "No other library is as good in any row.";
  return `As good or better (a ratio up to ${AS_GOOD} counts as equal): ${found.join("; ")}.`;
}

function ratioTo({ moreIsBetter }: Table, { rounds }: Comparison, name: SideName): Summary | null {
  const [ours, theirs] = [rounds.get(OURS), rounds.get(name)];
  if (!ours || !theirs) return null;
  return moreIsBetter ? ratio(ours, theirs) : ratio(theirs, ours);
}

function cells(table: Table, row: Comparison, name: SideName): string[] {
  const compared = ratioTo(table, row, name);
  const value = compared ? table.show(summarize(row.rounds.get(name) ?? []).median) : "–";
  if (name === OURS) return [value];
  return [value, compared ? showRatio(compared) : "–"];
}

/** Formats a ratio: its median and, after several rounds, its range. */
export function showRatio({ median, min, max }: Summary): string {
  const range = min === max ? "" : ` (${digits(min)}–${digits(max)})`;
  return `**${digits(median)}**${range}`;
}

function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** Writes a table. All columns but the first are aligned as numbers. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (parts: readonly string[]): string => `| ${parts.join(" | ")} |`;
  return [line(head), line(head.map((_, column) => column ? "--:" : "---")), ...rows.map(line)];
}
