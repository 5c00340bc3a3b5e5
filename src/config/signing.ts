/**
 * The algorithms that providers sign with, in the terms of RFC 7518.
 *
 * @module
 */
import type { OAuthProvider, OidcProvider } from "../contract/provider.ts";
import { type ConfigError, InvalidConfig } from "../kernel/errors.ts";

/** Whether an algorithm is one with a shared secret. */
export function isMac(alg: string | undefined): boolean {
  return alg !== undefined && /^HS(?:256|384|512)$/.test(alg);
}

/** Lists what is wrong with the algorithms that a client has registered. */
export function algorithmProblems({ id, client = {}, clientSecret }: OAuthProvider | OidcProvider): ConfigError[] {
  const isConfidential = Boolean(clientSecret) && client.token_endpoint_auth_method !== "none";
  return (["id_token_signed_response_alg", "userinfo_signed_response_alg"] as const).flatMap((option) => {
    const alg: unknown = client[option];
    if (alg === undefined || (isSupported(alg) && (isConfidential || !isMac(alg)))) return [];
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
