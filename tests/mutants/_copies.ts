import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Without it `__proto__` is a member like any other in Deno, and what guards other runtimes against it has no effect.
const PROTOTYPES = ["--unstable-unsafe-proto"];

/** Copies of this project, in each of which one flaw is tried at a time. */
export interface Copies {
  /** The folder of all copies, to be removed. */
  readonly base: string;
  readonly paths: readonly string[];
}

/** Copies this project. */
export async function makeCopies(count: number): Promise<Copies> {
  const base = await mkdtemp(join(tmpdir(), "mutants-"));
  const paths = Array.from({ length: count }, (_, number) => join(base, String(number)));
  for (const [at, copy] of paths.entries()) {
    // The others are copied from the first, so that all are of the same moment.
    const from = at === 0 ? "." : join(base, "0");
    await cp(from, copy, { recursive: true, filter: (path) => !/(?:^|\/)\.git$|^npm$/.test(path) });
  }
  return { base, paths };
}

/** Hands out tasks to the copies, one at a time to each. */
export async function inCopies<T>(
  { paths }: Copies,
  tasks: readonly T[],
  work: (copy: string, task: T) => Promise<void>,
): Promise<void> {
  const queue = tasks.values();
  await Promise.all(paths.map(async (copy) => {
    for (const task of queue) await work(copy, task);
  }));
}

/** A run of tests that has ended. */
export interface Run {
  readonly code: number;
  readonly output: string;
}

/** Runs tests in a copy until one fails: files, or filters and files. */
export async function runIn(copy: string, tests: readonly string[], seconds: number): Promise<Run> {
  const signal = AbortSignal.timeout(seconds * 1000);
  const command = new Deno.Command(Deno.execPath(), {
    args: ["test", "--no-check", "--no-prompt", "--allow-all", ...PROTOTYPES, "--fail-fast", ...tests],
    cwd: copy,
    env: { NO_COLOR: "1" },
    stdin: "null",
    signal,
  });
  const { code, stdout, stderr } = await command.output();
  const text = new TextDecoder();
  const late = signal.aborted ? `\nThe tests took longer than ${seconds} seconds` : "";
  return { code, output: text.decode(stdout) + text.decode(stderr) + late };
}
