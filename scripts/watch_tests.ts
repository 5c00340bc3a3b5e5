/**
 * Runs tests with a time limit for each. A test that exceeds it fails the run and is named.
 *
 * `deno test` has no timeout. Those of Node and Bun do not stop a test that blocks the thread, or a process that stays
 * alive after its tests. So this script watches from outside which tests the run reports as started and ended.
 *
 * @example Usage
 * ```sh
 * deno run --allow-read --allow-run scripts/watch_tests.ts 120 test --allow-all tests
 * ```
 *
 * @module
 */
import { printLine } from "./print.ts";

/** The program that runs the tests. */
export type Runner = "deno" | "node" | "bun";

/** How a runner prints that a test has started, and that one has ended. */
const MARKS: Readonly<Record<Runner, { readonly begins: RegExp | null; readonly ends: RegExp }>> = {
  // The output of the test may come between the two.
  deno: { begins: /^ *(.+?) \.\.\. ?$/, ends: /^ *(.+?) \.\.\. (?:ok|FAILED|ignored)\b/ },
  node: { begins: /^ *# Subtest: (.+)$/, ends: /^ *(?:not )?ok \d+ - (.+)$/ },
  bun: { begins: null, ends: /^\((?:pass|fail|skip|todo)\) (.+?)(?: \[[\d.]+ms\])?$/ },
};

/** Seconds until the first test has to start: before it, code is fetched and compiled. */
const START = 300;

// deno-lint-ignore no-control-regex -- it removes colours
const COLOUR = /\u001b\[[\d;]*m/g;

/** Watches a run. */
export interface Watch {
  /** Reads output of the run, in pieces of any size. */
  read(text: string): void;
  /** Stops the timer, once the run has ended. */
  stop(): void;
}

/** Calls a function after some seconds. The returned function cancels it. */
export type Timer = (seconds: number, call: () => void) => () => void;

const timer: Timer = (seconds, call) => {
  const id = setTimeout(call, seconds * 1000);
  return () => clearTimeout(id);
};

/**
 * Watches the output of a run for a test that hangs.
 *
 * @param runner The program that runs the tests.
 * @param limit Seconds that a test may take.
 * @param onHang Called once, with a message that names the test.
 * @param start Starts a timer.
 */
export function watch(runner: Runner, limit: number, onHang: (message: string) => void, start: Timer = timer): Watch {
  const { begins, ends } = MARKS[runner];
  let rest = "";
  let last = "Hangs before the first test";
  const wait = (seconds: number) => start(seconds, () => onHang(`${last} (for more than ${seconds} s)`));
  let cancel = wait(Math.max(limit, START));
  const readLine = (line: string): void => {
    const [, begun] = begins?.exec(line) ?? [];
    const [, ended] = ends.exec(line) ?? [];
    const now = begun ? `Hangs: ${begun}` : ended && `Hangs after: ${ended}`;
    if (!now || now === last) return;
    last = now;
    cancel();
    cancel = wait(limit);
  };
  return {
    read(text) {
      const lines = (rest + text).split(/\r?\n/);
      rest = lines.at(-1) ?? "";
      for (const line of lines) readLine(line.replace(COLOUR, ""));
    },
    stop: () => cancel(),
  };
}

/** A run of tests to start. */
export interface TestRun {
  readonly runner: Runner;
  readonly command: string;
  readonly args: readonly string[];
  /** Seconds that a test may take. */
  readonly limit: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the output as it arrives. */
  readonly show?: (bytes: Uint8Array) => void;
}

/** The result of a run. */
export interface RunResult {
  readonly success: boolean;
  /** All that it printed and, if a test hung, a last line that names it. */
  readonly output: string;
}

/** Runs tests, and stops the run if one of them hangs. */
export async function runTests({ runner, command, args, limit, cwd, env, show }: TestRun): Promise<RunResult> {
  const options: Deno.CommandOptions = { args: [...args], stdin: "null", stdout: "piped", stderr: "piped" };
  if (cwd) options.cwd = cwd;
  if (env) options.env = { ...env };
  const child = new Deno.Command(command, options).spawn();
  let hanging: string | null = null;
  const watched = watch(runner, limit, (message) => {
    hanging = message;
    // A process whose thread is blocked handles no other signal.
    child.kill("SIGKILL");
  });
  let output = "";
  const killed = new AbortController();
  const follow = async (stream: ReadableStream<Uint8Array>, marks: boolean): Promise<void> => {
    const decoder = new TextDecoder();
    const write = (bytes: Uint8Array): void => {
      const text = decoder.decode(bytes, { stream: true });
      output += text;
      show?.(bytes);
      if (marks) watched.read(text);
    };
    await stream.pipeTo(new WritableStream({ write }), { signal: killed.signal }).catch((error: unknown) => {
      if (!killed.signal.aborted) throw error;
    });
  };
  const streams = [follow(child.stdout, runner !== "bun"), follow(child.stderr, runner === "bun")];
  const { success } = await child.status;
  // Processes that the tests have started may still hold the streams open.
  if (hanging !== null) killed.abort();
  await Promise.all(streams);
  watched.stop();
  return hanging === null ? { success, output } : { success: false, output: `${output}\n${hanging}\n` };
}

/** Runs `deno` with a limit, shows its output, and returns the exit code. */
export async function runDeno(limit: number, args: readonly string[]): Promise<number> {
  const begun = performance.now();
  const show = (bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
  };
  const { success, output } = await runTests({ runner: "deno", command: Deno.execPath(), args, limit, show });
  const hanging = output.split("\n").at(-2);
  if (success) return 0;
  if (hanging && /^Hangs/.test(hanging)) {
    const passed = output.replace(COLOUR, "").match(/^\S.* \.\.\. ok \(/gm)?.length ?? 0;
    printLine(`\n${hanging}`);
    // The summary that `deno test` can no longer print.
    printLine(`FAILED | ${passed} passed | 1 failed (${((performance.now() - begun) / 1000).toFixed(0)}s)`);
  }
  return 1;
}

if (import.meta.main) {
  const [limit = "", ...args] = Deno.args;
  Deno.exit(await runDeno(Number(limit), args));
}
