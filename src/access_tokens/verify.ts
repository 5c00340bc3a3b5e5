/**
 * Fresh tokens, and the verification of the id_token that may come with them.
 *
 * @module
 * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#RefreshTokenResponse | OpenID Connect Core, section 12.2}
 */
import * as oauth from "oauth4webapi";
import { OAuthProviderError } from "../kernel/errors.ts";
import type { TokenSet } from "../kernel/model.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { openToken } from "../oauth_client/account_tokens.ts";
import { clientMetadata } from "../oauth_client/client.ts";
import { idTokenError, readIdToken } from "../oauth_client/id_token.ts";
import type { JsonObject } from "../oauth_client/json.ts";
import type { Jwt } from "../oauth_client/jwt.ts";
import { hasKeyFor, type Signer } from "../oauth_client/signature.ts";
import { acceptedTypes, type ReadTokens, responseOf, tidy, verifyAnswer } from "../oauth_client/token_endpoint.ts";
import type { StoredToken, TokenRequest } from "./stored_token.ts";

/** The members of a token response that are stored. */
export type FreshTokens = Pick<
  TokenSet,
  "access_token" | "refresh_token" | "id_token" | "expires_in" | "scope" | "token_type"
>;

interface Received {
  readonly stored: StoredToken;
  readonly body: JsonObject;
}

/**
 * Verifies the answer to a refresh.
 *
 * @throws {OAuthProviderError} if it holds no access token, or its id_token is not valid or is about somebody else.
 */
export async function verifyTokens(
  request: TokenRequest,
  signer: Signer,
  { stored, body: given }: Received,
): Promise<FreshTokens> {
  const { provider, server } = signer;
  // Some servers repeat only what is new.
  const body: JsonObject = { token_type: stored.account.token_type || "bearer", ...tidy(given) };
  const isVerified = hasKeyFor(provider.client.id_token_signed_response_alg, server);
  if (isVerified && body.id_token !== undefined) return await verifyIdToken(request, signer, { stored, body });
  const { id_token, ...others } = body;
  const tokens = await readAnswer(provider, { server, issuer: server.metadata.issuer, body: others });
  // As at the sign-in, one that cannot be verified is stored unchanged and never read.
  const isKept = provider.type === "oauth" && !isVerified && typeof id_token === "string";
  return membersOf(isKept ? { ...tokens, id_token } : tokens);
}

async function verifyIdToken(
  request: TokenRequest,
  signer: Signer,
  { stored, body: answer }: Received,
): Promise<FreshTokens> {
  const { provider } = signer;
  const { tokens, idToken } = await verifyAnswer(
    request.config,
    signer,
    answer,
    (reading) => readAnswer(provider, reading),
  );
  const first = await firstIdToken(request, stored);
  if (first) assertSamePerson(first, idToken);
  const { id_token, ...others } = membersOf(tokens);
  // Without the first one, it cannot be determined whether it is about the same person.
  return first ? { ...others, id_token } : others;
}

/** Members of an id_token that the one of a refresh must have in common with the one before. */
const SAME = ["iss", "sub"] as const;

function assertSamePerson({ exactClaims: first }: Jwt, { exactClaims: fresh }: Jwt): void {
  const other = SAME.find((name) => fresh[name] !== first[name]);
  if (other) throw idTokenError(`its ${other} is not that of the id_token before`);
  if (fresh.nonce !== undefined && first.nonce !== undefined && fresh.nonce !== first.nonce) {
    throw idTokenError("its nonce is not that of the id_token before");
  }
}

async function firstIdToken({ config }: TokenRequest, { account }: StoredToken): Promise<Jwt | null> {
  const text = await openToken(config, account, "id_token");
  try {
    return text ? readIdToken(text) : null;
  } catch {
    return null; // another version of this service, or other software, has stored it
  }
}

async function readAnswer(
  provider: ResolvedOAuthProvider,
  { server, issuer, body }: Parameters<ReadTokens>[0],
): Promise<oauth.TokenEndpointResponse> {
  // When the person last signed in was checked at that sign-in.
  const { default_max_age: _, require_auth_time: __, ...client } = clientMetadata(provider);
  const options = acceptedTypes(provider, body);
  const tokens = await oauth.processRefreshTokenResponse(
    { ...server.metadata, issuer },
    client,
    responseOf(body),
    options,
  );
  if (!tokens.access_token) throw new OAuthProviderError("Cannot refresh: there is no access token");
  return tokens;
}

function membersOf(tokens: TokenSet): FreshTokens {
  const { access_token, refresh_token, id_token, expires_in, scope, token_type } = tokens;
  return { access_token, refresh_token, id_token, expires_in, scope, token_type };
}
