/**
 * Sealed tokens: claims encrypted as a compact JWE (RFC 7516) with a key derived from a secret and a purpose.
 *
 * @module
 */
import { BoundedMap } from "../kernel/bounded_map.ts";
import type { Runtime } from "../kernel/runtime.ts";
import { CBC_IV, type Sealed } from "./content_encryption.ts";
import { fromBase64Url, toBase64Url, utf8 } from "./encoding.ts";
import { deriveKeys } from "./keys.ts";
import { randomUuid } from "./random.ts";

/** Claims, as they come out of a token. */
export type Claims = Record<string, unknown>;

/** What {@linkcode Sealer.seal} is told. */
export interface SealOptions {
  /** The purpose: the name of the cookie. A token opens only under the purpose it was sealed for. */
  readonly salt: string;
  /** Seconds until it expires. */
  readonly maxAge: number;
}

/** Seals and opens tokens with a list of secrets, newest first. */
export interface Sealer {
  /** Encrypts claims with the first secret; `iat`, `exp` and `jti` are written over those in the claims. */
  seal(claims: Readonly<Claims>, options: SealOptions): Promise<string>;
  /** Decrypts a token. `null` if it is malformed, forged, expired, or sealed with another secret or purpose. */
  open(token: string, salt: string, options?: OpenOptions): Promise<Claims | null>;
}

/** What {@linkcode Sealer.open} is told. */
export interface OpenOptions {
  /** Keeps the claims, so that the same token opens without decryption until it expires or newer ones push it out. */
  readonly remember?: boolean;
}

/** Seconds a token still opens after its end, for clocks that disagree. */
export const CLOCK_TOLERANCE = 15;

/** The longest token: five cookies of 3936 characters. */
export const MAX_TOKEN_LENGTH = 19_680;

const MAX_HEADER_LENGTH = 512;

/**
 * Makes a sealer.
 *
 * @param secrets The secrets, newest first; the first one seals, any opens.
 * @param runtime Clock and randomness.
 * @returns The sealer.
 */
export function createSealer(secrets: readonly string[], runtime: Pick<Runtime, "now" | "random">): Sealer {
  const remembered = new BoundedMap<string, Claims>(1000);

  async function seal(claims: Readonly<Claims>, { salt, maxAge }: SealOptions): Promise<string> {
    const { header, encrypt } = (await deriveKeys(secrets[0] ?? "", salt))["A256CBC-HS512"];
    const now = Math.floor(runtime.now() / 1000);
    const payload = { ...claims, iat: now, exp: now + maxAge, jti: randomUuid(runtime) };
    const random = runtime.random(new Uint8Array(CBC_IV));
    const { iv, ciphertext, tag } = await encrypt(utf8(JSON.stringify(payload)), utf8(header), random);
    return `${header}..${toBase64Url(iv)}.${toBase64Url(ciphertext)}.${toBase64Url(tag)}`;
  }

  async function open(token: string, salt: string, { remember = false }: OpenOptions = {}): Promise<Claims | null> {
    const name = `${salt} ${token}`;
    const known = remember ? remembered.get(name) : undefined;
    const claims = known ?? await decrypt(token, salt, secrets);
    if (!claims || !inTime(claims, runtime.now() / 1000)) {
      if (known) remembered.delete(name);
      return null;
    }
    if (!remember) return claims;
    if (!known) remembered.set(name, claims);
    return copyOf(claims) as Claims; // what is remembered must not change in the hands of a callback
  }

  return { seal, open };
}

async function decrypt(token: string, salt: string, secrets: readonly string[]): Promise<Claims | null> {
  const parts = partsOf(token);
  const header = parts && headerOf(parts.header);
  if (!header) return null;
  for (const secret of secrets) {
    const key = (await deriveKeys(secret, salt))[header.enc];
    if (header.kid !== undefined && header.kid !== key.kid) continue;
    const plaintext = await key.decrypt(parts, utf8(parts.header));
    if (plaintext) return asClaims(readJson(plaintext));
  }
  return null;
}

// One spelling, one length: whatever else a token could be is refused before any cryptography.
function partsOf(token: string): (Sealed & { readonly header: string }) | null {
  if (token.length > MAX_TOKEN_LENGTH || !/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return null;
  const [header = "", _key, iv = "", ciphertext = "", tag = ""] = token.split(".");
  if (header.length > MAX_HEADER_LENGTH || ![header, iv, ciphertext, tag].every(isCanonical)) return null;
  return { header, iv: fromBase64Url(iv), ciphertext: fromBase64Url(ciphertext), tag: fromBase64Url(tag) };
}

interface TokenHeader {
  readonly enc: "A256CBC-HS512" | "A256GCM";
  readonly kid: string | undefined;
}

const headers = new BoundedMap<string, TokenHeader>(64);

// No header parameter can ask for work (zip bombs, PBES2 counts): only what we write ourselves may be there.
function headerOf(encoded: string): TokenHeader | null {
  const known = headers.get(encoded);
  if (known) return known;
  const { alg, enc, kid, ...others } = asClaims(readJson(fromBase64Url(encoded))) ?? {};
  if (alg !== "dir" || (enc !== "A256CBC-HS512" && enc !== "A256GCM")) return null;
  if (kid !== undefined && typeof kid !== "string") return null;
  if (Object.keys(others).some((name) => name !== "typ" && name !== "cty")) return null;
  headers.set(encoded, { enc, kid });
  return { enc, kid };
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}

// The bits that a last character has to spare must be zero (RFC 4648, section 3.5): a token has one spelling.
function isCanonical(part: string): boolean {
  const over = part.length % 4;
  return over === 0 || (over === 2 && /[AQgw]$/.test(part)) || (over === 3 && /[AEIMQUYcgkosw048]$/.test(part));
}

// Claims come out of JSON, so this is all they can hold; structuredClone() costs several times as much.
function copyOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (name === "__proto__") Object.defineProperty(copy, name, { value: copyOf(member), enumerable: true });
    else copy[name] = copyOf(member);
  }
  return copy;
}

function asClaims(value: unknown): Claims | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value as Claims : null;
}

function inTime({ exp, iat, nbf }: Claims, now: number): boolean {
  if (iat !== undefined && typeof iat !== "number") return false;
  if (exp !== undefined && !(typeof exp === "number" && exp > now - CLOCK_TOLERANCE)) return false;
  return nbf === undefined || (typeof nbf === "number" && nbf <= now + CLOCK_TOLERANCE);
}
