/**
 * Requests that present a certificate (mutual TLS): the developer's `fetch` does that. What is left is where they go.
 *
 * @module
 * @see {@link https://www.rfc-editor.org/rfc/rfc8705 | RFC 8705}
 */
import { InvalidConfig } from "../kernel/errors.ts";
import { isObject } from "../kernel/objects.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { JsonObject } from "./json.ts";

/** Whether the client presents a certificate, to authenticate or to have its tokens bound to it. */
export function usesCertificate({ client }: Pick<ResolvedOAuthProvider, "client">): boolean {
  return METHODS.has(client.token_endpoint_auth_method ?? "") ||
    client.tls_client_certificate_bound_access_tokens === true || client.use_mtls_endpoint_aliases === true;
}

const METHODS: ReadonlySet<string> = new Set(["tls_client_auth", "self_signed_tls_client_auth"]);

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

/** The endpoints that a client calls itself. A browser has no certificate, so its own are never replaced. */
const CALLED: ReadonlySet<string> = new Set([
  "token_endpoint",
  "userinfo_endpoint",
  "pushed_authorization_request_endpoint",
  "revocation_endpoint",
  "introspection_endpoint",
]);

/** Gives metadata with the endpoints that demand a certificate in place of the usual ones (section 5). */
export function withAliases({ mtls_endpoint_aliases: aliases, ...metadata }: JsonObject): JsonObject {
  const members = isObject(aliases) ? Object.entries(aliases) : [];
  const given = members.filter(([name, url]) => CALLED.has(name) && url !== null);
  return { ...metadata, ...Object.fromEntries(given) };
}
