/** The credentials that the specification prints, byte for byte (WebAuthn Level 3, section 16). */
import { Buffer } from "node:buffer";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { AttestationFormat } from "@simplewebauthn/server";
import { WebAuthnVerificationError } from "../../../src/kernel/errors.ts";
import { webauthn } from "../../../src/providers/webauthn.ts";
import { mergeProvider } from "../../../src/config/merge_provider.ts";
import { resolveWebAuthn } from "../../../src/config/resolve_webauthn.ts";
import { type CeremonyContext, verifyAssertion, verifyAttestation } from "../../../src/webauthn/ceremony.ts";
import { readAssertion, readAttestation } from "../../../src/webauthn/credential.ts";
import { relyingPartyOf } from "../../../src/webauthn/entities.ts";
import { makeCertificate } from "../../_support/certificate.ts";
import { trusting } from "../../_support/trust.ts";

interface Vector {
  readonly credentialId: string;
  readonly registration: {
    readonly challenge: string;
    readonly clientDataJSON: string;
    readonly attestationObject: string;
  };
  readonly authentication: {
    readonly challenge: string;
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
  };
}

const { attestationCaCert, vectors }: { attestationCaCert: string; vectors: Record<string, Vector> } = JSON.parse(
  readFileSync(new URL("vectors.json", import.meta.url), "utf8"),
);

const AUTHORITY = new Uint8Array(Buffer.from(attestationCaCert, "hex"));

function text(hex: string): string {
  return Buffer.from(hex, "hex").toString("base64url");
}

// The authenticators of the vectors verify nobody.
function contextOf(challenge: string, attestationType: "none" | "direct"): CeremonyContext {
  const complete = mergeProvider(
    webauthn({
      registrationOptions: { attestationType, supportedAlgorithmIDs: [-7, -8, -35, -36, -257] },
      verifyRegistrationOptions: { requireUserVerification: false },
      verifyAuthenticationOptions: { requireUserVerification: false },
    }),
    () => undefined,
  );
  assert.ok(complete.type === "webauthn");
  const provider = resolveWebAuthn(complete);
  return { provider, party: relyingPartyOf(provider, new URL("https://example.org")), challenge: text(challenge) };
}

type Stored = Awaited<ReturnType<typeof verifyAttestation>>;

function register(
  { credentialId, registration }: Vector,
  attestationType: "none" | "direct" = "direct",
  challenge = registration.challenge,
): Promise<Stored> {
  const id = text(credentialId);
  const response = {
    clientDataJSON: text(registration.clientDataJSON),
    attestationObject: text(registration.attestationObject),
  };
  const read = readAttestation(JSON.stringify({ id, rawId: id, type: "public-key", response }));
  return verifyAttestation(contextOf(challenge, attestationType), read);
}

function signIn(
  { credentialId, authentication }: Vector,
  stored: Stored,
  challenge = authentication.challenge,
): ReturnType<typeof verifyAssertion> {
  const id = text(credentialId);
  const response = {
    clientDataJSON: text(authentication.clientDataJSON),
    authenticatorData: text(authentication.authenticatorData),
    signature: text(authentication.signature),
  };
  const read = readAssertion(JSON.stringify({ id, rawId: id, type: "public-key", response }));
  return verifyAssertion(contextOf(challenge, "none"), read, { ...stored.made, userId: "1" });
}

function vectorOf(name: string): Vector {
  const vector = vectors[name];
  assert.ok(vector, name);
  return vector;
}

async function assertAccepted(vector: Vector, attestationType: "none" | "direct"): Promise<void> {
  const stored = await register(vector, attestationType);
  assert.equal(stored.made.credentialID, Buffer.from(vector.credentialId, "hex").toString("base64"));
  assert.equal((await signIn(vector, stored)).counter, 0);

  const { registration, authentication } = vector;
  await assertRefused(register(vector, attestationType, authentication.challenge), /challenge/);
  await assertRefused(signIn(vector, stored, registration.challenge), /challenge/);
}

async function assertRefused(ceremony: Promise<unknown>, reason: RegExp): Promise<void> {
  await assert.rejects(ceremony, (error) => {
    assert.ok(error instanceof WebAuthnVerificationError);
    assert.match(String((error.cause?.err as Error).message), reason);
    return true;
  });
}

for (const name of ["none.ES256", "packed-self.ES256", "none.ES256.long-credential-id"]) {
  test(`WAN-15: the credential ${name} of the specification is accepted, signs in and answers no other challenge`, async () => {
    await assertAccepted(vectorOf(name), "none");
    await assertAccepted(vectorOf(name), "direct");
  });
}

/** Vectors whose certificate is issued by the authority of the specification. */
const CERTIFIED: readonly (readonly [name: string, format: AttestationFormat])[] = [
  ["packed.ES256", "packed"],
  ["packed.ES384", "packed"],
  ["packed.ES512", "packed"],
  ["packed.RS256", "packed"],
  ["packed.EdDSA", "packed"],
  ["apple.ES256", "apple"],
];

for (const [name, format] of CERTIFIED) {
  test(`WAN-15: the credential ${name} of the specification is accepted if its authority is trusted, and signs in`, async () => {
    await trusting(format, AUTHORITY, () => assertAccepted(vectorOf(name), "direct"));
  });

  test(`V83, WAN-15: the credential ${name} of the specification is refused if another authority is trusted`, async () => {
    const other = await makeCertificate({ authority: true });
    await trusting(format, other.der, () => assertRefused(register(vectorOf(name)), /trust anchor/));
  });
}

test("V83, WAN-15: the credential apple.ES256 of the specification is refused, because Apple did not sign it", async () => {
  await assertRefused(register(vectorOf("apple.ES256")), /trust anchor/);
});

/** Vectors that show a format and must not be accepted. */
const REFUSED: readonly (readonly [name: string, reason: RegExp])[] = [
  ["none.ES256.crossOrigin", /embedded in another site/],
  ["none.ES256.topOrigin", /embedded in another site/],
  // Ed448 was not requested.
  ["packed.Ed448", /algorithm|alg/],
  // No manufacturer of TPMs has the number 0.
  ["tpm.ES256", /TPM manufacturer/],
  // Its authority is not in its chain.
  ["android-key.ES256", /certificate path/],
  // A U2F authenticator has an AAGUID of zeros.
  ["fido-u2f.ES256", /AAGUID/],
];

for (const [name, reason] of REFUSED) {
  test(`WAN-15: the credential ${name} of the specification is refused`, async () => {
    await assertRefused(register(vectorOf(name)), reason);
  });
}

test("WAN-15: the credential fido-u2f.ES256 of the specification is accepted with the AAGUID of U2F, and signs in", async () => {
  const vector = vectorOf("fido-u2f.ES256");
  const { attestationObject } = vector.registration;
  const aaguid = attestationObject.length - 2 * (77 + 2 + 32 + 16);
  assert.equal(attestationObject.slice(aaguid, aaguid + 32), "afb3c2efc054df425013d5c88e79c3c1");
  const zeros = attestationObject.slice(0, aaguid) + "00".repeat(16) + attestationObject.slice(aaguid + 32);
  const corrected = { ...vector, registration: { ...vector.registration, attestationObject: zeros } };
  await trusting("fido-u2f", AUTHORITY, () => assertAccepted(corrected, "direct"));
});

for (const [name, vector] of Object.entries(vectors)) {
  if (/^(?:none|packed-self)\./.test(name)) continue;
  test(`V83, WAN-15: the credential ${name} of the specification is refused if no certificate was requested`, async () => {
    await assertRefused(register(vector, "none"), /not requested|alg/);
  });
}
