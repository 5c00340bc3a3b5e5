/**
 * How this service presents itself to a provider.
 *
 * @module
 */
import * as oauth from "oauth4webapi";
import { randomUuid } from "../crypto/random.ts";
import { InvalidConfig } from "../kernel/errors.ts";
import { actionUrl, type LinkBase } from "../request/links.ts";
import type { ProviderFacts } from "../contract/provider.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { Runtime } from "../kernel/runtime.ts";
import type { Server } from "./server.ts";

/** Where the provider sends people back to: the same string in both requests (RFC 6749, section 4.1.3). */
export function redirectUri(site: LinkBase, { id, redirectProxyUrl }: ResolvedOAuthProvider): string {
  return redirectProxyUrl ?? actionUrl(site, `callback/${id}`);
}

/** What the developer's handlers are told about a provider. */
export function factsOf(site: LinkBase, provider: ResolvedOAuthProvider): ProviderFacts {
  const { id, name, clientId, clientSecret, issuer, authorization, token, userinfo } = provider;
  return Object.freeze({
    id,
    name,
    clientId,
    clientSecret,
    issuer,
    callbackUrl: redirectUri(site, provider),
    authorization: { url: authorization.url },
    token: { url: token.url },
    userinfo: { url: userinfo.url },
  });
}

/** The client's metadata, as the protocol library takes it. */
export function clientOf({ client, clientId }: ResolvedOAuthProvider): oauth.Client {
  const given = Object.fromEntries(Object.entries(client).filter(([, value]) => value !== undefined));
  // The library reads the clock of the machine. Times are checked in id_token.ts, by the clock of the runtime.
  return { ...given, client_id: clientId, [oauth.clockTolerance]: Number.MAX_SAFE_INTEGER };
}

type AuthMethod = (provider: ResolvedOAuthProvider, server: Server, runtime: Runtime) => oauth.ClientAuth;

const METHODS: ReadonlyMap<unknown, AuthMethod> = new Map<unknown, AuthMethod>([
  [undefined, basic],
  ["client_secret_basic", basic],
  ["client_secret_post", (provider) => oauth.ClientSecretPost(secretOf(provider))],
  [
    "client_secret_jwt",
    (provider, server, runtime) =>
      oauth.ClientSecretJwt(secretOf(provider), { [oauth.modifyAssertion]: assertion(runtime, server, false) }),
  ],
  ["private_key_jwt", privateKeyJwt],
  ["none", () => oauth.None()],
]);

/**
 * Chooses how the client authenticates at the token endpoint.
 *
 * @throws {InvalidConfig} if the method is unknown, or what it needs is missing.
 */
export function clientAuth(provider: ResolvedOAuthProvider, server: Server, runtime: Runtime): oauth.ClientAuth {
  const method = METHODS.get(provider.client.token_endpoint_auth_method);
  if (method) return method(provider, server, runtime);
  throw new InvalidConfig(
    `Cannot use provider "${provider.id}": its \`client.token_endpoint_auth_method\` must be one of ` +
      [...METHODS.keys()].filter((name) => name !== undefined).join(", "),
  );
}

function secretOf({ id, clientSecret }: ResolvedOAuthProvider): string {
  if (clientSecret) return clientSecret;
  throw new InvalidConfig(
    `Cannot use provider "${id}": set its \`clientSecret\`, or \`client.token_endpoint_auth_method\` to "none"`,
  );
}

// The library would also escape `!'()*-_.~`, which some servers compare without decoding.
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
  const modify = { [oauth.modifyAssertion]: assertion(runtime, server, true) };
  return oauth.PrivateKeyJwt(kid === undefined ? key : { key, kid }, modify);
}

type ModifyAssertion = NonNullable<oauth.ModifyAssertionOptions[typeof oauth.modifyAssertion]>;

/** Seconds an assertion is good for. */
const ASSERTION_LIFETIME = 60;

function assertion(runtime: Runtime, { metadata, hasIssuer }: Server, both: boolean): ModifyAssertion {
  return (_header, payload) => {
    const now = Math.floor(runtime.now() / 1000);
    const endpoint = metadata.token_endpoint ?? "";
    const aud = !hasIssuer ? endpoint : both ? [metadata.issuer, endpoint] : metadata.issuer;
    Object.assign(payload, { jti: randomUuid(runtime), aud, iat: now, nbf: now, exp: now + ASSERTION_LIFETIME });
  };
}
