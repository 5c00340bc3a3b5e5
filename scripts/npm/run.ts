/**
 * Running other programs, whose output is told only when they fail.
 *
 * @module
 */

/** Where and how a program runs. */
export interface RunOptions {
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Runs a program and gives what it prints. @throws {Error} with the end of what it said, if it fails. */
export async function run(command: string, args: readonly string[], { cwd, env }: RunOptions = {}): Promise<string> {
  const options: Deno.CommandOptions = { args: [...args], stdin: "null" };
  if (cwd) options.cwd = cwd;
  if (env) options.env = { ...env };
  const { success, stdout, stderr } = await new Deno.Command(command, options)
    .output();
  const said = new TextDecoder().decode(stdout);
  if (success) return said;
  const complaint = (said + new TextDecoder().decode(stderr)).slice(-4000);
  throw new Error(`Cannot run ${command} ${args.join(" ")}: ${complaint}`);
}

/** What npm is told everywhere: no questions, no advice, and nothing that a package wants to run. */
export const QUIET = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];

/** Runs npm, which is another file on Windows. */
export async function npm(args: readonly string[], cwd: string): Promise<string> {
  return await run(Deno.build.os === "windows" ? "npm.cmd" : "npm", args, { cwd });
}
