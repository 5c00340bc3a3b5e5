/**
 * This service as an OAuth client: its metadata and how it authenticates.
 *
 * @module
 */
import * as oauth from "oauth4webapi";
import { randomUuid } from "../crypto/random.ts";
import { InvalidConfig } from "../kernel/errors.ts";
import type { SigningKey } from "../contract/provider.ts";
import type { ParamValue, ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { Runtime } from "../kernel/runtime.ts";
import { assertCertificate } from "./certificate.ts";
import type { Server } from "./server.ts";
import { signingAlgorithm } from "./signing_alg.ts";

/** Gives a configured parameter of the authorization request, from the parameters or else from the URL. */
export function configuredParam({ authorization }: ResolvedOAuthProvider, name: string): string | undefined {
  const { url, params } = authorization;
  const given = params[name] ?? (url === undefined ? null : URL.parse(url)?.searchParams.get(name));
  return given === null || given === undefined ? undefined : String(given);
}

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

/** Metadata that was made before. A resolved provider does not change. */
const clients = new WeakMap<ResolvedOAuthProvider, oauth.Client>();

/** The client metadata for the protocol library. */
export function clientMetadata(provider: ResolvedOAuthProvider): oauth.Client {
  const client = clients.get(provider) ?? Object.freeze(makeMetadata(provider));
  clients.set(provider, client);
  return client;
}

function makeMetadata({ client, clientId }: ResolvedOAuthProvider): oauth.Client {
  // The endpoints are chosen in `certificate.ts`.
  const { use_mtls_endpoint_aliases: _, ...members } = client;
  const given = Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  );
  // The library uses the clock of the machine. `id_token.ts` checks times by the clock of the runtime.
  return { ...given, client_id: clientId, [oauth.clockTolerance]: Number.MAX_SAFE_INTEGER };
}

type AuthMethod = (provider: ResolvedOAuthProvider, server: Server, runtime: Runtime) => oauth.ClientAuth;

const METHODS: Readonly<Record<string, AuthMethod>> = {
  client_secret_basic: basic,
  client_secret_post: (provider) => oauth.ClientSecretPost(secretOf(provider)),
  client_secret_jwt: (provider, server, runtime) =>
    oauth.ClientSecretJwt(secretOf(provider), assertionFor(audienceOf(provider, server), runtime)),
  private_key_jwt: privateKeyJwt,
  tls_client_auth: byCertificate,
  self_signed_tls_client_auth: byCertificate,
  none: () => oauth.None(),
};

/**
 * Gives the method of client authentication: the one that is configured, else one that the metadata offers and that the
 * provider has a key or a secret for.
 */
export function authMethod({ client, clientSecret, token }: ResolvedOAuthProvider, { metadata }: Server): string {
  if (client.token_endpoint_auth_method !== undefined) return client.token_endpoint_auth_method;
  const hasKey = token.clientPrivateKey !== undefined;
  const usual = hasKey && !clientSecret ? "private_key_jwt" : "client_secret_basic";
  const possible = [
    ...(hasKey ? ["private_key_jwt"] : []),
    ...(clientSecret ? ["client_secret_basic", "client_secret_post", "client_secret_jwt"] : ["none"]),
  ];
  const offered: unknown = metadata.token_endpoint_auth_methods_supported;
  return possible.find((method) => Array.isArray(offered) && offered.includes(method)) ?? usual;
}

/** Whether an answer of the token endpoint may mean that it does not accept the client. */
export function mayRefuseClient(status: number, error: unknown): boolean {
  // Not every server says it in the words of RFC 6749, section 5.2, and some say nothing.
  if (typeof error !== "string" || error === "") return status === 400 || status === 401 || status === 403;
  return status === 401 || error === "invalid_client" || error === "unauthorized_client";
}

