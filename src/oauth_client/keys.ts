/**
 * The keys an issuer signs with: its JWK Set, cached, and loaded again when a token is signed with a key that is not in
 * it.
 *
 * @module
 */
import { isObject } from "../kernel/objects.ts";
import * as oauth from "oauth4webapi";
import { OAuthProviderError } from "../kernel/errors.ts";
import type { Runtime } from "../kernel/runtime.ts";
import type { IdToken } from "./id_token.ts";
import { type JsonObject, readObject } from "./json.ts";
import { isVerifiedAtOnce } from "./verify_at_once.ts";

/** Seconds for which keys are fresh. A key that the issuer withdraws is accepted no longer than that. */
const MAX_AGE = 5 * 60;

/** Seconds between two reloads, so that made-up key ids and signatures cannot cause a flood of requests. */
export const RELOAD_PAUSE = 60;

/** The keys as they were at one moment. */
export interface KeySet {
  readonly keys: readonly JsonObject[];
  /** Milliseconds since 1970. */
  readonly loadedAt: number;
}

/** Fetches the JWK Set. */
export type LoadKeys = (url: string) => Promise<Response>;

type Clock = Pick<Runtime, "now">;

/** The keys of one issuer, shared by everybody who signs in with it. */
export class RemoteKeySet {
  readonly #url: string;
  #cached: KeySet | null = null;
  #pending: Promise<KeySet> | null = null;
  #reloadedAt: number | null = null;

  /** @param url The `jwks_uri` of the issuer. */
  constructor(url: string) {
    this.#url = url;
  }

  /** Gives the cached keys while they are fresh, and otherwise loads them. */
  async get(load: LoadKeys, { now }: Clock): Promise<KeySet> {
    const cached = this.#cached;
    return cached && isWithin(MAX_AGE, cached.loadedAt, now()) ? cached : await this.#load(load, now);
  }

  /** Gives newer keys than `stale`, which verified nothing. `null` while cooling down from the last reload. */
  async reload(stale: KeySet, load: LoadKeys, { now }: Clock): Promise<KeySet | null> {
    if (this.#pending) return await this.#pending;
    if (this.#cached && this.#cached !== stale) return this.#cached;
    const coolingDown = this.#reloadedAt !== null && isWithin(RELOAD_PAUSE, this.#reloadedAt, now());
    if (coolingDown) return null;
    this.#reloadedAt = now();
    return await this.#load(load, now);
  }

  #load(load: LoadKeys, now: Runtime["now"]): Promise<KeySet> {
    this.#pending ??= loadKeys(this.#url, load, now)
      .then((loaded) => this.#cached = loaded)
      .finally(() => this.#pending = null);
    return this.#pending;
  }
}

/** Whether two times, in milliseconds since 1970, are less than so many seconds apart. */
export function isWithin(seconds: number, since: number, now: number): boolean {
  return Math.abs(now - since) < seconds * 1000; // also when the clock was set back
}

async function loadKeys(url: string, load: LoadKeys, now: Runtime["now"]): Promise<KeySet> {
  const response = await load(url);
  const keys = response.status === 200 ? readObject(await response.arrayBuffer())?.keys : undefined;
  if (!Array.isArray(keys)) {
    throw new OAuthProviderError(`Cannot verify id_token: ${new URL(url).host} did not answer with a JWK Set`, {
      logCode: "id-token-invalid",
      cause: { status: response.status },
    });
  }
  // One invalid entry must not hide the others.
  return { keys: keys.filter(isObject), loadedAt: now() };
}

/** Where keys come from. */
export interface KeySource {
  readonly load: LoadKeys;
  readonly runtime: Clock;
}

/** Verifies something with the keys that the protocol library finds in its options. */
export type Verify<Verified> = (
  server: oauth.AuthorizationServer & { readonly jwks_uri: string },
  options: oauth.ValidateSignatureOptions,
) => Promise<Verified>;

/** A token that came in no response of the provider, and the claims that it was checked for. */
export interface ReceivedToken {
  readonly text: string;
  readonly alg: string;
  readonly iss: string;
  readonly aud: string;
}

/** A token, what was read from it, and where it was read. */
export interface ReadToken {
  readonly text: string;
  readonly token: Pick<IdToken, "header">;
  /** The response that the protocol library has read the token from, or the token if it came in none. */
  readonly response: Response | ReceivedToken;
}

/**
 * Verifies the signature of the id_token that `processAuthorizationCodeResponse()` has read from a response, or of a
 * token that the provider has sent by itself.
 *
 * @throws {Error} of the protocol library if no key verifies it.
 */
export async function verifySignature(
  keySet: RemoteKeySet,
  { text, token, response }: ReadToken,
  source: KeySource,
): Promise<void> {
  // The protocol library compares the claims of such a token, too.
  if ("alg" in response) return void await verifyWithKeys(keySet, verifierOf(response), source);
  const { keys } = await keySet.get(source.load, source.runtime);
  if (isVerifiedAtOnce(keys, text, token)) return;
  // What is wrong, the protocol library says. Keys may be newer, too.
  await verifyWithKeys(keySet, (as, options) => oauth.validateApplicationLevelSignature(as, response, options), source);
}

// The library takes a text only as a signed authorization response, which is the same JWS with other claims.
function verifierOf({ text, alg, iss, aud }: ReceivedToken): Verify<unknown> {
  const client = { client_id: aud, [oauth.clockTolerance]: Number.MAX_SAFE_INTEGER };
  const params = new URLSearchParams({ response: text });
  return (server, options) => {
    const issuer = { ...server, issuer: iss, authorization_signing_alg_values_supported: [alg] };
    return oauth.validateJwtAuthResponse(issuer, client, params, oauth.expectNoState, options);
  };
}

/**
 * Verifies something with the keys of an issuer.
 *
 * @throws {Error} of the protocol library if no key verifies it.
 */
export async function verifyWithKeys<Verified>(
  keySet: RemoteKeySet,
  verify: Verify<Verified>,
  { load, runtime }: KeySource,
): Promise<Verified> {
  const keys = await keySet.get(load, runtime);
  try {
    return await verifyWith(keys, verify);
  } catch (error) {
    // After a rotation, a token finds no key or fails to verify: some servers keep the `kid` of a key that they replace.
    const newer = await keySet.reload(keys, load, runtime);
    if (!newer) throw error;
    return await verifyWith(newer, verify);
  }
}

// The library caches keys by the server object it is given. One object for each set leaves it to `RemoteKeySet` how
// long keys are used. They go in as text, because a framework's own `Response` may keep or change an object.
function verifyWith<Verified>(set: KeySet, verify: Verify<Verified>): Promise<Verified> {
  const server = servers.get(set) ?? { issuer: "https://issuer.invalid", jwks_uri: "https://issuer.invalid/keys" };
  servers.set(set, server);
  const { keys } = set;
  const answer = () =>
    Promise.resolve(new Response(JSON.stringify({ keys }), { headers: { "content-type": "application/json" } }));
  return verify(server, { [oauth.customFetch]: answer });
}

const servers = new WeakMap<KeySet, { readonly issuer: string; readonly jwks_uri: string }>();
