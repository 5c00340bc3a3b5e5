/**
 * Token responses that hold an id_token, of a sign-in and of a refresh alike: opened, verified and read.
 *
 * @module
 */
import type * as oauth from "oauth4webapi";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import type { RequestContext } from "../request/context.ts";
import { openAnswer } from "./encrypted.ts";
import { expectedIssuer, NO_ISSUER } from "./expected_issuer.ts";
import { clockProblem } from "./clock.ts";
import { type IdToken, idTokenError, idTokenProblem, matchesAccessToken, OLDEST, readIdToken } from "./id_token.ts";
import type { JsonObject } from "./json.ts";
import type { Server } from "./server.ts";
import { assertSigned, serverFor, type Signer } from "./signature.ts";

/** The tokens of a response, and the `Response` that the protocol library has read them from. */
export interface ReadAnswer {
  readonly tokens: oauth.TokenEndpointResponse;
  readonly response: Response;
}

/** Lets the protocol library read a token response of an issuer. */
export type ReadTokens = (answer: {
  readonly server: Server;
  readonly issuer: string;
  readonly body: JsonObject;
}) => Promise<ReadAnswer>;

/**
 * Verifies the id_token of a token response and reads the tokens. Those that are returned hold it as it was before it was
 * encrypted.
 *
 * @throws {OAuthProviderError} if it is not valid.
 */
export async function verifyAnswer(
  ctx: Pick<RequestContext, "config">,
  given: Signer,
  answer: JsonObject,
  read: ReadTokens,
): Promise<{ readonly tokens: oauth.TokenEndpointResponse; readonly idToken: IdToken }> {
  const { provider } = given;
  const { clientId, clockTolerance: tolerance, client: { id_token_signed_response_alg: alg } } = provider;
  const text = await openAnswer(provider, "id_token", answer.id_token);
  const idToken = readIdToken(text);
  const signer = { ...given, server: await serverFor(ctx, given, idToken) };
  const now = ctx.config.runtime.now() / 1000;
  const issuer = await expectedIssuer(ctx, signer, idToken);
  if (issuer === null) throw idTokenError(NO_ISSUER);
  const { tokens, response } = await read({ server: signer.server, issuer, body: { ...answer, id_token: text } });
  const problem = idTokenProblem(idToken, { now, clientId, alg, tolerance });
  if (problem) throw clockProblem(provider.id, idToken, { now, tolerance, oldest: OLDEST }) ?? idTokenError(problem);
  if (!await matchesAccessToken(idToken, tokens.access_token)) {
    throw idTokenError("its at_hash is not that of the access token");
  }
  await assertSigned(ctx, signer, { text: String(text), token: idToken, alg, response });
  return { tokens, idToken };
}

/**
 * Makes a response of members that were read before: the protocol library takes tokens from a `Response`, and knows the
 * id_token by it. A real one would write them as text, to be read once more.
 */
export function responseOf(members: JsonObject): Response {
  return new MembersRead(members) as unknown as Response;
}

class MembersRead {
  readonly status = 200;
  readonly bodyUsed = false;
  readonly #members: JsonObject;

  constructor(members: JsonObject) {
    this.#members = members;
  }

  // The library takes for a `Response` what has its tag, because frameworks have classes of their own.
  get [Symbol.toStringTag](): string {
    return "Response";
  }

  // The library writes into what it reads.
  json(): Promise<JsonObject> {
    return Promise.resolve({ ...this.#members });
  }
}

/** What the protocol library accepts besides: a token handler of the developer's knows the types of its tokens. */
export function acceptedTypes(
  { token }: Pick<ResolvedOAuthProvider, "token">,
  { token_type: type }: JsonObject,
): Pick<oauth.ProcessAuthorizationCodeResponseOptions, "recognizedTokenTypes"> {
  return token.handler ? { recognizedTokenTypes: { [String(type).toLowerCase()]: () => {} } } : {};
}
