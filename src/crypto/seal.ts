/**
 * Sealed tokens: claims encrypted as a compact JWE (RFC 7516) with a key derived from a secret and a purpose.
 *
 * @module
 */
import { compactDecrypt } from "jose/jwe/compact/decrypt";
import { CompactEncrypt } from "jose/jwe/compact/encrypt";
import { BoundedMap } from "../bounded_map.ts";
import type { Runtime } from "../runtime.ts";
import { fromBase64Url, utf8 } from "./encoding.ts";
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
const ALGORITHMS = { keyManagementAlgorithms: ["dir"], contentEncryptionAlgorithms: ["A256CBC-HS512", "A256GCM"] };

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
    const { bytes, kid } = (await deriveKeys(secrets[0] ?? "", salt))["A256CBC-HS512"];
    const now = Math.floor(runtime.now() / 1000);
    const payload = { ...claims, iat: now, exp: now + maxAge, jti: randomUuid(runtime) };
    return await new CompactEncrypt(utf8(JSON.stringify(payload)))
      .setProtectedHeader({ alg: "dir", enc: "A256CBC-HS512", kid })
      .encrypt(bytes);
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
    return structuredClone(claims); // what is remembered must not change in the hands of a callback
  }

  return { seal, open };
}

async function decrypt(token: string, salt: string, secrets: readonly string[]): Promise<Claims | null> {
  const header = headerOf(token);
  if (!header) return null;
  for (const secret of secrets) {
    const key = (await deriveKeys(secret, salt))[header.enc];
    if (header.kid !== undefined && header.kid !== key.kid) continue;
    try {
      const { plaintext } = await compactDecrypt(token, key.bytes, ALGORITHMS);
      return asClaims(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plaintext)));
    } catch {
      // Not ours, or of another secret when no kid tells: one outward result for every reason.
    }
  }
  return null;
}

interface TokenHeader {
  readonly enc: "A256CBC-HS512" | "A256GCM";
  readonly kid: string | undefined;
}

// Looked at before any cryptography, so that junk costs nothing and no header parameter can ask for work
// (zip bombs, PBES2 counts): only the three members that we write ourselves may be there.
function headerOf(token: string): TokenHeader | null {
  if (token.length > MAX_TOKEN_LENGTH || !/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return null;
  if (!token.split(".").every(isCanonical)) return null;
  const encoded = token.slice(0, token.indexOf("."));
  if (encoded.length > MAX_HEADER_LENGTH) return null;
  try {
    const { alg, enc, kid, ...others } = asClaims(JSON.parse(new TextDecoder().decode(fromBase64Url(encoded)))) ?? {};
    if (alg !== "dir" || (enc !== "A256CBC-HS512" && enc !== "A256GCM")) return null;
    if (kid !== undefined && typeof kid !== "string") return null;
    return Object.keys(others).some((name) => name !== "typ" && name !== "cty") ? null : { enc, kid };
  } catch {
    return null;
  }
}

// The bits that a last character has to spare must be zero (RFC 4648, section 3.5): a token has one spelling.
function isCanonical(part: string): boolean {
  const over = part.length % 4;
  return over === 0 || (over === 2 && /[AQgw]$/.test(part)) || (over === 3 && /[AEIMQUYcgkosw048]$/.test(part));
}

function asClaims(value: unknown): Claims | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value as Claims : null;
}

function inTime({ exp, nbf }: Claims, now: number): boolean {
  if (exp !== undefined && !(typeof exp === "number" && exp > now - CLOCK_TOLERANCE)) return false;
  return nbf === undefined || (typeof nbf === "number" && nbf <= now + CLOCK_TOLERANCE);
}
