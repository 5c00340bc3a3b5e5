/**
 * What a browser sends at the end of a ceremony, read from text.
 *
 * @module
 */
import { isCanonicalBase64Url } from "../crypto/encoding.ts";
import { WebAuthnVerificationError } from "../kernel/errors.ts";
import { isObject } from "../kernel/objects.ts";

/** An answer to a challenge by a credential that exists. */
export interface Assertion {
  /** Id of the credential, as base64url. */
  readonly id: string;
  readonly rawId: string;
  readonly type: "public-key";
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string;
  };
}

/** A credential that was made for a challenge. */
export interface Attestation {
  /** Id of the credential, as base64url. */
  readonly id: string;
  readonly rawId: string;
  readonly type: "public-key";
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: string[];
  };
}

type Members = Readonly<Record<string, unknown>>;

/** Reads an assertion. @throws {WebAuthnVerificationError} if it is none. */
export function readAssertion(data: unknown): Assertion {
  const { id, response } = readCredential(data);
  const { userHandle } = response;
  return {
    ...common(id),
    response: {
      clientDataJSON: base64Url(response.clientDataJSON),
      authenticatorData: base64Url(response.authenticatorData),
      signature: base64Url(response.signature),
      ...(typeof userHandle === "string" && userHandle !== "" && { userHandle }),
    },
  };
}

/** Reads an attestation. @throws {WebAuthnVerificationError} if it is none. */
export function readAttestation(data: unknown): Attestation {
  const { id, response } = readCredential(data);
  const { transports } = response;
  return {
    ...common(id),
    response: {
      clientDataJSON: base64Url(response.clientDataJSON),
      attestationObject: base64Url(response.attestationObject),
      ...(Array.isArray(transports) && { transports: transports.filter(isTransport) }),
    },
  };
}

/** The greatest length of a credential's id in bytes (WebAuthn Level 3, credential ID). */
const LONGEST_ID = 1023;

function readCredential(data: unknown): { readonly id: string; readonly response: Members } {
  const { id, rawId, type, response } = asMembers(parse(data));
  if (id !== rawId || type !== "public-key") throw new WebAuthnVerificationError(MALFORMED);
  const bytes = Math.floor(base64Url(id).length * 3 / 4);
  if (bytes === 0 || bytes > LONGEST_ID) throw new WebAuthnVerificationError(MALFORMED);
  return { id: base64Url(id), response: asMembers(response) };
}

function common(id: string): Pick<Assertion, "id" | "rawId" | "type"> {
  return { id, rawId: id, type: "public-key" };
}

function parse(data: unknown): unknown {
  try {
    return JSON.parse(typeof data === "string" ? data : "");
  } catch (error) {
    throw new WebAuthnVerificationError(MALFORMED, { cause: error });
  }
}

const MALFORMED = "Cannot verify passkey: what the browser sent is no credential";

function asMembers(value: unknown): Members {
  if (isObject(value)) return value;
  throw new WebAuthnVerificationError(MALFORMED);
}

// One spelling for each value: another that decodes to the same bytes would name the same credential twice.
function base64Url(value: unknown): string {
  if (typeof value === "string" && /^[\w-]+$/.test(value) && isCanonicalBase64Url(value)) return value;
  throw new WebAuthnVerificationError(MALFORMED);
}

function isTransport(value: unknown): value is string {
  return typeof value === "string" && /^[a-z-]{1,32}$/.test(value);
}
