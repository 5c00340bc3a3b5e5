/**
 * The options of providers: of each its kind, and its default where that does not depend on others.
 *
 * @module
 */
import type { ClientMetadata } from "../contract/client_metadata.ts";
import type {
  AuthorizationEndpoint,
  CommonProvider,
  CredentialsProvider,
  EmailProvider,
  OAuthProvider,
  TokenEndpoint,
  UserinfoEndpoint,
  WebAuthnProvider,
} from "../contract/provider.ts";
import type { ProviderStyle } from "../contract/provider_style.ts";
import { comparableEmail } from "../kernel/address.ts";
import type { ProviderType } from "../kernel/model.ts";
import { isObject, isPlainObject, kindOf } from "../kernel/objects.ts";
import {
  anything,
  buttonColor,
  buttonMark,
  exactly,
  FINE,
  functionOrNull,
  isListOf,
  type Kind,
  number,
  oneOf,
  orNull,
  ruled,
  seconds,
  trueOrFalse,
  type Verdict,
} from "./kinds.ts";
import { isPadded } from "./padded.ts";
import type { Rows, Table } from "./rows.ts";
import { WEBAUTHN } from "./webauthn_options.ts";

// Text such as "false" is true for JavaScript, and would link accounts of strangers.
const danger: Kind = ruled(orNull(trueOrFalse), false);

const clientId: Kind = (value) => {
  if (typeof value === "number") return { is: "mended", value: String(value), says: "is a number: it is read as text" };
  if (value === null || typeof value === "string") return padded(value);
  return { is: "wrong", says: `must be text, not ${kindOf(value)}` };
};

// The value stays: a provider may have given it like that.
function padded(value: string | null): Verdict {
  if (value === null || !isPadded(value)) return FINE;
  if (value.trim() === "") return { is: "ignored" };
  const says = "is surrounded by spaces, line breaks or quotes, which are sent as part of it: remove them";
  return { is: "mended", value, says, code: "value-padded" };
}

/** A value of which a sentence does not show more than its kind. */
function hidden(be: string, test: (value: unknown) => boolean): Kind {
  return (value) => {
    return value === null || test(value) ? FINE : { is: "wrong", says: `must be ${be}, not ${kindOf(value)}` };
  };
}

const clientSecret: Kind = (value) => {
  if (value === null || (typeof value === "string" && value.trim() !== "")) return padded(value);
  return { is: "wrong", says: "must be text that is not empty; leave it out for a public client" };
};

const CHECKS: readonly string[] = ["pkce", "state", "nonce", "none"];

const checkList = exactly(
  'a list of "pkce", "state", "nonce" or "none"',
  isListOf((check) => CHECKS.includes(check as string)),
);

// Words that mean nothing stay, and are a problem: what they should have switched on is not known.
const checks: Kind = (value) => {
  if (Array.isArray(value) && value.includes("none")) return ruled(checkList)(value);
  if (typeof value !== "string") return orNull(checkList)(value);
  const words = value.split(/[\s,]+/).filter((word) => word !== "");
  if (words.length === 0 || !words.every((word) => CHECKS.includes(word))) return checkList(value);
  return { is: "mended", value: words, says: `is text: it is read as the list ${JSON.stringify(words)}` };
};

const domains: Kind = exactly(
  "`{ names: [<domain>], claim: <name of a claim> }`, or one of both",
  (value) => {
    if (!isPlainObject(value)) return false;
    const { names = [], claim } = value;
    const isClaim = claim === undefined || (typeof claim === "string" && claim !== "");
    return isClaim && isListOf((name) => comparableEmail(`x@${name}`) === `x@${name}`)(names);
  },
);

// Neither `none` nor encryption.
const algorithm: Kind = orNull(
  exactly('an algorithm of signatures, such as "RS256"', (value) => {
    return typeof value === "string" && /^(?:(?:RS|PS|ES|HS)(?:256|384|512)|EdDSA|Ed25519)$/.test(value);
  }),
);

const STYLE = {
  bg: { kind: buttonColor },
  bgDark: { kind: buttonColor },
  border: { kind: buttonColor },
  borderDark: { kind: buttonColor },
  fixed: { kind: anything, otherwise: false },
  logo: { kind: anything },
  logoDark: { kind: anything },
  mark: { kind: buttonMark },
  text: { kind: buttonColor },
  textDark: { kind: buttonColor },
} satisfies Rows<ProviderStyle>;

const COMMON = {
  id: { kind: anything },
  name: { kind: anything },
  type: { kind: anything },
  style: { kind: anything, members: STYLE },
  deprecated: { kind: anything },
} satisfies Rows<CommonProvider<"oauth">>;

const AUTHORIZATION = {
  url: { kind: anything },
  params: { kind: anything },
  pushed: { kind: anything },
  scopeSeparator: { kind: anything },
  codeChallengeMethod: { kind: anything, otherwise: "S256" },
  requestObjectKey: { kind: anything },
  request: { kind: anything },
} satisfies Rows<AuthorizationEndpoint>;

const TOKEN = {
  url: { kind: anything },
  refreshUrl: { kind: anything },
  params: { kind: anything },
  form: { kind: anything },
  request: { kind: anything },
  conform: { kind: anything },
  clientPrivateKey: { kind: anything },
  clientAssertionAudience: {
    kind: exactly('"issuer", "token_endpoint" or the audience as text', (value) => {
      return typeof value === "string" && value.trim() !== "";
    }),
    otherwise: "issuer",
  },
} satisfies Rows<TokenEndpoint>;

