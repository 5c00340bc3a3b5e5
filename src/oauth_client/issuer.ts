/**
 * Whose response an authorization response must be.
 *
 * @module
 */
import type { Server } from "./server.ts";

/**
 * Gives the issuer that a response must come from. Metadata for many tenants does not say which one that is. The id_token
 * does, and is compared with the response afterwards.
 */
export function issuerOf({ metadata, multiTenant }: Server, claimed: unknown): string {
  return multiTenant && typeof claimed === "string" && hasOriginOf(metadata.issuer, claimed)
    ? claimed
    : metadata.issuer;
}

function hasOriginOf(issuer: string, url: string): boolean {
  return URL.canParse(url) && new URL(url).origin === new URL(issuer).origin;
}
