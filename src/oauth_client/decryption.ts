/**
 * Encrypted answers of a provider: id_tokens, userinfo, authorization responses. The configuration says which algorithms
 * are used. The header of a token chooses nothing but the key.
 *
 * @module
 * @see {@link https://www.rfc-editor.org/rfc/rfc7516 | RFC 7516}
 * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#Encryption | OpenID Connect Core, section 10.2}
 */
import { compactDecrypt } from "jose/jwe/compact/decrypt";
import { fromBase64Url, isCanonicalBase64Url, utf8 } from "../crypto/encoding.ts";
import { InvalidConfig, OAuthProviderError } from "../kernel/errors.ts";
import { isObject } from "../kernel/objects.ts";
import type { DecryptionKey } from "../contract/client_metadata.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";

import { isEncrypted, type JsonObject, readUniqueObject } from "./json.ts";

/** What is encrypted, and how the client is registered for it. */
export interface Encryption {
  /** What it is, for errors, such as `id_token`. */
  readonly what: string;
  /** The option that holds `alg`, for errors. */
  readonly option: string;
  /** The algorithm of the key (`alg`). */
  readonly alg: string | undefined;
  /** The algorithm of the content (`enc`). @default {"A128CBC-HS256"} */
  readonly enc: string | undefined;
}

/** The options of a provider that decryption depends on. */
export type Recipient = Pick<ResolvedOAuthProvider, "id" | "client" | "clientSecret">;

/** The longest text that is decrypted, in characters. What it holds is a quarter shorter. */
const LONGEST = 192 * 1024;

/** Bits of the keys of content encryption. */
const KEY_BITS: ReadonlyMap<string, number> = new Map([
  ["A128CBC-HS256", 256],
  ["A192CBC-HS384", 384],
  ["A256CBC-HS512", 512],
  ["A128GCM", 128],
  ["A192GCM", 192],
  ["A256GCM", 256],
]);

// Neither RSA1_5, which leaks what it decrypts to anybody who can ask often, nor passwords.
const KEY_ALG = /^(?:RSA-OAEP(?:-(?:256|384|512))?|ECDH-ES(?:\+A(?:128|192|256)KW)?|A(?:128|192|256)(?:GCM)?KW|dir)$/;

/**
 * Checks the registration, and that there is a key for it.
 *
 * @throws {InvalidConfig} if an algorithm is not supported, or has no key.
 */
export function checkKeys(provider: Recipient, encryption: Encryption): Registration {
  const { alg = "", enc = "A128CBC-HS256", option } = encryption;
  const { decryptionKeys: given = [], token_endpoint_auth_method: method } = provider.client;
  if (!KEY_ALG.test(alg)) {
    throw misconfigured(provider, `\`${option}\` must be one such as "ECDH-ES" or "RSA-OAEP-256"`);
  }
  if (!KEY_BITS.has(enc)) {
    throw misconfigured(provider, `\`${option.replace(/alg$/, "enc")}\` must be one such as "A256GCM"`);
  }
  if (!Array.isArray(given) || !given.every((entry: unknown) => isKey(entry))) {
    throw misconfigured(provider, "`client.decryptionKeys` must be a list of `CryptoKey`, or of `{ key, kid, alg }`");
  }
  if (isShared(alg)) {
    // OpenID Connect Core, section 10.2: a public client cannot keep the secret.
    if (provider.clientSecret && method !== "none") return { ...encryption, alg, enc, keys: [] };
    throw misconfigured(provider, `\`${option}\` ${alg} needs a confidential client, with a \`clientSecret\``);
  }
  const keys = given.map(entryOf).filter((entry) => fits(entry, alg));
  if (keys.length > 0) return { ...encryption, alg, enc, keys };
  const usage = alg.startsWith("RSA") ? "decrypt" : "deriveBits";
  throw misconfigured(
    provider,
    `\`client.decryptionKeys\` must hold a private key for ${alg}, as \`${option}\` says, with the usage "${usage}"`,
  );
}

function misconfigured({ id }: Recipient, why: string): InvalidConfig {
  return new InvalidConfig(`Cannot use provider "${id}": its ${why}`);
}

function isKey(given: unknown): boolean {
  return given instanceof CryptoKey || (isObject(given) && given.key instanceof CryptoKey);
}

/** A registration that was checked. */
interface Registration {
  readonly what: string;
  readonly option: string;
  readonly alg: string;
  readonly enc: string;
  /** The keys for its algorithm; none if that is the client secret. */
  readonly keys: readonly Entry[];
}

