/** Providers and visitors for tables of flows. */
import { customFetch, type OAuthProvider } from "@x/auth";
import type { Issuer } from "../_support/issuer.ts";
import type { Site } from "../_support/browser.ts";
import { ask, type Cookies, fetchOf, formToken, keep, liveIssuer, locationOf } from "./_service.ts";

/** A provider of plain OAuth with its issuer: nothing is signed, so a flow costs little. */
export function oauthIdp(overrides: Partial<OAuthProvider> = {}): { issuer: Issuer; provider: OAuthProvider } {
  const issuer = liveIssuer();
  return { issuer, provider: issuer.oauthProvider({ [customFetch]: fetchOf(issuer), ...overrides }) };
}

/** A browser that stands at a provider. */
export interface Away {
  readonly cookies: Cookies;
  readonly location: string;
}

/** Sends somebody to a provider. */
export async function start(site: Site, id = "idp", before: Cookies = {}): Promise<Away> {
  const token = await formToken(site);
  const cookies = { ...before, ...token.cookies };
  const response = await ask(site, `/auth/signin/${id}`, { cookies, fields: { csrfToken: token.csrfToken } });
  return { cookies: keep(response, cookies), location: locationOf(response) };
}
