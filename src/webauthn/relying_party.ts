/**
 * The relying party: the site that passkeys are for.
 *
 * @module
 */
import type { ResolvedWebAuthnProvider } from "../config/resolved_provider.ts";

/** The relying party of one request. */
export interface RelyingParty {
  /** The RP ID that is sent to the browser: a domain. */
  readonly id: string;
  readonly name: string;
  /** RP IDs that are accepted. */
  readonly ids: readonly string[];
  /** Origins that are accepted. They must match exactly. */
  readonly origins: readonly string[];
}

/** Finds the relying party. Of several RP IDs, browsers accept the one that equals the host or is a parent domain. */
export function relyingPartyOf(
  { relyingParty }: Pick<ResolvedWebAuthnProvider, "relyingParty">,
  url: URL,
): RelyingParty {
  const { ids, name, origins } = relyingParty;
  const { hostname } = url;
  const matching = ids.find((id) => hostname === id || hostname.endsWith(`.${id}`));
  return {
    id: matching ?? ids[0] ?? hostname,
    name: name ?? url.host,
    ids: ids.length > 0 ? ids : [hostname],
    origins: origins.length > 0 ? origins : [url.origin],
  };
}
