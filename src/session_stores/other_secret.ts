/**
 * Finds out why a session cookie does not open. It is loaded when one does not.
 *
 * @module
 */
import { fromBase64Url } from "../crypto/encoding.ts";
import { deriveKeys } from "../crypto/keys.ts";

/** What the log says of a session that was sealed with a secret that is not known. */
export const SECRET_REPLACED =
  "a session cookie was sealed with another secret than `secret` (AUTH_SECRET), so its visitor counts as signed out. If " +
  "you have replaced the secret, keep the old one behind the new one, as in `secret: [new, old]`, until its sessions " +
  "have ended. If not, another application on this host may set a cookie of this name";

/** Whether a token names a key that none of the secrets makes. What strangers send can look the same. */
export async function hasOtherSecret(token: string, salt: string, secrets: readonly string[]): Promise<boolean> {
  const kid = kidOf(token);
  if (kid === null) return false;
  for (const secret of secrets) {
    if (kid === (await deriveKeys(secret, salt))["A256CBC-HS512"].kid) return false;
  }
  return true;
}

// The name is a thumbprint with SHA-512 (RFC 7638).
function kidOf(token: string): string | null {
  const [header = "", ...parts] = token.split(".");
  if (parts.length !== 4 || header.length > 512) return null;
  try {
    const { alg, kid } = JSON.parse(new TextDecoder().decode(fromBase64Url(header)));
    return alg === "dir" && typeof kid === "string" && /^[\w-]{86}$/.test(kid) ? kid : null;
  } catch {
    return null;
  }
}
