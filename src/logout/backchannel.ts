/**
 * Logout by the provider, from server to server: it posts a logout token, and the sessions that it names end.
 *
 * @module
 * @see {@link https://openid.net/specs/openid-connect-backchannel-1_0.html | OpenID Connect Back-Channel Logout}
 */
import { sha256Hex } from "../crypto/digest.ts";
import type { Fields } from "../http/body.ts";
import { AdapterError, InvalidConfig, MissingAdapterMethods, OAuthProviderError, Timeout } from "../kernel/errors.ts";
import { authorizationServer } from "../oauth_client/discovery.ts";
import { expectedIssuer, NO_ISSUER } from "../oauth_client/id_token.ts";
import { type Jwt, openAnswer } from "../oauth_client/jwt.ts";
import { limitedFetch, type OutboundConfig } from "../oauth_client/outbound.ts";
import { assertSigned, hasKeyFor, serverFor, type Signer } from "../oauth_client/signature.ts";
import type { RequestContext } from "../request/context.ts";
import { mayGuess } from "../request/points.ts";
import { json, type Outcome } from "../request/outcome.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { endSessions, tellEnded } from "../session/end.ts";
import { endWaitingOf } from "../session_stores/without_rows.ts";
import { isId, logoutTokenProblem, LONGEST, OLDEST, readLogoutToken } from "./logout_token.ts";
import { endTokensOfLogout } from "./tokens.ts";

/** What {@linkcode receiveLogoutToken} needs. */
export interface LogoutRequest {
  readonly provider: ResolvedOAuthProvider;
  readonly fields: Fields;
}

/** A logout token that is not valid. */
class InvalidLogoutToken extends Error {}

/**
 * Ends the sessions that a logout token names. It has no CSRF token and no cookie: its signature says who sends it.
 */
export async function receiveLogoutToken(ctx: RequestContext, input: LogoutRequest): Promise<Outcome> {
  const { config } = ctx;
  const { id } = input.provider;
  if (!config.storage) {
    return refuse(ctx, id, 400, new InvalidLogoutToken(NO_STORAGE));
  }
  const judged = await mayGuess(ctx, { kind: "logout", provider: id, subject: null });
  if (!judged) return json({ error: ERRORS[503] }, 503);
  try {
    const claims = await verify(ctx, input);
    await assertFirstUse(ctx, input.provider, claims);
    const { sid, sub } = claims;
    const named = isId(sid) ? { sid } : { sub: String(sub) };
    // First: what goes on in between becomes a session that ends with the others.
    if ("sid" in named) await endWaitingOf(config, { provider: id, sid: named.sid });
    const found = await endSessions(config, { provider: id, ...named });
    const { ended, userIds } = found;
    const holder = { provider: input.provider, providerAccountId: "sub" in named ? named.sub : undefined };
    await Promise.all([
      ...userIds.map((userId) => endTokensOfLogout(ctx, { ...holder, userId })),
      tellEnded(ctx, found, { provider: id, reason: "backchannel" }),
    ]);
    config.logger.debug(`Back-channel logout by provider "${id}"`, { by: Object.keys(named).join(), ended }, ctx);
    return json({});
  } catch (error) {
    if (error instanceof MissingAdapterMethods) return refuse(ctx, id, 400, error);
    if (error instanceof InvalidLogoutToken) {
      await judged(false);
      return refuse(ctx, id, 400, error);
    }
    // The token could not be verified now, or the sessions may still be valid. The provider may send another one.
    const isTransient = error instanceof OAuthProviderError || error instanceof AdapterError ||
      error instanceof Timeout || error instanceof InvalidConfig;
    if (isTransient) return refuse(ctx, id, 503, error);
    throw error;
  }
}

const NO_STORAGE = "without an `adapter` the service does not know which sessions there are; set one";

const ERRORS = { 400: "invalid_request", 503: "temporarily_unavailable" } as const;

