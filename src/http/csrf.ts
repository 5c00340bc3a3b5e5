/**
 * The double-submit CSRF token: a random value in a cookie, signed with the secret, sent again in the form.
 *
 * @module
 */
import { sameText, sha256Hex } from "../crypto/digest.ts";
import { randomHex, type RandomSource } from "../crypto/random.ts";
import type { CookieJar } from "./cookies.ts";

const TOKEN = /^[0-9a-f]{64}$/;

/**
 * Gives the token of this browser; makes one if it has none that holds.
 *
 * @param cookies The jar.
 * @param secrets The configured secrets, newest first.
 * @param random The source of a new token.
 * @returns 64 hex characters.
 */
export async function csrfToken(cookies: CookieJar, secrets: readonly string[], random: RandomSource): Promise<string> {
  const known = await readToken(cookies, secrets);
  if (known) return known;
  const token = randomHex(random);
  cookies.write("csrfToken", `${token}|${await sha256Hex(token + (secrets[0] ?? ""))}`);
  return token;
}

/** Whether the token that was sent is the one in the cookie, and the cookie is ours. */
export async function csrfTokenHolds(cookies: CookieJar, secrets: readonly string[], sent: unknown): Promise<boolean> {
  const known = await readToken(cookies, secrets);
  return known !== null && typeof sent === "string" && sameText(sent, known);
}

async function readToken(cookies: CookieJar, secrets: readonly string[]): Promise<string | null> {
  const [token, hash, ...rest] = cookies.read("csrfToken")?.split("|") ?? [];
  if (!token || !hash || rest.length > 0 || !TOKEN.test(token)) return null;
  // The joined list is how services of this family sign while they rotate secrets.
  const signers = secrets.length > 1 ? [...secrets, secrets.join(",")] : secrets;
  for (const secret of signers) {
    if (sameText(hash, await sha256Hex(token + secret))) return token;
  }
  return null;
}
