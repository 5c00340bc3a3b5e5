/**
 * Writes what was found in session cookies.
 *
 * @module
 */
import { EXIT_CODES } from "../terminal/exit_codes.ts";
import { visible } from "../terminal/visible.ts";
import { wrapped } from "../terminal/wrapped.ts";
import type { SessionFinding, SessionReport, SessionVerdict } from "./report.ts";

/** What may be a session, but not by the secret alone. */
const UNSURE: ReadonlySet<SessionVerdict> = new Set(["stored", "next-auth-v4", "better-auth"]);

/** Names of other cookies that are listed at most. */
const MOST_NAMES = 10;

/** How the command ends. */
export function exitCodeOf({ cookies }: SessionReport): number {
  if (cookies.length === 0) return EXIT_CODES.errors;
  if (cookies.some(({ verdict }) => verdict !== "opens" && !UNSURE.has(verdict))) return EXIT_CODES.errors;
  return cookies.some(({ verdict }) => verdict !== "opens") ? EXIT_CODES.warnings : EXIT_CODES.sound;
}

/** Writes a report for people. @param now Milliseconds since 1970. */
export function textOf({ cookies, others }: SessionReport, now: number): string {
  if (cookies.length > 0) return cookies.map((each) => findingText(each, now)).join("\n");
  const names = others.slice(0, MOST_NAMES).map((name) => name.slice(0, 80)).join(", ");
  return visible(`There is no session cookie among ${names}.`) + "\n  Fix: Name it with --cookie if it was renamed.\n";
}

/** Writes a report for programs, in one line. */
export function jsonOf(report: SessionReport): string {
  return `${visible(JSON.stringify(report))}\n`;
}

function findingText(finding: SessionFinding, now: number): string {
  const { name, parts, verdict, says, fix, issued, expires, claims, row, notes } = finding;
  const title = `${name ?? "a value without a name"}${parts > 1 ? ` (${parts} cookies)` : ""}: ${verdict}`;
  const sentences = [`${says}.`, ...(fix === null ? [] : [`Fix: ${fix}.`]), ...notes.map((note) => `${note}.`)];
  const lines = [
    ...(row === null ? [] : [`Its row: ${row}`]),
    ...(issued === null ? [] : [`Issued: ${issued}, ${ago(issued, now)}`]),
    ...(expires === null ? [] : [`Expires: ${expires}, ${ago(expires, now)}`]),
    ...Object.entries(claims ?? {}).map(([claim, value]) => `${claim}: ${JSON.stringify(value)}`),
  ];
  return [
    `${visible(title)}\n`,
    ...sentences.map((sentence) => wrapped(visible(sentence))),
    ...lines.map((line) => `  ${visible(line)}\n`),
  ].join("");
}

const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [24 * 60 * 60, "day"],
  [60 * 60, "hour"],
  [60, "minute"],
  [1, "second"],
];

function ago(iso: string, now: number): string {
  const seconds = Math.round((now - Date.parse(iso)) / 1000);
  const [size, name] = UNITS.find(([size]) => Math.abs(seconds) >= size) ?? [1, "second"];
  const count = Math.floor(Math.abs(seconds) / size);
  const span = `${count} ${name}${count === 1 ? "" : "s"}`;
  return seconds >= 0 ? `${span} ago` : `in ${span}`;
}
