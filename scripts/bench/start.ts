/**
 * The comparison of programs that start, answer once and end.
 *
 * @module
 */
import { type Comparison, writeTable } from "./comparison.ts";
import { inTurns } from "./measure.ts";
import { specifierOf } from "./packages.ts";
import { PROGRAMS, SESSION_PATH } from "./programs.ts";
import type { Progress } from "./progress.ts";
import { NAMES, type SideName } from "./sides/side.ts";

/** Compares the wall time of whole processes. */
export async function compareStarts(rounds: number, progress: Progress): Promise<string> {
  progress("from the start of a process to its end");
  const all = NAMES.map((name) => ({ contender: { name } }));
  const folder = await Deno.makeTempDir();
  // A lock of their own, because that of the project does not know the others.
  const turn = ({ contender: { name } }: typeof all[number]) => millisecondsOf(name, `${folder}/deno.lock`);
  // Once for the lock, and for the caches of the disk and of compiled code.
  for (const one of all) await turn(one);
  const row: Comparison = {
    name: "start, answer one GET session, end",
    rounds: await inTurns(all, rounds, turn),
    notes: ["bare"],
  };
  await Deno.remove(folder, { recursive: true });
  return writeTable({ title: "A whole process, in milliseconds", rows: [row], show: (time) => time.toFixed(0) });
}

async function millisecondsOf(name: SideName, lock: string): Promise<number> {
  const program = `${PROGRAMS[name].replaceAll(/(?<=from ")[^"]+/g, specifierOf)}
    const answer = await handler(new Request("http://localhost${SESSION_PATH[name]}"));
    await Deno.stdout.write(new TextEncoder().encode(await answer.text()));`;
  const args = ["run", "--no-check", `--lock=${lock}`, "--no-prompt", "--allow-env", "--allow-read", "--ext=ts", "-"];
  const start = performance.now();
  const process = new Deno.Command(Deno.execPath(), { args, stdin: "piped", stdout: "piped" }).spawn();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(program));
  await writer.close();
  const { stdout } = await process.output();
  const milliseconds = performance.now() - start;
  const said = new TextDecoder().decode(stdout);
  if (said !== "null") throw new Error(`Cannot compare starts: ${name} says "${said.slice(0, 200)}"`);
  return milliseconds;
}
