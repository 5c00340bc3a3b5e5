/**
 * The only file that touches the outside world: clock, randomness, network, environment, timers.
 *
 * @module
 */

/** What the service needs of its surroundings. Tests give their own. */
export interface Runtime {
  /** Milliseconds since 1970. */
  now(): number;
  /** Fills bytes from a cryptographically secure source and returns them. */
  random<T extends Uint8Array<ArrayBuffer>>(bytes: T): T;
  /** Sends a request. */
  fetch(request: Request): Promise<Response>;
  /** Reads an environment variable; one that may not be read counts as unset. */
  env(name: string): string | undefined;
  /** Runs a function once after some seconds; the answer cancels it. */
  timer(seconds: number, run: () => void): () => void;
}

/**
 * Whether it is cheap to clone a response whose body is text. Deno keeps the text; elsewhere the body becomes a stream
 * that is split in two, and again at every further clone.
 */
export const CLONES_TEXT: boolean = "Deno" in globalThis;

interface DenoLike {
  readonly env: { get(name: string): string | undefined };
  readonly permissions: { querySync(descriptor: { name: "env"; variable: string }): { state: string } };
}

interface Host {
  readonly Deno?: DenoLike;
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

/** The runtime of Deno, Node and Bun. */
export const systemRuntime: Runtime = Object.freeze({
  now: (): number => Date.now(),
  random: <T extends Uint8Array<ArrayBuffer>>(bytes: T): T => crypto.getRandomValues(bytes),
  fetch: (request: Request): Promise<Response> => fetch(request),
  env: readEnv,
  timer: (seconds: number, run: () => void): () => void => {
    const timer = setTimeout(run, seconds * 1000);
    return () => clearTimeout(timer);
  },
});

function readEnv(name: string): string | undefined {
  const host = globalThis as unknown as Host;
  // Deno has `process` too, but merely looking at it there loads what makes it like Node's.
  const { Deno } = host;
  if (!Deno) return host.process?.env?.[name];
  // Asked first, because reading without permission would stop the program at a prompt.
  if (Deno.permissions.querySync({ name: "env", variable: name }).state !== "granted") return undefined;
  return Deno.env.get(name);
}
