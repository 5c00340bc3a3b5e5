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
 * Whether a response is of Deno's own class, which shares nothing with what it is given or cloned from: all that is
 * known of the class that a framework may have put in its place is that it works.
 */
export function isDenosOwn(response: Response): boolean {
  // An instance of a class that extends Deno's is branded too, but has one prototype more.
  return "Deno" in globalThis && Object.getPrototypeOf(Object.getPrototypeOf(response)) === Object.prototype &&
    Object.getOwnPropertySymbols(response).some(({ description }) => description === "[[webidl.brand]]");
}

/** The part of `node:crypto` that is used, where there is one. */
export interface NodeCrypto {
  hash(algorithm: string, text: string, encoding: "hex" | "base64url"): string;
  createHmac(algorithm: string, key: Uint8Array): NodeHmac;
  createCipheriv(algorithm: string, key: Uint8Array, iv: Uint8Array): NodeCipher;
  createDecipheriv(algorithm: string, key: Uint8Array, iv: Uint8Array): NodeCipher;
}

interface NodeHmac {
  update(data: Uint8Array): NodeHmac;
  digest(): Uint8Array<ArrayBuffer>;
}

interface NodeCipher {
  update(data: Uint8Array): Uint8Array;
  final(): Uint8Array;
}

/** Uses after which a program is taken for one that stays. */
const WORTH_LOADING = 64;

let uses = 0;
let loaded: NodeCrypto | null | undefined;

/**
 * Gives `node:crypto`, which works at once, where WebCrypto hands every text of some hundred bytes to another thread
 * and waits for it many times longer than the work takes.
 *
 * @returns `null` where there is none. In Deno also at first: loading it takes longer than a short program lives.
 */
export function nodeCrypto(): NodeCrypto | null {
  if (loaded !== undefined) return loaded;
  if ("Deno" in globalThis && ++uses < WORTH_LOADING) return null;
  const { process } = globalThis as unknown as Host;
  return loaded = process?.getBuiltinModule?.("node:crypto") as NodeCrypto | undefined ?? null;
}

interface DenoLike {
  readonly env: { get(name: string): string | undefined };
  readonly permissions: { querySync(descriptor: { name: "env"; variable: string }): { state: string } };
}

interface Host {
  readonly Deno?: DenoLike;
  readonly process?: {
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly getBuiltinModule?: (name: string) => unknown;
  };
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

/** Lets timers and other requests have their turn: what is awaited may be there already, again and again. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function readEnv(name: string): string | undefined {
  const host = globalThis as unknown as Host;
  // Deno has `process` too, but merely looking at it there loads what makes it like Node's.
  const { Deno } = host;
  if (!Deno) return host.process?.env?.[name];
  // Asked first, because reading without permission would stop the program at a prompt.
  if (Deno.permissions.querySync({ name: "env", variable: name }).state !== "granted") return undefined;
  return Deno.env.get(name);
}
