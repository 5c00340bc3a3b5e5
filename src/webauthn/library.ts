/**
 * The parts of SimpleWebAuthn that are used.
 *
 * In the npm package, `scripts/npm/embed.ts` puts the library itself into this file, as one module: bundlers that merge
 * lazily loaded modules order its parts so that they fail to start.
 *
 * @module
 */
export {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  SettingsService,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
export { decodeAttestationObject, decodeCredentialPublicKey, isoBase64URL } from "@simplewebauthn/server/helpers";
