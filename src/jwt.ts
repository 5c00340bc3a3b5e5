/**
 * Session tokens outside the service: encrypt them, decrypt them, and read them from a request.
 *
 * @example Usage
 * ```ts
 * import { decode, encode } from "@x/auth/jwt";
 * import assert from "node:assert/strict";
 *
 * const secret = "a random text of at least 32 characters";
 * const salt = "authjs.session-token";
 * const token = await encode({ token: { sub: "42" }, secret, salt });
 *
 * assert.equal((await decode({ token, secret, salt }))?.sub, "42");
 * ```
 *
 * @module
 */
import { assertSecrets } from "./crypto/secrets.ts";
import { decode, encode, type JWTDecodeParams, type JWTEncodeParams } from "./crypto/session_token.ts";
import { joinChunks } from "./http/chunks.ts";
import { decodeCookieValue, MAX_HEADER_LENGTH, parseCookies } from "./http/cookie_text.ts";
import type { Awaitable, DefaultJWT, JWT } from "./kernel/model.ts";

export { decode, encode };
export type { DefaultJWT, JWT, JWTDecodeParams, JWTEncodeParams };

/** The parameters of {@linkcode getToken}. */
export interface GetTokenParams {
  /** The request, or anything with its headers. */
  req: Request | { readonly headers: Headers | Readonly<Record<string, string>> };
  /** The secret, or several, newest first. */
  secret?: string | readonly string[] | undefined;
  /** Whether the cookie has the name it has over https. @default {false} */
  secureCookie?: boolean | undefined;
  /** The name of the cookie. @default the name that `secureCookie` says */
  cookieName?: string | undefined;
  /** The purpose the token was sealed for. @default `cookieName` */
  salt?: string | undefined;
  /** Whether to return the encrypted token itself. @default {false} */
  raw?: boolean | undefined;
  /** Replaces {@linkcode decode}. */
  decode?: ((params: JWTDecodeParams) => Awaitable<JWT | null>) | undefined;
}

/**
 * Reads the session token of a request from its cookies, otherwise from `Authorization: Bearer`.
 *
 * @example Usage
 * ```ts
 * import { getToken } from "@x/auth/jwt";
 * import assert from "node:assert/strict";
 *
 * const req = new Request("https://example.com/");
 * assert.equal(await getToken({ req, secret: "a random text of at least 32 characters" }), null);
 * ```
 *
 * @param params The request and the secret.
 * @returns The claims, or `null` if there is no token that opens. With `raw`, the token as text.
 * @throws {MissingSecret} if there is no secret and `raw` is not set.
 * @throws {InvalidConfig} if the secret is anything but text or a list of texts, such as bytes.
 * @see {@link https://www.rfc-editor.org/rfc/rfc6750#section-2.1 | RFC 6750, section 2.1}
 */
export function getToken(params: GetTokenParams & { raw: true }): Promise<string | null>;
/** Reads the session token of a request and opens it. */
export function getToken(params: GetTokenParams): Promise<JWT | null>;
export async function getToken(params: GetTokenParams): Promise<JWT | string | null> {
  const { req, secret, secureCookie = false, raw = false } = params;
  const name = params.cookieName ?? (secureCookie ? "__Secure-authjs.session-token" : "authjs.session-token");
  const secrets = raw ? [] : assertSecrets(secret, "a session token");
  const headers = req.headers instanceof Headers ? req.headers : new Headers(req.headers);
  const token = fromCookies(headers, name) ?? fromBearer(headers);
  if (!token) return null;
  if (raw) return token;
  try {
    return await (params.decode ?? decode)({ token, secret: secrets, salt: params.salt ?? name });
  } catch {
    return null;
  }
}

function fromCookies(headers: Headers, name: string): string | undefined {
  const cookies = parseCookies(headers.get("cookie"), [name]);
  return joinChunks(name, (chunk) => {
    const values = cookies.get(chunk);
    return values?.length === 1 && values[0] !== undefined ? decodeCookieValue(values[0]) : undefined;
  });
}

function fromBearer(headers: Headers): string | null {
  const header = headers.get("authorization") ?? "";
  if (header.length > MAX_HEADER_LENGTH) return null;
  const [, encoded] = /^bearer +([^ ,]+)$/i.exec(header) ?? [];
  if (!encoded) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null; // a stray percent sign must not become an error
  }
}
