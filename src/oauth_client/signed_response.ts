/**
 * Signed authorization responses (JARM): the parameters as claims of a JWT, which only the provider can have made.
 *
 * @module
 * @see {@link https://openid.net/specs/oauth-v2-jarm-final.html | JARM}
 */
import * as oauth from "oauth4webapi";
import { InvalidCheck, InvalidConfig, OAuthProviderError } from "../kernel/errors.ts";
import { clientMetadata } from "./client.ts";
import { type Jwt, PUBLIC_KEY_ALGORITHMS, readJwt } from "./jwt.ts";
import { issuerOf } from "./metadata.ts";
import type { OutboundConfig } from "./outbound.ts";
import { assertSigned, missingKeys, type Signer } from "./signature.ts";

type Parties = Pick<Signer, "provider" | "server">;

/** Modes that get to this service. Browsers send no fragments. */
const MODES: ReadonlySet<string | null> = new Set(["jwt", "query.jwt", "form_post.jwt"]);

/**
 * Checks, before the person goes to the provider, that its response will be signed and can be verified.
 *
 * @throws {InvalidConfig} if not.
 */
export function assertSignedMode({ provider: { id, client }, server }: Parties, params: URLSearchParams): void {
  const { authorization_signed_response_alg: alg } = client;
  const mode = params.get("response_mode");
  if (!MODES.has(mode)) {
    throw new InvalidConfig(
      `Cannot sign in with "${id}": its \`response_mode\` must be "jwt", "query.jwt" or "form_post.jwt" for a signed ` +
        `response, and it is ${JSON.stringify(mode)}`,
    );
  }
  if (alg && !PUBLIC_KEY_ALGORITHMS.includes(alg)) {
    throw new InvalidConfig(
      `Cannot sign in with "${id}": its \`client.authorization_signed_response_alg\` must be an algorithm with a ` +
        `public key, such as "RS256", and it is "${alg}"`,
    );
  }
  if (server.hasIssuer && server.keys) return;
  throw missingKeys({ id }, server, "responses");
}

/**
 * Reads the state, which names the cookie of the flow. Nothing of the response is verified yet, and nothing else is read.
 *
 * @returns `null` if there is none.
 * @throws {InvalidCheck} if the response is encrypted.
 */
export function stateIn(params: URLSearchParams): string | null {
  const text = params.get("response");
  // One that is not signed is refused afterwards. It ends the flow that it belongs to.
  if (text === null) return params.get("state");
  if (text.split(".").length === 5) {
    throw new InvalidCheck(
      "Cannot redeem flow: the response is encrypted; set `client.decryptionKeys` and " +
        "`client.authorization_encrypted_response_alg`, or remove the latter from the registration at the provider",
    );
  }
  const state = read(text)?.claims.state;
  return typeof state === "string" ? state : null;
}

/** A response that came with the cookie of its flow. */
export interface Received {
  readonly params: URLSearchParams;
  /** The state that the flow was started with. */
  readonly state: string;
}

/**
 * Verifies a signed response.
 *
 * @returns Its parameters, as `authorizationCodeGrantRequest()` takes them.
 * @throws {OAuthProviderError} if it is not signed, or not by this provider for this client.
 * @throws {oauth.AuthorizationResponseError} if it holds an error.
 */
export async function validateSignedResponse(
  config: OutboundConfig,
  signer: Signer,
  { params, state }: Received,
): Promise<URLSearchParams> {
  const { provider, server } = signer;
  const [text = "", ...others] = params.getAll("response");
  const token = others.length === 0 ? read(text) : null;
  if (!token) throw refusal(provider.id, "it is not a signed JWT", params);
  const { claims } = token;
  const issuer = issuerOf(server, claims.iss);
  const problem = problemOf(token, { provider, server, issuer, now: config.runtime.now() / 1000 });
  if (problem) throw refusal(provider.id, problem);
  await assertSigned(config, signer, { text, alg: undefined });
  const members = Object.entries(claims).filter((claim): claim is [string, string] => typeof claim[1] === "string");
  const response = new URLSearchParams(members.filter(([name]) => name !== "aud"));
  const expectedState = claims.state === undefined ? oauth.expectNoState : state;
  return oauth.validateAuthResponse({ ...server.metadata, issuer }, clientMetadata(provider), response, expectedState);
}

// A JWT without a signature is not one of these.
function read(text: string): Jwt | null {
  return text.endsWith(".") ? null : readJwt(text);
}

interface Expectations extends Parties {
  readonly issuer: string;
  /** Seconds since 1970. */
  readonly now: number;
}

// Before keys are loaded (section 5.1): a made-up response costs no request.
function problemOf(
  { header: { alg, typ, crit }, claims: { iss, aud, exp, nbf, iat } }: Jwt,
  { provider: { clientId, clockTolerance, client }, server: { metadata }, issuer, now }: Expectations,
): string | null {
  if (iss !== issuer) return `its iss must be "${issuer}", and it is ${JSON.stringify(iss)?.slice(0, 200)}`;
  if (aud !== clientId && !(Array.isArray(aud) && aud.includes(clientId))) return "its aud is not this client";
  if (typeof exp !== "number") return "it has no exp";
  if (exp + clockTolerance <= now) {
    return `it expired ${Math.round(now - exp)} seconds ago by the clock of this service`;
  }
  if (nbf !== undefined && !(typeof nbf === "number" && nbf <= now + clockTolerance)) return "it is not valid yet";
  if (iat !== undefined && typeof iat !== "number") return "its iat is not a time";
  if (!PUBLIC_KEY_ALGORITHMS.includes(String(alg))) return "its alg is not one with a public key";
  const { authorization_signed_response_alg: registered } = client;
  const announced: unknown = metadata.authorization_signing_alg_values_supported;
  const accepted: readonly unknown[] = registered ? [registered] : Array.isArray(announced) ? announced : ["RS256"];
  if (!accepted.includes(alg)) return "its alg is not one that the client is registered for or the provider announces";
  if (crit !== undefined) return "its header has `crit`, which is not supported";
  // Issuers sign tokens for other purposes, such as `at+jwt` and `logout+jwt`, with the same keys.
  return typ === undefined || (typeof typ === "string" && !/\+jwt$/i.test(typ)) ? null : "its typ is not JWT";
}

// What an answer without a signature says may be false. It helps people who read the log.
function refusal(id: string, why: string, params?: URLSearchParams): OAuthProviderError {
  const [error, description] = [params?.get("error"), params?.get("error_description")];
  return new OAuthProviderError(`Cannot sign in with "${id}": its response must be signed (JARM), but ${why}`, {
    cause: { ...(error && { error }), ...(description && { error_description: description }) },
  });
}
