/**
 * The user of an address.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { randomUuid } from "../crypto/random.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { EmailAttempt } from "../sign_in/attempt.ts";
import type { EmailLink } from "./link.ts";

/** Gives the user who has an address, or else a new one, and their email account. */
export function emailUser(
  { config }: Pick<RequestContext, "config">,
  { provider, identifier }: Pick<EmailLink, "provider" | "identifier">,
  stored: AdapterUser | null = null,
): Pick<EmailAttempt, "user" | "account"> {
  const user = stored ?? { id: randomUuid(config.runtime), email: identifier, emailVerified: null };
  return { user, account: { provider, providerAccountId: identifier, userId: user.id, type: "email" } };
}
