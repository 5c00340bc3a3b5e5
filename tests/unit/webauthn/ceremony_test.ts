import assert from "node:assert/strict";
import { test } from "node:test";
import { WebAuthnVerificationError } from "../../../src/kernel/errors.ts";
import type { WebAuthnOptions } from "../../../src/contract/provider.ts";
import { passkey } from "../../../src/providers/passkey.ts";
import { mergeProvider } from "../../../src/config/merge_provider.ts";
import { resolveWebAuthn } from "../../../src/config/resolve_webauthn.ts";
import { type CeremonyContext, verifyAttestation } from "../../../src/webauthn/ceremony.ts";
import { readAttestation } from "../../../src/webauthn/credential.ts";
import { relyingPartyOf } from "../../../src/webauthn/entities.ts";
import {
  type Certificate,
  type CertificateOptions,
  der,
  extension,
  makeCertificate,
  oid,
  sequence,
} from "../../_support/certificate.ts";
import { Authenticator, concat, type Forgery, packedSelf, sha256, utf8 } from "../../_support/authenticator.ts";
import { trusting } from "../../_support/trust.ts";

const CHALLENGE = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

function contextWith(options: WebAuthnOptions = {}): CeremonyContext {
  const complete = mergeProvider(passkey(options), () => undefined);
  assert.ok(complete.type === "webauthn");
  const provider = resolveWebAuthn(complete);
  return { provider, party: relyingPartyOf(provider, new URL("http://localhost:3000")), challenge: CHALLENGE };
}

async function reasonFor(forgery: Forgery, options?: WebAuthnOptions): Promise<string> {
  const data = await new Authenticator().create({ challenge: CHALLENGE }, forgery);
  try {
    await verifyAttestation(contextWith(options), readAttestation(data));
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

test("verifyAttestation() refuses a certificate that was not requested, without parsing it", async () => {
  const notRequested = "The attestation was not requested";
  for (const format of ["fido-u2f", "tpm", "apple", "android-key", "android-safetynet", "made-up"]) {
    assert.equal(await reasonFor({ format }), notRequested);
  }
  assert.equal(await reasonFor({ format: "packed", statement: certified }), notRequested);
});

test("verifyAttestation() accepts self attestation, requested or not", async () => {
  const forgery = { format: "packed", statement: packedSelf("ES256") };
  assert.equal(await reasonFor(forgery), "accepted");
  assert.equal(await reasonFor(forgery, { registrationOptions: { attestationType: "direct" } }), "accepted");
});

test("verifyAttestation() verifies an attestation that was requested", async () => {
  const options: WebAuthnOptions = { registrationOptions: { attestationType: "direct" } };
  for (const format of ["fido-u2f", "tpm", "apple", "android-key", "packed", "made-up"]) {
    assert.doesNotMatch(await reasonFor({ format, statement: certified }, options), /^accepted$|requested/, format);
  }
});

const DIRECT: WebAuthnOptions = { registrationOptions: { attestationType: "direct" } };

type Part = Uint8Array<ArrayBuffer>;

/** An attestation by a certificate, in either format. */
function attested(format: "packed" | "fido-u2f", certificate: Certificate, signer = certificate): Forgery {
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
  test(`verifyAttestation() accepts an attestation by a certificate only if it was requested, in the format "${format}"`, async () => {
    const certificate = await makeCertificate();
    assert.equal(await reasonFor(attested(format, certificate), DIRECT), "accepted");
    assert.equal(await reasonFor(attested(format, certificate)), "The attestation was not requested");
  });

  test(`verifyAttestation() refuses a signature by another key than the certificate's, in the format "${format}"`, async () => {
    const [certificate, signer] = await Promise.all([makeCertificate(), makeCertificate()]);
    assert.equal(await reasonFor(attested(format, certificate, signer), DIRECT), "The attestation is wrong");
  });
}

const MAKER = { 6: "XX", 10: "Example", 11: "Authenticator Attestation", 3: "Example Key" };

const CERTIFICATES: Readonly<Record<string, CertificateOptions>> = {
  "with another unit": { subject: { ...MAKER, 11: "Sales" } },
  "without a country": { subject: { 10: "Example", 11: "Authenticator Attestation", 3: "Example Key" } },
  "of an authority": { authority: true },
  "that has expired": { years: ["20", "21"] },
  "that is not valid yet": { years: ["48", "49"] },
};

for (const [what, options] of Object.entries(CERTIFICATES)) {
  test(`verifyAttestation() refuses a certificate ${what}`, async () => {
    assert.match(await reasonFor(attested("packed", await makeCertificate(options)), DIRECT), /Certificate/);
  });
}

const hex = (text: string): Part => Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16));

