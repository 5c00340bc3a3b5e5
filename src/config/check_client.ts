/**
 * What can be wrong with how a client presents itself to a provider: its metadata, its assertions, its clock.
 *
 * @module
 * @see {@link https://www.rfc-editor.org/rfc/rfc7591#section-2 | RFC 7591, section 2}
 */
import type { OAuthProvider, OidcProvider } from "../contract/provider.ts";
import { type ConfigError, InvalidConfig } from "../kernel/errors.ts";
import { isPlainObject } from "../kernel/objects.ts";

/** Members of `client` that the service acts on. */
const USED: ReadonlySet<string> = new Set([
  "token_endpoint_auth_method",
  "id_token_signed_response_alg",
  "userinfo_signed_response_alg",
  "backchannel_logout_session_required",
  "default_max_age",
  "require_auth_time",
  "authorization_signed_response_alg",
  "request_object_signing_alg",
  "require_signed_request_object",
  "require_pushed_authorization_requests",
  "decryptionKeys",
  "dpop_bound_access_tokens",
  "tls_client_certificate_bound_access_tokens",
  "use_mtls_endpoint_aliases",
  "id_token_encrypted_response_alg",
  "id_token_encrypted_response_enc",
  "userinfo_encrypted_response_alg",
  "userinfo_encrypted_response_enc",
  "authorization_encrypted_response_alg",
  "authorization_encrypted_response_enc",
]);

/** Members that only the provider acts on, or nobody. They may stay where a whole registration is pasted. */
const INFORMATIVE: ReadonlySet<string> = new Set([
  "client_id_issued_at",
  "client_secret_expires_at",
  "registration_access_token",
  "registration_client_uri",
  "client_name",
  "client_uri",
  "logo_uri",
  "policy_uri",
  "tos_uri",
  "contacts",
  "redirect_uris",
  "post_logout_redirect_uris",
  "backchannel_logout_uri",
  "frontchannel_logout_uri",
  "frontchannel_logout_session_required",
  "initiate_login_uri",
  "grant_types",
  "response_types",
  "response_modes",
  "scope",
  "jwks",
  "jwks_uri",
  "application_type",
  "sector_identifier_uri",
  "subject_type",
  "default_acr_values",
  "software_id",
  "software_version",
  "software_statement",
  "tls_client_auth_subject_dn",
  "tls_client_auth_san_dns",
  "tls_client_auth_san_uri",
  "tls_client_auth_san_ip",
  "tls_client_auth_san_email",
]);

/** Members that the provider itself has, under other names. */
const ELSEWHERE: Readonly<Record<string, string>> = { client_id: "clientId", client_secret: "clientSecret" };

/** Members that demand what the service does not do, by what that is. */
const UNSUPPORTED: readonly (readonly [name: RegExp, what: string])[] = [
  [/^introspection_encrypted_response_/, "answers of introspection are"],
  [/^request_(?:object_encryption_|uris$)/, "encrypted authorization requests, and those behind a URL of yours, are"],
];

/** Lists what is wrong with how a client presents itself. */
export function clientProblems(provider: OAuthProvider | OidcProvider): ConfigError[] {
  const { id, client, token, clockTolerance: tolerance, securityProfile } = provider;
  const wrong: string[] = isPlainObject(client ?? {})
    ? memberProblems(client ?? {})
    : ["its `client` must be an object"];
  const { clientAssertionAudience: audience } = typeof token === "object" ? token ?? {} : {};
  if (audience !== undefined && (typeof audience !== "string" || audience.trim() === "")) {
    wrong.push('its `token.clientAssertionAudience` must be "issuer", "token_endpoint" or the audience as text');
  }
  const isTolerance = typeof tolerance === "number" && tolerance >= 0 && tolerance <= 600;
  if (tolerance !== undefined && !isTolerance) {
    wrong.push("its `clockTolerance` must be a number of seconds from 0 to 600");
  }
  if (securityProfile !== undefined && securityProfile !== "fapi2") wrong.push('its `securityProfile` must be "fapi2"');
  const problems = wrong.map((problem) => new InvalidConfig(`Cannot use provider "${id}": ${problem}`));
  // Of what is no object there is nothing more to say.
  return isPlainObject(client ?? {}) ? [...algorithmProblems(provider), ...problems] : problems;
}

function memberProblems(client: object): string[] {
  return Object.entries(client).flatMap(([name, value]) => {
    // What is switched off needs no support.
    if (USED.has(name) || INFORMATIVE.has(name) || value === undefined || value === null || value === false) return [];
    const [, what] = UNSUPPORTED.find(([pattern]) => pattern.test(name)) ?? [];
    const why = what === undefined ? "" : `, because ${what} not supported`;
    const fix = Object.hasOwn(ELSEWHERE, name) ? `set the provider's \`${ELSEWHERE[name]}\` instead` : "remove it";
    return [`its \`client.${name}\` does nothing${why}: ${fix}`];
  });
}

function algorithmProblems({ id, client = {}, clientSecret }: OAuthProvider | OidcProvider): ConfigError[] {
  const isConfidential = Boolean(clientSecret) && client.token_endpoint_auth_method !== "none";
  return (["id_token_signed_response_alg", "userinfo_signed_response_alg"] as const).flatMap((option) => {
    const alg: unknown = client[option];
    if (alg === undefined || (isSupported(alg) && (isConfidential || !alg.startsWith("HS")))) return [];
    const demand = isSupported(alg)
      ? `${alg} needs a confidential client, with a \`clientSecret\``
      : 'must be an algorithm of signatures, such as "RS256"';
    return [new InvalidConfig(`Cannot use provider "${id}": its \`client.${option}\` ${demand}`)];
  });
}

// Neither `none` nor encryption.
function isSupported(alg: unknown): alg is string {
  return typeof alg === "string" && /^(?:(?:RS|PS|ES|HS)(?:256|384|512)|EdDSA|Ed25519)$/.test(alg);
}
