/**
 * What the page after an email was sent says of it. The sealed cookie of the browser that asked for it is the only source:
 * a link to the page cannot put an address into it.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import type { SentEmail } from "../request/outcome.ts";

/**
 * Finds the email that this browser asked a provider for last; `null` if there is none, or if its link has expired. The
 * answer does not depend on whether a user has the address.
 */
export async function findSentEmail(
  { config, cookies }: Pick<RequestContext, "config" | "cookies">,
  provider: string | null,
): Promise<SentEmail | null> {
  const sealed = cookies.read("email");
  const claims = sealed ? await config.sealer.open(sealed, cookies.nameOf("email")) : null;
  if (!claims || provider === null || claims.provider !== provider) return null;
  const { identifier, exp, purpose } = claims;
  if (typeof identifier !== "string" || typeof exp !== "number") return null;
  const seconds = exp - config.runtime.now() / 1000;
  const isOfPassword = purpose === "confirm" || purpose === "reset";
  return seconds > 0 ? { to: identifier, seconds, ...(isOfPassword && { purpose }) } : null;
}