/** Bytes behind their length in two bytes. */
function sized(...parts: readonly Part[]): Part {
  const content = concat(...parts);
  return concat(new Uint8Array([content.length >> 8, content.length & 0xff]), content);
}

/** The attestation of a key by a TPM (WebAuthn Level 3, section 8.3; TPM 2.0 Library, part 2). */
function attestedByTpm(root: Certificate, maker = "id:414D4400", signer?: Certificate): Forgery {
  return {
    format: "tpm",
    async statement({ authData, clientDataHash }) {
      const [x, y] = [authData.slice(-67, -35), authData.slice(-32)];
      const pubArea = concat(hex("0023000b00040000" + "0000" + "0010001000030010"), sized(x), sized(y));
      const name = sized(hex("000b"), sha256(pubArea));
      const certInfo = concat(
        hex("ff544347" + "8017" + "0000"),
        sized(sha256(concat(authData, clientDataHash))),
        new Uint8Array(17 + 8),
        name,
        new Uint8Array(2),
      );
      const fields = [[1, maker], [2, "Example"], [3, "id:00010002"]] as const;
      const names = fields.map(([number, text]) =>
        der(0x31, sequence(oid(`678105020${number}`), der(0x0c, utf8(text))))
      );
      const certificate = await makeCertificate({
        subject: {},
        issuer: root,
        extensions: [
          extension("551d25", sequence(oid("6781050803"))),
          extension("551d11", sequence(der(0xa4, sequence(...names)))),
        ],
      });
      return new Map<string, number | string | Part | Part[]>([
        ["ver", "2.0"],
        ["alg", -7],
        ["x5c", [certificate.der]],
        ["sig", await (signer ?? certificate).sign(certInfo)],
        ["certInfo", certInfo],
        ["pubArea", pubArea],
      ]);
    },
  };
}

/** The attestation of a key by Android's hardware (WebAuthn Level 3, section 8.4). */
function attestedByAndroid(root: Certificate, challenge?: Part): Forgery {
  return {
    format: "android-key",
    async statement({ authData, clientDataHash, sign }) {
      const [version, hardware] = [der(0x02, hex("012c")), der(0x0a, hex("01"))];
      // Its purpose is to sign, and its origin is that it was generated.
      const signs = der(0xa1, der(0x31, der(0x02, hex("02"))));
      const generated = der([0xbf, 0x85, 0x3e], der(0x02, hex("00")));
      const described = der(0x04, challenge ?? clientDataHash);
      const facts = [version, hardware, version, hardware, described, der(0x04, hex("")), sequence()];
      const certificate = await makeCertificate({
        issuer: root,
        point: concat(authData.slice(-67, -35), authData.slice(-32)),
        extensions: [extension("2b06010401d679020111", sequence(...facts, sequence(signs, generated)))],
      });
      return new Map<string, number | Part | Part[]>([
        ["alg", -7],
        ["sig", await sign(concat(authData, clientDataHash))],
        ["x5c", [certificate.der, root.der]],
      ]);
    },
  };
}

test('verifyAttestation() accepts the format "tpm" if its root is trusted', async () => {
  const [root, other] = await Promise.all([{ authority: true }, { authority: true }].map(makeCertificate));
  assert.ok(root && other);
  await trusting("tpm", root.der, async () => {
    assert.equal(await reasonFor(attestedByTpm(root), DIRECT), "accepted");
    assert.equal(await reasonFor(attestedByTpm(root)), "The attestation was not requested");
    assert.match(await reasonFor(attestedByTpm(other), DIRECT), /trust anchor/);
    assert.match(await reasonFor(attestedByTpm(root, "id:00000000"), DIRECT), /manufacturer/);
    assert.equal(await reasonFor(attestedByTpm(root, undefined, other), DIRECT), "The attestation is wrong");
  });
});

test('verifyAttestation() accepts the format "android-key" if its root is trusted', async () => {
  const [root, other] = await Promise.all([{ authority: true }, { authority: true }].map(makeCertificate));
  assert.ok(root && other);
  await trusting("android-key", root.der, async () => {
    assert.equal(await reasonFor(attestedByAndroid(root), DIRECT), "accepted");
    assert.equal(await reasonFor(attestedByAndroid(root)), "The attestation was not requested");
    assert.match(await reasonFor(attestedByAndroid(other), DIRECT), /not a known root/);
    assert.match(await reasonFor(attestedByAndroid(root, new Uint8Array(32)), DIRECT), /challenge/);
  });
  assert.match(await reasonFor(attestedByAndroid(root), DIRECT), /not a known root/);
});
