/**
 * What the benchmark prints: its progress, the machine that it runs on, and the report in `BENCHMARKS.md`.
 *
 * @module
 */
import { versionOf } from "./packages.ts";

const PAGE = "BENCHMARKS.md";
const BEGIN = "<!-- measured:begin -->";
const END = "<!-- measured:end -->";

/** The packages whose versions the report names. */
const COMPARED = ["@auth/core", "better-auth", "@auth/express", "@auth/pg-adapter", "express", "pg"];

/** Prints what the benchmark does now. */
export type Progress = (what: string) => void;

/** Prints progress on standard error, with the seconds since the start. Standard output is for the report alone. */
export function startProgress(): Progress {
  const start = performance.now();
  return (what) => {
    const seconds = ((performance.now() - start) / 1000).toFixed(0).padStart(4);
    Deno.stderr.writeSync(new TextEncoder().encode(`${seconds} s  ${what}\n`));
  };
}

/** Describes what is compared, and where: the first lines of a report. */
export function describeMachine(quick: boolean): string {
  const versions = COMPARED.map((name) => `${name} ${versionOf(name)}`);
  return `${navigator.hardwareConcurrency} cores, ${Deno.build.target}, Deno ${Deno.version.deno}, ` +
    `V8 ${Deno.version.v8}; ${versions.join(", ")}${quick ? "; a quick run: rough figures only" : ""}.`;
}

/**
 * Puts a report into `BENCHMARKS.md`. Tables that are there already are replaced; others stay, so that a report can be
 * measured in parts.
 */
export async function saveReport(report: string): Promise<void> {
  const page = await Deno.readTextFile(PAGE);
  await Deno.writeTextFile(PAGE, withReport(page, report));
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", PAGE] }).output();
}

/** Puts a report into the text of a page. @throws {Error} if the page has no marks for it. */
export function withReport(page: string, report: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`Cannot write the report: ${PAGE} has no marks for it`);
  const known = sectionsOf(page.slice(begin + BEGIN.length, end));
  const fresh = sectionsOf(report);
  const merged = new Map([...known, ...fresh]);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${[...merged.values()].join("\n\n")}\n\n${page.slice(end)}`;
}

/** The sections of a report by their headings; the first one has none. Versions in headings do not count. */
function sectionsOf(report: string): Map<string, string> {
  return new Map(
    report.trim().split(/\n+(?=### )/).map((text) => {
      const [, heading = ""] = /^### (.*)/.exec(text) ?? [];
      return [heading.replaceAll(/ \d+\.\d+\.\d+/g, ""), text.trim()];
    }),
  );
}
