/**
 * Access tokens that are bound to a key (DPoP): a request with one has to prove possession of the key.
 *
 * @module
 * @see {@link https://www.rfc-editor.org/rfc/rfc9449 | RFC 9449}
 */
import * as oauth from "oauth4webapi";
import { type AtRest, openAtRest, sealAtRest } from "../crypto/at_rest.ts";
import type { Sealer } from "../crypto/seal.ts";
import { BoundedMap } from "../kernel/bounded_map.ts";
import { InvalidConfig, OAuthProviderError } from "../kernel/errors.ts";
import { isObject } from "../kernel/objects.ts";
import type { AccountKey } from "../kernel/model.ts";
import type { Runtime } from "../kernel/runtime.ts";
import type { FetchLike } from "../contract/provider.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { ownerOf } from "./account_tokens.ts";
import type { Server } from "./metadata.ts";

/** The key of a token, ready for use. */
export interface BoundKey {
  /** Makes the proofs of requests that the protocol library sends. */
  readonly handle: oauth.DPoPHandle;
  /** Remembers the nonce of an answer. Returns whether there is one. */
  readonly keepNonce: (url: string, response: Pick<Response, "headers">) => boolean;
}

/** How keys are made and read, by algorithm, the best first. Keys of RSA would be too large for the cookie of a flow. */
const ALGORITHMS: ReadonlyMap<string, EcKeyAlgorithm | Algorithm> = new Map<string, EcKeyAlgorithm | Algorithm>([
  ["ES256", { name: "ECDSA", namedCurve: "P-256" }],
  ["ES384", { name: "ECDSA", namedCurve: "P-384" }],
  ["ES512", { name: "ECDSA", namedCurve: "P-521" }],
  ["Ed25519", { name: "Ed25519" }],
  ["EdDSA", { name: "Ed25519" }],
]);

/**
 * Makes a key for one sign-in, as a private JWK: ES256, or another algorithm if the server offers only others.
 *
 * @throws {InvalidConfig} if the client cannot use DPoP.
 * @throws {OAuthProviderError} if the server offers no algorithm that is supported.
 */
export async function makeKey({ id, token }: ResolvedOAuthProvider, { metadata }: Server): Promise<JsonWebKey> {
  if (token.handler) {
    throw new InvalidConfig(
      `Cannot use provider "${id}": its \`client.dpop_bound_access_tokens\` has no effect on a \`token\` request of your ` +
        "own; remove one of them",
    );
  }
  const offered: unknown = metadata.dpop_signing_alg_values_supported ?? ["ES256"];
  const [alg, algorithm] = [...ALGORITHMS].find(([name]) => Array.isArray(offered) && offered.includes(name)) ?? [];
  if (!alg || !algorithm) {
    throw new OAuthProviderError(
      `Cannot sign in with "${id}": for DPoP its metadata offers ${JSON.stringify(offered).slice(0, 200)}, and this ` +
        `service has ${[...ALGORITHMS.keys()].join(", ")}`,
    );
  }
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]) as CryptoKeyPair;
  const { key_ops: _, ext: __, ...jwk } = await crypto.subtle.exportKey("jwk", privateKey);
  return { ...jwk, alg };
}

/** Returns `dpop_jkt` for a key: the code works only with this key (section 10). */
export async function thumbprintOf(jwk: JsonWebKey): Promise<string> {
  return await oauth.DPoP({}, await importPair(jwk)).calculateThumbprint();
}

/** Makes a key ready for use. */
export async function openKey(
  jwk: JsonWebKey,
  { runtime }: { readonly runtime: Pick<Runtime, "now" | "fetch"> },
  { id, fetch }: Pick<ResolvedOAuthProvider, "id" | "fetch">,
): Promise<BoundKey> {
  // By what requests are sent with: another `fetch` may reach another server at the same URL.
  const nonces = noncesOf(fetch ?? runtime.fetch);
  const nameOf = (url: string) => `${id} ${new URL(url).origin}`;
  const handle = oauth.DPoP({}, await importPair(jwk), {
    [oauth.modifyAssertion](header, payload) {
      Object.assign(header, { alg: jwk.alg });
      const nonce = nonces.get(nameOf(String(payload.htu)));
      Object.assign(payload, { iat: Math.floor(runtime.now() / 1000), nonce });
    },
  });
  return {
    handle,
    keepNonce: (url, response) => {
      const nonce = response.headers.get("dpop-nonce");
      if (nonce === null || !NONCE.test(nonce)) return false;
      nonces.set(nameOf(url), nonce);
      return true;
    },
  };
}

