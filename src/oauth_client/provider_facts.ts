/**
 * A provider as the developer's handlers get it, and the URL that it redirects to.
 *
 * @module
 */
import type { EndpointFacts, ProviderFacts } from "../contract/provider.ts";
import type { ResolvedEndpoint, ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { actionUrl, type LinkBase } from "../request/links.ts";
import { urlWithParams } from "./client.ts";

/** The `redirect_uri`: the same in the authorization and the token request (RFC 6749, section 4.1.3). */
export function redirectUri(site: LinkBase, { id, redirectProxyUrl }: ResolvedOAuthProvider): string {
  return redirectProxyUrl ?? actionUrl(site, `callback/${id}`);
}

/** The provider, as the developer's handlers get it. */
export function providerFacts(site: LinkBase, provider: ResolvedOAuthProvider): ProviderFacts {
  const { id, name, clientId, clientSecret, issuer, authorization, token, userinfo } = provider;
  return Object.freeze({
    id,
    name,
    clientId,
    clientSecret,
    issuer,
    callbackUrl: redirectUri(site, provider),
    authorization: endpointFacts(authorization),
    token: endpointFacts(token),
    userinfo: endpointFacts(userinfo),
  });
}

// A new URL for each call: a handler may change it. Made when it is read, because most handlers read none.
function endpointFacts({ url, params }: ResolvedEndpoint<unknown>): EndpointFacts {
  let made: URL | undefined;
  return {
    get url() {
      return url === undefined ? undefined : made ??= urlWithParams(url, params);
    },
  };
}
