/**
 * The ceremonies of WebAuthn: what a browser is asked, and whether its answer holds.
 *
 * @see {@link https://www.w3.org/TR/webauthn-3/#sctn-rp-operations | WebAuthn Level 3, section 7}
 *
 * @module
 */
import { fromBase64Url, utf8 } from "../crypto/encoding.ts";
import { AuthError, WebAuthnVerificationError } from "../kernel/errors.ts";
import type { AdapterAuthenticator, Authenticator } from "../kernel/model.ts";
import type { ResolvedWebAuthnProvider } from "../config/resolved_provider.ts";
import { checkClientData } from "./client_data.ts";
import type { Assertion, Attestation } from "./credential.ts";
import {
  decodeAttestationObject,
  decodeCredentialPublicKey,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  isoBase64URL,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "./library.ts";
import type { RelyingParty } from "./relying_party.ts";
import { type CoseKey, isAcceptableKey, isCanonicalSignature } from "./public_key.ts";

/** A credential, as a browser is told of it. */
export interface Descriptor {
  /** Its id, as base64url. */
  readonly id: string;
  /** How the browser may reach it. */
  readonly transports?: string[];
}

/** Who and where, for either ceremony. */
export interface CeremonyContext {
  readonly provider: ResolvedWebAuthnProvider;
  readonly party: RelyingParty;
  /** As base64url. */
  readonly challenge: string;
}

/** What a browser is asked when somebody signs in; with a list, by one of these credentials. */
export async function authenticationOptions(
  { provider: { authentication }, party, challenge }: CeremonyContext,
  allowed: readonly Descriptor[],
): Promise<object> {
  const { timeout, userVerification, extensions } = authentication;
  return await generateAuthenticationOptions({
    rpID: party.id,
    challenge: fromBase64Url(challenge),
    timeout,
    userVerification,
    ...(allowed.length > 0 && { allowCredentials: [...allowed] }),
    ...(extensions && { extensions }),
  });
}

/** For whom a credential is made. */
export interface UserEntity {
  /** What the authenticator calls the user: text in ASCII. */
  readonly handle: string;
  readonly name: string;
  readonly displayName: string;
  /** Credentials they have; an authenticator that holds one makes no other. */
  readonly excluded: readonly Descriptor[];
}

/** What a browser is asked when somebody makes a credential. */
export async function registrationOptions(
  { provider: { registration }, party, challenge }: CeremonyContext,
  { handle, name, displayName, excluded }: UserEntity,
): Promise<object> {
  const { timeout, attestationType, supportedAlgorithmIDs, authenticatorSelection, extensions } = registration;
  const { hints: _, ...options } = await generateRegistrationOptions({
    rpID: party.id,
    rpName: party.name,
    challenge: fromBase64Url(challenge),
    userID: utf8(handle),
    userName: name,
    userDisplayName: displayName,
    timeout,
    attestationType,
    supportedAlgorithmIDs: [...supportedAlgorithmIDs],
    excludeCredentials: [...excluded],
    // The library writes into it.
    authenticatorSelection: { ...authenticatorSelection },
    ...(extensions && { extensions }),
  });
  return options;
}

/** What an answer says of its credential. */
export interface VerifiedAssertion {
  /** How often it was used, as the authenticator counts. */
  readonly counter: number;
  /** Whether it is backed up by now. */
  readonly backedUp: boolean;
}

/**
 * Verifies an answer by a credential that is known.
 *
 * @throws {WebAuthnVerificationError} if it does not hold.
 */
export async function verifyAssertion(
  { provider, party, challenge }: CeremonyContext,
  assertion: Assertion,
  stored: AdapterAuthenticator,
): Promise<VerifiedAssertion> {
  return await wrapVerificationErrors(async () => {
    checkClientData(assertion.response.clientDataJSON);
    const publicKey = isoBase64URL.toBuffer(stored.credentialPublicKey, "base64");
    const signature = fromBase64Url(assertion.response.signature);
    if (!isCanonicalSignature(decodeKey(publicKey), signature)) {
      throw new TypeError("The signature is written in no known way");
    }
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, clientExtensionResults: {} },
      ...expectations(party, challenge),
      requireUserVerification: provider.authentication.requireUserVerification,
      credential: {
        id: assertion.id,
        publicKey,
        counter: stored.counter,
      },
    });
    if (!verified) throw new TypeError("The signature does not hold");
    // Whether a credential can be copied to other devices is settled when it is made.
    if (authenticationInfo.credentialDeviceType !== stored.credentialDeviceType) {
      throw new TypeError("The credential is not of the kind it was");
    }
    return { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp };
  });
}

/**
 * Verifies a credential that was made.
 *
 * @returns The credential, as it is stored.
 * @throws {WebAuthnVerificationError} if it does not hold.
 */
export async function verifyAttestation(
  { provider: { registration }, party, challenge }: CeremonyContext,
  attestation: Attestation,
): Promise<Authenticator> {
  return await wrapVerificationErrors(async () => {
    checkClientData(attestation.response.clientDataJSON);
    if (registration.attestationType === "none") assertNoCertificate(attestation);
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...attestation, clientExtensionResults: {} },
      ...expectations(party, challenge),
      requireUserVerification: registration.requireUserVerification,
      supportedAlgorithmIDs: [...registration.supportedAlgorithmIDs],
    });
    if (!registrationInfo) throw new TypeError("The attestation does not hold");
    const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo;
    if (credential.id !== attestation.id) throw new TypeError("The credential has two ids");
    if (!isAcceptableKey(decodeKey(credential.publicKey))) throw new TypeError("The key is cut off, or proves nothing");
    const { transports } = attestation.response;
    const credentialID = isoBase64URL.toBase64(credential.id);
    return {
      credentialID,
      providerAccountId: credentialID,
      credentialPublicKey: isoBase64URL.fromBuffer(credential.publicKey, "base64"),
      counter: credential.counter,
      credentialDeviceType,
      credentialBackedUp,
      ...(transports && { transports: transports.join(",") }),
    };
  });
}

function decodeKey(publicKey: Uint8Array<ArrayBuffer>): CoseKey {
  // The library says more of the map than that it is one, and checks none of it.
  return decodeCredentialPublicKey(publicKey) as unknown as CoseKey;
}

function expectations(
  { ids, origins }: RelyingParty,
  challenge: string,
): { expectedChallenge: string; expectedOrigin: string[]; expectedRPID: string[] } {
  return { expectedChallenge: challenge, expectedOrigin: [...origins], expectedRPID: [...ids] };
}

// Browsers leave out what nobody asked for. Certificates of strangers are work for a parser, and nothing is made of them.
function assertNoCertificate({ response }: Attestation): void {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = decoded.get("fmt");
  const signsItself = format === "packed" && decoded.get("attStmt").get("x5c") === undefined;
  if (format !== "none" && !signsItself) throw new TypeError("The attestation was not asked for");
}

async function wrapVerificationErrors<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw new WebAuthnVerificationError("Cannot verify passkey: the answer does not hold", { cause: error });
  }
}
