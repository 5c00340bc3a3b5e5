/**
 * Starting an example as its README says, and looking at what it shows.
 *
 * @module
 */
import type { OtherRuntime } from "./runtimes.ts";

/** Tries the example of a runtime. @throws {Error} if it does not start, or does not answer as it should. */
export async function tryExample({ kind, command }: OtherRuntime, installed: string): Promise<void> {
  const folder = await Deno.makeTempDir();
  const port = freePort();
  const env = { PORT: `${port}`, DATABASE: `${folder}/auth.db` };
  const args = [`examples/${kind}/main.ts`];
  const options = { args, cwd: installed, env, stdin: "null", stdout: "piped", stderr: "null" } as const;
  const site = new Deno.Command(command, options).spawn();
  try {
    await saidBy(site, `Open http://localhost:${port}`);
    await expect(`http://localhost:${port}/`, "Hello stranger");
    await expect(`http://localhost:${port}/auth/session`, "null");
    await expect(`http://localhost:${port}/auth/signin`, 'type="email"');
  } finally {
    site.kill();
    await site.status;
    await Deno.remove(folder, { recursive: true });
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

async function saidBy({ stdout }: Deno.ChildProcess, wanted: string): Promise<void> {
  let said = "";
  for await (const text of stdout.pipeThrough(new TextDecoderStream())) {
    said += text;
    if (said.includes(wanted)) return;
  }
  throw new Error(`Cannot try the example: it ended, and said "${said}"`);
}

async function expect(url: string, wanted: string): Promise<void> {
  const text = await (await fetch(url)).text();
  if (!text.includes(wanted)) {
    throw new Error(`Cannot find ${wanted} at ${url}: ${text.slice(0, 200)}`);
  }
}
