/**
 * The options of WebAuthn providers: of each its kind, and its default where that does not depend on others.
 *
 * @module
 */
import type {
  AuthenticationOptions,
  RegistrationOptions,
  RelyingParty,
  WebAuthnCommon,
} from "../contract/webauthn_options.ts";
import { anything, exactly, isListOf, type Kind, number, oneOf, orNull, trueOrFalse } from "./kinds.ts";
import type { Rows } from "./rows.ts";

const milliseconds = number("a number of milliseconds", (value) => value >= 1 && value < 1e10);

function isOrigin(origin: unknown): boolean {
  if (typeof origin !== "string") return false;
  // Android apps have no URL as their origin, but the hash of the key that signed them.
  return origin.startsWith("android:apk-key-hash:") || URL.parse(origin)?.origin === origin;
}

function isDomain(id: unknown): boolean {
  return typeof id === "string" && URL.parse(`https://${id}`)?.hostname === id;
}

function oneOrMore(be: string, test: (value: unknown) => boolean): Kind {
  return orNull(exactly(be, (value) => [value].flat().every(test)));
}

const RELYING_PARTY = {
  id: { kind: oneOrMore('a domain such as "example.com"', isDomain) },
  name: { kind: anything },
  origin: { kind: oneOrMore('an origin such as "https://example.com"', isOrigin) },
} satisfies Rows<RelyingParty>;

// Browsers have no passkeys by http but at localhost.
function isWebOrigin(origin: unknown): boolean {
  return typeof origin === "string" && /^(?:https:|http:\/\/localhost(?::|$))/.test(origin) && isOrigin(origin);
}

/** The most related origins: more than any site has, and little to read for a browser. */
const MOST_RELATED = 20;

const relatedOrigins = exactly(
  `a list of at most ${MOST_RELATED} origins such as "https://example.de"`,
  (value) => isListOf(isWebOrigin)(value) && (value as readonly unknown[]).length <= MOST_RELATED,
);

/** The COSE algorithms whose signatures can be verified: a passkey with another one could never sign in. */
const VERIFIABLE: readonly unknown[] = [-7, -8, -35, -36, -37, -38, -39, -257, -258, -259];

const algorithms = exactly(`a list of algorithms among ${VERIFIABLE.join(", ")}`, (value) => {
  return isListOf((each) => VERIFIABLE.includes(each))(value) && (value as readonly unknown[]).length > 0;
});

export const AUTHENTICATION = {
  timeout: { kind: milliseconds },
  userVerification: { kind: anything, otherwise: "preferred" },
  extensions: { kind: anything },
} satisfies Rows<AuthenticationOptions>;

export const REGISTRATION = {
  timeout: { kind: milliseconds },
  attestationType: { kind: anything, otherwise: "none" },
  authenticatorSelection: { kind: anything },
  extensions: { kind: anything },
  // EdDSA, ES256 and RS256, as COSE numbers them: what authenticators have.
  supportedAlgorithmIDs: { kind: algorithms, otherwise: Object.freeze([-8, -7, -257]) },
} satisfies Rows<RegistrationOptions>;

/** The options of providers of passkeys, apart from those of every provider. */
export const WEBAUTHN = {
  relayingParty: { kind: anything, members: RELYING_PARTY },
  relatedOrigins: { kind: relatedOrigins, otherwise: Object.freeze([]) },
  upgrade: { kind: trueOrFalse, otherwise: false },
  timeout: { kind: milliseconds, otherwise: 5 * 60 * 1000 },
  registration: { kind: oneOf("open", "signed-in"), otherwise: "open" },
  confirm: { kind: trueOrFalse, otherwise: false },
  allowCredentialsByEmail: { kind: trueOrFalse, otherwise: false },
  maxCredentials: {
    kind: number("a whole number of at least 1", (value) => Number.isSafeInteger(value) && value >= 1),
    otherwise: 100,
  },
  enableConditionalUI: { kind: orNull(trueOrFalse), otherwise: true },
  simpleWebAuthnBrowserVersion: {
    kind: exactly('a version such as "v13.2.0"', (value) => !value || /^v\d+(?:\.\d+){0,2}$/.test(String(value))),
  },
  authenticationOptions: { kind: anything, members: AUTHENTICATION },
  registrationOptions: { kind: anything, members: REGISTRATION },
  verifyAuthenticationOptions: { kind: anything },
  verifyRegistrationOptions: { kind: anything },
  getUserInfo: { kind: anything },
} satisfies Rows<WebAuthnCommon>;
