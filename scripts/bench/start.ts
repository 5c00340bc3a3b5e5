/**
 * Compares how long a process takes that starts, answers once and ends.
 *
 * @module
 */
import { fetchRuntime } from "../npm/runtimes.ts";
import { type Comparison, writeTable } from "./comparison.ts";
import { CONCLUSIONS } from "./conclusions.ts";
import { inTurns } from "./measure.ts";
import { PROGRAMS, SESSION_PATH } from "./programs.ts";
import type { Progress } from "./report.ts";
import { NAMES, type SideName } from "./sides/side.ts";
import type { InstalledLibraries } from "./installed.ts";

/** What runs a program. */
interface Runner {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** Compares the wall time of whole processes on each runtime. */
export async function compareStarts(
  libraries: InstalledLibraries,
  rounds: number,
  progress: Progress,
): Promise<string> {
  const files = await writePrograms(libraries);
  const rows: Comparison[] = [];
  for (const runner of await runners(progress)) {
    progress(`whole processes, ${runner.name}`);
    const all = NAMES.map((name) => ({ contender: { name } }));
    const measure = ({ contender: { name } }: typeof all[number]): Promise<number> =>
      millisecondsOf(runner, name, files[name]);
    // Fills the caches of the disk and of compiled code.
    for (const one of all) await measure(one);
    const name = `${runner.name}: start, answer one GET session, end`;
    rows.push({ name, rounds: await inTurns(all, rounds, measure), notes: ["bare", "installed"] });
  }
  const title = "A whole process, in milliseconds";
  return writeTable({ title, rows, show: (time) => time.toFixed(0), conclusion: CONCLUSIONS.start });
}

async function writePrograms(libraries: InstalledLibraries): Promise<Readonly<Record<SideName, string>>> {
  const written: [SideName, string][] = [];
  for (const name of NAMES) {
    const folder = await libraries.folderOf(name === "floor" ? "@x/auth" : name);
    const file = `${folder}/start-${NAMES.indexOf(name)}.mjs`;
    const request = `new Request("http://localhost${SESSION_PATH[name]}")`;
    const ask = `console.log(await (await handler(${request})).text());`;
    await Deno.writeTextFile(file, `${PROGRAMS[name]}\n${ask}\n`);
    written.push([name, file]);
  }
  return Object.fromEntries(written) as Record<SideName, string>;
}

async function runners(progress: Progress): Promise<Runner[]> {
  progress("fetching Node and Bun");
  const others = [await fetchRuntime("node-24", "npm/runtimes"), await fetchRuntime("bun", "npm/runtimes")];
  const permissions = ["--no-prompt", "--allow-env", "--allow-read"];
  return [
    { name: "Deno", command: Deno.execPath(), args: ["run", "--no-check", ...permissions] },
    ...others.map(({ name, command }) => ({ name, command, args: [] })),
  ];
}

async function millisecondsOf({ name, command, args }: Runner, side: SideName, file: string): Promise<number> {
  const options: Deno.CommandOptions = { args: [...args, file], stdout: "piped", stderr: "null" };
  const start = performance.now();
  const { stdout } = await new Deno.Command(command, options).output();
  const milliseconds = performance.now() - start;
  const output = new TextDecoder().decode(stdout).trim();
  if (output !== "null") throw new Error(`Cannot compare starts: ${side} on ${name} prints "${output.slice(0, 200)}"`);
  return milliseconds;
}
