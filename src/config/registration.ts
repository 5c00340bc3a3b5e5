/**
 * The registration of a client, as people paste it from what the provider has answered. What is known of it is read, the
 * rest is named, and nothing in it takes the provider out.
 *
 * @module
 * @see {@link https://www.rfc-editor.org/rfc/rfc7591#section-3.2.1 | RFC 7591, section 3.2.1}
 */
import { isPlainObject } from "../kernel/objects.ts";
import { kindOf } from "../kernel/shown.ts";
import type { LogCode } from "../kernel/log_codes.ts";

/** Members of `client` that the service acts on. */
const USED: ReadonlySet<string> = new Set([
  "token_endpoint_auth_method",
  "token_endpoint_auth_signing_alg",
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

/** Members that only the provider acts on, or nobody. */
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
const ELSEWHERE = { client_id: "clientId", client_secret: "clientSecret" } as const;

/** Members that demand what the service does not do, by what that is. */
const UNSUPPORTED: readonly (readonly [name: RegExp, what: string])[] = [
  [/^introspection_encrypted_response_/, "answers of introspection are"],
  [/^request_(?:object_encryption_|uris$)/, "encrypted authorization requests, and those behind a URL of yours, are"],
];

type Members = Record<string, unknown>;

/** Adds a warning. */
type Report = (code: LogCode, message: string) => void;

/** Whether a name is one of a registration, and of no option of a provider. */
export function isRegistered(name: string): boolean {
  // Many mean the parameter.
  return name !== "scope" && (USED.has(name) || INFORMATIVE.has(name));
}

/** Reads a registration in a provider, or in its `client`. Changes the copy of the provider that it is given. */
export function readRegistration(provider: Members, report: Report): void {
  const { client: given = {} } = provider;
  const client = isPlainObject(given) ? given : {};
  const of = `of provider "${String(provider.id)}"`;
  if (client !== given) {
    report("option-mended", `\`client\` ${of} is ${kindOf(given)} and not an object, so it is ignored`);
  }
  for (const [name, option] of Object.entries(ELSEWHERE)) {
    for (const [shown, value] of [[`client.${name}`, client[name]], [name, provider[name]]] as const) {
      if (typeof value !== "string" || value === "" || value === provider[option]) continue;
      const isFree = !isGiven(provider[option]);
      if (isFree) provider[option] = value;
      const what = isFree ? `is read as \`${option}\`` : `is ignored, because \`${option}\` is another`;
      report("option-mended", `\`${shown}\` ${of} ${what}`);
    }
  }
  const beside = Object.entries(provider).filter(isUsed);
  if (beside.length > 0) {
    report("option-mended", `Beside \`client\` ${of}, and read as members of it: ${listOf(beside)}`);
  }
  nameUnread(client, of, report);
  const read = [...beside, ...Object.entries(client).filter(isUsed)];
  if (provider.client !== undefined || read.length > 0) provider.client = Object.fromEntries(read);
}

function nameUnread(client: object, of: string, report: Report): void {
  const unread = Object.entries(client).filter(([name, value]) => {
    // What is switched off needs no support.
    return isGiven(value) && value !== false && !USED.has(name) && !Object.hasOwn(ELSEWHERE, name);
  });
  for (const [pattern, what] of UNSUPPORTED) {
    const demanded = unread.filter(([name]) => pattern.test(name));
    if (demanded.length === 0) continue;
    report("option-unknown", `In \`client\` ${of}, without effect because ${what} not supported: ${listOf(demanded)}`);
  }
  const others = unread.filter(([name]) => !UNSUPPORTED.some(([pattern]) => pattern.test(name)));
  if (others.length > 0) report("option-unknown", `In \`client\` ${of}, and without effect here: ${listOf(others)}`);
}

function isUsed([name, value]: readonly [string, unknown]): boolean {
  return USED.has(name) && isGiven(value);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function listOf(members: readonly (readonly [string, unknown])[]): string {
  return listNames(members.map(([name]) => name));
}

/** Lists names for the log. */
export function listNames(names: readonly string[]): string {
  return names.map((name) => `\`${name.slice(0, 100)}\``).join(", ");
}
