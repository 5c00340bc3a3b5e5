/**
 * The report: all tables, and the machine that they were measured on.
 *
 * @module
 */
import { versionOf } from "./packages.ts";

const PAGE = "BENCHMARKS.md";
const BEGIN = "<!-- measured:begin -->";
const END = "<!-- measured:end -->";

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
