/**
 * The request for fresh tokens, and what its answer means.
 *
 * @module
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-6 | RFC 6749, section 6}
 */
import * as oauth from "oauth4webapi";
import { type AuthErrorCause, ConfigError, OAuthProviderError } from "../kernel/errors.ts";
import { authHint, mayRefuseClient } from "../oauth_client/client_auth.ts";
import type { BoundKey } from "../oauth_client/dpop.ts";
import { authorizationServer, getDocument } from "../oauth_client/discovery.ts";
import { withoutSecrets, wrapProtocolErrors } from "../oauth_client/failure.ts";
import { type JsonObject, readObject } from "../oauth_client/json.ts";
import { dpop } from "../oauth_client/late_modules.ts";
import { endpointOf } from "../oauth_client/metadata.ts";
import { limitedFetch } from "../oauth_client/outbound.ts";
import type { Signer } from "../oauth_client/signature.ts";
import { assertBound, sendTokenRequest, type TokenTarget } from "../oauth_client/token_endpoint.ts";
import { refreshKeyOf, type StoredToken, type TokenRequest } from "./stored_token.ts";
import type { Outcome } from "./outcome.ts";
import { type FreshTokens, verifyTokens } from "./verify.ts";

type Failure = Extract<Outcome, { act: "fail" }>;

/** What the provider answered. */
export type Answer =
  | { readonly act: "tokens"; readonly tokens: FreshTokens }
  | { readonly act: "refused" }
  | Failure;

/** A refresh that can be started. */
export type Refresh =
  | { readonly act: "go"; readonly run: (stored: StoredToken) => Promise<Answer> }
  | Extract<Outcome, { act: "require" }>
  | Failure;

/** Does all of a refresh that needs no refresh token: once the token is used, its answer must not get lost. */
export async function prepareRefresh(request: TokenRequest, stored: StoredToken): Promise<Refresh> {
  const { config, provider } = request;
  try {
    const server = await authorizationServer(config, provider);
    endpointOf(provider, server, "token_endpoint");
    const fetch = limitedFetch(config, provider);
    // A provider that has sent an id_token will send another one.
    if (stored.account.id_token) {
      await server.keys?.get({ load: (url) => getDocument(config, fetch, url), runtime: config.runtime });
    }
    const key = await keyOf(request, stored);
    if (key === undefined) return { act: "require", reason: "unreadable" };
    const signer: BoundSigner = { provider, server, fetch, key };
    return { act: "go", run: (stored) => run(request, signer, stored) };
  } catch (error) {
    return failureFrom(error, stored);
  }
}

/** The provider, and the key that tokens are bound to, with DPoP. */
type BoundSigner = Signer & TokenTarget;

/** Opens the key of an account whose tokens are bound to one. `undefined` if it does not open. */
async function keyOf(
  { config, provider }: TokenRequest,
  { account }: StoredToken,
): Promise<BoundKey | null | undefined> {
  const sealed = refreshKeyOf(account);
  if (sealed === undefined) return null;
  const { openKey, openSealedKey } = await dpop();
  const jwk = await openSealedKey(config.sealer, account, sealed);
  return jwk ? await openKey(jwk, config, provider) : undefined;
}

async function run(request: TokenRequest, signer: BoundSigner, stored: StoredToken): Promise<Answer> {
  try {
    return await wrapProtocolErrors(signer.provider, async () => {
      const response = await sendTokenRequest(request.config, signer, ({ as, client, auth, options }) => {
        return oauth.refreshTokenGrantRequest(as, client, auth, stored.refreshToken ?? "", options);
      });
      const body = readObject(await response.arrayBuffer());
      const refusal = refusalOf(signer, stored, { status: response.status, body });
      if (refusal?.act === "refused") {
        const facts = { provider: signer.provider.id, ...refusal.cause };
        request.config.logger.debug("refresh token refused", facts, request.subject);
      }
      if (!refusal) assertBound(signer, body?.token_type);
      return refusal ?? { act: "tokens", tokens: await verifyTokens(request, signer, { stored, body: body ?? {} }) };
    }, `Cannot refresh the access token of "${signer.provider.id}"`);
  } catch (error) {
    return failureFrom(error, stored);
  }
}

/** Errors that end a refresh token. Only the first one is standard. */
const OF_THE_TOKEN: ReadonlySet<string> = new Set([
  "invalid_grant",
  "interaction_required",
  "login_required",
  "consent_required",
  "access_denied",
  "expired_token",
  // What GitHub and Slack write instead.
  "bad_refresh_token",
  "invalid_refresh_token",
  "token_expired",
  "token_revoked",
]);

const PASSING: ReadonlySet<unknown> = new Set(["server_error", "temporarily_unavailable", "slow_down"]);

interface Received {
  readonly status: number;
  readonly body: JsonObject | null;
}

/** What is wrong with an answer; `null` for one with tokens. */
function refusalOf(
  { provider, server }: Signer,
  stored: StoredToken,
  { status, body }: Received,
): { readonly act: "refused"; readonly cause: AuthErrorCause } | Failure | null {
  const error = typeof body?.error === "string" && body.error ? body.error : null;
  if (status === 200 && body && error === null) return null;
  const cause = { status, ...(error !== null && saidBy(body, [stored.refreshToken, provider.clientSecret])) };
  if (status >= 500 || status === 429 || PASSING.has(error)) return { act: "fail", kind: "unavailable", cause, stored };
  // Some servers report errors with status 200.
  if (error !== null && OF_THE_TOKEN.has(error)) return { act: "refused", cause };
  const hint = mayRefuseClient(status, error) ? authHint(provider, server) : undefined;
  return { act: "fail", kind: "fault", cause, stored, hint };
}

function saidBy(body: JsonObject | null, sent: readonly (string | null | undefined)[]): AuthErrorCause {
  const { error, error_description: description } = body ?? {};
  return {
    error: withoutSecrets(String(error), sent),
    ...(typeof description === "string" && { error_description: withoutSecrets(description, sent) }),
  };
}

/** What of an error that was thrown may pass by itself. */
const NO_ANSWER: ReadonlySet<unknown> = new Set(["network", "timeout"]);

function failureFrom(error: unknown, stored: StoredToken): Failure {
  const { kind, status } = error instanceof OAuthProviderError ? error.cause ?? {} : {};
  const passes = NO_ANSWER.has(kind) || (typeof status === "number" && status >= 500);
  const hint = error instanceof ConfigError ? error.message : undefined;
  return { act: "fail", kind: passes ? "unavailable" : "fault", cause: { err: error }, stored, hint };
}
