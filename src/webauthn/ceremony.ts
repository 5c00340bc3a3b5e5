/**
 * The ceremonies of WebAuthn: options for the browser, and the verification of its response.
 *
 * @see {@link https://www.w3.org/TR/webauthn-3/#sctn-rp-operations | WebAuthn Level 3, section 7}
 *
 * @module
 */
import { fromBase64Url, utf8 } from "../crypto/encoding.ts";
import { AuthError, WebAuthnVerificationError } from "../kernel/errors.ts";
import type { AdapterAuthenticator, Authenticator } from "../kernel/model.ts";
import type { ResolvedWebAuthnProvider } from "../config/resolved_provider.ts";
import type { Assertion, Attestation } from "./credential.ts";
import type { Descriptor, RelyingParty } from "./entities.ts";
import {
  decodeAttestationObject,
  decodeCredentialPublicKey,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  isoBase64URL,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "./library.ts";
import { checkClientData, type CoseKey, isAcceptableKey, isCanonicalSignature } from "./response_checks.ts";

/** What both halves of a ceremony share. */
export interface CeremonyContext {
  readonly provider: ResolvedWebAuthnProvider;
  readonly party: RelyingParty;
  /** As base64url. */
  readonly challenge: string;
}

/** Makes the options of a sign-in: by one of these credentials, or by any if there are none. */
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

/** The user of a new credential. */
export interface UserEntity {
  /** The user handle, in ASCII. */
  readonly handle: string;
  readonly name: string;
  readonly displayName: string;
  /** The user's credentials: an authenticator that has one of them makes no other. */
  readonly excluded: readonly Descriptor[];
}

/** Makes the options of a registration. */
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
    // The library changes this object.
    authenticatorSelection: { ...authenticatorSelection },
    ...(extensions && { extensions }),
  });
  return options;
}

/**
 * Verifies the response of a stored credential.
 *
 * @returns The signature counter of the authenticator, whether the credential is backed up now, and whether the user was
 * verified.
 * @throws {WebAuthnVerificationError} if it is not valid.
 */
export async function verifyAssertion(
  { provider, party, challenge }: CeremonyContext,
  assertion: Assertion,
  stored: AdapterAuthenticator,
): Promise<{ readonly counter: number; readonly backedUp: boolean; readonly userVerified: boolean }> {
  return await wrapVerificationErrors(async () => {
    checkClientData(assertion.response.clientDataJSON);
    const publicKey = isoBase64URL.toBuffer(stored.credentialPublicKey, "base64");
    const signature = fromBase64Url(assertion.response.signature);
    if (!isCanonicalSignature(decodeKey(publicKey), signature)) {
      throw new TypeError("The signature is not canonical DER");
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
    if (!verified) throw new TypeError("The signature is wrong");
    // A credential is made for one device or for several, and stays so.
    if (authenticationInfo.credentialDeviceType !== stored.credentialDeviceType) {
      throw new TypeError("The device type of the credential has changed");
    }
    const { newCounter: counter, credentialBackedUp: backedUp, userVerified } = authenticationInfo;
    return { counter, backedUp, userVerified };
  });
}

/** A credential that was made. */
export interface MadeCredential {
  /** The credential to store. */
  readonly made: Authenticator;
  /** Whether the user was verified. */
  readonly userVerified: boolean;
  /** What the authenticator says that it is. Nobody attests it, so it may lie. */
  readonly aaguid: string;
}

/**
 * Verifies a new credential.
 *
 * @param isUpgrade Whether the browser was allowed to make it by itself, see {@linkcode Ceremony}: then nobody need be present.
 * @throws {WebAuthnVerificationError} if it is not valid.
 */
export async function verifyAttestation(
  { provider: { registration }, party, challenge }: CeremonyContext,
  attestation: Attestation,
  isUpgrade = false,
): Promise<MadeCredential> {
  return await wrapVerificationErrors(async () => {
    checkClientData(attestation.response.clientDataJSON);
    if (registration.attestationType === "none") assertNoCertificate(attestation);
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...attestation, clientExtensionResults: {} },
      ...expectations(party, challenge),
      requireUserPresence: !isUpgrade,
      requireUserVerification: !isUpgrade && registration.requireUserVerification,
      supportedAlgorithmIDs: [...registration.supportedAlgorithmIDs],
    });
    if (!registrationInfo) throw new TypeError("The attestation is wrong");
    const { aaguid, credential, credentialDeviceType, credentialBackedUp, userVerified } = registrationInfo;
    if (credential.id !== attestation.id) throw new TypeError("The credential has two ids");
    if (!isAcceptableKey(decodeKey(credential.publicKey))) throw new TypeError("The public key is truncated or weak");
    const { transports } = attestation.response;
    const credentialID = isoBase64URL.toBase64(credential.id);
    const made = {
      credentialID,
      providerAccountId: credentialID,
      credentialPublicKey: isoBase64URL.fromBuffer(credential.publicKey, "base64"),
      counter: credential.counter,
      credentialDeviceType,
      credentialBackedUp,
      ...(transports && { transports: transports.join(",") }),
    };
    return { made, userVerified, aaguid };
  });
}

function decodeKey(publicKey: Uint8Array<ArrayBuffer>): CoseKey {
  // The type promises more, but the library checks only that it is a map.
  return decodeCredentialPublicKey(publicKey) as unknown as CoseKey;
}

function expectations({ ids, origins }: RelyingParty, challenge: string) {
  return { expectedChallenge: challenge, expectedOrigin: [...origins], expectedRPID: [...ids] };
}

// Browsers send no certificates unless asked. Parsing those of an attacker would be a risk without a use.
function assertNoCertificate({ response }: Attestation): void {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = decoded.get("fmt");
  const signsItself = format === "packed" && decoded.get("attStmt").get("x5c") === undefined;
  if (format !== "none" && !signsItself) throw new TypeError("The attestation was not requested");
}

async function wrapVerificationErrors<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw new WebAuthnVerificationError("Cannot verify passkey: the response is not valid", { cause: error });
  }
}
