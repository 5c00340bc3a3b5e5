/**
 * The link in an email, and the browser that requested it.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { sameText, sha256Hex } from "../crypto/digest.ts";
import { DeniedError, EmailSignInError, SignInError } from "../kernel/errors.ts";
import { asKnownError } from "../kernel/known_errors.ts";
import type { ResolvedEmailProvider } from "../config/resolved_provider.ts";
import { randomUuid } from "../crypto/random.ts";
import { normalizeEmail } from "../kernel/address.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { EmailAttempt } from "../sign_in/attempt.ts";

/** A link: the address it was sent to and the token in it. */
export interface EmailLink {
  /** Id of the provider that sent it. */
  readonly provider: string;
  /** The address it was sent to. */
  readonly identifier: string;
  /** The hashes that its token may be stored under. New tokens are stored under the first. */
  readonly hashes: readonly string[];
  /** The random half of its token, if the other half is a code. */
  readonly suffix?: string | undefined;
}

/** A link that this browser requested, read from its cookie. */
export interface RequestedLink {
  /** The hash that its token is stored under. */
  readonly hash: string;
  /** The random half of the token, if a code was sent. */
  readonly suffix?: string;
  /** When the cookie expires, in seconds since 1970. */
  readonly exp: number;
  /** Id of the passkey provider, if the link was requested to register. */
  readonly registers?: string;
}

/**
 * Normalizes an address as the provider does.
 *
 * @throws {EmailSignInError} if it is not a valid address.
 */
export async function normalizeAddress(
  { normalizeIdentifier }: Pick<ResolvedEmailProvider, "normalizeIdentifier">,
  text: unknown,
): Promise<string> {
  if (typeof text !== "string") {
    throw new EmailSignInError("Cannot use address: it is not a string", { logCode: "email-address" });
  }
  if (!normalizeIdentifier) return normalizeEmail(text);
  try {
    // The type says it is synchronous. If it is async and fails, not to await it would end the process.
    const identifier: unknown = await normalizeIdentifier(text);
    if (typeof identifier === "string" && identifier !== "") return identifier;
  } catch (error) {
    const known = asKnownError(error);
    if (known instanceof SignInError || known instanceof DeniedError) throw known;
    throw new EmailSignInError("Cannot use address: `normalizeIdentifier` threw", {
      cause: error,
      logCode: "callback-threw",
    });
  }
  throw new EmailSignInError("Cannot use address: `normalizeIdentifier` did not return a string");
}

/** Computes the hashes that a token may be stored under. */
export async function hashToken({ secrets }: ResolvedEmailProvider, token: string): Promise<readonly string[]> {
  // Auth.js joins a list of secrets with commas when it hashes.
  const keys = secrets.length > 1 ? [...secrets, secrets.join(",")] : secrets;
  return await Promise.all(keys.map((secret) => sha256Hex(token + secret)));
}

type Cookies = Pick<RequestContext, "config" | "cookies">;

/** Remembers in a cookie that this browser requested a link. The cookie expires with the link. */
export async function rememberLink(
  { config, cookies }: Cookies,
  { provider, identifier, hashes: [hash] }: EmailLink,
  { maxAge, suffix, registers }: {
    readonly maxAge: number;
    readonly suffix: string | undefined;
    readonly registers: string | undefined;
  },
): Promise<void> {
  const claims = { provider, identifier, hash, ...(suffix && { suffix }), ...(registers && { registers }) };
  cookies.write("email", await config.sealer.seal(claims, { salt: cookies.nameOf("email"), maxAge }), { maxAge });
}

/** Reads the link to this address that this browser requested last; `null` if there is none. */
export async function findRequestedLink(
  { config, cookies }: Cookies,
  { provider, identifier }: Pick<EmailLink, "provider" | "identifier">,
): Promise<RequestedLink | null> {
  const sealed = cookies.read("email");
  const claims = sealed ? await config.sealer.open(sealed, cookies.nameOf("email")) : null;
  if (claims?.provider !== provider || claims.identifier !== identifier) return null;
  const { hash, suffix, exp, registers } = claims;
  if (typeof hash !== "string" || typeof exp !== "number") return null;
  return {
    hash,
    exp,
    ...(typeof suffix === "string" && { suffix }),
    ...(typeof registers === "string" && { registers }),
  };
}

/** Whether a link is the one that this browser requested. */
export function isRequested({ hashes }: Pick<EmailLink, "hashes">, requested: RequestedLink): boolean {
  return hashes.some((hash) => sameText(hash, requested.hash));
}

/** Gives the user who has an address, or else a new one, and their email account. */
export function emailUser(
  { config }: Pick<RequestContext, "config">,
  { provider, identifier }: Pick<EmailLink, "provider" | "identifier">,
  stored: AdapterUser | null = null,
): Pick<EmailAttempt, "user" | "account"> {
  const user = stored ?? { id: randomUuid(config.runtime), email: identifier, emailVerified: null };
  return { user, account: { provider, providerAccountId: identifier, userId: user.id, type: "email" } };
}
