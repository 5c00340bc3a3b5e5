/**
 * The keys an issuer signs with: fetched when needed, kept a while, fetched anew when a token names one that is not
 * among them.
 *
 * @module
 */
import { isObject } from "../kernel/objects.ts";
import * as oauth from "oauth4webapi";
import { OAuthProviderError } from "../kernel/errors.ts";
import type { Runtime } from "../kernel/runtime.ts";
import { type JsonObject, readObject } from "./json.ts";

/** Seconds that keys are used without asking again: a key that was withdrawn stops counting after that. */
const LIFETIME = 5 * 60;

/** Seconds between two requests for keys that a token made necessary: made-up key ids must not become a flood. */
const PAUSE = 60;

/** Keys as they were at one moment. */
export interface KeySet {
  readonly keys: readonly JsonObject[];
  readonly at: number;
}

/** Fetches the key document. */
export type LoadKeys = (url: string) => Promise<Response>;

/** The keys of one issuer, shared by all who sign in with it. */
export class KeyRing {
  readonly #url: string;
  #held: KeySet | null = null;
  #pending: Promise<KeySet> | null = null;
  #renewedAt: number | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  /** The keys, from memory if they are young enough. */
  async current(load: LoadKeys, { now }: Pick<Runtime, "now">): Promise<KeySet> {
    const held = this.#held;
    return held && isWithin(LIFETIME, held.at, now()) ? held : await this.#fetch(load, now);
  }

  /** Newer keys than those that did not help, or `null` if it is too early to ask again. */
  async newer(than: KeySet, load: LoadKeys, { now }: Pick<Runtime, "now">): Promise<KeySet | null> {
    if (this.#pending) return await this.#pending;
    if (this.#held && this.#held !== than) return this.#held;
    if (this.#renewedAt !== null && isWithin(PAUSE, this.#renewedAt, now())) return null;
    this.#renewedAt = now();
    return await this.#fetch(load, now);
  }

  #fetch(load: LoadKeys, now: Runtime["now"]): Promise<KeySet> {
    this.#pending ??= loadKeys(this.#url, load, now)
      .then((found) => this.#held = found)
      .finally(() => this.#pending = null);
    return this.#pending;
  }
}

function isWithin(seconds: number, since: number, now: number): boolean {
  return Math.abs(now - since) < seconds * 1000; // also when the clock was set back
}

async function loadKeys(url: string, load: LoadKeys, now: Runtime["now"]): Promise<KeySet> {
  const response = await load(url);
  const keys = response.status === 200 ? readObject(await response.arrayBuffer())?.keys : undefined;
  if (!Array.isArray(keys)) {
    throw new OAuthProviderError(`Cannot read keys of ${new URL(url).host}: there is no key set`, {
      cause: { status: response.status },
    });
  }
  // One entry that is not a key must not hide the others.
  return { keys: keys.filter(isObject), at: now() };
}

/**
 * Verifies the signature of an id_token.
 *
 * @param ring The issuer's keys.
 * @param ref The answer that `processAuthorizationCodeResponse()` has read the id_token from.
 * @param options How keys are fetched, the clock, and whether the token names its key.
 * @throws {Error} of the protocol library if no key verifies it.
 */
export async function verifySignature(
  ring: KeyRing,
  ref: Response,
  { load, runtime, named }: {
    readonly load: LoadKeys;
    readonly runtime: Pick<Runtime, "now">;
    readonly named: boolean;
  },
): Promise<void> {
  const held = await ring.current(load, runtime);
  try {
    await verifyWith(held, ref);
  } catch (error) {
    // A token that names no key cannot say that its key is missing: it only fails to verify.
    const mayBeRotated = !named || (error as { code?: unknown }).code === oauth.KEY_SELECTION;
    const newer = mayBeRotated ? await ring.newer(held, load, runtime) : null;
    if (!newer) throw error;
    await verifyWith(newer, ref);
  }
}

// The library keeps keys by the server object it is given. A new object each time leaves the keeping to the ring. As
// text, because a framework's own `Response` may keep or change an object it is given.
async function verifyWith({ keys }: KeySet, ref: Response): Promise<void> {
  const server = { issuer: "https://issuer.invalid", jwks_uri: "https://issuer.invalid/keys" };
  const answer = () =>
    Promise.resolve(new Response(JSON.stringify({ keys }), { headers: { "content-type": "application/json" } }));
  await oauth.validateApplicationLevelSignature(server, ref, { [oauth.customFetch]: answer });
}
