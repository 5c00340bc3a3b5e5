/**
 * Sealed tokens: claims encrypted as a compact JWE (RFC 7516) with a key derived from a secret and a purpose.
 *
 * @module
 */
import { BoundedMap } from "../kernel/bounded_map.ts";
import { isObject } from "../kernel/objects.ts";
import type { Runtime } from "../kernel/runtime.ts";
import { CBC_IV, type OpeningKey, type Sealed } from "./content_encryption.ts";
import { fromBase64Url, isCanonicalBase64Url, toBase64Url, utf8 } from "./encoding.ts";
import { deriveKeys } from "./keys.ts";
import { randomUuid } from "./random.ts";
import { CHUNK_SIZE, MAX_CHUNKS } from "../kernel/cookie_limits.ts";

/** The claims of a token. */
export type Claims = Record<string, unknown>;

/** How a token is sealed. */
export interface SealOptions {
  /** The purpose: the name of the cookie. A token opens only for the purpose it was sealed for. */
  readonly salt: string;
  /** Seconds until the token expires. @default never */
  readonly maxAge?: number;
}

/** Seals and opens tokens with a list of secrets, newest first. */
export interface Sealer {
  /** Encrypts claims with the first secret. Their `iat`, `exp` and `jti` are replaced. */
  seal(claims: Readonly<Claims>, options: SealOptions): Promise<string>;
  /** Decrypts a token. `null` if it is malformed, forged, expired, or sealed with another secret or for another purpose. */
  open(token: string, salt: string, options?: OpenOptions): Promise<Claims | null>;
}

/** How a token is opened. */
export interface OpenOptions {
  /** Whether to remember the claims, so that the next call with the same token needs no decryption. @default {false} */
  readonly remember?: boolean;
  /** The longest token that is opened, in characters. @default {MAX_TOKEN_LENGTH} */
  readonly longest?: number;
}

/** Seconds that a token still opens after it has expired, because clocks differ. */
export const CLOCK_TOLERANCE = 15;

/** The longest token, in characters: as much as fits into the cookies of a session. */
export const MAX_TOKEN_LENGTH = MAX_CHUNKS * CHUNK_SIZE;

const MAX_HEADER_LENGTH = 512;

/**
 * The JSON of tokens that were decrypted before, by secrets, purpose and token. All configurations share it, because a
 * configuration that is chosen for each request is a new object each time.
 */
const remembered = new BoundedMap<string, string>(1000);

/**
 * Makes a sealer.
 *
 * @param secrets The secrets, newest first. The first one seals, each of them opens.
 * @param runtime The clock and the source of random bytes.
 */
export function createSealer(secrets: readonly string[], runtime: Pick<Runtime, "now" | "random">): Sealer {
  const owner = JSON.stringify(secrets);

  async function seal(claims: Readonly<Claims>, { salt, maxAge }: SealOptions): Promise<string> {
    const { header, encrypt } = (await deriveKeys(secrets[0] ?? "", salt))["A256CBC-HS512"];
    const now = Math.floor(runtime.now() / 1000);
    const exp = maxAge === undefined ? undefined : now + maxAge;
    const payload = { ...claims, iat: now, exp, jti: randomUuid(runtime) };
    const random = runtime.random(new Uint8Array(CBC_IV));
    const { iv, ciphertext, tag } = await encrypt(utf8(JSON.stringify(payload)), utf8(header), random);
    return `${header}..${toBase64Url(iv)}.${toBase64Url(ciphertext)}.${toBase64Url(tag)}`;
  }

  async function open(token: string, salt: string, options: OpenOptions = {}): Promise<Claims | null> {
    const { remember = false, longest } = options;
    // The length of the salt and the brackets of the secrets keep the three parts apart.
    const name = `${salt.length}:${salt}${owner}${token}`;
    const known = remember ? remembered.get(name) : undefined;
    const json = known ?? await decrypt(partsOf(token, longest), salt, secrets);
    // Parsed each time, because a callback may change the claims that it is given.
    const claims = parseClaims(json);
    if (json === null || !claims || !isInTime(claims, runtime.now() / 1000)) {
      remembered.delete(name);
      return null;
    }
    if (remember && known === undefined) remembered.set(name, json);
    return claims;
  }

  return { seal, open };
}

