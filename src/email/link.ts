/**
 * The link in a mail: what is in it, and the browser that asked for it.
 *
 * @module
 */
import type { RequestContext } from "../context.ts";
import { sameText, sha256Hex } from "../crypto/digest.ts";
import { AuthError, EmailSignInError } from "../errors.ts";
import type { ResolvedEmailProvider } from "../resolved_provider.ts";
import { normalizeEmail } from "../address.ts";

/** A link, as far as it proves something. */
export interface EmailLink {
  /** Id of the provider that sent it. */
  readonly provider: string;
  /** The address it was sent to. */
  readonly identifier: string;
  /** The hashes its token may be stored under; the first is how it is stored today. */
  readonly hashes: readonly string[];
}

/**
 * Reads an address as a provider does.
 *
 * @throws {EmailSignInError} if it is none.
 */
export function identifierOf({ normalizeIdentifier }: ResolvedEmailProvider, text: unknown): string {
  if (typeof text !== "string") throw new EmailSignInError("Cannot use address: it is not a text");
  if (!normalizeIdentifier) return normalizeEmail(text);
  try {
    const identifier: unknown = normalizeIdentifier(text);
    if (typeof identifier === "string" && identifier !== "") return identifier;
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw new EmailSignInError("Cannot use address: normalizeIdentifier refused it", { cause: error });
  }
  throw new EmailSignInError("Cannot use address: normalizeIdentifier gave no text");
}

/** Computes the hashes a token may be stored under. */
export async function hashesOf({ secrets }: ResolvedEmailProvider, token: string): Promise<readonly string[]> {
  // The joined list is how services of this family hash while they rotate secrets.
  const keys = secrets.length > 1 ? [...secrets, secrets.join(",")] : secrets;
  return await Promise.all(keys.map((secret) => sha256Hex(token + secret)));
}

type Cookies = Pick<RequestContext, "config" | "cookies">;

/** Marks this browser as the one that asked for a link, as long as the link lives. */
export async function rememberLink({ config, cookies }: Cookies, link: EmailLink, maxAge: number): Promise<void> {
  const { provider, identifier, hashes: [hash] } = link;
  const sealed = await config.sealer.seal({ provider, identifier, hash }, { salt: cookies.nameOf("email"), maxAge });
  cookies.write("email", sealed, { maxAge });
}

/** Whether this browser asked for a link. Only the newest one it asked for counts. */
export async function askedFor({ config, cookies }: Cookies, link: EmailLink): Promise<boolean> {
  const sealed = cookies.read("email");
  const claims = sealed ? await config.sealer.open(sealed, cookies.nameOf("email")) : null;
  if (claims?.provider !== link.provider || claims.identifier !== link.identifier) return false;
  const { hash } = claims;
  return typeof hash === "string" && link.hashes.some((known) => sameText(known, hash));
}
