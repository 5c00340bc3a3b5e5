/**
 * When the session of a browser began, and which address was proven by then, for storage whose rows cannot hold it.
 *
 * It is sealed in a separate cookie, and bound to the token of the session.
 *
 * @module
 */
import { sha256Base64Url } from "../crypto/digest.ts";
import type { Sealer } from "../crypto/seal.ts";
import type { CookieJar } from "../http/cookies.ts";
import { readAuthentication } from "./authentication.ts";
import type { SignedIn, StoredSession } from "./session_store.ts";

/** Seals what is known of the sign-in of a session. */
export async function sealSignedIn(
  sealer: Sealer,
  cookies: CookieJar,
  { token, time, methods, provider, provenEmail }: SignedIn & { readonly token: string },
): Promise<string> {
  const email = provenEmail !== null && { email: provenEmail };
  const claims = { session: await sha256Base64Url(token), time, ...email, methods: methods.join(" "), provider };
  return await sealer.seal(claims, { salt: cookies.nameOf("signedIn") });
}

/** Opens the cookie. `null` if it is missing or forged, or of another session. */
export async function openSignedIn(sealer: Sealer, cookies: CookieJar, token: string): Promise<SignedIn | null> {
  const sealed = cookies.read("signedIn");
  const claims = sealed ? await sealer.open(sealed, cookies.nameOf("signedIn"), { remember: true }) : null;
  if (typeof claims?.time !== "number" || claims.session !== await sha256Base64Url(token)) return null;
  const { time, methods, provider, email } = claims;
  return {
    ...readAuthentication(time, methods, provider),
    time,
    provenEmail: typeof email === "string" ? email : null,
  };
}

/** A session as it was found, and what its cookie says of the sign-in. */
type Found = Pick<StoredSession, "session" | "user" | "signedIn">;

/**
 * Whether a stored session is known to be no older than the proof of its user's address, where a proof cannot end
 * sessions: its sign-in has to have known the proof. No clock is compared.
 */
export function isSinceProof({ user: { email, emailVerified }, signedIn }: Found): boolean {
  return !emailVerified || (typeof email === "string" && signedIn?.provenEmail === email);
}

/**
 * Whether a stored session without a known sign-in was last renewed before its user's address was proven: it may belong to
 * the person who had the user before the proof.
 *
 * @param found The session.
 * @param lifetime How long sessions live after they were renewed, in milliseconds.
 */
export function isFromBeforeProof(found: Found, lifetime: number): boolean {
  const { session: { expires }, user: { emailVerified } } = found;
  return !isSinceProof(found) && !!emailVerified && expires.getTime() - lifetime < emailVerified.getTime();
}
