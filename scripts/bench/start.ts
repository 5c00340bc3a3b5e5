/**
 * The comparison of programs that start, answer once and end.
 *
 * @module
 */
import { fetchRuntime } from "../npm/runtimes.ts";
import { type Comparison, writeTable } from "./comparison.ts";
import { inTurns } from "./measure.ts";
import { specifierOf } from "./packages.ts";
import { PROGRAMS, SESSION_PATH } from "./programs.ts";
import type { Progress } from "./progress.ts";
import { NAMES, type SideName } from "./sides/side.ts";
import type { Workshop } from "./workshop.ts";

/** How a runtime starts the program of a side. */
interface Starter {
  readonly name: string;
  readonly command: string;
  readonly argsOf: (side: SideName) => readonly string[];
  /** What is written to its standard input. */
  readonly inputOf: (side: SideName) => string;
}

/** Compares the wall time of whole processes, on each runtime. */
export async function compareStarts(workshop: Workshop, rounds: number, progress: Progress): Promise<string> {
  const folder = await Deno.makeTempDir();
  try {
    const rows: Comparison[] = [];
    for (const starter of [onDeno(folder), ...await elsewhere(workshop, progress)]) {
      progress(`from the start of a process to its end, ${starter.name}`);
      const all = NAMES.map((name) => ({ contender: { name } }));
      const turn = ({ contender: { name } }: typeof all[number]): Promise<number> => millisecondsOf(starter, name);
      // Once for the lock, and for the caches of the disk and of compiled code.
      for (const one of all) await turn(one);
      const name = `${starter.name}: start, answer one GET session, end`;
      rows.push({ name, rounds: await inTurns(all, rounds, turn), notes: ["bare", "installed"] });
    }
    return writeTable({ title: "A whole process, in milliseconds", rows, show: (time) => time.toFixed(0) });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function onDeno(folder: string): Starter {
  const print = "await Deno.stdout.write(new TextEncoder().encode(await answer.text()));";
  // A lock of their own, because that of the project does not know the others. From standard input, because a file
  // would have to be in the project for `@x/auth` to be found.
  const args = [
    "--no-check",
    `--lock=${folder}/deno.lock`,
    "--no-prompt",
    "--allow-env",
    "--allow-read",
    "--ext=ts",
    "-",
  ];
  return {
    name: "Deno",
    command: Deno.execPath(),
    argsOf: () => ["run", ...args],
    inputOf: (side) => `${PROGRAMS[side].replaceAll(/(?<=from ")[^"]+/g, specifierOf)}\n${asking(side)}\n${print}`,
  };
}

async function elsewhere(workshop: Workshop, progress: Progress): Promise<Starter[]> {
  const files = new Map<SideName, string>();
  for (const name of NAMES) {
    const file = `${workshop.folderOf(name === "floor" ? "@x/auth" : name)}/${
      name === "floor" ? "floor" : "start"
    }.mjs`;
    const print = "process.stdout.write(await answer.text());";
    await Deno.writeTextFile(file, `${PROGRAMS[name]}\n${asking(name)}\n${print}\n`);
    files.set(name, file);
  }
  progress("fetching Node and Bun");
  const runtimes = [await fetchRuntime("node-24", "npm/runtimes"), await fetchRuntime("bun", "npm/runtimes")];
  return runtimes.map(({ name, command }) => ({
    name,
    command,
    argsOf: (side) => [files.get(side) ?? ""],
    inputOf: () => "",
  }));
}

function asking(name: SideName): string {
  return `const answer = await handler(new Request("http://localhost${SESSION_PATH[name]}"));`;
}

async function millisecondsOf({ name, command, argsOf, inputOf }: Starter, side: SideName): Promise<number> {
  const args = [...argsOf(side)];
  const options = { args, stdin: "piped", stdout: "piped", stderr: "null" } as const;
  const start = performance.now();
  const process = new Deno.Command(command, options).spawn();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(inputOf(side)));
  await writer.close();
  const { stdout } = await process.output();
  const milliseconds = performance.now() - start;
  const said = new TextDecoder().decode(stdout);
  if (said !== "null") throw new Error(`Cannot compare starts: ${side} on ${name} says "${said.slice(0, 200)}"`);
  return milliseconds;
}
