/**
 * Servers that are programs of this machine: started in a folder of their own, gone without a trace afterwards.
 *
 * @module
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chownSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** What a server is made of. */
export interface InstalledServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Its folder. It is removed when the server stops. */
  readonly folder: string;
  /** A URL that it answers once it is ready. */
  readonly ready: string;
}

/** Seconds until a server that does not answer has failed to start. */
const PATIENCE = 30;

/** Starts a server. Gives the function that stops it. */
export async function startInstalled(server: InstalledServer): Promise<() => Promise<void>> {
  const { name, command, args, env, folder, ready } = server;
  const child = spawnServer({ command, args, env, cwd: folder });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (text) => output = (output + text).slice(-4000));
  }
  const stop = async () => {
    await endServer(child);
    await rm(folder, { recursive: true, force: true });
  };
  if (await answers(child, ready)) return stop;
  await stop();
  throw new Error(`Cannot start ${name}: ${output}`);
}

async function answers(child: ChildProcess, url: string): Promise<boolean> {
  for (const end = Date.now() + PATIENCE * 1000; Date.now() < end && child.exitCode === null;) {
    try {
      const response = await fetch(url);
      await response.body?.cancel();
      if (response.ok) return true;
    } catch {
      // It does not listen yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

/**
 * Whether tests are skipped because a program is not installed, which they say loudly. Not every system has it.
 *
 * @param isThere Whether it is installed.
 * @param what What is skipped, and how the program is installed.
 */
export function skipsWithout(isThere: boolean, what: string): boolean {
  if (!isThere) process.stderr.write(`\n*** ${what}\n\n`);
  return !isThere;
}

/** A program that runs as a server. */
export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd: string;
  /** How it is ended. @default "TERM" */
  readonly signal?: "TERM" | "KILL";
  /** Seconds after which it may no longer wait for its clients. @default it may wait for as long as it likes */
  readonly patience?: number;
}

/** Runs a server until its standard input is closed: it must not outlive tests that are killed. */
export function spawnServer(program: ServerProgram): ChildProcess {
  const { command, args, env, cwd, signal = "TERM", patience } = program;
  const end = `kill -${signal} $$;${patience === undefined ? "" : ` sleep ${patience}; kill -INT $$;`}`;
  const untilClosed = `exec 3<&0; { cat <&3; ${end} } >/dev/null 2>&1 & exec "$@" 3<&- </dev/null`;
  return spawn("sh", ["-c", untilClosed, "sh", command, ...args], { cwd, env: { ...process.env, ...env } });
}

/** Waits until a server says that it is ready. @throws {Error} with what it said, if it ends before. */
export async function untilReady(server: ChildProcess, name: string, ready: RegExp): Promise<void> {
  let output = "";
  await new Promise<void>((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr]) {
      stream?.on("data", (text) => {
        // What it says later is read as well, because it would wait for a reader.
        if (ready.test(output)) return;
        output += text;
        if (ready.test(output)) resolve();
      });
    }
    server.once("exit", () => reject(new Error(`Cannot start ${name}: ${output}`)));
    server.once("error", reject);
  });
}

/** Closes the standard input of a server, and waits for its end. */
export async function endServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = new Promise((resolve) => server.once("exit", resolve));
  server.stdin?.end();
  await exit;
}

/** A folder of a server, and the user that it runs as. */
export interface ServerHome {
  readonly folder: string;
  /** Writes a command as that user has to run it. */
  as(command: string, args: readonly string[]): { readonly command: string; readonly args: readonly string[] };
  /** Runs a command to its end. @throws {Error} with what it said, if it fails. */
  run(command: string, args: readonly string[]): void;
  remove(): Promise<void>;
}

/** Makes a folder for a server that refuses to run as root. @param user Who it runs as then. */
export async function makeHome(user: string): Promise<ServerHome> {
  const folder = await mkdtemp(join(tmpdir(), `${user}-`));
  const [uid = 0, gid = 0] = process.getuid?.() !== 0 ? [] : ["-u", "-g"].map((option) => {
    return Number(spawnSync("id", [option, user], { encoding: "utf8" }).stdout);
  });
  const isOther = Boolean(uid && gid);
  if (isOther) chownSync(folder, uid, gid);
  const as: ServerHome["as"] = (command, args) => {
    if (!isOther) return { command, args };
    return { command: "setpriv", args: [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", command, ...args] };
  };
  return {
    folder,
    as,
    run: (command, args) => {
      const other = as(command, args);
      // A folder that the other user may enter.
      const { status, stderr } = spawnSync(other.command, other.args, { cwd: tmpdir(), encoding: "utf8" });
      if (status !== 0) throw new Error(`Cannot run ${command}: ${stderr}`);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
