/**
 * The FAPI 2.0 security profile, which banks and health services demand: what it asks of a provider and of its client.
 *
 * @module
 * @see {@link https://openid.net/specs/fapi-security-profile-2_0-final.html | FAPI 2.0 Security Profile}
 */
import type { AuthorizationServer } from "oauth4webapi";
import { InvalidConfig, OAuthProviderError } from "../kernel/errors.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { Server } from "./metadata.ts";

/** The algorithms that signatures may have (section 5.4.1). */
const ALGORITHMS: readonly string[] = ["PS256", "ES256", "EdDSA", "Ed25519"];

/** How a client may authenticate (section 5.3.3.1). */
const METHODS: readonly string[] = ["private_key_jwt", "tls_client_auth", "self_signed_tls_client_auth"];

/** Lists of algorithms in metadata, with what holds where there is no list. */
const LISTS: Readonly<Record<string, readonly string[] | undefined>> = {
  id_token_signing_alg_values_supported: ["RS256"],
  userinfo_signing_alg_values_supported: undefined,
  authorization_signing_alg_values_supported: undefined,
  dpop_signing_alg_values_supported: undefined,
};

/**
 * Returns the metadata as the profile allows to use it: requests are pushed, responses name their issuer, and no other
 * algorithms are accepted.
 *
 * @throws {OAuthProviderError} if the provider lacks something.
 */
export function underFapi2(
  { id, type, signedResponse }: Pick<ResolvedOAuthProvider, "id" | "type" | "signedResponse">,
  metadata: AuthorizationServer,
): AuthorizationServer {
  const lists = Object.entries(LISTS).flatMap(([name, absent]) => {
    const listed: unknown = metadata[name] ?? absent;
    if (listed === undefined) return [];
    return [[name, Array.isArray(listed) ? listed.filter((alg) => ALGORITHMS.includes(alg)) : []] as const];
  });
  const usable = Object.fromEntries(lists);
  const lacks = [
    !metadata.pushed_authorization_request_endpoint && "a pushed_authorization_request_endpoint",
    !metadata.code_challenge_methods_supported?.includes("S256") && "S256 in code_challenge_methods_supported",
    !metadata.authorization_response_iss_parameter_supported && !signedResponse &&
    'authorization_response_iss_parameter_supported (or signed responses, with the `response_mode` "jwt")',
    type === "oidc" && !usable.id_token_signing_alg_values_supported?.length &&
    `one of ${ALGORITHMS.join(", ")} in id_token_signing_alg_values_supported`,
  ].filter((lack) => lack !== false);
  if (lacks.length === 0) return { ...metadata, ...usable, require_pushed_authorization_requests: true };
  throw new OAuthProviderError(`Cannot use provider "${id}" under FAPI 2.0: its metadata lacks ${lacks.join("; ")}`);
}

/**
 * Checks how the client presents itself.
 *
 * @param method How it authenticates.
 * @throws {InvalidConfig} if the profile does not allow it.
 */
export function assertFapi2(provider: ResolvedOAuthProvider, server: Server, method: string): void {
  const { id, client, checks, token } = provider;
  const { clientAssertionAudience: audience = "issuer" } = token;
  const problem = !METHODS.includes(method)
    ? `its client authenticates by ${method}: set \`token.clientPrivateKey\`, or authenticate by mutual TLS`
    : method === "private_key_jwt" && !isAllowed(token.clientPrivateKey)
    ? `its \`token.clientPrivateKey\` must sign ${ALGORITHMS.join(", ")}`
    : method === "private_key_jwt" && audience !== "issuer" && audience !== server.metadata.issuer
    ? 'its `token.clientAssertionAudience` must be "issuer"'
    : !client.dpop_bound_access_tokens && !client.tls_client_certificate_bound_access_tokens
    ? "its access tokens must be bound: do not set `client.dpop_bound_access_tokens` to false"
    : !checks.pkce || !checks.state
    ? 'its `checks` must contain "pkce"'
    : wrongAlgorithm(provider);
  if (problem) throw new InvalidConfig(`Cannot use provider "${id}" under FAPI 2.0: ${problem}`);
}

function wrongAlgorithm({ client, authorization }: ResolvedOAuthProvider): string | null {
  const options = [
    "id_token_signed_response_alg",
    "userinfo_signed_response_alg",
    "authorization_signed_response_alg",
    "request_object_signing_alg",
  ] as const;
  const wrong = options.find((option) => client[option] !== undefined && !ALGORITHMS.includes(client[option]));
  if (wrong) return `its \`client.${wrong}\` must be one of ${ALGORITHMS.join(", ")}`;
  const { requestObjectKey: key } = authorization;
  return key === undefined || isAllowed(key) ? null : "its `authorization.requestObjectKey` must sign one of them";
}

function isAllowed(given: ResolvedOAuthProvider["token"]["clientPrivateKey"]): boolean {
  const { algorithm } = given instanceof CryptoKey ? given : given?.key ?? {};
  const { name, namedCurve, hash, modulusLength = 0 } = (algorithm ?? {}) as Partial<
    EcKeyAlgorithm & RsaHashedKeyAlgorithm
  >;
  if (name === "ECDSA") return namedCurve === "P-256";
  if (name === "RSA-PSS") return hash?.name === "SHA-256" && modulusLength >= 2048;
  return name === "Ed25519";
}
