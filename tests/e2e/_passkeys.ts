/** Browsers with an authenticator that does as it is told. */
import type { CDPSession, Page } from "playwright-core";

/** What an authenticator can do, and what it does unasked. */
export interface AuthenticatorOptions {
  /** Whether it makes sure who uses it. */
  readonly isUserVerified?: boolean;
  /** Whether it stores keys. @default {true} */
  readonly storesKeys?: boolean;
  /** Whether somebody is there to agree. */
  readonly isSomebodyThere?: boolean;
}

/** An authenticator that is built into the device. */
export interface VirtualAuthenticator {
  /** How many passkeys it holds. */
  count(): Promise<number>;
  /** Takes it away, and another one in its place. */
  replace(): Promise<void>;
  /** Says whether it can make sure who uses it. */
  verifiesUser(isUserVerified: boolean): Promise<void>;
}

/** Gives a page an authenticator. Nothing is shown, and nobody has to press anything. */
export async function plugIn(page: Page, options: AuthenticatorOptions = {}): Promise<VirtualAuthenticator> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable", { enableUI: false });
  let authenticatorId = await add(devtools, options);
  return {
    count: async () => (await devtools.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length,
    async replace() {
      await devtools.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
      authenticatorId = await add(devtools, options);
    },
    async verifiesUser(isUserVerified) {
      await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
  };
}

async function add(
  devtools: CDPSession,
  { isUserVerified = true, isSomebodyThere = true, storesKeys = true }: AuthenticatorOptions,
): Promise<string> {
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: storesKeys,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: isSomebodyThere,
    },
  });
  return authenticatorId;
}

/** Keeps the browser from offering passkeys where the address is typed: an authenticator would accept at once. */
export async function offerNothing(page: Page): Promise<void> {
  await page.addInitScript({
    content: "if (self.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = async () => false;",
  });
}
