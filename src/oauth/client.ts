/**
 * This service as an OAuth client: its redirect URI, its metadata and how it authenticates.
 *
 * @module
 */
import * as oauth from "oauth4webapi";
import { randomUuid } from "../crypto/random.ts";
import { InvalidConfig } from "../kernel/errors.ts";
import { actionUrl, type LinkBase } from "../request/links.ts";
import type { EndpointFacts, ProviderFacts } from "../contract/provider.ts";
import type { ResolvedEndpoint, ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { Runtime } from "../kernel/runtime.ts";
import type { Server } from "./server.ts";

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

// A new URL for each call: a handler may change it.
function endpointFacts({ url, params }: ResolvedEndpoint<unknown>): EndpointFacts {
  return { url: url === undefined ? undefined : urlWithParams(url, params) };
}

/** Adds an endpoint's own parameters to its URL. */
export function urlWithParams(endpoint: string, params: Readonly<Record<string, string>>): URL {
  const url = new URL(endpoint);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url;
}

/** The client metadata for the protocol library. */
export function clientMetadata({ client, clientId }: ResolvedOAuthProvider): oauth.Client {
  const given = Object.fromEntries(Object.entries(client).filter(([, value]) => value !== undefined));
  // The library uses the clock of the machine. `id_token.ts` checks times by the clock of the runtime.
  return { ...given, client_id: clientId, [oauth.clockTolerance]: Number.MAX_SAFE_INTEGER };
}

type AuthMethod = (provider: ResolvedOAuthProvider, server: Server, runtime: Runtime) => oauth.ClientAuth;

const METHODS: Readonly<Record<string, AuthMethod>> = {
  client_secret_basic: basic,
  client_secret_post: (provider) => oauth.ClientSecretPost(secretOf(provider)),
  client_secret_jwt: (provider, server, runtime) =>
    oauth.ClientSecretJwt(secretOf(provider), assertionFor(issuerOf(server), runtime)),
  private_key_jwt: privateKeyJwt,
  none: () => oauth.None(),
};

/**
 * Gives the client authentication for the token endpoint, by `client.token_endpoint_auth_method`.
 *
 * @throws {InvalidConfig} if the method is unknown, or its secret or key is missing.
 */
export function clientAuth(provider: ResolvedOAuthProvider, server: Server, runtime: Runtime): oauth.ClientAuth {
  const { token_endpoint_auth_method: name = "client_secret_basic" } = provider.client;
  const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (method) return method(provider, server, runtime);
  throw new InvalidConfig(
    `Cannot use provider "${provider.id}": its \`client.token_endpoint_auth_method\` must be one of ` +
      Object.keys(METHODS).join(", "),
  );
}

function secretOf({ id, clientSecret }: ResolvedOAuthProvider): string {
  if (clientSecret) return clientSecret;
  throw new InvalidConfig(
    `Cannot use provider "${id}": set its \`clientSecret\`, or \`client.token_endpoint_auth_method\` to "none"`,
  );
}

// The library also escapes `!'()*-_.~`, which some servers compare without decoding.
function basic(provider: ResolvedOAuthProvider): oauth.ClientAuth {
  const [user, password] = [provider.clientId, secretOf(provider)].map(formEncode);
  return (_server, _client, _body, headers) => headers.set("authorization", `Basic ${btoa(`${user}:${password}`)}`);
}

function formEncode(text: string): string {
  return encodeURIComponent(text).replaceAll("%20", "+");
}

function privateKeyJwt(provider: ResolvedOAuthProvider, server: Server, runtime: Runtime): oauth.ClientAuth {
  const { clientPrivateKey: given } = provider.token;
  const { key, kid } = given instanceof CryptoKey ? { key: given } : given ?? {};
  if (!(key instanceof CryptoKey) || key.type !== "private") {
    throw new InvalidConfig(
      `Cannot use provider "${provider.id}": its \`token.clientPrivateKey\` must be a private key`,
    );
  }
  const audience = server.hasIssuer ? [server.metadata.issuer, endpointOf(server)] : endpointOf(server);
  return oauth.PrivateKeyJwt(kid === undefined ? key : { key, kid }, assertionFor(audience, runtime));
}

function issuerOf(server: Server): string {
  return server.hasIssuer ? server.metadata.issuer : endpointOf(server);
}

function endpointOf({ metadata }: Server): string {
  return metadata.token_endpoint ?? "";
}

/** Seconds for which an assertion is valid. */
const ASSERTION_LIFETIME = 60;

function assertionFor(aud: string | readonly string[], runtime: Runtime): oauth.ModifyAssertionOptions {
  return {
    [oauth.modifyAssertion](_header, payload) {
      const now = Math.floor(runtime.now() / 1000);
      Object.assign(payload, { jti: randomUuid(runtime), aud, iat: now, nbf: now, exp: now + ASSERTION_LIFETIME });
    },
  };
}
