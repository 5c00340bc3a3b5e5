/**
 * The link in an email: the address it was sent to, and whose it is.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
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

/** Gives the user who has an address, or else a new one, and their email account. */
export function emailUser(
  { config }: Pick<RequestContext, "config">,
  { provider, identifier }: Pick<EmailLink, "provider" | "identifier">,
  stored: AdapterUser | null = null,
): Pick<EmailAttempt, "user" | "account"> {
  const user = stored ?? { id: randomUuid(config.runtime), email: identifier, emailVerified: null };
  return { user, account: { provider, providerAccountId: identifier, userId: user.id, type: "email" } };
}
