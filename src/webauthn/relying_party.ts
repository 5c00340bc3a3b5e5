/**
 * The site that passkeys are for.
 *
 * @module
 */
import type { ResolvedWebAuthnProvider } from "../config/resolved_provider.ts";

/** The site, for one request. */
export interface RelyingParty {
  /** The domain that a browser is told. */
  readonly id: string;
  readonly name: string;
  /** Domains that are accepted. */
  readonly ids: readonly string[];
  /** Origins that are accepted, compared exactly. */
  readonly origins: readonly string[];
}

/** Finds the site. Of several domains a browser accepts the one that it is at, or that is above. */
export function relyingPartyOf(
  { relyingParty }: Pick<ResolvedWebAuthnProvider, "relyingParty">,
  url: URL,
): RelyingParty {
  const { ids, name, origins } = relyingParty;
  const { hostname } = url;
  const fitting = ids.find((id) => hostname === id || hostname.endsWith(`.${id}`));
  return {
    id: fitting ?? ids[0] ?? hostname,
    name: name ?? url.host,
    ids: ids.length > 0 ? ids : [hostname],
    origins: origins.length > 0 ? origins : [url.origin],
  };
}
