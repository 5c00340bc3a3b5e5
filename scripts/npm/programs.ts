/**
 * Programs that serve a site until they are ended.
 *
 * @module
 */

/** A port that nobody listens at. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** Waits until a program has said something. @throws {Error} if it ends before. */
export async function saidBy({ stdout }: Deno.ChildProcess, wanted: string): Promise<void> {
  let said = "";
  for await (const text of stdout.pipeThrough(new TextDecoderStream())) {
    said += text;
    if (said.includes(wanted)) return;
  }
  throw new Error(`Cannot find "${wanted}" in what a program says: it ended, and said "${said}"`);
}

/** Ends a program, whether or not it has ended by itself. */
export async function end(program: Deno.ChildProcess): Promise<void> {
  try {
    program.kill();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  await program.status;
}
