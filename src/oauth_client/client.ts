/**
 * This service as an OAuth client: its metadata, its parameters, its certificate, and the provider as handlers get it.
 *
 * @module
 */
import * as oauth from "oauth4webapi";
import type { ParamValue, ResolvedEndpoint, ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { EndpointFacts, ProviderFacts } from "../contract/provider.ts";
import { InvalidConfig } from "../kernel/errors.ts";
import { actionUrl, type LinkBase } from "../request/links.ts";

/** Adds an endpoint's own parameters to its URL. */
export function urlWithParams(endpoint: string, params: Readonly<Record<string, ParamValue>>): URL {
  const url = new URL(endpoint);
  setParams(url.searchParams, params);
  return url;
}

/** Sets parameters. Those with several values are repeated. */
export function setParams(search: URLSearchParams, params: Readonly<Record<string, ParamValue>>): void {
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === "string") {
      search.set(name, value);
      continue;
    }
    search.delete(name);
    for (const one of value) search.append(name, one);
  }
}

/** Returns the client metadata for the protocol library. */
export function clientMetadata({ client, clientId }: ResolvedOAuthProvider): oauth.Client {
  // The endpoints are chosen by `withAliases()`.
  const { use_mtls_endpoint_aliases: _, ...members } = client;
  const given = Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  );
  // The library uses the clock of the machine. `id_token.ts` checks times by the clock of the runtime.
  return { ...given, client_id: clientId, [oauth.clockTolerance]: Number.MAX_SAFE_INTEGER };
}

/** Whether the client presents a certificate, to authenticate or to have its tokens bound to it. */
export function usesCertificate({ client }: Pick<ResolvedOAuthProvider, "client">): boolean {
  return CERTIFICATE_METHODS.has(client.token_endpoint_auth_method ?? "") ||
    client.tls_client_certificate_bound_access_tokens === true || client.use_mtls_endpoint_aliases === true;
}

/** Authentication by mutual TLS (RFC 8705): the `fetch` of the developer presents the certificate. */
const CERTIFICATE_METHODS: ReadonlySet<string> = new Set(["tls_client_auth", "self_signed_tls_client_auth"]);

/**
 * Checks that a client with a certificate has a way to present it.
 *
 * @throws {InvalidConfig} if it has none.
 */
export function assertCertificate(provider: Pick<ResolvedOAuthProvider, "id" | "client" | "fetch">): void {
  if (!usesCertificate(provider) || provider.fetch) return;
  throw new InvalidConfig(
    `Cannot use provider "${provider.id}": its \`client\` demands mutual TLS, so set its \`customFetch\` to a function ` +
      "that presents the certificate of the client",
  );
}

/** Returns the `redirect_uri`: the same in the authorization and the token request (RFC 6749, section 4.1.3). */
export function redirectUri(site: LinkBase, { id, redirectProxyUrl }: ResolvedOAuthProvider): string {
  return redirectProxyUrl ?? actionUrl(site, `callback/${id}`);
}

/** Returns the provider as the handlers of the developer get it. */
export function handlerProvider(site: LinkBase, provider: ResolvedOAuthProvider): ProviderFacts {
  const { id, name, clientId, clientSecret, issuer, authorization, token, userinfo } = provider;
  return Object.freeze({
    id,
    name,
    clientId,
    clientSecret,
    issuer,
    callbackUrl: redirectUri(site, provider),
    authorization: handlerEndpoint(authorization),
    token: handlerEndpoint(token),
    userinfo: handlerEndpoint(userinfo),
  });
}

// A new URL for each call: a handler may change it. Made when it is read, because most handlers do not read it.
function handlerEndpoint({ url, params }: ResolvedEndpoint<unknown>): EndpointFacts {
  let made: URL | undefined;
  return {
    get url() {
      return url === undefined ? undefined : made ??= urlWithParams(url, params);
    },
  };
}
