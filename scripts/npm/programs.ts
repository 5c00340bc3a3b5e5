/**
 * Starts and stops programs that serve a site.
 *
 * @module
 */

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
