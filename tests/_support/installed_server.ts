/**
 * Servers that are programs of this machine: started in a folder of their own, gone without a trace afterwards.
 *
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
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

/** Runs the server until its standard input is closed: it must not outlive tests that are killed. */
const UNTIL_CLOSED = 'exec 3<&0; { cat <&3; kill -TERM $$; } >/dev/null 2>&1 & exec "$@" 3<&- </dev/null';

/** Seconds until a server that does not answer has failed to start. */
const PATIENCE = 30;

/** Starts a server. Gives the function that stops it. */
export async function startInstalled(server: InstalledServer): Promise<() => Promise<void>> {
  const { name, command, args, env, folder, ready } = server;
  const options = { cwd: folder, env: { ...process.env, ...env } };
  const child = spawn("sh", ["-c", UNTIL_CLOSED, "sh", command, ...args], options);
  const exit = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => output = (output + text).slice(-4000));
  const stop = async () => {
    child.stdin.end();
    await exit;
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
