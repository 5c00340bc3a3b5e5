/**
 * URLs of endpoints that providers without metadata have below their issuer.
 *
 * @module
 */

/**
 * Gives the URL of an endpoint below an issuer, for a provider without metadata. Without an issuer it is the path: the
 * issuer may be in the environment, which is read later.
 */
export function belowIssuer(issuer: string | undefined, path: `/${string}`): string {
  return `${issuer?.replace(/\/+$/, "") ?? ""}${path}`;
}
