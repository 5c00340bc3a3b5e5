/** Which makers of authenticators are trusted while a test runs. */
import { type AttestationFormat, SettingsService } from "@simplewebauthn/server";

/** Lets attestations of a format lead to one certificate alone, for as long as something runs. */
export async function trusting(
  format: AttestationFormat,
  root: Uint8Array<ArrayBuffer>,
  run: () => Promise<unknown>,
): Promise<void> {
  const before = SettingsService.getRootCertificates({ identifier: format });
  SettingsService.setRootCertificates({ identifier: format, certificates: [root] });
  try {
    await run();
  } finally {
    SettingsService.setRootCertificates({ identifier: format, certificates: before });
  }
}
