/**
 * Errors of the flow: of the protocol library, of handlers of the developer, and those that a provider answers with. They
 * carry responses and parameters, so only what cannot hold a secret is copied from them.
 *
 * @module
 */
import * as oauth from "oauth4webapi";
import { OAuthCallbackError, OAuthProviderError, Timeout } from "../kernel/errors.ts";
import { asKnownError } from "../kernel/known_errors.ts";
import { isObject } from "../kernel/objects.ts";
import type { Awaitable } from "../kernel/model.ts";
import type { ResolvedOAuthProvider } from "../config/resolved_provider.ts";
import { withDeadline } from "../kernel/deadline.ts";
import type { OutboundConfig } from "./outbound.ts";

type Named = Pick<ResolvedOAuthProvider, "id">;

/**
 * Runs a part of a flow. What is not an error of ours yet becomes an {@linkcode OAuthProviderError}. `failed` says what
 * then could not be done.
 */
export async function wrapProtocolErrors<T>(
  { id }: Named,
  run: () => Promise<T>,
  failed = `Cannot sign in with "${id}"`,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const known = asKnownError(error);
    if (known && !(known instanceof Timeout)) throw known;
    const logCode = error instanceof Timeout ? "timeout" : undefined;
    throw new OAuthProviderError(`${failed}: ${reasonOf(error)}`, { cause: evidenceOf(error), logCode });
  }
}

/**
 * Runs a handler that the developer gave as `option`. `wrap` makes the error of what it throws: by default an
 * {@linkcode OAuthProviderError}, and errors of ours stay unchanged.
 */
export async function callHandler<T>(
  { runtime, timeouts }: OutboundConfig,
  { id }: Named,
  option: string,
  run: () => Awaitable<T>,
  wrap = providerError,
): Promise<T> {
  const what = `\`${option}\` of provider "${id}"`;
  try {
    return await withDeadline(runtime, timeouts.request, what, run);
  } catch (error) {
    throw wrap(`Cannot sign in: ${what} failed`, error);
  }
}

function providerError(message: string, cause: unknown): Error {
  return asKnownError(cause) ?? new OAuthProviderError(message, { cause, logCode: "callback-threw" });
}

// The messages of the protocol library and of jose are constant. Those of other errors may quote a URL.
function reasonOf(error: unknown): string {
  const known = error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError ||
    error instanceof Timeout || isJoseError(error);
  return known ? error.message : "its answer could not be processed";
}

// By its code: jose is loaded only where it is needed.
function isJoseError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && /^ERR_JWK?S_/.test(String(error.code));
}

function evidenceOf(error: unknown): Record<string, unknown> {
  if (error instanceof Timeout) return { err: error };
  if (!(error instanceof Error)) return { name: typeof error };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const { claim, attribute, claims, expected } = (cause ?? {}) as Record<string, unknown>;
  return {
    name: error.name,
    ...(isWord(code) && { reason: code }),
    ...(isWord(claim) && { claim }),
    ...(isWord(attribute) && { attribute }),
    ...(isWord(claim) && PUBLIC.has(claim) && isObject(claims) && { found: claims[claim], expected }),
  };
}

/** Claims that are not secret: who issued a token, and for whom. */
const PUBLIC: ReadonlySet<string> = new Set(["iss", "aud"]);

function isWord(value: unknown): value is string {
  return typeof value === "string" && /^\w{1,64}$/.test(value);
}

/** What a provider says of a request that it refuses. */
export interface Refusal {
  readonly error: string;
  readonly description?: string | null;
  readonly status?: number;
  /** The redirect URI that was sent. */
  readonly redirectUri: string | null;
}

/**
 * Makes the error of an authorization or token response that holds `error`. The description goes to the log only.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1 | RFC 6749, section 4.1.2.1}
 */
export function authorizationError(id: string, refusal: Refusal): OAuthCallbackError {
  const { error, description, status, redirectUri } = refusal;
  const isUnregistered = isAboutRedirectUri(refusal);
  const remedy = isUnregistered ? `register ${redirectUri} there as its redirect URI` : REMEDIES.get(error);
  const said = "the provider answered with an error";
  return new OAuthCallbackError(`Cannot sign in with "${id}": ${said}${remedy ? `; ${remedy}` : ""}`, {
    logCode: isUnregistered
      ? "redirect-uri-mismatch"
      : BY_PERSON.has(error)
      ? "sign-in-cancelled"
      : OF_THE_CODE.has(error)
      ? "code-refused"
      : undefined,
    cause: {
      error,
      ...(description && { error_description: description }),
      ...(status && { status }),
    },
  });
}

