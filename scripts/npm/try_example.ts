/**
 * Starts an example as its README says, and checks its pages.
 *
 * @module
 */
import { freePort, stopProgram, waitForOutput } from "./run.ts";
import type { OtherRuntime } from "./runtimes.ts";

/** Tries the example of a runtime. @throws {Error} if it does not start, or a page lacks what it should show. */
export async function tryExample({ kind, command }: OtherRuntime, installed: string): Promise<void> {
  const folder = await Deno.makeTempDir();
  const port = freePort();
  const env = { PORT: `${port}`, DATABASE: `${folder}/auth.db` };
  const args = [`examples/${kind}/main.ts`];
  const options = { args, cwd: installed, env, stdin: "null", stdout: "piped", stderr: "null" } as const;
  const site = new Deno.Command(command, options).spawn();
  try {
    await waitForOutput(site, `Open http://localhost:${port}`);
    await expect(`http://localhost:${port}/`, "Hello stranger");
    await expect(`http://localhost:${port}/auth/session`, "null");
    await expect(`http://localhost:${port}/auth/signin`, 'type="email"');
  } finally {
    await stopProgram(site);
    await Deno.remove(folder, { recursive: true });
  }
}

async function expect(url: string, wanted: string): Promise<void> {
  const text = await (await fetch(url)).text();
  if (!text.includes(wanted)) throw new Error(`${url} does not contain ${wanted}: ${text.slice(0, 200)}`);
}
