/**
 * The library of the ceremonies, as far as it is used.
 *
 * In the npm package this file holds the library itself, in one piece (`scripts/npm/embed.ts`): bundlers that merge
 * modules which are loaded late put the parts of it into an order in which they do not start.
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
