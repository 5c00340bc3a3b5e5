/**
 * Token responses, of a sign-in and of a refresh alike: their members, and the verification of an id_token among them.
 *
 * @module
 */
import type * as oauth from "oauth4webapi";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import {
  clockProblem,
  expectedIssuer,
  idTokenError,
  idTokenProblem,
  matchesAccessToken,
  NO_ISSUER,
  readIdToken,
} from "./id_token.ts";
import type { JsonObject } from "./json.ts";
import { type Jwt, openAnswer } from "./jwt.ts";
import type { Server } from "./metadata.ts";
import type { OutboundConfig } from "./outbound.ts";
import { assertSigned, serverFor, type Signer } from "./signature.ts";

/** Lets the protocol library read a token response of an issuer. */
export type ReadTokens = (answer: {
  readonly server: Server;
  readonly issuer: string;
  readonly body: JsonObject;
}) => Promise<oauth.TokenEndpointResponse>;

/**
 * Verifies the id_token of a token response and reads the tokens. Those that are returned hold it as it was before it was
 * encrypted.
 *
 * @throws {OAuthProviderError} if it is not valid.
 */
export async function verifyAnswer(
  config: OutboundConfig,
  given: Signer,
  answer: JsonObject,
  read: ReadTokens,
): Promise<{ readonly tokens: oauth.TokenEndpointResponse; readonly idToken: Jwt }> {
  const { provider } = given;
  const { clientId, clockTolerance: tolerance, client: { id_token_signed_response_alg: alg } } = provider;
  const text = await openAnswer(provider, "id_token", answer.id_token);
  const idToken = readIdToken(text);
  const signer = { ...given, server: await serverFor(config, given, idToken) };
  const now = config.runtime.now() / 1000;
  const issuer = await expectedIssuer(config, signer, idToken);
  if (issuer === null) throw idTokenError(NO_ISSUER);
  const tokens = await read({ server: signer.server, issuer, body: { ...answer, id_token: text } });
  const problem = idTokenProblem(idToken, { now, clientId, alg, tolerance });
  if (problem) throw clockProblem(provider.id, idToken, { now, tolerance }) ?? idTokenError(problem);
  if (!await matchesAccessToken(idToken, tokens.access_token)) {
    throw idTokenError("its at_hash is not that of the access token");
  }
  await assertSigned(config, signer, { text: String(text), alg });
  return { tokens, idToken };
}

/** Makes the `Response` that the protocol library reads tokens from. As text, because a framework may keep an object. */
export function responseOf(members: JsonObject): Response {
  return new Response(JSON.stringify(members), { headers: { "content-type": "application/json" } });
}

/** Returns the options for the types of tokens: a token handler of the developer knows the types of its tokens. */
export function acceptedTypes(
  { token }: Pick<ResolvedOAuthProvider, "token">,
  { token_type: type }: JsonObject,
): Pick<oauth.ProcessAuthorizationCodeResponseOptions, "recognizedTokenTypes"> {
  return token.handler ? { recognizedTokenTypes: { [String(type).toLowerCase()]: () => {} } } : {};
}

/** Leaves out members that are `null`, and an `expires_in` that is not a number of seconds. */
export function tidy({ expires_in, ...others }: JsonObject): JsonObject {
  const seconds = typeof expires_in === "string" && expires_in.trim() ? Number(expires_in) : expires_in;
  const usable = typeof seconds === "number" && seconds >= 0 && seconds <= Number.MAX_SAFE_INTEGER;
  return { ...withoutNulls(others), ...(usable && { expires_in: seconds }) };
}

/** Leaves out members that are `null`. */
export function withoutNulls(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}
