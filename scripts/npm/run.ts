/**
 * Runs other programs and shows their output only when they fail.
 *
 * @module
 */

/** Where and how a program runs. */
export interface RunOptions {
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Runs a program and returns what it prints. @throws {Error} with the end of its output, if it fails. */
export async function run(command: string, args: readonly string[], { cwd, env }: RunOptions = {}): Promise<string> {
  const options: Deno.CommandOptions = { args: [...args], stdin: "null" };
  if (cwd) options.cwd = cwd;
  if (env) options.env = { ...env };
  const { success, stdout, stderr } = await new Deno.Command(command, options).output();
  const output = new TextDecoder().decode(stdout);
  if (success) return output;
  const end = (output + new TextDecoder().decode(stderr)).slice(-4000);
  throw new Error(`Cannot run ${command} ${args.join(" ")}: ${end}`);
}

/** Options for every `npm install`: no audit, no advertising, no install scripts. */
export const QUIET = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];

/** Runs npm. */
export async function npm(args: readonly string[], cwd: string): Promise<string> {
  // On Windows npm is a script with another name.
  return await run(Deno.build.os === "windows" ? "npm.cmd" : "npm", args, { cwd });
}
