/**
 * A WebAuthn provider as a developer wrote it, made complete.
 *
 * @module
 */
import type { WebAuthnProvider } from "../contract/provider.ts";
import { AUTHENTICATION, REGISTRATION, WEBAUTHN } from "./webauthn_options.ts";
import type { ResolvedWebAuthnProvider } from "./resolved_provider.ts";

const EMAIL_FIELD = Object.freeze({ label: "Email", required: true, autocomplete: "username webauthn" });

/** The inputs of a provider's form. */
export function formFieldsOf({ formFields }: WebAuthnProvider): NonNullable<WebAuthnProvider["formFields"]> {
  return formFields ?? { email: EMAIL_FIELD };
}

/** Whether the browser offers passkeys where the person types. */
export function hasConditionalUI({ enableConditionalUI }: WebAuthnProvider): boolean {
  return enableConditionalUI ?? WEBAUTHN.enableConditionalUI.otherwise;
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
      related: listOf(provider.relatedOrigins ?? WEBAUTHN.relatedOrigins.otherwise),
    }),
    upgrades: provider.upgrade ?? WEBAUTHN.upgrade.otherwise,
    authentication: authenticationOf(provider),
    registration: registrationOf(provider),
    getUserInfo: provider.getUserInfo?.bind(provider) ?? null,
    registersStrangers: (provider.registration ?? WEBAUTHN.registration.otherwise) === "open",
    confirms: provider.confirm ?? WEBAUTHN.confirm.otherwise,
    listsByEmail: provider.allowCredentialsByEmail ?? WEBAUTHN.allowCredentialsByEmail.otherwise,
    maxCredentials: provider.maxCredentials ?? WEBAUTHN.maxCredentials.otherwise,
  });
}

function authenticationOf(provider: WebAuthnProvider): ResolvedWebAuthnProvider["authentication"] {
  const { authenticationOptions = {}, verifyAuthenticationOptions = {} } = provider;
  const userVerification = authenticationOptions.userVerification ?? AUTHENTICATION.userVerification.otherwise;
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
    attestationType: registrationOptions.attestationType ?? REGISTRATION.attestationType.otherwise,
    supportedAlgorithmIDs: registrationOptions.supportedAlgorithmIDs ?? REGISTRATION.supportedAlgorithmIDs.otherwise,
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
  return timeout ?? WEBAUTHN.timeout.otherwise;
}

function listOf(given: string | readonly string[] | undefined): readonly string[] {
  return Object.freeze(typeof given === "string" ? [given] : [...given ?? []]);
}
