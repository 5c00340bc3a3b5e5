/**
 * Session tokens: claims that are encrypted with a secret and the name of their cookie.
 *
 * @module
 */
import type { Awaitable, JWT } from "../kernel/model.ts";
import { systemRuntime } from "../kernel/runtime.ts";
import { InvalidConfig } from "../kernel/errors.ts";
import { createSealer } from "./seal.ts";
import { assertSecrets } from "./secrets.ts";

/** Seconds that a session lasts by default. */
export const SESSION_LIFETIME = 30 * 24 * 60 * 60;

/** The parameters of `jwt.encode`. */
export interface JWTEncodeParams<T = JWT> {
  /** The claims. Their `iat`, `exp` and `jti` are replaced. */
  token?: T | undefined;
  /** The secret, or several, newest first. The first one encrypts. */
  secret: string | readonly string[];
  /** The name of the cookie that the token is for. It takes part in the key. */
  salt: string;
  /** Seconds until the token expires. @default {2592000} */
  maxAge?: number | undefined;
  /** How tokens are encrypted: `jwt.encode`, or the function of this package. Only where the service calls. */
  encode?: ((params: JWTEncodeParams<T>) => Awaitable<string>) | undefined;
  /** How tokens are decrypted: `jwt.decode`, or the function of this package. Only where the service calls. */
  decode?: ((params: JWTDecodeParams) => Awaitable<JWT | null>) | undefined;
}

/** The parameters of `jwt.decode`. */
export interface JWTDecodeParams {
  /** The encrypted token. */
  token?: string | undefined;
  /** The secret, or several, newest first. Each of them decrypts. */
  secret: string | readonly string[];
  /** The name of the cookie that the token came in. */
  salt: string;
  /** Seconds until a new token expires. Only where the service calls. */
  maxAge?: number | undefined;
  /** How tokens are encrypted: `jwt.encode`, or the function of this package. Only where the service calls. */
  encode?: ((params: JWTEncodeParams) => Awaitable<string>) | undefined;
  /** How tokens are decrypted: `jwt.decode`, or the function of this package. Only where the service calls. */
  decode?: ((params: JWTDecodeParams) => Awaitable<JWT | null>) | undefined;
}

/**
 * Encrypts claims as a session token: a compact JWE with `dir` and A256CBC-HS512 (RFC 7516).
 *
 * @example Usage
 * ```ts
 * import { encode } from "@x/auth/jwt";
 *
 * const token = await encode({ token: { sub: "42" }, secret: "a random text of at least 32 characters", salt: "authjs.session-token" });
 * ```
 *
 * @param params The claims, the secret, and the purpose: the name of the cookie.
 * @returns The token. Its `iat`, `exp` and `jti` are new.
 * @throws {MissingSecret} if there is no secret.
 * @throws {InvalidConfig} if the secret is anything but text or a list of texts, such as bytes.
 */
export async function encode(params: JWTEncodeParams): Promise<string> {
  const { token = {}, secret, salt, maxAge = SESSION_LIFETIME } = params;
  return await createSealer(assertSecrets(secret, "a session token"), systemRuntime).seal(token, { salt, maxAge });
}

/**
 * Decrypts a session token.
 *
 * @example Usage
 * ```ts
 * import { decode } from "@x/auth/jwt";
 * import assert from "node:assert/strict";
 *
 * assert.equal(await decode({ token: "", secret: "a random text of at least 32 characters", salt: "x" }), null);
 * ```
 *
 * @param params The token, the secret, and the purpose it was sealed for.
 * @returns The claims; `null` without a token.
 * @throws {InvalidConfig} if it is malformed, forged, expired, or sealed with another secret or purpose; or if the
 * secret is anything but text or a list of texts, such as bytes.
 * @throws {MissingSecret} if there is no secret.
 */
export async function decode({ token, secret, salt }: JWTDecodeParams): Promise<JWT | null> {
  if (!token) return null;
  const claims = await createSealer(assertSecrets(secret, "a session token"), systemRuntime).open(token, salt);
  if (!claims) {
    throw new InvalidConfig("Cannot open token: it is malformed, expired, or sealed with another secret or salt");
  }
  return claims;
}
