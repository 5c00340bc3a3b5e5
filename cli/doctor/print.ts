/**
 * Writes a report: for people in lines of 80 columns, for programs as one object a line.
 *
 * @module
 */
import { EXIT_CODES } from "../terminal/exit_codes.ts";
import { wrapped } from "../terminal/wrapped.ts";
import type { DoctorReport, Finding, Level } from "./finding.ts";

/** How a report ends the command. */
export function exitCodeOf({ findings }: Pick<DoctorReport, "findings">): number {
  if (findings.some(({ level }) => level === "error")) return EXIT_CODES.errors;
  return findings.some(({ level }) => level === "warning") ? EXIT_CODES.warnings : EXIT_CODES.sound;
}

/** Writes a report for programs: what was asked, what to register, what is wrong, and how much of it. */
export function jsonLines({ version, findings, callbacks, ...asked }: DoctorReport): string {
  const lines = [
    { kind: "site", ...asked },
    ...callbacks.map((each) => ({ kind: "callback", ...each })),
    ...findings.map((each) => ({ kind: "finding", ...each })),
    { kind: "end", ...counts(findings) },
  ];
  return lines.map((line) => `${JSON.stringify({ version, ...line })}\n`).join("");
}

const COLORS: Readonly<Record<Level, string>> = { error: "\x1b[31m", warning: "\x1b[33m", note: "\x1b[36m" };

/** Writes a report for people. */
export function textOf({ site, basePath, findings, callbacks, requests }: DoctorReport, hasColors: boolean): string {
  const where = basePath === null ? site : `${site}${basePath}`;
  const register = callbacks.map(({ provider, url }) => `  ${provider}\n    ${url}\n`);
  const { errors, warnings, notes } = counts(findings);
  return [
    `${where}\n\n`,
    ...findings.map((finding) => findingText(finding, hasColors)),
    ...(register.length > 0 ? ["Callback URLs to register at the providers:\n", ...register, "\n"] : []),
    `${counted(errors, "error")}, ${counted(warnings, "warning")}, ${counted(notes, "note")}; ${
      counted(requests, "request")
    }\n`,
  ].join("");
}

function findingText({ id, level, says, fix }: Finding, hasColors: boolean): string {
  const name = hasColors ? `${COLORS[level]}${level}\x1b[0m` : level;
  return `${name} ${id}\n${wrapped(`${says}.`)}${wrapped(`Fix: ${fix}.`)}\n`;
}

function counts(findings: readonly Finding[]): Readonly<Record<"errors" | "warnings" | "notes", number>> {
  const of = (level: Level) => findings.filter((each) => each.level === level).length;
  return { errors: of("error"), warnings: of("warning"), notes: of("note") };
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
