/** Providers for tables of flows. */
import { customFetch, type OAuthProvider } from "@x/auth";
import type { Issuer } from "../_support/issuer.ts";
import { fetchOf, liveIssuer } from "./_service.ts";

/** A provider of plain OAuth with its issuer: nothing is signed, so a flow costs little. */
export function oauthIdp(overrides: Partial<OAuthProvider> = {}): { issuer: Issuer; provider: OAuthProvider } {
  const issuer = liveIssuer();
  return { issuer, provider: issuer.oauthProvider({ [customFetch]: fetchOf(issuer), ...overrides }) };
}
