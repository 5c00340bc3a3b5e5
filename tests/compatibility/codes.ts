/**
 * Names that programs, operators and pages depend on without importing them: errors and where they lead, codes of the
 * log, callbacks and events, options with their defaults, environment variables, texts and languages.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { OPTIONS } from "../../src/config/options.ts";
import { PROVIDERS } from "../../src/config/provider_options.ts";
import type { Table } from "../../src/config/rows.ts";
import * as errors from "../../src/kernel/errors.ts";
import { codeOf } from "../../src/kernel/log_line.ts";
import { ERROR_ROUTES } from "../../src/request/error_routes.ts";
import { TEXTS } from "../../src/texts/en.ts";
import { LANGUAGES } from "../../src/texts/languages.ts";
import { MAIL_TEXTS } from "../../src/texts/mail.ts";
import type { Change, Snapshot, Verdict } from "./_snapshot.ts";

/** What depends on each kind of line. */
const DEPENDANTS: Readonly<Record<string, string>> = {
  error: "programs and pages",
  log: "alarms and searches in the log",
  option: "configurations",
  env: "environments",
  text: "configurations",
  language: "sites and links",
};

function errorLines(): string[] {
  return Object.entries(errors).flatMap(([name, Made]) => {
    const isRoute = Object.hasOwn(ERROR_ROUTES, name);
    if (!isRoute || !("prototype" in Made)) return [];
    const { page, query } = ERROR_ROUTES[name as keyof typeof ERROR_ROUTES];
    const error = new (Made as typeof errors.AuthError)();
    const family = Object.getPrototypeOf(Made).name as string;
    return [`error ${error.type} is ${family}, leads to ${page}?error=${query}, logs ${codeOf(error)}`];
  });
}

function logLines(): string[] {
  const union = readFileSync("src/kernel/log_codes.ts", "utf8");
  return [...union.matchAll(/^ {2}\| "([a-z0-9-]+)"/gm)].map(([, code]) => `log ${code}`);
}

function optionLines(table: Table, path: string): string[] {
  return Object.entries(table).flatMap(([name, { otherwise, members }]) => {
    const text = otherwise === undefined || typeof otherwise === "function" ? "" : ` = ${JSON.stringify(otherwise)}`;
    return [`option ${path}${name}${text}`, ...members ? optionLines(members, `${path}${name}.`) : []];
  });
}

function textLines(texts: object): string[] {
  return Object.entries(texts).flatMap(([name, text]) => {
    const placeholders = new Set(String(text).match(/\{\w+\}/g));
    return [`text ${name}`, ...[...placeholders].map((each) => `text ${name} ${each}`)];
  });
}

function variableLines(): string[] {
  const lines = readFileSync("docs/options.md", "utf8").split("\n").filter((line) => /^- `(?:NEXT)?AUTH_/.test(line));
  return lines.flatMap((line) => line.match(/(?<=`)(?:NEXT)?AUTH_[\w<>]+(?=`)/g) ?? []).map((name) => `env ${name}`);
}

function current(): string[] {
  return [
    ...errorLines(),
    ...logLines(),
    ...optionLines(OPTIONS, ""),
    ...Object.entries(PROVIDERS).flatMap(([type, table]) => optionLines(table, `${type}()/`)),
    ...variableLines(),
    ...textLines(TEXTS),
    ...textLines(MAIL_TEXTS),
    ...LANGUAGES.map(({ tag }) => `language ${tag}`),
  ];
}

/** The first words, up to what is said of them. A placeholder of a text is a promise of its own. */
export function keyOf(line: string): string {
  return line.replace(/ (?:is|=) .*$/, "");
}

/** Judges a change: names may come, and none may go or mean something else. */
export function judge(change: Change): Verdict {
  if (change.kind === "added") return { level: "minor" };
  const [kind = "", ...name] = keyOf(change.before).split(" ");
  const what = change.kind === "changed" ? `rely on what "${name.join(" ")}" was` : `name "${name.join(" ")}"`;
  return { level: "major", breaks: `${DEPENDANTS[kind] ?? "programs"} that ${what}` };
}

export const CODES: Snapshot = {
  id: "codes",
  unit: "names of errors, log lines, options and texts",
  current: () => Promise.resolve(current()),
  keyOf,
  judge,
};
