/**
 * The challenge of a ceremony, kept in a sealed cookie and redeemed once.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { sha256Hex } from "../crypto/digest.ts";
import type { Claims } from "../crypto/seal.ts";
import { InvalidCheck } from "../kernel/errors.ts";

/** A ceremony that was started. */
export interface Ceremony {
  readonly provider: string;
  /** What it is for, if it is not to sign in or to add a passkey. One for a purpose is good for nothing else. */
  readonly purpose?: "second-factor" | undefined;
  /**
   * Whether the authenticator is to use a credential or to make one. `upgrade`: the browser may make it by itself, where it
   * has just filled in a password. Only the service says so, never the answer.
   */
  readonly action: "authenticate" | "register" | "upgrade";
  /** What the authenticator must sign, as base64url. */
  readonly challenge: string;
  /** Id of the user who was signed in. */
  readonly startedBy: string | null;
  /** Id of the user whose credentials the browser got a list of, by the address that was typed. */
  readonly listedFor: string | null;
  /** The user of the new credential. */
  readonly user: CredentialUser | null;
}

/** The user for whom a credential is made: the one who is signed in, or a new one. */
export interface CredentialUser {
  readonly id: string;
  readonly email: string;
  readonly name?: string;
  readonly image?: string;
}

type Context = Pick<RequestContext, "config" | "cookies">;

/** Seals a ceremony into the browser's cookie. `timeout` is in milliseconds. */
export async function storeChallenge({ config, cookies }: Context, ceremony: Ceremony, timeout: number): Promise<void> {
  const maxAge = Math.ceil(timeout / 1000);
  // A sealed token has a tolerance for clocks that differ. A challenge has none.
  const claims = { ...ceremony, ends: config.runtime.now() + timeout };
  const sealed = await config.sealer.seal(claims, { salt: cookies.nameOf("webauthnChallenge"), maxAge });
  cookies.write("webauthnChallenge", sealed, { maxAge });
}

/**
 * Redeems the ceremony of a browser.
 *
 * @param expected The provider that got the response, the `action` field of the response, and what it is for.
 * @throws {InvalidCheck} if it is missing, forged, expired, redeemed before, or for another provider, action or purpose.
 */
export async function redeemChallenge(
  { config, cookies }: Context,
  expected: { readonly provider: string; readonly action: unknown; readonly purpose?: Ceremony["purpose"] },
): Promise<Ceremony> {
  const sealed = cookies.read("webauthnChallenge");
  // Cleared before it is checked: a challenge is tried once.
  cookies.clear("webauthnChallenge");
  if (!sealed) throw new InvalidCheck("Cannot finish ceremony: its cookie is missing, or it was finished before");
  const claims = await config.sealer.open(sealed, cookies.nameOf("webauthnChallenge"));
  const ceremony = parseCeremony(claims);
  const ends = claims?.ends;
  if (!ceremony || typeof ends !== "number" || ends <= config.runtime.now()) {
    throw new InvalidCheck("Cannot finish ceremony: its cookie is forged or expired");
  }
  if (ceremony.provider !== expected.provider || ceremony.action !== expected.action) {
    throw new InvalidCheck("Cannot finish ceremony: it was started for another provider or another action");
  }
  if (ceremony.purpose !== expected.purpose) {
    throw new InvalidCheck("Cannot finish ceremony: it was started for another purpose");
  }
  await assertFirstUse(config, ceremony, ends);
  return ceremony;
}

/** Milliseconds that storage remembers a challenge after it expired, for machines whose clocks differ. */
const MARGIN = 60_000;

// A browser can send a cookie again after it was cleared, and the counter of a synced passkey stays 0: only storage knows
// that a challenge was used.
async function assertFirstUse(
  { storage }: RequestContext["config"],
  { challenge }: Ceremony,
  ends: number,
): Promise<void> {
  if (!storage?.once) return;
  if (await storage.once(`challenge:${await sha256Hex(challenge)}`, new Date(ends + MARGIN))) return;
  throw new InvalidCheck("Cannot finish ceremony: it was finished before");
}

function parseCeremony(claims: Claims | null): Ceremony | null {
  if (!claims) return null;
  const { provider, purpose, action, challenge, startedBy, listedFor = null, user } = claims;
  if (typeof provider !== "string" || typeof challenge !== "string") return null;
  if (action !== "authenticate" && action !== "register" && action !== "upgrade") return null;
  if (startedBy !== null && typeof startedBy !== "string") return null;
  if (listedFor !== null && typeof listedFor !== "string") return null;
  // Sealed by us, so it has the shape that it had.
  const own = { challenge, startedBy, listedFor, user: user as CredentialUser | null };
  return { provider, action, ...own, ...(purpose !== undefined && { purpose: purpose as Ceremony["purpose"] }) };
}
