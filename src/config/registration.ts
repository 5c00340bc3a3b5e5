/**
 * The registration of a client, as people paste it from what the provider has answered. What is known of it is read, the
 * rest is named, and nothing in it takes the provider out.
 *
 * @module
 * @see {@link https://www.rfc-editor.org/rfc/rfc7591#section-3.2.1 | RFC 7591, section 3.2.1}
 */
import { isPlainObject, kindOf } from "../kernel/objects.ts";
import type { Findings } from "./findings.ts";
import { CLIENT } from "./provider_options.ts";

/** Members that only the provider acts on, or nobody. */
const INFORMATIVE: ReadonlySet<string> = new Set([
  ..."client_id_issued_at client_secret_expires_at registration_access_token registration_client_uri".split(" "),
  ..."client_name client_uri logo_uri policy_uri tos_uri contacts redirect_uris post_logout_redirect_uris".split(" "),
  ..."backchannel_logout_uri frontchannel_logout_uri frontchannel_logout_session_required".split(" "),
  ..."initiate_login_uri grant_types response_types response_modes scope jwks jwks_uri application_type".split(" "),
  ..."sector_identifier_uri subject_type default_acr_values software_id software_version".split(" "),
  ..."software_statement tls_client_auth_subject_dn tls_client_auth_san_dns tls_client_auth_san_uri".split(" "),
  ..."tls_client_auth_san_ip tls_client_auth_san_email".split(" "),
]);

/** Members that the provider itself has, under other names. */
const ELSEWHERE = { client_id: "clientId", client_secret: "clientSecret" } as const;

/** Members that demand what the service does not do, by what that is. */
const UNSUPPORTED: readonly (readonly [name: RegExp, what: string])[] = [
  [/^introspection_encrypted_response_/, "answers of introspection are"],
  [/^request_(?:object_encryption_|uris$)/, "encrypted authorization requests, and those behind a URL of yours, are"],
];

type Members = Record<string, unknown>;

/** Whether a name is one of a registration, and of no option of a provider. */
export function isRegistered(name: string): boolean {
  // Many mean the parameter.
  return name !== "scope" && (Object.hasOwn(CLIENT, name) || INFORMATIVE.has(name));
}

/** Reads a registration in a provider, or in its `client`. Changes the copy of the provider that it is given. */
export function readRegistration(provider: Members, found: Findings): void {
  const { client: given = {} } = provider;
  const client = isPlainObject(given) ? given : {};
  const of = `of provider "${String(provider.id)}"`;
  if (client !== given) {
    found.warn("option-mended", `\`client\` ${of} is ${kindOf(given)} and not an object, so it is ignored`);
  }
  for (const [name, option] of Object.entries(ELSEWHERE)) {
    for (const [shown, value] of [[`client.${name}`, client[name]], [name, provider[name]]] as const) {
      if (typeof value !== "string" || value === "" || value === provider[option]) continue;
      const isFree = !isGiven(provider[option]);
      if (isFree) provider[option] = value;
      const what = isFree ? `is read as \`${option}\`` : `is ignored, because \`${option}\` is another`;
      found.warn("option-mended", `\`${shown}\` ${of} ${what}`);
    }
  }
  const beside = Object.entries(provider).filter(isUsed);
  if (beside.length > 0) {
    found.warn("option-mended", `Beside \`client\` ${of}, and read as members of it: ${listOf(beside)}`);
  }
  nameUnread(client, of, found);
  const read = [...beside, ...Object.entries(client).filter(isUsed)];
  if (provider.client !== undefined || read.length > 0) provider.client = Object.fromEntries(read);
}

function nameUnread(client: object, of: string, found: Findings): void {
  const unread = Object.entries(client).filter(([name, value]) => {
    // What is switched off needs no support.
    return isGiven(value) && value !== false && !Object.hasOwn(CLIENT, name) && !Object.hasOwn(ELSEWHERE, name);
  });
  for (const [pattern, what] of UNSUPPORTED) {
    const demanded = unread.filter(([name]) => pattern.test(name));
    if (demanded.length === 0) continue;
    found.warn(
      "option-unknown",
      `In \`client\` ${of}, without effect because ${what} not supported: ${listOf(demanded)}`,
    );
  }
  const others = unread.filter(([name]) => !UNSUPPORTED.some(([pattern]) => pattern.test(name)));
  if (others.length > 0) {
    found.warn("option-unknown", `In \`client\` ${of}, and without effect here: ${listOf(others)}`);
  }
}

function isUsed([name, value]: readonly [string, unknown]): boolean {
  return Object.hasOwn(CLIENT, name) && isGiven(value);
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
