/**
 * Parses the response of the browser at the end of a ceremony.
 *
 * @module
 */
import { isCanonicalBase64Url } from "../crypto/encoding.ts";
import { exceededBound, SENT_JSON } from "../http/json_bounds.ts";
import { WebAuthnVerificationError } from "../kernel/errors.ts";
import { isObject } from "../kernel/objects.ts";

interface Credential {
  /** Id of the credential as base64url. */
  readonly id: string;
  readonly rawId: string;
  readonly type: "public-key";
}

/** The response of an existing credential to a challenge. */
export interface Assertion extends Credential {
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string;
  };
}

/** A new credential and its response to a challenge. */
export interface Attestation extends Credential {
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: string[];
  };
  /** Whether the authenticator stores it, as the browser says; absent if it does not say. */
  readonly isDiscoverable?: boolean;
}

type Members = Readonly<Record<string, unknown>>;

/** Parses an assertion. @throws {WebAuthnVerificationError} if it is malformed. */
export function readAssertion(data: unknown): Assertion {
  const { credential, response } = readCredential(data);
  const { userHandle } = response;
  return {
    ...credential,
    response: {
      clientDataJSON: base64Url(response.clientDataJSON),
      authenticatorData: base64Url(response.authenticatorData),
      signature: base64Url(response.signature),
      ...(typeof userHandle === "string" && userHandle !== "" && { userHandle }),
    },
  };
}

/** Parses an attestation. @throws {WebAuthnVerificationError} if it is malformed. */
export function readAttestation(data: unknown): Attestation {
  const { credential, response, extensions: { credProps } } = readCredential(data);
  const { transports } = response;
  const rk = isObject(credProps) ? credProps.rk : undefined;
  return {
    ...credential,
    ...(rk !== undefined && { isDiscoverable: rk === true }),
    response: {
      clientDataJSON: base64Url(response.clientDataJSON),
      attestationObject: base64Url(response.attestationObject),
      ...(Array.isArray(transports) && { transports: transports.filter(isTransport) }),
    },
  };
}

/** The longest id of a credential, in bytes (WebAuthn Level 3, credential ID). */
const MAX_ID_LENGTH = 1023;

function readCredential(data: unknown): { credential: Credential; response: Members; extensions: Members } {
  const { id: given, rawId, type, response, clientExtensionResults } = asObject(parse(data));
  if (given !== rawId || type !== "public-key") throw new WebAuthnVerificationError(MALFORMED);
  const id = base64Url(given);
  const bytes = Math.floor(id.length * 3 / 4);
  if (bytes === 0 || bytes > MAX_ID_LENGTH) throw new WebAuthnVerificationError(MALFORMED);
  const extensions = isObject(clientExtensionResults) ? clientExtensionResults : {};
  return { credential: { id, rawId: id, type }, response: asObject(response), extensions };
}

function parse(data: unknown): unknown {
  if (typeof data !== "string" || exceededBound(data, SENT_JSON)) throw new WebAuthnVerificationError(MALFORMED);
  try {
    return JSON.parse(data);
  } catch (error) {
    throw new WebAuthnVerificationError(MALFORMED, { cause: error });
  }
}

const MALFORMED = "Cannot verify passkey: the browser did not send a valid credential";

function asObject(value: unknown): Members {
  if (isObject(value)) return value;
  throw new WebAuthnVerificationError(MALFORMED);
}

// Canonical base64url only: another spelling of the same bytes would be another id for the same credential.
function base64Url(value: unknown): string {
  if (typeof value === "string" && /^[\w-]+$/.test(value) && isCanonicalBase64Url(value)) return value;
  throw new WebAuthnVerificationError(MALFORMED);
}

function isTransport(value: unknown): value is string {
  return typeof value === "string" && /^[a-z-]{1,32}$/.test(value);
}
