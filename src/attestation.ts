/**
 * Which manufacturers of authenticators are trusted, if you ask for attestation.
 *
 * @module
 */
import { InvalidConfig } from "./kernel/errors.ts";
import { SettingsService } from "./webauthn/library.ts";

/**
 * A format of attestation whose certificates lead to a root.
 *
 * @see {@link https://www.w3.org/TR/webauthn-3/#sctn-defined-attestation-formats | WebAuthn Level 3, section 8}
 */
export type AttestationFormat = "packed" | "tpm" | "android-key" | "android-safetynet" | "fido-u2f" | "apple";

const FORMATS: ReadonlySet<string> = new Set<AttestationFormat>([
  "packed",
  "tpm",
  "android-key",
  "android-safetynet",
  "fido-u2f",
  "apple",
]);

/**
 * Sets the root certificates of an attestation format, in place of those before. They apply to all services of the
 * process, so call it once, when the process starts.
 *
 * It matters where `registrationOptions.attestationType` is not `none`. Without it the formats of Apple and Google must
 * lead to their own roots, and for `packed`, `tpm` and `fido-u2f` every manufacturer is trusted.
 *
 * @example Usage
 * ```ts
 * import { setRootCertificates } from "@x/auth/attestation";
 *
 * const maker = "-----BEGIN CERTIFICATE-----\nMIIDHjCCAgagAwIBAgIE\n-----END CERTIFICATE-----";
 *
 * setRootCertificates("packed", [maker]);
 * ```
 *
 * @param format The format.
 * @param certificates The roots, each as PEM text or as DER bytes. At least one: without any, every manufacturer is trusted.
 * @throws {InvalidConfig} if the format is unknown, there is no certificate, or one is neither PEM nor DER.
 */
export function setRootCertificates(
  format: AttestationFormat,
  certificates: readonly (string | Uint8Array)[],
): void {
  if (!FORMATS.has(format)) {
    throw new InvalidConfig(`Cannot set root certificates: \`format\` must be one of ${[...FORMATS].join(", ")}`);
  }
  if (!Array.isArray(certificates) || certificates.length === 0 || !certificates.every(isCertificate)) {
    throw new InvalidConfig(
      "Cannot set root certificates: `certificates` must be a list of at least one, each as PEM text or as DER bytes",
    );
  }
  SettingsService.setRootCertificates({
    identifier: format,
    certificates: certificates.map((root) => typeof root === "string" ? root : new Uint8Array(root)),
  });
}

const PEM = /^\s*-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=]+-----END CERTIFICATE-----\s*$/;

function isCertificate(given: unknown): boolean {
  if (typeof given === "string") return PEM.test(given);
  // A sequence of more than 127 bytes (X.690, section 8.1.3).
  return given instanceof Uint8Array && given[0] === 0x30 && (given[1] ?? 0) > 0x80;
}
