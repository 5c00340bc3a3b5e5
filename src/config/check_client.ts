/**
 * What can be wrong with how a client presents itself to a provider: its metadata, its assertions, its clock.
 *
 * @module
 * @see {@link https://www.rfc-editor.org/rfc/rfc7591#section-2 | RFC 7591, section 2}
 */
import type { OAuthProvider, OidcProvider } from "../contract/provider.ts";
import { type ConfigError, InvalidConfig } from "../kernel/errors.ts";
import { isPlainObject } from "../kernel/objects.ts";

/** Lists what is wrong with how a client presents itself. */
export function clientProblems(provider: OAuthProvider | OidcProvider): ConfigError[] {
  const { id, client, token, clockTolerance: tolerance, securityProfile } = provider;
  const wrong: string[] = isPlainObject(client ?? {}) ? [] : ["its `client` must be an object"];
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

function algorithmProblems({ id, client = {}, clientSecret }: OAuthProvider | OidcProvider): ConfigError[] {
  const isConfidential = Boolean(clientSecret) && client.token_endpoint_auth_method !== "none";
  return (["id_token_signed_response_alg", "userinfo_signed_response_alg"] as const).flatMap((option) => {
    const alg: unknown = client[option];
    if (alg === undefined || alg === null || (isSupported(alg) && (isConfidential || !alg.startsWith("HS")))) return [];
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
