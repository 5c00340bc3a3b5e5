/**
 * What a configuration with passkeys needs: their checks and their defaults.
 *
 * @module
 */
export { conditionalProblems, webauthnProblems } from "./check_webauthn.ts";
export { resolveWebAuthn } from "./resolve_webauthn.ts";
