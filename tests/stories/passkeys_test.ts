import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { createAuth } from "@x/auth";
import { type AttestationFormat, setRootCertificates } from "@x/auth/attestation";
import { InvalidConfig } from "@x/auth/errors";
import { makeMaker, takeTour, tourConfig } from "../_support/passkey_tour.ts";

test("passkeys register and sign in, and an attestation must lead to a trusted root", async () => {
  const maker = await makeMaker();
  setRootCertificates("packed", [maker.der]);
  await takeTour(createAuth(tourConfig()).handler, "http://localhost:3000", maker);
});

test("a root may be text, too", async () => {
  const maker = await makeMaker();
  const lines = Buffer.from(maker.der).toString("base64").match(/.{1,64}/g) ?? [];
  setRootCertificates("packed", [["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----"].join("\n")]);
  await takeTour(createAuth(tourConfig()).handler, "http://localhost:3000", maker);
});

const NO_CERTIFICATES: readonly (readonly [what: string, certificates: unknown])[] = [
  ["an empty list, which would trust everybody", []],
  ["no list", undefined],
  ["a text in place of a list", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"],
  ["a text that is no certificate", ["roots/maker.pem"]],
  ["bytes that are no certificate", [new Uint8Array(200)]],
  ["no bytes", [new Uint8Array()]],
  ["a number", [1]],
];

for (const [what, certificates] of NO_CERTIFICATES) {
  test(`setRootCertificates() refuses ${what}`, () => {
    assert.throws(() => setRootCertificates("packed", certificates as Uint8Array[]), InvalidConfig);
  });
}

test("setRootCertificates() refuses a format that has no certificates, and names those that have", async () => {
  const { der } = await makeMaker();
  for (const format of ["none", "mds", "Packed", "__proto__"]) {
    assert.throws(() => setRootCertificates(format as AttestationFormat, [der]), {
      name: "InvalidConfig",
      message: /`format`.*packed, tpm, android-key, android-safetynet, fido-u2f, apple/,
    });
  }
});
