/**
 * Requests that make a provider revoke a token.
 *
 * @module
 * @see {@link https://www.rfc-editor.org/rfc/rfc7009 | RFC 7009}
 */
import * as oauth from "oauth4webapi";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { metadataUrl } from "../config/endpoint.ts";
import { OAuthProviderError } from "../kernel/errors.ts";
import { clientMetadata } from "./client.ts";
import { clientAuth } from "./client_auth.ts";
import { authorizationServer } from "./discovery.ts";
import { withoutSecrets } from "./failure.ts";
import { readObject } from "./json.ts";
import { lackOf } from "./metadata.ts";
import { limitedFetch, type OutboundConfig } from "./outbound.ts";

/** A token to revoke. */
export interface Revoked {
  readonly token: string;
  readonly hint: "access_token" | "refresh_token";
}

/**
 * Asks the provider to revoke tokens, all at once.
 *
 * @throws {OAuthProviderError} if it has no endpoint for it, cannot be reached, or refuses one of them.
 */
export async function revokeAt(
  config: OutboundConfig,
  provider: ResolvedOAuthProvider,
  tokens: readonly Revoked[],
): Promise<void> {
  const { issuer, revokeTokens } = provider;
  // A provider whose other endpoints are configured needs its metadata for this one only.
  const wellKnown = provider.wellKnown ?? (issuer && revokeTokens === true ? metadataUrl(issuer) : undefined);
  const server = await authorizationServer(config, { ...provider, wellKnown });
  const endpoint = typeof revokeTokens === "string" ? revokeTokens : server.metadata.revocation_endpoint;
  if (!endpoint) throw new OAuthProviderError(lackOf(server, "revocation_endpoint"));
  const as = { ...server.metadata, revocation_endpoint: endpoint };
  const fetch = limitedFetch(config, provider);
  await Promise.all(tokens.map(async ({ token, hint }) => {
    const auth = clientAuth(provider, server, config.runtime);
    const response = await oauth.revocationRequest(as, clientMetadata(provider), auth, token, {
      additionalParameters: { token_type_hint: hint },
      [oauth.customFetch]: fetch,
      // `fetch` itself refuses http, except on loopback addresses.
      [oauth.allowInsecureRequests]: true,
    });
    if (response.status === 200) return;
    const { error } = readObject(await response.arrayBuffer()) ?? {};
    const said = typeof error === "string" ? `: ${withoutSecrets(error, [token, provider.clientSecret])}` : "";
    throw new OAuthProviderError(`its revocation_endpoint answered with status ${response.status}${said}`);
  }));
}
