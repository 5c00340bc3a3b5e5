/**
 * A WebAuthn provider as a developer wrote it, made complete.
 *
 * @module
 */
import type { WebAuthnProvider } from "../contract/provider.ts";
import type { ResolvedWebAuthnProvider } from "./resolved_provider.ts";

const FIVE_MINUTES = 5 * 60 * 1000;

const EMAIL_FIELD = Object.freeze({ label: "Email", required: true, autocomplete: "username webauthn" });

/** EdDSA, ES256 and RS256, as COSE numbers them: what authenticators have. */
const ALGORITHMS: readonly number[] = Object.freeze([-8, -7, -257]);

/** The inputs of a provider's form. */
export function formFieldsOf({ formFields }: WebAuthnProvider): NonNullable<WebAuthnProvider["formFields"]> {
  return formFields ?? { email: EMAIL_FIELD };
}

/** Whether the browser offers passkeys where the person types. */
export function hasConditionalUI({ enableConditionalUI }: WebAuthnProvider): boolean {
  return enableConditionalUI ?? true;
}

/** Whether strangers may make passkeys. */
export function registersStrangers({ registration }: WebAuthnProvider): boolean {
  return registration !== "signed-in";
}

/** Resolves a WebAuthn provider. */
export function resolveWebAuthn(provider: WebAuthnProvider): ResolvedWebAuthnProvider {
  const { id, name, style, relayingParty } = provider;
  return Object.freeze({
    id,
    name,
    type: "webauthn",
    style: Object.freeze({ ...style }),
    timeout: timeoutOf(provider),
    enableConditionalUI: hasConditionalUI(provider),
    formFields: Object.freeze({ ...formFieldsOf(provider) }),
    relyingParty: Object.freeze({
      ids: listOf(relayingParty?.id),
      name: listOf(relayingParty?.name)[0],
      origins: listOf(relayingParty?.origin),
    }),
    authentication: authenticationOf(provider),
    registration: registrationOf(provider),
    getUserInfo: provider.getUserInfo?.bind(provider) ?? null,
    registersStrangers: registersStrangers(provider),
    confirms: provider.confirm ?? false,
    listsByEmail: provider.allowCredentialsByEmail ?? false,
    maxCredentials: provider.maxCredentials ?? 100,
  });
}

function authenticationOf(provider: WebAuthnProvider): ResolvedWebAuthnProvider["authentication"] {
  const { authenticationOptions = {}, verifyAuthenticationOptions = {} } = provider;
  const userVerification = authenticationOptions.userVerification ?? "preferred";
  return Object.freeze({
    timeout: authenticationOptions.timeout ?? timeoutOf(provider),
    extensions: authenticationOptions.extensions,
    userVerification,
    // What is only preferred cannot be demanded afterwards: an authenticator without it would be asked in vain.
    requireUserVerification: verifyAuthenticationOptions.requireUserVerification ?? userVerification === "required",
  });
}

function registrationOf(provider: WebAuthnProvider): ResolvedWebAuthnProvider["registration"] {
  const { registrationOptions = {}, verifyRegistrationOptions = {} } = provider;
  const { authenticatorAttachment, residentKey, ...asked } = registrationOptions.authenticatorSelection ?? {};
  const userVerification = asked.userVerification ?? "preferred";
  return Object.freeze({
    timeout: registrationOptions.timeout ?? timeoutOf(provider),
    extensions: registrationOptions.extensions,
    attestationType: registrationOptions.attestationType ?? "none",
    supportedAlgorithmIDs: registrationOptions.supportedAlgorithmIDs ?? ALGORITHMS,
    authenticatorSelection: Object.freeze({
      ...(authenticatorAttachment && { authenticatorAttachment }),
      // Without a list only keys that authenticators store can sign in.
      residentKey: provider.allowCredentialsByEmail ? residentKey ?? "preferred" : "required",
      userVerification,
    }),
    requireUserVerification: verifyRegistrationOptions.requireUserVerification ?? userVerification === "required",
  });
}

function timeoutOf({ timeout }: WebAuthnProvider): number {
  return timeout ?? FIVE_MINUTES;
}

function listOf(given: string | readonly string[] | undefined): readonly string[] {
  return Object.freeze(typeof given === "string" ? [given] : [...given ?? []]);
}