/** What to do about errors of the authorization endpoint that the person can do nothing about. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ["invalid_client", "check its `clientId`, and that the client is still registered there"],
  ["invalid_scope", "check the `scope` in the `params` of its `authorization`"],
  ["unauthorized_client", "check its `clientId`, and that it is registered there for the authorization code flow"],
]);

// Only GitHub and Google have an error of its own for it. Others say it in the description.
function isAboutRedirectUri({ error, description, redirectUri }: Refusal): boolean {
  return redirectUri !== null && [error, description ?? ""].some((text) => /redirect[_ -]?ur[il]/i.test(text)) &&
    !BY_PERSON.has(error);
}

/** Refusals by the person, or because the person has to do something there first. */
const BY_PERSON: ReadonlySet<string> = new Set([
  "access_denied",
  "login_required",
  "consent_required",
  "interaction_required",
  "account_selection_required",
]);

/** Refusals of a code that was used before or has expired. */
const OF_THE_CODE: ReadonlySet<string> = new Set([
  "invalid_grant",
  "expired_token",
  // What GitHub, Slack and others write instead.
  "bad_verification_code",
  "invalid_code",
  "code_already_used",
  "code_expired",
]);

/** Refusals of the client itself. GitHub has the second one. */
const OF_THE_CLIENT: ReadonlySet<string> = new Set(["invalid_client", "incorrect_client_credentials"]);

/** Failures of the provider that pass. */
const PASSING: ReadonlySet<string> = new Set(["server_error", "temporarily_unavailable"]);

/**
 * The error of a token response that holds `error`, or of the answer to a pushed request. Most errors of these endpoints
 * are about the client: the person who signs in can do nothing about them.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.2 | RFC 6749, section 5.2}
 */
export function tokenError(
  id: string,
  { status, hint, refused = "token endpoint refused this client", ...said }: Refusal & {
    readonly status: number;
    /** What is worth trying. */
    readonly hint: string | null;
    /** Which endpoint refused what. @default {"token endpoint refused this client"} */
    readonly refused?: string;
  },
): OAuthCallbackError | OAuthProviderError {
  const { error, description, redirectUri } = said;
  // They end when the person starts again.
  const ends = [BY_PERSON, OF_THE_CODE, PASSING].some((known) => known.has(error));
  if (ends || status >= 500) return authorizationError(id, { ...said, status });
  const where = OF_THE_CLIENT.has(error) || redirectUri === null ? "" : `, and that ${redirectUri} is registered there`;
  const remedy = isAboutRedirectUri(said)
    ? `register ${redirectUri} there as its redirect URI`
    : `check its \`clientId\` and \`clientSecret\`${where}${hint ? `, or ${hint}` : ""}`;
  return new OAuthProviderError(
    `Cannot sign in with "${id}": its ${refused}; ${remedy}`,
    {
      cause: { error, ...(description && { error_description: description }), status },
      logCode: isAboutRedirectUri(said) ? "redirect-uri-mismatch" : "token-request-refused",
    },
  );
}

/** The longest text of a provider that errors carry, in characters. */
const LONGEST_TEXT = 8192;

/** Removes what was sent from a text of a provider, plain and encoded. Some servers quote the request. */
export function withoutSecrets(text: string, sent: readonly (string | null | undefined)[]): string {
  const secrets = sent.flatMap((secret) => {
    if (!secret || secret.length < 4) return [];
    const encoded = new URLSearchParams([["", secret]]).toString().slice(1);
    return [secret, encodeURIComponent(secret).replaceAll("%20", "+"), encoded];
  });
  const start = text.slice(0, 2 * LONGEST_TEXT).replace(/eyJ[\w-]+\.[\w.-]+|Basic [\w+/=-]+/g, HIDDEN);
  return [...new Set(secrets)].reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), start).slice(0, LONGEST_TEXT);
}

const HIDDEN = "[redacted]";
