/**
 * What the benchmark prints: its progress, and the report of all tables and the machine that they were measured on.
 *
 * @module
 */
import { versionOf } from "./packages.ts";

const PAGE = "BENCHMARKS.md";
const BEGIN = "<!-- measured:begin -->";
const END = "<!-- measured:end -->";

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

/** Writes the report as Markdown. */
export function writeReport(tables: readonly string[], quick: boolean): string {
  const versions = ["@auth/core", "better-auth"].map((name) => `${name} ${versionOf(name)}`);
  const machine = `${navigator.hardwareConcurrency} cores, ${Deno.build.target}, Deno ${Deno.version.deno}, ` +
    `V8 ${Deno.version.v8}; ${versions.join(", ")}${quick ? "; a quick run: rough figures only" : ""}.`;
  return [machine, ...tables].join("\n\n");
}

/** Replaces the report in `BENCHMARKS.md`. */
export async function saveReport(report: string): Promise<void> {
  const page = await Deno.readTextFile(PAGE);
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`Cannot write the report: ${PAGE} has no marks for it`);
  await Deno.writeTextFile(PAGE, `${page.slice(0, begin + BEGIN.length)}\n\n${report}\n\n${page.slice(end)}`);
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", PAGE] }).output();
}
