import assert from "node:assert/strict";
import { test } from "node:test";
import { WebAuthnVerificationError } from "../../../src/errors.ts";
import type { WebAuthnOptions } from "../../../src/provider.ts";
import { passkey } from "../../../src/providers/passkey.ts";
import { completeProvider } from "../../../src/resolve_provider.ts";
import { resolveWebAuthn } from "../../../src/resolve_webauthn.ts";
import { type Setting, verifyAttestation } from "../../../src/webauthn/ceremony.ts";
import { readAttestation } from "../../../src/webauthn/credential.ts";
import { partyOf } from "../../../src/webauthn/party.ts";
import { type Certificate, type CertificateOptions, makeCertificate } from "../../_support/certificate.ts";
import { Authenticator, concat, type Forgery, packedSelf } from "../../_support/authenticator.ts";

const CHALLENGE = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

function setting(options: WebAuthnOptions = {}): Setting {
  const complete = completeProvider(passkey(options), () => undefined);
  assert.ok(complete.type === "webauthn");
  const provider = resolveWebAuthn(complete);
  return { provider, party: partyOf(provider, new URL("http://localhost:3000")), challenge: CHALLENGE };
}

async function reasonFor(forgery: Forgery, options?: WebAuthnOptions): Promise<string> {
  const data = await new Authenticator().create({ challenge: CHALLENGE }, forgery);
  try {
    await verifyAttestation(setting(options), readAttestation(data));
    return "accepted";
  } catch (error) {
    assert.ok(error instanceof WebAuthnVerificationError);
    return String((error.cause?.err as Error).message);
  }
}

const certified: Forgery["statement"] = async ({ authData, clientDataHash, sign }) => {
  const sig = await sign(concat(authData, clientDataHash));
  return new Map<string, number | Uint8Array<ArrayBuffer> | Uint8Array<ArrayBuffer>[]>([
    ["alg", -7],
    ["sig", sig],
    ["x5c", [new Uint8Array([0x30, 0])]],
  ]);
};

test("verifyAttestation() looks at no certificate that nobody asked for", async () => {
  const unasked = "The attestation was not asked for";
  for (const format of ["fido-u2f", "tpm", "apple", "android-key", "android-safetynet", "made-up"]) {
    assert.equal(await reasonFor({ format }), unasked);
  }
  assert.equal(await reasonFor({ format: "packed", statement: certified }), unasked);
});

test("verifyAttestation() takes a passkey's own signature for what it is, asked for or not", async () => {
  const forgery = { format: "packed", statement: packedSelf("ES256") };
  assert.equal(await reasonFor(forgery), "accepted");
  assert.equal(await reasonFor(forgery, { registrationOptions: { attestationType: "direct" } }), "accepted");
});

test("verifyAttestation() looks at the attestation that was asked for", async () => {
  const options: WebAuthnOptions = { registrationOptions: { attestationType: "direct" } };
  for (const format of ["fido-u2f", "tpm", "apple", "android-key", "packed", "made-up"]) {
    assert.doesNotMatch(await reasonFor({ format, statement: certified }, options), /^accepted$|asked for/, format);
  }
});

const DIRECT: WebAuthnOptions = { registrationOptions: { attestationType: "direct" } };

type Part = Uint8Array<ArrayBuffer>;

/** What a certificate vouches for, in the words of either format. */
function vouched(format: "packed" | "fido-u2f", certificate: Certificate, signer = certificate): Forgery {
  return {
    format,
    async statement({ authData, clientDataHash }) {
      // Flags, counter and AAGUID lie between; the key ends with its coordinates (WebAuthn Level 3, section 8.6).
      const id = authData.slice(55, 87);
      const [x, y] = [authData.slice(-67, -35), authData.slice(-32)];
      const u2f = concat(new Uint8Array(1), authData.slice(0, 32), clientDataHash, id, new Uint8Array([4]), x, y);
      const sig = await signer.sign(format === "packed" ? concat(authData, clientDataHash) : u2f);
      const members: [string, number | Part | Part[]][] = [["sig", sig], ["x5c", [certificate.der]]];
      return new Map(format === "packed" ? [["alg", -7], ...members] : members);
    },
  };
}

for (const format of ["packed", "fido-u2f"] as const) {
  test(`verifyAttestation() takes what a certificate vouches for in the format "${format}", if it was asked for`, async () => {
    const certificate = await makeCertificate();
    assert.equal(await reasonFor(vouched(format, certificate), DIRECT), "accepted");
    assert.equal(await reasonFor(vouched(format, certificate)), "The attestation was not asked for");
  });

  test(`verifyAttestation() refuses what another key than the certificate's signed in the format "${format}"`, async () => {
    const [certificate, signer] = await Promise.all([makeCertificate(), makeCertificate()]);
    assert.equal(await reasonFor(vouched(format, certificate, signer), DIRECT), "The attestation does not hold");
  });
}

const MAKER = { 6: "XX", 10: "Example", 11: "Authenticator Attestation", 3: "Example Key" };

const CERTIFICATES: Readonly<Record<string, CertificateOptions>> = {
  "of another unit": { subject: { ...MAKER, 11: "Sales" } },
  "of no country": { subject: { 10: "Example", 11: "Authenticator Attestation", 3: "Example Key" } },
  "that may sign others": { authority: true },
  "that has ended": { years: ["20", "21"] },
  "that has not begun": { years: ["48", "49"] },
};

for (const [what, options] of Object.entries(CERTIFICATES)) {
  test(`verifyAttestation() refuses a certificate ${what}`, async () => {
    assert.match(await reasonFor(vouched("packed", await makeCertificate(options)), DIRECT), /Certificate/);
  });
}
