/**
 * What a provider says when it refuses: its errors become ours, and nothing of what was sent stays in them.
 *
 * @module
 */
import { OAuthCallbackError, OAuthProviderError } from "../kernel/errors.ts";

/**
 * Makes the error of an authorization or token response that holds `error`. The description goes to the log only.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1 | RFC 6749, section 4.1.2.1}
 */
export function authorizationError(
  id: string,
  { error, description, status }: {
    readonly error: string;
    readonly description?: string | null;
    readonly status?: number;
  },
): OAuthCallbackError {
  return new OAuthCallbackError(`Cannot sign in with "${id}": the provider answered with an error`, {
    logCode: BY_PERSON.has(error) ? "sign-in-cancelled" : OF_THE_CODE.has(error) ? "code-refused" : undefined,
    cause: {
      error,
      ...(description && { error_description: description }),
      ...(status && { status }),
    },
  });
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

/** Failures of the provider that pass. */
const PASSING: ReadonlySet<string> = new Set(["server_error", "temporarily_unavailable"]);

/**
 * The error of a token response that holds `error`, or of the answer to a pushed request. Most errors of these endpoints
 * are about the client: whoever signs in can do nothing about them.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.2 | RFC 6749, section 5.2}
 */
export function tokenError(
  id: string,
  { error, description, status, hint, refused = "token endpoint refused this client" }: {
    readonly error: string;
    readonly description: string | null;
    readonly status: number;
    /** What is worth trying. */
    readonly hint: string | null;
    /** Which endpoint refused what. @default {"token endpoint refused this client"} */
    readonly refused?: string;
  },
): OAuthCallbackError | OAuthProviderError {
  // They end when the person starts again.
  const ends = [BY_PERSON, OF_THE_CODE, PASSING].some((known) => known.has(error));
  if (ends || status >= 500) return authorizationError(id, { error, description, status });
  return new OAuthProviderError(
    `Cannot sign in with "${id}": its ${refused}; check \`clientId\`, \`clientSecret\` and the ` +
      `redirect URI that is registered there${hint ? `, or ${hint}` : ""}`,
    {
      cause: { error, ...(description && { error_description: description }), status },
      logCode: "token-request-refused",
    },
  );
}

/** The longest text of a provider that errors carry, in characters. */
const LONGEST_TEXT = 8192;

/** Removes what was sent from a text of a provider, as it is and encoded. Some servers quote the request. */
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
