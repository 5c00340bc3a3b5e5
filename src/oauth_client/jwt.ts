/**
 * The JWTs of a provider: their form, their algorithms, and how they are opened if they are encrypted. How they are
 * decrypted is loaded when it is needed.
 *
 * @module
 */
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { fromBase64Url, isCanonicalBase64Url } from "../crypto/encoding.ts";
import { once } from "../kernel/load.ts";
import type { Encryption } from "./decryption.ts";
import { type JsonObject, readUniqueObject } from "./json.ts";

const decryption = once(() => import("./decryption.ts"));

/** A decoded JWT. Nothing in it is verified yet. */
export interface Jwt {
  readonly header: JsonObject;
  /** The claims as `JSON.parse()` reads them, for the rules. */
  readonly claims: JsonObject;
  /** The claims with numbers that would be rounded as text, for profiles. */
  readonly exactClaims: JsonObject;
}

// Unused bits of the last character of a part must be zero (RFC 4648, section 3.5): one token, one text.
const COMPACT = /^([\w-]+)\.([\w-]+)\.([\w-]*)$/;

/** Decodes a compact JWS of two JSON objects; `null` if the text is not one. */
export function readJwt(text: string): Jwt | null {
  const [, ...parts] = COMPACT.exec(text) ?? [];
  if (parts.length === 0 || !parts.every(isCanonicalBase64Url)) return null;
  // Another parser could read the second of two members with one name.
  const [header, body] = parts.slice(0, 2).map((part) => readUniqueObject(fromBase64Url(part)));
  return header && body ? { header: header.rounded, claims: body.rounded, exactClaims: body.exact } : null;
}

/** The supported algorithms with a public key. */
export const PUBLIC_KEY_ALGORITHMS: readonly string[] = [
  ...["RS", "PS", "ES"].flatMap((family) => [256, 384, 512].map((bits) => `${family}${bits}`)),
  "EdDSA",
  "Ed25519",
];

/** Returns the hash of an algorithm, or `null` if the algorithm is not supported. */
export function hashOf(alg: unknown): string | null {
  if (alg === "EdDSA" || alg === "Ed25519") return "SHA-512";
  const [, bits] = typeof alg === "string" ? /^(?:RS|PS|ES|HS)(256|384|512)$/.exec(alg) ?? [] : [];
  return bits ? `SHA-${bits}` : null;
}

/** Whether a claim can be a time. */
export function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** What can be encrypted, by its name in the options, with its name in errors. */
const NAMES = { id_token: "id_token", userinfo: "userinfo", authorization: "authorization response" } as const;

type Encryptable = keyof typeof NAMES;

/**
 * Checks the options of encryption, if there are any, before the browser is sent to the provider.
 *
 * @throws {InvalidConfig} if an algorithm is not supported, or has no key.
 */
export async function assertDecryptable(provider: ResolvedOAuthProvider): Promise<void> {
  for (const what of Object.keys(NAMES) as Encryptable[]) {
    const encryption = encryptionOf(provider, what);
    if (encryption.alg !== undefined || encryption.enc !== undefined) {
      (await decryption()).checkKeys(provider, encryption);
    }
  }
}

/**
 * Decrypts an answer if the client is registered for that, and otherwise returns it unchanged.
 *
 * @param name Its name in errors, if it is encrypted in the same way as something else.
 * @throws {OAuthProviderError} if it is not encrypted as it is registered, or no key opens it.
 */
export async function openAnswer(
  provider: ResolvedOAuthProvider,
  what: Encryptable,
  answer: unknown,
  name: string = NAMES[what],
): Promise<unknown> {
  const encryption = { ...encryptionOf(provider, what), what: name };
  return encryption.alg === undefined ? answer : await (await decryption()).decrypt(provider, answer, encryption);
}

function encryptionOf({ client }: ResolvedOAuthProvider, what: Encryptable): Encryption {
  const option = `${what}_encrypted_response` as const;
  const { [`${option}_alg`]: alg, [`${option}_enc`]: enc } = client;
  return { what: NAMES[what], option: `client.${option}_alg`, alg: asText(alg), enc: asText(enc) };
}

function asText(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}
