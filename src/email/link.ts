/**
 * The link in a mail: what is in it, and the browser that asked for it.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { sameText, sha256Hex } from "../crypto/digest.ts";
import { DeniedError, EmailSignInError, SignInError } from "../kernel/errors.ts";
import type { ResolvedEmailProvider } from "../config/resolved_provider.ts";
import { normalizeEmail } from "../kernel/address.ts";

/** A link, as far as it proves something. */
export interface EmailLink {
  /** Id of the provider that sent it. */
  readonly provider: string;
  /** The address it was sent to. */
  readonly identifier: string;
  /** The hashes its token may be stored under; the first is how it is stored today. */
  readonly hashes: readonly string[];
}

/** A link that a browser asked for, as its cookie tells. */
export interface RequestedLink {
  /** The hash its token is stored under. */
  readonly hash: string;
  /** What a code lacks to be the token; absent where what was sent is a token as it is. */
  readonly suffix?: string;
  /** When the cookie ends, in seconds since 1970. */
  readonly exp: number;
}

/**
 * Reads an address as a provider does.
 *
 * @throws {EmailSignInError} if it is none.
 */
export async function normalizeAddress(
  { normalizeIdentifier }: Pick<ResolvedEmailProvider, "normalizeIdentifier">,
  text: unknown,
): Promise<string> {
  if (typeof text !== "string") throw new EmailSignInError("Cannot use address: it is not a text");
  if (!normalizeIdentifier) return normalizeEmail(text);
  try {
    // Awaited, because an async function that nobody waits for would end the program when it fails.
    const identifier: unknown = await normalizeIdentifier(text);
    if (typeof identifier === "string" && identifier !== "") return identifier;
  } catch (error) {
    if (error instanceof SignInError || error instanceof DeniedError) throw error;
    throw new EmailSignInError("Cannot use address: normalizeIdentifier refused it", { cause: error });
  }
  throw new EmailSignInError("Cannot use address: normalizeIdentifier gave no text");
}

/** Computes the hashes a token may be stored under. */
export async function hashToken({ secrets }: ResolvedEmailProvider, token: string): Promise<readonly string[]> {
  // The joined list is how services of this family hash while they rotate secrets.
  const keys = secrets.length > 1 ? [...secrets, secrets.join(",")] : secrets;
  return await Promise.all(keys.map((secret) => sha256Hex(token + secret)));
}

type Cookies = Pick<RequestContext, "config" | "cookies">;

/** Marks this browser as the one that asked for a link, as long as the link lives. */
export async function rememberLink(
  { config, cookies }: Cookies,
  { provider, identifier, hashes: [hash] }: EmailLink,
  { maxAge, suffix }: { readonly maxAge: number; readonly suffix: string | null },
): Promise<void> {
  const claims = { provider, identifier, hash, ...(suffix !== null && { suffix }) };
  cookies.write("email", await config.sealer.seal(claims, { salt: cookies.nameOf("email"), maxAge }), { maxAge });
}

/** The link to this address that this browser asked for, if it did. Only the newest one it asked for counts. */
export async function requestedLink(
  { config, cookies }: Cookies,
  { provider, identifier }: Pick<EmailLink, "provider" | "identifier">,
): Promise<RequestedLink | null> {
  const sealed = cookies.read("email");
  const claims = sealed ? await config.sealer.open(sealed, cookies.nameOf("email")) : null;
  if (claims?.provider !== provider || claims.identifier !== identifier) return null;
  const { hash, suffix, exp } = claims;
  if (typeof hash !== "string" || typeof exp !== "number") return null;
  return { hash, exp, ...(typeof suffix === "string" && { suffix }) };
}

/** Whether a link is the one that was asked for. */
export function isRequested({ hashes }: Pick<EmailLink, "hashes">, asked: RequestedLink): boolean {
  return hashes.some((known) => sameText(known, asked.hash));
}
