import assert from "node:assert/strict";
import { test } from "node:test";
import { passkey } from "../../../src/providers/passkey.ts";
import { webauthn } from "../../../src/providers/webauthn.ts";
import type { WebAuthnOptions, WebAuthnProvider } from "../../../src/contract/provider.ts";
import type { RelyingParty } from "../../../src/contract/webauthn_options.ts";
import { mergeProvider } from "../../../src/config/merge_provider.ts";
import { resolveWebAuthn } from "../../../src/config/resolve_webauthn.ts";
import { relyingPartyOf } from "../../../src/webauthn/entities.ts";

const resolved = (provider: WebAuthnProvider) => {
  return resolveWebAuthn(mergeProvider(provider, () => undefined) as WebAuthnProvider);
};
const party = (relayingParty: RelyingParty, url: string) =>
  relyingPartyOf(resolved(passkey({ relayingParty })), new URL(url));

test("relyingPartyOf() uses the host of the request if nothing is configured", () => {
  assert.deepEqual(party({}, "http://localhost:3000/auth/x"), {
    id: "localhost",
    name: "localhost:3000",
    ids: ["localhost"],
    origins: ["http://localhost:3000"],
  });
});

test("relyingPartyOf() sends the RP ID that matches the host, and accepts all of them", () => {
  const relayingParty = { id: ["one.test", "two.test"], name: ["Site", "Other"], origin: "https://www.two.test" };
  for (const host of ["two.test", "www.two.test"]) {
    assert.deepEqual(party(relayingParty, `https://${host}/`), {
      id: "two.test",
      name: "Site",
      ids: ["one.test", "two.test"],
      origins: ["https://www.two.test"],
    });
  }
  assert.equal(party(relayingParty, "https://nottwo.test/").id, "one.test");
});

test("passkey() requires user verification, webauthn() only prefers it, and both ask for keys that are stored", () => {
  const { authentication, registration, timeout, enableConditionalUI, formFields } = resolved(passkey());
  assert.deepEqual({ timeout, enableConditionalUI }, { timeout: 300_000, enableConditionalUI: true });
  assert.deepEqual(formFields, { email: { label: "Email", required: true, autocomplete: "username webauthn" } });
  assert.deepEqual(authentication, {
    timeout: 300_000,
    extensions: undefined,
    userVerification: "required",
    requireUserVerification: true,
  });
  assert.deepEqual(registration, {
    timeout: 300_000,
    extensions: undefined,
    attestationType: "none",
    supportedAlgorithmIDs: [-8, -7, -257],
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    requireUserVerification: true,
  });
  const plain = resolved(webauthn());
  assert.equal(plain.authentication.requireUserVerification, false);
  assert.equal(plain.registration.requireUserVerification, false);
  assert.deepEqual(plain.registration.authenticatorSelection, {
    residentKey: "required",
    userVerification: "preferred",
  });
});

test("a key need not be stored only where the browser gets a list of keys by email", () => {
  const asked = (options: WebAuthnOptions) =>
    resolved(webauthn(options)).registration.authenticatorSelection.residentKey;
  const selection = (residentKey: "preferred" | "discouraged") => ({
    registrationOptions: { authenticatorSelection: { residentKey } },
  });
  assert.equal(asked({}), "required");
  assert.equal(asked(selection("preferred")), "required");
  assert.equal(asked(selection("discouraged")), "required");
  assert.equal(asked({ allowCredentialsByEmail: false, ...selection("discouraged") }), "required");
  assert.equal(asked({ allowCredentialsByEmail: true }), "preferred");
  assert.equal(asked({ allowCredentialsByEmail: true, ...selection("discouraged") }), "discouraged");
  const preset = resolved(passkey({ allowCredentialsByEmail: true }));
  assert.equal(preset.registration.authenticatorSelection.residentKey, "required");
});

test("options of a ceremony override the provider's, one by one", () => {
  const options: WebAuthnOptions = {
    timeout: 1000,
    authenticationOptions: { timeout: 2000 },
    registrationOptions: { authenticatorSelection: { authenticatorAttachment: "platform" } },
    formFields: { name: { label: "Name", autocomplete: "name webauthn" } },
  };
  const { authentication, registration, formFields } = resolved(passkey(options));
  assert.equal(authentication.timeout, 2000);
  assert.equal(registration.timeout, 1000);
  assert.deepEqual(registration.authenticatorSelection, {
    authenticatorAttachment: "platform",
    residentKey: "required",
    userVerification: "required",
  });
  assert.deepEqual(Object.keys(formFields), ["name"]);
});
