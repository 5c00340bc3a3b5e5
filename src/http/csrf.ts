/**
 * CSRF tokens by the double-submit pattern: a random token in a cookie, signed with the secret, and sent again with
 * every form.
 *
 * @module
 */
import { sameText, sha256Hex } from "../crypto/digest.ts";
import { randomHex, type RandomSource } from "../crypto/random.ts";
import type { CookieJar } from "./cookies.ts";

const TOKEN = /^[0-9a-f]{64}$/;

/**
 * Returns the CSRF token of this browser. Sets a new one if the cookie is missing or its signature is wrong.
 *
 * @param cookies The cookies of the request.
 * @param secrets The configured secrets, newest first. All of them together sign, as in Auth.js.
 * @param random The source of a new token.
 * @returns 64 hex characters.
 */
export async function ensureCsrfToken(
  cookies: CookieJar,
  secrets: readonly string[],
  random: RandomSource,
): Promise<string> {
  const known = await readToken(cookies, secrets);
  if (known !== null) return known;
  const token = randomHex(random);
  cookies.write("csrfToken", `${token}|${await sha256Hex(token + secrets.join(","))}`);
  return token;
}

/** Checks that a form sent the token of its cookie, and that the cookie is signed with the secrets or with one of them. */
export async function isCsrfTokenValid(
  cookies: CookieJar,
  secrets: readonly string[],
  sent: unknown,
): Promise<boolean> {
  const known = await readToken(cookies, secrets);
  return known !== null && typeof sent === "string" && sameText(sent, known);
}

async function readToken(cookies: CookieJar, secrets: readonly string[]): Promise<string | null> {
  const [token, hash, ...rest] = cookies.read("csrfToken")?.split("|") ?? [];
  if (!token || !hash || rest.length > 0 || !TOKEN.test(token)) return null;
  // While secrets are rotated, a form may have been filled in before the newest one came.
  const signers = secrets.length > 1 ? [secrets.join(","), ...secrets] : secrets;
  for (const secret of signers) {
    if (sameText(hash, await sha256Hex(token + secret))) return token;
  }
  return null;
}