/** Says what is worth trying if the token endpoint does not accept the client. */
export function authHint(provider: ResolvedOAuthProvider, server: Server): string {
  switch (authMethod(provider, server)) {
    case "client_secret_basic": {
      const encoded = [provider.clientId, provider.clientSecret ?? ""].some((text) => formEncode(text) !== text);
      const why = encoded
        ? "its `clientId` or `clientSecret` has characters that RFC 6749 encodes and that many servers do not decode"
        : "if it is registered for it";
      return `set \`client.token_endpoint_auth_method\` to "client_secret_post": ${why}`;
    }
    case "private_key_jwt":
    case "client_secret_jwt":
      return 'set `token.clientAssertionAudience` to "token_endpoint" if it expects its URL as the audience';
    case "tls_client_auth":
    case "self_signed_tls_client_auth":
      return "check that its `customFetch` presents the certificate that is registered there";
    default:
      return "check how the client is registered";
  }
}

/**
 * Gives the client authentication for the token endpoint.
 *
 * @throws {InvalidConfig} if the method is unknown, or its secret or key is missing.
 */
export function clientAuth(provider: ResolvedOAuthProvider, server: Server, runtime: Runtime): oauth.ClientAuth {
  const name = authMethod(provider, server);
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

// The certificate is presented below HTTP. The request only says whose it is.
function byCertificate(provider: ResolvedOAuthProvider): oauth.ClientAuth {
  assertCertificate(provider);
  return oauth.TlsClientAuth();
}

function formEncode(text: string): string {
  return encodeURIComponent(text).replaceAll("%20", "+");
}

function privateKeyJwt(provider: ResolvedOAuthProvider, server: Server, runtime: Runtime): oauth.ClientAuth {
  const key = privateKeyOf(provider, "token.clientPrivateKey", provider.token.clientPrivateKey);
  const { [oauth.modifyAssertion]: modify } = assertionFor(audienceOf(provider, server), runtime);
  return oauth.PrivateKeyJwt(key, {
    [oauth.modifyAssertion](header, payload) {
      header.alg = assertionAlgorithm(provider, server, String(header.alg));
      modify(header, payload);
    },
  });
}

function assertionAlgorithm({ id, client }: ResolvedOAuthProvider, { metadata }: Server, ofKey: string): string {
  const { token_endpoint_auth_signing_alg: registered } = client;
  const offered: unknown = metadata.token_endpoint_auth_signing_alg_values_supported;
  const name = signingAlgorithm({ ofKey, registered, offered });
  if (name !== null) return name;
  throw new InvalidConfig(
    `Cannot use provider "${id}": its \`token.clientPrivateKey\` signs ${ofKey}, and ` +
      `\`client.token_endpoint_auth_signing_alg\` is ${registered}; import the key for that algorithm`,
  );
}

/**
 * Gives a private key in the form of the protocol library.
 *
 * @throws {InvalidConfig} if `option` holds none.
 */
export function privateKeyOf(
  { id }: Pick<ResolvedOAuthProvider, "id">,
  option: string,
  given: SigningKey | undefined,
): CryptoKey | oauth.PrivateKey {
  const { key, kid } = given instanceof CryptoKey ? { key: given } : given ?? {};
  if (!(key instanceof CryptoKey) || key.type !== "private") {
    throw new InvalidConfig(`Cannot use provider "${id}": its \`${option}\` must be a private key`);
  }
  return kid === undefined ? key : { key, kid };
}

// One text: a list would let each server of it use the assertion at the others (FAPI 2.0, section 5.3.3.1).
function audienceOf({ token }: ResolvedOAuthProvider, { metadata, hasIssuer, multiTenant }: Server): string {
  const { clientAssertionAudience: chosen } = token;
  const endpoint = metadata.token_endpoint ?? "";
  if (chosen !== undefined && chosen !== "issuer") return chosen === "token_endpoint" ? endpoint : chosen;
  // The issuer of many tenants is none of theirs.
  return hasIssuer && !multiTenant ? metadata.issuer : endpoint;
}

/** Seconds for which an assertion is valid. */
const ASSERTION_LIFETIME = 60;

function assertionFor(aud: string, runtime: Runtime): Required<oauth.ModifyAssertionOptions> {
  return {
    [oauth.modifyAssertion](_header, payload) {
      const now = Math.floor(runtime.now() / 1000);
      Object.assign(payload, { jti: randomUuid(runtime), aud, iat: now, nbf: now, exp: now + ASSERTION_LIFETIME });
    },
  };
}
