/**
 * Runs tests with a limit for each: a test that hangs is named, and the run has failed.
 *
 * `deno test` has no limit of its own. Those of Node and Bun see no test that never gives the thread back, nor what
 * keeps a process alive after its tests. So it is watched from outside what a run says of the tests it begins and ends.
 *
 * @example Usage
 * ```sh
 * deno run --allow-read --allow-run scripts/watch_tests.ts 120 test --allow-all tests
 * ```
 *
 * @module
 */
import { say } from "./say.ts";

/** Who runs the tests. */
export type Runner = "deno" | "node" | "bun";

/** How a runner says that a test begins, and that one has ended. */
const MARKS: Readonly<Record<Runner, { readonly begins: RegExp | null; readonly ends: RegExp }>> = {
  // What a test prints may stand between the two.
  deno: { begins: /^ *(.+?) \.\.\. ?$/, ends: /^ *(.+?) \.\.\. (?:ok|FAILED|ignored)\b/ },
  node: { begins: /^ *# Subtest: (.+)$/, ends: /^ *(?:not )?ok \d+ - (.+)$/ },
  bun: { begins: null, ends: /^\((?:pass|fail|skip|todo)\) (.+?)(?: \[[\d.]+ms\])?$/ },
};

/** Seconds in which the first test must begin: code is fetched and compiled before it. */
const START = 300;

// deno-lint-ignore no-control-regex -- colours are what it looks for
const COLOUR = /\u001b\[[\d;]*m/g;

/** What watches a run. */
export interface Watch {
  /** Takes in what the run said, in any pieces. */
  read(text: string): void;
  /** Stops waiting: the run has ended. */
  stop(): void;
}

/** Calls something in so many seconds, unless it is taken back. */
export type Timer = (seconds: number, call: () => void) => () => void;

const timer: Timer = (seconds, call) => {
  const id = setTimeout(call, seconds * 1000);
  return () => clearTimeout(id);
};

/**
 * Watches what a run says.
 *
 * @param runner Who runs the tests.
 * @param limit Seconds that a test may take.
 * @param hangs Called with what hangs, once.
 * @param start What measures time.
 */
export function watch(runner: Runner, limit: number, hangs: (what: string) => void, start: Timer = timer): Watch {
  const { begins, ends } = MARKS[runner];
  let rest = "";
  let last = "Before the first test the run stands still";
  const wait = (seconds: number) => start(seconds, () => hangs(`${last} (for more than ${seconds} s)`));
  let cancel = wait(Math.max(limit, START));
  const look = (line: string): void => {
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
      for (const line of lines) look(line.replace(COLOUR, ""));
    },
    stop: () => cancel(),
  };
}

/** A run of tests. */
export interface TestRun {
  readonly runner: Runner;
  readonly command: string;
  readonly args: readonly string[];
  /** Seconds that a test may take. */
  readonly limit: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Is given what the run prints, as it comes. By default nobody is. */
  readonly show?: (bytes: Uint8Array) => void;
}

/** How a run ended. */
export interface Ending {
  readonly success: boolean;
  /** All that it printed, and which test hung, if one did. */
  readonly output: string;
}

/** Runs tests, and ends the run if one of them hangs. */
export async function runTests({ runner, command, args, limit, cwd, env, show }: TestRun): Promise<Ending> {
  const options: Deno.CommandOptions = { args: [...args], stdin: "null", stdout: "piped", stderr: "piped" };
  if (cwd) options.cwd = cwd;
  if (env) options.env = { ...env };
  const child = new Deno.Command(command, options).spawn();
  let hanging: string | null = null;
  const watched = watch(runner, limit, (what) => {
    hanging = what;
    // Whoever never gives the thread back hears no other signal.
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
  const said = [follow(child.stdout, runner !== "bun"), follow(child.stderr, runner === "bun")];
  const { success } = await child.status;
  // What the tests have started may live on and hold the streams open.
  if (hanging !== null) killed.abort();
  await Promise.all(said);
  watched.stop();
  return hanging === null ? { success, output } : { success: false, output: `${output}\n${hanging}\n` };
}

/** Runs `deno` with a limit, shows what it says, and gives the code to exit with. */
export async function runDeno(limit: number, args: readonly string[]): Promise<number> {
  const begun = performance.now();
  const show = (bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
  };
  const { success, output } = await runTests({ runner: "deno", command: Deno.execPath(), args, limit, show });
  const hanging = output.split("\n").at(-2);
  if (success) return 0;
  if (hanging && /^(?:Hangs|Before the first)/.test(hanging)) {
    const passed = output.replace(COLOUR, "").match(/^\S.* \.\.\. ok \(/gm)?.length ?? 0;
    say(`\n${hanging}`);
    // In the words of `deno test`, which could not say it.
    say(`FAILED | ${passed} passed | 1 failed (${((performance.now() - begun) / 1000).toFixed(0)}s)`);
  }
  return 1;
}

if (import.meta.main) {
  const [limit = "", ...args] = Deno.args;
  Deno.exit(await runDeno(Number(limit), args));
}
