/**
 * The issuer that a token must have.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { callHandler } from "./failure.ts";
import type { IdToken } from "./id_token.ts";
import type { Signer } from "./signature.ts";

/**
 * Gives the issuer that a token must have: that of the metadata or, if it is for many tenants, the one that
 * `expectedIssuer` of the provider returns for the claims.
 *
 * @returns `null` if it returns none.
 */
export async function expectedIssuer(
  ctx: Pick<RequestContext, "config">,
  { provider, server: { metadata, multiTenant } }: Pick<Signer, "provider" | "server">,
  { exactClaims }: IdToken,
): Promise<string | null> {
  if (!multiTenant) return metadata.issuer;
  // It gets a copy: the claims are yet to be verified.
  const issuer: unknown = await callHandler(ctx, provider, "expectedIssuer", () => {
    return provider.expectedIssuer?.(structuredClone(exactClaims));
  });
  return typeof issuer === "string" && issuer ? issuer : null;
}

/** What is wrong with a token for which there is no issuer. */
export const NO_ISSUER = "`expectedIssuer` returned no issuer for its claims";