async function decrypt(parts: Parts | null, salt: string, secrets: readonly string[]): Promise<string | null> {
  const header = parts && headerOf(parts.header);
  if (!header) return null;
  for (const secret of secrets) {
    const key = (await deriveKeys(secret, salt))[header.enc];
    if (header.kid !== undefined && header.kid !== key.kid) continue;
    const plaintext = await key.decrypt(parts, header.bytes);
    if (plaintext) return textOf(plaintext);
  }
  return null;
}

/**
 * Decrypts a token even if it has expired, to say what is wrong with it. It must sign nobody in.
 *
 * @returns The claims; `null` if it is malformed, forged, or sealed with another secret or for another purpose.
 */
export async function openIgnoringTime(
  token: string,
  salt: string,
  secrets: readonly string[],
): Promise<Claims | null> {
  return parseClaims(await decrypt(partsOf(token), salt, secrets));
}

/**
 * Opens a token of other software, sealed with A256GCM.
 *
 * @param token The token.
 * @param keys The keys to try.
 * @param now Milliseconds since 1970.
 * @returns The claims; `null` if the token is malformed, forged or expired, has no `exp`, or is of another kind.
 */
export async function openWith(token: string, keys: readonly OpeningKey[], now: number): Promise<Claims | null> {
  const parts = partsOf(token);
  const header = parts && headerOf(parts.header);
  if (!parts || header?.enc !== "A256GCM") return null;
  for (const key of keys) {
    const plaintext = await key.decrypt(parts, header.bytes);
    const claims = plaintext && parseClaims(textOf(plaintext));
    if (claims) return claims.exp !== undefined && isInTime(claims, now / 1000) ? claims : null;
  }
  return null;
}

// A token has one spelling. Everything else is refused before any cryptography.
function partsOf(token: string, longest = MAX_TOKEN_LENGTH): Parts | null {
  if (token.length > longest || !/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return null;
  const [header = "", _key, iv = "", ciphertext = "", tag = ""] = token.split(".");
  if (header.length > MAX_HEADER_LENGTH || ![header, iv, ciphertext, tag].every(isCanonicalBase64Url)) return null;
  return { header, iv: fromBase64Url(iv), ciphertext: fromBase64Url(ciphertext), tag: fromBase64Url(tag) };
}

interface Parts extends Sealed {
  readonly header: string;
}

interface TokenHeader {
  readonly enc: "A256CBC-HS512" | "A256GCM";
  readonly kid: string | undefined;
  /** The encoded header, which is authenticated. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Headers that were read before. All tokens that one key has sealed have the same. */
const headers = new BoundedMap<string, TokenHeader>(16);

function headerOf(encoded: string): TokenHeader | null {
  const known = headers.get(encoded);
  if (known) return known;
  const header = readHeader(encoded);
  if (header) headers.set(encoded, header);
  return header;
}

// Only the parameters that we write ourselves are accepted, so no header can demand work (zip bombs, PBES2 counts).
function readHeader(encoded: string): TokenHeader | null {
  const { alg, enc, kid, ...others } = parseClaims(textOf(fromBase64Url(encoded))) ?? {};
  if (alg !== "dir" || (enc !== "A256CBC-HS512" && enc !== "A256GCM")) return null;
  if (kid !== undefined && typeof kid !== "string") return null;
  if (Object.keys(others).some((name) => name !== "typ" && name !== "cty")) return null;
  return { enc, kid, bytes: utf8(encoded) };
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads UTF-8; `null` if it is malformed. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

function parseClaims(json: string | null): Claims | null {
  try {
    const value: unknown = JSON.parse(json ?? "null");
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isInTime({ exp, iat, nbf }: Claims, now: number): boolean {
  if (iat !== undefined && typeof iat !== "number") return false;
  if (exp !== undefined && !(typeof exp === "number" && exp > now - CLOCK_TOLERANCE)) return false;
  return nbf === undefined || (typeof nbf === "number" && nbf <= now + CLOCK_TOLERANCE);
}
