/**
 * Runs the programs of the benchmark: on Deno with the sources, on Node and Bun with the installed packages.
 *
 * @module
 */
import { fetchRuntime } from "../npm/runtimes.ts";
import type { InstalledLibraries } from "./installed.ts";
import type { Progress } from "./report.ts";
import { RUNTIME_KINDS, type RuntimeKind } from "./runtime_kind.ts";

/** A runtime, ready to run programs. */
export interface BenchRuntime {
  readonly kind: RuntimeKind;
  /** Name and version, as `Node 24.1.0`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Where the programs find the libraries. */
  readonly folder: string;
  /** Where the programs are. By default `scripts/bench`. */
  readonly programs?: string;
}

/** Makes some runtimes ready. */
export async function prepareRuntimes(
  kinds: ReadonlySet<RuntimeKind>,
  installed: () => Promise<InstalledLibraries>,
  progress: Progress,
): Promise<BenchRuntime[]> {
  const ready: BenchRuntime[] = [];
  for (const kind of RUNTIME_KINDS) {
    if (kinds.has(kind)) ready.push(kind === "deno" ? deno() : await other(kind, await installed(), progress));
  }
  return ready;
}

function deno(): BenchRuntime {
  const flags = ["--no-check", "--no-lock", "--no-prompt", "--allow-all", "--v8-flags=--expose-gc"];
  const name = `Deno ${Deno.version.deno}`;
  return { kind: "deno", name, command: Deno.execPath(), args: ["run", ...flags], folder: Deno.cwd() };
}

async function other(kind: "node" | "bun", libraries: InstalledLibraries, progress: Progress): Promise<BenchRuntime> {
  progress(`fetching ${kind}`);
  const { name, command } = await fetchRuntime(kind === "bun" ? "bun" : "node-24", "npm/runtimes");
  const folder = await libraries.together();
  return { kind, name, command, args: kind === "bun" ? [] : ["--expose-gc", "--no-warnings"], folder };
}

/** Starts a program. */
export function startProgram(
  { command, args, folder, programs = "scripts/bench" }: BenchRuntime,
  file: string,
  input: unknown,
  env: Readonly<Record<string, string>> = {},
): Deno.ChildProcess {
  return new Deno.Command(command, {
    args: [...args, `${programs}/${file}`, JSON.stringify(input)],
    cwd: folder,
    // As on a server: Express shows errors to visitors otherwise.
    env: { NODE_ENV: "production", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Runs a program and returns its result. @throws {Error} if it fails; its error output is told as progress. */
export async function runProgram<T>(
  runtime: BenchRuntime,
  file: string,
  input: unknown,
  progress: Progress,
  env?: Readonly<Record<string, string>>,
): Promise<T> {
  const program = startProgram(runtime, file, input, env);
  const [output, , { success }] = await Promise.all([
    textOf(program.stdout, () => {}),
    textOf(program.stderr, (line) => progress(`${runtime.name}: ${line}`)),
    program.status,
  ]);
  if (success) return JSON.parse(output.trim().split("\n").at(-1) ?? "") as T;
  throw new Error(`Cannot measure on ${runtime.name}: ${file} has failed, as told above`);
}

/** Reads a stream to its end, and tells each line at once. */
export async function textOf(stream: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<string> {
  let text = "";
  let told = 0;
  for await (const part of stream.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)) {
    text += part;
    for (let end = text.indexOf("\n", told); end >= 0; end = text.indexOf("\n", told)) {
      onLine(text.slice(told, end));
      told = end + 1;
    }
  }
  return text;
}
