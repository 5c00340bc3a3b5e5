/**
 * The keys that an issuer signs with: its JWK Set, cached, and loaded again when none of them verifies a signature.
 *
 * @module
 */
import type { CompactVerifyGetKey } from "jose/jws/compact/verify";
import { OAuthProviderError } from "../kernel/errors.ts";
import { once } from "../kernel/load.ts";
import { isObject } from "../kernel/objects.ts";
import { type Runtime, sharesWork } from "../kernel/runtime.ts";
import { readObject } from "./json.ts";

const compactJws = once(() => import("jose/jws/compact/verify"));
const localKeySets = once(() => import("jose/jwks/local"));

/** Seconds for which keys are fresh. A key that the issuer withdraws is accepted no longer than that. */
const MAX_AGE = 5 * 60;

/** Seconds between two reloads, so that made-up key ids and signatures cannot cause a flood of requests. */
const RELOAD_PAUSE = 60;

/** Reloads in that time where they are not shared: those who come meanwhile need one, and one may end with its visitor. */
const UNSHARED_RELOADS = 8;

/** Says how often something may be loaded again. */
export class Reloads {
  #since: number | null = null;
  #begun = 0;

  /** Whether another reload may begin, at a time in milliseconds since 1970. If so, it counts. */
  mayBegin(now: number): boolean {
    if (this.#since === null || !isWithin(RELOAD_PAUSE, this.#since, now)) {
      this.#since = now;
      this.#begun = 0;
    }
    return ++this.#begun <= (sharesWork() ? 1 : UNSHARED_RELOADS);
  }
}

/** The keys at one moment. */
export interface KeySet {
  /** Finds the key for a header. It takes the one that fits, and refuses several, private ones and short ones of RSA. */
  readonly find: CompactVerifyGetKey;
  /** Milliseconds since 1970. */
  readonly loadedAt: number;
}

/** Where keys come from. */
export interface KeySource {
  /** Fetches the JWK Set. */
  readonly load: (url: string) => Promise<Response>;
  readonly runtime: Pick<Runtime, "now">;
}

/** The keys of one issuer, shared by all sign-ins there. */
export class RemoteKeySet {
  readonly #url: string;
  #cached: KeySet | null = null;
  #pending: Promise<KeySet> | null = null;
  readonly #reloads = new Reloads();

  /** @param url The `jwks_uri` of the issuer. */
  constructor(url: string) {
    this.#url = url;
  }

  /** Returns the cached keys while they are fresh, and otherwise loads them. */
  async get(source: KeySource): Promise<KeySet> {
    const cached = this.#cached;
    return cached && isWithin(MAX_AGE, cached.loadedAt, source.runtime.now()) ? cached : await this.#load(source);
  }

  /** Returns newer keys than `stale`, which verified nothing. `null` while cooling down from the last reload. */
  async reload(stale: KeySet, source: KeySource): Promise<KeySet | null> {
    if (this.#pending) return await this.#pending;
    if (this.#cached && this.#cached !== stale) return this.#cached;
    return this.#reloads.mayBegin(source.runtime.now()) ? await this.#load(source) : null;
  }

  /**
   * Verifies a compact JWS.
   *
   * @param algorithms The algorithms that it may be signed with.
   * @throws {Error} if no key verifies it.
   */
  async verify(jws: string, algorithms: readonly string[], source: KeySource): Promise<void> {
    const keys = await this.get(source);
    try {
      await verifyJws(jws, keys.find, algorithms);
    } catch (error) {
      // After a rotation, a token finds no key or fails to verify: some servers keep the `kid` of a key that they replace.
      const newer = await this.reload(keys, source);
      if (!newer) throw error;
      await verifyJws(jws, newer.find, algorithms);
    }
  }

  #load(source: KeySource): Promise<KeySet> {
    if (this.#pending) return this.#pending;
    const loading = loadKeys(this.#url, source)
      .then((loaded) => this.#cached = loaded)
      .finally(() => this.#pending = null);
    if (sharesWork()) this.#pending = loading;
    return loading;
  }
}

/**
 * Verifies a compact JWS with jose.
 *
 * @param key The shared secret, or a function that finds the public key.
 * @throws {Error} if it is not valid.
 */
export async function verifyJws(
  jws: string,
  key: Uint8Array | CompactVerifyGetKey,
  algorithms: readonly string[],
): Promise<void> {
  const { compactVerify } = await compactJws();
  const options = { algorithms: [...algorithms] };
  // Its two overloads take the one or the other.
  await (typeof key === "function" ? compactVerify(jws, key, options) : compactVerify(jws, key, options));
}

/** Whether two times, in milliseconds since 1970, are less than so many seconds apart. */
export function isWithin(seconds: number, since: number, now: number): boolean {
  return Math.abs(now - since) < seconds * 1000; // also when the clock was set back
}

async function loadKeys(url: string, { load, runtime }: KeySource): Promise<KeySet> {
  const response = await load(url);
  const keys = response.status === 200 ? readObject(await response.arrayBuffer())?.keys : undefined;
  if (!Array.isArray(keys)) {
    throw new OAuthProviderError(`Cannot verify id_token: ${new URL(url).host} did not answer with a JWK Set`, {
      logCode: "id-token-invalid",
      cause: { status: response.status },
    });
  }
  const { createLocalJWKSet } = await localKeySets();
  // One invalid entry must not hide the others.
  return { find: createLocalJWKSet({ keys: keys.filter(isObject) }), loadedAt: runtime.now() };
}
