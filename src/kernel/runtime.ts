/**
 * The only file that touches the outside world: clock, randomness, network, environment, timers. `variables.ts` lists the
 * names of variables, for the log.
 *
 * @module
 */

/** What the service needs from outside. Tests provide their own. */
export interface Runtime {
  /** Milliseconds since 1970. */
  now(): number;
  /** Fills bytes from a cryptographically secure source and returns them. */
  random<T extends Uint8Array<ArrayBuffer>>(bytes: T): T;
  /** Sends a request, as the global `fetch` does. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Reads an environment variable. Without permission to read it, it counts as unset. */
  env(name: string): string | undefined;
  /** Calls a function once after some seconds. Returns a function that cancels it. */
  timer(seconds: number, run: () => void): () => void;
}

/**
 * Whether a response is an instance of Deno's own class, whose headers can be set after it was made. A framework may have
 * replaced the global class.
 */
export function isDenosOwn(response: Response): boolean {
  // An instance of a class that extends Deno's is branded too, but has one prototype more.
  return isDeno() && Object.getPrototypeOf(Object.getPrototypeOf(response)) === Object.prototype &&
    Object.getOwnPropertySymbols(response).some(({ description }) => description === "[[webidl.brand]]");
}

/** Whether this is Deno. */
export function isDeno(): boolean {
  return "Deno" in globalThis;
}

/**
 * Whether one request may wait for what another one has begun. In Cloudflare Workers all of a request ends with it, also
 * when its visitor leaves: a promise that it has made then never settles.
 */
export function sharesWork(): boolean {
  return globalThis.navigator?.userAgent !== "Cloudflare-Workers";
}

/** Whether this is a page in a browser. Tests on Node, Bun or Deno may define `document`, so it is not enough. */
export function isWindow(): boolean {
  return "document" in globalThis && !isDeno() && (globalThis as unknown as Host).process?.versions?.node === undefined;
}

/** The part of `node:crypto` that is used. */
export interface NodeCrypto {
  hash(algorithm: string, text: string, encoding: "hex" | "base64url"): string;
  createSecretKey(key: Uint8Array): NodeKey;
  createHmac(algorithm: string, key: NodeKey): NodeHmac;
  createCipheriv(algorithm: string, key: NodeKey, iv: Uint8Array): NodeCipher;
  createDecipheriv(algorithm: string, key: NodeKey, iv: Uint8Array): NodeCipher;
  timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean;
  scrypt(secret: Uint8Array, salt: Uint8Array, length: number, cost: NodeScryptCost, done: NodeDone): void;
  pbkdf2(secret: Uint8Array, salt: Uint8Array, rounds: number, length: number, digest: string, done: NodeDone): void;
  /** Node 22 does not have it. */
  argon2?(algorithm: string, input: NodeArgon2Input, done: NodeDone): void;
}

type NodeDone = (error: Error | null, key: Uint8Array<ArrayBuffer>) => void;

interface NodeScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  /** The most bytes of memory. */
  readonly maxmem: number;
}

interface NodeArgon2Input {
  readonly message: Uint8Array;
  readonly nonce: Uint8Array;
  readonly parallelism: number;
  readonly tagLength: number;
  /** In KiB. */
  readonly memory: number;
  readonly passes: number;
}

/** A key that `node:crypto` has imported. */
interface NodeKey {
  readonly type: string;
}

interface NodeHmac {
  update(data: Uint8Array): NodeHmac;
  digest(): Uint8Array<ArrayBuffer>;
}

interface NodeCipher {
  update(data: Uint8Array): Uint8Array;
  final(): Uint8Array;
}

/** Calls after which Deno loads `node:crypto`. */
const WORTH_LOADING = 64;

let uses = 0;
let loaded: NodeCrypto | null | undefined;

/**
 * Returns `node:crypto`, which is synchronous. WebCrypto hands even a few hundred bytes to another thread, and waiting for
 * it takes many times longer than the work.
 *
 * @returns `null` if the runtime does not have it. In Deno also for the first calls: to load it takes 50 ms, which is
 * longer than a short program runs.
 */
export function nodeCrypto(): NodeCrypto | null {
  if (loaded !== undefined) return loaded;
  if (isDeno() && ++uses < WORTH_LOADING) return null;
  return nodeCryptoAtOnce();
}

/** Returns `node:crypto`, for work that takes longer than loading it. @returns `null` if the runtime does not have it. */
export function nodeCryptoAtOnce(): NodeCrypto | null {
  if (loaded !== undefined) return loaded;
  const { process } = globalThis as unknown as Host;
  return loaded = process?.getBuiltinModule?.("node:crypto") as NodeCrypto | undefined ?? null;
}

/** How many processor cores there are; 1 where the runtime does not tell. */
export function processorCores(): number {
  return globalThis.navigator?.hardwareConcurrency || 1;
}

interface DenoLike {
  readonly env: { get(name: string): string | undefined };
  readonly permissions: { querySync(descriptor: { name: "env"; variable: string }): { state: string } };
}

interface Host {
  readonly Deno?: DenoLike;
  readonly process?: {
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly versions?: { readonly node?: string };
    readonly getBuiltinModule?: (name: string) => unknown;
  };
}

/** The runtime of Deno, Node and Bun. */
export const systemRuntime: Runtime = Object.freeze({
  now: (): number => Date.now(),
  random: <T extends Uint8Array<ArrayBuffer>>(bytes: T): T => crypto.getRandomValues(bytes),
  fetch: (input: string | URL | Request, init?: RequestInit): Promise<Response> => fetch(input, init),
  env: readEnv,
  timer: (seconds: number, run: () => void): () => void => {
    const timer = setTimeout(run, seconds * 1000);
    return () => clearTimeout(timer);
  },
});

/** Lets timers and other requests run. Awaiting what is already there does not. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Milliseconds that long work may keep others waiting. */
const LONGEST_TURN = 4;

let turned = -Infinity;
let turning: Promise<void> | null = null;

/**
 * Lets timers and other requests run, if they have not run for 4 ms. To be called again and again during long work. All
 * that call it share one clock, because what is done at the same time for many adds up. Where requests share nothing,
 * nobody waits.
 *
 * @returns What to wait for; `null` if it is too early.
 */
export function turnWhenDue(): Promise<void> | null {
  if (!sharesWork() || (!turning && performance.now() - turned < LONGEST_TURN)) return null;
  return turning ??= yieldToEventLoop().then(() => {
    turned = performance.now();
    turning = null;
  });
}

function readEnv(name: string): string | undefined {
  const host = globalThis as unknown as Host;
  // Deno has `process` too, but to read it there loads the compatibility with Node.
  const { Deno } = host;
  if (!Deno) return host.process?.env?.[name];
  // Ask first: to read without permission would stop the program at a prompt.
  if (Deno.permissions.querySync({ name: "env", variable: name }).state !== "granted") return undefined;
  return Deno.env.get(name);
}
