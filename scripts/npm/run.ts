/**
 * Runs other programs: to their end, showing their output only when they fail, or as servers.
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

/** Finds a free port. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** Waits until a program prints a text. @throws {Error} if it ends before. */
export async function waitForOutput({ stdout }: Deno.ChildProcess, wanted: string): Promise<void> {
  let output = "";
  for await (const text of stdout.pipeThrough(new TextDecoderStream())) {
    output += text;
    if (output.includes(wanted)) return;
  }
  throw new Error(`A program ended without printing "${wanted}". It printed "${output}"`);
}

/** Stops a program, unless it has already ended. */
export async function stopProgram(program: Deno.ChildProcess): Promise<void> {
  try {
    program.kill();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  await program.status;
}
