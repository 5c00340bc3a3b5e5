/**
 * The challenge of a ceremony: what leaves with a browser in a sealed cookie and comes back once.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { sha256Hex } from "../crypto/digest.ts";
import type { Claims } from "../crypto/seal.ts";
import { InvalidCheck } from "../kernel/errors.ts";

/** What a ceremony was begun for. */
export interface Ceremony {
  /** Id of the provider. */
  readonly provider: string;
  /** What the authenticator was asked: to use a credential, or to make one. */
  readonly action: "authenticate" | "register";
  /** What the authenticator must sign, as base64url. */
  readonly challenge: string;
  /** Id of the user who was signed in. */
  readonly startedBy: string | null;
  /** For whom a credential is made. */
  readonly user: CredentialUser | null;
}

/** The user a credential is made for: who is signed in, or who would be new. */
export interface CredentialUser {
  readonly id: string;
  readonly email: string;
  readonly name?: string;
  readonly image?: string;
}

/** Which ceremony is taken back. */
export interface CeremonyKey {
  /** Id of the provider that is answered. */
  readonly provider: string;
  /** What was done, as the browser says. */
  readonly action: unknown;
}

type Context = Pick<RequestContext, "config" | "cookies">;

/** Seals a ceremony into the browser's cookie. `timeout` is in milliseconds. */
export async function storeChallenge({ config, cookies }: Context, ceremony: Ceremony, timeout: number): Promise<void> {
  const maxAge = Math.ceil(timeout / 1000);
  // A sealed token opens a little longer than it lives, for clocks that disagree. A challenge does not.
  const claims = { ...ceremony, ends: config.runtime.now() + timeout };
  const sealed = await config.sealer.seal(claims, { salt: cookies.nameOf("webauthnChallenge"), maxAge });
  cookies.write("webauthnChallenge", sealed, { maxAge });
}

/**
 * Takes the ceremony of a browser back, once.
 *
 * @throws {InvalidCheck} if it is missing, forged, expired, finished before, of another provider or of another kind.
 */
export async function redeemChallenge({ config, cookies }: Context, key: CeremonyKey): Promise<Ceremony> {
  const sealed = cookies.read("webauthnChallenge");
  // Cleared whatever it holds: a value that fails once must not be tried again.
  cookies.clear("webauthnChallenge");
  if (!sealed) throw new InvalidCheck("Cannot finish ceremony: its cookie is missing, or it was finished before");
  const claims = await config.sealer.open(sealed, cookies.nameOf("webauthnChallenge"));
  const ceremony = parseCeremony(claims);
  const ends = claims?.ends;
  if (!ceremony || typeof ends !== "number" || ends <= config.runtime.now()) {
    throw new InvalidCheck("Cannot finish ceremony: its cookie is forged or expired");
  }
  if (ceremony.provider !== key.provider || ceremony.action !== key.action) {
    throw new InvalidCheck("Cannot finish ceremony: it was begun for another provider, or for something else");
  }
  await demandFirstUse(config, ceremony, ends);
  return ceremony;
}

/** Milliseconds that a mark outlives its challenge, for machines whose clocks disagree. */
const MARGIN = 60_000;

// A cookie can be kept and sent again, and a synced passkey does not count: only storage knows that it was used.
async function demandFirstUse(
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
  const { provider, action, challenge, startedBy, user } = claims;
  if (typeof provider !== "string" || typeof challenge !== "string") return null;
  if (action !== "authenticate" && action !== "register") return null;
  if (startedBy !== null && typeof startedBy !== "string") return null;
  // What we sealed ourselves has the shape that it had.
  return { provider, action, challenge, startedBy, user: user as CredentialUser | null };
}
