/**
 * How this service authenticates as a client, and with which of its keys it signs.
 *
 * @module
 */
import * as oauth from "oauth4webapi";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { SigningKey } from "../contract/provider.ts";
import { randomUuid } from "../crypto/random.ts";
import { InvalidConfig } from "../kernel/errors.ts";
import type { Runtime } from "../kernel/runtime.ts";
import { assertCertificate } from "./client.ts";
import type { Server } from "./metadata.ts";

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
 * Returns the method of client authentication: the one that is configured, else one that the metadata offers and that the
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
 * Returns the client authentication for the token endpoint.
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
      const subject = `Cannot use provider "${provider.id}": its \`token.clientPrivateKey\``;
      header.alg = signingAlgorithm({ provider, server }, String(header.alg), {
        option: "token_endpoint_auth_signing_alg",
        subject,
      });
      modify(header, payload);
    },
  });
}

/**
 * Returns a private key in the form of the protocol library.
 *
 * @throws {InvalidConfig} if it is not a private key.
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
  // The issuer of a server with many tenants is not the issuer of a tenant.
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

// Servers know the name of the algorithm, that of its family, or both (RFC 9864).
const EDWARDS: readonly string[] = ["Ed25519", "EdDSA"];

/** The use of a key of this client. */
export interface KeyUse {
  /** The option of `client` that registers an algorithm for it. */
  readonly option: "token_endpoint_auth_signing_alg" | "request_object_signing_alg";
  /** The beginning of the error. */
  readonly subject: string;
}

/**
 * Returns the name of the algorithm that a key of this client signs with.
 *
 * @param ofKey What the protocol library calls the algorithm of the key.
 * @throws {InvalidConfig} if the client is registered for another algorithm.
 */
export function signingAlgorithm(
  { provider, server }: { readonly provider: ResolvedOAuthProvider; readonly server: Server },
  ofKey: string,
  { option, subject }: KeyUse,
): string {
  const names = EDWARDS.includes(ofKey) ? EDWARDS : [ofKey];
  const { [option]: registered } = provider.client;
  if (registered) {
    if (names.includes(registered)) return registered;
    throw new InvalidConfig(
      `${subject} signs ${ofKey}, and \`client.${option}\` is ${registered}; import the key for that algorithm`,
    );
  }
  if (names.length === 1) return ofKey;
  const offered: unknown = server.metadata[`${option}_values_supported`];
  // Servers that list neither are older than the new name.
  return names.find((name) => Array.isArray(offered) && offered.includes(name)) ?? "EdDSA";
}
