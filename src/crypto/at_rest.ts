/**
 * Values that storage keeps encrypted, such as the tokens of a provider.
 *
 * @module
 */
import type { Sealer } from "./seal.ts";

/** What a value is, and whose. A value opens only for the same. */
export interface AtRest {
  /** What it is, such as `refresh_token`. */
  readonly purpose: string;
  /** The key of the record that holds it: the value opens in no other record, so write access to storage is not enough to move it. */
  readonly owner: string;
}

/** Tells sealed text from text that was stored before, or by other software. */
const PREFIX = "sealed:";

/** The longest text that is opened, in characters. Cookies limit other tokens; a token of a provider can be longer. */
const LONGEST = 2 * 1024 * 1024;

/** Whether a stored text is sealed. */
export function isSealedAtRest(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** Encrypts a text. It does not expire: it opens as long as its secret is one of the secrets of the service. */
export async function sealAtRest(sealer: Sealer, { purpose, owner }: AtRest, text: string): Promise<string> {
  return PREFIX + await sealer.seal({ owner, text }, { salt: saltOf(purpose) });
}

/** Decrypts a text. `null` if it is not sealed, or was sealed with another secret, for another purpose or owner. */
export async function openAtRest(sealer: Sealer, { purpose, owner }: AtRest, sealed: string): Promise<string | null> {
  if (!isSealedAtRest(sealed)) return null;
  const claims = await sealer.open(sealed.slice(PREFIX.length), saltOf(purpose), { longest: LONGEST });
  return claims?.owner === owner && typeof claims.text === "string" ? claims.text : null;
}

// No cookie has such a name, so what storage holds cannot be sent as a cookie.
function saltOf(purpose: string): string {
  return `at rest: ${purpose}`;
}