/**
 * Decrypts a compact JWE.
 *
 * @returns What is inside. Nothing in it is verified: anybody who has the public key can encrypt.
 * @throws {OAuthProviderError} if it is not encrypted as it is registered, or no key opens it.
 * @throws {InvalidConfig} if there is no key for the algorithm.
 */
export async function decrypt(provider: Recipient, text: unknown, encryption: Encryption): Promise<string> {
  const registration = checkKeys(provider, encryption);
  const { alg, enc, what, option } = registration;
  const header = readHeader(provider, text, registration);
  if (header.alg !== alg || header.enc !== enc) {
    throw refused(provider, what, `it must be encrypted with ${alg} and ${enc}, as \`${option}\` says`);
  }
  const options = { keyManagementAlgorithms: [alg], contentEncryptionAlgorithms: [enc] };
  for (const key of await keysFor(provider, registration, header.kid)) {
    // Each key is tried: without a `kid` the header does not tell which one it is.
    const plaintext = await compactDecrypt(String(text), key, options).then((opened) => opened.plaintext, () => null);
    if (plaintext) return readText(provider, what, plaintext);
  }
  throw refused(provider, what, "no key of `client.decryptionKeys` opens it");
}

function readHeader(provider: Recipient, text: unknown, { what, option }: Registration): JsonObject {
  if (typeof text !== "string") throw refused(provider, what, "it is not text");
  if (text.length > LONGEST) throw refused(provider, what, "it is too long");
  if (!isEncrypted(text)) {
    throw refused(provider, what, `it is not encrypted; remove \`${option}\` if the client is not registered for it`);
  }
  const parts = text.split(".");
  const header = parts.every(isCanonicalBase64Url) ? readUniqueObject(fromBase64Url(parts[0] ?? ""))?.rounded : null;
  if (!header) throw refused(provider, what, "its header is not a JSON object");
  // Compressed, a small text can become a large one, and its length tells about what it holds.
  if (header.zip !== undefined) throw refused(provider, what, "it is compressed, which is not supported");
  return header;
}

function readText(provider: Recipient, what: string, plaintext: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(plaintext);
    if (!isEncrypted(text)) return text;
  } catch {
    throw refused(provider, what, "what it holds is not text in UTF-8");
  }
  throw refused(provider, what, "it is encrypted twice");
}

function refused({ id }: Recipient, what: string, why: string): OAuthProviderError {
  return new OAuthProviderError(`Cannot decrypt ${what} of provider "${id}": ${why}`);
}

async function keysFor(
  provider: Recipient,
  { what, alg, enc, keys }: Registration,
  kid: unknown,
): Promise<readonly (CryptoKey | Uint8Array)[]> {
  if (isShared(alg)) return [await sharedKey(provider.clientSecret ?? "", alg, enc)];
  // A key without a name may have the one that the header gives.
  const named = keys.filter((entry) => kid === undefined || entry.kid === undefined || entry.kid === kid);
  if (named.length > 0) return named.map(({ key }) => key);
  throw refused(provider, what, `no key of \`client.decryptionKeys\` has the kid ${shown(kid)}`);
}

function shown(kid: unknown): string {
  return JSON.stringify(typeof kid === "string" ? kid.slice(0, 200) : typeof kid);
}

type Entry = Exclude<DecryptionKey, CryptoKey>;

function entryOf(given: DecryptionKey): Entry {
  return given instanceof CryptoKey ? { key: given } : given;
}

/** Whether an entry is for an algorithm: a key of RSA is bound to one, a key of a curve may serve several. */
function fits({ key, alg }: Entry, wanted: string): boolean {
  if (key.type !== "private" || (alg !== undefined && alg !== wanted)) return false;
  const { name, hash } = key.algorithm as { readonly name: string; readonly hash?: { readonly name: string } };
  if (name === "ECDH" || name === "X25519") return wanted.startsWith("ECDH-ES") && key.usages.includes("deriveBits");
  if (name !== "RSA-OAEP" || !key.usages.includes("decrypt")) return false;
  return wanted === (hash?.name === "SHA-1" ? "RSA-OAEP" : `RSA-OAEP-${hash?.name.slice(4)}`);
}

function isShared(alg: string): boolean {
  return /^(?:dir$|A\d{3})/.test(alg);
}

// Section 10.2: the first bits of the hash of the client secret, with the smallest hash that has as many.
async function sharedKey(secret: string, alg: string, enc: string): Promise<Uint8Array> {
  const bits = alg === "dir" ? KEY_BITS.get(enc) ?? 0 : Number(alg.slice(1, 4));
  const hash = bits <= 256 ? "SHA-256" : bits <= 384 ? "SHA-384" : "SHA-512";
  return new Uint8Array(await crypto.subtle.digest(hash, utf8(secret))).slice(0, bits / 8);
}
