/** Programs that end in time, whatever they do: a framework that hangs must not keep the others from their stories. */
import { type ChildProcess, spawn } from "node:child_process";

/** Where and how a program runs. */
export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A server that runs. */
export interface Server {
  /** Waits until it answers. @throws {Error} with the end of its output, if it ends before: its port may be taken. */
  answers(ready: Promise<void>): Promise<void>;
  /** The end of what it has printed. */
  output(): string;
  stop(): Promise<void>;
}

/**
 * Waits for something, but not longer than some seconds.
 *
 * @throws {Error} that names it, if it takes longer.
 */
export async function within<T>(seconds: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Cannot wait longer than ${seconds} s: ${what}`)), seconds * 1000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs npm to its end. @throws {Error} with the end of its output, if it fails or takes longer than `limit` seconds. */
export async function runNpm(args: readonly string[], place: Place, limit: number): Promise<void> {
  const program = open(args, place);
  try {
    await within(limit, `npm ${args.join(" ")}`, program.ended);
  } catch (error) {
    throw new Error(program.output(), { cause: error });
  } finally {
    await program.stop();
  }
  if (program.child.exitCode !== 0) throw new Error(`Cannot run npm ${args.join(" ")}: ${program.output()}`);
}

/**
 * Starts a server by a script of its package.json.
 *
 * @param said What it prints when it listens.
 * @throws {Error} with the end of its output, if it ends or does not print this in `limit` seconds.
 */
export async function startNpm(script: string, place: Place, said: string, limit = 60): Promise<Server> {
  const program = open(["run", script], place);
  const opened = new Promise<void>((resolve) => {
    program.listen((output) => output.includes(said) && resolve());
  });
  try {
    await within(limit, `npm run ${script}`, Promise.race([opened, program.ended]));
    if (program.child.exitCode !== null) throw new Error(`It ended with ${program.child.exitCode}`);
    return program;
  } catch (error) {
    await program.stop();
    throw new Error(`Cannot start the example: ${program.output()}`, { cause: error });
  }
}

interface Program extends Server {
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
  listen(hear: (output: string) => void): void;
}

function open(args: readonly string[], { cwd, env }: Place): Program {
  // In a group of its own: npm starts a shell, which starts the rest.
  const child = spawn("npm", [...args], { cwd, env: { ...env }, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let hear = (_: string): void => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part) => {
      output = (output + part).slice(-4000);
      hear(output);
    });
  }
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", (error) => {
      output += error.message;
      resolve();
    });
  });
  const send = (signal: Deno.Signal): void => {
    try {
      if (child.pid) Deno.kill(-child.pid, signal);
    } catch (error) {
      // All of the group have ended.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  };
  return {
    child,
    ended,
    output: () => output,
    async answers(ready) {
      const gone = ended.then(() => {
        throw new Error(`Cannot start the example: ${output}`);
      });
      await Promise.race([ready, gone]);
    },
    listen(given) {
      hear = given;
      hear(output);
    },
    async stop() {
      send("SIGTERM");
      await within(10, "the end of a program", ended).catch(() => send("SIGKILL"));
    },
  };
}
