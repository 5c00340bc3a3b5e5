/**
 * The double-submit CSRF token: a random value in a cookie, signed with the secret, sent again in the form.
 *
 * @module
 */
import { BoundedMap } from "../kernel/bounded_map.ts";
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
  const value = `${token}|${await sha256Hex(token + (secrets[0] ?? ""))}`;
  cookies.write("csrfToken", value);
  return token;
}

/** Whether the token that was sent is the one in the cookie, and the cookie is ours. */
export async function csrfTokenHolds(cookies: CookieJar, secrets: readonly string[], sent: unknown): Promise<boolean> {
  const known = await readToken(cookies, secrets);
  return known !== null && typeof sent === "string" && sameText(sent, known);
}

// A browser shows the same cookie again and again: once is enough to compute what it must be. By the list of secrets,
// so that what was verified is forgotten with them.
const verified = new WeakMap<readonly string[], BoundedMap<string, string>>();

function verifiedBy(secrets: readonly string[]): BoundedMap<string, string> {
  const known = verified.get(secrets);
  if (known) return known;
  const tokens = new BoundedMap<string, string>(1000);
  verified.set(secrets, tokens);
  return tokens;
}

async function readToken(cookies: CookieJar, secrets: readonly string[]): Promise<string | null> {
  const value = cookies.read("csrfToken");
  if (!value) return null;
  const tokens = verifiedBy(secrets);
  const known = tokens.get(value);
  if (known) return known;
  const token = await verify(value, secrets);
  if (token) tokens.set(value, token);
  return token;
}

async function verify(value: string, secrets: readonly string[]): Promise<string | null> {
  const [token, hash, ...rest] = value.split("|");
  if (!token || !hash || rest.length > 0 || !TOKEN.test(token)) return null;
  // The joined list is how services of this family sign while they rotate secrets.
  const signers = secrets.length > 1 ? [...secrets, secrets.join(",")] : secrets;
  for (const secret of signers) {
    if (sameText(hash, await sha256Hex(token + secret))) return token;
  }
  return null;
}