const USERINFO = {
  url: { kind: anything },
  params: { kind: anything },
  request: { kind: anything },
} satisfies Rows<UserinfoEndpoint>;

/** The members of `client` that the service acts on. */
export const CLIENT = {
  token_endpoint_auth_method: { kind: anything },
  token_endpoint_auth_signing_alg: { kind: anything },
  id_token_signed_response_alg: { kind: algorithm },
  userinfo_signed_response_alg: { kind: algorithm },
  id_token_encrypted_response_alg: { kind: anything },
  id_token_encrypted_response_enc: { kind: anything, otherwise: "A128CBC-HS256" },
  userinfo_encrypted_response_alg: { kind: anything },
  userinfo_encrypted_response_enc: { kind: anything, otherwise: "A128CBC-HS256" },
  decryptionKeys: { kind: anything },
  dpop_bound_access_tokens: { kind: anything, otherwise: false },
  tls_client_certificate_bound_access_tokens: { kind: anything, otherwise: false },
  use_mtls_endpoint_aliases: { kind: anything, otherwise: false },
  authorization_signed_response_alg: { kind: anything },
  authorization_encrypted_response_alg: { kind: anything },
  authorization_encrypted_response_enc: { kind: anything, otherwise: "A128CBC-HS256" },
  request_object_signing_alg: { kind: anything },
  require_signed_request_object: { kind: anything },
  require_pushed_authorization_requests: { kind: anything },
  backchannel_logout_session_required: { kind: anything, otherwise: false },
  default_max_age: { kind: anything },
  require_auth_time: { kind: anything },
} satisfies Rows<ClientMetadata>;

export const OAUTH = {
  ...COMMON,
  clientId: { kind: clientId },
  clientSecret: { kind: clientSecret },
  issuer: { kind: hidden("text", (value) => typeof value === "string") },
  wellKnown: { kind: anything },
  authorization: { kind: orNull(anything), members: AUTHORIZATION },
  token: { kind: orNull(anything), members: TOKEN },
  userinfo: { kind: orNull(anything), members: USERINFO },
  jwks_endpoint: { kind: anything },
  checks: { kind: checks, otherwise: ["pkce"] },
  profile: { kind: hidden("a function", (value) => typeof value === "function") },
  account: { kind: anything },
  vouches: { kind: orNull(oneOf("no", "own domain", "yes")) },
  ownDomains: { kind: orNull(domains) },
  allowDangerousEmailAccountLinking: { kind: danger, otherwise: false },
  allowInsecureRequests: { kind: danger, otherwise: false },
  securityProfile: { kind: exactly('"fapi2"', (value) => value === "fapi2") },
  client: { kind: orNull(anything), members: CLIENT },
  redirectProxyUrl: { kind: anything },
  idToken: { kind: orNull(trueOrFalse) },
  clockTolerance: {
    kind: number("a number of seconds from 0 to 600", (value) => value >= 0 && value <= 600),
    otherwise: 30,
  },
  expectedIssuer: { kind: anything },
  logout: { kind: anything, otherwise: false },
  logoutFallback: { kind: anything },
  revokeTokens: {
    kind: hidden("true, false or a URL", (value) => typeof value === "boolean" || typeof value === "string"),
    otherwise: false,
  },
  requiredOptions: { kind: anything },
  options: { kind: anything },
} satisfies Rows<OAuthProvider>;

/** The longest time in seconds that sending an email may take. */
const LONGEST_SENDING = 600;

export const EMAIL = {
  ...COMMON,
  from: { kind: anything },
  server: { kind: anything },
  apiKey: { kind: anything },
  needsApiKey: { kind: anything, otherwise: false },
  lacks: { kind: anything },
  maxAge: { kind: seconds({ least: 1 }), otherwise: 10 * 60 },
  timeout: {
    kind: number(
      `a number of seconds, more than 0 and at most ${LONGEST_SENDING}`,
      (value) => value > 0 && value <= LONGEST_SENDING,
    ),
  },
  sendVerificationRequest: { kind: anything },
  sendMail: { kind: functionOrNull },
  generateVerificationToken: { kind: anything },
  normalizeIdentifier: { kind: anything },
  secret: { kind: anything },
  options: { kind: anything },
} satisfies Rows<EmailProvider>;

// The form has what is an object here. Anything else would be a form without that field, or with fields named 0 and 1.
const fields: Kind = (value) => {
  const isFields = isObject(value) && Object.values(value).every((field) => !field || isObject(field));
  if (value === null || isFields) return FINE;
  const says = `must be an object of fields, each of them an object, such as \`{ name: { label: "Name" } }\``;
  return { is: "wrong", says };
};

const CREDENTIALS = {
  ...COMMON,
  credentials: { kind: fields },
  authorize: { kind: anything },
  options: { kind: anything },
} satisfies Rows<CredentialsProvider>;

const WEBAUTHN_PROVIDER = {
  ...COMMON,
  ...WEBAUTHN,
  formFields: { kind: anything },
  options: { kind: anything },
} satisfies Rows<WebAuthnProvider>;

/** The options of providers, by their type. */
export const PROVIDERS: Readonly<Record<ProviderType, Table>> = {
  oauth: OAUTH,
  oidc: OAUTH,
  email: EMAIL,
  credentials: CREDENTIALS,
  webauthn: WEBAUTHN_PROVIDER,
};
