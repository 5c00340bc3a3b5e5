/** An identity provider in this process that lives by the clock of the machine. */
import { customFetch, type OidcProvider } from "@x/auth";
import { createIssuer, type Issuer } from "./issuer.ts";

/** Makes an issuer. It signs with ES256, which is faster than RS256. */
export function liveIssuer(url = "https://idp.test", more: Readonly<Record<string, unknown>> = {}): Issuer {
  const now = () => Math.floor(Date.now() / 1000);
  const metadata = { id_token_signing_alg_values_supported: ["ES256"], ...more };
  const issuer = createIssuer({ url, now, metadata });
  issuer.rotate("ES256");
  return issuer;
}

/** An issuer as the option `customFetch`. */
export function fetchOf(issuer: Issuer): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return (input, init) => issuer.fetch(new Request(input, init));
}

/** The issuer's entry of `providers`. Its requests are answered in this process. */
export function providerOf(issuer: Issuer, overrides: Partial<OidcProvider> = {}): OidcProvider {
  return issuer.provider({ [customFetch]: fetchOf(issuer), ...overrides });
}