/** Section 8.1: characters without space, quotes and backslash. No server needs longer ones. */
const NONCE = /^[\x21\x23-\x5b\x5d-\x7e]{1,1024}$/;

// Servers keep changing their nonces, so they are shared by all who sign in.
const caches = new WeakMap<object, BoundedMap<string, string>>();

function noncesOf(fetch: object): BoundedMap<string, string> {
  const cache = caches.get(fetch) ?? new BoundedMap<string, string>(200);
  caches.set(fetch, cache);
  return cache;
}

async function importPair({ d, ...jwk }: JsonWebKey): Promise<CryptoKeyPair> {
  const algorithm = ALGORITHMS.get(jwk.alg ?? "");
  if (!algorithm) throw new InvalidConfig("Cannot use DPoP key: its algorithm is unknown");
  // Runtimes differ in the names that they take for a key of Ed25519.
  const { alg: _, ...key } = jwk;
  const [privateKey, publicKey] = await Promise.all([
    crypto.subtle.importKey("jwk", { ...key, ...(d !== undefined && { d }) }, algorithm, false, ["sign"]),
    crypto.subtle.importKey("jwk", key, algorithm, true, ["verify"]),
  ]);
  return { privateKey, publicKey };
}

/**
 * Makes a `fetch` that sends an access token together with a proof. It repeats a request once if the server demands a
 * nonce, so bodies are read into memory. Redirects are not followed, because a proof is for one URL.
 *
 * @param fetch Sends requests. It has to refuse what is not https.
 */
export function boundFetch(fetch: FetchLike, key: BoundKey, accessToken: string): FetchLike {
  return async (input, init = {}) => {
    const request = new Request(input, init);
    const { url } = request;
    // Before the body is read: Bun names its type only until then.
    const headers = new Headers(request.headers);
    const body = request.body ? await request.arrayBuffer() : null;
    const send = () => sendBound(request, { fetch, key, accessToken, init: { ...init, headers, body } });
    const response = await send();
    const isWanted = key.keepNonce(url, response) && isRefusedForNonce(response);
    if (!isWanted) return response;
    response.body?.cancel().catch(() => {});
    const repeated = await send();
    key.keepNonce(url, repeated);
    return repeated;
  };
}

// Section 9. The scheme may stand among others.
function isRefusedForNonce({ status, headers }: Response): boolean {
  const challenge = headers.get("www-authenticate") ?? "";
  return status === 401 && /\bdpop\b/i.test(challenge) && /\berror\s*=\s*"?use_dpop_nonce\b/i.test(challenge);
}

interface Bound {
  readonly fetch: FetchLike;
  readonly key: BoundKey;
  readonly accessToken: string;
  readonly init: RequestInit;
}

async function sendBound(
  { url, method, signal }: Request,
  { fetch, key, accessToken, init }: Bound,
): Promise<Response> {
  const redirect = init.redirect === "manual" ? "manual" : "error";
  const options = {
    DPoP: key.handle,
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: async (_url: string, proven: { readonly headers: Record<string, string> }) => {
      const headers = new Headers(init.headers);
      for (const name of ["authorization", "dpop"]) headers.set(name, proven.headers[name] ?? "");
      return await fetch(url, { ...init, method, headers, redirect, signal });
    },
  };
  try {
    return await oauth.protectedResourceRequest(accessToken, method, new URL(url), undefined, null, options);
  } catch (error) {
    // A refusal is an answer like any other.
    if (error instanceof oauth.WWWAuthenticateChallengeError) return error.response;
    throw error;
  }
}

/** Seals a key as text, to store it with an account. */
export async function sealKey(sealer: Sealer, account: AccountKey, jwk: JsonWebKey): Promise<string> {
  return await sealAtRest(sealer, atRest(account), JSON.stringify(jwk));
}

/** Opens the text of {@linkcode sealKey}. `null` if it is of another account, or was sealed with another secret. */
export async function openSealedKey(sealer: Sealer, account: AccountKey, sealed: string): Promise<JsonWebKey | null> {
  const text = await openAtRest(sealer, atRest(account), sealed);
  const jwk: unknown = text === null ? null : JSON.parse(text);
  return isObject(jwk) ? jwk as JsonWebKey : null;
}

function atRest(account: AccountKey): AtRest {
  return { purpose: "dpop_key", owner: ownerOf(account) };
}