// Section 2.8. The answer does not say why the provider cannot be reached.
function refuse(ctx: RequestContext, id: string, status: 400 | 503, err: Error): Outcome {
  const message = `Cannot accept back-channel logout of provider "${id}": ${err.message}`;
  // Anybody who can post a form can cause a request for the keys of the provider, so this is only a warning.
  const isFault = err instanceof AdapterError || err instanceof InvalidConfig;
  const logCode = isFault ? undefined : "logout-refused";
  ctx.config.logger.error(new OAuthProviderError(message, { ...(status === 503 && { cause: { err } }), logCode }), ctx);
  return json({ error: ERRORS[status], ...(status === 400 && { error_description: err.message }) }, status);
}

const FORM = /^application\/x-www-form-urlencoded[\t ]*(?:;|$)/i;

async function verify(ctx: RequestContext, { provider, fields }: LogoutRequest): Promise<Jwt["claims"]> {
  const { config, request } = ctx;
  const { logout_token: text } = fields;
  if (!FORM.test(request.headers.get("content-type") ?? "")) throw new InvalidLogoutToken("the body is not a form");
  if (typeof text !== "string") throw new InvalidLogoutToken("there is no logout_token");
  const { signed, token } = await openLogoutToken(provider, text);
  const known = await authorizationServer(config, provider);
  const { id_token_signed_response_alg: alg, backchannel_logout_session_required: sidRequired } = provider.client;
  if (!hasKeyFor(alg, known)) throw new InvalidLogoutToken("the issuer and its keys are not configured");
  const server = await serverFor(config, { provider, server: known }, token);
  const issuer = await expectedIssuer(config, { provider, server }, token);
  if (issuer === null) throw new InvalidLogoutToken(NO_ISSUER);
  const problem = logoutTokenProblem(token, {
    issuer,
    clientId: provider.clientId,
    alg,
    announced: server.metadata.id_token_signing_alg_values_supported,
    now: config.runtime.now() / 1000,
    tolerance: provider.clockTolerance,
    sidRequired: sidRequired === true,
  });
  if (problem) throw new InvalidLogoutToken(problem);
  await assertSignedBy(config, { provider, server, fetch: limitedFetch(config, provider) }, signed);
  return token.claims;
}

interface OpenedToken {
  /** The token as it was before it was encrypted. */
  readonly signed: string;
  readonly token: Jwt;
}

// It is encrypted where id_tokens are, with the same keys (section 2.4).
async function openLogoutToken(provider: ResolvedOAuthProvider, text: string): Promise<OpenedToken> {
  const signed = text.length > LONGEST
    ? ""
    : await openAnswer(provider, "id_token", text, "logout_token").catch(notOpened);
  const token = readLogoutToken(String(signed));
  if (token) return { signed: String(signed), token };
  throw new InvalidLogoutToken("the logout_token is not a signed JWT");
}

function notOpened(error: unknown): never {
  throw error instanceof OAuthProviderError ? new InvalidLogoutToken(error.message) : error;
}

async function assertSignedBy(config: OutboundConfig, signer: Signer, text: string): Promise<void> {
  try {
    await assertSigned(config, signer, { text, alg: signer.provider.client.id_token_signed_response_alg });
  } catch (error) {
    if (error instanceof Timeout || (error instanceof OAuthProviderError && error.cause)) throw error;
    throw new InvalidLogoutToken("its signature is wrong");
  }
}

// Section 2.6, step 8. The mark is set before anything ends: of two that come at once, one is refused. It is kept as long
// as the token would be accepted.
async function assertFirstUse(
  { config: { storage } }: RequestContext,
  { id, clientId, clockTolerance }: ResolvedOAuthProvider,
  { iss, jti, iat }: Jwt["claims"],
): Promise<void> {
  if (!storage?.once) return;
  const expires = new Date((Number(iat) + OLDEST + clockTolerance + 1) * 1000);
  const key = `logout:${await sha256Hex(JSON.stringify([id, iss, clientId, jti]))}`;
  if (!await storage.once(key, expires)) throw new InvalidLogoutToken("its jti was used before");
}
